#include "arrays/matmul.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "core/fp_state.hpp"
#include "exec/matmul.hpp"
#include "frit/error.hpp"
#include "runtime/parallel.hpp"

namespace frit::arrays {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// The extents in front of those of the matrices.
Type batch_of(const Type& type) {
  Type batch = type;
  batch.rank = std::max(type.rank - 2, 0);
  return batch;
}

}  // namespace

Type infer_matmul(std::span<const Type* const> operands, Attributes&, Extents& extents) {
  const Type &a = *operands[0], &b = *operands[1];
  const auto shapes = [&] { return fmt::format("matmul of {} and {}", text_of(a, extents), text_of(b, extents)); };
  if (a.rank == 0 || b.rank == 0)
    throw Error(ErrorCode::shape_mismatch,
                fmt::format("{}: arrays of rank 0 are no matrices; multiply them with *", shapes()));
  const Extent& inner = a.extents[index(a.rank - 1)];
  const Extent& other = b.extents[index(std::max(b.rank - 2, 0))];
  if (!identical(inner, other) && !extents.equal(inner, other))
    throw Error(ErrorCode::shape_mismatch,
                fmt::format("{}: the last axis of the first has extent {}, axis {} of the second {}", shapes(),
                            extents.text(inner), std::max(b.rank - 2, 0), extents.text(other)));
  Type result = batch_of(a);
  result.weak = false;
  result.dtype = promote(a, b, "matmul");
  if (a.dtype == DType::boolean || b.dtype == DType::boolean)
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("{}: booleans are no numbers; convert them with astype", shapes()));
  try {
    broadcast_into(result, batch_of(b), "matmul", extents);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", shapes(), error.message()));
  }
  if (a.rank > 1) result.extents[index(result.rank++)] = a.extents[index(a.rank - 2)];
  if (b.rank > 1) result.extents[index(result.rank++)] = b.extents[index(b.rank - 1)];
  return result;
}

namespace {

// Products of fewer multiplications are not worth a thread.
constexpr std::int64_t grain = std::int64_t{1} << 20;
// A tile of the result: a block of b for so many columns stays in the second-level cache.
constexpr std::int64_t tile_rows = 512, tile_column_bytes = 4096;

// Products of matrices of one shape, for every index of the axes before.
struct Product {
  exec::MatmulKernel kernel = nullptr;
  int a_parts = 1, b_parts = 1;  // 2: complex
  exec::MatmulCall whole;        // of the first matrices
  std::int64_t size = 0;         // of a real element
  Nest batch;                    // of a, b and the result
  std::int64_t matrices = 1;
  std::int64_t rows = 0, columns = 0;  // of a tile
  std::int64_t row_tiles = 1, column_tiles = 1;

  std::int64_t tiles() const { return matrices * row_tiles * column_tiles; }
  std::int64_t scratch() const { return exec::matmul_scratch(rows, columns, whole.k, size); }

