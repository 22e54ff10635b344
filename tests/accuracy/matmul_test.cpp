// Matrix products: the fixed order of every element against a plain model of it, for every ISA, layout and number of threads.
#include <gtest/gtest.h>
#include <quadmath.h>

#include "frit/frit.hpp"
#include "support/guarded.hpp"
#include "support/reduce.hpp"

namespace frit {
namespace {

using exec::KernelTable;
using exec::MatmulCall;
using exec::MatmulInto;
using test::bits_of;
using test::numbers;

template <class T> struct PlainMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<T> elements;
  PlainMatrix(std::size_t m, std::size_t n) : rows(m), columns(n), elements(m * n) {}
  PlainMatrix(std::size_t m, std::size_t n, std::vector<T> x) : rows(m), columns(n), elements(std::move(x)) {}
  T& at(std::size_t i, std::size_t j) { return elements[i * columns + j]; }
  const T& at(std::size_t i, std::size_t j) const { return elements[i * columns + j]; }
};

// The order of exec/matmul.hpp once more.
template <class T> T model_element(const PlainMatrix<T>& a, const PlainMatrix<T>& b, std::size_t i, std::size_t j) {
  const std::size_t k = a.columns;
  if constexpr (std::is_integral_v<T>) {
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < k; ++p)
      sum += static_cast<std::uint64_t>(a.at(i, p)) * static_cast<std::uint64_t>(b.at(p, j));
    return static_cast<T>(sum);
  } else {
    std::vector<T> blocks;
    for (std::size_t first = 0; first < k; first += 256) {
      T sum = 0;
      for (std::size_t p = first; p < std::min(k, first + 256); ++p) sum = std::fma(a.at(i, p), b.at(p, j), sum);
      blocks.push_back(sum);
    }
    const auto cascade = [&](auto self, std::size_t first, std::size_t n) -> T {
      if (n == 1) return blocks[first];
      std::size_t left = 1;
      while (2 * left < n) left *= 2;
      return self(self, first, left) + self(self, first + left, n - left);
    };
    return blocks.empty() ? T(0) : cascade(cascade, 0, blocks.size());
  }
}
template <class T> PlainMatrix<T> model(const PlainMatrix<T>& a, const PlainMatrix<T>& b) {
  PlainMatrix<T> result(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.columns; ++j) result.at(i, j) = model_element(a, b, i, j);
  return result;
}

// How a matrix lies in memory, in elements and bytes.
struct Layout {
  bool transposed = false;
  std::size_t apart = 1;   // every so many elements are one of the matrix
  std::size_t longer = 0;  // elements between a row and the next
  std::size_t skewed = 0;  // bytes
};
// Between unreadable pages, so that nothing beyond is read or written.
template <class T> class Laid {
 public:
  Laid(const PlainMatrix<T>& matrix, const Layout& layout)
      : rows_(matrix.rows), columns_(matrix.columns),
        inner_((layout.transposed ? matrix.rows : matrix.columns) * layout.apart + layout.longer),
        bytes_(outer(matrix, layout) * inner_ * sizeof(T) + layout.skewed), memory_(bytes_, true),
        row(static_cast<std::int64_t>((layout.transposed ? layout.apart : inner_) * sizeof(T))),
        column(static_cast<std::int64_t>((layout.transposed ? inner_ : layout.apart) * sizeof(T))) {
    // Skewed elements begin at an odd address and end before the page.
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j) std::memcpy(place(i, j), &matrix.at(i, j), sizeof(T));
  }
  std::byte* data() const { return memory_.data(); }
  PlainMatrix<T> read() const {
    PlainMatrix<T> result(rows_, columns_);
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j) std::memcpy(&result.at(i, j), place(i, j), sizeof(T));
    return result;
  }

 private:
  static std::size_t outer(const PlainMatrix<T>& matrix, const Layout& layout) {
    return layout.transposed ? matrix.columns : matrix.rows;
  }
  std::byte* place(std::size_t i, std::size_t j) const {
    return data() + static_cast<std::int64_t>(i) * row + static_cast<std::int64_t>(j) * column;
  }
  std::size_t rows_, columns_, inner_, bytes_;
  test::Guarded memory_;

 public:
  std::int64_t row, column;
};

