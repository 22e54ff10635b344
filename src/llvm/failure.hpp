// What happens where LLVM has no memory or meets what it cannot compile.
//
// LLVM is built without exceptions: it then calls a handler, and without one ends the process. The handlers here throw, for
// compilations of this module only; for other users of the same library they do what LLVM does by default.
//
// NOTE: an exception through LLVM runs none of its clean-up. So LLVM's objects on the way are left as they are (Kept), and
// no other compilation begins in this process: a lock may still be held. Programs go on in mode graph.
#pragma once

#include <exception>
#include <memory>

namespace frit::codegen::failure {

// Sets the handlers. Once a process.
void install();

// Throws out_of_memory where LLVM has failed before in this process.
void refuse_after_failure();

// On one thread, from begin to end, LLVM's failures are exceptions: std::bad_alloc, or Error internal.
void begin();
void end() noexcept;
// Throws the exception in flight as an Error, and notes where LLVM has failed.
[[noreturn]] void raise();

template <class Fn> void in_llvm(const Fn& fn) {
  begin();
  try {
    fn();
  } catch (...) {
    end();
    raise();
  }
  end();
}

// Owns an object of LLVM, and lets go of it where an exception passes.
template <class T> class Kept {
 public:
  Kept() : value_(std::make_unique<T>()) {}
  explicit Kept(std::unique_ptr<T> value) : value_(std::move(value)) {}
  ~Kept() {
    if (std::uncaught_exceptions() > exceptions_) (void)value_.release();
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  T& operator*() const { return *value_; }
  T* operator->() const { return value_.get(); }
  std::unique_ptr<T> take() { return std::move(value_); }

 private:
  int exceptions_ = std::uncaught_exceptions();
  std::unique_ptr<T> value_;
};

}  // namespace frit::codegen::failure
