// Reductions: the fixed order of sums and products against a plain model of it, everything else against plain loops.
#include "exec/reduce.hpp"

#include <gtest/gtest.h>
#include <quadmath.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "exec/kernel_table.hpp"
#include "support/guarded.hpp"

namespace frit {
namespace {

using exec::KernelTable;
using exec::ReduceKernel;
using exec::ReduceState;
using exec::ScanState;

template <class T> constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, std::int8_t>) return DType::i8;
  if constexpr (std::is_same_v<T, std::int16_t>) return DType::i16;
  if constexpr (std::is_same_v<T, std::int32_t>) return DType::i32;
  if constexpr (std::is_same_v<T, std::int64_t>) return DType::i64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return DType::u8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return DType::u16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return DType::u32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return DType::u64;
  if constexpr (std::is_same_v<T, float>) return DType::f32;
  if constexpr (std::is_same_v<T, double>) return DType::f64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return DType::c64;
  return DType::c128;
}
template <class T>
constexpr bool is_complex_type = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

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
  ReduceState state;
  kernel.add(state, x.data(), static_cast<std::int64_t>(x.size()));
  Result result;
  kernel.finish(state, &result);
  return result;
}

// The image of a number, of a complex one those of its parts; one image for all NaNs.
template <class T> std::vector<std::uint64_t> bits_of(const std::vector<T>& x) {
  std::vector<std::uint64_t> images;
  const auto add = [&](auto part) {
    std::uint64_t image = 0;
    std::memcpy(&image, &part, sizeof part);
    images.push_back(part == part ? image : ~std::uint64_t{0});
  };
  for (const T& value : x) {
    if constexpr (is_complex_type<T>) {
      add(value.real());
      add(value.imag());
    } else {
      add(value);
    }
  }
  return images;
}
template <class T> std::vector<std::uint64_t> bits_of(T x) { return bits_of(std::vector<T>{x}); }

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
template <class T> T added(T a, T b) { return a + b; }
template <class T> T multiplied(T a, T b) { return a * b; }
template <class P> std::complex<P> complex_product(std::complex<P> a, std::complex<P> b) {
  const auto is_one = [](std::complex<P> z) { return z.real() == 1 && z.imag() == 0 && !std::signbit(z.imag()); };
  if (is_one(b)) return a;
  if (is_one(a)) return b;
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class T> T model_sum(const std::vector<T>& x) { return model(x, T(0), added<T>); }
template <class T> T model_product(const std::vector<T>& x) {
  if constexpr (is_complex_type<T>) {
    return model(x, T(1), complex_product<typename T::value_type>);
  } else {
    return model(x, T(1), multiplied<T>);
  }
}

// Numbers whose sums and products round in nearly every step and do not overflow.
template <class T> std::vector<T> numbers(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> x(n);
  const auto one = [&](auto zero) {
    using P = decltype(zero);
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    return static_cast<P>((random() & 1) != 0 ? 0.75 + 0.55 * u : -(0.75 + 0.55 * u));
  };
  for (T& value : x) {
    if constexpr (is_complex_type<T>) {
      value = {one(typename T::value_type()), one(typename T::value_type())};
    } else {
      value = one(T());
    }
  }
  return x;
}

std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all;
  for (std::size_t n = 0; n <= 600; ++n) all.push_back(n);
  for (std::size_t n : {767u, 1024u, 1025u, 2047u, 4096u, 5000u, 65536u + 300u, 100003u}) all.push_back(n);
  return all;
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

// All types but complex ones: small numbers with many equal ones, or anything.
template <class T> std::vector<T> any_numbers(std::size_t n, unsigned seed, bool few) {
  std::mt19937_64 random(seed);
  std::vector<T> x(n);
  for (T& value : x) {
    const std::uint64_t r = random();
    if constexpr (std::is_floating_point_v<T>) {
      value = few ? std::array<T, 5>{T(0), T(-0.0), T(1), T(-1), T(2)}[r % 5]
                  : static_cast<T>(static_cast<std::int64_t>(r) >> 8) * T(0x1p-30);
      if (!few && seed % 3 == 0 && r % 200 == 0) value = std::numeric_limits<T>::quiet_NaN();
      if (few && seed % 3 == 0) value = value == T(-1) ? -std::numeric_limits<T>::infinity() : value;
    } else {
      value = few ? static_cast<T>(r % 3) : static_cast<T>(r >> 13);
    }
  }
  return x;
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

// What holds for every reduction and dtype: the bytes of a result depend on the elements alone.
struct Entry {
  int id;
  DType dtype;
  std::size_t size, result_size;
  std::string name;
};
std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (int id = 0; id < ops::AllReductions::size; ++id) {
    const ops::ReductionInfo& info = ops::AllReductions::infos[id];
    for (int t = 0; t < dtype_count; ++t) {
      const DType dtype = static_cast<DType>(t);
      if (!ops::accepts(info, dtype)) continue;
      all.push_back({id, dtype, size_of(dtype), size_of(ops::result_of(info, dtype)),
                     std::string(info.name) + " of " + std::string(name_of(dtype))});
    }
  }
  return all;
}
// Elements of all sizes; a boolean is 0 or 1.
std::vector<unsigned char> elements(const Entry& entry, std::size_t n) {
  std::mt19937_64 random(n);
  std::vector<unsigned char> data(n * entry.size);
  for (unsigned char& byte : data) {
    byte = static_cast<unsigned char>(random());
    if (entry.dtype == DType::boolean) byte &= 1u;
  }
  // Floating-point numbers near 1, so that sums and products depend on their order.
  for (std::size_t i = 0; i < n; ++i) {
    const auto put = [&](auto x) { std::memcpy(&data[i * sizeof x], &x, sizeof x); };
    const double x = 0.7 + static_cast<double>(random() >> 11) * 0x1p-53 * 0.6;
    if (entry.dtype == DType::f32) put(static_cast<float>(x));
    if (entry.dtype == DType::f64) put(x);
    if (entry.dtype == DType::c64) put(std::complex<float>(static_cast<float>(x), static_cast<float>(1 - x)));
    if (entry.dtype == DType::c128) put(std::complex<double>(x, 1 - x));
  }
  return data;
}
using Image = std::vector<unsigned char>;
Image finished(const Entry& entry, const ReduceKernel& kernel, const ReduceState& state) {
  Image image(entry.result_size);
  kernel.finish(state, image.data());
  return image;
}
Image whole(const Entry& entry, const KernelTable& table, const void* data, std::size_t n) {
  const ReduceKernel& kernel = table.reductions.reduce[entry.id][static_cast<int>(entry.dtype)];
  ReduceState state;
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
        ReduceState state;
        for (std::size_t i = 0; i < n; i += run) {
          kernel.add(state, data.data() + i * entry.size, static_cast<std::int64_t>(std::min(run, n - i)));
        }
        kernel.add(state, nullptr, 0);
        ASSERT_EQ(finished(entry, kernel, state), expected) << entry.name << " " << table->isa << " " << run;
      }
    }
  }
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
            ReduceState part[3] = {ReduceState(0), ReduceState(static_cast<std::int64_t>(256 * a)),
                                   ReduceState(static_cast<std::int64_t>(256 * b))};
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
      ReduceState total;
      for (std::size_t i = 0; i < n; i += range) {
        ReduceState part(static_cast<std::int64_t>(i));
        kernel.add(part, &x[i], static_cast<std::int64_t>(std::min(range, n - i)));
        kernel.merge(total, part);
      }
      float result;
      kernel.finish(total, &result);
      EXPECT_EQ(bits_of(result), expected) << table->isa << " " << ranges;
    }
  }
}

// Cumulative forms.

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

TYPED_TEST(Floats, CumulativeForms) {
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

TYPED_TEST(Numbers, CumulativeFormsOfIntegersWrap) {
  using T = TypeParam;
  if constexpr (std::is_integral_v<T>) {
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
}

TYPED_TEST(Reals, CumulativeSumsOfPositiveNumbersNeverDecrease) {
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

TEST(Reduce, CumulativeFormsStayInsideTheirMemory) {
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