template <class T>
PlainMatrix<T> product(const KernelTable& table, const PlainMatrix<T>& a, const PlainMatrix<T>& b,
                       const Layout& of_a = {}, const Layout& of_b = {}, const Layout& of_result = {},
                       MatmulInto into = MatmulInto::store) {
  const Laid<T> x(a, of_a), y(b, of_b);
  const PlainMatrix<T> before(a.rows, b.columns, std::vector<T>(a.rows * b.columns, T(3)));
  const Laid<T> z(before, of_result);
  MatmulCall call;
  call.a = x.data();
  call.b = y.data();
  call.to = z.data();
  call.a_row = x.row;
  call.a_column = x.column;
  call.b_row = y.row;
  call.b_column = y.column;
  call.to_row = z.row;
  call.to_column = z.column;
  call.m = static_cast<std::int64_t>(a.rows);
  call.n = static_cast<std::int64_t>(b.columns);
  call.k = static_cast<std::int64_t>(a.columns);
  call.into = into;
  const auto scratch = static_cast<std::size_t>(exec::matmul_scratch(call.m, call.n, call.k, sizeof(T)));
  const test::Guarded memory((scratch + 63) / 64 * 64, true);
  call.scratch = memory.data();
  table.matmul[static_cast<int>(test::dtype_of<T>())](call);
  return z.read();
}

template <class T> PlainMatrix<T> random_matrix(std::size_t m, std::size_t n, unsigned seed) {
  if constexpr (std::is_integral_v<T>) {
    std::mt19937_64 random(seed);
    PlainMatrix<T> result(m, n);
    for (T& x : result.elements) x = static_cast<T>(random());
    return result;
  } else {
    return {m, n, numbers<T>(m * n, seed)};
  }
}

template <class T> class Matmul : public testing::Test {};
using Types = testing::Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                             std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Matmul, Types);

TYPED_TEST(Matmul, SmallSizesHaveTheBitsOfTheOrder) {
  using T = TypeParam;
  const std::size_t step = std::is_integral_v<T> ? 3 : 1;
  for (std::size_t k = 0; k <= 20; k += step) {
    const PlainMatrix<T> all_a = random_matrix<T>(20, k, 1), all_b = random_matrix<T>(k, 20, 2);
    const PlainMatrix<T> want = model(all_a, all_b);
    for (std::size_t m = 0; m <= 20; ++m) {
      for (std::size_t n = 0; n <= 20; ++n) {
        PlainMatrix<T> a(m, k), b(k, n), part(m, n);
        for (std::size_t i = 0; i < m; ++i)
          for (std::size_t p = 0; p < k; ++p) a.at(i, p) = all_a.at(i, p);
        for (std::size_t p = 0; p < k; ++p)
          for (std::size_t j = 0; j < n; ++j) b.at(p, j) = all_b.at(p, j);
        for (std::size_t i = 0; i < m; ++i)
          for (std::size_t j = 0; j < n; ++j) part.at(i, j) = want.at(i, j);
        for (const KernelTable* table : exec::usable_tables())
          ASSERT_EQ(bits_of(product(*table, a, b).elements), bits_of(part.elements))
              << table->isa << " " << m << " " << k << " " << n;
      }
    }
  }
}

TYPED_TEST(Matmul, LargeSizesAndEveryLayout) {
  using T = TypeParam;
  const std::vector<Layout> layouts{{},
                                    {.transposed = true},
                                    {.apart = 2},
                                    {.longer = 3},
                                    {.longer = 600},
                                    {.transposed = true, .apart = 3, .longer = 1},
                                    {.skewed = 1},
                                    {.transposed = true, .skewed = 5}};
  struct Size {
    std::size_t m, k, n;
  };
  for (const Size& size : {Size{9, 255, 33}, Size{40, 256, 50}, Size{17, 257, 131}, Size{3, 1000, 70}, Size{70, 513, 5},
                           Size{1, 1700, 1}, Size{2, 769, 2}, Size{50, 4, 3}}) {
    const PlainMatrix<T> a = random_matrix<T>(size.m, size.k, 3), b = random_matrix<T>(size.k, size.n, 4);
    const auto want = bits_of(model(a, b).elements);
    for (const KernelTable* table : exec::usable_tables()) {
      for (std::size_t l = 0; l < layouts.size(); ++l) {
        const Layout &of_a = layouts[l], &of_b = layouts[(3 * l + 1) % layouts.size()],
                     &of_result = layouts[(5 * l + 2) % layouts.size()];
        ASSERT_EQ(bits_of(product(*table, a, b, of_a, of_b, of_result).elements), want)
            << table->isa << " " << size.m << " " << size.k << " " << size.n << " layout " << l;
      }
    }
  }
}

