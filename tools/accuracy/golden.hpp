// Values of 50 digits that tools/math/golden.py wrote.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "oracle/real.hpp"

namespace frit::accuracy {

struct Golden {
  double x = 0, y = 0;
  bool f32 = false;  // the operands are numbers of f32 too
  test::oracle::Real value;
};

// Those of an op; none where the folder has no file of it. Throws std::runtime_error for a line that cannot be read.
std::vector<Golden> read_golden(const std::filesystem::path& folder, const std::string& op, int arity);

}  // namespace frit::accuracy
