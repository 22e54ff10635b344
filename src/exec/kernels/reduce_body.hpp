// The loops round the reductions of ops/reduce.hpp, which says in which order elements are combined. Compiled once for each
// ISA.
#pragma once

#include <type_traits>

#include "exec/kernels/integer_lanes.hpp"
#include "exec/reduce.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {

using exec::reduce_block;
using exec::ReduceState;

// The C++ type of an element in memory.
template <DType t> struct ElementOf;
template <> struct ElementOf<DType::boolean> { using type = std::uint8_t; };
template <> struct ElementOf<DType::i8> { using type = std::int8_t; };
template <> struct ElementOf<DType::i16> { using type = std::int16_t; };
template <> struct ElementOf<DType::i32> { using type = std::int32_t; };
template <> struct ElementOf<DType::i64> { using type = std::int64_t; };
template <> struct ElementOf<DType::u8> { using type = std::uint8_t; };
template <> struct ElementOf<DType::u16> { using type = std::uint16_t; };
template <> struct ElementOf<DType::u32> { using type = std::uint32_t; };
template <> struct ElementOf<DType::u64> { using type = std::uint64_t; };
template <> struct ElementOf<DType::f32> { using type = float; };
template <> struct ElementOf<DType::f64> { using type = double; };
template <> struct ElementOf<DType::c64> { using type = Complex<float>; };
template <> struct ElementOf<DType::c128> { using type = Complex<double>; };

template <class A> inline constexpr bool is_float = std::is_floating_point_v<A> || is_complex_value<A>;

// The type that elements of T are combined in. Sums of integers are unsigned, which wraps.
template <class R, class T> constexpr auto accumulator() {
  if constexpr (R::info.takes == ops::ReduceTakes::everything) {
    // Whether an element is not zero, in as many bytes as it has, so that nothing is narrowed; a count in 64 bits.
    constexpr std::size_t size = is_complex_value<T> ? sizeof(T) / 2 : sizeof(T);
    if constexpr (R::info.gives == ops::ReduceGives::index || size == 8)
      return std::uint64_t{};
    else if constexpr (size == 4)
      return std::uint32_t{};
    else if constexpr (size == 2)
      return std::uint16_t{};
    else
      return std::uint8_t{};
  } else if constexpr (R::info.gives == ops::ReduceGives::widened && std::is_integral_v<T>) {
    return std::uint64_t{};
  } else {
    return T{};
  }
}
template <class R, class T> using Accumulator = decltype(accumulator<R, T>());

// W lanes of an accumulator.
template <class A, int W> struct LanesOf { using type = IntegerLanes<A, W>; };
template <int W> struct LanesOf<float, W> { using type = lanes::Native<float, W>; };
template <int W> struct LanesOf<double, W> { using type = lanes::Native<double, W>; };
template <class A, int W> struct LanesOf<Complex<A>, W> { using type = Complex<lanes::Native<A, W>>; };

// What differs between real and complex lanes.
template <class V> struct Lanes {
  using Element = typename V::Element;
  static constexpr int width = V::width;
  static constexpr int bytes = width * static_cast<int>(sizeof(Element));
  static constexpr bool several_registers = bytes > lanes::register_bytes;
  static FRIT_INLINE V of(Element scalar) { return V(scalar); }
  static FRIT_INLINE V load(const std::byte* from) {
    const Element* const at = reinterpret_cast<const Element*>(from);
    if constexpr (width == 1 && std::is_floating_point_v<Element>) {
      return V::broadcast_load(at);  // one instruction, where a load of a part of a register takes the way by memory
    } else {
      return V::load(at);
    }
  }
  static FRIT_INLINE void store(V value, std::byte* to) { value.store(reinterpret_cast<Element*>(to)); }
};
template <class T, int W> struct Lanes<Complex<lanes::Native<T, W>>> {
  using V = lanes::Native<T, W>;
  using Element = T;
  static constexpr int width = W;
  static constexpr int bytes = 2 * W * static_cast<int>(sizeof(T));
  static constexpr bool several_registers = lanes::in_halves<T, W>;
  static FRIT_INLINE Complex<V> of(T scalar) { return {V(scalar), V()}; }
  // The parts apart, as states keep them.
  static FRIT_INLINE Complex<V> load(const std::byte* from) {
    return {Lanes<V>::load(from), Lanes<V>::load(from + bytes / 2)};
  }
  static FRIT_INLINE void store(Complex<V> value, std::byte* to) {
    Lanes<V>::store(value.re, to);
    Lanes<V>::store(value.im, to + bytes / 2);
  }
};

