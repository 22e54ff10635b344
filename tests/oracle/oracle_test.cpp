// The oracles themselves: every op has one, and it tells a wrong value from a right one.
#include "oracle/oracle.hpp"

#include <gtest/gtest.h>

#include "ops/table.hpp"
#include "oracle/exact_value.hpp"
#include "random/program.hpp"
#include "support/programs.hpp"

namespace frit::test {
namespace {

TEST(Oracle, EveryOpHasAnEntryAndEveryEntryAnOp) {
  for (int i = 0; i < op_count(); ++i) {
    const auto op = static_cast<OpId>(i);
    if (info_of(op).type == TypeRule::integer) continue;  // tests/unit/integer_ops_test.cpp has those
    const std::string name = info_of(op).name;
    const auto entries = oracle::entries();
    EXPECT_NE(std::find(entries.begin(), entries.end(), name), entries.end())
        << "op '" << name << "' has no oracle: add an entry for it in tests/oracle/";
    if (is_composite(op)) continue;
    const std::vector<oracle::Value> ones(3, {.re = 0.75});
    try {
      (void)oracle::value_of_op(name, ones);
    } catch (const oracle::Undecided&) {
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  for (const std::string& name : oracle::entries()) EXPECT_TRUE(find_op(name).has_value()) << name;
}

// Every form of every op on ordinary operands: the part is said, and a value a few units beside it is refused.
TEST(Oracle, AWrongValueIsRefusedInEveryForm) {
  Inputs<double> inputs(7);
  for (const DType dtype : {DType::f32, DType::f64}) {
    const oracle::Format format = oracle::Format::of(dtype);
    for (const OpForm& f : every_op_form()) {
      const OpInfo& info = info_of(f.op);
      const oracle::Question question{info.name, info.budget, dtype};
      int refused = 0, accepted = 0;
      for (int round = 0; round < 40; ++round) {
        std::vector<oracle::Number> operands;
        bool complex = false;
        for (int i = 0; i < info.arity; ++i) {
          const ops::OperandKind kind = kind_of(f.op, f.form, i);
          const auto part = [&] { return format.round(oracle::Real(inputs.moderate() / 256)); };
          complex = complex || kind == ops::OperandKind::complex;
          if (kind == ops::OperandKind::boolean) {
            operands.push_back({.re = static_cast<double>(round >> i & 1)});
          } else {
            operands.push_back(
                {part(), kind == ops::OperandKind::complex ? part() : 0, kind == ops::OperandKind::complex});
          }
        }
        const oracle::Expected want = oracle::expected(question, operands);
        ASSERT_NE(want.re.is, oracle::Part::Is::open) << info.name << " form " << f.form;
        const DType result = [&] {
          std::vector<DType> dtypes;
          for (int i = 0; i < info.arity; ++i) {
            const ops::OperandKind kind = kind_of(f.op, f.form, i);
            dtypes.push_back(kind == ops::OperandKind::boolean   ? DType::boolean
                             : kind == ops::OperandKind::complex ? complex_of(dtype)
                                                                 : dtype);
          }
          DType d{};
          unsigned form = 0;
          EXPECT_TRUE(result_of(f.op, dtypes, dtype, d, form));
          return d;
        }();
        oracle::Number right{format.round(want.re.value), format.round(want.im.value), is_complex(result)};
        if (oracle::difference(question, operands, right).empty()) ++accepted;
        oracle::Number wrong = right;
        const double step = std::ldexp(1.0, 6 - format.digits);
        if (result == DType::boolean) {
          wrong.re = 1 - right.re;
        } else if (round % 2 == 0 || !right.complex) {
          wrong.re =
              std::isnan(right.re) ? 1 : format.round(oracle::Real(right.re * (1 + step) + (right.re == 0 ? step : 0)));
        } else {
          wrong.im = format.round(oracle::Real(right.im * (1 + step) + (right.im == 0 ? step : 0)));
        }
        if (!oracle::difference(question, operands, wrong).empty()) ++refused;
      }
      EXPECT_EQ(accepted, 40) << info.name << " form " << f.form << " " << name_of(dtype);
      // Where the unit is of a modulus, a small part may be far off by its own.
      EXPECT_GE(refused, info.budget.complex > 1 && f.form != 0 ? 20 : 38)
          << info.name << " form " << f.form << " " << name_of(dtype);
    }
  }
}

}  // namespace
}  // namespace frit::test
