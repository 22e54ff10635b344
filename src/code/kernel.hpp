// Compiled code in this process, from a compiler or from a cache.
#pragma once

#include <utility>

#include "code/image.hpp"
#include "core/compiler.hpp"

namespace frit::code {

class Kernel final : public CompiledKernel {
 public:
  // Errors: out_of_memory.
  Kernel(const Image& image, std::int64_t arena_rows, CompileStatistics statistics, std::string ir = {},
         std::string assembly = {})
      : code_(image), arena_rows_(arena_rows), statistics_(std::move(statistics)), ir_(std::move(ir)),
        assembly_(std::move(assembly)) {
    for (std::size_t i = 0; i < code_.entry_count(); ++i)
      functions_.push_back(reinterpret_cast<CompiledTile>(const_cast<void*>(code_.entry(i))));
  }
  const std::vector<CompiledTile>& functions() const override { return functions_; }
  std::int64_t arena_rows() const override { return arena_rows_; }
  const CompileStatistics& statistics() const override { return statistics_; }
  Image image() const override { return code_.image(); }
  const std::string& ir() const override { return ir_; }
  const std::string& assembly() const override { return assembly_; }

 private:
  LoadedCode code_;
  std::vector<CompiledTile> functions_;
  std::int64_t arena_rows_;
  CompileStatistics statistics_;
  std::string ir_;
  std::string assembly_;
};

}  // namespace frit::code