// The cascade for every number of blocks.
TYPED_TEST(Matmul, EveryNumberOfBlocks) {
  using T = TypeParam;
  for (std::size_t blocks = 1; blocks <= 20; ++blocks) {
    const std::size_t k = 256 * blocks - 100;
    const PlainMatrix<T> a = random_matrix<T>(2, k, 5), b = random_matrix<T>(k, 3, 6);
    for (const KernelTable* table : exec::usable_tables())
      ASSERT_EQ(bits_of(product(*table, a, b).elements), bits_of(model(a, b).elements)) << table->isa << " " << k;
  }
}

TYPED_TEST(Matmul, AddsToTheResultAndSubtracts) {
  using T = TypeParam;
  for (const std::size_t k : {5u, 600u}) {
    const PlainMatrix<T> a = random_matrix<T>(11, k, 7), b = random_matrix<T>(k, 45, 8), plain = model(a, b);
    PlainMatrix<T> more = plain, less = plain;
    for (T& x : more.elements) x = static_cast<T>(T(3) + x);
    for (T& x : less.elements) x = static_cast<T>(T(3) - x);
    for (const KernelTable* table : exec::usable_tables()) {
      for (const Layout& layout : {Layout{}, Layout{.apart = 2}}) {
        EXPECT_EQ(bits_of(product(*table, a, b, {}, {}, layout, MatmulInto::add).elements), bits_of(more.elements));
        EXPECT_EQ(bits_of(product(*table, a, b, {}, {}, layout, MatmulInto::subtract).elements),
                  bits_of(less.elements));
      }
    }
  }
}

template <class T> class RealMatmul : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(RealMatmul, Reals);

TYPED_TEST(RealMatmul, SpecialValues) {
  using T = TypeParam;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN(),
          least = std::numeric_limits<T>::denorm_min(), greatest = std::numeric_limits<T>::max();
  const std::vector<T> special{0,     T(-0.0), 1,        -1,        inf,      -inf,       nan,
                               least, -least,  greatest, -greatest, T(1e-30), T(0x1p-100)};
  std::mt19937_64 random(9);
  for (const std::size_t k : {1u, 2u, 3u, 300u}) {
    PlainMatrix<T> a(19, k), b(k, 37);
    for (PlainMatrix<T>* matrix : {&a, &b})
      for (T& x : matrix->elements)
        x = random() % (k > 3 ? 90 : 2) != 0 ? static_cast<T>(static_cast<double>(random() % 1000) * 1e-3 - 0.5)
                                             : special[random() % special.size()];
    for (const KernelTable* table : exec::usable_tables())
      ASSERT_EQ(bits_of(product(*table, a, b).elements), bits_of(model(a, b).elements)) << table->isa << " " << k;
  }
  for (const KernelTable* table : exec::usable_tables()) {
    // Nothing but -0 gives +0.
    EXPECT_EQ(bits_of(product<T>(*table, {1, 1, {T(-0.0)}}, {1, 1, {T(1)}}).elements), bits_of(T(0)));
    EXPECT_EQ(bits_of(product<T>(*table, {1, 0}, {0, 1}).elements), bits_of(T(0)));
  }
}