  // `number`: of the matrix, then of the tile in it.
  void run(std::int64_t number, std::byte* scratch) const {
    exec::MatmulCall call = whole;
    call.scratch = scratch;
    const std::int64_t i = number % row_tiles * rows, j = number / row_tiles % column_tiles * columns;
    std::int64_t matrix = number / (row_tiles * column_tiles);
    for (int axis = batch.rank - 1; axis >= 0; --axis) {
      const std::int64_t at = matrix % batch.extents[index(axis)];
      matrix /= batch.extents[index(axis)];
      call.a += at * batch.strides[0][index(axis)];
      call.b += at * batch.strides[1][index(axis)];
      call.to += at * batch.strides[2][index(axis)];
    }
    call.m = std::min(rows, whole.m - i);
    call.n = std::min(columns, whole.n - j);
    call.a += i * whole.a_row;
    call.b += j * whole.b_column;
    call.to += i * whole.to_row + j * whole.to_column;
    if (a_parts == 1 && b_parts == 1) return kernel(call);
    // The real parts lie first. A real operand is never widened to a complex one.
    const auto part = [&](int of_a, int of_b, int of_result, exec::MatmulInto into) {
      exec::MatmulCall one = call;
      one.a += of_a * size;
      one.b += of_b * size;
      one.to += of_result * size;
      one.into = into;
      kernel(one);
    };
    part(0, 0, 0, exec::MatmulInto::store);
    if (b_parts == 2) part(0, 1, 1, exec::MatmulInto::store);
    if (a_parts == 1) return;
    if (b_parts == 2) part(1, 1, 0, exec::MatmulInto::subtract);
    part(1, 0, 1, b_parts == 2 ? exec::MatmulInto::add : exec::MatmulInto::store);
  }
};

// The operand in the dtype that the kernel takes, as matrices: a vector is one row of a, one column of b.
struct Matrices {
  Data data;
  std::int64_t row = 0, column = 0;  // strides
  Matrices(const Data& operand, DType result, bool first, const Workers& workers) : data(operand) {
    const DType wanted = is_complex(operand.dtype) ? result : real_of(result);
    if (operand.dtype != wanted) {
      data = make_data(wanted, std::span(operand.extents).first(index(operand.rank)));
      convert(operand, data, workers);
    }
    const std::int64_t last = data.strides[index(data.rank - 1)];
    const std::int64_t before = data.rank > 1 ? data.strides[index(data.rank - 2)] : 0;
    row = data.rank > 1 ? before : first ? 0 : last;
    column = data.rank > 1 || first ? last : 0;
  }
  // The strides of the axes before.
  std::array<std::int64_t, max_rank> batch(std::span<const std::int64_t> extents) const {
    Data outer = data;
    outer.rank = std::max(data.rank - 2, 0);
    return strides_as(outer, extents);
  }
};

// Matrices of a that lie behind each other and have the same partner are one of more rows.
void join_rows(Product& product) {
  Nest& batch = product.batch;
  exec::MatmulCall& whole = product.whole;
  while (batch.rank > 0) {
    const std::size_t last = index(batch.rank - 1);
    if (batch.strides[1][last] != 0 || (whole.m != 1 && (batch.strides[0][last] != whole.a_row * whole.m ||
                                                         batch.strides[2][last] != whole.to_row * whole.m)))
      return;
    if (whole.m == 1) {
      whole.a_row = batch.strides[0][last];
      whole.to_row = batch.strides[2][last];
    }
    whole.m *= batch.extents[last];
    product.matrices /= batch.extents[last];
    --batch.rank;
  }
}

std::int64_t divided(std::int64_t n, std::int64_t parts, std::int64_t multiple) {
  const std::int64_t part = (n + parts - 1) / parts;
  return std::max(multiple, (part + multiple - 1) / multiple * multiple);
}

void cut(Product& product, int threads) {
  const exec::MatmulCall& whole = product.whole;
  const std::int64_t wide = exec::matmul_row_bytes / product.size;
  product.column_tiles =
      std::max<std::int64_t>(1, (whole.n * product.size + tile_column_bytes - 1) / tile_column_bytes);
  product.columns = divided(whole.n, product.column_tiles, wide);
  product.column_tiles = (whole.n + product.columns - 1) / product.columns;
  // Nodes of the cascade are as large as a tile; without them a tile may have any number of rows.
  const std::int64_t most = whole.k <= exec::matmul_block ? std::int64_t{1} << 30 : tile_rows;
  product.row_tiles = (whole.m + most - 1) / most;
  if (threads > 1 && product.tiles() < 4 * threads)
    product.row_tiles = std::max(product.row_tiles, 4 * threads / (product.matrices * product.column_tiles));
  product.rows = divided(whole.m, product.row_tiles, exec::matmul_rows);
  product.row_tiles = (whole.m + product.rows - 1) / product.rows;
}

}  // namespace

void run_matmul(std::span<const Data* const> operands, const Attributes&, const Data& result, const Workers& workers) {
  if (result.size() == 0) return;
  const FpState fp;
  const Matrices a(*operands[0], result.dtype, true, workers), b(*operands[1], result.dtype, false, workers);
  const std::size_t outer = index(result.rank - (a.data.rank > 1 ? 1 : 0) - (b.data.rank > 1 ? 1 : 0));
  Product product;
  const DType real = real_of(result.dtype);
  product.kernel = workers.table->matmul[static_cast<int>(real)];
  product.size = static_cast<std::int64_t>(size_of(real));
  product.a_parts = is_complex(a.data.dtype) ? 2 : 1;
  product.b_parts = is_complex(b.data.dtype) ? 2 : 1;
  exec::MatmulCall& whole = product.whole;
  whole.a = a.data.at;
  whole.b = b.data.at;
  whole.to = result.at;
  whole.a_row = a.row;
  whole.a_column = a.column;
  whole.b_row = b.row;
  whole.b_column = b.column;
  whole.k = a.data.extents[index(a.data.rank - 1)];
  whole.m = a.data.rank > 1 ? a.data.extents[index(a.data.rank - 2)] : 1;
  whole.n = b.data.rank > 1 ? b.data.extents[index(b.data.rank - 1)] : 1;
  whole.to_column = static_cast<std::int64_t>(size_of(result.dtype));
  whole.to_row = whole.to_column * whole.n;
  const auto extents = std::span(result.extents).first(outer);
  product.batch = collapse(extents, std::array{a.batch(extents), b.batch(extents), result.strides});
  for (const std::int64_t extent : extents) product.matrices *= extent;
  join_rows(product);
  const bool parallel =
      workers.threads > 1 && workers.process == getpid() && result.size() * std::max<std::int64_t>(whole.k, 1) >= grain;
  cut(product, parallel ? workers.threads : 1);
  if (!parallel) {
    const std::shared_ptr<std::byte> scratch = allocate(product.scratch());
    for (std::int64_t i = 0; i < product.tiles(); ++i) product.run(i, scratch.get());
    return;
  }
  runtime::parallel_for(workers.threads, product.tiles(), [&](std::int64_t begin, std::int64_t end) {
    const std::shared_ptr<std::byte> scratch = allocate(product.scratch());
    for (std::int64_t i = begin; i < end; ++i) product.run(i, scratch.get());
  });
}

}  // namespace frit::arrays