template <class V> struct HalfOf { using type = typename V::Half; };
template <class T, int W> struct HalfOf<Complex<lanes::Native<T, W>>> {
  using type = Complex<typename lanes::Native<T, W>::Half>;
};
template <class V> FRIT_INLINE typename V::Half low_half(V a) { return a.lo; }
template <class V> FRIT_INLINE typename V::Half high_half(V a) { return a.hi; }
template <class V> FRIT_INLINE Complex<typename V::Half> low_half(Complex<V> a) { return {a.re.lo, a.im.lo}; }
template <class V> FRIT_INLINE Complex<typename V::Half> high_half(Complex<V> a) { return {a.re.hi, a.im.hi}; }
template <class V> FRIT_INLINE V joined(typename V::Half low, typename V::Half high) { return {low, high}; }
template <class V> FRIT_INLINE V joined(Complex<typename V::Part::Half> low, Complex<typename V::Part::Half> high) {
  return {{low.re, high.re}, {low.im, high.im}};
}

// Lanes from elements in memory: complex numbers are interleaved there, integers may be narrower.
template <class V, class T, bool nonzero> FRIT_INLINE V load_elements(const std::byte* from) {
  if constexpr (std::is_floating_point_v<T> && !nonzero) {
    return Lanes<V>::load(from);
  } else if constexpr (is_complex_value<T> && !nonzero) {
    using P = typename V::Part;
    if constexpr (lanes::in_halves<typename T::Part, P::width>) {
      using Half = typename HalfOf<V>::type;
      return joined<V>(load_elements<Half, T, false>(from),
                       load_elements<Half, T, false>(from + P::width / 2 * static_cast<int>(sizeof(T))));
    } else {
      using F = typename P::F;
      using All = typename FirstPlaces<P::width>::type;
      const F a = load_vector<F>(from), b = load_vector<F>(from + sizeof(F));
      return {P::of_register(parts_of<0>(a, b, All{})), P::of_register(parts_of<1>(a, b, All{}))};
    }
  } else {
    return V::template load_from<T, nonzero>(from);
  }
}

template <int by, class T, int W> FRIT_INLINE lanes::Native<T, W> rotated(lanes::Native<T, W> a) {
  return lanes::Native<T, W>::of_register(rotated<by>(a.v, typename FirstPlaces<W>::type{}));
}
template <int by, class I, int W> FRIT_INLINE IntegerLanes<I, W> rotated(IntegerLanes<I, W> a) {
  return rotated<by>(a.v, typename FirstPlaces<W>::type{});
}
template <int by, class V> FRIT_INLINE Complex<V> rotated(Complex<V> a) {
  return {rotated<by>(a.re), rotated<by>(a.im)};
}

template <class V> FRIT_INLINE auto first_lane(V a) { return a.v[0]; }
template <class V> FRIT_INLINE auto first_lane(Complex<V> a) {
  return Complex<typename V::Element>{a.re.v[0], a.im.v[0]};
}

// All lanes in the order of step 4: halves as long as there are several registers, then lanes of one. With interleaved parts
// two lanes are left.
template <class R, bool interleaved, int h, class V> FRIT_INLINE auto across_register(V value) {
  if constexpr (interleaved && h == 1) {
    return Complex<typename V::Element>{value.v[0], value.v[1]};
  } else if constexpr (h == 0) {
    return first_lane(value);
  } else {
    return across_register<R, interleaved, h / 2>(R::combine(value, rotated<h>(value)));
  }
}
template <class R, bool interleaved, class V> FRIT_INLINE auto across_lanes(V value) {
  if constexpr (Lanes<V>::several_registers) {
    return across_lanes<R, interleaved>(R::combine(low_half(value), high_half(value)));
  } else {
    return across_register<R, interleaved, Lanes<V>::width / 2>(value);
  }
}

