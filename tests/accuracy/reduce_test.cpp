// Reductions: the fixed order of sums and products against a plain model of it, everything else against plain loops.
#include "exec/reduce_range.hpp"

#include <gtest/gtest.h>
#include <quadmath.h>

#include "support/guarded.hpp"
#include "support/reduce.hpp"

namespace frit {
namespace {

using exec::KernelTable;
using exec::ReduceKernel;
using ReduceState = exec::ReduceRange;
using namespace test;

const ReduceKernel& kernel_of(const KernelTable& table, std::string_view name, DType dtype) {
  const int id = ops::reduction_named(name);
  EXPECT_GE(id, 0) << name;
  const ReduceKernel& kernel = table.reductions.reduce[id][static_cast<int>(dtype)];
  EXPECT_NE(kernel.add, nullptr) << name << " " << name_of(dtype);
  return kernel;
}

template <class Result, class T>
Result reduced(const KernelTable& table, std::string_view name, const std::vector<T>& x) {
  const ReduceKernel& kernel = kernel_of(table, name, dtype_of<T>());
  const auto n = static_cast<std::int64_t>(x.size());
  ReduceState state(0, n);
  kernel.add(state, x.data(), n);
  Result result;
  kernel.finish(state, &result);
  return result;
}

// The order of ops/reduce.hpp once more, element by element.
template <class T, class Combine> T model(const std::vector<T>& x, T neutral, Combine combine) {
  if (x.empty()) return neutral;
  std::vector<std::array<T, 32>> block((x.size() + 255) / 256);
  for (std::size_t b = 0; b < block.size(); ++b) {
    block[b].fill(neutral);
    for (std::size_t i = 256 * b; i < 256 * (b + 1); ++i) {
      T& lane = block[b][i % 32];
      lane = combine(lane, i < x.size() ? x[i] : neutral);
    }
  }
  const auto of_blocks = [&](auto self, std::size_t first, std::size_t n) -> std::array<T, 32> {
    if (n == 1) return block[first];
    std::size_t left = 1;
    while (2 * left < n) left *= 2;
    std::array<T, 32> a = self(self, first, left);
    const std::array<T, 32> b = self(self, first + left, n - left);
    for (std::size_t l = 0; l < 32; ++l) a[l] = combine(a[l], b[l]);
    return a;
  };
  std::array<T, 32> lanes = of_blocks(of_blocks, 0, block.size());
  for (std::size_t h = 16; h > 0; h /= 2) {
    for (std::size_t l = 0; l < h; ++l) lanes[l] = combine(lanes[l], lanes[l + h]);
  }
  return lanes[0];
}
template <class T> T model_sum(const std::vector<T>& x) { return model(x, T(0), added<T>); }
template <class T> T model_product(const std::vector<T>& x) {
  if constexpr (is_complex_type<T>) {
    return model(x, T(1), complex_product<typename T::value_type>);
  } else {
    return model(x, T(1), multiplied<T>);
  }
}

template <class T> class Floats : public testing::Test {};
using FloatTypes = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Floats, FloatTypes);

TYPED_TEST(Floats, HasTheBitsOfTheTree) {
  using T = TypeParam;
  for (std::size_t n : lengths()) {
    const std::vector<T> x = numbers<T>(n, static_cast<unsigned>(n));
    const std::vector<std::uint64_t> sum = bits_of(model_sum(x)), product = bits_of(model_product(x));
    for (const KernelTable* table : exec::usable_tables()) {
      ASSERT_EQ(bits_of(reduced<T>(*table, "sum", x)), sum) << table->isa << " " << n;
      ASSERT_EQ(bits_of(reduced<T>(*table, "prod", x)), product) << table->isa << " " << n;
    }
  }
}

// The parts of a complex sum are the sums of the parts.
TYPED_TEST(Floats, SumsPartsApart) {
  if constexpr (is_complex_type<TypeParam>) {
    using P = typename TypeParam::value_type;
    for (std::size_t n : {1u, 31u, 300u, 5000u}) {
      const std::vector<TypeParam> z = numbers<TypeParam>(n, 7);
      std::vector<P> re, im;
      for (const TypeParam& value : z) {
        re.push_back(value.real());
        im.push_back(value.imag());
      }
      const KernelTable& table = *exec::usable_tables().back();
      EXPECT_EQ(reduced<TypeParam>(table, "sum", z),
                TypeParam(reduced<P>(table, "sum", re), reduced<P>(table, "sum", im)));
    }
  }
}

template <class T> class Reals : public testing::Test {};
using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Reals, RealTypes);

