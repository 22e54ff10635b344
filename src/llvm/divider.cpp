#include "llvm/divider.hpp"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "math/generated/hard_roots.hpp"
#include "math/quotient.hpp"
#include "math/root_estimate.hpp"

#if defined(__x86_64__)
// NOTE: GCC 12 warns of its own header, whose intrinsics begin from a vector that is left uninitialised on purpose.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"  // GCC 12 warns of its own intrinsics
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace frit::codegen {
namespace {

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void estimate_inverse_roots(const double* x, double* y) {
  _mm512_storeu_pd(y, _mm512_rsqrt14_pd(_mm512_loadu_pd(x)));
}
__attribute__((target("avx512f"))) void estimate_inverse_roots(const float* x, float* y) {
  _mm512_storeu_ps(y, _mm512_rsqrt14_ps(_mm512_loadu_ps(x)));
}

template <class T, std::size_t n> bool suffice_for(const T (&hard)[n]) {
  constexpr std::size_t width = 64 / sizeof(T);
  for (std::size_t at = 0; at < n; at += width) {
    T x[width], y[width];
    for (std::size_t i = 0; i < width; ++i) x[i] = hard[std::min(at + i, n - 1)];
    estimate_inverse_roots(x, y);
    for (std::size_t i = 0; i < width; ++i) {
      if (math::root_from_estimate(x[i], y[i], T(0.5), math::root_steps<T>) != std::sqrt(x[i])) return false;
    }
  }
  return true;
}
#endif

// Cycles of the divider. Measured on Sapphire Rapids; the widths of a
// register share their ratios.
template <class T> struct DividerCosts;
template <> struct DividerCosts<double> { static constexpr double division = 16, root = 24; };
template <> struct DividerCosts<float> { static constexpr double division = 10, root = 12; };
constexpr double operations_a_cycle = 2;

// The classes of VFIXUPIMM from the lowest four bits up (quiet and signalling NaN, zero, 1, -inf, inf, negative, positive), and
// what the result is there: 2 the NaN, 1 the argument, 0 what was computed, 3 a NaN, 5 infinity.
constexpr std::uint32_t root_fixup = 0x03530122;

template <class T>
llvm::Value* intrinsic(llvm::Intrinsic::ID f64, llvm::Intrinsic::ID f32, llvm::ArrayRef<llvm::Value*> arguments) {
  return builder().CreateIntrinsic(sizeof(T) == 8 ? f64 : f32, {}, arguments);
}

// The operands that follow those of every masked intrinsic: all lanes.
template <class T> llvm::Value* all_lanes() {
  const unsigned bits = std::max(8u, Emission::current->width);
  return llvm::ConstantInt::getAllOnesValue(builder().getIntNTy(bits));
}

template <class T> Emit<T> root_by_estimate(Emit<T> x) {
  using namespace llvm;
  using E = Emit<T>;
  const auto bytes = Emission::current->width * sizeof(T);
  const auto of_register = [&](Intrinsic::ID b16, Intrinsic::ID b32, Intrinsic::ID b64) {
    return bytes == 16 ? b16 : bytes == 32 ? b32 : b64;
  };
  const E y =
      E::of_value(intrinsic<T>(of_register(Intrinsic::x86_avx512_rsqrt14_pd_128, Intrinsic::x86_avx512_rsqrt14_pd_256,
                                           Intrinsic::x86_avx512_rsqrt14_pd_512),
                               of_register(Intrinsic::x86_avx512_rsqrt14_ps_128, Intrinsic::x86_avx512_rsqrt14_ps_256,
                                           Intrinsic::x86_avx512_rsqrt14_ps_512),
                               {x.v, Constant::getNullValue(value_type<T>()), all_lanes<T>()}));
  const E root = math::root_from_estimate(x, y, E(T(0.5)), math::root_steps<T>);
  SmallVector<Value*, 6> fixup{root.v, x.v, EmitBits<T>::of(root_fixup).v, builder().getInt32(0), all_lanes<T>()};
  if (bytes == 64) fixup.push_back(builder().getInt32(4));  // the current rounding direction
  const E fixed = E::of_value(
      intrinsic<T>(of_register(Intrinsic::x86_avx512_mask_fixupimm_pd_128, Intrinsic::x86_avx512_mask_fixupimm_pd_256,
                               Intrinsic::x86_avx512_mask_fixupimm_pd_512),
                   of_register(Intrinsic::x86_avx512_mask_fixupimm_ps_128, Intrinsic::x86_avx512_mask_fixupimm_ps_256,
                               Intrinsic::x86_avx512_mask_fixupimm_ps_512),
                   fixup));
  // Positive and too small; zero and negative numbers wrap to large ones.
  const std::int64_t least =
      std::bit_cast<std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>>(math::least_root_argument<T>);
  const EmitMask<T> small{builder().CreateICmpULT((bits(x) - EmitBits<T>::of(1)).v, EmitBits<T>::of(least - 1).v)};
  return rare(small, fixed, [&] { return E::of_value(unary(Intrinsic::sqrt, x.v)); });
}

}  // namespace

bool root_estimates_suffice() {
#if defined(__x86_64__)
  static const bool suffice =
      __builtin_cpu_supports("avx512f") && suffice_for(math::hard_roots_f64) && suffice_for(math::hard_roots_f32);
  return suffice;
#else
  return false;
#endif
}

template <class T> double divider_load(std::int64_t operations) {
  const Emission& emission = *Emission::current;
  using Costs = DividerCosts<T>;
  const double divider =
      Costs::division * emission.divisions + Costs::root * static_cast<double>(emission.roots.size());
  return divider * operations_a_cycle / static_cast<double>(std::max<std::int64_t>(operations, 1));
}

template <class T> int balance_divider(CompileOptions::Roots roots, double load, unsigned vectors) {
  Emission& emission = *Emission::current;
  const std::size_t bytes = emission.width * sizeof(T);
  if (roots == CompileOptions::Roots::divider || bytes < 16 || bytes > 64 || emission.roots.empty()) return 0;
  // Measured: in f64 a replaced root pays before the divider is the bottleneck, since what waits for it fills the scheduler, and
  // earlier in a loop of two vectors, which is small; in f32, where the divider takes half as long, every second one pays where
  // it is the bottleneck.
  // Two vectors of a loop that is little more than roots share the work: one has its roots from the divider, which takes as long as
  // all else does for both. Pairwise distances run in 0.79 of the time of estimates alone (f32 0.83).
  const std::size_t every = roots == CompileOptions::Roots::estimate                                ? 1
                            : vectors == 2 && emission.divisions == 0 && waits_for_divider<T>(load) ? 2
                            : sizeof(T) == 8 && load > (vectors == 1 ? 0.6 : 0.4)                   ? 1
                            : sizeof(T) == 4 && load > 1                                            ? 2
                                                                                                    : 0;
  if (every == 0) return 0;
  // Each root is replaced where it stands, and what that adds to the rare lanes is joined at the end.
  llvm::Value* const rare_before = emission.rare;
  llvm::SmallVector<llvm::Value*> rare;
  const auto end = builder().saveIP();
  int replaced = 0;
  for (std::size_t i = 0; i < emission.roots.size(); i += every) {
    llvm::Instruction* const root = emission.roots[i];
    builder().SetInsertPoint(root);
    emission.rare = nullptr;
    const Emit<T> replacement = root_by_estimate(Emit<T>::of_value(root->getOperand(0)));
    root->replaceAllUsesWith(replacement.v);
    root->eraseFromParent();
    if (emission.rare != nullptr) rare.push_back(emission.rare);
    ++replaced;
  }
  emission.roots.clear();
  builder().restoreIP(end);
  emission.rare = rare_before;
  for (llvm::Value* const mask : rare)
    emission.rare = emission.rare == nullptr ? mask : builder().CreateOr(emission.rare, mask);
  return replaced;
}

// NOTE: measured: about 12 instructions in the place of a division, which shorter vectors do in less time.
template <class T> bool inverses_pay() { return Emission::current->width * sizeof(T) == 64; }

template <class T> Inverse<T> inverse_of(Emit<T> divisor) {
  using E = Emit<T>;
  using Range = math::QuotientRange<T>;
  const E size = abs(divisor);
  const auto fits = (size >= E(Range::least_divisor)) & (size <= E(Range::greatest_divisor));
  return {E::of_value(builder().CreateFDiv(E(T(1)).v, divisor.v)), ~fits};
}

template <class T> Emit<T> quotient(Emit<T> a, Emit<T> b, Emit<T> inverse) {
  using E = Emit<T>;
  using B = EmitBits<T>;
  using I = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  const E quotient = math::quotient_from_inverse(a, b, inverse);
  // A zero of the quotient has the sign of this product, and so has every other number.
  const E signed_quotient = from_bits<E>(bits(quotient) | (bits(a * inverse) & B::of(std::numeric_limits<I>::min())));
  // Too small, or a NaN, and no zero divided by something.
  const EmitMask<T> small = ~(abs(quotient) >= E(math::QuotientRange<T>::least_quotient));
  const E result =
      rare(small & (a != E(T(0))), signed_quotient, [&] { return E::of_value(builder().CreateFDiv(a.v, b.v)); });
  // Zero over a divisor in range is a zero, and what is out of range is rare as well.
  Emission::current->numbers.push_back(result.v);
  return result;
}

template bool inverses_pay<double>();
template bool inverses_pay<float>();
template Inverse<double> inverse_of(Emit<double>);
template Inverse<float> inverse_of(Emit<float>);
template Emit<double> quotient(Emit<double>, Emit<double>, Emit<double>);
template Emit<float> quotient(Emit<float>, Emit<float>, Emit<float>);
template double divider_load<double>(std::int64_t);
template double divider_load<float>(std::int64_t);
template int balance_divider<double>(CompileOptions::Roots, double, unsigned);
template int balance_divider<float>(CompileOptions::Roots, double, unsigned);

}  // namespace frit::codegen
