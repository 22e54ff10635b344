#include "golden.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace frit::accuracy {

std::vector<Golden> read_golden(const std::filesystem::path& folder, const std::string& op, int arity) {
  std::vector<Golden> result;
  std::ifstream file(folder / (op + ".txt"));
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string x, y, value, rest;
    words >> x;
    if (arity == 2) words >> y;
    words >> value;
    Golden golden;
    char* end = nullptr;
    golden.x = std::strtod(x.c_str(), &end);
    bool good = !x.empty() && *end == '\0';
    if (arity == 2) {
      golden.y = std::strtod(y.c_str(), &end);
      good = good && !y.empty() && *end == '\0';
    }
    good = good && mpfr_set_str(golden.value.get(), value.c_str(), 10, MPFR_RNDN) == 0 && !(words >> rest);
    if (!good) throw std::runtime_error(op + ".txt:" + std::to_string(number) + ": not operands and a value: " + line);
    golden.f32 = static_cast<double>(static_cast<float>(golden.x)) == golden.x &&
                 static_cast<double>(static_cast<float>(golden.y)) == golden.y;
    result.push_back(golden);
  }
  return result;
}

}  // namespace frit::accuracy