// Of n terms a sum meets at most 8 + log2(blocks) + 5 roundings of each.
TYPED_TEST(Reals, SumsAreNearTheExactOnes) {
  using T = TypeParam;
  for (std::size_t n : lengths()) {
    const std::vector<T> x = numbers<T>(n, 3);
    __float128 exact = 0, size = 0;
    for (T value : x) {
      exact += value;
      size += value < 0 ? -value : value;
    }
    const __float128 bound = (13 + std::log2(static_cast<double>(n) / 256 + 1)) *
                             static_cast<double>(std::numeric_limits<T>::epsilon()) / 2 * size;
    for (const KernelTable* table : exec::usable_tables()) {
      const __float128 error = fabsq(reduced<T>(*table, "sum", x) - exact);
      ASSERT_LE(static_cast<double>(error), static_cast<double>(bound)) << table->isa << " " << n;
    }
  }
}

TEST(Reduce, AMillionTenths) {
  const std::vector<float> x(1000000, 0.1f);
  const double exact = 1e6 * static_cast<double>(0.1f);
  for (const KernelTable* table : exec::usable_tables()) {
    EXPECT_NEAR(static_cast<double>(reduced<float>(*table, "sum", x)) / exact, 1, 1e-7) << table->isa;
  }
}

TYPED_TEST(Reals, SpecialValues) {
  using T = TypeParam;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (const KernelTable* table : exec::usable_tables()) {
    const auto gives = [&](std::string_view name, const std::vector<T>& x, T expected) {
      EXPECT_EQ(bits_of(reduced<T>(*table, name, x)), bits_of(expected)) << table->isa << " " << name;
    };
    gives("sum", {}, T(0));
    gives("sum", {T(-0.0)}, T(0));
    gives("sum", std::vector<T>(700, T(-0.0)), T(0));
    gives("sum", {inf, T(1)}, inf);
    gives("sum", {inf, -inf}, nan);
    gives("sum", {std::numeric_limits<T>::denorm_min()}, std::numeric_limits<T>::denorm_min());
    gives("prod", {}, T(1));
    gives("prod", {T(-0.0)}, T(-0.0));
    gives("prod", {inf, T(0)}, nan);
    gives("prod", {T(2), -inf}, -inf);
    gives("min", {}, inf);
    gives("max", {}, -inf);
    gives("min", {T(0), T(-0.0), T(0)}, T(-0.0));
    gives("max", {T(-0.0), T(0), T(-0.0)}, T(0));
    gives("max", {T(-0.0), T(-0.0)}, T(-0.0));
    gives("min", {inf, inf}, inf);
    for (std::size_t n : {1u, 33u, 256u, 300u, 1500u}) {
      for (std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
        std::vector<T> x(n, T(1));
        x[at] = nan;
        for (std::string_view name : {"sum", "prod", "min", "max"}) gives(name, x, nan);
        x[at] = -nan;  // the result is canonical
        const T least = reduced<T>(*table, "min", x);
        EXPECT_FALSE(std::signbit(least));
      }
    }
  }
}

TEST(Reduce, ComplexInfinity) {
  using Z = std::complex<double>;
  const double inf = std::numeric_limits<double>::infinity();
  for (const KernelTable* table : exec::usable_tables()) {
    EXPECT_EQ(reduced<Z>(*table, "prod", std::vector<Z>{{inf, 2}}), Z(inf, 2));
    EXPECT_EQ(bits_of(reduced<Z>(*table, "prod", std::vector<Z>{{-0.0, -0.0}})), bits_of(Z(-0.0, -0.0)));
  }
}

template <class T> class Numbers : public testing::Test {};
using NumberTypes = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                   std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(Numbers, NumberTypes);

