// Control flow of many elements at a time, each with its own branch or number of steps: a program runs on the elements that it
// is for, which stand behind each other, and those that have ended are left out.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "arrays/program.hpp"

namespace frit::arrays {

class LaneRegion {
 public:
  // Runs a program of the region on so many lanes.
  using RunProgram =
      std::function<std::vector<Data>(std::size_t which, std::span<const Data* const> arguments, std::int64_t lanes)>;

  // `inputs`: the operands of the region; `results`: the dtypes of its results; `poll` is called before each step.
  LaneRegion(const RegionCall& call, std::span<const Data> inputs, std::int64_t lanes, std::vector<DType> results,
             RunProgram run, std::function<void()> poll);

  // The results, one element for each lane. Errors: cancelled beyond the most steps; those of the programs.
  std::vector<Data> run();

 private:
  struct Group;
  std::vector<Data> choose();
  std::vector<Data> loop();
  std::vector<Data> run_program(std::size_t which, std::span<const Data> taken, const Group& group) const;
  Group all() const;

  const RegionCall& call_;
  std::span<const Data> inputs_;
  std::int64_t lanes_;
  std::vector<DType> results_;
  RunProgram run_;
  std::function<void()> poll_;
};

}  // namespace frit::arrays
