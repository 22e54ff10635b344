#include "frit/error.hpp"

#include <utility>

namespace frit {
namespace {

struct CodeRow {
  std::string_view text;
  ErrorClass error_class;
};

constexpr CodeRow rows[] = {
#define FRIT_ERROR(id, text, error_class) {text, ErrorClass::error_class},
#include "frit/error_codes.def"
#undef FRIT_ERROR
};

}  // namespace

std::string_view name_of(ErrorCode code) { return rows[static_cast<int>(code)].text; }

ErrorClass class_of(ErrorCode code) { return rows[static_cast<int>(code)].error_class; }

int exit_status(ErrorClass error_class) { return 2 + static_cast<int>(error_class); }

Error::Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {
  text_ = "error[";
  text_ += name_of(code_);
  text_ += "]: ";
  text_ += message_;
}

}  // namespace frit
