#include "core/shown.hpp"

#include <fmt/format.h>

#include <system_error>

namespace frit {
namespace {

// The length of the UTF-8 sequence at the front of `text`, 0 where it is malformed. Table 3-7 of the Unicode Standard.
std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto in = [&](std::size_t i, unsigned low, unsigned high) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return in(1, 0x80, 0xBF) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return in(1, low, high) && in(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return in(1, low, high) && in(2, 0x80, 0xBF) && in(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string shown(std::string_view text) {
  constexpr std::size_t limit = 120;
  std::string result = "\"";
  while (!text.empty()) {
    if (result.size() > limit) return result + "...\"";
    const std::size_t length = utf8_sequence(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    if (length == 0 || lead < 0x20 || lead == 0x7F) {
      result += fmt::format("\\x{:02x}", lead);
      text.remove_prefix(1);
    } else {
      result += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return result + "\"";
}

std::string shown_path(const std::filesystem::path& path) {
  // A path is named in full, however long: the user has to find it.
  std::string result = "\"";
  const std::string& native = path.native();
  for (std::string_view text = native; !text.empty();) {
    const std::size_t length = utf8_sequence(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    const bool plain = length != 0 && lead >= 0x20 && lead != 0x7F;
    result += plain ? std::string(text.substr(0, length)) : fmt::format("\\x{:02x}", lead);
    text.remove_prefix(plain ? length : 1);
  }
  return result + "\"";
}

std::string errno_text(int error) { return std::generic_category().message(error); }

}  // namespace frit
