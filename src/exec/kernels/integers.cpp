// Kernels of the integer forms of ops.
//
// NOTE: a kernel's loop takes whole vectors; what is left at the end is copied into blocks, and the kernel called once more on
// them, so that the op's code is there once. Integer arithmetic is exact, so no position has other bits.
#include "lanes/integers.hpp"
#include "exec/kernel_table.hpp"
#include "ops/list.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {
namespace {

// What the end of an array needs to know of a kernel.
struct Shape {
  exec::IntegerKernel kernel;
  std::int64_t width;
  int operands;
  unsigned scalars;
  std::int64_t sizes[ops::max_arity + 1];  // of an element of each operand and of the result
};

__attribute__((noinline)) std::int64_t finish(const Shape& shape, void* const* parts, std::int64_t done,
                                              std::int64_t n) {
  using Block = lanes::Vector<std::uint64_t, lanes::register_bytes / 8>;
  Block blocks[ops::max_arity + 1];
  void* pointers[ops::max_arity + 1];
  const std::int64_t left = n - done;
  for (int i = 0; i < shape.operands; ++i) {
    pointers[i] = parts[i];
    if ((shape.scalars >> i & 1u) != 0) continue;
    blocks[i] = Block{};
    lanes::copy_short(&blocks[i], static_cast<const char*>(parts[i]) + done * shape.sizes[i], left * shape.sizes[i]);
    pointers[i] = &blocks[i];
  }
  const int result = shape.operands;
  pointers[result] = &blocks[result];
  // Lanes beyond the end may raise too; those before come first.
  const std::int64_t raised = shape.kernel(pointers, shape.width);
  if (raised >= 0 && raised < left) return done + raised;
  lanes::copy_short(static_cast<char*>(parts[result]) + done * shape.sizes[result], &blocks[result],
                    left * shape.sizes[result]);
  return -1;
}

template <class L> struct Lanes;
template <class T, int W> struct Lanes<lanes::Integer<T, W>> {
  using I = lanes::Integer<T, W>;
  static constexpr std::int64_t size = sizeof(T);
  static FRIT_INLINE I load(const void* from) { return I::load(from); }
  static FRIT_INLINE I repeat(const void* from) { return I::broadcast_load(from); }
  static FRIT_INLINE void store(I value, void* to) { value.store(to); }
};
template <class T, int W> struct Lanes<lanes::IntegerMask<T, W>> {
  using M = lanes::IntegerMask<T, W>;
  static constexpr std::int64_t size = 1;
  static FRIT_INLINE M load(const void* from) { return M::load_bytes(from); }
  static FRIT_INLINE M repeat(const void* from) { return M::of(*static_cast<const unsigned char*>(from) != 0); }
  static FRIT_INLINE void store(M value, void* to) { value.store_bytes(to); }
};

// An operand that is read once before the loop, or at each step of it.
template <class L, bool scalar> struct IntegerSource {
  const char* from;
  explicit FRIT_INLINE IntegerSource(const void* p) : from(static_cast<const char*>(p)) {}
  FRIT_INLINE L at(std::int64_t i) const { return Lanes<L>::load(from + i * Lanes<L>::size); }
};
template <class L> struct IntegerSource<L, true> {
  L value;
  explicit FRIT_INLINE IntegerSource(const void* p) : value(Lanes<L>::repeat(p)) {}
  FRIT_INLINE L at(std::int64_t) const { return value; }
};

template <int... operand> struct Operands {};

template <class Op, class I, unsigned scalars> struct IntegerRun;

template <class Op, class I, unsigned scalars, int... operand>
FRIT_INLINE std::int64_t run_operands(void* const* parts, std::int64_t n, Operands<operand...>) {
  using Result = decltype(ops::IntegerForm<Op>::value(ops::IntegerOperand<Op, I, operand>()...));
  static constexpr Shape shape{&IntegerRun<Op, I, scalars>::run,
                               I::width,
                               Op::info.arity,
                               scalars,
                               {Lanes<ops::IntegerOperand<Op, I, operand>>::size..., Lanes<Result>::size}};
  return [&](const IntegerSource<ops::IntegerOperand<Op, I, operand>, (scalars >> operand & 1u) != 0>&... source)
             FRIT_INLINE_LAMBDA -> std::int64_t {
               char* const to = static_cast<char*>(parts[sizeof...(operand)]);
               std::int64_t i = 0;
               for (; i + I::width <= n; i += I::width) {
                 const auto step = [&](ops::IntegerOperand<Op, I, operand>... a) FRIT_INLINE_LAMBDA -> int {
                   Lanes<Result>::store(ops::IntegerForm<Op>::value(a...), to + i * Lanes<Result>::size);
                   if constexpr (ops::Raises<Op, I>) {
                     const auto raised = Op::raises(a...);
                     if (any(raised)) [[unlikely]]
                       return first(raised);
                   }
                   return -1;
                 };
                 if (const int lane = step(source.at(i)...); lane >= 0) return i + lane;
               }
               return i < n ? finish(shape, parts, i, n) : -1;
             }(IntegerSource<ops::IntegerOperand<Op, I, operand>, (scalars >> operand & 1u) != 0>(parts[operand])...);
}

template <class Op, class I, unsigned scalars> struct IntegerRun {
  static std::int64_t run(void* const* parts, std::int64_t n) {
    if constexpr (Op::info.arity == 1) return run_operands<Op, I, scalars>(parts, n, Operands<0>{});
    if constexpr (Op::info.arity == 2) return run_operands<Op, I, scalars>(parts, n, Operands<0, 1>{});
    if constexpr (Op::info.arity == 3) return run_operands<Op, I, scalars>(parts, n, Operands<0, 1, 2>{});
  }
};

template <class T> void fill_integers_of(exec::KernelTable& table, DType dtype) {
  using I = lanes::WideInteger<T>;
  static_assert(lanes::IntegerLanes<I>);
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    if constexpr (ops::has_integer_form<Op, I>()) {
      auto& row = table.integer[exec::integer_index(dtype)][static_cast<int>(ops::id_of<Op>)];
      [&]<unsigned... set>(ops::Forms<set...>) {
        const auto one = [&]<unsigned scalars>() {
          if constexpr (scalars + 1 < (1u << Op::info.arity)) row[scalars] = &IntegerRun<Op, I, scalars>::run;
        };
        (one.template operator()<set>(), ...);
      }
      (ops::Forms<0, 1, 2, 3, 4, 5, 6>{});
    }
  });
}

}  // namespace

void fill_integers(exec::KernelTable& table);

void fill_integers(exec::KernelTable& table) {
  fill_integers_of<std::int8_t>(table, DType::i8);
  fill_integers_of<std::int16_t>(table, DType::i16);
  fill_integers_of<std::int32_t>(table, DType::i32);
  fill_integers_of<std::int64_t>(table, DType::i64);
  fill_integers_of<std::uint8_t>(table, DType::u8);
  fill_integers_of<std::uint16_t>(table, DType::u16);
  fill_integers_of<std::uint32_t>(table, DType::u32);
  fill_integers_of<std::uint64_t>(table, DType::u64);
}

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
