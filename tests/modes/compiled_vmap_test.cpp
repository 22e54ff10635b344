// vmap: the bits of a loop over the batch whose results are stacked, on eager arrays and in traced functions of every mode.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/table.hpp"
#include "support/traced.hpp"
#include "support/vmap.hpp"

namespace frit::test {
namespace {

constexpr auto none = std::nullopt;

void expect_same(std::span<const Array> got, std::span<const Array> want, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].dtype(), want[i].dtype()) << what;
    ASSERT_EQ(got[i].rank(), want[i].rank()) << what;
    for (int axis = 0; axis < got[i].rank(); ++axis)
      ASSERT_EQ(std::int64_t{got[i].extent(axis)}, std::int64_t{want[i].extent(axis)}) << what << " axis " << axis;
    EXPECT_EQ(bytes_of(got[i]), bytes_of(want[i])) << what << ", result " << i;
  }
}

// `callable` over these axes of the arguments, eagerly and in the modes, is what a loop gives.
void same_as_loop(const Region& callable, const BatchAxes& axes, const std::vector<Array>& arguments,
                  const std::vector<Mode>& in = modes(), const std::string& what = "") {
  const Region batched = [&](std::span<const Array> all) {
    return arrays::vmapped(callable, {.in_axes = axes}, all, {});
  };
  const std::vector<Array> want = looped(callable, axes, arguments);
  expect_same(batched(arguments), want, what + " eager");
  const std::vector<Operand> operands(arguments.begin(), arguments.end());
  for (const Mode mode : in) {
    const TracedFunction function = trace_function(engine(), arguments.size(), batched, {.mode = mode});
    expect_same(function.call(operands), want, what + " in mode " + std::string(name_of(mode)));
  }
}

// Two vmaps in each other, over the first axes of the first two arguments and over both of the others.
void same_as_loops(const Region& callable, const std::vector<Array>& arguments) {
  const Region inner = [&](std::span<const Array> seen) {
    return arrays::vmapped(callable, {.in_axes = {0, none, 0}}, seen, {});
  };
  const Region inner_loop = [&](std::span<const Array> seen) { return looped(callable, {0, none, 0}, seen); };
  const BatchAxes outer{none, 0, 0};
  const std::vector<Array> want = looped(inner_loop, outer, arguments);
  const Region batched = [&](std::span<const Array> all) {
    return arrays::vmapped(inner, {.in_axes = outer}, all, {});
  };
  expect_same(batched(arguments), want, "eager");
  const std::vector<Operand> operands(arguments.begin(), arguments.end());
  for (const Mode mode : modes())
    expect_same(trace_function(engine(), 3, batched, {.mode = mode}).call(operands), want, std::string(name_of(mode)));
}

TEST(Vmap, EveryOp) {
  const std::vector<Array> vectors{random_array({5, 4}, DType::f64, 1), random_array({3, 5, 4}, DType::f64, 2),
                                   random_array({4}, DType::f64, 3)};
  const std::vector<BatchAxes> axes{{0, 1, none}, {none, 1, 0}, {0, none, none}};
  const auto in = [](const Array& x, DType dtype) {
    return dtype == DType::boolean ? x > 0.0 : is_integer(dtype) ? maximum(abs(x), 1.0).astype(dtype) : x.astype(dtype);
  };
  int compared = 0;
  for (int id = 0; id < op_count(); ++id) {
    const OpInfo& info = info_of(static_cast<OpId>(id));
    for (const DType dtype : {DType::f64, DType::f32, DType::c128, DType::i32, DType::boolean}) {
      // The first operand has an axis less than the second inside: shapes [4] and [3, 4].
      std::vector<Array> arguments;
      for (int i = 0; i < info.arity; ++i)
        arguments.push_back(
            in(vectors[static_cast<std::size_t>(i)], i == 0 && info.type == TypeRule::select ? DType::boolean : dtype));
      const Region callable = [&](std::span<const Array> seen) {
        std::vector<Operand> all(seen.begin(), seen.end());
        if (all.size() == 1) return std::vector<Array>{arrays::call(id, {&all[0]})};
        if (all.size() == 2) return std::vector<Array>{arrays::call(id, {&all[0], &all[1]})};
        return std::vector<Array>{arrays::call(id, {&all[0], &all[1], &all[2]})};
      };
      BatchAxes own = axes[static_cast<std::size_t>(id) % 2];
      if (info.arity == 1) own = {0};
      if (info.arity == 3) own = {0, 1, none};
      own.resize(static_cast<std::size_t>(info.arity));
      if (info.arity == 2 && own[0] == none) arguments[0] = arguments[0].index(0, 0);
      try {
        (void)looped(callable, own, arguments);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::dtype_mismatch) << info.name << error.what();
        EXPECT_THROW((void)arrays::vmapped(callable, {.in_axes = own}, arguments, {}), Error) << info.name;
        continue;
      }
      ++compared;
      same_as_loop(callable, own, arguments, {Mode::graph}, info.name);
    }
  }
  EXPECT_GT(compared, 2 * op_count());
}