// A product meets one rounding for each one that follows in its block, and one for each level of the cascade.
TYPED_TEST(RealMatmul, IsNearTheExactOne) {
  using T = TypeParam;
  for (const std::size_t k : {1u, 20u, 256u, 1000u, 5000u}) {
    const PlainMatrix<T> a = random_matrix<T>(5, k, 10), b = random_matrix<T>(k, 9, 11);
    for (const KernelTable* table : exec::usable_tables()) {
      const PlainMatrix<T> got = product(*table, a, b);
      for (std::size_t i = 0; i < a.rows; ++i) {
        for (std::size_t j = 0; j < b.columns; ++j) {
          __float128 exact = 0, size = 0;
          for (std::size_t p = 0; p < k; ++p) {
            exact += static_cast<__float128>(a.at(i, p)) * b.at(p, j);
            size += fabsq(static_cast<__float128>(a.at(i, p)) * b.at(p, j));
          }
          const double roundings = static_cast<double>(std::min<std::size_t>(k, 256)) +
                                   static_cast<double>(exec::matmul_levels(static_cast<std::int64_t>(k)));
          ASSERT_LE(static_cast<double>(fabsq(got.at(i, j) - exact)),
                    roundings * static_cast<double>(std::numeric_limits<T>::epsilon()) / 2 * static_cast<double>(size))
              << table->isa << " " << k;
        }
      }
    }
  }
}

// Arrays: every ISA, one thread and two.
std::vector<Engine>& engines() {
  static std::vector<Engine> all = [] {
    std::vector<Engine> list;
    for (const KernelTable* table : exec::usable_tables()) {
      list.emplace_back(EngineOptions{.threads = 1, .isa = table->isa});
      list.emplace_back(EngineOptions{.threads = 2, .isa = table->isa});
    }
    return list;
  }();
  return all;
}

template <class T> Array array_of(const Engine& engine, std::vector<std::int64_t> shape, unsigned seed) {
  std::int64_t n = 1;
  for (const std::int64_t extent : shape) n *= extent;
  const std::vector<T> x = random_matrix<T>(1, static_cast<std::size_t>(n), seed).elements;
  return array(engine, std::span<const T>(x), shape);
}
template <class T> PlainMatrix<T> plain(const Array& a) {
  return {static_cast<std::size_t>(std::int64_t{a.extent(0)}), static_cast<std::size_t>(std::int64_t{a.extent(1)}),
          a.values<T>()};
}
std::vector<std::int64_t> shape_of(const Array& a) {
  std::vector<std::int64_t> shape;
  for (const Extent& extent : a.shape()) shape.push_back(std::int64_t{extent});
  return shape;
}
using Shape = std::vector<std::int64_t>;

TYPED_TEST(Matmul, ThreadsAndTilesHaveNoInfluence) {
  using T = TypeParam;
  if (sizeof(T) < 4) return;
  struct Size {
    std::int64_t m, k, n;
  };
  for (const Size& size : {Size{600, 300, 7}, Size{130, 700, 130}, Size{3, 300, 1500}, Size{30000, 9, 5}}) {
    std::vector<std::uint64_t> want;
    for (const Engine& engine : engines()) {
      const Array a = array_of<T>(engine, {size.m, size.k}, 12),
                  b = array_of<T>(engine, {size.n, size.k}, 13).transpose();
      const Array got = matmul(a, b);
      if (want.empty()) want = bits_of(model(plain<T>(a), plain<T>(b)).elements);
      ASSERT_EQ(bits_of(got.template values<T>()), want) << size.m;
    }
  }
}

