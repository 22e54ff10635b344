// Prints a line for each kernel of one table: op, form, dtype and hash (tests/support/hashed.hpp). tools/cross.sh compares the lines
// with tests/modes/hashes.txt. KERNELS is the ISA, or the namespace of tests/modes/width_kernels.cpp. With arguments OP FORM DTYPE,
// as a line begins, prints the operands and results of that kernel instead, an element a line.
#include <cstdlib>

#include "exec/kernel_table.hpp"
#include "support/hashed.hpp"

namespace frit::KERNELS::kernels {
void fill_cheap(exec::KernelTable& table);
void fill_elementary_f32(exec::KernelTable& table);
void fill_elementary_f64(exec::KernelTable& table);
void fill_complex_f32(exec::KernelTable& table);
void fill_complex_f64(exec::KernelTable& table);
}  // namespace frit::KERNELS::kernels

namespace {

using namespace frit;
namespace hashed = frit::test::hashed;

template <class T> void print_elements(const std::vector<std::vector<T>>& parts, std::size_t operands) {
  for (std::size_t i = 0; i < parts[0].size(); ++i) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const T x = parts[part][i];
      std::printf(part == operands ? " -> " : " ");
      if (x == x) {
        std::printf("%a", static_cast<double>(x));
      } else {
        std::printf("nan");
      }
    }
    std::printf("\n");
  }
}

template <class Op, class T> void print_op(const exec::KernelTable& table, const std::string& chosen) {
  constexpr TypeRule rule = Op::info.type;
  for (unsigned form = 0; form < static_cast<unsigned>(exec::form_count); ++form) {
    const auto kernel = table.single[sizeof(T) == 8 ? 1 : 0][static_cast<int>(ops::id_of<Op>)][form][0];
    const std::string line = hashed::line_of(Op::info.name, form, hashed::dtype_name<T>);
    if (kernel == nullptr || (!chosen.empty() && chosen != line)) continue;
    std::vector<ops::OperandKind> kinds;
    for (int i = 0; i < Op::info.arity; ++i) {
      const ops::OperandKind kind = ops::operand_kind(rule, form, i);
      kinds.insert(kinds.end(), kind == ops::OperandKind::complex ? 2 : 1, kind);
    }
    std::vector<std::vector<T>> parts = hashed::operands<T>(static_cast<int>(kinds.size()));
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i] != ops::OperandKind::boolean) continue;
      for (T& x : parts[i]) x = hashed::from_bits<T>(x != 0 ? ~std::uint64_t{0} : 0);
    }
    const bool masks = rule == TypeRule::compare || rule == TypeRule::logical;
    const bool two =
        rule == TypeRule::to_complex || (form != 0 && (rule == TypeRule::arithmetic || rule == TypeRule::select));
    const std::size_t size = parts[0].size();
    parts.resize(kinds.size() + (two ? 2 : 1), std::vector<T>(size));
    std::vector<void*> pointers;
    for (auto& part : parts) pointers.push_back(part.data());
    kernel(pointers.data(), static_cast<std::int64_t>(size));
    if (!chosen.empty()) {
      print_elements(parts, kinds.size());
      continue;
    }
    hashed::Hash hash;
    for (std::size_t i = kinds.size(); i < parts.size(); ++i) {
      for (T x : parts[i]) {
        if (masks) {
          hash.add_bits(hashed::bits_of(x) != 0 ? 1 : 0);
        } else {
          hash.add(x);
        }
      }
    }
    std::printf("%s %s\n", line.c_str(), hash.text().c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string chosen;
  if (argc == 4) chosen = hashed::line_of(argv[1], static_cast<unsigned>(std::atoi(argv[2])), argv[3]);
  static exec::KernelTable table;
  KERNELS::kernels::fill_cheap(table);
  KERNELS::kernels::fill_elementary_f32(table);
  KERNELS::kernels::fill_elementary_f64(table);
  KERNELS::kernels::fill_complex_f32(table);
  KERNELS::kernels::fill_complex_f64(table);
  if (chosen.empty()) {
    std::printf("%s %s\n", hashed::line_of("operands", 0, "f32").c_str(), hashed::hash_of_operands<float>().c_str());
    std::printf("%s %s\n", hashed::line_of("operands", 0, "f64").c_str(), hashed::hash_of_operands<double>().c_str());
  }
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    print_op<Op, float>(table, chosen);
    print_op<Op, double>(table, chosen);
  });
}
