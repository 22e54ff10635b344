// frit explain: a stage of a function as text.
#include "cli/commands.hpp"
#include "cli/inputs.hpp"

namespace frit::cli {

int run_explain(const ExplainOptions& options) {
  const Engine engine(options.engine);
  Notes notes;
  const Inputs inputs = read_inputs(options.inputs, notes);
  const Function function = bind(engine, inputs, options.function, /*strict=*/false, notes);
  std::string text = function.print(options.stage);
  if (!text.ends_with('\n')) text += '\n';
  print(text);
  notes.add(function.notes());
  notes.print();
  return 0;
}

}  // namespace frit::cli
