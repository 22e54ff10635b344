// Reads the text of sympy.srepr into an Expr. A parser of the classes that frit computes and nothing else: no text is
// ever evaluated, and depth of nesting costs heap, not stack.
#pragma once

#include <string>
#include <string_view>

#include "graph/expr.hpp"

namespace frit {

// `text` is one expression, a list, tuple or matrix of them (the outputs, flattened in order), or a result of
// sympy.cse, whose symbols are replaced while reading. Equal subexpressions become one node. Errors carry a code
// sympy_* and the line, column and byte.
Expr read_srepr(std::string_view text);

// The same for a file; errors begin with the path. file_open and file_read where the file cannot be read.
Expr read_srepr_file(const std::string& path);

}  // namespace frit
