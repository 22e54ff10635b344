#include "io/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "core/fp_state.hpp"
#include "frit/error.hpp"
#include "io/text_number.hpp"

namespace frit::io {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
// Text that has been read leaves resident memory in steps of this size, so that reading a file of any size takes no
// more than it beside the values.
constexpr std::uint64_t drop_step = std::uint64_t{4} << 20;

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_imaginary(std::string_view field) {
  return !field.empty() && (field.back() == 'j' || field.back() == 'J' ||
                            (field.back() == ')' && field.find_first_of("jJ") != std::string_view::npos));
}

}  // namespace

CsvReader::CsvReader(std::shared_ptr<const ByteSource> source) : source_(std::move(source)), text_(source_->text()) {
  const std::size_t last = text_.find_last_not_of("\r\n");
  text_ = text_.substr(0, last == std::string_view::npos ? 0 : last + 1);
  if (text_.starts_with(byte_order_mark)) position_ = byte_order_mark.size();
  if (position_ == text_.size())
    throw Error(ErrorCode::csv_syntax,
                fmt::format("{} is empty; its first line must hold the names of the columns", source_->name()));
  read_header();
  body_ = position_;
  body_line_ = line_;
  if (body_ < text_.size()) count_events();
}

void CsvReader::count_events() {
  bool any_unit = false;  // most files have no complex column, and then no 'j' at all
  events_ = 1;
  for (std::string_view rest = text_.substr(body_); !rest.empty();) {
    const std::string_view part = rest.substr(0, drop_step);
    events_ += std::count(part.begin(), part.end(), '\n');
    any_unit = any_unit || part.find('j') != std::string_view::npos || part.find('J') != std::string_view::npos;
    rest.remove_prefix(part.size());
    position_ += part.size();
    drop_behind();
  }
  rewind();
  if (any_unit) find_complex_columns();
}

void CsvReader::rewind() {
  position_ = dropped_ = body_;
  line_ = body_line_;
  next_event_ = 0;
}

void CsvReader::drop_behind() {
  if (position_ - dropped_ < drop_step) return;
  source_->drop(dropped_, position_ - dropped_);
  dropped_ = position_;
}

void CsvReader::fail(std::string_view line, std::size_t at, const std::string& what) const {
  throw Error(ErrorCode::csv_syntax,
              fmt::format("{}, line {}, position {}: {}", source_->name(), line_, std::min(at, line.size()) + 1, what));
}

