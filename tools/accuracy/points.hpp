// Points of structured ranges for any function: each kind of point as often as the function has an ordinary value there.
#pragma once

#include <bit>
#include <cmath>
#include <random>
#include <utility>

#include "subject.hpp"
#include "support/points.hpp"

namespace frit::accuracy {

template <class T> class Structured {
 public:
  Structured(const Subject& subject, unsigned seed) : points_(seed), random_(seed + 1), subject_(subject) {
    Arguments<T> x = zeros<T>(block);
    std::vector<T> result[2];
    for (int kind = 0; kind < kinds; ++kind) {
      for (std::size_t i = 0; i < block; ++i) set(x, i, kind);
      evaluate(subject, x, result);
      int ordinary = 0;
      for (const T r : result[0]) ordinary += std::isfinite(r) && r != 0 ? 1 : 0;
      for (int k = 0; k < 1 + ordinary * 20 / static_cast<int>(block); ++k) slots_.push_back(kind);
    }
  }

  void fill(Arguments<T>& x) {
    for (std::size_t i = 0; i < x[0].size(); ++i) set(x, i, slots_[random_() % slots_.size()]);
  }

 private:
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  using L = std::numeric_limits<T>;
  static constexpr int kinds = 12;
  static constexpr double reach = sizeof(T) == 8 ? 750 : 105;  // beyond which exp is zero or infinite

  void set(Arguments<T>& x, std::size_t i, int kind) {
    x[0][i] = one(kind);
    T size = x[0][i];
    std::size_t at = 1;
    if (subject_.is_complex(0)) {
      x[1][i] = beside(x[0][i], kind);
      if (random_() & 1) std::swap(x[0][i], x[1][i]);
      size = std::hypot(x[0][i], x[1][i]);
      at = 2;
    }
    if (subject_.arity == 1) return;
    x[at][i] = second(size);
    if (!subject_.is_complex(1)) return;
    x[at + 1][i] = random_() % 4 == 0 ? x[at][i] * points_.any_exponent(-12, 3) : second(size);
    if (random_() & 1) std::swap(x[at][i], x[at + 1][i]);
  }

  // The other part of a complex number; may move x.
  T beside(T& x, int kind) {
    switch (random_() % 8) {
      case 0: return one(kind);
      case 1: return one(static_cast<int>(random_() % kinds));
      case 2: return x * points_.any_exponent(-L::digits - 6, -1);
      case 3: return (random_() & 1) ? T(0) : -T(0);
      case 4: {  // beside the unit circle
        const double angle = static_cast<double>(points_.uniform(-3.2, 3.2));
        x = points_.near(static_cast<T>(std::cos(angle)));
        return points_.near(static_cast<T>(std::sin(angle)));
      }
      case 5: {  // beside 1, -1 and, since the parts are exchanged, i and -i
        x = (random_() & 1 ? 1 : -1) * (1 + points_.any_exponent(-L::digits, -3));
        return points_.any_exponent(-2 * L::digits, -3);
      }
      case 6: return points_.uniform(-4, 4);
      default: return x * points_.any_exponent(-2, 2);
    }
  }

  T one(int kind) {
    switch (kind) {
      case 0: return std::bit_cast<T>(static_cast<Bits>(random_()));
      case 1: return points_.any_exponent(-12, 12);
      case 2: return points_.any_exponent(-L::digits - 6, 0);
      case 3: return points_.uniform(-2, 2);
      case 4: return points_.uniform(-30, 30);
      case 5: return points_.uniform(-reach, reach);
      case 6: return (random_() & 1 ? 1 : -1) * points_.near_power_of_two();
      case 7: return (random_() & 1 ? 1 : -1) * points_.near_quarter_turn();
      case 8: return points_.near(static_cast<T>(points_.uniform_int(-400, 400)) / 2);
      case 9: return static_cast<T>(points_.uniform_int(-4, 4)) / 2 + points_.any_exponent(-L::digits, -3);
      case 10: return (random_() & 1 ? 1 : -1) * points_.uniform(reach * 0.82, reach);
      default: return points_.any_exponent();
    }
  }
  T second(T x) {
    switch (random_() % 8) {
      case 0: return x * (1 + points_.any_exponent(-L::digits, -2));
      case 1: return x * points_.any_exponent(-6, 6);
      case 2: {  // a power, or a quotient of logarithms, of every size
        const T size = std::log(std::fabs(x));
        return size != 0 ? points_.uniform(-reach, reach) / size : T(1);
      }
      case 3: return static_cast<T>(points_.uniform_int(-80, 80)) / 2;
      default: return one(static_cast<int>(random_() % kinds));
    }
  }

  test::Points<T> points_;
  std::mt19937_64 random_;
  Subject subject_;
  std::vector<int> slots_;
};

}  // namespace frit::accuracy
