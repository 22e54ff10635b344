// Parameter values from a JSON file: {"name": 1.5, "other": [0.1, -2.0]}.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace frit::io {

struct ParameterValue {
  double re = 0, im = 0;
  bool complex = false;  // written as [re, im]
};

// In the order of the file.
using Parameters = std::vector<std::pair<std::string, ParameterValue>>;

// Reads one JSON object of name -> number (f64) or [re, im] (c128). Numbers are rounded to the nearest double, integers
// beyond 2^53 too. Throws file_open and file_read; parameters_syntax, with line and position, for what is no JSON (NaN,
// comments, text after the object, invalid UTF-8, numbers beyond the largest double), for anything but an object and
// for a name that comes twice; parameter_kind, with the parameter and what came, for any other value. Nothing is
// nested deeper than a pair, so depth is refused where it begins.
Parameters read_parameters(const std::filesystem::path& path);

// The same from text; `name` stands for the path in messages.
Parameters parse_parameters(std::string_view text, const std::string& name);

}  // namespace frit::io
