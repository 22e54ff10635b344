// Evaluates a damped wave eagerly and as a graph, and shows that every bit of the results is the same.
#include <complex>
#include <cstdio>
#include <cstring>
#include <frit/frit.hpp>
#include <span>
#include <vector>

int main() try {
  // sympy.srepr(exp(I*omega*t - gamma*t) / sqrt(1 + t**2))
  const frit::Model model = frit::Model::parse(
      "Mul(Pow(Add(Integer(1), Pow(Symbol('t'), Integer(2))), Rational(-1, 2)), "
      "exp(Add(Mul(Integer(-1), Symbol('gamma'), Symbol('t')), Mul(I, Symbol('omega'), Symbol('t')))))");

  std::vector<double> t;
  for (int i = 0; i < 10000; ++i) t.push_back(0.001 * i);
  frit::Columns columns;
  columns.add("t", t);
  frit::Parameters parameters;
  parameters.set("gamma", 0.25).set("omega", 12.0);

  const frit::Engine engine;
  std::vector<frit::Result> results;
  for (const frit::Mode mode : {frit::Mode::eager, frit::Mode::graph}) {
    const frit::Function wave = engine.bind(model, frit::Signature::of(columns, parameters), {.mode = mode});
    results.push_back(wave(columns, parameters));
    // The model is complex by structure, and so is its result.
    const std::span<const std::complex<double>> values = results.back().values<std::complex<double>>(0);
    std::printf("%-5s  wave(%.3f) = %+.17g %+.17gi\n", std::string(frit::name_of(wave.mode_used())).c_str(), t[1234],
                values[1234].real(), values[1234].imag());
  }
  const std::size_t bytes = t.size() * sizeof(std::complex<double>);
  const bool same = std::memcmp(results[0].data(0), results[1].data(0), bytes) == 0;
  std::printf("%zu events: %s\n", t.size(), same ? "the same bits" : "different bits");
  return same ? 0 : 1;
} catch (const frit::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return frit::exit_status(frit::class_of(error.code()));
}
