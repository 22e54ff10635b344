#include "cli/signals.hpp"

#include <signal.h>
#include <unistd.h>

#include <string_view>

#include "frit/error.hpp"

namespace frit::cli {
namespace {

// The number of the signal: the engine asks only whether it is 0. Its type is the engine's, so a relaxed atomic access
// takes the place of sig_atomic_t.
std::int32_t signal_number = 0;

std::int32_t at_once = 0;  // how many NothingToLose exist

// As print_error() has it; a handler may only write.
void write_message() {
  for (const std::string_view text :
       {std::string_view("frit: error[cancelled]: "), interrupted_message, std::string_view("\n")}) {
    // The status is the same where the message cannot be written.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  }
}

void on_signal(int number) {
  __atomic_store_n(&signal_number, number, __ATOMIC_RELAXED);
  if (__atomic_load_n(&at_once, __ATOMIC_RELAXED) == 0) return;
  write_message();
  _exit(128 + number);
}

}  // namespace

// A signal that came just before is noticed here; one that comes just after, by the handler.
NothingToLose::NothingToLose() {
  __atomic_fetch_add(&at_once, 1, __ATOMIC_SEQ_CST);
  throw_if_interrupted();
}
NothingToLose::~NothingToLose() { __atomic_fetch_sub(&at_once, 1, __ATOMIC_SEQ_CST); }

void install_signal_handlers() {
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigaction(number, &action, nullptr);
  }
  signal(SIGPIPE, SIG_IGN);
}

const std::int32_t* cancel_word() { return &signal_number; }

int interrupted_by() { return __atomic_load_n(&signal_number, __ATOMIC_RELAXED); }

void throw_if_interrupted() {
  if (interrupted_by() != 0) throw Error(ErrorCode::cancelled, "interrupted");
}

}  // namespace frit::cli
