#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>

#include "points.hpp"
#include "threads.hpp"
#include "tiers.hpp"

namespace frit::accuracy {
namespace {

Record every_float(const Subject& subject, int threads) {
  constexpr std::uint64_t all = std::uint64_t{1} << 32, chunk = std::uint64_t{1} << 20;
  std::atomic<std::uint64_t> next{0};
  Record result = on_threads(threads, [&](int) {
    Measurement<float> measurement(subject);
    Arguments<float> x = zeros<float>(block);
    for (std::uint64_t begin = next.fetch_add(chunk); begin < all; begin = next.fetch_add(chunk)) {
      for (std::uint64_t at = begin; at < begin + chunk; at += block) {
        for (std::uint64_t i = 0; i < block; ++i) x[0][i] = std::bit_cast<float>(static_cast<std::uint32_t>(at + i));
        measurement.add(x);
      }
    }
    return measurement.record();
  });
  result.every = true;
  return result;
}

}  // namespace

template <class T> Record nightly(const Subject& subject, std::uint64_t points, int threads) {
  const Measurement<T> trial(subject);
  std::printf("  screen: %s\n", trial.screen().c_str());
  if (sizeof(T) == 4 && subject.inputs == 1 && trial.has_screen()) return every_float(subject, threads);
  // MPFR takes hundreds of times as long.
  if (!trial.has_screen()) points = std::max<std::uint64_t>(points / 100, 2 * block);
  return on_threads(threads, [&](int number) {
    Measurement<T> measurement = trial;
    Structured<T> source(subject, 1000 + static_cast<unsigned>(number));
    Arguments<T> x = zeros<T>(block);
    const std::uint64_t share = points / static_cast<std::uint64_t>(threads);
    for (std::uint64_t done = 0; done < share; done += block) {
      source.fill(x);
      measurement.add(x);
    }
    return measurement.record();
  });
}
template Record nightly<float>(const Subject&, std::uint64_t, int);
template Record nightly<double>(const Subject&, std::uint64_t, int);

}  // namespace frit::accuracy
