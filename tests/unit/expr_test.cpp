#include "graph/expr.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ops/table.hpp"

namespace {

using frit::ExactNumber;
using frit::Expr;
using frit::ExprId;
using frit::ExprKind;

TEST(Expr, EqualNodesAreOne) {
  Expr e;
  const ExprId x = e.add_symbol("x");
  const ExprId two = e.add_number(ExactNumber::integer(2));
  EXPECT_EQ(e.add_symbol("x"), x);
  EXPECT_EQ(e.add_number(ExactNumber::integer(2)), two);
  const ExprId ab[] = {x, two};
  const ExprId ba[] = {two, x};
  const ExprId sum = e.add(ExprKind::add, ab);
  EXPECT_EQ(e.add(ExprKind::add, ab), sum);
  EXPECT_NE(e.add(ExprKind::add, ba), sum);
  EXPECT_NE(e.add(ExprKind::multiply, ab), sum);
  const auto sine = frit::find_op("sin");
  const auto cosine = frit::find_op("cos");
  ASSERT_TRUE(sine && cosine);
  const ExprId s = e.add_call(*sine, {&x, 1});
  EXPECT_EQ(e.add_call(*sine, {&x, 1}), s);
  EXPECT_NE(e.add_call(*cosine, {&x, 1}), s);
  EXPECT_EQ(e.add_boolean(true), e.add_boolean(true));
  EXPECT_NE(e.add_boolean(true), e.add_boolean(false));
  EXPECT_EQ(e.add_constant(frit::NamedConstant::pi), e.add_constant(frit::NamedConstant::pi));
  EXPECT_NE(e.add_constant(frit::NamedConstant::pi), e.add_constant(frit::NamedConstant::e));
  ExactNumber decimal;
  ASSERT_TRUE(ExactNumber::parse_decimal("2.0", decimal));
  EXPECT_NE(e.add_number(decimal), two);
}

TEST(Expr, SymbolsOfOneNameAndAnotherKeyDiffer) {
  Expr e;
  EXPECT_EQ(e.find_symbol("x"), frit::no_expr);
  const ExprId plain = e.add_symbol("x");
  const ExprId real = e.add_symbol("x", "real=True");
  EXPECT_NE(plain, real);
  EXPECT_EQ(e.add_symbol("x", "real=True"), real);
  EXPECT_EQ(e.symbol_count(), 2u);
  EXPECT_EQ(e.symbol_name(real), "x");
  EXPECT_EQ(e.symbol_key(real), "real=True");
  EXPECT_EQ(e.symbol_name_at(1), "x");
  for (int i = 0; i < 10'000; ++i) e.add_symbol("y" + std::to_string(i));
  EXPECT_EQ(e.find_symbol("x"), plain);
  const ExprId empty = e.add_symbol("");
  EXPECT_EQ(e.find_symbol(""), empty);
  const std::string_view with_zero("a\0b", 3);
  const ExprId zero = e.add_symbol(with_zero);
  EXPECT_EQ(e.find_symbol(with_zero), zero);
  EXPECT_EQ(e.find_symbol("a"), frit::no_expr);
}

TEST(Expr, ManyNodesKeepTheirIdsAndOrder) {
  Expr e;
  std::vector<ExprId> ids;
  for (int i = 0; i < 100'000; ++i) ids.push_back(e.add_number(ExactNumber::integer(i)));
  std::vector<ExprId> pairs;
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) pairs.push_back(e.add(ExprKind::multiply, {&ids[i], 2}));
  const ExprId sum = e.add(ExprKind::add, pairs);
  e.set_root(sum);
  const std::size_t size = e.size();
  EXPECT_EQ(size, ids.size() + pairs.size() + 1);
  for (std::size_t i = 0; i < ids.size(); ++i)
    ASSERT_EQ(e.add_number(ExactNumber::integer(static_cast<int>(i))), ids[i]);
  for (std::size_t i = 0; i < pairs.size(); ++i) ASSERT_EQ(e.add(ExprKind::multiply, {&ids[i], 2}), pairs[i]);
  EXPECT_EQ(e.size(), size);
  for (ExprId id = 0; id < e.size(); ++id) {
    for (const ExprId operand : e.operands(id)) ASSERT_LT(operand, id);
  }
  EXPECT_LT(e.bytes(), size * 64);

  Expr moved = std::move(e);
  EXPECT_EQ(moved.root(), sum);
  EXPECT_EQ(moved.operands(sum).size(), pairs.size());
  EXPECT_EQ(moved.output_count(), 1u);
}

TEST(Expr, OperandsMayBeAViewOfTheArena) {
  Expr e;
  std::vector<ExprId> ids;
  for (int i = 0; i < 100; ++i) ids.push_back(e.add_number(ExactNumber::integer(i)));
  ExprId last = e.add(ExprKind::add, ids);
  for (int i = 0; i < 50; ++i) {
    const ExprId next = e.add(i % 2 == 0 ? ExprKind::multiply : ExprKind::tuple,
                              e.operands(last).first(99 - static_cast<std::size_t>(i)));
    ASSERT_EQ(e.operands(next).size(), 99u - static_cast<std::size_t>(i));
    for (std::size_t k = 0; k < e.operands(next).size(); ++k) ASSERT_EQ(e.operands(next)[k], ids[k]);
    last = next;
  }
}

TEST(Expr, ConditionsAreToldFromNumbers) {
  Expr e;
  const ExprId x = e.add_symbol("x");
  const ExprId xx[] = {x, x};
  const ExprId less = e.add_call(*frit::find_op("less"), xx);
  EXPECT_FALSE(e.is_boolean(x));
  EXPECT_TRUE(e.is_boolean(less));
  EXPECT_TRUE(e.is_boolean(e.add_call(*frit::find_op("logical_not"), {&less, 1})));
  EXPECT_TRUE(e.is_boolean(e.add_boolean(false)));
  EXPECT_FALSE(e.is_boolean(e.add_call(*frit::find_op("sin"), {&x, 1})));
  EXPECT_EQ(e.output_count(), 0u);
  e.set_root(e.add(ExprKind::tuple, xx));
  EXPECT_EQ(e.output_count(), 2u);
}

}  // namespace
