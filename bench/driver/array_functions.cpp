#include "array_functions.hpp"

#include <cmath>
#include <tuple>

#include "kernel.hpp"

namespace bench {
namespace {

using frit::Array;
using Arrays = std::vector<Array>;

Array a1(Array x, Array y) { return exp(sin(x)) * cos(y) + sqrt(x * x + y * y); }

Array normal(const Array& x) { return 0.5 + 0.5 * erf(x * std::sqrt(0.5)); }
// Rate and volatility are arrays or numbers.
template <class N> Array call_price(const Array& s, const Array& k, const Array& t, const N& r, const N& v) {
  const Array deviation = v * sqrt(t);
  const Array d1 = (log(s / k) + (r + 0.5 * v * v) * t) / deviation;
  return s * normal(d1) - k * exp(-r * t) * normal(d1 - deviation);
}
Array a2(Array s, Array k, Array t) { return call_price(s, k, t, 0.02, 0.3); }
std::tuple<Array, Array> black_scholes(Array s, Array k, Array t, Array r, Array v) {
  const Array call = call_price(s, k, t, r, v);
  return {call, call - s + k * exp(-r * t)};
}

Array a3(Array x) { return maximum(x, 0.0) + log1p(exp(-abs(x))); }
Array a4(Array x) {
  Array y = x * 0.125 - 1.0 / 7;
  for (int k = 6; k >= 1; --k) y = y * x + (k % 2 == 0 ? 1.0 : -1.0) / k;
  return y * x + 2.0;
}
Array a5(Array x, Array y) { return pow(x, y) + log(x) * atan2(y, x); }
Array sin_chain(Array x) {
  for (int k = 0; k < yardstick::chained_sines; ++k) x = sin(x);
  return x;
}

Array softmax(Array x) {
  const Array e = exp(x - max(x, -1, true));
  return e / sum(e, -1, true);
}
Array log_sum_exp(Array x) { return logsumexp(x, -1); }
Array layer_norm(Array x, Array gain, Array shift) {
  return (x - mean(x, -1, true)) / sqrt(var(x, -1, 0, true) + 1e-5) * gain + shift;
}

Array stencil(Array u) {
  const frit::Slice inside{.start = 1, .stop = -1}, before{.stop = -2}, behind{.start = 2};
  const Array rows = u.slice(0, inside), columns = u.slice(1, inside);
  const Array around =
      rows.slice(1, before) + rows.slice(1, behind) + columns.slice(0, before) + columns.slice(0, behind);
  const Array next = 0.5 * rows.slice(1, inside) + 0.125 * around;
  return update(u, 0, inside, update(rows, 1, inside, next));
}
Array distances(Array px, Array py, Array pz, Array qx, Array qy, Array qz) {
  const auto squared = [](const Array& p, const Array& q) { return pow(p.expand_dims(1) - q, 2); };
  return sqrt(squared(px, qx) + squared(py, qy) + squared(pz, qz));
}

Array mandelbrot(Array re, Array im) {
  const double most = yardstick::mandelbrot_iterations;
  return frit::map(
      [&](std::span<const Array> c) {
        const Array zero = c[0] * 0.0;
        return Arrays{frit::while_loop(
            [&](std::span<const Array> s) { return (s[0] * s[0] + s[1] * s[1] <= 4.0) & (s[2] < most); },
            [&](std::span<const Array> s) {
              return Arrays{s[0] * s[0] - s[1] * s[1] + c[0], 2.0 * s[0] * s[1] + c[1], s[2] + 1.0};
            },
            {zero, zero, zero})[2]};
      },
      {re, im})[0];
}

Array product(Array a, Array b) { return matmul(a, b); }
Array scan_3x3(Array start, Array m) {
  return frit::scan(
      [&](std::span<const Array> c) {
        const Array next = start + matmul(c[1], c[0]);
        return Arrays{next, next};
      },
      {start}, {m})[1];
}
Array logistic_map(Array x, Array r, Array steps) {
  return frit::fori_loop(
      0, steps, [&](Array, Array y) { return r * y * (1.0 - y); }, x);
}
Array plain_sum(Array x) { return sum(x); }

Arrays as_they_are(const frit::Engine&, std::size_t, Arrays inputs) { return inputs; }
Arrays as_rows(const frit::Engine&, std::size_t, Arrays inputs) {
  inputs[0] = inputs[0].reshape({-1, yardstick::row_length});
  return inputs;
}
Arrays as_squares(const frit::Engine&, std::size_t n, Arrays inputs) {
  for (Array& input : inputs) input = input.reshape({n, n});
  return inputs;
}
Arrays as_scalars_and_size(const frit::Engine& engine, std::size_t n, Arrays inputs) {
  for (Array& input : inputs) input = input.index(0, 0);
  inputs.push_back(frit::scalar(engine, static_cast<std::int64_t>(n)));
  return inputs;
}
Arrays unit_and_matrices(const frit::Engine& engine, std::size_t n, Arrays inputs) {
  return {frit::eye(engine, 3, 3, inputs[0].dtype()), inputs[0].reshape({n, 3, 3})};
}

template <auto f> frit::TracedFunction traced_of(const frit::Engine& engine, frit::DType, frit::TracedOptions options) {
  return frit::traced(engine, f, std::move(options));
}
// What is known of its shapes makes the scan machine code.
frit::TracedFunction traced_scan(const frit::Engine& engine, frit::DType dtype, frit::TracedOptions options) {
  options.signature = {frit::spec(dtype, {3, 3}), frit::spec(dtype, {"n", 3, 3})};
  return frit::traced(engine, scan_3x3, std::move(options));
}

constexpr std::size_t megabyte = std::size_t{1} << 20;
constexpr const char* loads = "load-only";

constexpr ArrayFunction functions[] = {
    {"a1", "a1", as_they_are, traced_of<a1>, 1.1, "SLEEF"},
    {"a2", "a2", as_they_are, traced_of<a2>, 1.1, "SLEEF"},
    {"a3", "a3", as_they_are, traced_of<a3>, 1.1, "SLEEF"},
    {"a4", "a4", as_they_are, traced_of<a4>, 1.2, "", true},
    {"a5", "a5", as_they_are, traced_of<a5>, 1.1, "SLEEF"},
    {"black_scholes", "black_scholes", as_they_are, traced_of<black_scholes>, 1.1, "SLEEF"},
    {"sin_chain", "sin_chain", as_they_are, traced_of<sin_chain>, 1.1, "SLEEF"},
    {"softmax", "softmax", as_rows, traced_of<softmax>, 1.1, "SLEEF", true},
    {"logsumexp", "logsumexp", as_rows, traced_of<log_sum_exp>, 1.1, "SLEEF", true},
    {"layer_norm", "layer_norm", as_rows, traced_of<layer_norm>, 1.2, "", true},
    {"stencil", "stencil", as_squares, traced_of<stencil>, 1.2, "", true},
    {"distances", "distances", as_they_are, traced_of<distances>, 1.2, "", true},
    {"mandelbrot", "mandelbrot", as_they_are, traced_of<mandelbrot>, 1.5},
    {"matmul", "matmul", as_squares, traced_of<product>, 1.5},
    {"scan", "scan", unit_and_matrices, traced_scan, 2, "", true},
    {"logistic_map", "logistic_map", as_scalars_and_size, traced_of<logistic_map>, 1.3, "", true},
    {"sum", "sum", as_they_are, traced_of<plain_sum>, 1 / 0.6, loads, true, megabyte},
    {"sum_64mb", "sum", as_they_are, traced_of<plain_sum>, 1 / 0.9, loads, true, 64 * megabyte},
};

}  // namespace

std::span<const ArrayFunction> array_functions() { return functions; }

const ArrayFunction* find_array_function(const std::string& name) {
  for (const ArrayFunction& function : functions) {
    if (name == function.name) return &function;
  }
  return nullptr;
}

}  // namespace bench
