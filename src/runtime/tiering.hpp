// When a function is compiled, and by whom.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/compiler.hpp"
#include "exec/program.hpp"
#include "frit/engine.hpp"
#include "runtime/kernel_cache.hpp"

namespace frit {

CompileOptions compile_options(const CompilerOptions& options, int threads);

// Of one function. Mode compiled compiles before the first call; mode automatic runs the graph and compiles on a thread of
// its own once that pays. Both take the kernel from the cache where it holds one.
//
// The cost model: compilation is expected to take `compile_seconds_a_step` for each step of the loop and a fixed start. With a
// second core it starts when the graph has run a tenth of that time, so that a function called once on few events is never
// compiled; with one usable core, where compiling takes time from the calls, when the graph has run as long as compilation
// would, the break-even point of a competitive strategy: at most twice the best possible time in all.
class Tiering {
 public:
  // What is compiled: a plan or a routine.
  struct Subject {
    const char* kind = "";  // in the keys of the cache
    std::size_t steps = 0;
    std::function<std::vector<std::byte>(const CompileOptions&)> key;
    std::function<std::unique_ptr<CompiledKernel>(Compiler&, const CompileOptions&)> compile;
    std::function<void(const CompiledKernel*)> use;  // from now on; the kernel stands as long as the Tiering
  };
  explicit Tiering(Subject subject) : subject_(std::move(subject)) {}
  explicit Tiering(exec::Program& program) : Tiering(subject_of(program)) {}
  // Waits for a running compilation: bounded, since functions of bounded size compile in bounded time, and those that have
  // not begun are given up.
  ~Tiering();

  // `cached`: whether the cache is used. Throws compiler_missing, compiler_version, and what the compiler throws.
  void compile_now(const CompilerOptions& options, int threads, bool cached);
  // Arms mode automatic. A reason where it cannot compile: then the function stays on the graph.
  std::string prepare(const CompilerOptions& options, int threads, bool cached);

  // Compiles once more, and keeps IR and assembly.
  std::unique_ptr<CompiledKernel> compile_with_text(const CompilerOptions& options, int threads) const;

  double compile_seconds() const { return compile_seconds_.load(std::memory_order_relaxed); }
  bool wait(double seconds);
  // What the cache ignored or could not do.
  std::vector<std::string> cache_notes() const;
  // Why the last compilation failed, or "".
  std::string failure() const;

  // Measures one call where mode automatic is armed, and starts the compilation where it is due.
  class Timer {
   public:
    explicit Timer(Tiering& tiering);
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

   private:
    Tiering* tiering_ = nullptr;
    std::chrono::steady_clock::time_point start_;
  };

  const CompiledKernel* kernel() const { return kernel_.get(); }

 private:
  void call_done(double seconds);
  void compile();
  bool find_in_cache();
  void keep_in_cache();

  static Subject subject_of(exec::Program& program);

  Subject subject_;
  CompileOptions options_;
  std::unique_ptr<CompiledKernel> kernel_;
  std::optional<runtime::KernelCache> cache_;
  std::vector<std::byte> key_;  // of the kernel in the cache
  std::vector<std::string> cache_notes_;
  std::atomic<double> compile_seconds_{0};
  std::atomic<bool> armed_{false};  // calls are measured
  std::atomic<bool> give_up_{false};
  double graph_seconds_ = 0;
  double due_seconds_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable done_;
  bool running_ = false;
  std::string failure_;
  std::thread thread_;
  pid_t process_ = 0;  // that started it
};

}  // namespace frit