TEST(Vmap, StructuralOperations) {
  const Array x = random_array({3, 4, 5}, DType::f64, 4), y = random_array({4, 5}, DType::f64, 5),
              m = random_array({6, 5, 4}, DType::f64, 6), v = random_array({4, 3}, DType::f64, 7);
  for (const int axis : {0, 1, 2, -1}) {
    same_as_loop(
        [](std::span<const Array> in) {
          const Array& a = in[0];
          return std::vector<Array>{sum(a),          sum(a, 0),        max(a, -1, true),         argmin(a),
                                    mean(a, 1),      var(a, 0, 0.5),   logsumexp(a, -1),         norm(a),
                                    any(a > 1.0, 0), count_nonzero(a), cumulative_sum(a, -1),    cumulative_prod(a, 0),
                                    repeat(a, 2, 1), repeat(a, 3),     concat({a, a * 2.0}, -1), stack({a, a}, 1)};
        },
        {axis}, {x});
    same_as_loop(
        [](std::span<const Array> in) {
          const Array& a = in[0];
          return std::vector<Array>{a.slice(-1, {1, -1}),
                                    a.index(0, -1),
                                    a.transpose(),
                                    a.transpose({1, 0}),
                                    a.expand_dims(-1),
                                    a.expand_dims(0),
                                    a.reshape({-1}),
                                    a.reshape({2, -1}).index(1, 0),
                                    a.broadcast_to({2, 2, a.extent(0), a.extent(1)}),
                                    a.astype(DType::f32),
                                    a.astype(DType::i16),
                                    a * a.extent(0),
                                    pow(a, 3),
                                    split(a, {1}, 1)[0]};
        },
        {axis}, {axis == 1 ? random_array({2, 4, 6}, DType::f64, 8) : random_array({4, 6, 4}, DType::f64, 9)});
  }
  const Region pairs = [](std::span<const Array> in) {
    const Array &a = in[0], &b = in[1];
    return std::vector<Array>{concat({a, b}, 0),
                              concat({b, a, b}, -1),
                              update(a, 0, {1, 3}, b.index(0, 1)),
                              update(a, -1, 2, b.index(1, 0)),
                              update(a, 1, {.step = 2}, 0.5),
                              update(a, 0, {.stop = 0}, b.index(0, 0)),
                              where(a > b, a, b),
                              a + b.index(0, 0) * in[0].index(1, 0).expand_dims(1)};
  };
  same_as_loop(pairs, {0, none}, {x, y});
  same_as_loop(pairs, {none, 0}, {y, x});
  same_as_loop(pairs, {0, -1}, {x, random_array({4, 5, 3}, DType::f32, 10).astype(DType::f64)});
  const Region products = [](std::span<const Array> in) {
    const Array &a = in[0], &b = in[1], &c = in[2];
    return std::vector<Array>{matmul(a, b),
                              matmul(c, b),
                              matmul(a, c),
                              matmul(c, c),
                              matmul(stack({a, a * 2.0}), b),
                              matmul(c, stack({b, b * 2.0})),
                              tensordot(a, b, 1),
                              tensordot(a, b.transpose(), {0, 1}, {0, 1})};
  };
  const Array b = random_array({4, 5}, DType::f64, 11), a6 = m, a = m.index(0, 0),
              b6 = random_array({4, 6, 5}, DType::f64, 12), c = random_array({4}, DType::f64, 13),
              c6 = random_array({4, 6}, DType::f64, 14);
  const std::vector<Array> whole{a, b, c}, batches{a6, b6, c6};
  const BatchAxes places{0, 1, -1};
  for (unsigned which = 1; which < 8; ++which) {
    std::vector<Array> arguments = whole;
    BatchAxes own{none, none, none};
    for (std::size_t i = 0; i < 3; ++i) {
      if ((which >> i & 1u) == 0) continue;
      arguments[i] = batches[i];
      own[i] = places[i];
    }
    same_as_loop(products, own, arguments, {Mode::graph});
  }
}