TYPED_TEST(Numbers, LeastAndGreatest) {
  using T = TypeParam;
  const auto less = [](T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (a == b) return std::signbit(a) && !std::signbit(b);
    }
    return a < b;
  };
  for (std::size_t n : lengths()) {
    for (bool few : {false, true}) {
      const std::vector<T> x = any_numbers<T>(n, static_cast<unsigned>(n), few);
      T least = ops::greatest<T>(), greatest = ops::least<T>();
      std::int64_t at_least = -1, at_greatest = -1, nonzero = 0;
      bool nan = false;
      for (std::size_t i = 0; i < n; ++i) {
        nonzero += x[i] != T(0) ? 1 : 0;
        if (nan) continue;
        nan = x[i] != x[i];
        if (nan || at_least < 0 || x[i] < x[static_cast<std::size_t>(at_least)])
          at_least = static_cast<std::int64_t>(i);
        if (nan || at_greatest < 0 || x[i] > x[static_cast<std::size_t>(at_greatest)])
          at_greatest = static_cast<std::int64_t>(i);
        if (nan || less(x[i], least)) least = x[i];
        if (nan || less(greatest, x[i])) greatest = x[i];
      }
      for (const KernelTable* table : exec::usable_tables()) {
        SCOPED_TRACE(std::string(table->isa) + " " + std::to_string(n));
        ASSERT_EQ(bits_of(reduced<T>(*table, "min", x)), bits_of(least));
        ASSERT_EQ(bits_of(reduced<T>(*table, "max", x)), bits_of(greatest));
        ASSERT_EQ(reduced<std::int64_t>(*table, "argmin", x), at_least);
        ASSERT_EQ(reduced<std::int64_t>(*table, "argmax", x), at_greatest);
        ASSERT_EQ(reduced<std::int64_t>(*table, "count_nonzero", x), nonzero);
        ASSERT_EQ(reduced<std::uint8_t>(*table, "any", x), nonzero > 0 ? 1 : 0);
        ASSERT_EQ(reduced<std::uint8_t>(*table, "all", x), nonzero == static_cast<std::int64_t>(n) ? 1 : 0);
      }
    }
  }
}

// As many ones as no narrow counter holds.
TYPED_TEST(Numbers, CountsFarBeyondAByte) {
  const std::vector<TypeParam> ones(100003, TypeParam(1));
  for (const KernelTable* table : exec::usable_tables()) {
    EXPECT_EQ(reduced<std::int64_t>(*table, "count_nonzero", ones), 100003) << table->isa;
  }
}

// One element that decides, at every place.
TYPED_TEST(Numbers, AnyAndAllSeeEveryElement) {
  using T = TypeParam;
  for (std::size_t n : {1u, 33u, 300u}) {
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<T> zeros(n, T(0)), ones(n, T(1));
      zeros[at] = std::is_floating_point_v<T> ? std::numeric_limits<T>::denorm_min() : std::numeric_limits<T>::max();
      ones[at] = T(0);
      for (const KernelTable* table : exec::usable_tables()) {
        ASSERT_EQ(reduced<std::uint8_t>(*table, "any", zeros), 1) << table->isa << " " << n << " " << at;
        ASSERT_EQ(reduced<std::uint8_t>(*table, "all", ones), 0) << table->isa << " " << n << " " << at;
      }
    }
  }
}

TYPED_TEST(Numbers, IntegersWrapIn64Bits) {
  using T = TypeParam;
  if constexpr (std::is_integral_v<T>) {
    using Result = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    for (std::size_t n : lengths()) {
      std::vector<T> x = any_numbers<T>(n, static_cast<unsigned>(n), false);
      std::uint64_t sum = 0, product = 1;
      for (T& value : x) {
        value = static_cast<T>(value | 1);  // an odd factor keeps the product from becoming zero
        sum += static_cast<std::uint64_t>(value);
        product *= static_cast<std::uint64_t>(value);
      }
      for (const KernelTable* table : exec::usable_tables()) {
        ASSERT_EQ(reduced<Result>(*table, "sum", x), static_cast<Result>(sum)) << table->isa << " " << n;
        ASSERT_EQ(reduced<Result>(*table, "prod", x), static_cast<Result>(product)) << table->isa << " " << n;
      }
    }
  }
}

