// Law 3 for every op of the table, every form, both dtypes and every ISA that runs here: the same bits one element at a time
// in the lanes of the baseline (this file's own instantiation of the op's template), eagerly, in tiles of any size, at
// every length and alignment, split anywhere, and with any set of operands known before the loop.
#include <gtest/gtest.h>

#include "exec/kernels/body.hpp"
#include "support/programs.hpp"

namespace frit::test {
namespace {

// The op's template over lanes of width 1.
template <class T> exec::TileKernel reference_kernel(OpId op, unsigned form) {
  static const auto table = [] {
    std::array<std::array<exec::TileKernel, exec::form_count>, ops::AllOps::size> rows{};
    using V = lanes::Native<T, 1>;
    ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
      [&]<unsigned... forms>(ops::Forms<forms...>) {
        const auto one = [&]<unsigned f>() {
          if constexpr (ops::takes<Op, V, f>())
            rows[static_cast<std::size_t>(ops::id_of<Op>)][f] = &kernels::run<Op, V, f, 0>;
        };
        (one.template operator()<forms>(), ...);
      }
      (ops::Forms<0, 1, 2, 3, 4, 5, 6, 7>{});
    });
    return rows;
  }();
  return table[static_cast<std::size_t>(op)][form];
}

// An op with its form and inputs, and what it gives one element at a time.
template <class T> struct Case {
  OpId op;
  unsigned form;
  std::int64_t n;
  std::vector<std::vector<T>> parts;  // the real and imaginary parts of the operands, in order
  std::vector<int> operand_of;        // of each part
  DType result;

  Case(OpId an_op, unsigned a_form, std::uint64_t seed) : op(an_op), form(a_form) {
    for (int i = 0; i < info_of(op).arity; ++i) {
      const int count = kind_of(op, form, i) == ops::OperandKind::complex ? 2 : 1;
      for (int k = 0; k < count; ++k) operand_of.push_back(i);
    }
    // Random inputs first, so that short runs see all kinds of values; then every pair of special values.
    Inputs<T> inputs(seed);
    const std::size_t random_count = operand_of.size() > 2 ? 3000 : 1200;
    for (std::size_t i = 0; i < operand_of.size(); ++i) parts.push_back(inputs.take(random_count));
    const std::vector<T> special = special_values<T>();
    if (parts.size() == 1) parts[0].insert(parts[0].end(), special.begin(), special.end());
    if (parts.size() == 2) {
      for (T x : special) {
        parts[0].insert(parts[0].end(), special.size(), x);
        parts[1].insert(parts[1].end(), special.begin(), special.end());
      }
    }
    n = static_cast<std::int64_t>(parts[0].size());
    const Graph graph = op_graph(op, form, dtype_of<T>);
    result = graph.node(graph.outputs()[0].node).dtype;
  }

  std::string name() const {
    std::string text = std::string(info_of(op).name) + "(";
    for (int i = 0; i < info_of(op).arity; ++i) {
      const ops::OperandKind kind = kind_of(op, form, i);
      text += i == 0 ? "" : ", ";
      text += kind == ops::OperandKind::boolean   ? "bool"
              : kind == ops::OperandKind::complex ? name_of(complex_of(dtype_of<T>))
                                                  : name_of(dtype_of<T>);
    }
    return text + ")";
  }

  std::vector<Bytes> columns(unsigned scalars = 0) const {
    std::vector<Bytes> images;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if ((scalars >> operand_of[i] & 1u) != 0) continue;
      if (i > 0 && operand_of[i] == operand_of[i - 1]) continue;
      std::vector<T> elements;
      const bool complex = i + 1 < parts.size() && operand_of[i + 1] == operand_of[i];
      for (std::size_t k = 0; k < parts[i].size(); ++k) {
        elements.push_back(parts[i][k]);
        if (complex) elements.push_back(parts[i + 1][k]);
      }
      images.push_back(bytes_of<T>(elements));
    }
    return images;
  }

  // The result of the events' parts one element at a time, as an executor writes it.
  Bytes expected() const {
    std::vector<std::vector<T>> operands = parts;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (kind_of(op, form, operand_of[i]) != ops::OperandKind::boolean) continue;
      for (T& x : operands[i]) x = std::bit_cast<T>(x != 0 ? ~Unsigned<T>{0} : Unsigned<T>{0});
    }
    std::vector<std::vector<T>> results(2, std::vector<T>(static_cast<std::size_t>(n)));
    std::vector<void*> pointers;
    for (auto& operand : operands) pointers.push_back(operand.data());
    for (auto& part : results) pointers.push_back(part.data());
    reference_kernel<T>(op, form)(pointers.data(), n);
    const auto canonical = [](T x) { return x == x ? x : std::numeric_limits<T>::quiet_NaN(); };
    std::vector<T> elements;
    Bytes booleans;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      booleans.push_back(static_cast<std::byte>(std::bit_cast<Unsigned<T>>(results[0][i]) != 0));
      elements.push_back(canonical(results[0][i]));
      if (is_complex(result)) elements.push_back(canonical(results[1][i]));
    }
    return result == DType::boolean ? booleans : bytes_of<T>(elements);
  }
};