TEST(Vmap, PlacesOfABatch) {
  const Array x = random_array({3, 4, 5}, DType::f64, 20), y = random_array({4, 5}, DType::f64, 21);
  for (const DType dtype : {DType::i64, DType::u64, DType::i8}) {
    const Array places = array(engine(), {0, 3, 1, 2, 2, 0}).reshape({3, 2}).astype(dtype);
    for (const int axis : {0, 1, -1}) {
      const Region taken = [=](std::span<const Array> in) { return std::vector<Array>{take(in[0], in[1], axis)}; };
      same_as_loop(taken, {0, 0}, {x, places});
      same_as_loop(taken, {none, 0}, {y, places});
      same_as_loop(taken, {0, none}, {x, places.index(0, 1)});
      same_as_loops(
          [=](std::span<const Array> in) {
            return std::vector<Array>{take(in[0], in[1], axis), in[2]};
          },
          {x, places, random_array({3, 3}, DType::f64, 22)});
      same_as_loops(
          [=](std::span<const Array> in) {
            return std::vector<Array>{take(in[0], in[2], axis), take(in[0], in[1], axis)};
          },
          {x, places, array(engine(), std::vector<std::int64_t>(18, 2)).reshape({3, 3, 2})});
    }
  }
  const auto f = vmap([](Array a, Array i) { return take(a, i); });
  try {
    (void)f(y.transpose(), array(engine(), {0, -1, 3, 4, 0}).expand_dims(1));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("take: place 0 of the indices is 4, and axis 0 has extent 4"), std::string::npos)
        << error.message();
  }
}

const auto keep = [](std::span<const Array> in) { return std::vector<Array>(in.begin(), in.end()); };

TEST(Vmap, Branches) {
  const Array x = random_array({3, 4}, DType::f64, 30), flags = array(engine(), {true, false, true}),
              numbers = array(engine(), std::vector<std::int8_t>{-1, 1, 7}), one = scalar(engine(), true);
  const Region branch = [](std::span<const Array> in) {
    const auto yes = [&](std::span<const Array> now) {
      return std::vector<Array>{now[0] * 2.0 + in[0], sum(now[0]), scalar(engine(), 1.0)};
    };
    const auto no = [&](std::span<const Array> now) {
      return std::vector<Array>{in[1], now[0].index(0, 0), in[1].index(0, 2)};
    };
    return cond(in[2], yes, no, {in[0] + 1.0});
  };
  same_as_loop(branch, {0, 0, 0}, {x, x * 3.0, flags});
  same_as_loop(branch, {0, none, 0}, {x, x.index(0, 1), flags});
  same_as_loop(branch, {0, none, none}, {x, x.index(0, 1), one});
  same_as_loop(branch, {none, 0, none}, {x.index(0, 1), x, one});
  same_as_loops(branch,
                {x, x * 2.0, array(engine(), {1, 0, 1, 0, 0, 1, 1, 1, 0}).reshape({3, 3}).astype(DType::boolean)});
  for (const DType dtype : {DType::i8, DType::i32, DType::u64}) {
    const Array places =
        dtype == DType::u64 ? array(engine(), std::vector<std::uint64_t>{0, 1, UINT64_MAX}) : numbers.astype(dtype);
    same_as_loop(
        [](std::span<const Array> in) {
          const auto times = [](double n) {
            return [=](std::span<const Array> now) { return std::vector<Array>{now[0] * n}; };
          };
          return switch_(in[1], {times(2), times(3), times(5)}, {in[0]});
        },
        {0, 0}, {x, places});
  }
}

