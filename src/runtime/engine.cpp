#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "passes/passes.hpp"
#include "runtime/function.hpp"

namespace frit {
namespace {

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Engine::Engine(EngineOptions options) : impl_(std::make_shared<Impl>()) {
  if (options.threads < 0)
    throw Error(ErrorCode::usage, fmt::format("threads is a number from 0 (all cores) up, not {}", options.threads));
  if (options.tile < 0 || options.tile % 64 != 0)
    throw Error(ErrorCode::usage, fmt::format("a tile is a positive multiple of 64 events, not {}", options.tile));
  if (options.kept_memory < 0)
    throw Error(ErrorCode::usage, fmt::format("kept_memory is a number of bytes, not {}", options.kept_memory));
  impl_->memory = std::make_shared<runtime::ArrayMemory>(options.kept_memory);
  impl_->threads = options.threads == 0 ? usable_cores() : options.threads;
  impl_->tile = options.tile;
  impl_->cache = options.cache;
  impl_->table = options.isa.empty() ? &exec::active_table() : exec::find_table(options.isa.c_str());
  if (impl_->table == nullptr) {
    std::string known;
    for (const exec::KernelTable* table : exec::usable_tables()) known += fmt::format(" {}", table->isa);
    throw Error(ErrorCode::cpu_unsupported,
                fmt::format("no kernels for ISA '{}' on this CPU; usable here:{}", options.isa, known));
  }
  impl_->cancel = options.cancel;
  impl_->process = getpid();
  impl_->print = std::move(options.print);
}

int Engine::threads() const { return impl_->threads; }
std::string_view Engine::isa() const { return impl_->table->isa; }
void Engine::release_memory() const { impl_->memory->release(); }
std::int64_t Engine::kept_memory() const { return impl_->memory->kept_bytes(); }

void Function::Impl::note(std::string text) {
  const std::lock_guard lock(notes_mutex);
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(std::move(text));
}

namespace runtime {

std::shared_ptr<Function::Impl> make_function(const std::shared_ptr<Engine::Impl>& engine, Graph graph,
                                              const FunctionOptions& options, double trace_s,
                                              std::vector<std::string> notes, const std::vector<bool>& summed) {
  StageTimes times;
  times.trace_s = trace_s;
  auto start = std::chrono::steady_clock::now();
  // Eager runs the program as it was written: no passes, one step an op.
  const bool eager = options.mode == Mode::eager;
  verify(graph);
  Graph passed = eager ? passes::drop_dead_nodes(graph)
                       : passes::run_passes(passes::drop_dead_nodes(graph), exec::evaluate_constant);
  times.passes_s = seconds_since(start);
  start = std::chrono::steady_clock::now();
  plan::Plan plan = plan::make_plan(passed, {.fuse = !eager});
  for (std::size_t i = 0; i < summed.size(); ++i) plan.outputs[i].summed = summed[i];
  auto impl = std::make_shared<Function::Impl>(std::move(graph), std::move(passed), std::move(plan), *engine->table,
                                               exec::ProgramOptions{.tile = engine->tile});
  times.plan_s = seconds_since(start);
  impl->engine = engine;
  impl->options = options;
  impl->times = times;
  impl->notes = std::move(notes);
  for (const GraphArgument& argument : impl->graph.arguments()) {
    (argument.role == Role::column ? impl->columns : impl->parameters).push_back(&argument);
  }
  impl->rounding_noted = std::vector<std::atomic<bool>>(impl->columns.size());
  if (options.mode == Mode::compiled) {
    impl->tiering.compile_now(options.compiler, engine->threads, engine->cache);
    impl->times.compile_s = impl->tiering.compile_seconds();
  } else if (options.mode == Mode::automatic) {
    if (std::string reason = impl->tiering.prepare(options.compiler, engine->threads, engine->cache); !reason.empty())
      impl->note("mode auto stays on the graph: " + reason);
  }
  return impl;
}

}  // namespace runtime
}  // namespace frit