TEST(ArrayMatmul, VectorsAndBatches) {
  for (const Engine& engine : engines()) {
    const Array a = array_of<double>(engine, {4, 3, 5, 6}, 14), b = array_of<double>(engine, {3, 6, 2}, 15),
                v = array_of<double>(engine, {6}, 16), w = array_of<double>(engine, {5}, 17);
    const Array c = matmul(a, b);
    ASSERT_EQ(shape_of(c), (Shape{4, 3, 5, 2}));
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 3; ++j)
        EXPECT_EQ(bits_of(c.index(0, i).index(0, j).values<double>()),
                  bits_of(model(plain<double>(a.index(0, i).index(0, j)), plain<double>(b.index(0, j))).elements));
    // One partner for all matrices, in order and not.
    for (const Array& x : {a, a.transpose({1, 0, 2, 3}), a.slice(1, {.step = -1}), a.slice(3, {.step = -1})}) {
      const Array d = matmul(x, b.index(0, 1));
      ASSERT_EQ(shape_of(d), (Shape{std::int64_t{x.extent(0)}, std::int64_t{x.extent(1)}, 5, 2}));
      EXPECT_EQ(bits_of(d.index(0, 2).index(0, 1).values<double>()),
                bits_of(model(plain<double>(x.index(0, 2).index(0, 1)), plain<double>(b.index(0, 1))).elements));
    }
    const Array e = matmul(a, v), f = matmul(w, a), g = matmul(v, v);
    ASSERT_EQ(shape_of(e), (Shape{4, 3, 5}));
    ASSERT_EQ(shape_of(f), (Shape{4, 3, 6}));
    ASSERT_EQ(g.rank(), 0);
    const PlainMatrix<double> one = plain<double>(a.index(0, 1).index(0, 2));
    EXPECT_EQ(bits_of(e.index(0, 1).index(0, 2).values<double>()),
              bits_of(model(one, PlainMatrix<double>(6, 1, v.values<double>())).elements));
    EXPECT_EQ(bits_of(f.index(0, 1).index(0, 2).values<double>()),
              bits_of(model(PlainMatrix<double>(1, 5, w.values<double>()), one).elements));
    EXPECT_EQ(bits_of(g.values<double>()), bits_of(model(PlainMatrix<double>(1, 6, v.values<double>()),
                                                         PlainMatrix<double>(6, 1, v.values<double>()))
                                                       .elements));
    EXPECT_EQ(matmul(a.slice(3, {.stop = 0}), b.slice(1, {.stop = 0})).values<double>(),
              std::vector<double>(4 * 3 * 5 * 2));
    EXPECT_EQ(shape_of(matmul(a.slice(2, {.stop = 0}), b)), (Shape{4, 3, 0, 2}));
    EXPECT_EQ(shape_of(matmul(a.slice(0, {.stop = 0}), b)), (Shape{0, 3, 5, 2}));
  }
}

// The parts of a complex product are made of real ones; a real operand is never widened.
TEST(ArrayMatmul, ComplexIsMadeOfRealProducts) {
  for (const Engine& engine : engines()) {
    const Array a = array_of<std::complex<double>>(engine, {70, 300}, 18),
                b = array_of<std::complex<double>>(engine, {300, 45}, 19), x = array_of<double>(engine, {70, 300}, 20),
                y = array_of<double>(engine, {300, 45}, 21);
    const Array ab = matmul(a, b), xb = matmul(x, b), ay = matmul(a, y);
    EXPECT_EQ(ab.dtype(), DType::c128);
    const auto same = [](const Array& got, const Array& want) {
      EXPECT_EQ(bits_of(got.values<double>()), bits_of(want.values<double>()));
    };
    same(real(ab), matmul(real(a), real(b)) - matmul(imag(a), imag(b)));
    same(imag(ab), matmul(real(a), imag(b)) + matmul(imag(a), real(b)));
    same(real(xb), matmul(x, real(b)));
    same(imag(xb), matmul(x, imag(b)));
    same(real(ay), matmul(real(a), y));
    same(imag(ay), matmul(imag(a), y));
    // Widened, 1 (infinity + i) would have the part 1 * 1 + 0 * infinity.
    const Array one = array(engine, {1.0}), z1 = array(engine, std::vector<std::complex<double>>{{INFINITY, 1}});
    EXPECT_EQ(matmul(one, z1).item<std::complex<double>>(), std::complex<double>(INFINITY, 1));
    EXPECT_EQ(matmul(z1, one).item<std::complex<double>>(), std::complex<double>(INFINITY, 1));
    // A product with its own adjoint is Hermitian to the last bit.
    const Array own = matmul(a, conj(a).transpose());
    same(real(own), real(own).transpose());
    same(imag(own), imag(own).transpose() * -1.0 + 0.0);
    const Array z = array_of<std::complex<float>>(engine, {9, 20}, 22), w = z.transpose();
    EXPECT_EQ(matmul(z, w).dtype(), DType::c64);
    EXPECT_EQ(bits_of(real(matmul(z, w)).values<float>()),
              bits_of((matmul(real(z), real(w)) - matmul(imag(z), imag(w))).values<float>()));
    EXPECT_EQ(bits_of(matmul(z, y.slice(0, {.stop = 20})).values<std::complex<double>>()),
              bits_of(matmul(z.astype(DType::c128), y.slice(0, {.stop = 20})).values<std::complex<double>>()));
  }
}

