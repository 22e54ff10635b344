// Random programs as SymPy writes them: the text of an expression, through the front end and the engine in every mode.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "random/check.hpp"

namespace frit::test {

// A class of SymPy with its operands; a leaf is its text alone.
struct SympyTerm {
  std::string text;
  std::vector<SympyTerm> operands = {};
  bool leaf = true;
  bool condition = false;
};

// The data of a symbol depend on its name and the seed alone; x, y are real columns, z, w complex ones, p, q real parameters,
// c, d complex ones.
struct SympyProgram {
  std::uint64_t seed = 0;
  DType dtype = DType::f64;
  std::int64_t events = 0;
  bool shared = false;  // written as sympy.cse does, each term but the outputs under a name
  std::vector<SympyTerm> outputs = {};
};

SympyProgram random_sympy_program(std::uint64_t seed);
std::string srepr_of(const SympyProgram& program);

struct SympyDifference {
  Difference difference;
  std::optional<RandomProgram> graph = {};  // where the difference is of the graph that the expression becomes
};

// What was decided about a program, so that a test can see that it does not compare nothing.
struct SympyCounts {
  int refused = 0;   // no graph, for the same reason in every mode
  int rewrites = 0;  // events whose values were compared with the expression's meaning
};

// All modes give the same bits or the same error; the graph computes what the expression means. `compiled`: modes compiled
// and automatic too.
std::optional<SympyDifference> check_sympy(const SympyProgram& program, bool compiled, SympyCounts* counts = nullptr);

// The smallest program that still shows a difference at the same stage.
SympyProgram shrink_sympy(const SympyProgram& program, const Difference& difference);

//   sympy seed=7 dtype=f64 events=3 text=Add(Symbol('x'), Integer(1))
std::string replay_line(const SympyProgram& program);
bool is_sympy_line(std::string_view line);
// The program of a line; its outputs are one leaf, the text.
SympyProgram parse_sympy_line(std::string_view line);

}  // namespace frit::test
