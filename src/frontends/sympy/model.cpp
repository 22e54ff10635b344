// Model, and the binding of its symbols to roles.
#include "frit/model.hpp"

#include <fmt/format.h>

#include <chrono>
#include <unordered_map>

#include "core/fp_state.hpp"
#include "core/nearest_name.hpp"
#include "frit/engine.hpp"
#include "frontends/sympy/normalise.hpp"
#include "frontends/sympy/reader.hpp"
#include "runtime/function.hpp"

namespace frit {

struct Model::Impl {
  Expr expr;
};

Model Model::read(const std::filesystem::path& path) {
  return Model(std::make_shared<Impl>(Impl{read_srepr_file(path.string())}));
}
Model Model::parse(std::string_view srepr) { return Model(std::make_shared<Impl>(Impl{read_srepr(srepr)})); }

std::vector<std::string> Model::symbols() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < impl_->expr.symbol_count(); ++i) names.emplace_back(impl_->expr.symbol_name_at(i));
  return names;
}
std::size_t Model::output_count() const { return impl_->expr.output_count(); }
std::size_t Model::node_count() const { return impl_->expr.size(); }

Function Engine::bind(const Model& model, const Signature& signature, const FunctionOptions& options) const {
  if (!is_real_floating(options.dtype))
    throw Error(ErrorCode::usage, fmt::format("a function computes in f64 or f32, not in {}", name_of(options.dtype)));
  // Literals are rounded and constants folded the same whatever the caller's floating-point environment.
  const FpState state;
  const auto start = std::chrono::steady_clock::now();
  const Expr& expr = model.impl().expr;
  struct Bound {
    sympy::SymbolBinding binding;
    bool used = false;
  };
  std::unordered_map<std::string_view, Bound> bound;
  const auto add = [&](const std::vector<Signature::Argument>& arguments, Role role) {
    for (const Signature::Argument& argument : arguments) {
      if (!bound.emplace(argument.name, Bound{{role, argument.complex}}).second)
        throw Error(ErrorCode::usage, fmt::format("'{}' is bound twice, as a column or parameter", argument.name));
    }
  };
  add(signature.columns, Role::column);
  add(signature.parameters, Role::parameter);
  std::vector<sympy::SymbolBinding> bindings;
  for (std::size_t i = 0; i < expr.symbol_count(); ++i) {
    const std::string_view name = expr.symbol_name_at(i);
    const auto found = bound.find(name);
    if (found == bound.end()) {
      std::vector<std::string_view> names;
      for (const auto& argument : signature.columns) names.push_back(argument.name);
      for (const auto& argument : signature.parameters) names.push_back(argument.name);
      throw Error(ErrorCode::unbound_symbol,
                  fmt::format("the model's symbol '{}' is neither a column nor a parameter{}", name,
                              did_you_mean(name, names)));
    }
    found->second.used = true;
    bindings.push_back(found->second.binding);
  }
  std::vector<std::string> notes;
  const auto note_unused = [&](const std::vector<Signature::Argument>& arguments, std::string_view kind) {
    for (const Signature::Argument& argument : arguments) {
      if (!bound.find(argument.name)->second.used)
        notes.push_back(fmt::format("{} '{}' is ignored: the model does not use it", kind, argument.name));
    }
  };
  note_unused(signature.columns, "column");
  note_unused(signature.parameters, "parameter");
  Graph graph = sympy::normalise(expr, bindings, options.dtype);
  const double trace_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return Function(runtime::make_function(impl_, std::move(graph), options, trace_s, std::move(notes)));
}

}  // namespace frit
