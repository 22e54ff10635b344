// A program of the random tests: a graph, its data, and how it is run.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "support/compiled.hpp"
#include "support/values.hpp"

namespace frit::test {

// What must not change a bit.
struct Settings {
  std::string isa = "";                 // kernels of graph mode
  std::int64_t tile = 0;                // as exec::ProgramOptions
  std::vector<std::int64_t> cuts = {};  // as RunOptions
  std::size_t misalign = 0;             // as RunOptions
  bool threads = false;                 // a thread for each range between cuts
  How how = {};                         // of the compiler
};

struct RandomProgram {
  Graph graph{DType::f64};
  std::int64_t events = 0;
  std::vector<Bytes> columns = {};                    // of the column arguments, in order
  std::vector<std::complex<double>> parameters = {};  // of the parameter arguments, in order
  Settings settings = {};
};

// One op in one form.
struct OpForm {
  OpId op;
  unsigned form;
};
// All of the op table, composite ops aside: they never stand in a graph.
const std::vector<OpForm>& every_op_form();

// The program of a seed. Besides the seed, the op table, the fused patterns and what this CPU runs decide.
RandomProgram random_program(std::uint64_t seed);

}  // namespace frit::test
