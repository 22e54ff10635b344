// Three ways of choosing points: a few seconds for all ops, a few minutes for one, and as long as one likes.
#pragma once

#include <filesystem>
#include <string>

#include "measurement.hpp"

namespace frit::accuracy {

// Values of 50 digits from a stored table, all pairs of special values, the neighbours of points where functions change, random
// points of structured ranges.
template <class T> Record fast(const Subject& subject, const std::filesystem::path& golden);

// Every number of f32 for one operand, else `points` random ones; fewer where there is no screen. A line on `stdout` at the end.
template <class T> Record nightly(const Subject& subject, std::uint64_t points, int threads);

// Climbs from the worst points: changes bits of the operands and keeps what is worse.
template <class T> Record hunt(const Subject& subject, double minutes, int threads);

}  // namespace frit::accuracy
