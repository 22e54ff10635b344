// The machine code of a routine, and calls of it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "arrays/routines.hpp"
#include "core/compiler.hpp"
#include "runtime/function.hpp"

namespace frit::arrays {

class RoutineCode {
 public:
  explicit RoutineCode(RegionRoutine made) : made_(std::move(made)) {}

  // Errors: what the compiler throws.
  void compile(const CompilerOptions& options);
  bool is_ready() const { return code_ != nullptr; }
  // `operands`: of the region; `results`: its results, contiguous. False where an operation has no result, which only running
  // it step by step can name. Errors: cancelled, also where a loop has taken the steps that it may.
  bool run(std::span<const Data> operands, std::span<const Data> results, std::span<const std::int64_t> symbols,
           const Engine::Impl& engine, const std::int32_t* cancel) const;
  const RegionRoutine& made() const { return made_; }

 private:
  void check(std::int32_t status) const;
  std::int32_t run_lanes(std::span<const void* const> operands, std::span<const Data> results, std::int64_t n,
                         const Engine::Impl& engine, const std::int32_t* cancel) const;
  std::int32_t run_rest(std::span<const void* const> operands, std::span<const Data> results, std::int64_t first,
                        std::int64_t count, const std::int32_t* cancel) const;

  RegionRoutine made_;
  std::unique_ptr<CompiledRoutine> code_;
};

}  // namespace frit::arrays
