#include "cli/notes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "frit/error.hpp"

namespace frit::cli {
namespace {

constexpr std::size_t names_a_line = 4;

struct Group {
  std::string before, after;  // the text without its quoted name
  std::string first;          // the whole first text
  std::vector<std::string> names;
};

Group split(const std::string& text) {
  const std::size_t open = text.find('\'');
  const std::size_t close = text.rfind('\'');
  if (open == std::string::npos || close <= open) return {text, "", text, {}};
  return {text.substr(0, open), text.substr(close + 1), text, {text.substr(open, close + 1 - open)}};
}

}  // namespace

void Notes::add(std::string text) {
  if (std::find(texts_.begin(), texts_.end(), text) == texts_.end()) texts_.push_back(std::move(text));
}

void Notes::add(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) add(text);
}

std::vector<std::string> Notes::lines() const {
  std::vector<Group> groups;
  for (const std::string& text : texts_) {
    Group group = split(text);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& other) {
      return other.before == group.before && other.after == group.after;
    });
    if (same == groups.end()) {
      groups.push_back(std::move(group));
    } else {
      same->names.push_back(std::move(group.names.front()));
    }
  }
  std::vector<std::string> lines;
  for (const Group& group : groups) {
    std::string line = group.first;
    if (group.names.size() > 1) {
      line += fmt::format(" (and {} more:", group.names.size() - 1);
      const std::size_t shown = std::min(group.names.size(), 1 + names_a_line);
      for (std::size_t i = 1; i < shown; ++i) line += fmt::format("{} {}", i == 1 ? "" : ",", group.names[i]);
      line += shown < group.names.size() ? ", ...)" : ")";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

void Notes::print() const {
  // Notes that cannot be written are lost: the result does not depend on them.
  for (const std::string& line : lines()) std::fprintf(stderr, "note: %s\n", one_line(line).c_str());
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      line += ' ';
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      line += fmt::format("\\x{:02x}", c);
    } else {
      line += c;
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) throw ClosedPipe{};
    if (written < 0)
      throw Error(ErrorCode::file_write,
                  fmt::format("cannot write to standard output: {}", std::generic_category().message(errno)));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace frit::cli
