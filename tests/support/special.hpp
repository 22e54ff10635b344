// Values of real functions of math/ exactly, the sign of zero included; each as a single lane and at every position of a register
// among ordinary neighbours. A test file derives its suite from Special<T> and names the function with ONE or TWO.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "lanes/native.hpp"
#include "support/same.hpp"

namespace frit::test {

template <class Element> class Special : public testing::Test {
 protected:
  const Element pi = static_cast<Element>(3.14159265358979323846), half_pi = pi / 2;
  const Element quarter_pi = pi / 4, three_quarters_pi = static_cast<Element>(2.35619449019234492885);

  // is(x, x) of numbers so small that an odd function of slope 1 gives them back.
  template <class Is> static void keeps_small(Is is) {
    using L = std::numeric_limits<Element>;
    constexpr Element least = L::denorm_min();
    for (const Element x :
         {Element(0), least, 3 * least, L::min() / 2, L::min(), std::nextafter(L::min(), Element(1))}) {
      is(x, x);
      is(-x, -x);
    }
  }

  template <class Fn> static void expect(const char* name, Fn fn, Element x, Element y, Element wanted) {
    using V = lanes::Wide<Element>;
    using One = lanes::Native<Element, 1>;
    Element got;
    fn(One(x), One(y)).store(&got);
    EXPECT_TRUE(same(got, wanted)) << name << "(" << x << ", " << y << ") is " << got << ", expected " << wanted;
    for (int place = 0; place < V::width; ++place) {
      Element xs[V::width], ys[V::width], results[V::width];
      for (int i = 0; i < V::width; ++i) {
        xs[i] = i == place ? x : Element(0.25);
        ys[i] = i == place ? y : Element(0.5);
      }
      fn(V::load(xs), V::load(ys)).store(results);
      EXPECT_TRUE(same(results[place], wanted)) << name << "(" << x << ", " << y << ") in lane " << place << " is "
                                                << results[place] << ", expected " << wanted;
      const Element neighbour = results[place == 0 ? V::width - 1 : 0];
      Element ordinary;
      fn(One(Element(0.25)), One(Element(0.5))).store(&ordinary);
      EXPECT_TRUE(same(neighbour, ordinary)) << name << ": the neighbour of lane " << place << " changed";
    }
  }
};
// `is(x, wanted)` and `is2(x, y, wanted)` for the function named.
#define ONE(function)                                                                        \
  const auto is = [](TypeParam x, TypeParam wanted) {                                        \
    TestFixture::expect(                                                                     \
        #function, [](auto a, auto) { return math::function(a); }, x, TypeParam(0), wanted); \
  }
#define TWO(function)                                                                  \
  const auto is = [](TypeParam x, TypeParam y, TypeParam wanted) {                     \
    TestFixture::expect(                                                               \
        #function, [](auto a, auto b) { return math::function(a, b); }, x, y, wanted); \
  }
#define VALUES                                                                      \
  using T = TypeParam;                                                              \
  using Limits = std::numeric_limits<T>;                                            \
  [[maybe_unused]] constexpr T inf = Limits::infinity(), nan = Limits::quiet_NaN(); \
  [[maybe_unused]] constexpr T zero = 0, one = 1, least = Limits::denorm_min();     \
  [[maybe_unused]] constexpr T small = Limits::min() / 2, most = Limits::max()

}  // namespace frit::test
