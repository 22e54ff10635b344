// Effects as nodes of a program: what they are and how they run, for eager and traced arrays alike.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arrays/type.hpp"
#include "frit/engine.hpp"

namespace frit::arrays {

struct Effect {
  enum class Kind : std::uint8_t { print, check, callback } kind = Kind::print;
  std::string text;                                                    // print, check
  std::function<std::vector<Array>(std::span<const Array>)> function;  // callback
  std::vector<Type> results;                                           // callback
  std::shared_ptr<Engine::Impl> engine;  // of the operands; without any where a callback takes and gives none
};
std::string_view name_of(Effect::Kind kind);

// `symbols`: values for the extents of the results, none where they are numbers. Gives one element for each result. Errors:
// those that depend on values, ready for the caller of the function; what a callback throws.
std::vector<Data> run_effect(const Effect& effect, std::span<const Data* const> operands,
                             std::span<const std::int64_t> symbols, const SourceLine& where);

// As print shows it.
std::string text_of(const Data& data);

}  // namespace frit::arrays
