#include "ops/table.hpp"

#include <array>

#include "lanes/integers.hpp"
#include "ops/list.hpp"

namespace frit {
namespace {

using Probe = lanes::Native<double, 1>;
using IntegerProbe = lanes::WideInteger<std::int64_t>;
static_assert(lanes::IntegerLanes<IntegerProbe>);

struct Row {
  OpInfo info;
  bool composite;
  unsigned forms;
  bool raises;
};

constexpr auto rows = [] {
  std::array<Row, ops::AllOps::size> result{};
  std::size_t i = 0;
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    static_assert(ops::has_every_part<Op, Probe, IntegerProbe>(), "an op lacks a part: see the list in ops/list.hpp");
    result[i++] = {Op::info, ops::Composite<Op>, ops::forms<Op, Probe>(), ops::Raises<Op, IntegerProbe>};
  });
  return result;
}();

constexpr bool names_are_distinct() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (std::string_view(rows[i].info.name) == rows[k].info.name) return false;
      if (rows[i].info.sympy && rows[k].info.sympy && std::string_view(rows[i].info.sympy) == rows[k].info.sympy)
        return false;
    }
  }
  return true;
}
static_assert(names_are_distinct(), "two ops of one name or one SymPy class");

}  // namespace

int op_count() { return static_cast<int>(rows.size()); }
const OpInfo& info_of(OpId op) { return rows[static_cast<std::size_t>(op)].info; }
bool is_composite(OpId op) { return rows[static_cast<std::size_t>(op)].composite; }
unsigned forms_of(OpId op) { return rows[static_cast<std::size_t>(op)].forms; }
bool can_raise(OpId op) { return rows[static_cast<std::size_t>(op)].raises; }

std::optional<OpId> find_op(std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].info.name == name) return static_cast<OpId>(i);
  }
  return std::nullopt;
}

std::optional<OpId> find_op_of_sympy_class(std::string_view class_name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].info.sympy != nullptr && rows[i].info.sympy == class_name) return static_cast<OpId>(i);
  }
  return std::nullopt;
}

}  // namespace frit