TEST(ArrayMatmul, DtypesArePromoted) {
  const Engine& engine = engines().back();
  const Array i = array_of<std::int32_t>(engine, {4, 6}, 23), s = array_of<std::int8_t>(engine, {6, 3}, 24),
              x = array_of<float>(engine, {6, 3}, 25);
  EXPECT_EQ(matmul(i, s).dtype(), DType::i32);
  EXPECT_EQ(matmul(i, s).values<std::int32_t>(), matmul(i, s.astype(DType::i32)).values<std::int32_t>());
  EXPECT_EQ(matmul(i, x).dtype(), DType::f64);
  EXPECT_EQ(bits_of(matmul(i, x).values<double>()),
            bits_of(matmul(i.astype(DType::f64), x.astype(DType::f64)).values<double>()));
  EXPECT_EQ(matmul(s.transpose(), x).dtype(), DType::f32);
}

TEST(ArrayMatmul, TensordotIsASumOverAxes) {
  for (const Engine& engine : engines()) {
    const Array a = array_of<std::int64_t>(engine, {3, 4, 5, 2}, 26),
                b = array_of<std::int64_t>(engine, {5, 3, 7, 4}, 27);
    const Array c = tensordot(a, b, {1, 0, -2}, {3, 1, 0});
    ASSERT_EQ(shape_of(c), (Shape{2, 7}));
    const auto x = a.values<std::int64_t>(), y = b.values<std::int64_t>(), got = c.values<std::int64_t>();
    for (std::size_t l = 0; l < 2; ++l) {
      for (std::size_t r = 0; r < 7; ++r) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t k = 0; k < 5; ++k)
              sum += static_cast<std::uint64_t>(x[((i * 4 + j) * 5 + k) * 2 + l]) *
                     static_cast<std::uint64_t>(y[((k * 3 + i) * 7 + r) * 4 + j]);
        ASSERT_EQ(got[l * 7 + r], static_cast<std::int64_t>(sum));
      }
    }
    const Array u = array_of<double>(engine, {3, 4}, 28), v = array_of<double>(engine, {4, 5}, 29);
    EXPECT_EQ(bits_of(tensordot(u, v, 1).values<double>()), bits_of(matmul(u, v).values<double>()));
    EXPECT_EQ(shape_of(tensordot(u, v, 0)), (Shape{3, 4, 4, 5}));
    EXPECT_EQ(tensordot(u, u).rank(), 0);
    EXPECT_EQ(bits_of(tensordot(u, u).values<double>()),
              bits_of(matmul(u.reshape({-1}), u.reshape({-1})).values<double>()));
    EXPECT_EQ(tensordot(u.slice(1, {.stop = 0}), v.slice(0, {.stop = 0}), 1).values<double>(), std::vector<double>(15));
  }
}

// Operands of any strides, 0 among them, as copies of them.
TEST(ArrayMatmul, StridesAreThoseOfCopies) {
  for (const Engine& engine : engines())
    for (const std::int64_t k : {1, 2, 7, 300}) {
      const Array one = array_of<double>(engine, {1, 1}, 30), row = array_of<double>(engine, {1, k}, 31),
                  column = array_of<double>(engine, {k, 1}, 32), right = array_of<double>(engine, {k, 3}, 33),
                  rows = array_of<double>(engine, {5, 1}, 34), whole = array_of<double>(engine, {5, k}, 35);
      const std::vector<Array> lefts{full(engine, {5, k}, 2.0), one.broadcast_to({5, k}), row.broadcast_to({5, k}),
                                     rows.broadcast_to({5, k}), whole.slice(1, {.step = -1})};
      const std::vector<Array> rights{right, one.broadcast_to({k, 3}), column.broadcast_to({k, 3}),
                                      full(engine, {k, 40}, 3.0), right.slice(1, {.step = -1})};
      for (const Array& a : lefts)
        for (const Array& b : rights)
          EXPECT_EQ(bits_of(matmul(a, b).values<double>()), bits_of(matmul(a * 1.0, b * 1.0).values<double>()));
    }
}

}  // namespace
}  // namespace frit