TEST(Vmap, Loops) {
  const Array x = random_array({3, 4}, DType::f64, 31), y = random_array({4}, DType::f64, 32),
              ends = array(engine(), std::vector<std::int64_t>{4, 0, 2}), end = scalar(engine(), std::int64_t{3}),
              many = array(engine(), std::vector<std::int64_t>{4, 0, 2, 1, 1, 0, 5, 2, 3}).reshape({3, 3});
  // Newton's method: each element of the batch ends at a step of its own.
  const Region newton = [](std::span<const Array> in) {
    const Array target = abs(in[0]) + 0.5;
    return while_loop([&](std::span<const Array> c) { return any(abs(c[0] * c[0] - target) > 1e-12 * target); },
                      [&](std::span<const Array> c) {
                        return std::vector<Array>{0.5 * (c[0] + target / c[0]), c[1] + 1};
                      },
                      {target, scalar(engine(), 0)});
  };
  same_as_loop(newton, {0}, {x * 100.0});
  same_as_loop(newton, {1}, {x});
  same_as_loops(newton, {x, y.index(0, 0).expand_dims(0).broadcast_to({3}), many});
  // The condition becomes one of the batch with a carry that does so in the second step.
  const Region late = [](std::span<const Array> in) {
    return while_loop([&](std::span<const Array> c) { return c[0] < 10.0; },
                      [&](std::span<const Array> c) {
                        return std::vector<Array>{c[1] + c[0], abs(sum(in[0])) + 1.0};
                      },
                      {scalar(engine(), 0.0), scalar(engine(), 1.0)});
  };
  same_as_loop(late, {0}, {x});
  same_as_loops(late, {x, many, many});
  const Region counted = [](std::span<const Array> in) {
    const Array first = fori_loop(
        0, in[2], [&](Array i, Array c) { return c * 0.5 + in[0] * i; }, in[1]);
    return std::vector<Array>{first, fori_loop(
                                         1, 4, [&](Array i, Array c) { return c + sum(in[0]) * i; }, in[1])};
  };
  same_as_loop(counted, {0, none, none}, {x, y, end});
  same_as_loop(counted, {none, 0, none}, {y, x, end});
  same_as_loop(counted, {none, none, 0}, {y, y, ends});
  same_as_loop(counted, {0, none, 0}, {x, y, ends});
  same_as_loops(counted, {x, x, many});
  const Region scanned = [](std::span<const Array> in) {
    return scan(
        [&](std::span<const Array> now) {
          return std::vector<Array>{now[0] * 0.9 + now[1], now[0] * now[2], in[0].index(0, 1) + now[1], now[2] * 2.0};
        },
        {in[1].index(0, 0)}, {in[0], in[1]});
  };
  same_as_loop(scanned, {0, none}, {x, y});
  same_as_loop(scanned, {none, 0}, {y, x});
  same_as_loop(scanned, {0, -1}, {x, random_array({4, 3}, DType::f64, 33)});
  same_as_loop(
      [](std::span<const Array> in) {
        return scan(
            [&](std::span<const Array> now) {
              return std::vector<Array>{now[0] + in[1], now[1].transpose()};
            },
            {in[1] * 0.0}, {in[0]});
      },
      {1, 0}, {random_array({5, 3, 2, 4}, DType::f64, 34), random_array({3}, DType::f64, 35)});
  same_as_loops(
      [](std::span<const Array> in) {
        return scan(
            [&](std::span<const Array> now) {
              return std::vector<Array>{now[0] + now[1] * in[2], now[0] - now[2]};
            },
            {scalar(engine(), 0.0)}, {in[0], in[1]});
      },
      {x, random_array({3, 4}, DType::f64, 36), random_array({3, 3}, DType::f64, 37)});
}

