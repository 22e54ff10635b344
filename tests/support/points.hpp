// Random arguments chosen by intent: where functions can go wrong.
#pragma once

#include <cmath>
#include <limits>
#include <random>

namespace frit::test {

template <class T> using Limits = std::numeric_limits<T>;

template <class T> class Points {
 public:
  explicit Points(unsigned seed) : random_(seed) {}

  T uniform(double low, double high) {
    return static_cast<T>(low + (high - low) * std::uniform_real_distribution<double>()(random_));
  }
  T any_exponent() { return any_exponent(Limits<T>::min_exponent - Limits<T>::digits, Limits<T>::max_exponent - 1); }
  T any_exponent(int low, int high) {
    const T size = std::ldexp(uniform(1, 2), static_cast<int>(uniform_int(low, high)));
    return (random_() & 1) ? size : -size;
  }
  // A few neighbours away.
  T near(T x) {
    const int steps = static_cast<int>(uniform_int(-3, 3));
    for (int i = 0; i < std::abs(steps); ++i)
      x = std::nextafter(x, steps < 0 ? -Limits<T>::infinity() : Limits<T>::infinity());
    return x;
  }
  T near_quarter_turn() {
    const auto turns =
        static_cast<long double>(std::floor(std::ldexp(uniform(1, 2), static_cast<int>(uniform_int(0, 40)))));
    return near(static_cast<T>(turns * 1.57079632679489661923132169163975144L));
  }
  T near_power_of_two() {
    return near(std::ldexp(T(1), static_cast<int>(uniform_int(Limits<T>::min_exponent - Limits<T>::digits + 1,
                                                              Limits<T>::max_exponent - 1))));
  }
  long uniform_int(long low, long high) { return std::uniform_int_distribution<long>(low, high)(random_); }

 private:
  std::mt19937_64 random_;
};

}  // namespace frit::test
