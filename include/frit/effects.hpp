// Effects: what a function does besides its results. They run in the order of the program, once each time that the program comes
// to them, in every mode: at once on eager arrays, and recorded in a function that is being traced. In branches, bodies and
// conditions of control flow they run with each step that runs. Behind an error of values none runs, and all before it have.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frit/array.hpp"
#include "frit/engine.hpp"

namespace frit {

// Writes a line: `text` with the values in the place of each {}; {{ and }} are braces. An array of rank 0 is its element; others
// are dtype, shape and elements, f64[2, 2] [[1, 2], [3, 4]]. Numbers have as many digits as it takes to read them back. Of arrays
// of more than 64 elements, axes of more than 6 show three at each end; one where there are more than two axes. The line goes to
// EngineOptions::print of the engine of the arrays, or of the one named. Errors: usage where placeholders and values differ in
// number, and without an engine.
void print(std::string_view text, const std::vector<Operand>& values, SourceLine where = SourceLine::current());
void print(const Engine& engine, std::string_view text, const std::vector<Operand>& values = {},
           SourceLine where = SourceLine::current());

// Errors: check_failed, with the message and the first index, where an element of the boolean array is false; dtype_mismatch.
void check(const Operand& condition, std::string_view message);

// What a callback gives. Extents may be those of arrays of the function.
struct ResultType {
  DType dtype = DType::f64;
  std::vector<Extent> shape;
};

// Calls `fn` with eager arrays, on the thread of the call; its results must be of these types. What it throws comes out of the
// call as it is. It may call functions of the engine, also the one that it is part of; calls of a function on several threads call
// it from each of them. Errors: trace_arguments for another number of results,
// dtype_mismatch, shape_mismatch, traced_value.
std::vector<Array> callback(const std::function<std::vector<Array>(std::span<const Array>)>& fn,
                            const std::vector<Array>& arrays, const std::vector<ResultType>& results,
                            SourceLine where = SourceLine::current());
void callback(const std::function<void(std::span<const Array>)>& fn, const std::vector<Array>& arrays,
              SourceLine where = SourceLine::current());

}  // namespace frit
