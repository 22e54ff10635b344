// Prints one line a kernel of one ISA: op, form, dtype and a hash of its results on fixed operands. Two ISAs have the same
// bits where their lines are the same; tools/cross.sh compares AArch64 under an emulator with x86-64. KERNELS is the ISA.
// With arguments OP FORM DTYPE, as a line begins, prints the operands and results of that kernel instead, an element a line.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "exec/kernel_table.hpp"

namespace frit::KERNELS::kernels {
void fill_cheap(exec::KernelTable& table);
void fill_elementary_f32(exec::KernelTable& table);
void fill_elementary_f64(exec::KernelTable& table);
void fill_complex_f32(exec::KernelTable& table);
void fill_complex_f64(exec::KernelTable& table);
void fill_fused(exec::KernelTable& table);
}  // namespace frit::KERNELS::kernels

namespace {

using namespace frit;

constexpr std::int64_t size = 4096;
constexpr int most_parts = 12;

// splitmix64.
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

template <class T> using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T> T from_bits(std::uint64_t n) {
  const auto bits = static_cast<BitsOf<T>>(n);
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// A third arbitrary bit patterns, a third numbers of moderate size, the rest special values and small integers.
template <class T> T operand(Random& random) {
  using Limits = std::numeric_limits<T>;
  constexpr std::array<T, 12> special{
      T(0),          -T(0),         Limits::infinity(),   -Limits::infinity(), Limits::quiet_NaN(),
      Limits::min(), Limits::max(), Limits::denorm_min(), -Limits::min(),      T(1),
      T(-1),         T(0.5)};
  const std::uint64_t choice = random.next();
  const std::uint64_t n = random.next();
  switch (choice % 6) {
    case 0:
    case 1: return from_bits<T>(n);
    case 2:
    case 3: return static_cast<T>(static_cast<double>(static_cast<std::int64_t>(n)) * 0x1p-59);
    case 4: return static_cast<T>(static_cast<std::int64_t>(n % 41) - 20);
    default: return special[n % special.size()];
  }
}

template <class T> struct Buffers {
  std::array<std::vector<T>, most_parts> storage;
  std::array<void*, most_parts> parts{};
  Buffers() {
    for (std::size_t i = 0; i < storage.size(); ++i) {
      storage[i].resize(size);
      parts[i] = storage[i].data();
    }
  }
};

template <class T> std::uint64_t hash_results(const Buffers<T>& buffers, int first, int count, bool masks) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (int part = first; part < first + count; ++part) {
    for (T x : buffers.storage[static_cast<std::size_t>(part)]) {
      if (!masks && x != x) x = std::numeric_limits<T>::quiet_NaN();
      BitsOf<T> bits;
      std::memcpy(&bits, &x, sizeof bits);
      h = (h ^ bits) * 0x100000001b3u;
    }
  }
  return h;
}

template <class T> void print_elements(const Buffers<T>& buffers, int operand_parts, int result_parts) {
  for (std::size_t i = 0; i < size; ++i) {
    for (int part = 0; part < operand_parts + result_parts; ++part) {
      const T x = buffers.storage[static_cast<std::size_t>(part)][i];
      std::printf(part == operand_parts ? " -> " : " ");
      if (x == x) {
        std::printf("%a", static_cast<double>(x));
      } else {
        std::printf("nan");
      }
    }
    std::printf("\n");
  }
}

// A kernel chosen on the command line.
struct Chosen {
  const char* op = nullptr;
  unsigned form = 0;
  const char* dtype = nullptr;
};

template <class Op, class T> void print_op(const exec::KernelTable& table, Buffers<T>& buffers, const Chosen& chosen) {
  constexpr const char* dtype = sizeof(T) == 8 ? "f64" : "f32";
  constexpr TypeRule rule = Op::info.type;
  for (unsigned form = 0; form < static_cast<unsigned>(exec::form_count); ++form) {
    const auto kernel = table.single[sizeof(T) == 8 ? 1 : 0][static_cast<int>(ops::id_of<Op>)][form][0];
    if (kernel == nullptr) continue;
    const bool is_chosen = chosen.op != nullptr && std::strcmp(chosen.op, Op::info.name) == 0 && chosen.form == form &&
                           std::strcmp(chosen.dtype, dtype) == 0;
    if (chosen.op != nullptr && !is_chosen) continue;
    Random random{form + 1};
    int part = 0;
    for (int i = 0; i < Op::info.arity; ++i) {
      const ops::OperandKind kind = ops::operand_kind(rule, form, i);
      for (int k = 0; k < (kind == ops::OperandKind::complex ? 2 : 1); ++k, ++part) {
        for (T& x : buffers.storage[static_cast<std::size_t>(part)]) {
          x = kind == ops::OperandKind::boolean ? from_bits<T>(random.next() % 2 == 0 ? 0 : ~std::uint64_t{0})
                                                : operand<T>(random);
        }
      }
    }
    const bool masks = rule == TypeRule::compare || rule == TypeRule::logical;
    const bool two =
        rule == TypeRule::to_complex || (form != 0 && (rule == TypeRule::arithmetic || rule == TypeRule::select));
    kernel(buffers.parts.data(), size);
    if (is_chosen) {
      print_elements(buffers, part, two ? 2 : 1);
      continue;
    }
    std::printf("%-14s %u %s %016llx\n", Op::info.name, form, dtype,
                static_cast<unsigned long long>(hash_results(buffers, part, two ? 2 : 1, masks)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Chosen chosen;
  if (argc == 4) chosen = {argv[1], static_cast<unsigned>(std::atoi(argv[2])), argv[3]};
  static exec::KernelTable table;
  KERNELS::kernels::fill_cheap(table);
  KERNELS::kernels::fill_elementary_f32(table);
  KERNELS::kernels::fill_elementary_f64(table);
  KERNELS::kernels::fill_complex_f32(table);
  KERNELS::kernels::fill_complex_f64(table);
  KERNELS::kernels::fill_fused(table);
  Buffers<float> singles;
  Buffers<double> doubles;
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    print_op<Op>(table, singles, chosen);
    print_op<Op>(table, doubles, chosen);
  });
}
