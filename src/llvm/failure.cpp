#include "llvm/failure.hpp"

#include <llvm/Support/ErrorHandling.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include <execinfo.h>
#include <unistd.h>

#include "frit/error.hpp"

namespace frit::codegen::failure {
namespace {

std::atomic<bool> has_failed{false};
thread_local bool compiling = false;

// What LLVM does for others.
[[noreturn]] void end_process(const char* reason) {
  for (const char* const text : {"LLVM ERROR: ", reason, "\n"}) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  std::abort();
}

void no_memory(void*, const char* reason, bool) {
  if (!compiling) end_process(reason);
  throw std::bad_alloc();
}

void fatal(void*, const char* reason, bool) {
  if (!compiling) end_process(reason);
  has_failed = true;
  throw Error(ErrorCode::internal, std::string("LLVM cannot compile this: ") + reason + "; use mode graph");
}

}  // namespace

void install() {
  // NOTE: the C library opens its unwinder when an exception first passes through a frame of its own, as that of pthread_once, and
  // ends the process where there is no memory for it. This opens it while there is.
  void* frame = nullptr;
  (void)backtrace(&frame, 1);
  llvm::install_bad_alloc_error_handler(no_memory);
  llvm::install_fatal_error_handler(fatal);
}

void refuse_after_failure() {
  if (has_failed)
    throw Error(
        ErrorCode::out_of_memory,
        "the compiler ran out of memory or failed before, and is not used again in this process; use mode graph");
}

void begin() { compiling = true; }
void end() noexcept { compiling = false; }

void raise() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    has_failed = true;
    throw Error(ErrorCode::out_of_memory, "no memory to compile this function; use mode graph");
  }
}

}  // namespace frit::codegen::failure
