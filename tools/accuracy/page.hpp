// The block of docs/numerics.md with the largest errors measured.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "measurement.hpp"

namespace frit::accuracy {

// By op and dtype.
using Rows = std::map<std::pair<std::string, std::string>, Record>;

// Renews the rows of what was measured; the others stay, those of ops that no longer exist go, and what was never measured is
// said to be so. Throws std::runtime_error where the page has no such block.
void renew(const std::filesystem::path& page, const Rows& rows);

}  // namespace frit::accuracy
