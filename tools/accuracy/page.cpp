#include "page.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace frit::accuracy {
namespace {

constexpr const char* begin_mark = "<!-- measured errors: tools/accuracy writes this block -->\n";
constexpr const char* end_mark = "<!-- end of measured errors -->\n";

std::string head(const std::string& op, const std::string& dtype) { return "| `" + op + "` | " + dtype + " |"; }

std::string number(double ulps) {
  if (ulps < 0) return "";
  char text[32];
  std::snprintf(text, sizeof text, ulps == 0 ? "0" : "%.3f", ulps);
  return text;
}

std::string row(const std::string& op, const std::string& dtype, const Record& record) {
  std::string text = head(op, dtype);
  for (const Worst& worst : record.ranges) text += " " + number(worst.ulps) + " |";
  char points[32];
  std::snprintf(points, sizeof points, "%.1e", static_cast<double>(record.points));
  return text + (record.every ? std::string(" all") : " " + std::string(points)) + " |\n";
}

}  // namespace

void renew(const std::filesystem::path& page, const Rows& rows) {
  std::ifstream file(page, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = text.find(begin_mark), end = text.find(end_mark);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    throw std::runtime_error(page.string() + " has no block of measured errors");
  std::istringstream old(text.substr(begin, end - begin));
  std::map<std::string, std::string> known;
  for (std::string line; std::getline(old, line);) {
    std::size_t bar = 0;
    for (int k = 0; k < 3 && bar != std::string::npos; ++k) bar = line.find('|', k == 0 ? 0 : bar + 1);
    if (bar != std::string::npos) known[line.substr(0, bar + 1)] = line + "\n";
  }
  std::string rows_text = begin_mark;
  rows_text += "| op | dtype |";
  for (const char* range : range_names) rows_text += " " + std::string(range) + " |";
  rows_text += " points |\n| --- | --- |";
  for (int i = 0; i < range_count; ++i) rows_text += " --- |";
  rows_text += " --- |\n";
  for (const Subject& subject : subjects()) {
    for (const char* dtype : {"f64", "f32"}) {
      const std::string key = head(subject.name, dtype);
      if (const auto found = rows.find({subject.name, dtype}); found != rows.end()) {
        rows_text += row(subject.name, dtype, found->second);
      } else if (known.contains(key)) {
        rows_text += known[key];
      } else {
        rows_text += key + " not measured |\n";
      }
    }
  }
  const std::filesystem::path temporary = page.string() + ".tmp";
  std::ofstream(temporary, std::ios::binary) << text.substr(0, begin) << rows_text << text.substr(end);
  std::filesystem::rename(temporary, page);
}

}  // namespace frit::accuracy
