// A program as one line, and back: graph, data and settings, exactly.
#pragma once

#include <string>
#include <string_view>

#include "random/program.hpp"

namespace frit::test {

//   stage=graph isa=v3 tile=64 ... events=2 a0=0x1p+0,nan a1=... graph=frit graph 1 f64 | %0 = ... | output "o0" = %1
// Values of argument k stand under ak: of a column one for each event, of a parameter one; complex ones as two numbers.
std::string replay_line(const RandomProgram& program, std::string_view stage);

struct Replay {
  RandomProgram program;
  std::string stage;
};
// Throws std::runtime_error where the line is none.
Replay parse_replay(std::string_view line);

}  // namespace frit::test
