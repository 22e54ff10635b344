// Interruption. Only the command installs signal handlers; the library polls the word that they set.
#pragma once

#include <cstdint>
#include <string_view>

namespace frit::cli {

// SIGINT and SIGTERM set the cancel word once; a second one ends the process at once, temporaries or not. What the
// parent made ignored (nohup, a background job) stays ignored. SIGPIPE is ignored: a write to a closed pipe is then an
// error of that write, and temporary files are removed as after any other.
void install_signal_handlers();

// What an interrupted command says.
inline constexpr std::string_view interrupted_message = "interrupted; nothing was written";

// While one of these exists, no file is begun, so a signal ends the process at once, with the message and the status of an
// interruption. Reading and planning a very large expression looks at no word.
class NothingToLose {
 public:
  NothingToLose();
  ~NothingToLose();
  NothingToLose(const NothingToLose&) = delete;
  NothingToLose& operator=(const NothingToLose&) = delete;
};

// For Function::run.
const std::int32_t* cancel_word();
// The signal that came, or 0.
int interrupted_by();
// Errors: cancelled.
void throw_if_interrupted();

}  // namespace frit::cli
