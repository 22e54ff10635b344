// A model: an expression with free symbols, as a front end read it. Nothing is decided about dtypes or roles yet.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace frit {

class Model {
 public:
  // Reads the text of sympy.srepr: an expression, a list or Tuple of them (several outputs), or what sympy.cse returned.
  // Errors: file_open, file_read, sympy_*.
  static Model read(const std::filesystem::path& path);
  static Model parse(std::string_view srepr);

  // The names of the free symbols, each once, in order of first appearance.
  std::vector<std::string> symbols() const;
  std::size_t output_count() const;
  std::size_t node_count() const;  // distinct subexpressions

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  explicit Model(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace frit