void CsvReader::read_header() {
  line_ = 1;
  std::size_t at = position_;
  std::size_t line_begin = at;
  bool any_name = false;
  const auto fail_at = [&](std::size_t where, const std::string& what) {
    fail(text_.substr(line_begin), where - line_begin, what);
  };
  for (bool more = true; more;) {
    std::string name;
    const std::size_t begin = at;
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    if (at < text_.size() && text_[at] == '"') {
      for (++at;; ++at) {
        if (at >= text_.size()) fail_at(begin, "the quoted name that begins here has no end");
        if (text_[at] == '"') {
          if (at + 1 >= text_.size() || text_[at + 1] != '"') break;
          ++at;
        }
        name += text_[at];
        if (text_[at] == '\n') {
          ++line_;
          line_begin = at + 1;
        }
      }
      ++at;
      while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
      any_name = true;
    } else {
      const std::size_t end = std::min(text_.find_first_of(",\r\n\"", at), text_.size());
      if (end < text_.size() && text_[end] == '"')
        fail_at(end, "a quote inside a name; put the whole name in quotes and double the ones inside");
      name = without_blanks(text_.substr(at, end - at));
      at = end;
      ComplexText number;
      if (parse_complex(name, number) != NumberError::none) any_name = true;
    }
    if (name.empty()) fail_at(begin, "a column has no name");
    if (!is_utf8(name) || name.find('\0') != std::string::npos) fail_at(begin, "a name is no UTF-8 text");
    columns_.push_back({std::move(name), false});
    if (at < text_.size() && text_[at] == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n') ++at;
    more = at < text_.size() && text_[at] == ',';
    if (at < text_.size() && text_[at] != ',' && text_[at] != '\n')
      fail_at(at, "expected a comma or the end of the line after a name");
    if (at < text_.size()) ++at;
  }
  if (!any_name) fail_at(line_begin, "the first line must hold the names of the columns, but it holds numbers only");
  std::unordered_set<std::string_view> names;
  for (const CsvColumn& column : columns_) {
    if (!names.insert(column.name).second)
      fail_at(line_begin, fmt::format("the name {} comes twice", shown(column.name)));
  }
  position_ = at;
}

std::string_view CsvReader::next_line() {
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  std::string_view line = text_.substr(position_, end - position_);
  if (end < text_.size() && line.ends_with('\r')) line.remove_suffix(1);
  position_ = std::min(end + 1, text_.size());
  ++line_;
  drop_behind();  // no more than a hint, the line stays readable
  return line;
}

void CsvReader::skip_lines(std::int64_t count) {
  for (; count > 0; --count) next_line();
}

std::string_view CsvReader::take_field(std::string_view line, std::size_t& at, std::size_t field) const {
  std::size_t begin = at;
  if (begin < line.size() && line[begin] == '"') {
    ++begin;
    const std::size_t end = line.find('"', begin);
    if (end == std::string_view::npos) fail(line, at, "the quoted value that begins here has no end");
    at = end + 1;
    if (at < line.size() && line[at] != ',') fail(line, at, "expected a comma after a quoted value");
    return line.substr(begin, end - begin);
  }
  if (begin > line.size())
    fail(line, line.size(),
         fmt::format("the line has {} values for {} columns; the value of {} is missing", field, columns_.size(),
                     shown(columns_[field].name)));
  at = std::min(line.find(',', begin), line.size());
  return line.substr(begin, at - begin);
}

void CsvReader::find_complex_columns() {
  // NOTE: errors in lines are left to read(), which names the column as well.
  while (position_ < text_.size()) {
    std::string_view line = next_line();
    if (line.find_first_of("jJ") == std::string_view::npos) continue;
    std::size_t at = 0;
    for (CsvColumn& column : columns_) {
      if (at > line.size()) break;
      std::size_t end = at;
      if (at < line.size() && line[at] == '"') end = std::min(line.find('"', at + 1), line.size());
      end = std::min(line.find(',', end), line.size());
      std::string_view field = line.substr(at, end - at);
      if (field.size() > 1 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
      if (is_imaginary(without_blanks(field))) column.complex = true;
      at = end + 1;
    }
  }
  rewind();
}

void CsvReader::parse_line(std::string_view line, const std::vector<bool>& selected, CsvBlock& block) const {
  std::size_t at = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t begin = at;
    const std::string_view field = take_field(line, at, i);
    const CsvColumn& column = columns_[i];
    if (selected[i]) {
      ComplexText number;
      const NumberError error = parse_complex(field, number);
      if (error == NumberError::overflow)
        fail(line, begin,
             fmt::format("{} in column {} is beyond the largest double", shown(field), shown(column.name)));
      if (error == NumberError::syntax) {
        const std::string what = without_blanks(field).empty() ? "no value" : shown(field) + ", which is no number,";
        fail(line, begin,
             fmt::format("{} in column {}; frit reads decimal numbers, nan, inf and complex numbers as 1.5-2j", what,
                         shown(column.name)));
      }
      if (number.complex && !column.complex)
        throw Error(ErrorCode::internal, fmt::format("{} was taken for a real column", shown(column.name)));
      block.values[i].push_back(number.re);
      if (column.complex) block.values[i].push_back(number.im);
    }
    ++at;  // the comma, or one beyond the end
  }
  if (at <= line.size())
    fail(line, at - 1, fmt::format("the line has more values than the {} columns of the header", columns_.size()));
}

std::shared_ptr<const CsvBlock> CsvReader::read(std::int64_t first, std::int64_t count,
                                                const std::vector<bool>& selected) {
  if (first < next_event_) rewind();
  skip_lines(first - next_event_);
  next_event_ = first;
  auto block = std::make_shared<CsvBlock>();
  block->first = first;
  block->count = count;
  block->values.resize(columns_.size());
  // Every value of a valid line takes two bytes at least, so a file of empty lines reserves no more than it has.
  const auto most = static_cast<std::size_t>((text_.size() - position_ + 1) / (2 * columns_.size()));
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (selected[i])
      block->values[i].reserve(std::min(static_cast<std::size_t>(count), most) * (columns_[i].complex ? 2 : 1));
  }
  const FpState nearest;
  for (std::int64_t event = 0; event < count; ++event) {
    parse_line(next_line(), selected, *block);
    ++next_event_;
  }
  return block;
}

}  // namespace frit::io
