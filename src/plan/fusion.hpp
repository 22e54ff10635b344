// The fused patterns: small trees of ops that one kernel computes in registers. One list gives the planner its patterns and
// the executor its kernels; every op in a pattern rounds as it does alone, so fusing never changes bits.
#pragma once

#include <array>
#include <cstdint>

#include "ops/list.hpp"

namespace frit {

// An index into AllFusions, or single_op.
enum class FusionId : std::uint16_t { single_op = 0xffff };

inline namespace FRIT_ISA {
namespace fusion {

// A leaf of a pattern: real or complex; a vector (per event) or a scalar (known before the loop).
struct R {};
struct S {};
struct C {};
struct Z {};

template <class Op, class... Arguments> struct Tree {};

template <class... Trees> struct Patterns { static constexpr int size = sizeof...(Trees); };

using ops::Add;
using ops::Multiply;
using ops::Subtract;

template <class A, class B> using Sum = Tree<Add, A, B>;
template <class A, class B> using Difference = Tree<Subtract, A, B>;
template <class A, class B> using Product = Tree<Multiply, A, B>;

template <class A, class B, class T> using MulAdd = Tree<ops::MultiplyAdd, A, B, T>;

// Larger patterns first: the planner takes the first that matches.
using AllFusions = Patterns<
#include "plan/fusion_list.inc"
    >;

// A pattern as data, in prefix order.
struct PatternNode {
  enum class Kind : std::uint8_t { op, real, real_scalar, complex, complex_scalar } kind = Kind::op;
  OpId op{};
  std::uint8_t form = 0;
  std::uint8_t arity = 0;
};

inline constexpr int max_pattern_nodes = 16;

struct Pattern {
  std::array<PatternNode, max_pattern_nodes> nodes{};
  int size = 0;
};

template <class T> inline constexpr bool complex_valued = false;
template <> inline constexpr bool complex_valued<C> = true;
template <> inline constexpr bool complex_valued<Z> = true;
// Of arithmetic ops: complex where an operand is. The patterns hold no others.
template <class Op, class... A> inline constexpr bool complex_valued<Tree<Op, A...>> = (complex_valued<A> || ...);

struct PatternWriter {
  Pattern pattern;
  constexpr void leaf(PatternNode::Kind kind) {
    pattern.nodes[static_cast<std::size_t>(pattern.size++)] = {.kind = kind};
  }
  constexpr void write(R) { leaf(PatternNode::Kind::real); }
  constexpr void write(S) { leaf(PatternNode::Kind::real_scalar); }
  constexpr void write(C) { leaf(PatternNode::Kind::complex); }
  constexpr void write(Z) { leaf(PatternNode::Kind::complex_scalar); }
  template <class Op, class... A> constexpr void write(Tree<Op, A...>) {
    unsigned form = 0;
    unsigned bit = 1;
    ((form |= complex_valued<A> ? bit : 0u, bit <<= 1), ...);
    pattern.nodes[static_cast<std::size_t>(pattern.size++)] = {.kind = PatternNode::Kind::op,
                                                               .op = ops::id_of<Op>,
                                                               .form = static_cast<std::uint8_t>(form),
                                                               .arity = sizeof...(A)};
    (write(A{}), ...);
  }
};

template <class T> constexpr Pattern pattern_of() {
  PatternWriter writer;
  writer.write(T{});
  return writer.pattern;
}

}  // namespace fusion
}  // namespace FRIT_ISA
}  // namespace frit
