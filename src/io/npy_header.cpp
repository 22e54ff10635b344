#include "io/npy_header.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <vector>

#include "frit/error.hpp"
#include "io/byte_source.hpp"

namespace frit::io {
namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};
constexpr std::size_t max_header = std::size_t{1} << 20;  // NumPy itself reads at most 10,000 bytes unless told to

struct Kind {
  std::string_view code;
  DType dtype;
};
constexpr std::array<Kind, 13> kinds{{{"b1", DType::boolean},
                                      {"i1", DType::i8},
                                      {"i2", DType::i16},
                                      {"i4", DType::i32},
                                      {"i8", DType::i64},
                                      {"u1", DType::u8},
                                      {"u2", DType::u16},
                                      {"u4", DType::u32},
                                      {"u8", DType::u64},
                                      {"f4", DType::f32},
                                      {"f8", DType::f64},
                                      {"c8", DType::c64},
                                      {"c16", DType::c128}}};
static_assert(kinds.size() == dtype_count);

[[noreturn]] void fail(std::string_view where, std::string_view what) {
  throw Error(ErrorCode::npy_header, fmt::format("{}: its .npy header cannot be read: {}", where, what));
}

[[noreturn]] void fail_dtype(std::string_view where, std::string_view what) {
  throw Error(ErrorCode::npy_dtype, fmt::format("{} has {}; frit reads bool, int8 to int64, uint8 to uint64, float32, "
                                                "float64, complex64 and complex128; convert it with NumPy's astype",
                                                where, what));
}

// The text {'descr': '<f8', 'fortran_order': False, 'shape': (20000,), } and nothing beyond it.
class DictParser {
 public:
  DictParser(std::string_view text, std::string_view where) : text_(text), where_(where) {}

  void parse() {
    expect('{');
    for (skip_blanks(); !take('}'); skip_blanks()) {
      const std::string_view key = string();
      expect(':');
      skip_blanks();
      if (key == "descr") {
        once(has_descr_, key);
        descr();
      } else if (key == "fortran_order") {
        once(has_order_, key);
        boolean();  // the two orders of one axis are the same
      } else if (key == "shape") {
        once(has_shape_, key);
        shape();
      } else {
        fail(where_, fmt::format("unknown key {}", shown(key)));
      }
      skip_blanks();
      if (!take(',') && (at_ >= text_.size() || text_[at_] != '}')) fail_here("',' or '}'");
    }
    skip_blanks();
    if (at_ != text_.size()) fail_here("the end");
    if (!has_descr_ || !has_order_ || !has_shape_) fail(where_, "descr, fortran_order or shape is missing");
  }

  std::string_view descr_text;  // "<f8"
  std::vector<std::int64_t> extents;

 private:
  void once(bool& flag, std::string_view key) {
    if (flag) fail(where_, fmt::format("key {} comes twice", shown(key)));
    flag = true;
  }
  [[noreturn]] void fail_here(std::string_view expected) const {
    fail(where_, fmt::format("expected {} before {}", expected, shown(text_.substr(at_, 40))));
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    skip_blanks();
    if (!take(c)) fail_here(std::string{'\'', c, '\''});
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  std::string_view string() {
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) fail_here("a string");
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail(where_, "a string has no end");
    const std::string_view result = text_.substr(at_, end - at_);
    if (result.find('\\') != std::string_view::npos) fail(where_, "a string has an escape");  // NumPy writes none here
    at_ = end + 1;
    return result;
  }
  void boolean() {
    if (!take("False") && !take("True")) fail_here("True or False");
  }
  void descr() {
    if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '(')) {
      // Refused for what it is, whatever follows it.
      throw Error(ErrorCode::npy_dtype,
                  fmt::format("{} has a structured dtype (records of named fields); write every field "
                              "as an array of its own",
                              where_));
    }
    descr_text = string();
  }
  void shape() {
    expect('(');
    for (skip_blanks(); !take(')'); skip_blanks()) {
      std::int64_t extent = 0;
      const char* const end = text_.data() + text_.size();
      const auto result = std::from_chars(text_.data() + at_, end, extent);
      if (result.ec == std::errc::result_out_of_range || extent < 0) fail(where_, "an extent is out of range");
      if (result.ec != std::errc()) fail_here("an extent");
      at_ = static_cast<std::size_t>(result.ptr - text_.data());
      take('L');  // Python 2 wrote long integers so
      extents.push_back(extent);
      skip_blanks();
      if (!take(',') && (at_ >= text_.size() || text_[at_] != ')')) fail_here("',' or ')'");
    }
  }

  std::string_view text_;
  std::string_view where_;
  std::size_t at_ = 0;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

