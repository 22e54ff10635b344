// Work that cannot be stopped half way, and a command that does not wait for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "cli/signals.hpp"
#include "frit/engine.hpp"

namespace frit::cli {

// True where a thread may still be at work: the process must then end without destructors.
bool work_left_behind();
void set_work_left_behind();

// Keeps a function of mode auto to the end of the process, so that nobody waits for a compilation that no call will use.
void leave_running(const Function& function);

// `work()`, on a thread of its own while this one watches for an interruption, which is `cancelled` at once and leaves the
// work behind. So `work` must own what it uses.
template <class T> T interruptible(std::function<T()> work) {
  struct State {
    std::function<T()> work;
    std::mutex mutex;
    std::condition_variable done;
    std::optional<T> result;
    std::exception_ptr failure;
  };
  const auto state = std::make_shared<State>();
  state->work = std::move(work);
  std::thread([state] {
    std::optional<T> result;
    std::exception_ptr failure;
    try {
      result.emplace(state->work());
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(state->mutex);
    state->result = std::move(result);
    state->failure = std::move(failure);
    state->done.notify_all();
  }).detach();
  std::unique_lock lock(state->mutex);
  const auto ended = [&] { return state->result.has_value() || state->failure != nullptr; };
  while (!state->done.wait_for(lock, std::chrono::milliseconds(20), ended)) {
    if (interrupted_by() == 0) continue;
    set_work_left_behind();
    throw_if_interrupted();
  }
  // NOTE: taken out, so that this thread drops the last reference: the thread sanitizer does not see the count of libstdc++.
  if (state->failure) std::rethrow_exception(std::exchange(state->failure, nullptr));
  return std::move(*state->result);
}

}  // namespace frit::cli
