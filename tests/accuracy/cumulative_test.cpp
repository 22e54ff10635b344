// Cumulative sums and products, against a plain model of their order.
#include <gtest/gtest.h>

#include "support/guarded.hpp"
#include "support/reduce.hpp"

namespace frit {
namespace {

using exec::KernelTable;
using exec::ScanState;
using namespace test;

template <class T> class Floats : public testing::Test {};
using FloatTypes = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Floats, FloatTypes);

template <class T> class Reals : public testing::Test {};
using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Reals, RealTypes);

template <class T> class Integers : public testing::Test {};
using IntegerTypes = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                    std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Integers, IntegerTypes);

template <class T, class Combine> std::vector<T> cumulative_model(const std::vector<T>& x, T neutral, Combine combine) {
  std::vector<T> result(x.size());
  T before = neutral, inside = neutral;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % 64 == 0 && i > 0) before = result[i - 1];
    inside = i % 64 == 0 ? x[i] : combine(inside, x[i]);
    result[i] = combine(before, inside);
  }
  return result;
}
template <class Result, class T>
std::vector<Result> scanned(const KernelTable& table, int id, const std::vector<T>& x, std::size_t run) {
  const exec::ScanKernel kernel = table.reductions.scan[id][static_cast<int>(dtype_of<T>())];
  std::vector<Result> result(x.size());
  ScanState state;
  for (std::size_t i = 0; i < x.size(); i += run) {
    kernel(state, &x[i], &result[i], static_cast<std::int64_t>(std::min(run, x.size() - i)));
  }
  return result;
}
template <class Result, class T, class Combine>
void check_cumulative(std::string_view name, const std::vector<T>& x, Result neutral, Combine combine) {
  const std::vector<std::uint64_t> expected =
      bits_of(cumulative_model(std::vector<Result>(x.begin(), x.end()), neutral, combine));
  const int id = ops::reduction_named(name);
  for (const KernelTable* table : exec::usable_tables()) {
    const auto once = scanned<Result>(*table, id, x, x.size() + 1);
    ASSERT_EQ(bits_of(once), expected) << name << " " << table->isa << " " << x.size();
    for (std::size_t run : {64u, 192u, 512u, 1024u}) {
      const auto in_runs = scanned<Result>(*table, id, x, run);
      ASSERT_EQ(bits_of(in_runs), expected) << name << " " << table->isa << " " << x.size() << " " << run;
    }
    if constexpr (std::is_same_v<Result, T>) {
      std::vector<T> in_place = x;
      ScanState state;
      table->reductions.scan[id][static_cast<int>(dtype_of<T>())](state, in_place.data(), in_place.data(),
                                                                  static_cast<std::int64_t>(x.size()));
      ASSERT_EQ(bits_of(in_place), expected) << name << " " << table->isa << " " << x.size();
    }
  }
}

TYPED_TEST(Floats, HaveTheBitsOfTheOrder) {
  using T = TypeParam;
  for (std::size_t n : lengths()) {
    if (n > 5000) break;
    const std::vector<T> x = numbers<T>(n, static_cast<unsigned>(n));
    check_cumulative("sum", x, T(0), added<T>);
    if constexpr (is_complex_type<T>) {
      check_cumulative("prod", x, T(1), complex_product<typename T::value_type>);
    } else {
      check_cumulative("prod", x, T(1), multiplied<T>);
    }
  }
}

TYPED_TEST(Integers, Wrap) {
  using T = TypeParam;
  using Result = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  const auto plus = [](Result a, Result b) {
    return static_cast<Result>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  };
  const auto times = [](Result a, Result b) {
    return static_cast<Result>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  };
  for (std::size_t n : {0u, 1u, 63u, 64u, 65u, 511u, 512u, 513u, 600u, 1600u}) {
    const std::vector<T> x = any_numbers<T>(n, 1, false);
    check_cumulative("sum", x, Result(0), plus);
    check_cumulative("prod", x, Result(1), times);
  }
}

TYPED_TEST(Reals, SumsOfPositiveNumbersNeverDecrease) {
  using T = TypeParam;
  std::vector<T> x = numbers<T>(20000, 5);
  for (T& value : x) value = std::abs(value) * (value > 1 ? T(1) : std::numeric_limits<T>::epsilon() * 3);
  x[0] = T(-0.0);
  for (const KernelTable* table : exec::usable_tables()) {
    const std::vector<T> sums = scanned<T>(*table, ops::reduction_named("sum"), x, x.size());
    EXPECT_FALSE(std::signbit(sums[0]));
    for (std::size_t i = 1; i < sums.size(); ++i) ASSERT_GE(sums[i], sums[i - 1]) << table->isa << " " << i;
  }
}

TEST(Cumulative, StaysInsideItsMemory) {
  for (const Entry& entry : entries()) {
    if (ops::AllReductions::infos[entry.id].cumulative.empty()) continue;
    for (std::size_t n : {1u, 7u, 64u, 65u, 513u}) {
      const Image data = elements(entry, n);
      for (const KernelTable* table : exec::usable_tables()) {
        const exec::ScanKernel kernel = table->reductions.scan[entry.id][static_cast<int>(entry.dtype)];
        Image expected(n * entry.result_size);
        ScanState state;
        kernel(state, data.data(), expected.data(), static_cast<std::int64_t>(n));
        for (std::size_t offset = 0; offset < 16; ++offset) {
          const test::Guarded from(data.size() + offset, true), to(expected.size() + offset, true);
          const test::Guarded from_begin(data.size(), false), to_begin(expected.size(), false);
          std::memcpy(from.data() + offset, data.data(), data.size());
          std::memcpy(from_begin.data(), data.data(), data.size());
          ScanState again, at_begin;
          kernel(again, from.data() + offset, to.data() + offset, static_cast<std::int64_t>(n));
          kernel(at_begin, from_begin.data(), to_begin.data(), static_cast<std::int64_t>(n));
          ASSERT_EQ(std::memcmp(to.data() + offset, expected.data(), expected.size()), 0) << entry.name << " " << n;
          ASSERT_EQ(std::memcmp(to_begin.data(), expected.data(), expected.size()), 0) << entry.name << " " << n;
        }
      }
    }
  }
}

}  // namespace
}  // namespace frit
