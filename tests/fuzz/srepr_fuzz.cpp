// libFuzzer target: any bytes give an expression or an error of the library, and an expression is well formed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "frit/error.hpp"
#include "frontends/sympy/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const frit::Expr e = frit::read_srepr({reinterpret_cast<const char*>(data), size});
    if (e.root() >= e.size()) std::abort();
    for (frit::ExprId id = 0; id < e.size(); ++id) {
      for (const frit::ExprId operand : e.operands(id)) {
        if (operand >= id) std::abort();
      }
      if (e.node(id).kind == frit::ExprKind::number) {
        const frit::ExactNumber& number = e.number(id);
        frit::ExactNumber back;
        if (!frit::ExactNumber::parse_exact(number.text(), back) || !(back == number)) std::abort();
        (void)number.to_f64();
        (void)number.to_f32();
      }
    }
  } catch (const frit::Error& error) {
    if (class_of(error.code()) == frit::ErrorClass::internal || error.message().empty()) std::abort();
  }
  return 0;
}