template <class R, class T> struct Reduce {
  using A = Accumulator<R, T>;
  using Scalar = typename Lanes<typename LanesOf<A, 1>::type>::Element;
  static constexpr bool nonzero = R::info.takes == ops::ReduceTakes::everything;
  // Where nothing rounds the order is free: one node holds what was seen, in as many lanes as keep the CPU busy.
  static constexpr bool ordered = R::info.ordered && is_float<A>;
  static constexpr int four_registers = 4 * lanes::register_bytes / static_cast<int>(sizeof(Scalar));
  static constexpr int width = ordered || four_registers < exec::reduce_lanes ? exec::reduce_lanes : four_registers;
  // Complex numbers whose parts do not meet stay as they lie in memory, in two real lanes each.
  static constexpr bool interleaved = is_complex_value<A> && R::info.parts_apart;
  using V = typename LanesOf<std::conditional_t<interleaved, Scalar, A>, interleaved ? 2 * width : width>::type;
  using Item = std::conditional_t<interleaved, Scalar, T>;  // one lane in memory
  static constexpr std::int64_t size = sizeof(T);
  static constexpr std::int64_t vector_bytes = width * size;
  static constexpr std::int64_t block_bytes = reduce_block * size;
  static_assert(Lanes<V>::bytes <= ReduceState::node_bytes);

  static FRIT_INLINE V neutral() { return Lanes<V>::of(R::template neutral<Scalar>()); }
  static FRIT_INLINE V load(const std::byte* from) { return load_elements<V, Item, nonzero>(from); }

  // A block, all lanes at once where eight registers hold them, else one half of the lanes after the other.
  template <class W> static FRIT_INLINE W block(const std::byte* from) {
    if constexpr (Lanes<W>::bytes > 8 * lanes::register_bytes) {
      using Half = typename HalfOf<W>::type;
      return joined<W>(block<Half>(from), block<Half>(from + Lanes<Half>::width * std::int64_t{sizeof(Item)}));
    } else {
      W sum = Lanes<W>::of(R::template neutral<Scalar>());
      const auto step = [&](int j) FRIT_INLINE_LAMBDA {
        sum = R::combine(sum, load_elements<W, Item, nonzero>(from + j * vector_bytes));
      };
      if constexpr (std::is_floating_point_v<A>) {
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j) step(j);
      } else {
#pragma GCC unroll 1
        for (int j = 0; j < 8; ++j) step(j);
      }
      return sum;
    }
  }
  // Minimum and maximum of floating-point numbers have a form of few instructions, which is right unless there is a NaN or the
  // result is a zero: false then.
  static constexpr bool has_quick = std::is_floating_point_v<A> && requires(V v) { R::nearly(v, v); };
  template <class W> static FRIT_INLINE auto sum_of_registers(W value) {
    if constexpr (Lanes<W>::several_registers) {
      return sum_of_registers(low_half(value) + high_half(value));
    } else {
      return value;
    }
  }
  static FRIT_INLINE bool quick(const std::byte* from, std::int64_t vectors, V& result) {
    V best = neutral();
    // NOTE: a sum of NaN and others is NaN; one of both infinities too, which is seldom.
    auto nan = is_nan(sum_of_registers(best));
    for (std::int64_t i = 0; i < vectors; ++i, from += vector_bytes) {
      const V x = load(from);
      nan = nan | is_nan(sum_of_registers(x));
      best = R::nearly(best, x);
    }
    result = best;
    return !any(nan) && !any(best == V());
  }
  // n elements, less than a block (or any number, where the order is free).
  static FRIT_INLINE V run(const std::byte* from, std::int64_t n) {
    V sum = neutral();
    if constexpr (has_quick) {
      if (n >= width && quick(from, n / width, sum)) {
        from += n / width * vector_bytes;
        n %= width;
      } else {
        sum = neutral();
      }
    }
    if constexpr (nonzero && sizeof(Scalar) > sizeof(Narrow)) {
      while (n >= width) {
        const std::int64_t vectors = n / width < 255 ? n / width : 255;
        sum = R::combine(sum, narrow_count(from, vectors));
        n -= vectors * width;
        from += vectors * vector_bytes;
      }
    }
    for (; n >= width; n -= width, from += vector_bytes) sum = R::combine(sum, load(from));
    return n > 0 ? R::combine(sum, first_lanes(from, n)) : sum;
  }
  // Of up to 255 vectors, counted in lanes as narrow as the elements.
  using Narrow = Accumulator<ops::Any, T>;
  static FRIT_INLINE V narrow_count(const std::byte* from, std::int64_t vectors) {
    using N = IntegerLanes<Narrow, width>;
    N count(Narrow{0});
    for (std::int64_t i = 0; i < vectors; ++i) {
      count = count + N::template load_from<T, true>(from + i * vector_bytes);
    }
    alignas(64) Narrow lane[width];
    count.store(lane);
    return V::template load_from<Narrow, false>(reinterpret_cast<const std::byte*>(lane));
  }
  // n elements, less than a vector, and the neutral element.
  // NOTE: volatile, so that the loop stays one: kernels call nothing, memcpy neither.
  static FRIT_INLINE V first_lanes(const std::byte* from, std::int64_t n) {
    alignas(64) Scalar lane[Lanes<V>::bytes / static_cast<int>(sizeof(Scalar))];
    std::byte* const at = reinterpret_cast<std::byte*>(lane);
    Lanes<V>::store(neutral(), at);
    volatile Scalar* const to = lane;
    for (std::int64_t i = 0; i < n; ++i) {
      T x;
      __builtin_memcpy(&x, from + i * size, sizeof x);
      if constexpr (is_complex_value<T> && nonzero) {
        to[i] = x.re != 0 || x.im != 0;
      } else if constexpr (interleaved) {
        to[2 * i] = x.re;
        to[2 * i + 1] = x.im;
      } else if constexpr (is_complex_value<T>) {
        to[i] = x.re;
        to[i + width] = x.im;
      } else if constexpr (nonzero) {
        to[i] = x != 0;
      } else {
        to[i] = static_cast<Scalar>(x);
      }
    }
    return Lanes<V>::load(at);
  }

  static FRIT_INLINE std::byte* node(ReduceState& state, int i) { return state.node + i * Lanes<V>::bytes; }
  static FRIT_INLINE const std::byte* node(const ReduceState& state, int i) { return state.node + i * Lanes<V>::bytes; }

  // Adds a node that begins at the given block, behind which there are none.
  static FRIT_INLINE void push(ReduceState& state, std::int64_t begin, int level, V value) {
    int nodes = state.nodes;
    while (nodes > 0 && (!ordered || (state.level[nodes - 1] == level && (begin >> level & 1) != 0))) {
      value = R::combine(Lanes<V>::load(node(state, --nodes)), value);
      begin -= std::int64_t{1} << level;
      if constexpr (ordered) ++level;
    }
    state.level[nodes] = static_cast<std::uint8_t>(level);
    Lanes<V>::store(value, node(state, nodes));
    state.nodes = nodes + 1;
  }

  static void add(ReduceState& state, const void* data, std::int64_t n) {
    const std::byte* from = static_cast<const std::byte*>(data);
    if constexpr (ordered) {
      std::int64_t begin = (state.first + state.count) / reduce_block;
      for (std::int64_t left = n; left > 0; left -= reduce_block, from += block_bytes, ++begin) {
        push(state, begin, 0, left >= reduce_block ? block<V>(from) : run(from, left));
      }
    } else if (n > 0) {
      push(state, 0, 0, run(from, n));
    }
    state.count += n;
  }

  static constexpr std::int64_t lanes_bytes = exec::reduce_lanes * size;
  static void sum_blocks(void* data, std::int64_t blocks) {
    std::byte* const at = static_cast<std::byte*>(data);
    for (std::int64_t b = 0; b < blocks; ++b) Lanes<V>::store(block<V>(at + b * block_bytes), at + b * lanes_bytes);
  }
  static void add_blocks(ReduceState& state, const void* data, std::int64_t n) {
    const std::byte* from = static_cast<const std::byte*>(data);
    std::int64_t begin = (state.first + state.count) / reduce_block;
    for (std::int64_t left = n / reduce_block; left > 0; --left, from += lanes_bytes)
      push(state, begin++, 0, Lanes<V>::load(from));
    if (n % reduce_block != 0) push(state, begin, 0, run(from, n % reduce_block));
    state.count += n;
  }

  static void merge(ReduceState& left, const ReduceState& right) {
    std::int64_t begin = right.first / reduce_block;
    for (int i = 0; i < right.nodes; ++i) {
      push(left, begin, right.level[i], Lanes<V>::load(node(right, i)));
      begin += std::int64_t{1} << right.level[i];
    }
    left.count += right.count;
  }

  static FRIT_INLINE A across(V value) { return across_lanes<R, interleaved>(value); }

  static void finish(const ReduceState& state, void* result) {
    V value = neutral();
    if (state.nodes > 0) {
      value = Lanes<V>::load(node(state, state.nodes - 1));
      for (int i = state.nodes - 2; i >= 0; --i) value = R::combine(Lanes<V>::load(node(state, i)), value);
    }
    A one = across(value);
    if constexpr (is_complex_value<A>) {
      one = {canonical(one.re), canonical(one.im)};
    } else if constexpr (is_float<A>) {
      one = canonical(one);
    }
    if constexpr (R::info.gives == ops::ReduceGives::boolean) {
      *static_cast<std::uint8_t*>(result) = one != 0 ? 1 : 0;
    } else {
      __builtin_memcpy(result, &one, sizeof one);
    }
  }
  static FRIT_INLINE Scalar canonical(Scalar x) { return x == x ? x : static_cast<Scalar>(__builtin_nan("")); }

  static constexpr exec::ReduceKernel kernel() {
    exec::ReduceKernel all{.add = &add, .merge = &merge, .finish = &finish};
    if constexpr (R::info.by_blocks && std::is_floating_point_v<T>) {
      all.sum_blocks = &sum_blocks;
      all.add_blocks = &add_blocks;
    }
    return all;
  }
};

