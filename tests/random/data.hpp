// Numbers for columns, parameters and constants: ordinary ones, and those at which functions change their form.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/values.hpp"

namespace frit::test {

enum class DataKind {
  ordinary,   // of magnitude 2^-8 to 2^8
  mixed,      // ordinary, special and of any bits
  special,    // zeros, infinities, NaN, the ends of the range
  subnormal,  // below the normal range
  huge,       // near the end of the range
  branch,     // a few ulp beside the points at which a function changes its form
  small,      // integers and halves, so that values meet and results are exact
};
inline constexpr int data_kind_count = 7;

template <class T> class Data {
 public:
  using Limits = std::numeric_limits<T>;
  // `calm`: ordinary and small numbers alone, so that deep programs are not all NaN.
  Data(std::uint64_t seed, bool calm) : inputs_(seed), calm_(calm) {}

  T next(DataKind kind) {
    switch (kind) {
      case DataKind::ordinary: return inputs_.moderate();
      case DataKind::mixed: return inputs_.next();
      case DataKind::special: return special_[below(special_.size())];
      case DataKind::subnormal: return signed_at_random(Limits::min() * fraction());
      case DataKind::huge: return signed_at_random(std::ldexp(Limits::max(), -static_cast<int>(below(8))) * fraction());
      case DataKind::branch: return beside_branch_point();
      case DataKind::small: break;
    }
    return signed_at_random(static_cast<T>(below(9)) / (below(2) == 0 ? T(1) : T(2)));  // zeros of both signs
  }
  DataKind any_kind() {
    if (calm_) return below(3) == 0 ? DataKind::small : DataKind::ordinary;
    return static_cast<DataKind>(below(data_kind_count));
  }

  // n elements of one or two parts. The parts of complex numbers are of two kinds, or related: on an axis, on a diagonal, on
  // the unit circle.
  std::vector<T> take(std::size_t n, bool complex) {
    const DataKind first = any_kind(), second = any_kind();
    const std::size_t equal = below(8);  // all elements are one where 0
    const std::size_t relation = below(6);
    std::vector<T> values;
    T re = next(first), im = next(second);
    for (std::size_t i = 0; i < n; ++i) {
      if (equal != 0) {
        re = next(first);
        im = next(second);
        if (complex && relation == 0) (below(2) == 0 ? im : re) = below(2) == 0 ? T(0) : -T(0);
        if (complex && relation == 1) im = below(2) == 0 ? re : -re;
        if (complex && relation == 2) {
          const T angle = inputs_.moderate();
          re = std::cos(angle);
          im = std::sin(angle);
        }
      }
      values.push_back(re);
      if (complex) values.push_back(im);
    }
    return values;
  }

 private:
  std::size_t below(std::size_t n) { return inputs_.random()() % n; }
  T fraction() { return static_cast<T>(inputs_.random()() >> 11) * static_cast<T>(0x1p-53); }
  T signed_at_random(T x) { return below(2) == 0 ? x : -x; }

  T beside_branch_point() {
    // Ends of exp and its subnormal results, quadrants, and the powers of two at which scaled forms begin.
    const T points[] = {
        T(1),
        T(0.5),
        T(2),
        std::log(Limits::max()),
        std::log(Limits::min()),
        std::log(Limits::denorm_min()),
        static_cast<T>(1.5707963267948966) * static_cast<T>(1 + below(1u << below(20))),
        static_cast<T>(0.7853981633974483) * static_cast<T>(1 + below(64)),
        1 / Limits::epsilon(),
        static_cast<T>(1 + below(40)),
        std::ldexp(T(1), static_cast<int>(below(Limits::max_exponent - Limits::min_exponent)) + Limits::min_exponent),
        Limits::min(),
        Limits::max()};
    T x = points[below(std::size(points))];
    for (std::size_t steps = below(4); steps > 0; --steps)
      x = std::nextafter(x, below(2) == 0 ? T(0) : Limits::infinity());
    return signed_at_random(x);
  }

  Inputs<T> inputs_;
  bool calm_;
  std::vector<T> special_ = special_values<T>();
};

}  // namespace frit::test
