// What the command says on the side, and its output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frit::cli {

// Notes are collected, each once, and printed at the end of the command; a report holds all of them.
class Notes {
 public:
  void add(std::string text);
  void add(const std::vector<std::string>& texts);
  const std::vector<std::string>& all() const { return texts_; }
  // To stderr, a line each, as "note: ...". Notes that differ only in the quoted name that they are about share a line.
  void print() const;
  // The lines without "note: ".
  std::vector<std::string> lines() const;

 private:
  std::vector<std::string> texts_;
};

// On one line of a terminal: control characters, which names in files may hold, as \xNN.
std::string one_line(std::string_view text);

// Standard output was closed by its reader, which is the reader's right: the command ends quietly.
struct ClosedPipe {};

// Writes to standard output at once. Errors: file_write, ClosedPipe.
void print(std::string_view text);

}  // namespace frit::cli
