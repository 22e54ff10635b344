// Machine code under watch.
#pragma once

#include <cstring>
#include <functional>
#include <vector>

#include "code/image.hpp"
#include "core/compiler.hpp"

namespace frit::test {

// Code that counts its tiles, and says of those that the test picks that they are rare, after it has written rubbish to the
// outputs. Code has no place for a pointer to it, so one is in use at a time: the last that was made, or that was activated.
class Watched final : public CompiledKernel {
 public:
  // Called for each tile with its number, from 0: true where it is to be rare.
  using Pick = std::function<bool(std::size_t tile)>;

  Watched(const CompiledKernel& inner, std::size_t output_parts, std::size_t element)
      : inner_(inner), parts_(output_parts), element_(element) {
    activate();
  }
  void activate(Pick pick = {}) {
    active_ = this;
    pick_ = std::move(pick);
    tiles_ = done_ = 0;
  }
  std::size_t tiles() const { return tiles_; }
  // Tiles that were not rare.
  std::size_t done() const { return done_; }

  const std::vector<CompiledTile>& functions() const override { return functions_; }
  std::int64_t arena_rows() const override { return inner_.arena_rows(); }
  const CompileStatistics& statistics() const override { return inner_.statistics(); }
  code::Image image() const override { return inner_.image(); }
  const std::string& ir() const override { return inner_.ir(); }
  const std::string& assembly() const override { return inner_.assembly(); }

 private:
  static std::int32_t run(const TileCall* tile) {
    Watched& self = *active_;
    std::int32_t rare = 0;
    for (const CompiledTile f : self.inner_.functions()) rare |= f(tile);
    if (self.pick_ && self.pick_(self.tiles_)) {
      for (std::size_t i = 0; i < self.parts_; ++i)
        std::memset(tile->outputs[i], 0x77, static_cast<std::size_t>(tile->n) * self.element_);
      rare = 1;
    }
    ++self.tiles_;
    self.done_ += rare == 0 ? 1 : 0;
    return rare;
  }

  static inline Watched* active_ = nullptr;
  const CompiledKernel& inner_;
  std::size_t parts_, element_;
  Pick pick_;
  std::size_t tiles_ = 0, done_ = 0;
  std::vector<CompiledTile> functions_{&run};
};

}  // namespace frit::test
