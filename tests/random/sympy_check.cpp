// How SymPy programs are checked; sympy_program.cpp makes them.
#include <algorithm>
#include <functional>

#include "frit/frit.hpp"
#include "frontends/sympy/normalise.hpp"
#include "frontends/sympy/reader.hpp"
#include "ops/table.hpp"
#include "oracle/exact_value.hpp"
#include "plan/plan.hpp"
#include "random/check.hpp"
#include "random/data.hpp"
#include "random/sympy_program.hpp"
#include "support/programs.hpp"

namespace frit::test {
namespace {

bool is_column(std::string_view name) { return name.find_first_of("xyzw") == 0; }
bool is_complex_symbol(std::string_view name) { return name.find_first_of("zwcd") == 0; }

// How a column is stored; the values are exact in each.
enum class Storage { plain, strided, narrow, integer };

// The values of a symbol in the function's dtype, and as the caller has them.
template <class T> struct SymbolData {
  std::vector<T> values;  // parts
  Storage storage = Storage::plain;
  Bytes memory = {};
  ColumnView view = {};
};

template <class T> class Runner {
 public:
  Runner(const SympyProgram& program, bool compiled, SympyCounts* counts)
      : p_(program), compiled_(compiled && runtime::compiler_is_missing().empty()), counts_(counts),
        text_(srepr_of(program)) {}

  std::optional<SympyDifference> run() {
    try {
      return checked();
    } catch (const std::exception& error) {
      return differs("raised", error.what());
    }
  }

 private:
  static std::optional<SympyDifference> differs(std::string stage, std::string what) {
    return SympyDifference{{std::move(stage), std::move(what)}};
  }

  std::optional<SympyDifference> checked() {
    Expr expr;
    try {
      expr = read_srepr(text_);
    } catch (const Error& error) {
      // A condition where a number is needed, which the reader sees.
      if (error.code() != ErrorCode::sympy_argument) throw;
      if (counts_ != nullptr) ++counts_->refused;
      return std::nullopt;
    }
    std::vector<sympy::SymbolBinding> bindings;
    for (std::size_t i = 0; i < expr.symbol_count(); ++i) {
      const std::string name(expr.symbol_name_at(i));
      bindings.push_back({is_column(name) ? Role::column : Role::parameter, is_complex_symbol(name)});
      if (data_.find(name) == data_.end()) data_[name] = make_data(name);
    }
    std::optional<Graph> graph;
    std::optional<ErrorCode> refused;
    try {
      graph = sympy::normalise(expr, bindings, p_.dtype);
      verify(*graph);
    } catch (const Error& error) {
      refused = error.code();
    }
    if (auto difference = check_binding(refused)) return difference;
    if (refused) {
      if (counts_ != nullptr) ++counts_->refused;
      return std::nullopt;
    }
    if (auto difference = check_meaning(expr, *graph)) return difference;
    RandomProgram program = as_program(std::move(*graph));
    if (auto difference = check_functions(program)) return difference;
    if (auto found = check(program, {.compiled = compiled_}))
      return SympyDifference{std::move(*found), std::move(program)};
    return std::nullopt;
  }

  SymbolData<T> make_data(const std::string& name) const {
    // The sum of the letters is enough to tell the names apart.
    Data<T> data(p_.seed * 256 + static_cast<unsigned char>(name[0]), p_.seed % 3 != 0);
    SymbolData<T> d;
    const bool complex = is_complex_symbol(name);
    const auto n = static_cast<std::size_t>(is_column(name) ? p_.events : 1);
    d.values = data.take(n, complex);
    if (!is_column(name)) return d;
    std::mt19937_64 random(p_.seed ^ static_cast<std::uint64_t>(name[0]));
    d.storage = static_cast<Storage>(random() % 4);
    if (complex && d.storage == Storage::integer) d.storage = Storage::strided;
    const std::size_t parts = complex ? 2 : 1;
    d.view = {.name = name, .dtype = complex ? complex_of(p_.dtype) : p_.dtype, .size = p_.events};
    switch (d.storage) {
      case Storage::plain: d.memory = bytes_of<T>(d.values); break;
      case Storage::strided: {
        const std::size_t step = 3 * parts;
        std::vector<T> spread(n * step, T(7));
        for (std::size_t i = 0; i < n * parts; ++i) spread[i / parts * step + i % parts] = d.values[i];
        d.memory = bytes_of<T>(spread);
        d.view.stride = static_cast<std::int64_t>(step * sizeof(T));
        break;
      }
      case Storage::narrow: {
        std::vector<float> narrow(d.values.begin(), d.values.end());
        d.values.assign(narrow.begin(), narrow.end());
        d.memory = bytes_of<float>(narrow);
        d.view.dtype = complex ? DType::c64 : DType::f32;
        break;
      }
      case Storage::integer: {
        std::vector<std::int16_t> integers;
        for (T& x : d.values) {
          integers.push_back(static_cast<std::int16_t>(random() % 19) - 9);
          x = static_cast<T>(integers.back());
        }
        d.memory = bytes_of<std::int16_t>(integers);
        d.view.dtype = DType::i16;
        break;
      }
    }
    return d;
  }

  std::vector<Mode> modes() const {
    std::vector<Mode> all{Mode::eager, Mode::graph};
    if (compiled_) all.insert(all.end(), {Mode::compiled, Mode::automatic});
    return all;
  }

  Signature signature() const {
    Signature s;
    for (const auto& [name, d] : data_)
      (is_column(name) ? s.columns : s.parameters).push_back({name, is_complex_symbol(name)});
    return s;
  }

  FunctionOptions options(Mode mode) const {
    const std::uint64_t k = p_.seed / 7;
    return {.mode = mode,
            .dtype = p_.dtype,
            .compiler = {.effort = static_cast<int>(k % 3), .width = static_cast<int>(k % 2) * 4}};
  }
  Engine engine() const {
    const std::uint64_t k = p_.seed / 11;
    const auto tables = exec::usable_tables();
    return Engine({.threads = 1 + static_cast<int>(k % 3),
                   .tile = static_cast<std::int64_t>(k % 3) * 64,
                   .isa = tables[k % tables.size()]->isa});
  }

  std::optional<SympyDifference> check_binding(std::optional<ErrorCode> refused) const {
    const Model model = Model::parse(text_);
    for (const Mode mode : modes()) {
      std::optional<ErrorCode> code;
      try {
        (void)engine().bind(model, signature(), options(mode));
      } catch (const Error& error) {
        code = error.code();
      }
      if (code == refused) continue;
      const auto name = [](std::optional<ErrorCode> c) { return c ? std::string(name_of(*c)) : "nothing"; };
      return differs("bind " + std::string(name_of(mode)), "raises " + name(code) + ", the front end " + name(refused));
    }
    return std::nullopt;
  }

  oracle::Value exact(const SymbolData<T>& d, std::string_view name, std::size_t event) const {
    const std::size_t parts = is_complex_symbol(name) ? 2 : 1;
    const std::size_t at = is_column(name) ? event * parts : 0;
    return {.re = static_cast<double>(d.values[at]),
            .im = parts == 2 ? static_cast<double>(d.values[at + 1]) : 0.0,
            .complex = parts == 2};
  }

  // Rewrites change rounding, never the value.
  std::optional<SympyDifference> check_meaning(const Expr& expr, const Graph& graph) const {
    const auto events = static_cast<std::size_t>(std::min<std::int64_t>(p_.events, 3));
    for (std::size_t event = 0; event < events; ++event) {
      oracle::Arguments arguments;
      for (const auto& [name, d] : data_) arguments[name] = exact(d, name, event);
      try {
        const auto want = oracle::evaluate(expr, arguments, p_.dtype);
        const auto got = oracle::evaluate(graph, arguments);
        for (std::size_t i = 0; i < want.size(); ++i) {
          if (oracle::agree(got[i], want[i])) continue;
          const auto shown = [](const oracle::Value& z) {
            char text[96];
            std::snprintf(text, sizeof text, "(%.17g, %.17g)", z.re.shown(), z.im.shown());
            return std::string(text);
          };
          return differs("rewrites", "output " + std::to_string(i) + ", event " + std::to_string(event) +
                                         ": the graph means " + shown(got[i]) + ", the expression " + shown(want[i]) +
                                         "\n" + print_graph(graph));
        }
        if (counts_ != nullptr) ++counts_->rewrites;
      } catch (const oracle::Undecided&) {
      }
    }
    return std::nullopt;
  }

  RandomProgram as_program(Graph graph) const {
    RandomProgram program;
    program.graph = std::move(graph);
    program.events = p_.events;
    program.settings = random_program(p_.seed).settings;
    program.settings.cuts.clear();
    for (const GraphArgument& argument : program.graph.arguments()) {
      const SymbolData<T>& d = data_.at(argument.name);
      if (argument.role == Role::column) {
        program.columns.push_back(bytes_of<T>(d.values));
      } else {
        program.parameters.emplace_back(d.values[0], d.values.size() > 1 ? d.values[1] : T(0));
      }
    }
    return program;
  }

  // Through the public API, with threads and columns of other dtypes and strides.
  std::optional<SympyDifference> check_functions(const RandomProgram& program) {
    const exec::Program reference(plan::make_plan(program.graph, {.fuse = false}), reference_table());
    const std::vector<Bytes> want =
        test::run(reference, program.columns, program.parameters, program.events, {.whole_range = true});
    Columns columns;
    Parameters parameters;
    // A column that no function uses says how many events there are.
    const std::vector<double> unused(static_cast<std::size_t>(p_.events));
    for (auto& [name, d] : data_) {
      if (is_column(name)) {
        d.view.data = d.memory.data();
        columns.add(d.view);
      } else if (is_complex_symbol(name)) {
        parameters.set(name, std::complex<double>(d.values[0], d.values[1]));
      } else {
        parameters.set(name, static_cast<double>(d.values[0]));
      }
    }
    columns.add("unused", unused);
    const Model model = Model::parse(text_);
    for (const Mode mode : modes()) {
      const Function f = engine().bind(model, signature(), options(mode));
      if (mode == Mode::automatic) f.wait_for_code(0.01);
      const Result result = f(columns, parameters);
      for (std::size_t i = 0; i < want.size(); ++i) {
        const std::size_t bytes = size_of(result.dtype(i)) * static_cast<std::size_t>(result.size());
        const std::span<const std::byte> got(static_cast<const std::byte*>(result.data(i)), bytes);
        if (got.size() == want[i].size() && std::equal(got.begin(), got.end(), want[i].begin())) continue;
        return differs("function " + std::string(name_of(mode)),
                       "output " + std::to_string(i) + ": " + first_difference(got, want[i], result.dtype(i)));
      }
    }
    return std::nullopt;
  }

  const SympyProgram& p_;
  bool compiled_;
  SympyCounts* counts_;
  std::string text_;
  std::map<std::string, SymbolData<T>> data_;
};

}  // namespace

std::optional<SympyDifference> check_sympy(const SympyProgram& program, bool compiled, SympyCounts* counts) {
  return program.dtype == DType::f64 ? Runner<double>(program, compiled, counts).run()
                                     : Runner<float>(program, compiled, counts).run();
}

}  // namespace frit::test
