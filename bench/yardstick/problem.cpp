#include "problem.hpp"

#include <cmath>
#include <cstdio>

namespace yardstick {
namespace {

std::size_t n_of(std::size_t n) { return n; }
std::size_t twice(std::size_t n) { return 2 * n; }
std::size_t square(std::size_t n) { return n * n; }
std::size_t nine(std::size_t n) { return 9 * n; }
std::size_t one(std::size_t) { return 1; }
std::size_t row(std::size_t) { return row_length; }
std::size_t count_of_rows(std::size_t n) { return n / row_length; }
double elements(std::size_t n) { return static_cast<double>(n); }
double squared(std::size_t n) { return static_cast<double>(n) * static_cast<double>(n); }
double cubed(std::size_t n) { return squared(n) * static_cast<double>(n); }

Quad normal(Quad x) { return 0.5L * erfcl(-x * 0.707106781186547524400844362104849039L); }
Quad call_price(Quad s, Quad k, Quad t, Quad r, Quad v) {
  const Quad d1 = (logl(s / k) + (r + 0.5L * v * v) * t) / (v * sqrtl(t));
  return s * normal(d1) - k * expl(-r * t) * normal(d1 - v * sqrtl(t));
}

template <class F> void for_each(std::size_t n, F f) {
  for (std::size_t i = 0; i < n; ++i) f(i);
}
template <class F> void for_rows(std::size_t n, F f) {
  for (std::size_t r = 0; r + row_length <= n; r += row_length) f(r);
}
Quad exp_sum(const Quad* x, Quad max) {
  Quad sum = 0;
  for (std::size_t i = 0; i < row_length; ++i) sum += expl(x[i] - max);
  return sum;
}
Quad max_of_row(const Quad* x) {
  Quad max = x[0];
  for (std::size_t i = 1; i < row_length; ++i) max = std::max(max, x[i]);
  return max;
}

void a1(std::size_t n, const Quad* const* in, Quad* out) {
  for_each(n, [&](std::size_t i) {
    const Quad x = in[0][i], y = in[1][i];
    out[i] = expl(sinl(x)) * cosl(y) + sqrtl(x * x + y * y);
  });
}
void a2(std::size_t n, const Quad* const* in, Quad* out) {
  for_each(n, [&](std::size_t i) { out[i] = call_price(in[0][i], in[1][i], in[2][i], 0.02L, 0.3L); });
}
void a3(std::size_t n, const Quad* const* in, Quad* out) {
  for_each(n,
           [&](std::size_t i) { out[i] = in[0][i] > 0 ? in[0][i] + log1pl(expl(-in[0][i])) : log1pl(expl(in[0][i])); });
}
void a4(std::size_t n, const Quad* const* in, Quad* out) {
  for_each(n, [&](std::size_t i) {
    Quad power = 1;
    out[i] = 2;
    for (int k = 1; k <= 8; ++k) {
      power *= in[0][i];
      out[i] += (k % 2 == 0 ? power : -power) / k;
    }
  });
}
void a5(std::size_t n, const Quad* const* in, Quad* out) {
  for_each(n, [&](std::size_t i) {
    const Quad x = in[0][i], y = in[1][i];
    out[i] = powl(x, y) + logl(x) * atan2l(y, x);
  });
}
void black_scholes(std::size_t n, const Quad* const* in, Quad* out) {
  for_each(n, [&](std::size_t i) {
    const Quad s = in[0][i], k = in[1][i], t = in[2][i], r = in[3][i], v = in[4][i];
    out[i] = call_price(s, k, t, r, v);
    out[n + i] = out[i] - s + k * expl(-r * t);
  });
}
void sin_chain(std::size_t n, const Quad* const* in, Quad* out) {
  for_each(n, [&](std::size_t i) {
    out[i] = in[0][i];
    for (int k = 0; k < chained_sines; ++k) out[i] = sinl(out[i]);
  });
}
void softmax(std::size_t n, const Quad* const* in, Quad* out) {
  for_rows(n, [&](std::size_t r) {
    const Quad max = max_of_row(in[0] + r), sum = exp_sum(in[0] + r, max);
    for_each(row_length, [&](std::size_t i) { out[r + i] = expl(in[0][r + i] - max) / sum; });
  });
}
void logsumexp(std::size_t n, const Quad* const* in, Quad* out) {
  for_rows(n, [&](std::size_t r) {
    const Quad max = max_of_row(in[0] + r);
    out[r / row_length] = max + logl(exp_sum(in[0] + r, max));
  });
}
void layer_norm(std::size_t n, const Quad* const* in, Quad* out) {
  for_rows(n, [&](std::size_t r) {
    Quad mean = 0, variance = 0;
    for_each(row_length, [&](std::size_t i) { mean += in[0][r + i] / row_length; });
    for_each(row_length,
             [&](std::size_t i) { variance += (in[0][r + i] - mean) * (in[0][r + i] - mean) / row_length; });
    for_each(row_length, [&](std::size_t i) {
      out[r + i] = (in[0][r + i] - mean) / sqrtl(variance + 1e-5L) * in[1][i] + in[2][i];
    });
  });
}
void stencil(std::size_t n, const Quad* const* in, Quad* out) {
  const Quad* u = in[0];
  for_each(n * n, [&](std::size_t at) {
    const std::size_t i = at / n, j = at % n;
    const bool inside = i > 0 && i + 1 < n && j > 0 && j + 1 < n;
    out[at] = inside ? u[at] / 2 + (u[at - 1] + u[at + 1] + u[at - n] + u[at + n]) / 8 : u[at];
  });
}
void distances(std::size_t n, const Quad* const* in, Quad* out) {
  for_each(n * n, [&](std::size_t at) {
    Quad sum = 0;
    for (int c = 0; c < 3; ++c) {
      const Quad d = in[c][at / n] - in[3 + c][at % n];
      sum += d * d;
    }
    out[at] = sqrtl(sum);
  });
}
void mandelbrot(std::size_t n, const Quad* const* in, Quad* out) {
  for_each(n, [&](std::size_t i) {
    Quad re = 0, im = 0;
    int count = 0;
    for (; count < mandelbrot_iterations && re * re + im * im <= 4; ++count) {
      const Quad next = re * re - im * im + in[0][i];
      im = 2 * re * im + in[1][i];
      re = next;
    }
    out[i] = count;
  });
}
void matmul(std::size_t n, const Quad* const* in, Quad* out) {
  for_each(n * n, [&](std::size_t at) {
    Quad sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += in[0][at / n * n + k] * in[1][k * n + at % n];
    out[at] = sum;
  });
}
void scan(std::size_t n, const Quad* const* in, Quad* out) {
  Quad c[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for_each(n, [&](std::size_t t) {
    Quad* next = out + 9 * t;
    for (std::size_t e = 0; e < 9; ++e) {
      next[e] = e % 4 == 0 ? 1 : 0;
      for (std::size_t k = 0; k < 3; ++k) next[e] += in[0][9 * t + e / 3 * 3 + k] * c[3 * k + e % 3];
    }
    std::copy(next, next + 9, c);
  });
}
void logistic_map(std::size_t n, const Quad* const* in, Quad* out) {
  out[0] = in[0][0];
  for_each(n, [&](std::size_t) { out[0] = in[1][0] * out[0] * (1 - out[0]); });
}
void sum(std::size_t n, const Quad* const* in, Quad* out) {
  out[0] = 0;
  for_each(n, [&](std::size_t i) { out[0] += in[0][i]; });
}
void last_element(std::size_t n, const Quad* const* in, Quad* out) { out[0] = in[0][n - 1]; }
void registers(std::size_t n, const Quad* const* in, Quad* out) {
  Quad y = 0;
  for_each(n, [&](std::size_t) { y = y / 2 + in[0][0]; });
  out[0] = y;
}

double fused_adds(std::size_t n) { return 8 * static_cast<double>(n); }

std::string symbol(const char* name) { return std::string("Symbol('") + name + "')"; }
std::string power(const std::string& base, int n) { return "Pow(" + base + ", Integer(" + std::to_string(n) + "))"; }

std::string a1_text() {
  const std::string x = symbol("x"), y = symbol("y");
  return "Add(Mul(exp(sin(" + x + ")), cos(" + y + ")), Pow(Add(" + power(x, 2) + ", " + power(y, 2) +
         "), Rational(1, 2)))";
}
// The distribution function of the normal distribution, as the kernel has it.
std::string normal_text(const std::string& x) {
  return "Add(Rational(1, 2), Mul(Rational(1, 2), erf(Mul(" + x + ", Pow(Integer(2), Rational(-1, 2))))))";
}
// The strike, discounted at a rate.
std::string discounted_text(const std::string& r) {
  return "Mul(" + symbol("k") + ", exp(Mul(Integer(-1), " + r + ", " + symbol("t") + ")))";
}
// The call of Black and Scholes by the texts of rate and volatility.
std::string call_text(const std::string& r, const std::string& v) {
  const std::string s = symbol("s"), k = symbol("k"), t = symbol("t");
  const std::string deviation = "Mul(" + v + ", Pow(" + t + ", Rational(1, 2)))";
  const std::string ratio = "Mul(" + s + ", Pow(" + k + ", Integer(-1)))";
  const std::string drift = "Mul(Add(" + r + ", Mul(Rational(1, 2), " + power(v, 2) + ")), " + t + ")";
  const std::string d1 = "Mul(Add(log(" + ratio + "), " + drift + "), Pow(" + deviation + ", Integer(-1)))";
  const std::string d2 = "Add(" + d1 + ", Mul(Integer(-1), " + deviation + "))";
  return "Add(Mul(" + s + ", " + normal_text(d1) + "), Mul(Integer(-1), " + discounted_text(r) + ", " +
         normal_text(d2) + "))";
}
std::string call_and_put_text() {
  const std::string r = symbol("r"), call = call_text(r, symbol("v"));
  return "Tuple(" + call + ", Add(" + call + ", Mul(Integer(-1), " + symbol("s") + "), " + discounted_text(r) + "))";
}
// log1p is a class of sympy.codegen.
std::string a3_text() {
  const std::string x = symbol("x");
  return "Add(Max(" + x + ", Integer(0)), log1p(exp(Mul(Integer(-1), Abs(" + x + ")))))";
}
// Horner's scheme, as the kernel has it.
std::string a4_text() {
  const std::string x = symbol("x");
  std::string y = "Rational(1, 8)";
  for (int k = 7; k >= 1; --k)
    y = "Add(Rational(" + std::to_string(k % 2 == 0 ? 1 : -1) + ", " + std::to_string(k) + "), Mul(" + x + ", " + y +
        "))";
  return "Add(Integer(2), Mul(" + x + ", " + y + "))";
}
std::string a5_text() {
  const std::string x = symbol("x"), y = symbol("y");
  return "Add(Pow(" + x + ", " + y + "), Mul(log(" + x + "), atan2(" + y + ", " + x + ")))";
}
std::string sin_chain_text() {
  std::string text = symbol("x");
  for (int k = 0; k < chained_sines; ++k) text = "sin(" + text + ")";
  return text;
}

std::vector<Problem> make_problems() {
  const std::vector<std::size_t> odd{1, 7, 64, 1003}, whole_rows{row_length, 3 * row_length};
  const std::size_t million = 1'000'000, rows_size = 1000 * row_length;
  return {
      {"a1",
       "exp(sin x) cos y + sqrt(x^2 + y^2)",
       "element",
       {{"x", n_of, -3, 3}, {"y", n_of, -3, 3}},
       n_of,
       elements,
       million,
       odd,
       16,
       1,
       0,
       a1,
       a1_text()},
      {"a2",
       "Black-Scholes, a call, one rate and volatility",
       "element",
       {{"s", n_of, 50, 150}, {"k", n_of, 50, 150}, {"t", n_of, 0.1, 2}},
       n_of,
       elements,
       million,
       odd,
       16,
       150,
       0,
       a2,
       call_text("Rational(1, 50)", "Rational(3, 10)")},
      {"a3",
       "softplus: max(x, 0) + log1p(exp(-|x|))",
       "element",
       {{"x", n_of, -20, 20}},
       n_of,
       elements,
       million,
       odd,
       16,
       0,
       0,
       a3,
       a3_text()},
      {"a4",
       "a polynomial of degree 8",
       "element",
       {{"x", n_of, -1, 1}},
       n_of,
       elements,
       million,
       odd,
       8,
       1,
       0,
       a4,
       a4_text()},
      {"a5",
       "x^y + log(x) atan2(y, x)",
       "element",
       {{"x", n_of, 0.1, 3}, {"y", n_of, -2, 2}},
       n_of,
       elements,
       million,
       odd,
       16,
       1,
       0,
       a5,
       a5_text()},
      {"black_scholes",
       "call and put, five columns",
       "element",
       {{"s", n_of, 50, 150}, {"k", n_of, 50, 150}, {"t", n_of, 0.1, 2}, {"r", n_of, 0, 0.05}, {"v", n_of, 0.1, 0.5}},
       twice,
       elements,
       million,
       odd,
       16,
       150,
       0,
       black_scholes,
       call_and_put_text()},
      {"sin_chain",
       "100 chained sines",
       "element",
       {{"x", n_of, -3, 3}},
       n_of,
       elements,
       100'000,
       odd,
       100,
       0.01,
       0,
       sin_chain,
       sin_chain_text()},
      {"softmax",
       "rows of 1,024",
       "element",
       {{"x", n_of, -10, 10}},
       n_of,
       elements,
       rows_size,
       whole_rows,
       64,
       0,
       0,
       softmax,
       ""},
      {"logsumexp",
       "rows of 1,024",
       "element",
       {{"x", n_of, -10, 10}},
       count_of_rows,
       elements,
       rows_size,
       whole_rows,
       16,
       1,
       0,
       logsumexp,
       ""},
      {"layer_norm",
       "rows of 1,024, with gain and shift",
       "element",
       {{"x", n_of, -2, 5}, {"gain", row, 0.5, 1.5}, {"shift", row, -1, 1}},
       n_of,
       elements,
       rows_size,
       whole_rows,
       64,
       1,
       0,
       layer_norm,
       ""},
      {"stencil",
       "5 points, 1,000 x 1,000",
       "element",
       {{"u", square, -1, 1}},
       square,
       squared,
       1000,
       {2, 3, 21, 70},
       8,
       1,
       0,
       stencil,
       ""},
      {"distances",
       "1,000 x 1,000 pairs of points, 3 coordinates",
       "pair",
       {{"px", n_of, -1, 1},
        {"py", n_of, -1, 1},
        {"pz", n_of, -1, 1},
        {"qx", n_of, -1, 1},
        {"qy", n_of, -1, 1},
        {"qz", n_of, -1, 1}},
       square,
       squared,
       1000,
       {1, 3, 21, 70},
       16,
       0.01,
       0,
       distances,
       ""},
      {"mandelbrot",
       "a picture of 1024 x 1024, at most 256 iterations, per-element exit",
       "element",
       {{.name = "re", .length = n_of, .low = -2, .high = 0.5, .x_of = 1024},
        {.name = "im", .length = n_of, .low = -1.25, .high = 1.25, .y_of = 1024}},
       n_of,
       elements,
       1024 * 1024,
       {1, 7, 64, 1003, 20'000, 1024 * 600},
       0,
       1,
       0.02,
       mandelbrot,
       ""},
      {"matmul",
       "512 x 512",
       "multiply-add",
       {{"a", square, -1, 1}, {"b", square, -1, 1}},
       square,
       cubed,
       512,
       {1, 5, 37, 130, 300},
       200,
       1,
       0,
       matmul,
       ""},
      {"scan",
       "c <- 1 + m[t] c, 3 x 3",
       "step",
       {{"m", nine, -0.3, 0.3}},
       nine,
       elements,
       million,
       {1, 2, 1003},
       64,
       1,
       0,
       scan,
       ""},
      {"logistic_map",
       "x <- r x (1 - x), a scalar",
       "step",
       {{"x", one, 0.1, 0.9}, {"r", one, 2.5, 2.9}},
       one,
       elements,
       4'000'000,
       {1, 7, 1003},
       64,
       0,
       0,
       logistic_map,
       ""},
      {"sum",
       "a plain sum",
       "element",
       {{"x", n_of, 0, 1}},
       one,
       elements,
       million,
       {1, 7, 1003, 100'000},
       64,
       0,
       0,
       sum,
       ""},
      {"load_only",
       "loads and nothing else",
       "element",
       {{"x", n_of, 0, 1}},
       one,
       elements,
       million,
       {1, 7, 1003},
       0,
       0,
       0,
       last_element,
       ""},
      {"registers",
       "fused multiply-adds of vectors in registers",
       "vector",
       {{"x", one, 0.5, 1}},
       one,
       fused_adds,
       100'000,
       {1, 7, 1003},
       16,
       0,
       0,
       registers,
       ""},
  };
}

template <class T> std::string check_as(const Problem& problem, const Kernel& kernel, Entry<T> entry, std::size_t n) {
  const Inputs<T> inputs(problem, n);
  std::vector<std::vector<Quad>> wide;
  std::vector<const Quad*> wide_pointers;
  for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
    const T* const from = inputs.pointers[i];
    wide.emplace_back(from, from + problem.inputs[i].length(n));
  }
  for (const auto& array : wide) wide_pointers.push_back(array.data());
  const std::size_t size = problem.outputs(n), border = 64 / sizeof(T);
  std::vector<Quad> exact(size);
  problem.reference(n, wide_pointers.data(), exact.data());
  // A border of a value that no kernel computes.
  const T mark = T(-12345);
  const Array<T> memory = make_array<T>(size + 2 * border);
  for (std::size_t i = 0; i < size + 2 * border; ++i) memory[i] = mark;
  T* const out = memory.get() + border;
  entry(n, inputs.pointers.data(), out);
  const auto text = [&](const char* format, auto... values) {
    char line[256];
    std::snprintf(line, sizeof line, format, values...);
    return std::string(problem.name) + ", " + kernel.variant + ", " + (sizeof(T) == 8 ? "f64" : "f32") + ", size " +
           std::to_string(n) + ": " + line;
  };
  for (std::size_t i = 0; i < border; ++i) {
    if (memory[i] != mark || memory[border + size + i] != mark) return text("wrote beside its output");
  }
  std::size_t beyond = 0, worst_at = 0;
  Quad worst = -1;
  for (std::size_t i = 0; i < size; ++i) {
    const Quad ulp = std::max(std::abs(exact[i]), Quad(problem.scale)) * std::numeric_limits<T>::epsilon();
    const Quad difference = std::abs(Quad(out[i]) - exact[i]);
    const Quad error = difference == 0 ? 0 : difference / ulp;
    if (!(error <= problem.tolerance)) ++beyond;
    if (!(error <= worst)) {
      worst = error;
      worst_at = i;
    }
  }
  if (static_cast<double>(beyond) <= problem.may_differ * static_cast<double>(size)) return "";
  return text("%zu of %zu outputs are wrong; output %zu is %.17g instead of %.17Lg, %.3Lg units of the last place off",
              beyond, size, worst_at, static_cast<double>(out[worst_at]), exact[worst_at], worst);
}

}  // namespace

std::span<const Problem> problems() {
  static const std::vector<Problem> all = make_problems();
  return all;
}

const Problem* find_problem(const std::string& name) {
  for (const Problem& problem : problems()) {
    if (problem.name == name) return &problem;
  }
  return nullptr;
}

std::string check(const Problem& problem, const Kernel& kernel, bool f32, std::size_t n) {
  return f32 ? check_as<float>(problem, kernel, kernel.f32, n) : check_as<double>(problem, kernel, kernel.f64, n);
}

}  // namespace yardstick
