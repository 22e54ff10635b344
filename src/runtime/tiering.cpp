#include "runtime/tiering.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "frit/error.hpp"
#include "runtime/compiler_module.hpp"
#include "runtime/kernel_key.hpp"

namespace frit {
namespace {

// Measured at effort 1 over the example models: 0.2 ms for each step of the loop and 6 ms to start LLVM, at most twice off.
constexpr double compile_seconds_a_step = 0.2e-3;
constexpr double compile_seconds_to_start = 6e-3;

}  // namespace

CompileOptions compile_options(const CompilerOptions& options, int threads) {
  CompileOptions result;
  result.effort = options.effort;
  result.width = options.width;
  result.target = options.target;
  result.threads = threads;
  return result;
}

Tiering::Subject Tiering::subject_of(exec::Program& program) {
  return {.kind = "plan",
          .steps = program.plan().loop.size(),
          .key = [&](const CompileOptions& options) { return runtime::key_bytes(program.plan(), options); },
          .compile = [&](Compiler& compiler,
                         const CompileOptions& options) { return compiler.compile(program.plan(), options); },
          .use = [&](const CompiledKernel* kernel) { program.use(kernel); }};
}

Tiering::~Tiering() {
  if (!thread_.joinable()) return;
  give_up_ = true;
  // A process that was forked during the compilation has no such thread and would wait for ever.
  getpid() == process_ ? thread_.join() : thread_.detach();
}

bool Tiering::find_in_cache() {
  const auto start = std::chrono::steady_clock::now();
  cache_.emplace();
  if (cache_->off().empty()) key_ = runtime::kernel_key(subject_.kind, subject_.key(options_));
  kernel_ = runtime::find_kernel(*cache_, key_);
  cache_notes_ = cache_->notes();
  if (!kernel_) return false;
  compile_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  subject_.use(kernel_.get());
  return true;
}

void Tiering::keep_in_cache() {
  if (!cache_ || !kernel_) return;
  runtime::keep_kernel(*cache_, key_, *kernel_, runtime::load_compiler());
  const std::lock_guard lock(mutex_);
  cache_notes_ = cache_->notes();
}

void Tiering::compile_now(const CompilerOptions& options, int threads, bool cached) {
  options_ = compile_options(options, threads);
  if (cached && find_in_cache()) return;
  Compiler& compiler = runtime::load_compiler();
  const auto start = std::chrono::steady_clock::now();
  kernel_ = subject_.compile(compiler, options_);
  compile_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  subject_.use(kernel_.get());
  keep_in_cache();
}

std::string Tiering::prepare(const CompilerOptions& options, int threads, bool cached) {
  options_ = compile_options(options, 1);
  options_.give_up = &give_up_;
  std::string reason = runtime::compiler_is_missing();
  if (!reason.empty() || (cached && find_in_cache())) return reason;
  const double expected = compile_seconds_to_start + compile_seconds_a_step * static_cast<double>(subject_.steps);
  due_seconds_ = threads > 1 ? 0.1 * expected : expected;
  armed_ = true;
  return "";
}

std::unique_ptr<CompiledKernel> Tiering::compile_with_text(const CompilerOptions& options, int threads) const {
  CompileOptions how = compile_options(options, threads);
  how.keep_text = true;
  return subject_.compile(runtime::load_compiler(), how);
}

Tiering::Timer::Timer(Tiering& tiering) {
  if (!tiering.armed_.load(std::memory_order_relaxed)) return;
  tiering_ = &tiering;
  start_ = std::chrono::steady_clock::now();
}

Tiering::Timer::~Timer() {
  if (tiering_ == nullptr) return;
  tiering_->call_done(std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
}

void Tiering::call_done(double seconds) {
  const std::lock_guard lock(mutex_);
  graph_seconds_ += seconds;
  if (!armed_ || graph_seconds_ < due_seconds_) return;
  armed_ = false;
  running_ = true;
  process_ = getpid();
  try {
    thread_ = std::thread([this] { compile(); });
  } catch (const std::exception& error) {
    running_ = false;
    failure_ = fmt::format("no thread to compile on: {}", error.what());
  }
}

// On the thread of the compilation: nothing may leave it.
void Tiering::compile() {
  std::string failure;
  std::unique_ptr<CompiledKernel> kernel;
  const auto start = std::chrono::steady_clock::now();
  try {
    kernel = subject_.compile(runtime::load_compiler(), options_);
  } catch (const std::exception& error) {
    failure = error.what();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  {
    const std::lock_guard lock(mutex_);
    compile_seconds_ = seconds;
    kernel_ = std::move(kernel);
    failure_ = std::move(failure);
    if (kernel_) subject_.use(kernel_.get());
  }
  // Calls use the code from now on; who waits for it also waits until it is kept.
  try {
    keep_in_cache();
  } catch (const std::exception&) {  // no memory for a note
  }
  {
    const std::lock_guard lock(mutex_);
    running_ = false;
  }
  done_.notify_all();
}

bool Tiering::wait(double seconds) {
  std::unique_lock lock(mutex_);
  done_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !running_; });
  return kernel_ != nullptr;
}

std::vector<std::string> Tiering::cache_notes() const {
  const std::lock_guard lock(mutex_);
  return cache_notes_;
}

std::string Tiering::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace frit
