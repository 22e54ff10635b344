// Reads a model, binds its symbols to columns and parameters, evaluates four events and compares them with known
// values.
// Run it in this folder, or give the path of models/simple-fit/model.srepr.
#include <cmath>
#include <cstdio>
#include <frit/frit.hpp>
#include <span>
#include <vector>

int main(int argc, char** argv) try {
  const frit::Model model = frit::Model::read(argc > 1 ? argv[1] : "models/simple-fit/model.srepr");
  std::printf("%zu distinct nodes; symbols:", model.node_count());
  for (const std::string& name : model.symbols()) std::printf(" %s", name.c_str());
  std::printf("\n");

  // Columns are borrowed for the call, so the vectors outlive it.
  const std::vector<double> x{3.1848084366072715, 4.106133030389612, 3.4068723091701756, 4.646922527291552};
  const std::vector<double> y{0.25385553967176433, -2.869184911478863, -0.49750075165513863, 0.25109043804688236};
  frit::Columns columns;
  columns.add("x", x).add("y", y);
  frit::Parameters parameters;
  parameters.set("a", 0.15).set("b", 0.05).set("c", 0.3).set("omega", 0.5);
  parameters.set("mu_0", 1.0).set("mu_1", 2.7).set("sigma_0", 0.3).set("sigma_1", 0.5);

  const frit::Engine engine{{.threads = 1}};
  const frit::Function function = engine.bind(model, frit::Signature::of(columns, parameters),
                                              {.mode = frit::Mode::graph, .dtype = frit::DType::f64});
  const frit::Result result = function(columns, parameters);

  // Evaluated with 50 digits and rounded to double.
  const double exact[] = {0.09270495810504974, 0.000785701406279383, 0.0714984588988289, 0.03060429935178949};
  const std::span<const double> values = result.values<double>(0);
  bool near = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double error = std::abs(values[i] / exact[i] - 1);
    near = near && error < 1e-13;
    std::printf("x = %.4f, y = %.4f: %.17g, relative error %.1e\n", x[i], y[i], values[i], error);
  }
  return near ? 0 : 1;
} catch (const frit::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return frit::exit_status(frit::class_of(error.code()));
}
