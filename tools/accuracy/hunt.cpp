#include <algorithm>
#include <bit>
#include <chrono>

#include "points.hpp"
#include "threads.hpp"
#include "tiers.hpp"

namespace frit::accuracy {
namespace {

template <class T> class Climb {
 public:
  Climb(const Subject& subject, unsigned seed)
      : measurement_(subject), source_(subject, seed), random_(seed), x_(zeros<T>(block)) {}

  Record run(std::chrono::steady_clock::time_point end) {
    for (int i = 0; i < 200 && std::chrono::steady_clock::now() < end; ++i) {
      source_.fill(x_);
      keep_worse(false);
    }
    for (int since = 0; std::chrono::steady_clock::now() < end;) {
      const auto inputs = static_cast<std::uint64_t>(measurement_.subject().inputs);
      for (std::size_t i = 0; i < block; ++i) {
        const Found& from = pool_[random_() % pool_.size()];
        // One of the inputs, or each.
        const std::uint64_t which = random_() % (inputs + 1);
        for (std::size_t k = 0; k < inputs; ++k)
          x_[k][i] = which == k || which == inputs ? changed(from.x[k]) : from.x[k];
      }
      since = keep_worse(true) ? 0 : since + 1;
      // Nothing better for long: the better half stays, the other begins elsewhere.
      if (since > 1000) {
        pool_.resize(pool_.size() / 2);
        source_.fill(x_);
        keep_worse(false);
        since = 0;
      }
    }
    return measurement_.record();
  }

 private:
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  struct Found {
    std::array<T, most_inputs> x;
    double ulps;
  };
  static constexpr std::size_t pool_size = 64;

  T changed(T x) {
    constexpr int mantissa = std::numeric_limits<T>::digits - 1;
    const auto bits = std::bit_cast<Bits>(x);
    const Bits bit = Bits{1} << random_() % mantissa;
    switch (random_() % 8) {
      case 0: return std::bit_cast<T>(bits ^ bit);
      case 1: return std::bit_cast<T>(bits + (Bits{1} << mantissa));
      case 2: return std::bit_cast<T>(bits - (Bits{1} << mantissa));
      case 3: return std::bit_cast<T>(bits + static_cast<Bits>(random_() % 1000));
      case 4: return std::bit_cast<T>(bits - static_cast<Bits>(random_() % 1000));
      default: return std::bit_cast<T>(random_() & 1 ? bits + bit : bits - bit);
    }
  }

  // Whether the worst of all became worse.
  bool keep_worse(bool climbing) {
    measurement_.add(x_, &errors_);
    const double before = pool_.empty() ? -1 : pool_.front().ulps;
    const double bar = climbing && pool_.size() == pool_size ? pool_.back().ulps : -1;
    for (std::size_t i = 0; i < block; ++i) {
      // An infinite error is a failure, which is noted, and no place to climb from.
      if (errors_[i] > bar && errors_[i] < 1e6 && errors_[i] >= 0)
        pool_.push_back({{x_[0][i], x_[1][i], x_[2][i], x_[3][i]}, errors_[i]});
    }
    std::stable_sort(pool_.begin(), pool_.end(), [](const Found& a, const Found& b) { return a.ulps > b.ulps; });
    const auto twin = [](const Found& a, const Found& b) { return a.x == b.x; };
    pool_.erase(std::unique(pool_.begin(), pool_.end(), twin), pool_.end());
    if (pool_.size() > pool_size) pool_.resize(pool_size);
    if (pool_.empty()) pool_.push_back({{T(1), T(1), T(1), T(1)}, 0});
    return pool_.front().ulps > before;
  }

  Measurement<T> measurement_;
  Structured<T> source_;
  std::mt19937_64 random_;
  Arguments<T> x_;
  std::vector<double> errors_;
  std::vector<Found> pool_;
};

}  // namespace

template <class T> Record hunt(const Subject& subject, double minutes, int threads) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                          std::chrono::duration<double>(60 * minutes));
  return on_threads(threads, [&](int number) { return Climb<T>(subject, 7 + static_cast<unsigned>(number)).run(end); });
}
template Record hunt<float>(const Subject&, double, int);
template Record hunt<double>(const Subject&, double, int);

}  // namespace frit::accuracy
