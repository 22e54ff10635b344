// Program: what a function over arrays does, as its trace recorded it. Nodes in the order of the trace; each has a type whose
// extents are symbolic.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arrays/effect.hpp"
#include "arrays/structural.hpp"
#include "arrays/type.hpp"
#include "frit/traced.hpp"

namespace frit::arrays {

using ValueId = std::uint32_t;

struct ArrayNode {
  enum class Kind : std::uint8_t {
    argument,    // payload: its index
    captured,    // an eager array of the surrounding code; payload: index into `captured`
    number,      // of the source code; payload: index into `numbers`
    extent,      // an extent as a number of dtype i64; payload: index into `extents`
    op,          // element-wise
    convert,     // to type.dtype
    view,        // payload: index into `views`
    structural,  // payload: index into `calls`
    region,      // control flow; payload: index into `regions`; its results are the nodes behind it
    effect,      // payload: index into `effects`; its results are the nodes behind it
    result,      // of the region or effect that is its operand; payload: which
  } kind = Kind::argument;
  Type type;
  OpId op{};
  std::uint32_t first = 0;  // of its operands in Program::operand_list
  std::uint32_t count = 0;
  std::array<DType, 3> operand_dtypes{};  // op: what the operands are converted to
  std::uint32_t payload = 0;
  SourceLine where;

  // Whether an op is computed by its form of integers.
  bool computes_integers() const {
    return is_integer(operand_dtypes[0]) || (count == 3 && is_integer(operand_dtypes[1]));
  }
};

struct StructuralCall {
  StructuralId id{};
  Attributes attributes;
};

struct Program;

struct CalledFunction {
  std::string name;
  CompilerOptions compiler;
  Fallback fallback = Fallback::error;
};

// Control flow. The operands of the node are what `kind` says, then what each program captures.
struct RegionCall {
  enum class Kind : std::uint8_t {
    choose,  // an index, operands; programs: branches, which take the operands
    loop,    // carries; programs: the condition and the body, which take the carries
    count,   // first and last, carries; program: the body, which takes a number and the carries
    scan,    // carries, elements; program: the body, which takes carries and one of each of the elements
    map,     // elements; program: the body, which takes one of each of them
    rows,  // elements; program: what becomes of some of their rows, as many as the last symbol says; made by row_program.hpp
    call,  // of a function whose mode is compiled, in one whose mode is another; program: the function, which captures all
  } kind = Kind::choose;
  std::vector<std::shared_ptr<const Program>> programs;
  std::vector<std::uint32_t> captured;  // the number of arrays that each program captures
  std::uint32_t carries = 0;            // of choose: operands
  std::uint32_t elements = 0;           // scan, map, rows
  std::uint32_t results = 0;
  std::int64_t most_steps = 0;
  std::shared_ptr<const CalledFunction> called;
  bool lanes = false;  // of a batched map: each lane has its own branch, or number of steps

  // Where among the operands of the node, which are so many, those begin that program `which` captures.
  std::size_t first_captured(std::size_t which, std::size_t operands) const {
    for (std::size_t i = which; i < captured.size(); ++i) operands -= captured[i];
    return operands;
  }
};

struct Number {
  Operand::Kind kind = Operand::Kind::floating;
  std::int64_t integer = 0;
  std::complex<double> value = 0;
};

// What must hold for the extents of a call so that this trace is its program.
struct Condition {
  enum class Kind : std::uint8_t { equal, different, at_least, below } kind = Kind::equal;
  Extent a = 0, b = 0;
  bool holds(std::span<const std::int64_t> symbols) const;
};

struct Program {
  std::shared_ptr<Symbols> symbols = std::make_shared<Symbols>();  // shared with the programs of regions
  std::vector<Type> arguments;
  std::vector<ArrayNode> nodes;
  std::vector<Number> numbers;
  std::vector<Extent> extents;
  std::vector<View> views;
  std::vector<StructuralCall> calls;
  std::vector<RegionCall> regions;
  std::vector<Effect> effects;
  bool has_effects = false;  // those of regions too
  std::vector<ValueId> operand_list;
  std::vector<Data> captured;
  std::vector<Condition> conditions;
  std::vector<ValueId> outputs;

  std::span<const ValueId> operands(const ArrayNode& node) const {
    return std::span(operand_list).subspan(node.first, node.count);
  }
  // The node behind all others.
  ValueId add(ArrayNode node, std::span<const ValueId> operands);
  // Of each node whether something that can be seen depends on it: an output, an error or an effect.
  std::vector<bool> needed() const;
  // Whether the node can raise an error that depends on values: it is never left out.
  bool can_raise(const ArrayNode& node) const;
  // Whether the node is an effect or a region with effects.
  bool has_effect(const ArrayNode& node) const;
  // Of a region or an effect the number of the nodes behind it that are its results.
  std::uint32_t result_count(const ArrayNode& node) const;
  std::string text(const Condition& condition) const;  // "n == m"
  std::string text() const;                            // a node a line
};

}  // namespace frit::arrays