Image finished(const Entry& entry, const ReduceKernel& kernel, const ReduceState& state) {
  Image image(entry.result_size);
  kernel.finish(state, image.data());
  return image;
}
Image whole(const Entry& entry, const KernelTable& table, const void* data, std::size_t n) {
  const ReduceKernel& kernel = table.reductions.reduce[entry.id][static_cast<int>(entry.dtype)];
  ReduceState state(0, static_cast<std::int64_t>(n));
  kernel.add(state, data, static_cast<std::int64_t>(n));
  return finished(entry, kernel, state);
}

TEST(Reduce, EveryIsaHasTheSameBytes) {
  for (const Entry& entry : entries()) {
    for (std::size_t n : lengths()) {
      const Image data = elements(entry, n);
      const Image first = whole(entry, *exec::usable_tables().front(), data.data(), n);
      for (const KernelTable* table : exec::usable_tables()) {
        ASSERT_EQ(whole(entry, *table, data.data(), n), first) << entry.name << " " << table->isa << " " << n;
      }
    }
  }
}

TEST(Reduce, RunsOfAnyMultipleOfTheBlock) {
  for (const Entry& entry : entries()) {
    const std::size_t n = 21 * 256 + 77;
    const Image data = elements(entry, n);
    for (const KernelTable* table : exec::usable_tables()) {
      const Image expected = whole(entry, *table, data.data(), n);
      const ReduceKernel& kernel = table->reductions.reduce[entry.id][static_cast<int>(entry.dtype)];
      for (std::size_t run = 256; run < n; run += 256) {
        ReduceState state(0, static_cast<std::int64_t>(n));
        for (std::size_t i = 0; i < n; i += run) {
          kernel.add(state, data.data() + i * entry.size, static_cast<std::int64_t>(std::min(run, n - i)));
        }
        kernel.add(state, nullptr, 0);
        ASSERT_EQ(finished(entry, kernel, state), expected) << entry.name << " " << table->isa << " " << run;
      }
    }
  }
}

// Sums of blocks in the place of elements, in runs and ranges of any multiple of the block.
TEST(Reduce, SumsOfBlocksForElements) {
  int kernels = 0;
  for (const Entry& entry : entries())
    for (const KernelTable* table : exec::usable_tables()) {
      const ReduceKernel& kernel = table->reductions.reduce[entry.id][static_cast<int>(entry.dtype)];
      ASSERT_EQ(kernel.sum_blocks != nullptr, ops::sums_by_blocks(ops::AllReductions::infos[entry.id], entry.dtype));
      ASSERT_EQ(kernel.sum_blocks != nullptr, kernel.add_blocks != nullptr);
      if (kernel.sum_blocks == nullptr) continue;
      ++kernels;
      for (const std::size_t n : lengths())
        for (const std::size_t run : {std::size_t{256}, std::size_t{1024}, n / 256 * 256 + 256}) {
          const Image data = elements(entry, n);
          ReduceState state(0, static_cast<std::int64_t>(n));
          for (std::size_t i = 0; i < n; i += run) {
            const std::size_t m = std::min(run, n - i), in_blocks = m / 256 * 256;
            Image part(data.begin() + static_cast<std::ptrdiff_t>(i * entry.size),
                       data.begin() + static_cast<std::ptrdiff_t>((i + m) * entry.size));
            kernel.sum_blocks(part.data(), static_cast<std::int64_t>(m / 256));
            part.erase(part.begin() + static_cast<std::ptrdiff_t>(in_blocks / 8 * entry.size),
                       part.begin() + static_cast<std::ptrdiff_t>(in_blocks * entry.size));
            ASSERT_EQ(part.size(),
                      static_cast<std::size_t>(exec::size_by_blocks(static_cast<std::int64_t>(m))) * entry.size);
            kernel.add_blocks(state, part.data(), static_cast<std::int64_t>(m));
          }
          ASSERT_EQ(state.count, static_cast<std::int64_t>(n));
          ASSERT_EQ(finished(entry, kernel, state), whole(entry, *table, data.data(), n))
              << entry.name << " " << table->isa << " " << n;
        }
    }
  EXPECT_GE(kernels, 2);
}

