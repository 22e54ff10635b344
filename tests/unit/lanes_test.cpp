// Every lane primitive, at every width, against plain scalar code. The operands cover signed zeros, subnormals, ties,
// infinities and NaN, and each operand visits each lane.
#include "lanes/native.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "support/same.hpp"

namespace {
using namespace frit::lanes;
using frit::test::same;

template <class T> using Unsigned = typename IntegersOf<T>::Unsigned;
template <class T> using Signed = typename IntegersOf<T>::Signed;

template <class T> std::vector<T> operands() {
  using L = std::numeric_limits<T>;
  std::vector<T> values;
  for (T x : {T(0), L::denorm_min(), L::min() / 2, L::min(), T(0.3), T(0.5), T(1), T(1.5), T(2.5), T(3.7), T(1000.5),
              T(1) / L::epsilon(), T(2) / L::epsilon(), T(0.5) / L::epsilon() + T(0.5), L::max(), L::infinity()}) {
    values.push_back(x);
    values.push_back(-x);
  }
  values.push_back(L::quiet_NaN());
  std::mt19937_64 random(7);
  while (values.size() < 331) {
    const T x = std::bit_cast<T>(static_cast<Unsigned<T>>(random()));
    values.push_back(x);
    int exponent;
    values.push_back(std::ldexp(std::frexp(x, &exponent), static_cast<int>(random() % 24)));
  }
  return values;
}

template <class V> class Lanes : public testing::Test {
 protected:
  using Element = typename V::Element;
  static constexpr int width = V::width;
  std::vector<Element> values;

  void SetUp() override { values = operands<Element>(); }
  Element value(std::size_t i) const { return values[i % values.size()]; }
  // Calls check(i-th lane's three scalars, vectors) with the operands at many relative offsets.
  template <class Fn> void each(Fn fn) {
    for (std::size_t start = 0; start < 3 * values.size(); ++start) {
      Element a[width], b[width], c[width];
      for (std::size_t i = 0; i < static_cast<std::size_t>(width); ++i) {
        a[i] = value(start + i);
        b[i] = value(start * 3 + 7 * i + 1);
        c[i] = value(start * 5 + 11 * i + 2);
      }
      fn(a, b, c);
    }
  }
  template <class VectorFn, class ScalarFn> void compare(const char* what, VectorFn vector, ScalarFn scalar) {
    each([&](const Element* a, const Element* b, const Element* c) {
      Element got[width];
      vector(V::load(a), V::load(b), V::load(c)).store(got);
      for (int i = 0; i < width; ++i) {
        const Element expected = scalar(a[i], b[i], c[i]);
        ASSERT_TRUE(same(got[i], expected)) << what << "(" << a[i] << ", " << b[i] << ", " << c[i] << ") = " << got[i]
                                            << ", expected " << expected << " in lane " << i;
      }
    });
  }
  template <class VectorFn, class ScalarFn> void compare_mask(const char* what, VectorFn vector, ScalarFn scalar) {
    each([&](const Element* a, const Element* b, const Element* c) {
      const auto mask = vector(V::load(a), V::load(b), V::load(c));
      unsigned expected = 0;
      for (int i = 0; i < width; ++i) expected |= scalar(a[i], b[i], c[i]) ? 1u << i : 0u;
      ASSERT_EQ(lane_flags(mask), expected) << what;
      Unsigned<Element> image[width];
      to_bits(mask).store(image);
      for (int i = 0; i < width; ++i) {
        ASSERT_EQ(image[i], (expected >> i & 1u) ? static_cast<Unsigned<Element>>(-1) : 0u) << what;
      }
      const unsigned live = static_cast<unsigned>((std::uint64_t{1} << width) - 1);
      ASSERT_EQ(any(mask), expected != 0);
      ASSERT_EQ(none(mask), expected == 0);
      ASSERT_EQ(all(mask), expected == live);
    });
  }
  template <class VectorFn, class ScalarFn> void compare_bits(const char* what, VectorFn vector, ScalarFn scalar) {
    each([&](const Element* a, const Element* b, const Element*) {
      Unsigned<Element> got[width];
      vector(bits(V::load(a)), bits(V::load(b))).store(got);
      for (int i = 0; i < width; ++i) {
        const auto x = std::bit_cast<Unsigned<Element>>(a[i]), y = std::bit_cast<Unsigned<Element>>(b[i]);
        ASSERT_EQ(got[i], static_cast<Unsigned<Element>>(scalar(x, y))) << what << "(" << x << ", " << y << ")";
      }
    });
  }
};

using Widths = testing::Types<Native<double, 1>, Native<double, 2>, Native<double, 4>, Native<double, 8>,
                              Native<float, 1>, Native<float, 4>, Native<float, 8>, Native<float, 16>>;
TYPED_TEST_SUITE(Lanes, Widths);

TYPED_TEST(Lanes, Arithmetic) {
  using V = TypeParam;
  using T = typename V::Element;
  this->compare(
      "+", [](V a, V b, V) { return a + b; }, [](T a, T b, T) { return a + b; });
  this->compare(
      "-", [](V a, V b, V) { return a - b; }, [](T a, T b, T) { return a - b; });
  this->compare(
      "*", [](V a, V b, V) { return a * b; }, [](T a, T b, T) { return a * b; });
  this->compare(
      "/", [](V a, V b, V) { return a / b; }, [](T a, T b, T) { return a / b; });
  this->compare(
      "negate", [](V a, V, V) { return -a; }, [](T a, T, T) { return -a; });
  this->compare(
      "fma", [](V a, V b, V c) { return fma(a, b, c); }, [](T a, T b, T c) { return std::fma(a, b, c); });
  this->compare(
      "sqrt", [](V a, V, V) { return sqrt(a); }, [](T a, T, T) { return std::sqrt(a); });
  this->compare(
      "a*b+c", [](V a, V b, V c) { return a * b + c; },
      [](T a, T b, T c) {
        volatile T product = a * b;  // rounded: the lanes must not contract either
        return product + c;
      });
  this->compare(
      "+=",
      [](V a, V b, V c) {
        a += b;
        a -= c;
        a *= b;
        a /= c;
        return a;
      },
      [](T a, T b, T c) {
        a += b;
        a -= c;
        a *= b;
        a /= c;
        return a;
      });
}

TYPED_TEST(Lanes, SignAndRounding) {
  using V = TypeParam;
  using T = typename V::Element;
  this->compare(
      "abs", [](V a, V, V) { return abs(a); }, [](T a, T, T) { return std::fabs(a); });
  this->compare(
      "copysign", [](V a, V b, V) { return copysign(a, b); }, [](T a, T b, T) { return std::copysign(a, b); });
  this->compare(
      "round_even", [](V a, V, V) { return round_even(a); }, [](T a, T, T) { return std::nearbyint(a); });
  this->compare(
      "floor", [](V a, V, V) { return floor(a); }, [](T a, T, T) { return std::floor(a); });
  this->compare(
      "trunc", [](V a, V, V) { return trunc(a); }, [](T a, T, T) { return std::trunc(a); });
}

TYPED_TEST(Lanes, Comparisons) {
  using V = TypeParam;
  using T = typename V::Element;
  this->compare_mask(
      "<", [](V a, V b, V) { return a < b; }, [](T a, T b, T) { return a < b; });
  this->compare_mask(
      "<=", [](V a, V b, V) { return a <= b; }, [](T a, T b, T) { return a <= b; });
  this->compare_mask(
      ">", [](V a, V b, V) { return a > b; }, [](T a, T b, T) { return a > b; });
  this->compare_mask(
      ">=", [](V a, V b, V) { return a >= b; }, [](T a, T b, T) { return a >= b; });
  this->compare_mask(
      "==", [](V a, V, V) { return a == a; }, [](T a, T, T) { return a == a; });
  this->compare_mask(
      "!=", [](V a, V b, V) { return a != b; }, [](T a, T b, T) { return a != b; });
  this->compare_mask(
      "is_nan", [](V a, V, V) { return is_nan(a); }, [](T a, T, T) { return std::isnan(a); });
  this->compare_mask(
      "&", [](V a, V b, V c) { return (a < b) & (b < c); }, [](T a, T b, T c) { return a < b && b < c; });
  this->compare_mask(
      "|", [](V a, V b, V c) { return (a < b) | (b < c); }, [](T a, T b, T c) { return a < b || b < c; });
  this->compare_mask(
      "^", [](V a, V b, V c) { return (a < b) ^ (b < c); }, [](T a, T b, T c) { return (a < b) != (b < c); });
  this->compare_mask(
      "~", [](V a, V b, V) { return ~(a < b); }, [](T a, T b, T) { return !(a < b); });
  this->compare_mask(
      "of", [](V, V, V) { return V::Mask::of(true); }, [](T, T, T) { return true; });
  this->compare_mask(
      "of", [](V, V, V) { return V::Mask::of(false); }, [](T, T, T) { return false; });
  this->compare_mask(
      "mask_of", [](V a, V, V) { return mask_of(bits(a)); },
      [](T a, T, T) { return std::bit_cast<Unsigned<T>>(a) != 0; });
}

TYPED_TEST(Lanes, SelectAndRare) {
  using V = TypeParam;
  using T = typename V::Element;
  const auto scalar = [](T a, T b, T c) { return a < b ? b : c; };
  this->compare(
      "select", [](V a, V b, V c) { return select(a < b, b, c); }, scalar);
  this->compare(
      "rare", [](V a, V b, V c) { return rare(a < b, c, [&] { return b; }); }, scalar);
  // 3n+1 until n reaches one: lanes finish at different steps and then keep their value.
  T start[V::width];
  for (int i = 0; i < V::width; ++i) start[i] = static_cast<T>(i + 2);
  const V end = while_any(
      V::load(start), [](V n) { return n > V(1); },
      [](V n) {
        const V half = n * V(T(0.5));
        return select(floor(half) == half, half, fma(n, V(3), V(1)));
      });
  for (int i = 0; i < V::width; ++i) EXPECT_EQ(lane(end, i), T(1));
}

TYPED_TEST(Lanes, Bits) {
  using V = TypeParam;
  using T = typename V::Element;
  using B = typename V::Bits;
  using U = Unsigned<T>;
  using S = Signed<T>;
  this->compare_bits(
      "+", [](B a, B b) { return a + b; }, [](U a, U b) { return a + b; });
  this->compare_bits(
      "-", [](B a, B b) { return a - b; }, [](U a, U b) { return a - b; });
  this->compare_bits(
      "&", [](B a, B b) { return a & b; }, [](U a, U b) { return a & b; });
  this->compare_bits(
      "|", [](B a, B b) { return a | b; }, [](U a, U b) { return a | b; });
  this->compare_bits(
      "^", [](B a, B b) { return a ^ b; }, [](U a, U b) { return a ^ b; });
  this->compare_bits(
      "~", [](B a, B) { return ~a; }, [](U a, U) { return ~a; });
  for (int n : {0, 1, 7, 20, B::size - 1}) {
    this->compare_bits(
        "<<", [n](B a, B) { return a << n; }, [n](U a, U) { return a << n; });
    this->compare_bits(
        ">>", [n](B a, B) { return a >> n; }, [n](U a, U) { return a >> n; });
    this->compare_bits(
        "sar", [n](B a, B) { return sar(a, n); }, [n](U a, U) { return static_cast<S>(a) >> n; });
  }
  const B in_range = B::of(B::size - 1);
  const U last = static_cast<U>(B::size - 1);
  this->compare_bits(
      "shl", [=](B a, B b) { return shl(a, b & in_range); }, [=](U a, U b) { return a << (b & last); });
  this->compare_bits(
      "shr", [=](B a, B b) { return shr(a, b & in_range); }, [=](U a, U b) { return a >> (b & last); });
  this->compare_bits(
      "of", [](B, B) { return B::of(-3); }, [](U, U) { return static_cast<U>(-3); });
  this->compare_bits(
      "<", [](B a, B b) { return select(a < b, a, b); },
      [](U a, U b) { return static_cast<S>(a) < static_cast<S>(b) ? a : b; });
  this->compare_bits(
      "<=", [](B a, B b) { return select(a <= b, a, b); },
      [](U a, U b) { return static_cast<S>(a) <= static_cast<S>(b) ? a : b; });
  this->compare_bits(
      "==", [](B a, B b) { return select((a & B::of(1)) == (b & B::of(1)), a, b); },
      [](U a, U b) { return ((a ^ b) & 1u) == 0 ? a : b; });
  this->compare(
      "from_bits", [](V a, V, V) { return from_bits<V>(bits(a) ^ bits(V(T(-0.0)))); }, [](T a, T, T) { return -a; });
}

TYPED_TEST(Lanes, Conversions) {
  using V = TypeParam;
  using T = typename V::Element;
  const std::int64_t limit = sizeof(T) == 8 ? (std::int64_t{1} << 51) - 1 : (std::int64_t{1} << 22) - 1;
  for (std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{1023}, limit, -limit}) {
    Unsigned<T> as_int[V::width];
    to_int(V(static_cast<T>(n))).store(as_int);
    const V as_float = to_float<V>(V::Bits::of(n));
    for (int i = 0; i < V::width; ++i) {
      EXPECT_EQ(static_cast<Signed<T>>(as_int[i]), static_cast<Signed<T>>(n));
      EXPECT_EQ(lane(as_float, i), static_cast<T>(n));
    }
  }
  EXPECT_TRUE(same(lane(V(T(-0.0)), V::width - 1), T(-0.0)));
  EXPECT_TRUE(same(lane(V(), V::width - 1), T(0.0)));
  EXPECT_EQ(lane(V::of(0.1), 0), static_cast<T>(0.1));
}

