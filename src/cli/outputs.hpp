// Memory for the outputs of a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "frit/engine.hpp"

namespace frit::cli {

class Outputs {
 public:
  // Room for `events` of each output of `function`. Errors: out_of_memory.
  Outputs(const Function& function, std::int64_t events);

  std::size_t count() const { return blocks_.size(); }
  // The first `events` of the room, for Function::run.
  std::vector<OutputView> views(std::int64_t events) const;
  // The room from event `first` on.
  std::vector<OutputView> views(std::int64_t first, std::int64_t events) const;
  const std::byte* data(std::size_t i) const { return blocks_[i].get(); }
  DType dtype(std::size_t i) const { return dtypes_[i]; }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  std::vector<std::unique_ptr<std::byte, Free>> blocks_;
  std::vector<DType> dtypes_;
};

// Elements of the first `events` whose bits differ; a NaN equals any NaN.
std::int64_t count_differing(const Outputs& a, const Outputs& b, std::int64_t events);

}  // namespace frit::cli
