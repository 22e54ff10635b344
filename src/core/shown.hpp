// Text from outside, as messages show it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace frit {

// `text` in double quotes for an error message: control characters and bytes that are no UTF-8 as \xNN, cut after
// some 120 bytes. Names and values come from files, and must not reach a terminal as they are.
std::string shown(std::string_view text);
std::string shown_path(const std::filesystem::path& path);

// Whether `text` is well-formed UTF-8 (no surrogates, no overlong forms, at most U+10FFFF).
bool is_utf8(std::string_view text);

// errno as text, the same in every thread.
std::string errno_text(int error);

}  // namespace frit
