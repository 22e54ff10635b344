// Wrong use of arrays and traced functions: one error with its code, which names the operation and the line of the caller.
#include <gtest/gtest.h>

#include <functional>

#include "frit/frit.hpp"

namespace frit {
namespace {

Engine& engine() {
  static Engine one({.threads = 1});
  return one;
}

std::string message_of(ErrorCode code, const std::function<void()>& fn) {
  try {
    fn();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.message();
  }
  ADD_FAILURE() << "no error";
  return "";
}
#define FAILS(code, expression, part)                                                     \
  {                                                                                       \
    const std::string message = message_of(ErrorCode::code, [&] { (void)(expression); }); \
    EXPECT_NE(message.find(part), std::string::npos) << message;                          \
  }

struct ArraysError : testing::Test {
  Array x = array(engine(), {1.0, 2.0, 3.0});
  Array n = array(engine(), std::vector<std::int64_t>{1, 2, 3});
  Array yes = array(engine(), {true, false, true});
  Array z = array(engine(), std::vector<std::complex<double>>{{1, 2}});
};

TEST_F(ArraysError, Dtypes) {
  FAILS(dtype_mismatch, yes * yes, "multiply takes numbers");
  FAILS(dtype_mismatch, floor(z), "floor takes real numbers; the operands are c128");
  FAILS(dtype_mismatch, x & yes, "logical_and takes booleans");
  FAILS(dtype_mismatch, where(x, x, x), "a boolean condition");
  FAILS(dtype_mismatch, z < z, "less takes real numbers");
  FAILS(dtype_mismatch, n.astype(DType::u64) + n, "i64 and u64 have no common dtype");
  FAILS(dtype_mismatch, z.astype(DType::f64), "would drop the imaginary part");
  FAILS(dtype_mismatch, x.values<float>(), "dtype f64 is read as f32");
  FAILS(dtype_mismatch, static_cast<bool>(x.index(0, 0)), "no truth value");
}

TEST_F(ArraysError, MatrixProducts) {
  const Array m = array(engine(), std::vector<double>(6)).reshape({2, 3}),
              cube = array(engine(), std::vector<double>(18)).reshape({2, 3, 3}),
              cubes = array(engine(), std::vector<double>(27)).reshape({3, 3, 3});
  FAILS(shape_mismatch, matmul(m, m),
        "matmul of f64[2, 3] and f64[2, 3]: the last axis of the first has extent 3, axis 0 of the second 2");
  FAILS(shape_mismatch, matmul(x, array(engine(), {1.0})), "matmul of f64[3] and f64[1]: ");
  FAILS(shape_mismatch, matmul(m, m), "arrays_error_test.cpp:");
  FAILS(shape_mismatch, matmul(cube, cubes), "matmul of f64[2, 3, 3] and f64[3, 3, 3]: ");
  FAILS(shape_mismatch, matmul(scalar(engine(), 1.0), x), "rank 0 are no matrices");
  FAILS(dtype_mismatch, matmul(yes, x), "booleans are no numbers");
  FAILS(dtype_mismatch, matmul(n.astype(DType::u64), n), "i64 and u64 have no common dtype");
  FAILS(usage, matmul(x, 2.0), "needs two arrays, not a number");
  FAILS(shape_mismatch, tensordot(m, m, 1),
        "tensordot of f64[2, 3] and f64[2, 3]: axis 1 of the first has extent 3, axis 0 of the second 2");
  FAILS(shape_mismatch, tensordot(m, m.transpose(), {0, 1}, {0, 1}),
        "axis 0 of the first has extent 2, axis 0 of the second 3");
  FAILS(axis_range, tensordot(m, m, {0, -2}, {0, 1}), "axis 0 twice");
  FAILS(axis_range, tensordot(m, m, {0, 1}, {0}), "2 axes of the first array and 1 of the second");
  FAILS(axis_range, tensordot(m, m, 3), "over 3 axes of arrays of rank 2 and 2");
  FAILS(axis_range, tensordot(m, m, {2}, {0}), "axis 2");
}

TEST_F(ArraysError, ShapesAndAxes) {
  FAILS(shape_mismatch, x + array(engine(), {1.0, 2.0}), "add: shapes f64[3] and f64[2] do not broadcast");
  FAILS(shape_mismatch, x.reshape({2, 2}), "has 3 elements");
  FAILS(shape_mismatch, x.reshape({-1, -1}), "two extents are -1");
  FAILS(shape_mismatch, x.reshape({-1, 2}), "can't be shared out");
  FAILS(shape_mismatch, x.reshape({-3}), "negative");
  FAILS(shape_mismatch, x.broadcast_to({2}), "does not broadcast");
  FAILS(shape_mismatch, x.item<double>(), "one element");
  FAILS(axis_range, x.slice(1, {}), "slice: axis 1 of an array of rank 1; axes are -1 to 0");
  FAILS(axis_range, x.transpose({0, 0}), "2 axes for an array of rank 1");
  FAILS(axis_range, x.expand_dims(0).transpose({1, 1}), "axis 1 twice");
  FAILS(axis_range, x.reshape({1, 1, 1, 1, 1, 1, 1, 1, 3}), "at most 8 axes");
  FAILS(axis_range, x.index(0, 0).extent(0), "rank 0, which has no axes");
  FAILS(index_range, x.index(0, 3), "element 3 of axis 0, which has extent 3");
  FAILS(index_range, x.index(0, -4), "element -4");
  FAILS(index_range, x.index(0, INT64_MIN), "element");
  FAILS(index_range, x.slice(0, {.step = 0}), "the step is 0");
  const std::int64_t negative = -1, huge = std::int64_t{1} << 62;
  FAILS(shape_mismatch, array(engine(), nullptr, DType::f64, {&negative, 1}), "an extent is -1");
  FAILS(out_of_memory, array(engine(), nullptr, DType::f64, {&huge, 1}), "bytes");
  FAILS(out_of_memory, x.index(0, 0).broadcast_to({huge / 8}) + 1.0, "no memory");
}

TEST_F(ArraysError, IntegersAndReductions) {
  FAILS(integer_domain, floor_divide(n, n - 2), "floor_divide: element 1 has no integer result");
  FAILS(integer_domain, n % 0, "element 0");
  FAILS(integer_domain, pow(n, n - 2), "negative exponent");
  FAILS(integer_domain, n.astype(DType::u8) + 300, "the integer 300 does not fit u8");
  FAILS(integer_domain, n.astype(DType::i8) * -129, "does not fit i8");
  FAILS(dtype_mismatch, x & n, "integers");
  const Array none = x.slice(0, {.stop = 0});
  FAILS(empty_reduction, min(none), "min: axis 0 has no elements");
  FAILS(empty_reduction, argmax(none.expand_dims(0), 1), "argmax: axis 1");
  FAILS(dtype_mismatch, max(z), "max does not take c128");
  FAILS(dtype_mismatch, sum(yes), "count_nonzero counts");
  FAILS(dtype_mismatch, mean(yes), "not booleans");
  FAILS(axis_range, sum(x, 1), "sum: axis 1 of an array of rank 1");
  FAILS(axis_range, sum(x.expand_dims(0), std::vector{1, -1}), "axis 1 twice");
  FAILS(shape_mismatch, concat({x.expand_dims(0), x.slice(0, {.stop = 2}).expand_dims(0)}),
        "axis 1 has extent 3 in array 0 and 2 in array 1");
  FAILS(shape_mismatch, concat({x, x.expand_dims(0)}), "rank 1 and array 1 rank 2");
  FAILS(usage, concat({}), "no arrays");
  FAILS(index_range, update(x, 0, 3, 1.0), "element 3 of axis 0");
  FAILS(shape_mismatch, update(x, 0, {.stop = 2}, x), "does not broadcast");
  FAILS(dtype_mismatch, update(n, 0, {.stop = 2}, 1.5), "elements of i64 do not take f64");
  FAILS(dtype_mismatch, take(x, x), "places are integers");
  FAILS(index_range, take(x, n), "place 2 of the indices is 3, and axis 0 has extent 3");
}

TEST_F(ArraysError, Repeats) {
  FAILS(shape_mismatch, repeat(x, -1), "the count is -1");
  FAILS(axis_range, repeat(x, 2, 1), "repeat: axis 1 of an array of rank 1");
  FAILS(axis_range, repeat(x, n, 1), "repeat: axis 1 of an array of rank 1");
  FAILS(shape_mismatch, repeat(x, n - 2, 0), "count 0 of the counts is -1 (at ");
  FAILS(shape_mismatch, repeat(x.slice(0, {1}), n, 0), "3 counts for axis 0, which has extent 2");
  FAILS(dtype_mismatch, repeat(x, x), "counts are integers of rank 1, not f64 of rank 1");
  FAILS(dtype_mismatch, repeat(x, n.expand_dims(0)), "not i64 of rank 2");
  FAILS(out_of_memory, repeat(x, INT64_MAX), "2^63");
  FAILS(out_of_memory, repeat(x, maximum(n * 0, update(n, 0, 0, INT64_MAX))), "2^63");
  FAILS(usage, repeat(2.0, 2), "needs an array");
  FAILS(traced_value, traced(engine(), [&](Array counts) { return repeat(x, counts, 0); }, {.mode = Mode::graph})(n),
        "give a number, or an array of the surrounding code");
}

// Beyond what 64 bits count.
TEST_F(ArraysError, Sizes) {
  FAILS(integer_domain, x * 18446744073709551615ull, "beyond 2^63 - 1");
  FAILS(integer_domain, x.reshape({18446744073709551615ull}), "beyond 2^63 - 1");
  const std::int64_t large = std::int64_t{1} << 32;
  FAILS(out_of_memory, x.slice(0, {.stop = 0}).reshape({large, large / 2, large}), "2^63");
  const Array one = scalar(engine(), std::int8_t{1});
  FAILS(out_of_memory, one.broadcast_to({large, large}), "2^63");
  const Array most = one.broadcast_to({std::int64_t{1} << 62});
  FAILS(out_of_memory, concat({most, most}), "2^63");
  FAILS(out_of_memory, most + one, "no memory");
  FAILS(out_of_memory, iota(engine(), std::int64_t{1} << 61), "addresses");
  EXPECT_EQ(x.slice(0, {.step = INT64_MAX}).values<double>(), std::vector<double>{1.0});
  EXPECT_EQ(x.slice(0, {.step = INT64_MIN}).values<double>(), std::vector<double>{3.0});
}

TEST_F(ArraysError, ControlFlow) {
  const auto more = [](std::span<const Array> in) { return std::vector<Array>{in[0], in[0]}; };
  FAILS(trace_arguments, while_loop([](std::span<const Array> in) { return in[0].index(0, 0) < 2.0; }, more, {x}),
        "gives 2 arrays, where 1 are expected");
  FAILS(dtype_mismatch,
        fori_loop(
            0.5, 2.9, [](Array, Array c) { return c; }, x),
        "is an integer of rank 0, not f64");
  FAILS(dtype_mismatch, cond(n.index(0, 0), more, more, {x}), "is a boolean of rank 0");
  FAILS(empty_reduction, scan(more, {}, {x.slice(0, {.stop = 0})}), "no elements");
  FAILS(empty_reduction,
        traced(engine(), [&](Array a) { return scan(more, {}, {a}); }, {.mode = Mode::graph})(x.slice(0, {.stop = 0})),
        "no elements");
  const auto branch = [](double y) {
    return [y](std::span<const Array>) { return std::vector<Array>{scalar(engine(), y)}; };
  };
  EXPECT_EQ(switch_(scalar(engine(), UINT64_MAX), {branch(1), branch(2)}, {})[0].item<double>(), 2.0);
}

TEST_F(ArraysError, NamesTheLineOfTheCaller) {
  const std::string line = std::to_string(__LINE__ + 1);
  FAILS(shape_mismatch, x + array(engine(), {1.0, 2.0}), "arrays_error_test.cpp:" + line);
  const auto f = traced(engine(), [](Array a, Array b) { return exp(a) + b; }, {.mode = Mode::graph});
  const std::string inside = std::to_string(__LINE__ - 1);
  FAILS(shape_mismatch, f(x, array(engine(), {1.0, 2.0})), "arrays_error_test.cpp:" + inside);
}

TEST_F(ArraysError, ArraysThatBelongNowhere) {
  FAILS(usage, Array() + 1.0, "never given a value");
  FAILS(usage, exp(1.0), "needs an array");
  Engine other;
  FAILS(usage, x + array(other, {1.0}), "different engines");
  FAILS(usage, scan([](std::span<const Array> in) { return std::vector<Array>{in[0]}; }, {x}, {array(other, {1.0})}),
        "different engines");
  const auto f = traced(engine(), [](Array a) { return a; }, {.mode = Mode::graph});
  FAILS(usage, f(array(other, {1.0})), "another engine");
  const auto g = traced(engine(), [&](Array) { return array(other, {1.0}); }, {.mode = Mode::graph});
  FAILS(usage, g(x), "another engine");
}

TEST_F(ArraysError, ValuesOfATrace) {
  const auto run = [&](auto callable) {
    return [&, callable] { (void)traced(engine(), callable, {.mode = Mode::graph})(x); };
  };
  EXPECT_NE(message_of(ErrorCode::traced_value, run([](Array a) { return a.index(0, 0) > 1.0 ? a : -a; }))
                .find("where(condition"),
            std::string::npos);
  EXPECT_NE(message_of(ErrorCode::traced_value, run([](Array a) {
                         Array sum = a;
                         for (std::int64_t i = 0; i < a.extent(0); ++i) sum = sum + a;
                         return sum;
                       }))
                .find("bound of a C++ loop"),
            std::string::npos);
  EXPECT_NE(message_of(ErrorCode::traced_value, run([](Array a) {
                         (void)a.values<double>();
                         return a;
                       }))
                .find("return it from the function"),
            std::string::npos);
  Array kept;
  run([&](Array a) {
    kept = a;
    return a;
  })();
  FAILS(traced_value, kept + 1.0, "has been traced already");
  FAILS(traced_value, mean(kept), "has been traced already");
}

TEST_F(ArraysError, AFunctionThatCallsItself) {
  std::function<Array(Array)> again;
  const auto f = traced(engine(), [&](Array a) { return again(a); }, {.mode = Mode::graph, .name = "loop"});
  again = [&](Array) { return f(x); };
  FAILS(trace_arguments, f(x), "loop calls itself while it is traced");
  again = [&](Array a) { return f(a); };
  FAILS(trace_arguments, f(x), "loop calls itself while it is traced");
  again = [](Array a) { return a; };
  EXPECT_EQ(f(x).size(), 3);
}

TEST_F(ArraysError, Signatures) {
  const TracedOptions two{
      .mode = Mode::graph, .signature = {spec(DType::f64, {"n"}), spec(DType::f64, {"n", 3})}, .name = "likelihood"};
  const auto f = traced(
      engine(), [](Array a, Array b) { return a.expand_dims(1) * b; }, two);
  const Array m = x.expand_dims(1).broadcast_to({3, 3});
  EXPECT_EQ(f(x, m).size(), 9);
  FAILS(trace_arguments, f(x.slice(0, {.stop = 2}), m),
        "extent 'n' is 2 in argument 0 of likelihood, axis 0, and 3 in argument 1, axis 0");
  FAILS(trace_arguments, f(m, m), "argument 0 of likelihood is f64(3, 3); its signature says f64(n)");
  FAILS(trace_arguments, f(x.astype(DType::f32), m), "argument 0 of likelihood is f32(3)");
  FAILS(trace_arguments, f(x, m.slice(1, {.stop = 2})), "its signature says f64(n, 3)");
  FAILS(trace_arguments,
        traced(
            engine(), [](Array a) { return a; }, two),
        "has 2 arguments and the callable takes 1");
}

// Messages about the arrays of a loop name the line of its call.
TEST_F(ArraysError, RowsOfLoops) {
  const Region body = [](std::span<const Array> in) { return std::vector<Array>(in.begin(), in.end()); };
  const Array two = array(engine(), {1.0, 2.0}), none = x.slice(0, {.stop = 0});
  FAILS(shape_mismatch, map(body, {x, two}), "map: the first axes have extents 3 and 2 (at ");
  FAILS(shape_mismatch, scan(body, {}, {x.index(0, 0)}),
        "scan goes over the first axis of arrays, and one has rank 0 (at ");
  FAILS(empty_reduction, scan(body, {}, {none}), "from a step only (at ");
  FAILS(usage, map(body, {}), "map over no arrays (at ");
  FAILS(usage, switch_(n.index(0, 0), {}, {x}), "switch_ without branches (at ");
}

}  // namespace
}  // namespace frit
