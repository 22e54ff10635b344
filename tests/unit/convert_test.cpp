// Conversions between all real dtypes on every ISA that runs here, against conversions in 128 bits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>

#include "support/integer_cases.hpp"
#include "support/same.hpp"

namespace frit::test {
namespace {

// A boolean is any byte as a source, 0 or 1 as a result.
struct Boolean {
  unsigned char byte;
};

// Calls fn.template operator()<T>(dtype) for each real dtype.
template <class Fn> void for_each_real_dtype(Fn fn) {
  fn.template operator()<Boolean>(DType::boolean);
  for_each_integer_dtype(fn);
  fn.template operator()<float>(DType::f32);
  fn.template operator()<double>(DType::f64);
}

template <class T> bool truth(T x) {
  if constexpr (std::is_same_v<T, Boolean>)
    return x.byte != 0;
  else
    return x != 0;
}

template <class T, class F> T saturated(F x) {
  if (std::isnan(x)) return 0;
  constexpr Wide least = wide(std::numeric_limits<T>::min()), most = wide(std::numeric_limits<T>::max());
  if (x >= F(0x1p100)) return static_cast<T>(most);
  if (x <= F(-0x1p100)) return static_cast<T>(least);
  return static_cast<T>(std::clamp(static_cast<Wide>(x), least, most));
}

template <class To, class From> To expected(From x) {
  if constexpr (std::is_same_v<To, Boolean>) {
    return {static_cast<unsigned char>(truth(x))};
  } else if constexpr (std::is_same_v<From, Boolean>) {
    return static_cast<To>(truth(x));
  } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    return static_cast<To>(static_cast<unsigned __int128>(wide(x)));
  } else if constexpr (std::is_integral_v<From>) {
    return static_cast<To>(wide(x));  // by integer arithmetic, in the compiler's library
  } else if constexpr (std::is_integral_v<To>) {
    return saturated<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class T> bool same_element(T a, T b) {
  if constexpr (std::is_same_v<T, Boolean>)
    return a.byte == b.byte;
  else if constexpr (std::is_integral_v<T>)
    return a == b;
  else
    return same(a, b);
}

template <class T> std::string text_of(T x) {
  if constexpr (std::is_same_v<T, Boolean>)
    return std::to_string(x.byte);
  else
    return std::to_string(x);
}

template <class T> std::vector<T> elements(std::mt19937_64& random) {
  std::vector<T> result;
  if constexpr (std::is_same_v<T, Boolean>) {
    for (int i = 0; i < 256; ++i) result.push_back({static_cast<unsigned char>(i)});
  } else if constexpr (std::is_integral_v<T>) {
    result = integer_edges<T>();
    // What lies halfway between two floating numbers, and just beside.
    for (int top = 24; top < 64; ++top) {
      for (const int digits : {std::numeric_limits<float>::digits, std::numeric_limits<double>::digits}) {
        if (top < digits) continue;
        const std::uint64_t half = std::uint64_t{1} << (top - digits);
        for (int i = 0; i < 4; ++i) {
          const std::uint64_t leading =
              (std::uint64_t{1} << top) | (random() & ((std::uint64_t{1} << top) - 1) & ~(2 * half - 1));
          for (const std::uint64_t n : {leading + half - 1, leading + half, leading + half + 1}) {
            result.push_back(static_cast<T>(n));
            result.push_back(static_cast<T>(std::uint64_t{0} - n));
          }
        }
      }
    }
    for (int i = 0; i < 5000; ++i) result.push_back(any_integer<T>(random));
  } else {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    result = {0,
              infinity,
              std::numeric_limits<T>::quiet_NaN(),
              std::numeric_limits<T>::denorm_min(),
              std::numeric_limits<T>::min(),
              std::numeric_limits<T>::max()};
    for (int k = -3; k < 70; ++k) {
      const T power = std::ldexp(T(1), k);
      for (const T d : {T(0), T(0.25), T(0.5), T(0.75), T(1), T(1.5)}) {
        result.push_back(power + d);
        result.push_back(power - d);
      }
      result.push_back(std::nextafter(power, infinity));
      result.push_back(std::nextafter(power, T(0)));
    }
    // Around what an f32 can hold: halves of its last digit, its largest and its subnormal numbers.
    for (const double top : {0x1p-149, 0x1p-127, 0x1p-126, 1.0, 0x1.fffffep127}) {
      for (const double d : {-1.5, -1.0, -0.5, 0.5, 1.0, 1.5}) {
        result.push_back(static_cast<T>(top * (1 + d * 0x1p-24)));
        result.push_back(static_cast<T>(top * (1 + d * 0x1p-24 + d * 0x1p-50)));
      }
    }
    for (int i = 0; i < 20'000; ++i) {
      result.push_back(std::bit_cast<T>(static_cast<Unsigned<T>>(random())));
      result.push_back(
          std::ldexp(static_cast<T>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 66) - 64));
    }
    const std::size_t n = result.size();
    for (std::size_t i = 0; i < n; ++i) result.push_back(-result[i]);
  }
  return result;
}

// Calls check.template operator()<From, To>(from, to) for every pair.
template <class Check> void for_each_pair(Check check) {
  for_each_real_dtype([&]<class From>(DType from) {
    for_each_real_dtype([&]<class To>(DType to) { check.template operator()<From, To>(from, to); });
  });
}

template <class From, class To>
void check_run(const exec::KernelTable& table, DType from, DType to, const From* x, std::size_t n,
               EdgeArray::Place place) {
  static EdgeArray source, result;
  void* const in = source.place(n * sizeof(From), place);
  void* const out = result.place(n * sizeof(To), place);
  if (n != 0) std::memcpy(in, x, n * sizeof(From));
  table.convert[static_cast<int>(from)][static_cast<int>(to)](in, out, static_cast<std::int64_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    To got;
    std::memcpy(&got, static_cast<const std::byte*>(out) + i * sizeof(To), sizeof(To));
    const To want = expected<To>(x[i]);
    ASSERT_TRUE(same_element(got, want)) << name_of(from) << " to " << name_of(to) << " " << table.isa << ", " << n
                                         << " elements: of " << text_of(x[i]) << " " << text_of(got) << ", not "
                                         << text_of(want);
  }
  EXPECT_TRUE(source.intact() && result.intact()) << name_of(from) << " to " << name_of(to) << " n = " << n;
}

TEST(Convert, EveryPairOfDtypes) {
  std::mt19937_64 random(1);
  for_each_pair([&]<class From, class To>(DType from, DType to) {
    const std::vector<From> x = elements<From>(random);
    constexpr std::size_t block = EdgeArray::room / 16;
    for (const exec::KernelTable* table : exec::usable_tables()) {
      for (std::size_t i = 0; i < x.size() && !HasFatalFailure(); i += block)
        check_run<From, To>(*table, from, to, &x[i], std::min(block, x.size() - i), EdgeArray::Place::unaligned);
    }
  });
}

TEST(Convert, EveryLengthAndAddress) {
  std::mt19937_64 random(2);
  for_each_pair([&]<class From, class To>(DType from, DType to) {
    const std::vector<From> all = elements<From>(random);
    for (std::size_t n = 0; n < 140; n += n < 70 ? 1 : 9) {
      for (const exec::KernelTable* table : exec::usable_tables()) {
        const From* const x = &all[random() % (all.size() - n)];
        check_run<From, To>(*table, from, to, x, n, EdgeArray::Place::before_a_guard);
        check_run<From, To>(*table, from, to, x, n, EdgeArray::Place::unaligned);
      }
    }
  });
}

TEST(Convert, InPlaceWhereTheSizeIsTheSame) {
  std::mt19937_64 random(3);
  for_each_pair([&]<class From, class To>(DType from, DType to) {
    if constexpr (sizeof(From) == sizeof(To)) {
      for (const exec::KernelTable* table : exec::usable_tables()) {
        const std::vector<From> x = elements<From>(random);
        std::vector<From> memory = x;
        table->convert[static_cast<int>(from)][static_cast<int>(to)](memory.data(), memory.data(),
                                                                     static_cast<std::int64_t>(x.size()));
        for (std::size_t i = 0; i < x.size(); ++i) {
          ASSERT_TRUE(same_element(std::bit_cast<To>(memory[i]), expected<To>(x[i])))
              << name_of(from) << " to " << name_of(to) << " of " << text_of(x[i]);
        }
      }
    }
  });
}

// Said once without the oracle.
TEST(Convert, NamedCases) {
  const auto of = []<class From, class To>(DType from, DType to, From x, To) {
    To got{};
    exec::active_table().convert[static_cast<int>(from)][static_cast<int>(to)](&x, &got, 1);
    return got;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(of(DType::f64, DType::boolean, nan, std::uint8_t{}), 1);
  EXPECT_EQ(of(DType::f64, DType::boolean, -0.0, std::uint8_t{}), 0);
  EXPECT_EQ(of(DType::f64, DType::i32, nan, std::int32_t{7}), 0);
  EXPECT_EQ(of(DType::f64, DType::i32, 2147483647.9, std::int32_t{}), 2147483647);
  EXPECT_EQ(of(DType::f64, DType::i32, -1e300, std::int32_t{}), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(of(DType::f32, DType::u64, -1.0f, std::uint64_t{7}), 0u);
  EXPECT_EQ(of(DType::f32, DType::u64, 0x1p64f, std::uint64_t{}), ~std::uint64_t{0});
  EXPECT_EQ(of(DType::f32, DType::i8, -128.9f, std::int8_t{}), -128);
  EXPECT_EQ(of(DType::u64, DType::f64, ~std::uint64_t{0}, 0.0), 0x1p64);
  EXPECT_EQ(of(DType::u64, DType::f32, (std::uint64_t{1} << 63) + (std::uint64_t{1} << 39) + 1, 0.0f), 0x1.000002p63f);
  EXPECT_EQ(of(DType::i64, DType::f32, (std::int64_t{1} << 62) + (std::int64_t{1} << 38), 0.0f), 0x1p62f);
  EXPECT_EQ(of(DType::i16, DType::u8, std::int16_t{-1}, std::uint8_t{}), 255);
  EXPECT_EQ(of(DType::i8, DType::u64, std::int8_t{-1}, std::uint64_t{}), ~std::uint64_t{0});
  EXPECT_EQ(of(DType::boolean, DType::f32, std::uint8_t{9}, 0.0f), 1.0f);
}

}  // namespace
}  // namespace frit::test
