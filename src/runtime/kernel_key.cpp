#include "runtime/kernel_key.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "code/bytes.hpp"
#include "code/identity.hpp"
#include "code/kernel.hpp"
#include "core/shown.hpp"
#include "frit/error.hpp"
#include "runtime/compiler_module.hpp"

// NOTE: structured bindings name every field, so that a new one does not compile before it was decided whether code depends on it.

namespace frit::runtime {
namespace {

using code::ByteReader;
using code::ByteWriter;

void put(ByteWriter& to, const plan::Part& part) {
  const auto& [kind, index] = part;
  to.put(kind);
  to.put(index);
}

void put(ByteWriter& to, const plan::Step& step) {
  const auto& [fusion, op, form, operands, results, parts] = step;
  to.put(fusion);
  to.put(op);
  to.put(form);
  to.put(operands);
  to.put(results);
  for (int i = 0; i < operands + results; ++i) put(to, parts[i]);
}

void put(ByteWriter& to, const plan::ColumnPart& column) {
  const auto& [argument, imaginary] = column;
  to.put(argument);
  to.put(imaginary);
}

void put(ByteWriter& to, const plan::ScalarArgument& parameter) {
  const auto& [argument, imaginary, scalar] = parameter;
  to.put(argument);
  to.put(imaginary);
  to.put(scalar);
}

void put(ByteWriter& to, const plan::ScalarConstant& constant) {
  const auto& [scalar, value, boolean] = constant;
  to.put(scalar);
  to.put(value);
  to.put(boolean);
}

void put(ByteWriter& to, const GraphArgument& argument) {
  const auto& [name, dtype, role, repeats] = argument;
  (void)name;
  to.put(dtype);
  to.put(role);
  to.put(repeats);
}

void put(ByteWriter& to, const plan::Output& output) {
  const auto& [name, dtype, parts, summed] = output;
  (void)name;
  to.put(dtype);
  for (int i = 0; i < (is_complex(dtype) ? 2 : 1); ++i) put(to, parts[i]);
  to.put(summed);
}

void put(ByteWriter& to, DType dtype) { to.put(dtype); }
void put(ByteWriter& to, plan::RoutineValue value) { to.put(value); }
void put(ByteWriter& to, const plan::RoutineArray& array) {
  const auto& [dtype, each_lane] = array;
  to.put(dtype);
  to.put(each_lane);
}
void put(ByteWriter& to, const plan::Plan& plan);
void put(ByteWriter& to, const plan::RoutineBlock& block);
void put(ByteWriter& to, const plan::RoutineStep& step);

template <class T> void put(ByteWriter& to, const std::vector<T>& list) {
  to.put(std::uint64_t{list.size()});
  for (const T& one : list) put(to, one);
}

void put(ByteWriter& to, const plan::Plan& plan) {
  const auto& [dtype, arguments, constants, parameters, prologue, columns, loop, outputs, scalars, buffers, loop_nodes,
               prologue_nodes] = plan;
  (void)loop_nodes, (void)prologue_nodes;  // for reports
  to.put(dtype);
  put(to, arguments);
  put(to, constants);
  put(to, parameters);
  put(to, prologue);
  put(to, columns);
  put(to, loop);
  put(to, outputs);
  to.put(scalars);
  to.put(buffers);
}

void put(ByteWriter& to, const plan::RoutineBlock& block) {
  const auto& [parameters, steps, yields] = block;
  put(to, parameters);
  put(to, steps);
  put(to, yields);
}

void put(ByteWriter& to, const plan::RoutineStep& step) {
  const auto& [kind, op, operands, results, which, integer, row, number, most_steps, number_of_loop, blocks] = step;
  to.put(kind);
  to.put(op);
  put(to, operands);
  put(to, results);
  to.put(which);
  to.put(integer);
  to.put(row);
  to.put(number);
  to.put(most_steps);
  to.put(number_of_loop);
  put(to, blocks);
}

void put(ByteWriter& to, const plan::Routine& routine) {
  const auto& [lanes, values, operands, results, plans, body] = routine;
  to.put(lanes);
  put(to, values);
  put(to, operands);
  put(to, results);
  put(to, plans);
  put(to, body);
}

void put(ByteWriter& to, const CompileOptions& options) {
  const auto& [effort, width, target, full_form, largest_function, vectors, roots, functions, threads, give_up,
               keep_text] = options;
  (void)threads, (void)give_up, (void)keep_text;
  to.put(effort);
  to.put(width);
  to.put(target);
  to.put(full_form);
  to.put(largest_function);
  to.put(vectors);
  to.put(roots);
  to.put(functions);
}

// Looked at once a process: a library that is replaced while programs run is for those that start later.
std::string identity_of(const std::filesystem::path& library) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::string> known;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = known.try_emplace(library);
  if (is_new) place->second = code::library_identity(library);
  return place->second;
}

struct Details {
  std::string library, library_identity;  // of LLVM
  std::int64_t arena_rows = 0;
  CompileStatistics statistics;
};

std::vector<std::byte> bytes_of(const Details& details) {
  const CompileStatistics& s = details.statistics;
  ByteWriter to;
  to.put(details.library);
  to.put(details.library_identity);
  to.put(details.arena_rows);
  to.put(s.operations);
  to.put(s.code_bytes);
  to.put(s.functions);
  to.put(s.width);
  to.put(s.vectors);
  to.put(s.estimated_roots);
  to.put(s.target);
  return to.take();
}

bool read_details(std::span<const std::byte> bytes, Details& details) {
  CompileStatistics& s = details.statistics;
  s.from_cache = true;
  ByteReader from(bytes);
  return from.get(details.library) && from.get(details.library_identity) && from.get(details.arena_rows) &&
         from.get(s.operations) && from.get(s.code_bytes) && from.get(s.functions) && from.get(s.width) &&
         from.get(s.vectors) && from.get(s.estimated_roots) && from.get(s.target) && from.at_end();
}

}  // namespace

