// What is behind an Array: elements, or a node of the program that is being traced.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <span>
#include <vector>

#include "arrays/elementwise.hpp"
#include "arrays/program.hpp"
#include "frit/array.hpp"
#include "runtime/function.hpp"

namespace frit::arrays {

class Trace;
struct Batch;

struct Value {
  Value() {}  // NOLINT(modernize-use-equals-default): see Data

  Type type;
  Data data;                             // eager
  std::shared_ptr<Engine::Impl> engine;  // eager
  std::shared_ptr<Trace> trace;          // traced
  ValueId node = 0;                      // traced
  std::shared_ptr<const Batch> batch;    // inside of vmap: then there is nothing but this and the type
};

struct Access {
  static Array make(std::shared_ptr<const Value> value) { return Array(std::move(value)); }
  // Throws usage for a default-constructed array.
  static const Value& value(const Array& array);
  static bool is_set(const Array& array) { return array.value_ != nullptr; }
};

// Runs `fn`, and adds the line of the caller to what it throws.
template <class Fn> auto located(const SourceLine& where, Fn fn) {
  try {
    return fn();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal || where.line == 0 || error.message().find(" (at ") != std::string::npos)
      throw;
    throw Error(error.code(), fmt::format("{} (at {}:{})", error.message(), where.file, where.line));
  }
}

Array eager(std::shared_ptr<Engine::Impl> engine, Data data, bool weak = false);
// A C++ number as an array of rank 0, and its element alone, of at most 16 bytes.
Data number_data(const Operand& operand);
void write_number(const Number& number, std::byte* to);
inline Number number_of(const Operand& operand) { return {operand.kind, operand.integer, operand.number}; }
Type type_of(const Data& data, bool weak = false);
Workers workers_of(const Engine::Impl& engine);
// Throws cancelled where the word is not 0; nullptr is none.
void check_cancelled(const std::int32_t* cancel);

// The array of an operand that must not be a number. Errors: usage, which says what `what` needs.
inline const Array& array_of(const Operand& x, std::string_view what, std::string_view needs = "an array") {
  if (x.kind != Operand::Kind::array)
    throw Error(ErrorCode::usage, fmt::format("{} needs {}, not a number", what, needs));
  return x.array;
}
// The array as an operand that the same line of the caller gives.
inline Operand at(Array array, const Operand& like) { return Operand(std::move(array), like.where); }

inline std::vector<const Operand*> pointers_to(std::span<const Operand> operands) {
  std::vector<const Operand*> pointers;
  pointers.reserve(operands.size());
  for (const Operand& operand : operands) pointers.push_back(&operand);
  return pointers;
}

// Where operands live: one engine, and the open trace where one of them is traced. Errors: usage for operands of two engines or
// none at all; traced_value for arrays of a trace that has ended, or of two.
struct Home {
  std::shared_ptr<Engine::Impl> engine;
  std::shared_ptr<Trace> trace;
};
Home home_of(std::span<const Operand* const> operands);
// What answers questions on the extents of operands there.
Extents& extents_of(const Home& home, Numbers& numbers);
// Whether operations on the array are recorded, or those of a batch: its elements cannot be read.
bool has_no_elements(const Array& array);

// The element-wise op on arrays and numbers. `where` of the first operand names the caller in errors.
Array apply(OpId op, std::span<const Operand* const> operands);
Array apply(StructuralId id, Attributes attributes, std::span<const Operand* const> operands);
// A number as an array where `array` lives.
Array number_beside(const Array& array, const Operand& number);
// The number of elements over these axes.
Extent elements_over(const Array& array, std::uint32_t axes);

}  // namespace frit::arrays
