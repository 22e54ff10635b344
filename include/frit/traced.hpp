// Functions over arrays, traced: a C++ callable is run once on arrays that record what is done to them, and the record runs
// from then on, fused into loops and, in mode compiled, as machine code. Sizes are no part of it.
//
//   auto f = frit::traced(engine, [](frit::Array x, frit::Array a) { return exp(-a * x * x); });
//   frit::Array y = f(x, 0.5);
//
// A call is traced where none of the traces so far is for its arguments. What decides: the number of the arguments; their
// dtypes and ranks; the kind, not the value, of a C++ number; and the questions that the callable asked of extents, such as
// whether two are equal. `why_retraced()` says which of them it was.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "frit/array.hpp"
#include "frit/engine.hpp"
#include "frit/stages.hpp"

namespace frit {

// What is known of an argument before a call: a dtype and extents, each a number (static: calls have this extent, and the
// callable may use it as a number), a name (equal names are equal extents; 0 and 1 are sizes like any other) or "" (free).
struct ArgumentSpec {
  struct Axis {
    Axis(const char* text) : name(text) {}
    Axis(std::string text) : name(std::move(text)) {}
    template <std::integral I> Axis(I n) : extent(static_cast<std::int64_t>(n)), is_static(true) {}
    std::string name;
    std::int64_t extent = 0;
    bool is_static = false;
  };
  DType dtype = DType::f64;
  std::vector<Axis> axes;
};
inline ArgumentSpec spec(DType dtype, std::vector<ArgumentSpec::Axis> axes) { return {dtype, std::move(axes)}; }

// What happens in mode compiled where machine code cannot be made: the compiler module is missing, or the CPU is not supported.
enum class Fallback { error, graph, eager };

// What `use_jit` means in programs that have such a setting: absent, automatic; true, compiled or an error (see Fallback);
// false, eager.
constexpr Mode mode_of_use_jit(std::optional<bool> use_jit) {
  return !use_jit ? Mode::automatic : *use_jit ? Mode::compiled : Mode::eager;
}

struct TracedOptions {
  Mode mode = Mode::automatic;
  Fallback fallback = Fallback::error;  // other than error: noted, with the reason
  CompilerOptions compiler = {};
  // Empty, or one for each argument: calls must then fit, and the function is traced once.
  std::vector<ArgumentSpec> signature = {};
  std::string name = "function";  // in messages
};

class TracedFunction {
 public:
  using Callable = std::function<std::vector<Array>(std::span<const Array>)>;

  // Thread-safe: concurrent first calls trace once. Errors: trace_arguments where the arguments do not fit the signature, and
  // what the callable throws, which leaves nothing behind.
  std::vector<Array> call(std::span<const Operand> arguments) const;

  // The stages of a call with these arguments, recorded anew (frit/stages.hpp). Errors: as call.
  TracedStage trace(std::span<const Operand> arguments) const;

  int trace_count() const;
  // A sentence for each trace after the first: which argument changed, from what, to what, and what to do about it.
  std::vector<std::string> why_retraced() const;
  // What was replaced or given up, each with its reason: a fall back from machine code, many retraces.
  std::vector<std::string> notes() const;
  // Of the last trace that was made: "trace", what was recorded, or "lower", its loops, as text.
  std::string print(std::string_view stage) const;
  // Mode automatic: waits until the loops that are being compiled are done, or `seconds` have passed.
  bool wait_for_code(double seconds) const;

  struct Impl;

 private:
  TracedFunction() = default;
  friend TracedFunction trace_function(const Engine& engine, std::size_t arguments, Callable callable,
                                       TracedOptions options);
  std::shared_ptr<Impl> impl_;
};
TracedFunction trace_function(const Engine& engine, std::size_t arguments, TracedFunction::Callable callable,
                              TracedOptions options);

namespace arrays {

template <class R> struct Results {};
template <> struct Results<Array> {
  static std::vector<Array> list(Array a) { return {std::move(a)}; }
  static Array of(std::vector<Array> all) { return std::move(all[0]); }
};
template <> struct Results<std::vector<Array>> {
  static std::vector<Array> list(std::vector<Array> all) { return all; }
  static std::vector<Array> of(std::vector<Array> all) { return all; }
};
template <class... A> struct Results<std::tuple<A...>> {
  static std::vector<Array> list(std::tuple<A...> all) {
    return std::apply([](auto&&... a) { return std::vector<Array>{std::move(a)...}; }, std::move(all));
  }
  static std::tuple<A...> of(std::vector<Array> all) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return std::tuple<A...>{std::move(all[i])...}; }
    (std::index_sequence_for<A...>{});
  }
};

template <class F> struct Signature : Signature<decltype(&F::operator())> {};
template <class R, class... A> struct Signature<R (*)(A...)> {
  using Return = R;
  static constexpr std::size_t count = sizeof...(A);
  static_assert((std::is_same_v<std::decay_t<A>, Array> && ...),
                "a traced callable takes arrays; bind what is static before it is traced");
};
template <class C, class R, class... A> struct Signature<R (C::*)(A...) const> : Signature<R (*)(A...)> {};
template <class C, class R, class... A> struct Signature<R (C::*)(A...)> : Signature<R (*)(A...)> {};

}  // namespace arrays

// A callable of arrays that returns an Array, a std::tuple or a std::vector of them, as a function that is traced.
template <class F> class Traced : public TracedFunction {
  using Signature = arrays::Signature<std::decay_t<F>>;

 public:
  Traced(const Engine& engine, F callable, TracedOptions options)
      : TracedFunction(trace_function(
            engine, Signature::count,
            [callable = std::move(callable)](std::span<const Array> arguments) mutable {
              return [&]<std::size_t... i>(std::index_sequence<i...>) {
                return arrays::Results<typename Signature::Return>::list(callable(arguments[i]...));
              }
              (std::make_index_sequence<Signature::count>{});
            },
            std::move(options))) {}

  template <class... A>
  requires(sizeof...(A) == Signature::count) typename Signature::Return operator()(const A&... arguments) const {
    const std::array<Operand, sizeof...(A)> operands{Operand(arguments)...};
    return arrays::Results<typename Signature::Return>::of(call(operands));
  }
  using TracedFunction::trace;
  template <class... A>
  requires(sizeof...(A) == Signature::count && (std::convertible_to<const A&, Operand> && ...)) TracedStage
      trace(const A&... arguments)
  const {
    const std::array<Operand, sizeof...(A)> operands{Operand(arguments)...};
    return TracedFunction::trace(std::span<const Operand>(operands));
  }
};

template <class F> Traced<F> traced(const Engine& engine, F callable, TracedOptions options = {}) {
  return {engine, std::move(callable), std::move(options)};
}

}  // namespace frit