TEST(Vmap, AsAFunction) {
  const Array points = random_array({7, 3}, DType::f64, 40), centre = random_array({3}, DType::f64, 41);
  const auto distance = [](Array a, Array b) { return norm(a - b); };
  const auto one = vmap(distance, {.in_axes = {0, none}});
  EXPECT_EQ(bytes_of(one(points, centre)), bytes_of(norm(points - centre, 1)));
  // All pairs, and the same of a traced function, in a traced function, and with results whose axes go elsewhere.
  const auto all = vmap(vmap(distance, {.in_axes = {none, 0}}), {.in_axes = {0, none}});
  const Array want = norm(points.expand_dims(1) - points, 2);
  EXPECT_EQ(bytes_of(all(points, points)), bytes_of(want));
  for (const Mode mode : modes()) {
    const auto f = traced(engine(), distance, {.mode = mode});
    const auto of_traced = vmap(vmap(f, {.in_axes = {none, 0}}), {.in_axes = {0, none}});
    EXPECT_EQ(bytes_of(of_traced(points, points)), bytes_of(want));
    const auto g = traced(engine(), of_traced, {.mode = mode});
    EXPECT_EQ(bytes_of(g(points, points)), bytes_of(want));
    EXPECT_EQ(bytes_of(g(points.slice(0, {.stop = 2}), points)), bytes_of(want.slice(0, {.stop = 2})));
    EXPECT_EQ(g.trace_count(), 1);
  }
  const auto both = vmap(
      [](Array a) {
        return std::tuple{a.expand_dims(0), scalar(engine(), 2.0), a * 2.0};
      },
      {.in_axes = {1}, .out_axes = {-1, 0, 1}});
  const auto [row, number, twice] = both(points);
  EXPECT_EQ(bytes_of(row), bytes_of(points.expand_dims(0)));
  EXPECT_EQ(number.values<double>(), std::vector<double>(3, 2.0));
  EXPECT_EQ(bytes_of(twice), bytes_of(points * 2.0));
  // Over no elements: nothing but shapes.
  EXPECT_EQ(std::int64_t{vmap([](Array a) { return sum(exp(a)); })(points.slice(0, {.stop = 0})).extent(0)}, 0);
}

std::string message(const std::function<void()>& fn) {
  try {
    fn();
  } catch (const Error& error) {
    return std::string(name_of(error.code())) + ": " + error.message();
  }
  return "no error";
}
#define SAYS(begin, expression)                                  \
  {                                                              \
    const std::string text = message([&] { (void)expression; }); \
    EXPECT_EQ(text.substr(0, std::string(begin).size()), begin); \
  }

