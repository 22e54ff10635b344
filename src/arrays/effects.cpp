// The public effects: at once on eager arrays, nodes of the program on traced ones.
#include "frit/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "arrays/batch.hpp"
#include "arrays/effect.hpp"
#include "arrays/trace.hpp"
#include "arrays/value.hpp"

namespace frit {

using arrays::Access;
using arrays::Data;
using arrays::Effect;
using arrays::Trace;
using arrays::Type;
using arrays::Value;

namespace arrays {
namespace {

// `text` with the values in the place of {}. Errors: usage.
std::string filled(std::string_view text, std::span<const std::string> values) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c != '{' && c != '}') {
      out += c;
    } else if (c == next) {
      out += c;
      ++i;
    } else if (c == '{' && next == '}') {
      if (used < values.size()) out += values[used];
      ++used;
      ++i;
    } else {
      throw Error(ErrorCode::usage,
                  fmt::format("print: '{}' in \"{}\" is not the place of a value, {{}}; write {}{}", c, text, c, c));
    }
  }
  if (used != values.size())
    throw Error(ErrorCode::usage, fmt::format("print: {} values for {} places in \"{}\"", values.size(), used, text));
  return out;
}

void run_print(const Effect& effect, std::span<const Data* const> operands) {
  std::vector<std::string> values;
  for (const Data* operand : operands) values.push_back(text_of(*operand));
  const std::string line = filled(effect.text, values) + "\n";
  if (effect.engine->print) {
    effect.engine->print(line);
  } else {
    std::fwrite(line.data(), 1, line.size(), stdout);
  }
}

void run_check(const Effect& effect, const Data& condition, const SourceLine& where) {
  const Data all = contiguous(condition);
  const std::int64_t n = all.size();
  const std::byte* const wrong = std::find(all.at, all.at + n, std::byte{0});
  if (wrong == all.at + n) return;
  std::int64_t element = wrong - all.at;
  std::string place;
  for (std::size_t axis = static_cast<std::size_t>(all.rank); axis-- > 0;) {
    place = fmt::format("{}{}{}", element % all.extents[axis], place.empty() ? "" : ", ", place);
    element /= all.extents[axis];
  }
  throw Error(ErrorCode::check_failed,
              fmt::format("{}{} (at {}:{})", effect.text,
                          all.rank == 0 ? "" : fmt::format(": false at index [{}]", place), where.file, where.line));
}

std::vector<Data> run_callback(const Effect& effect, std::span<const Data* const> operands,
                               std::span<const std::int64_t> symbols, const SourceLine& where) {
  std::vector<Array> arguments;
  // Elements that live as long as the call alone are copied, since the callable may keep the array.
  for (const Data* operand : operands)
    arguments.push_back(eager(effect.engine, operand->buffer ? *operand : copy_of(*operand)));
  const std::vector<Array> given = [&] {
    const Recording nothing(nullptr, nullptr);
    return effect.function(arguments);
  }();
  return located(where, [&] {
    if (given.size() != effect.results.size())
      throw Error(ErrorCode::trace_arguments,
                  fmt::format("callback gives {} arrays, where {} are declared", given.size(), effect.results.size()));
    const Numbers numbers;
    std::vector<Data> results;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const Value& value = Access::value(given[i]);
      if (has_no_elements(given[i]))
        throw Error(ErrorCode::traced_value, fmt::format("callback: array {} has no elements, since it is traced", i));
      if (effect.engine && value.engine != effect.engine)
        throw Error(ErrorCode::usage, fmt::format("callback: array {} belongs to another engine", i));
      Type want = effect.results[i];
      for (Extent& extent : want.extents) extent = Symbols::evaluate(extent, symbols);
      const bool same =
          std::equal(want.shape().begin(), want.shape().end(), value.type.shape().begin(), value.type.shape().end(),
                     [](const Extent& a, const Extent& b) { return identical(a, b); });
      if (want.dtype != value.type.dtype || !same)
        throw Error(same ? ErrorCode::dtype_mismatch : ErrorCode::shape_mismatch,
                    fmt::format("callback: array {} is {}, where {} is declared", i, text_of(value.type, numbers),
                                text_of(want, numbers)));
      results.push_back(value.data);
    }
    return results;
  });
}

