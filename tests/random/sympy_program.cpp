#include "random/sympy_program.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "ops/table.hpp"

namespace frit::test {
namespace {

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }

  SympyTerm number(int depth) {
    // Now and then a condition where a number is needed: an error, the same in every mode.
    if (below(400) == 0) return condition(depth);
    if (depth <= 0 || below(5) == 0) return leaf();
    switch (below(10)) {
      case 0:
      case 1: return nary("Add", depth);
      case 2:
      case 3:
      case 4: return nary("Mul", depth);
      case 5: return {"Pow", {number(depth - 1), exponent(depth - 1)}, false};
      case 6: return piecewise(depth);
      case 7: return conjugate_product(depth);
      default: return call(depth, false);
    }
  }

  SympyTerm condition(int depth) {
    if (depth <= 0 || below(12) == 0) return {.text = below(2) == 0 ? "true" : "false", .condition = true};
    return call(depth, true);
  }

 private:
  std::string pick(std::initializer_list<const char*> texts) { return texts.begin()[below(texts.size())]; }

  SympyTerm leaf() {
    switch (below(8)) {
      case 0: return {.text = "Integer(" + std::to_string(static_cast<int>(below(41)) - 20) + ")"};
      case 1:
        return {.text = "Rational(" + std::to_string(static_cast<int>(below(41)) - 20) + ", " +
                        std::to_string(2 + below(9)) + ")"};
      case 2:
        return {.text = pick({"pi", "E", "I", "I", "Integer(-1)", "Float('0.1')", "Float('2.5')", "Float('-1e-310')",
                              "Float('1e30')", "oo", "-oo", "nan", "Rational(1, 2)", "Half"})};
      default: break;
    }
    return {.text = "Symbol('" + pick({"x", "x", "y", "y", "z", "w", "p", "q", "c", "d"}) + "')"};
  }

  SympyTerm exponent(int depth) {
    switch (below(6)) {
      case 0: return {.text = "Integer(-1)"};
      case 1:
      case 2: return {.text = "Integer(" + std::to_string(static_cast<int>(below(37)) - 18) + ")"};
      case 3: return {.text = "Rational(" + std::to_string(2 * static_cast<int>(below(20)) - 19) + ", 2)"};
      case 4: return {.text = "Rational(1, 3)"};
      default: return number(depth);
    }
  }

  SympyTerm nary(const char* name, int depth) {
    SympyTerm term{name, {}, false};
    for (std::size_t n = 2 + below(4); n > 0; --n) term.operands.push_back(number(depth - 1));
    if (below(4) == 0) term.operands.push_back({.text = pick({"Integer(-1)", "I", "Integer(2)"})});
    std::shuffle(term.operands.begin(), term.operands.end(), random_);
    return term;
  }

  SympyTerm conjugate_product(int depth) {
    const SympyTerm z = number(depth - 2);
    return {"Mul", {z, {"conjugate", {z}, false}}, false};
  }

  SympyTerm piecewise(int depth) {
    SympyTerm term{"Piecewise", {}, false};
    for (std::size_t n = 1 + below(3); n > 0; --n)
      term.operands.push_back({"ExprCondPair", {number(depth - 1), condition(depth - 1)}, false});
    if (below(3) != 0)
      term.operands.push_back({"ExprCondPair", {number(depth - 1), {.text = "true", .condition = true}}, false});
    return term;
  }

  // An op of the table that SymPy has a class for.
  SympyTerm call(int depth, bool wants_condition) {
    std::vector<OpId> fitting;
    for (int i = 0; i < op_count(); ++i) {
      const OpInfo& info = info_of(static_cast<OpId>(i));
      const bool gives_condition = info.type == TypeRule::compare || info.type == TypeRule::logical;
      if (info.sympy != nullptr && gives_condition == wants_condition) fitting.push_back(static_cast<OpId>(i));
    }
    const OpInfo& info = info_of(fitting[below(fitting.size())]);
    SympyTerm term{info.sympy, {}, false, wants_condition};
    const std::size_t count = static_cast<std::size_t>(info.arity) + (info.variadic ? below(2) : 0);
    // Most functions have no complex form: real operands for them, mostly.
    const bool real = info.budget.complex == 0 && below(8) != 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (info.type == TypeRule::logical) {
        term.operands.push_back(condition(depth - 1));
      } else {
        const SympyTerm operand = number(depth - 1);
        term.operands.push_back(real ? SympyTerm{"re", {operand}, false} : operand);
      }
    }
    return term;
  }

  std::mt19937_64 random_;
};

void write(const SympyTerm& term, std::string& text) {
  text += term.text;
  if (term.leaf) return;
  text += '(';
  for (std::size_t i = 0; i < term.operands.size(); ++i) {
    text += i == 0 ? "" : ", ";
    write(term.operands[i], text);
  }
  text += ')';
}

// The places of a tree in order, for shrinking.
void collect(SympyTerm& term, std::vector<SympyTerm*>& places) {
  places.push_back(&term);
  for (SympyTerm& operand : term.operands) collect(operand, places);
}
std::vector<SympyTerm*> places_of(SympyProgram& program) {
  std::vector<SympyTerm*> places;
  for (SympyTerm& output : program.outputs) collect(output, places);
  return places;
}