// The number of the element that a minimum or maximum is, block by block: most blocks have no better element than those
// before and are not looked at again.
template <class R, class T> struct Find {
  using Finds = typename R::Finds;
  using Values = Reduce<Finds, T>;
  using V = typename Values::V;
  static constexpr std::int64_t block = 8 * Values::width;
  struct Best {
    T value;
    std::int64_t index;
  };

  static FRIT_INLINE Best best_of(const ReduceState& state) {
    Best best;
    __builtin_memcpy(&best, state.node, sizeof best);
    return state.nodes == 0 ? Best{Finds::template neutral<T>(), -1} : best;
  }
  static FRIT_INLINE void keep(ReduceState& state, Best best) {
    __builtin_memcpy(state.node, &best, sizeof best);
    state.nodes = 1;
  }
  static FRIT_INLINE bool is_number(T x) { return x == x; }
  static FRIT_INLINE bool any_beats(V values, T best) {
    if constexpr (is_float<T>) {
      return any(Finds::beats(values, V(best)) | is_nan(values));
    } else {
      return any(Finds::beats(values, V(best)));
    }
  }
  static FRIT_INLINE bool beats(T value, T best) {
    using P = typename LanesOf<T, 1>::type;
    return is_number(best) && (!is_number(value) || any(Finds::beats(P(value), P(best))));
  }

  static void add(ReduceState& state, const void* data, std::int64_t n) {
    const std::byte* const from = static_cast<const std::byte*>(data);
    Best best = best_of(state);
    std::int64_t found = -1;  // the first element of the block that has the best
    for (std::int64_t i = 0; i < n && is_number(best.value); i += block) {
      const V values = Values::run(from + i * Values::size, n - i < block ? n - i : block);
      if (best.index >= 0 && !any_beats(values, best.value)) [[likely]]
        continue;
      best = {Values::across(values), state.first + state.count + i};
      found = i;
    }
    if (found >= 0) {
      const std::byte* at = from + found * Values::size;
      for (;; at += Values::size, ++best.index) {
        T x;
        __builtin_memcpy(&x, at, sizeof x);
        if (x == best.value || !(is_number(x) || is_number(best.value))) break;
      }
      keep(state, best);
    }
    state.count += n;
  }

  static void merge(ReduceState& left, const ReduceState& right) {
    const Best a = best_of(left), b = best_of(right);
    if (b.index >= 0 && (a.index < 0 || beats(b.value, a.value))) keep(left, b);
    left.count += right.count;
  }

  static void finish(const ReduceState& state, void* result) {
    const Best best = best_of(state);
    __builtin_memcpy(result, &best.index, sizeof best.index);
  }

  static constexpr exec::ReduceKernel kernel() { return {.add = &add, .merge = &merge, .finish = &finish}; }
};

