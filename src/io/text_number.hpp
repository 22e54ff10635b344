// Text to number, correctly rounded. NOTE: std::from_chars of libstdc++ 12 follows the rounding mode (it gives
// 0.30000000000000004 for "0.3" under FE_UPWARD), so callers hold an FpState for the length of a file or block.
#pragma once

#include <string_view>

namespace frit::io {

enum class NumberError { none, syntax, overflow };

// Reads a decimal floating-point number, nan, inf or infinity (any case, optional sign) from the front of `text` and
// removes it. What is below the smallest subnormal gives a zero of its sign; what is beyond the largest finite number
// is `overflow`. Locale and hexadecimal forms play no part.
NumberError take_f64(std::string_view& text, double& value);

struct ComplexText {
  double re = 0, im = 0;
  bool complex = false;  // whether an imaginary part was written
};

// Reads all of `text`: a real number, or a complex one as Python writes it ("1.5-2j", "2j", "(1.5-2j)"). Blanks and
// tabs around it are allowed.
NumberError parse_complex(std::string_view text, ComplexText& value);

}  // namespace frit::io