TEST(Vmap, Errors) {
  const Array x = random_array({3, 4}, DType::f64, 50), y = random_array({4, 3}, DType::f64, 51);
  const auto add = [](Array a, Array b) { return a + b; };
  const auto same = [](Array a) { return a; };
  SAYS("shape-mismatch: vmap goes over axes of extents 3 and 4: axis 0 of argument 1", vmap(add)(x, y));
  SAYS("usage: vmap goes over an axis of one argument", vmap(same, {.in_axes = {none}})(x));
  SAYS("trace-arguments: vmap: 1 axes for 2 arguments", vmap(add, {.in_axes = {0}})(x, y));
  SAYS("trace-arguments: vmap: 2 axes for 1 results", vmap(same, {.out_axes = {0, 0}})(x));
  SAYS("axis-range: vmap: axis 2 of an array of rank 2", vmap(same, {.in_axes = {2}})(x));
  SAYS("axis-range: vmap: axis 2 of an array of rank 2", vmap(same, {.out_axes = {2}})(x));
  SAYS("axis-range: vmap: axis 0 of an array of rank 0", vmap(same)(scalar(engine(), 1.0)));
  // As of arrays without the axis.
  SAYS("shape-mismatch: add: shapes f64[4] and f64[3] do not broadcast",
       vmap(add, {.in_axes = {0, none}})(x, y.index(0, 0)));
  SAYS("axis-range: sum: axis 1 of an array of rank 1", vmap([](Array a) { return sum(a, 1); })(x));
  SAYS("axis-range: concat: axis 1 of an array of rank 1", vmap([](Array a) { return concat({a, a}, 1); })(x));
  SAYS("index-range: index: element 4 of axis 0, which has extent 4", vmap([](Array a) { return a.index(0, 4); })(x));
  SAYS("shape-mismatch: matmul of f64[4] and f64[3]",
       vmap([](Array a, Array b) { return matmul(a, b); }, {.in_axes = {0, 1}})(x, y.slice(0, {1}).transpose()));
  SAYS("axis-range: an array has at most 8 axes, of which a vmap takes one", vmap([](Array a) {
         return a.reshape({1, 1, 1, 1, 1, 2, 1, 2});
       })(x));
  SAYS("traced-value: an array inside of vmap stands for all", vmap([](Array a) {
         (void)a.values<double>();
         return a;
       })(x));
  SAYS("traced-value: a branch of C++", vmap([](Array a) { return sum(a) > 0.0 ? a : -a; })(x));
  SAYS("traced-value: repeat:", vmap([](Array a) { return repeat(a, a.astype(DType::i64)); })(x));
  Array kept;
  SAYS("no error", vmap([&](Array a) { return kept = a; })(x));
  SAYS("traced-value: an array of a vmap that has ended", (kept + 1.0));
  SAYS("traced-value: an array of a vmap that has ended", kept.index(0, 0));
  SAYS("traced-value: an array of a vmap that has ended", vmap([&](Array) { return kept; })(x));
  const auto captures = [&](Array a) {
    const auto f = traced(engine(), [&](Array b) { return b + a; }, {.mode = Mode::graph});
    return f(x.index(0, 0));
  };
  SAYS("traced-value: a traced function that is called inside of vmap", vmap(captures)(x));
}

TEST(Vmap, Effects) {
  std::string lines;
  Engine printing({.threads = 1, .print = [&](std::string_view line) { lines += line; }});
  const Array x = array(printing, {1.0, 2.0, 3.0});
  const auto f = [](Array a, Array limit) {
    print("a {}, limit {}", {a, limit});
    check(a < limit, "below");
    return a * 2.0;
  };
  for (const Mode mode : {Mode::eager, Mode::graph}) {
    lines.clear();
    const auto all = traced(printing, vmap(f, {.in_axes = {0, none}}), {.mode = mode});
    EXPECT_EQ(all(x, 4.0).values<double>(), (std::vector<double>{2, 4, 6}));
    EXPECT_EQ(lines, "a f64[3] [1, 2, 3], limit 4\n");
    SAYS("check-failed: below: false at index [1]", all(x, 2.0));
  }
  SAYS("usage: callback inside of vmap", vmap([](Array a) {
         callback([](std::span<const Array>) {}, {a});
         return a;
       })(x));
  int calls = 0;
  (void)vmap([&](Array a) {
    callback([&](std::span<const Array>) { ++calls; }, {});
    return a;
  })(x);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace frit::test
