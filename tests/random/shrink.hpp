// Makes a program that shows a difference as small as it goes while it still shows one at the same stage.
#pragma once

#include "random/check.hpp"

namespace frit::test {

struct Shrunk {
  RandomProgram program;
  Difference difference;
  int checks = 0;
};

// `program` shows `difference`. At most `most_checks` programs are tried.
Shrunk shrink(const RandomProgram& program, const Difference& difference, int most_checks = 3000);

}  // namespace frit::test