// At once, or recorded where an operand is traced or a function is. `where` names the caller.
std::vector<Array> perform(Effect effect, std::span<const Operand* const> operands, const SourceLine& where) {
  if (has_batch(operands)) {
    located(where, [&] {
      (void)home_of(operands);  // whether all vmaps run
      if (effect.kind == Effect::Kind::callback)
        throw Error(ErrorCode::usage,
                    "callback inside of vmap takes no array of a batch: call it behind the vmap, on the whole batch");
    });
    std::vector<Operand> roots;
    roots.reserve(operands.size());
    for (const Operand* operand : operands)
      roots.push_back(operand->kind == Operand::Kind::array ? Operand(root_of(operand->array), operand->where)
                                                            : *operand);
    return perform(std::move(effect), pointers_to(roots), where);
  }
  std::shared_ptr<Trace> trace = Recording::innermost();
  located(where, [&] {
    const auto has_home = [](const Operand* o) { return o->kind == Operand::Kind::array || o->extent.is_symbolic(); };
    if (std::any_of(operands.begin(), operands.end(), has_home)) {
      const Home home = home_of(operands);
      if (home.trace) trace = home.trace;
      if (effect.engine && effect.engine != home.engine)
        throw Error(ErrorCode::usage, "print: the arrays belong to another engine than the one that prints");
      effect.engine = home.engine;
    }
    if (trace && !effect.engine) effect.engine = trace->engine();
    if (trace && trace->engine() != effect.engine)
      throw Error(ErrorCode::usage, "an effect of another engine is used in a traced function");
    for (const Type& type : effect.results)
      for (const Extent& extent : type.shape())
        if (extent.is_symbolic()) trace = Recording::of(extent);
  });
  if (trace) return trace->add_effect(std::move(effect), operands, where);
  std::vector<Data> data;
  for (const Operand* operand : operands)
    data.push_back(operand->kind == Operand::Kind::array ? Access::value(operand->array).data : number_data(*operand));
  std::vector<const Data*> pointers;
  for (const Data& one : data) pointers.push_back(&one);
  std::vector<Array> results;
  results.reserve(effect.results.size());
  for (Data& result : run_effect(effect, pointers, {}, where))
    results.push_back(eager(effect.engine, std::move(result)));
  return results;
}

}  // namespace

std::string_view name_of(Effect::Kind kind) {
  constexpr std::string_view names[] = {"print", "check", "callback"};
  return names[static_cast<int>(kind)];
}

std::vector<Data> run_effect(const Effect& effect, std::span<const Data* const> operands,
                             std::span<const std::int64_t> symbols, const SourceLine& where) {
  if (effect.kind == Effect::Kind::callback) return run_callback(effect, operands, symbols, where);
  if (effect.kind == Effect::Kind::print) run_print(effect, operands);
  if (effect.kind == Effect::Kind::check) run_check(effect, *operands[0], where);
  return {};
}

}  // namespace arrays

namespace {

void print(std::shared_ptr<Engine::Impl> engine, std::string_view text, const std::vector<Operand>& values,
           SourceLine where) {
  arrays::located(where, [&] { (void)arrays::filled(text, std::vector<std::string>(values.size())); });
  Effect effect;
  effect.text = text;
  effect.engine = std::move(engine);
  arrays::perform(std::move(effect), arrays::pointers_to(values), where);
}

Type type_of(const ResultType& declared) {
  Type type;
  type.dtype = declared.dtype;
  type.rank = static_cast<int>(declared.shape.size());
  if (type.rank > max_rank)
    throw Error(ErrorCode::axis_range, fmt::format("callback: an array has at most {} axes", max_rank));
  std::copy(declared.shape.begin(), declared.shape.end(), type.extents.begin());
  return type;
}

}  // namespace

void print(const Engine& engine, std::string_view text, const std::vector<Operand>& values, SourceLine where) {
  print(engine.impl(), text, values, where);
}

void print(std::string_view text, const std::vector<Operand>& values, SourceLine where) {
  const bool any =
      std::any_of(values.begin(), values.end(), [](const Operand& o) { return o.kind == Operand::Kind::array; });
  if (!any) throw Error(ErrorCode::usage, "print of no array: name the engine that prints, print(engine, text)");
  print(nullptr, text, values, where);
}

void check(const Operand& condition, std::string_view message) {
  arrays::located(condition.where, [&] {
    if (condition.kind != Operand::Kind::array)
      throw Error(ErrorCode::usage, "check needs an array, not a number: use `if` on values of C++");
    if (condition.array.dtype() != DType::boolean)
      throw Error(ErrorCode::dtype_mismatch,
                  fmt::format("check takes booleans, not {}; compare first", name_of(condition.array.dtype())));
  });
  Effect effect;
  effect.kind = Effect::Kind::check;
  effect.text = message;
  arrays::perform(std::move(effect), std::array{&condition}, condition.where);
}

std::vector<Array> callback(const std::function<std::vector<Array>(std::span<const Array>)>& fn,
                            const std::vector<Array>& arrays, const std::vector<ResultType>& results,
                            SourceLine where) {
  Effect effect;
  effect.kind = Effect::Kind::callback;
  effect.function = fn;
  const std::vector<Operand> operands(arrays.begin(), arrays.end());
  arrays::located(where, [&] {
    for (const ResultType& result : results) effect.results.push_back(type_of(result));
  });
  return arrays::perform(std::move(effect), arrays::pointers_to(operands), where);
}

void callback(const std::function<void(std::span<const Array>)>& fn, const std::vector<Array>& arrays,
              SourceLine where) {
  callback(
      [fn](std::span<const Array> given) {
        fn(given);
        return std::vector<Array>();
      },
      arrays, {}, where);
}

}  // namespace frit