void take_dtype(std::string_view descr, std::string_view where, NpyHeader& header) {
  if (descr.empty()) fail(where, "descr is empty");
  const char order = descr[0];
  const bool has_order = order == '<' || order == '>' || order == '|' || order == '=';
  const std::string_view code = has_order ? descr.substr(1) : descr;
  if (code == "O" || code == "O8" || code == "O4")
    throw Error(ErrorCode::npy_object,
                fmt::format("{} holds pickled Python objects (dtype object), which frit never loads, because loading "
                            "runs code from the file; save it as a numeric dtype",
                            where));
  for (const Kind& kind : kinds) {
    if (kind.code != code) continue;
    header.dtype = kind.dtype;
    constexpr char native = std::endian::native == std::endian::little ? '<' : '>';
    header.swapped = (order == '<' || order == '>') && order != native && size_of(kind.dtype) > 1;
    return;
  }
  fail_dtype(where, fmt::format("dtype {}", shown(descr)));
}

void take_shape(const std::vector<std::int64_t>& extents, std::string_view where, NpyHeader& header) {
  if (extents.size() != 1) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(extents.size(), 8); ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ", ", extents[i]);
    if (extents.size() > 8) text += ", ...";
    const std::string_view advice = extents.empty() ? "write a number into the parameters, or an array of one element"
                                    : extents.size() == 2 ? "write each of its columns as an array of its own"
                                                          : "reshape it";
    throw Error(ErrorCode::npy_shape,
                fmt::format("{} has shape ({}); a column has one axis, the events; {}", where, text, advice));
  }
  header.size = extents[0];
  if (header.size > std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(size_of(header.dtype)))
    fail(where, fmt::format("{} elements are more than any file holds", header.size));
}

}  // namespace

std::size_t npy_header_size(std::span<const std::byte> prefix, std::string_view where) {
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(prefix[i]); };
  const std::string_view text(reinterpret_cast<const char*>(prefix.data()), prefix.size());
  if (text.substr(0, magic.size()) != magic) fail(where, "it does not begin with \\x93NUMPY");
  if (prefix.size() < 10) fail(where, fmt::format("it ends after {} bytes", prefix.size()));
  const std::size_t major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0)
    fail(where, fmt::format("its version is {}.{}; frit reads 1.0, 2.0 and 3.0", major, minor));
  std::size_t size = 10 + (byte(8) | byte(9) << 8);
  if (major > 1) {
    if (prefix.size() < 12) fail(where, fmt::format("it ends after {} bytes", prefix.size()));
    size = 12 + (byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24);
  }
  if (size > max_header) fail(where, fmt::format("it is {} bytes long, the limit is {}", size, max_header));
  return size;
}

NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view where) {
  NpyHeader header;
  header.header_size = npy_header_size(bytes.first(std::min(bytes.size(), npy_prefix_size)), where);
  if (bytes.size() < header.header_size)
    fail(where, fmt::format("it has {} bytes and ends after {}", header.header_size, bytes.size()));
  const std::size_t begin = bytes[6] == std::byte{1} ? 10 : 12;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + begin, header.header_size - begin);
  DictParser dict(text, where);
  dict.parse();
  take_dtype(dict.descr_text, where, header);
  take_shape(dict.extents, where, header);
  return header;
}

std::string make_npy_header(DType dtype, std::int64_t size) {
  std::string_view code;
  for (const Kind& kind : kinds) {
    if (kind.dtype == dtype) code = kind.code;
  }
  const char order = size_of(dtype) == 1 ? '|' : '<';
  std::string dict = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({},), }}", order, code, size);
  const std::size_t length = (10 + dict.size() + 1 + 63) / 64 * 64 - 10;
  dict.resize(length - 1, ' ');
  dict += '\n';
  std::string result(magic);
  result += {'\x01', '\x00', static_cast<char>(length & 0xFF), static_cast<char>(length >> 8)};
  return result + dict;
}

}  // namespace frit::io