exec::Program program_of(OpId op, unsigned form, DType dtype, unsigned scalars, const exec::KernelTable& table,
                         std::int64_t tile) {
  return {plan::make_plan(op_graph(op, form, dtype, scalars)), table, {.tile = tile}};
}

// Calls check(case) for every op, form and dtype.
template <class Check> void for_each_case(Check check) {
  for (int i = 0; i < op_count(); ++i) {
    const OpId op = static_cast<OpId>(i);
    for (unsigned form = 0; form < exec::form_count; ++form) {
      if ((forms_of(op) >> form & 1u) == 0) continue;
      const std::uint64_t seed = 100 * static_cast<std::uint64_t>(i) + form;
      check(Case<float>(op, form, seed));
      check(Case<double>(op, form, seed));
    }
  }
}

constexpr std::int64_t short_run = 70;

#define EXPECT_SAME(got, want, type, ...)                                                    \
  if (const std::string difference = first_difference(got, want, type); !difference.empty()) \
  ADD_FAILURE() << __VA_ARGS__ << ": " << difference

TEST(OpsModes, EagerAndEveryTileSizeAreTheValueOneElementAtATime) {
  for_each_case([]<class T>(const Case<T>& c) {
    const Bytes want = c.expected();
    const std::vector<Bytes> columns = c.columns();
    for (const exec::KernelTable* table : exec::usable_tables()) {
      const exec::Program any = program_of(c.op, c.form, dtype_of<T>, 0, *table, 0);
      EXPECT_SAME(run(any, columns, {}, c.n, {.whole_range = true})[0], want, c.result,
                  c.name() << " eager " << table->isa);
      EXPECT_SAME(run(any, columns, {}, c.n)[0], want, c.result, c.name() << " " << table->isa);
      for (std::int64_t tile : {64, 128, 1024}) {
        const exec::Program tiled = program_of(c.op, c.form, dtype_of<T>, 0, *table, tile);
        EXPECT_SAME(run(tiled, columns, {}, c.n)[0], want, c.result, c.name() << " tile " << tile << " " << table->isa);
      }
    }
  });
}

TEST(OpsModes, EveryLengthAlignmentAndSplit) {
  for_each_case([]<class T>(const Case<T>& c) {
    const Bytes want = c.expected();
    const std::vector<Bytes> columns = c.columns();
    const Bytes short_want = part_of(want, c.result, 0, short_run);
    for (const exec::KernelTable* table : exec::usable_tables()) {
      const exec::Program program = program_of(c.op, c.form, dtype_of<T>, 0, *table, 64);
      for (std::int64_t n = 0; n <= short_run; ++n) {
        EXPECT_SAME(run(program, columns, {}, n)[0], part_of(want, c.result, 0, n), c.result,
                    c.name() << " length " << n << " " << table->isa);
        EXPECT_SAME(run(program, columns, {}, short_run, {.cuts = {n}})[0], short_want, c.result,
                    c.name() << " split at " << n << " " << table->isa);
        EXPECT_SAME(run(program, columns, {}, short_run, {.whole_range = true, .cuts = {n}})[0], short_want, c.result,
                    c.name() << " eager split at " << n << " " << table->isa);
      }
      for (std::size_t shift = 1; shift < 64; ++shift) {
        EXPECT_SAME(run(program, columns, {}, short_run, {.misalign = shift})[0], short_want, c.result,
                    c.name() << " moved by " << shift << " bytes " << table->isa);
      }
    }
  });
}

TEST(OpsModes, AScalarOperandIsAColumnOfItsValue) {
  for_each_case([]<class T>(const Case<T>& c) {
    const unsigned all = (1u << info_of(c.op).arity) - 1;
    Inputs<T> inputs(17);
    for (unsigned scalars = 1; scalars <= all; ++scalars) {
      for (int round = 0; round < 12; ++round) {
        Case<T> repeated = c;
        repeated.n = short_run;
        std::vector<std::complex<double>> parameters;
        for (std::size_t i = 0; i < repeated.parts.size(); ++i) {
          repeated.parts[i].resize(static_cast<std::size_t>(short_run));
          if ((scalars >> c.operand_of[i] & 1u) == 0) continue;
          const T x = inputs.next();
          std::fill(repeated.parts[i].begin(), repeated.parts[i].end(), x);
          if (i > 0 && c.operand_of[i] == c.operand_of[i - 1]) {
            parameters.back() = {parameters.back().real(), static_cast<double>(x)};
          } else {
            parameters.emplace_back(static_cast<double>(x), 0);
          }
        }
        const Bytes want = repeated.expected();
        const std::vector<Bytes> columns = repeated.columns(scalars);
        for (const exec::KernelTable* table : exec::usable_tables()) {
          const exec::Program program = program_of(c.op, c.form, dtype_of<T>, scalars, *table, 64);
          EXPECT_SAME(run(program, columns, parameters, short_run)[0], want, c.result,
                      c.name() << " scalars " << scalars << " " << table->isa);
          EXPECT_SAME(run(program, columns, parameters, short_run, {.whole_range = true})[0], want, c.result,
                      c.name() << " eager, scalars " << scalars << " " << table->isa);
        }
      }
    }
  });
}

}  // namespace
}  // namespace frit::test