// Terms under names, each once, as sympy.cse writes them: every third call that is no condition.
void name_terms(const SympyTerm& term, std::string& replacements, int& count, std::string& text) {
  if (term.leaf) {
    text += term.text;
    return;
  }
  std::string own = term.text + "(";
  for (std::size_t i = 0; i < term.operands.size(); ++i) {
    own += i == 0 ? "" : ", ";
    name_terms(term.operands[i], replacements, count, own);
  }
  own += ")";
  const bool nameable = !term.condition && term.text != "ExprCondPair" && own.size() % 3 == 0;
  if (!nameable) {
    text += own;
    return;
  }
  const std::string name = "Symbol('t" + std::to_string(count++) + "')";
  replacements += (replacements.empty() ? "" : ", ") + ("(" + name + ", " + own + ")");
  text += name;
}

}  // namespace

SympyProgram random_sympy_program(std::uint64_t seed) {
  Writer writer(seed);
  SympyProgram program{.seed = seed};
  program.dtype = writer.below(2) == 0 ? DType::f64 : DType::f32;
  const std::int64_t counts[] = {1, 3, 64, 65, 200, 1, 5, 9};
  program.events = counts[writer.below(8)];
  // Long enough for several threads.
  if (writer.below(40) == 0) program.events = 9000;
  program.shared = writer.below(3) == 0;
  const int depth = 2 + static_cast<int>(writer.below(4));
  for (std::size_t n = writer.below(3) == 0 ? 1 + writer.below(3) : 1; n > 0; --n)
    program.outputs.push_back(writer.below(10) == 0 ? writer.condition(depth) : writer.number(depth));
  return program;
}

std::string srepr_of(const SympyProgram& program) {
  std::string text, replacements;
  int count = 0;
  for (const SympyTerm& output : program.outputs) {
    text += text.empty() ? "" : ", ";
    if (program.shared) {
      name_terms(output, replacements, count, text);
    } else {
      write(output, text);
    }
  }
  if (program.shared) return "([" + replacements + "], [" + text + "])";
  return program.outputs.size() == 1 ? text : "List(" + text + ")";
}

SympyProgram shrink_sympy(const SympyProgram& program, const Difference& difference) {
  SympyProgram best = program;
  const bool compiled =
      difference.stage.find("compiled") != std::string::npos || difference.stage.find("auto") != std::string::npos;
  const auto keep = [&](const SympyProgram& candidate) {
    const auto found = check_sympy(candidate, compiled);
    if (!found || found->difference.stage != difference.stage) return false;
    best = candidate;
    return true;
  };
  for (bool better = true; better;) {
    better = false;
    for (std::size_t i = 0; best.outputs.size() > 1 && i < best.outputs.size(); ++i) {
      SympyProgram one = best;
      one.outputs = {best.outputs[i]};
      if (keep(one)) better = true;
    }
    SympyProgram plain = best;
    plain.shared = false;
    if (best.shared) better = keep(plain) || better;
    for (const std::int64_t events : {std::int64_t{1}, best.events / 2}) {
      SympyProgram fewer = best;
      fewer.events = events;
      if (events > 0 && events < best.events) better = keep(fewer) || better;
    }
    for (std::size_t at = 0; at < places_of(best).size(); ++at) {
      const SympyTerm here = *places_of(best)[at];
      std::vector<SympyTerm> smaller;
      for (const SympyTerm& operand : here.operands) {
        const bool pairs = operand.text == "ExprCondPair" || here.text == "ExprCondPair";
        if (operand.condition == here.condition && !pairs) smaller.push_back(operand);
      }
      if (!here.leaf && !here.condition && here.text != "ExprCondPair") smaller.push_back({.text = "Symbol('x')"});
      if (here.operands.size() > 2 || (here.text == "Piecewise" && here.operands.size() > 1)) {
        for (std::size_t i = 0; i < here.operands.size(); ++i) {
          SympyTerm fewer = here;
          fewer.operands.erase(fewer.operands.begin() + static_cast<std::ptrdiff_t>(i));
          smaller.push_back(fewer);
        }
      }
      for (const SympyTerm& term : smaller) {
        SympyProgram candidate = best;
        *places_of(candidate)[at] = term;
        if (keep(candidate)) {
          better = true;
          break;
        }
      }
    }
  }
  return best;
}

std::string replay_line(const SympyProgram& program) {
  return "sympy seed=" + std::to_string(program.seed) + " dtype=" + std::string(name_of(program.dtype)) +
         " events=" + std::to_string(program.events) + " text=" + srepr_of(program);
}

bool is_sympy_line(std::string_view line) { return line.starts_with("sympy "); }

SympyProgram parse_sympy_line(std::string_view line) {
  const std::size_t text_at = line.find(" text=");
  const auto value = [&](std::string_view key) {
    const std::size_t at = line.find(key);
    if (at == std::string_view::npos || text_at == std::string_view::npos || at > text_at)
      throw std::runtime_error("a line of a SymPy program has seed=, dtype=, events= and text=");
    const std::size_t from = at + key.size();
    return std::string(line.substr(from, line.find(' ', from) - from));
  };
  SympyProgram program;
  program.seed = std::stoull(value(" seed="));
  if (!parse_dtype(value(" dtype="), program.dtype)) throw std::runtime_error("no such dtype");
  program.events = std::stoll(value(" events="));
  program.outputs.push_back({.text = std::string(line.substr(text_at + 6))});
  return program;
}

}  // namespace frit::test
