// Any bytes as a parameter file: an Error or parameters with distinct names.
#include <cstdint>
#include <cstdlib>
#include <set>

#include "frit/error.hpp"
#include "io/parameters.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace frit;
  try {
    std::set<std::string> names;
    for (const auto& [name, value] : io::parse_parameters({reinterpret_cast<const char*>(data), size}, "p.json")) {
      if (!names.insert(name).second || (!value.complex && value.im != 0)) std::abort();
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::parameters_syntax && error.code() != ErrorCode::parameter_kind) std::abort();
  }
  return 0;
}