// Three ranges with any borders, each in runs of its own, merged from the left and from the right.
TEST(Reduce, MergedRanges) {
  for (const Entry& entry : entries()) {
    const std::size_t blocks = 21, n = (blocks - 1) * 256 + 77;
    const Image data = elements(entry, n);
    for (const KernelTable* table : exec::usable_tables()) {
      const Image expected = whole(entry, *table, data.data(), n);
      const ReduceKernel& kernel = table->reductions.reduce[entry.id][static_cast<int>(entry.dtype)];
      for (std::size_t a = 0; a <= blocks; ++a) {
        for (std::size_t b = a; b <= blocks; ++b) {
          const std::size_t border[] = {0, std::min(256 * a, n), std::min(256 * b, n), n};
          for (bool from_left : {true, false}) {
            // With memory for what each becomes.
            const auto range_from = [&](std::size_t block) {
              const auto first = static_cast<std::int64_t>(std::min(256 * block, n));
              return ReduceState(static_cast<std::int64_t>(256 * block), static_cast<std::int64_t>(n) - first);
            };
            ReduceState part[3] = {range_from(0), range_from(a), range_from(b)};
            for (std::size_t p = 0; p < 3; ++p) {
              for (std::size_t i = border[p]; i < border[p + 1]; i += 768) {
                const std::size_t m = std::min<std::size_t>(768, border[p + 1] - i);
                kernel.add(part[p], data.data() + i * entry.size, static_cast<std::int64_t>(m));
              }
            }
            if (from_left) {
              kernel.merge(part[0], part[1]);
              kernel.merge(part[0], part[2]);
            } else {
              kernel.merge(part[1], part[2]);
              kernel.merge(part[0], part[1]);
            }
            ASSERT_EQ(part[0].count, static_cast<std::int64_t>(n));
            ASSERT_EQ(finished(entry, kernel, part[0]), expected)
                << entry.name << " " << table->isa << " " << a << " " << b;
          }
        }
      }
    }
  }
}

TEST(Reduce, AnyAddressAndNothingBeyond) {
  for (const Entry& entry : entries()) {
    for (std::size_t n : {0u, 1u, 5u, 31u, 32u, 33u, 255u, 256u, 257u, 600u, 1100u}) {
      const Image data = elements(entry, n);
      for (const KernelTable* table : exec::usable_tables()) {
        const Image expected = whole(entry, *table, data.data(), n);
        for (std::size_t offset = 0; offset < 64; ++offset) {
          const test::Guarded memory(data.size() + offset, true);  // ends at a page that cannot be read
          std::byte* const at = memory.data() + offset;
          if (n > 0) std::memcpy(at, data.data(), data.size());
          ASSERT_EQ(whole(entry, *table, at, n), expected)
              << entry.name << " " << table->isa << " " << n << " " << offset;
          if (offset % 16 != 0) continue;
          const test::Guarded begin(data.size() + offset, false);
          if (n > 0) std::memcpy(begin.data(), data.data(), data.size());
          ASSERT_EQ(whole(entry, *table, begin.data(), n), expected) << entry.name << " " << table->isa << " " << n;
        }
      }
    }
  }
}

// A sum of 2^20 blocks meets every level of the cascade up to 20; the threads' ranges are those of a program.
TEST(Reduce, LongSumsInRanges) {
  const std::size_t n = (std::size_t{1} << 22) + 12345;
  const std::vector<float> x = numbers<float>(n, 1);
  const std::vector<std::uint64_t> expected = bits_of(model_sum(x));
  for (const KernelTable* table : exec::usable_tables()) {
    const ReduceKernel& kernel = kernel_of(*table, "sum", DType::f32);
    EXPECT_EQ(bits_of(reduced<float>(*table, "sum", x)), expected) << table->isa;
    for (std::size_t ranges : {2u, 3u, 7u}) {
      const std::size_t range = (n / ranges + 255) / 256 * 256;
      ReduceState total(0, static_cast<std::int64_t>(n));
      for (std::size_t i = 0; i < n; i += range) {
        ReduceState part(static_cast<std::int64_t>(i), static_cast<std::int64_t>(range));
        kernel.add(part, &x[i], static_cast<std::int64_t>(std::min(range, n - i)));
        kernel.merge(total, part);
      }
      float result;
      kernel.finish(total, &result);
      EXPECT_EQ(bits_of(result), expected) << table->isa << " " << ranges;
    }
  }
}

}  // namespace
}  // namespace frit
