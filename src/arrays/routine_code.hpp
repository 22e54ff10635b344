// The machine code of a routine, and calls of it.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>

#include "arrays/routines.hpp"
#include "core/compiler.hpp"
#include "runtime/function.hpp"

namespace frit::arrays {

class RoutineCode {
 public:
  explicit RoutineCode(RegionRoutine made);

  // Mode compiled. Errors: what the compiler throws.
  void compile(const CompilerOptions& options, const Engine::Impl& engine);
  // Mode automatic: once running the region step by step has taken long enough.
  void prepare(const CompilerOptions& options, const Engine::Impl& engine);
  bool is_ready() const { return code_.load(std::memory_order_acquire) != nullptr; }
  Tiering& tiering() { return tiering_; }
  // `operands`: of the region; `results`: its results, contiguous. False where an operation has no result, which only running
  // it step by step can name. Errors: cancelled, also where a loop has taken the steps that it may.
  bool run(std::span<const Data> operands, std::span<const Data> results, std::span<const std::int64_t> symbols,
           const Engine::Impl& engine, const std::int32_t* cancel) const;
  const RegionRoutine& made() const { return made_; }

 private:
  std::int32_t call(const RoutineCall& call) const { return routine_entry(*code_)(&call); }
  void check(std::int32_t status) const;
  std::int32_t run_lanes(std::span<const void* const> operands, std::span<const Data> results, std::int64_t n,
                         const Engine::Impl& engine, const std::int32_t* cancel) const;
  std::int32_t run_rest(std::span<const void* const> operands, std::span<const Data> results, std::int64_t first,
                        std::int64_t count, const std::int32_t* cancel) const;

  RegionRoutine made_;
  std::atomic<const CompiledKernel*> code_{nullptr};
  Tiering tiering_;  // last: it ends before what it compiles
};

}  // namespace frit::arrays