TYPED_TEST(Lanes, Memory) {
  using V = TypeParam;
  using T = typename V::Element;
  constexpr int W = V::width;
  const T guard = T(-77);
  for (std::size_t offset = 0; offset < sizeof(T); ++offset) {
    for (int n = 0; n <= W; ++n) {
      // An exact allocation, so that a sanitizer sees any access outside the n elements.
      std::vector<char> source(offset + sizeof(T) * static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i) {
        const T x = static_cast<T>(i + 1);
        std::memcpy(source.data() + offset + sizeof(T) * static_cast<std::size_t>(i), &x, sizeof(T));
      }
      const V a = V::load_partial(reinterpret_cast<const T*>(source.data() + offset), n);
      for (int i = 0; i < W; ++i) EXPECT_TRUE(same(lane(a, i), i < n ? static_cast<T>(i + 1) : T(0)));
      const T* from = reinterpret_cast<const T*>(source.data() + offset);
      EXPECT_TRUE(n < W || all(V::load(from) == a));
      EXPECT_TRUE(n == 0 || all(V::broadcast_load(from) == V(T(1))));

      T target[W + 1];
      for (T& x : target) x = guard;
      V(T(5)).store_partial(target, n);
      for (int i = 0; i <= W; ++i) EXPECT_EQ(target[i], i < n ? T(5) : guard);
    }
  }
}

TYPED_TEST(Lanes, Table) {
  using V = TypeParam;
  using T = typename V::Element;
  std::vector<T> floats;
  std::vector<Unsigned<T>> integers;
  for (int i = 0; i < 100; ++i) {
    floats.push_back(static_cast<T>(i) * T(1.5));
    integers.push_back(static_cast<Unsigned<T>>(i * 7));
  }
  Unsigned<T> index[V::width];
  for (int i = 0; i < V::width; ++i) index[i] = static_cast<Unsigned<T>>((i * 37 + 99) % 100);
  const auto at = V::Bits::load(index);
  const V got = table(floats.data(), at);
  Unsigned<T> got_integers[V::width];
  table(integers.data(), at).store(got_integers);
  for (int i = 0; i < V::width; ++i) {
    EXPECT_EQ(lane(got, i), floats[index[i]]);
    EXPECT_EQ(got_integers[i], integers[index[i]]);
  }
}

}  // namespace
