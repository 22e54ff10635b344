// Comma-separated values with a header line (RFC 4180, UTF-8), parsed one range of events at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"

namespace frit::io {

struct CsvColumn {
  std::string name;
  bool complex = false;  // a value of it is written with an imaginary part: the column is c128, otherwise f64
};

// The values of a range of events; complex ones as pairs (re, im). Columns that were not asked for are empty.
struct CsvBlock {
  std::int64_t first = 0, count = 0;
  std::vector<std::vector<double>> values;
};

// Syntax: the first line holds the names. A name with a comma, quote or line break stands in double quotes, in which a
// quote is doubled; blanks round an unquoted name are dropped. Every further line is one event with one number per
// name, quoted or not. Lines end with LF or CRLF; the last end may be missing; empty lines are allowed at the end only.
// A byte-order mark is skipped. Everything else throws csv_syntax with line and position in the line.
class CsvReader {
 public:
  // Reads the header and counts the lines; values are not looked at, except for imaginary units.
  explicit CsvReader(std::shared_ptr<const ByteSource> source);

  const std::vector<CsvColumn>& columns() const { return columns_; }
  std::int64_t events() const { return events_; }

  // The values of events [first, first + count), within [0, events()]. `selected` has one flag per column; the numbers
  // of other columns are not converted. A range that begins where the last one ended goes on from there; a range
  // before it counts lines from the begin of the file.
  std::shared_ptr<const CsvBlock> read(std::int64_t first, std::int64_t count, const std::vector<bool>& selected);

 private:
  void read_header();
  void count_events();
  void find_complex_columns();
  void rewind();
  void drop_behind();
  std::string_view next_line();
  void skip_lines(std::int64_t count);
  void parse_line(std::string_view line, const std::vector<bool>& selected, CsvBlock& block) const;
  std::string_view take_field(std::string_view line, std::size_t& at, std::size_t field) const;
  [[noreturn]] void fail(std::string_view line, std::size_t at, const std::string& what) const;

  std::shared_ptr<const ByteSource> source_;
  std::string_view text_;  // without the empty lines at its end
  std::vector<CsvColumn> columns_;
  std::int64_t events_ = 0;
  std::uint64_t body_ = 0;      // offset of the first event
  std::int64_t body_line_ = 0;  // number of the line before it
  std::uint64_t position_ = 0;  // offset of the next event
  std::uint64_t dropped_ = 0;   // offset up to which pages were given back
  std::int64_t line_ = 0;       // number of the line read last, from 1
  std::int64_t next_event_ = 0;
};

}  // namespace frit::io