// Cumulative forms. Blocks are independent up to the element before them, so eight of them run side by side.
template <class R, class T> struct Scan {
  using A = Accumulator<R, T>;
  using P = typename LanesOf<A, 1>::type;
  using Scalar = typename Lanes<P>::Element;
  static constexpr std::int64_t size = sizeof(T), result_size = sizeof(A);
  static constexpr int block = exec::scan_block, side_by_side = 8;

  // NOTE: one complex number lies in memory as it does in a state.
  static FRIT_INLINE P load(const std::byte* from) {
    if constexpr (is_float<T>) {
      return Lanes<P>::load(from);
    } else {
      return P::template load_from<T, false>(from);
    }
  }

  template <int blocks> static FRIT_INLINE void inside(const std::byte* from, std::byte* to, int n) {
    P last[blocks];
#pragma GCC unroll 8
    for (int b = 0; b < blocks; ++b) {
      last[b] = load(from + b * block * size);
      Lanes<P>::store(last[b], to + b * block * result_size);
    }
    for (int i = 1; i < n; ++i) {
#pragma GCC unroll 8
      for (int b = 0; b < blocks; ++b) {
        last[b] = R::combine(last[b], load(from + (b * block + i) * size));
        Lanes<P>::store(last[b], to + (b * block + i) * result_size);
      }
    }
  }

  // One block of results behind `before`; the last of them.
  static FRIT_INLINE P behind(P before, std::byte* at, int n) {
    int i = 0;
    if constexpr (!is_complex_value<A>) {
      using W = typename LanesOf<A, 16>::type;
      Scalar scalar[1];
      before.store(scalar);
      for (; i + W::width <= n; i += W::width) {
        std::byte* const p = at + i * result_size;
        Lanes<W>::store(R::combine(W(scalar[0]), Lanes<W>::load(p)), p);
      }
    }
    for (; i < n; ++i) {
      std::byte* const p = at + i * result_size;
      Lanes<P>::store(R::combine(before, Lanes<P>::load(p)), p);
    }
    return Lanes<P>::load(at + (n - 1) * result_size);
  }

  static void scan(exec::ScanState& state, const void* data, void* results, std::int64_t n) {
    const std::byte* from = static_cast<const std::byte*>(data);
    std::byte* to = static_cast<std::byte*>(results);
    P last = state.begun ? Lanes<P>::load(state.last) : Lanes<P>::of(R::template neutral<Scalar>());
    while (n > 0) {
      int blocks = 1, in_block = block;
      if (n >= block * side_by_side) {
        inside<side_by_side>(from, to, block);
        blocks = side_by_side;
      } else {
        in_block = n < block ? static_cast<int>(n) : block;
        inside<1>(from, to, in_block);
      }
      for (int b = 0; b < blocks; ++b) last = behind(last, to + b * block * result_size, in_block);
      from += blocks * block * size;
      to += blocks * block * result_size;
      n -= blocks * block;
    }
    Lanes<P>::store(last, state.last);
    state.begun = true;
  }
};

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