std::vector<std::byte> key_bytes(const plan::Plan& plan, const CompileOptions& options) {
  ByteWriter to;
  put(to, options);
  put(to, plan);
  return to.take();
}

std::vector<std::byte> key_bytes(const plan::Routine& routine, const CompileOptions& options) {
  ByteWriter to;
  put(to, options);
  put(to, routine);
  return to.take();
}

std::vector<std::byte> kernel_key(std::string_view kind, std::span<const std::byte> made_from) {
  const std::string module = compiler_module_path();
  const std::string compiler = module.empty() ? "" : identity_of(module);
  if (compiler.empty()) return {};
  ByteWriter to;
  to.put(FRIT_VERSION);
  to.put(std::int32_t{compiler_interface_version});
  to.put(compiler);
  to.put(code::cpu_identity());
  to.put(kind);
  to.put(made_from);
  return to.take();
}

std::unique_ptr<CompiledKernel> find_kernel(KernelCache& cache, std::span<const std::byte> key) {
  if (key.empty()) return nullptr;
  const auto found = cache.find(key);
  if (!found) return nullptr;
  Details details;
  const auto ignored = [&](const char* why) {
    cache.note(fmt::format("the cached kernel {} is ignored: {}", shown_path(cache.path_of(key)), why));
    return nullptr;
  };
  if (!read_details(found->entry.details, details)) return ignored("its details are cut");
  if (identity_of(details.library) != details.library_identity) return ignored("LLVM has changed since it was made");
  try {
    return std::make_unique<code::Kernel>(found->entry.image(), details.arena_rows, std::move(details.statistics));
  } catch (const Error& error) {
    return ignored(error.message().c_str());
  }
}

void keep_kernel(KernelCache& cache, std::span<const std::byte> key, const CompiledKernel& kernel,
                 const Compiler& compiler) {
  if (key.empty()) return;
  const std::string library = compiler.library();
  const std::string identity = identity_of(library);
  if (identity.empty()) return cache.note("a compiled kernel is not kept: LLVM's library cannot be looked at");
  const Details details{library, identity, kernel.arena_rows(), kernel.statistics()};
  cache.store(key, bytes_of(details), kernel.image());
}

}  // namespace frit::runtime
