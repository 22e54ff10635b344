// One hash for each op, form and dtype: of its results on fixed operands, which are few enough for an emulator and lie where a
// function may change its form. tests/modes/hashes.txt holds the hashes that every variant must have. No C library function takes
// part, so the operands are the same on every target.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "ops/list.hpp"

namespace frit::test::hashed {

inline constexpr const char* renew_command = "FRIT_UPDATE_HASHES=1 build/tests/compiled_hashes_test";

template <class T> using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template <class T> inline constexpr const char* dtype_name = sizeof(T) == 8 ? "f64" : "f32";

template <class T> T from_bits(std::uint64_t n) {
  const auto bits = static_cast<BitsOf<T>>(n);
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <class T> BitsOf<T> bits_of(T x) {
  BitsOf<T> bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

// splitmix64.
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  // Uniform in [-1, 1).
  double unit() { return static_cast<double>(static_cast<std::int64_t>(next())) * 0x1p-63; }
};

template <class T> std::vector<T> specials() {
  using L = std::numeric_limits<T>;
  std::vector<T> values{L::quiet_NaN()};
  for (T x :
       {T(0), L::denorm_min(), L::min() - L::denorm_min(), L::min(), L::epsilon() / 2, T(0.5), T(1),
        T(1) + L::epsilon(), T(1) - L::epsilon() / 2, T(1.5), T(2), T(3), T(1) / L::min(), L::max(), L::infinity()}) {
    values.push_back(x);
    values.push_back(-x);
  }
  return values;
}

// The points at which functions of one operand are hashed.
template <class T> class Points {
 public:
  Points() {
    for (T x : specials<T>()) all_.push_back(x);
    exponents();
    // Multiples at which exp, exp2 and exp10 go to the next power of two, and the trigonometric functions to the next quadrant.
    const int least = sizeof(T) == 8 ? -1080 : -155, greatest = sizeof(T) == 8 ? 1030 : 132;
    for (int n = least; n < greatest; ++n) {
      const double half = n + 0.5;
      beside(half * 0x1.62e42fefa39efp-1, 3);  // ln 2
      beside(half * 0x1.34413509f79ffp-2, 2);  // log10 2
      beside(half, 1);
    }
    for (int n = -400; n <= 400; ++n) beside(n * 0x1.921fb54442d18p-1, 1);  // pi / 4
    for (int n = -400; n <= 400; ++n) beside(n * 0.25, 1);
    // Where logarithms, inverse functions and expansions about a point change their form.
    for (int scale = -3; scale <= 3; ++scale) {
      const double power = scale < 0 ? 1.0 / (1 << -scale) : 1 << scale;
      // 1, sqrt 2, sqrt 3, tan(pi / 8), ln 2, e / 2, pi / 2, golden ratio, ln 10
      for (double c : {1.0, 0x1.6a09e667f3bcdp0, 0x1.bb67ae8584caap0, 0x1.a827999fcef32p-2, 0x1.62e42fefa39efp-1,
                       0x1.5bf0a8b145769p0, 0x1.921fb54442d18p0, 0x1.9e3779b97f4a8p0, 0x1.26bb1bbb55516p1}) {
        beside(c * power, 4);
        beside(-c * power, 4);
      }
    }
    for (int n = 1; n < std::numeric_limits<T>::digits; ++n) {
      const T small = from_bits<T>(bits_of(T(1)) - (std::uint64_t(n) << (std::numeric_limits<T>::digits - 1)));
      for (T x : {T(1) + small, T(1) - small, T(-1) + small, T(-1) - small}) beside(static_cast<double>(x), 1);
    }
    Random random{sizeof(T)};
    for (double range : {1.0, 4.0, 30.0, 180.0, 800.0})
      for (int i = 0; i < 800; ++i) all_.push_back(static_cast<T>(random.unit() * range));
    for (int i = 0; i < 4000; ++i) all_.push_back(from_bits<T>(random.next()));
    while (all_.size() % 64 != 0) all_.push_back(from_bits<T>(random.next()));
  }
  const std::vector<T>& all() const { return all_; }

 private:
  // Every exponent with both signs: the power of two, its neighbours, two other mantissas.
  void exponents() {
    Random random{1};
    constexpr int mantissa = std::numeric_limits<T>::digits - 1;
    constexpr std::uint64_t infinity = std::uint64_t{sizeof(T) == 8 ? 0x7ff : 0xff} << mantissa;
    for (int place = 0; place < mantissa; ++place) with_neighbours(std::uint64_t{1} << place, random);
    for (std::uint64_t image = std::uint64_t{1} << mantissa; image < infinity; image += std::uint64_t{1} << mantissa)
      with_neighbours(image, random);
  }
  void with_neighbours(std::uint64_t image, Random& random) {
    const std::uint64_t within = (std::uint64_t{1} << (std::numeric_limits<T>::digits - 1)) - 1;
    for (std::uint64_t n :
         {image, image - 1, image + 1, image ^ (random.next() & within), image ^ (random.next() & within)}) {
      all_.push_back(from_bits<T>(n));
      all_.push_back(-from_bits<T>(n));
    }
  }
  void beside(double x, int neighbours) {
    const auto image = bits_of(static_cast<T>(x));
    for (int i = -neighbours; i <= neighbours; ++i) all_.push_back(from_bits<T>(image + static_cast<std::uint64_t>(i)));
  }
  std::vector<T> all_;
};

// The operands' parts of an op: the points for the first; the others are chosen beside it, from the special values, the points
// and numbers of moderate size. The first events are all pairs of special values.
template <class T> std::vector<std::vector<T>> operands(int parts) {
  static const Points<T> points;
  const std::vector<T>& all = points.all();
  std::vector<std::vector<T>> result{all};
  Random random{static_cast<std::uint64_t>(parts)};
  const std::vector<T> special = specials<T>();
  for (int part = 1; part < parts; ++part) {
    std::vector<T>& values = result.emplace_back();
    for (const T x : all) {
      const std::uint64_t near = random.next();
      switch (random.below(8)) {
        case 0: values.push_back(special[random.below(special.size())]); break;
        case 1:
        case 2: values.push_back(all[random.below(all.size())]); break;
        case 3: values.push_back(from_bits<T>(bits_of(x) + (near % 5) - 2)); break;
        case 4:
          values.push_back((near % 2 == 0 ? x : -x) *
                           from_bits<T>(bits_of(T(1)) + ((near >> 8) % 7 - 3) * (bits_of(T(2)) - bits_of(T(1)))));
          break;
        case 5: values.push_back(static_cast<T>(static_cast<std::int64_t>(random.below(41)) - 20) * T(0.5)); break;
        default: values.push_back(static_cast<T>(random.unit() * 16)); break;
      }
    }
  }
  if (parts > 1) {
    std::size_t at = 0;
    for (T x : special) {
      for (T y : special) {
        result[0][at] = x;
        for (std::size_t part = 1; part < result.size(); ++part) result[part][at] = part % 2 == 1 ? y : x;
        ++at;
      }
    }
  }
  return result;
}

class Hash {
 public:
  // A NaN is any NaN.
  template <class T> void add(T x) { add_bits(bits_of(x == x ? x : std::numeric_limits<T>::quiet_NaN())); }
  void add_bits(std::uint64_t bits) { value_ = (value_ ^ bits) * 0x100000001b3u; }
  std::string text() const {
    char digits[20];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value_));
    return digits;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

inline std::string line_of(const char* op, unsigned form, const char* dtype) {
  char text[64];
  std::snprintf(text, sizeof text, "%-14s %u %s", op, form, dtype);
  return text;
}
// So that changed operands are not taken for changed functions.
template <class T> std::string hash_of_operands() {
  Hash hash;
  for (const auto& part : operands<T>(4))
    for (T x : part) hash.add(x);
  return hash.text();
}

}  // namespace frit::test::hashed
