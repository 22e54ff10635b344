// One exception type for every error of the library. An error has a class (who is wrong), a stable code (a page in
// docs/errors.md) and a message that says what was expected, what came, where, and what to do.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace frit {

enum class ErrorClass {
  user,      // the program, expression or call is wrong
  machine,   // the input file or the machine is: missing file, corrupt archive, full disk, no memory
  internal,  // frit is wrong; please report it
};

// The codes, in the order of docs/errors.md. The first word of the name is the room that raises it.
enum class ErrorCode {
#define FRIT_ERROR(id, text, error_class) id,
#include "frit/error_codes.def"
#undef FRIT_ERROR
};

std::string_view name_of(ErrorCode code);  // "sympy-unknown-class"
ErrorClass class_of(ErrorCode code);
// The exit status of the command for an error of this class: user 2, machine 3, internal 4.
int exit_status(ErrorClass error_class);

class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message);
  ErrorCode code() const noexcept { return code_; }
  // The message alone, without the code.
  const std::string& message() const noexcept { return message_; }
  // "error[code]: message"
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  ErrorCode code_;
  std::string message_;
  std::string text_;
};

}  // namespace frit
