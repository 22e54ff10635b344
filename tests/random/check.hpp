// Runs a program in every way there is and compares bits: what must agree, agrees, and each value is right by an oracle that
// shares no code with the engine.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "random/program.hpp"

namespace frit::test {

// The kernels that the others are compared with: the best of this CPU. The slow ones for CPUs without FMA are drawn like any others.
const exec::KernelTable& reference_table();

struct CheckOptions {
  bool compiled = true;  // where the compiler module is missing: without it
  // The one stage to run besides the reference: a Difference's stage. Empty is all.
  std::string_view only = {};
};

struct Difference {
  std::string stage;
  std::string what;
  std::string op = {};  // whose value the oracle refuses
};

std::optional<Difference> check(const RandomProgram& program, const CheckOptions& options);

// The values of all nodes over the first events, one op at a time.
std::vector<Bytes> node_values(const RandomProgram& program, std::int64_t events);

// Equal nodes under equal ids, without outputs.
Graph copy_of_nodes(const Graph& graph);

}  // namespace frit::test
