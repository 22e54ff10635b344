// Threads with a stack of their own: LLVM recurses deeper than the stack of a caller may allow.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <vector>

#include "frit/error.hpp"

namespace frit::codegen {

// Runs fn() on up to `count` threads at the same time and waits for all. Where no more can be made it runs on fewer; where
// none can it throws out_of_memory. fn must not throw.
template <class Fn> void run_on_threads(std::size_t count, const Fn& fn) {
  constexpr std::size_t stack_bytes = std::size_t{16} << 20;  // touched where it is needed only
  std::vector<pthread_t> threads;
  threads.reserve(count);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    throw Error(ErrorCode::out_of_memory, "no memory for a thread to compile on");
  pthread_attr_setstacksize(&attributes, stack_bytes);
  const auto body = [](void* argument) -> void* {
    (*static_cast<const Fn*>(argument))();
    return nullptr;
  };
  for (std::size_t i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, body, const_cast<Fn*>(&fn)) != 0) break;
    threads.push_back(thread);
  }
  pthread_attr_destroy(&attributes);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  if (threads.empty()) throw Error(ErrorCode::out_of_memory, "no thread to compile on can be made; use mode graph");
}

}  // namespace frit::codegen
