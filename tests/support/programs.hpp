// Graphs of one op, and calls of an exec::Program as any back end would make them: through FritCall, over any memory.
#pragma once

#include <array>
#include <atomic>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "exec/program.hpp"
#include "graph/graph.hpp"
#include "ops/table.hpp"
#include "plan/plan.hpp"
#include "support/values.hpp"
#include "trace/traced.hpp"

namespace frit::test {

// The kinds of an op's operands in a form: a boolean operand is made from a real argument x as x != 0.
inline ops::OperandKind kind_of(OpId op, unsigned form, int operand) {
  return ops::operand_kind(info_of(op).type, form, operand);
}

// The forms of an op; of a composite op the form of real operands and that of complex ones.
inline unsigned all_forms(OpId op) {
  if (!is_composite(op)) return forms_of(op);
  return 1u | 1u << ((1u << info_of(op).arity) - 1);
}

// A graph that is one op on arguments "a", "b", "c"; operand i is a parameter where bit i of `scalars` is set.
inline Graph op_graph(OpId op, unsigned form, DType dtype, unsigned scalars = 0) {
  Graph graph(dtype);
  std::vector<trace::Traced> operands;
  for (int i = 0; i < info_of(op).arity; ++i) {
    const ops::OperandKind kind = kind_of(op, form, i);
    const DType type = kind == ops::OperandKind::complex ? complex_of(dtype) : dtype;
    const std::string name(1, static_cast<char>('a' + i));
    trace::Traced x(graph, graph.add_argument(name, type, (scalars >> i & 1u) != 0 ? Role::parameter : Role::column));
    if (kind == ops::OperandKind::boolean) x = trace::apply<ops::NotEqual>(x, trace::Traced::literal_like(x, 0));
    operands.push_back(x);
  }
  NodeId result = no_node;
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    if (ops::id_of<Op> != op) return;
    if constexpr (Op::info.arity == 1) result = trace::apply<Op>(operands[0]).id();
    if constexpr (Op::info.arity == 2) result = trace::apply<Op>(operands[0], operands[1]).id();
    if constexpr (Op::info.arity == 3) result = trace::apply<Op>(operands[0], operands[1], operands[2]).id();
  });
  graph.add_output("output", result);
  verify(graph);
  return graph;
}

struct RunOptions {
  bool whole_range = false;             // eager: the range as one tile
  std::vector<std::int64_t> cuts = {};  // events at which the range is split into calls
  std::size_t misalign = 0;             // bytes that every column and output is moved off its alignment
  bool threads = false;                 // each of these calls on a thread of its own
};

// 64-byte aligned memory that starts `shift` bytes later, with bytes of a pattern on both sides that must survive.
class Fenced {
 public:
  Fenced(std::size_t bytes, std::size_t shift) : memory_(bytes + shift + 2 * fence), bytes_(bytes) {
    std::fill(memory_.begin(), memory_.end(), std::byte{0xa5});
    const auto at = reinterpret_cast<std::uintptr_t>(memory_.data());
    data_ = memory_.data() + (64 - at % 64) % 64 + 64 + shift;
  }
  std::byte* data() { return data_; }
  std::span<const std::byte> view() const { return {data_, bytes_}; }
  bool intact() const {
    const auto untouched = [](const std::byte* from, const std::byte* to) {
      for (; from != to; ++from) {
        if (*from != std::byte{0xa5}) return false;
      }
      return true;
    };
    return untouched(memory_.data(), data_) && untouched(data_ + bytes_, memory_.data() + memory_.size());
  }

 private:
  static constexpr std::size_t fence = 128;
  std::vector<std::byte> memory_;
  std::size_t bytes_;
  std::byte* data_;
};

class Aligned {
 public:
  explicit Aligned(std::int64_t bytes) : size_(std::max<std::int64_t>(bytes, 64)) {
    data_ = ::operator new (static_cast<std::size_t>(size_), std::align_val_t{64});
    std::memset(data_, 0xcb, static_cast<std::size_t>(size_));
  }
  ~Aligned() { ::operator delete (data_, std::align_val_t{64}); }
  Aligned(const Aligned&) = delete;
  Aligned& operator=(const Aligned&) = delete;
  void* data() const { return data_; }
  std::int64_t size() const { return size_; }

 private:
  std::int64_t size_;
  void* data_;
};

// Runs the program over events [0, n). `columns`: an image of each column argument in its own dtype (only the first n
// elements are read); `parameters`: of each parameter argument. Returns an image of each output.
inline std::vector<Bytes> run(const exec::Program& program, std::span<const Bytes> columns,
                              std::span<const std::complex<double>> parameters, std::int64_t n,
                              const RunOptions& options = {}) {
  std::vector<Fenced> inputs, outputs;
  std::vector<FritOperand> operands;
  std::vector<FritResult> results;
  std::vector<double> scalars;
  for (const std::complex<double>& p : parameters) {
    scalars.push_back(p.real());
    scalars.push_back(p.imag());
  }
  inputs.reserve(columns.size());
  for (const GraphArgument& argument : program.plan().arguments) {
    if (argument.role != Role::column) continue;
    const std::size_t element = size_of(argument.dtype);
    inputs.emplace_back(static_cast<std::size_t>(n) * element, options.misalign);
    if (n > 0)
      std::memcpy(inputs.back().data(), columns[inputs.size() - 1].data(), static_cast<std::size_t>(n) * element);
    operands.push_back(
        {inputs.back().data(), static_cast<std::int64_t>(element), static_cast<std::int32_t>(argument.dtype), 0});
  }
  outputs.reserve(program.plan().outputs.size());
  for (const plan::Output& output : program.plan().outputs) {
    outputs.emplace_back(static_cast<std::size_t>(n) * size_of(output.dtype), options.misalign);
    results.push_back({outputs.back().data(), static_cast<std::int32_t>(output.dtype), 0});
  }
  const Aligned prologue(program.prologue_bytes());
  FritCall call{};
  call.size = sizeof call;
  call.abi_version = FRIT_ABI_VERSION;
  call.operands = operands.data();
  call.operand_count = static_cast<std::uint32_t>(operands.size());
  call.results = results.data();
  call.result_count = static_cast<std::uint32_t>(results.size());
  call.scalars = scalars.data();
  call.scalar_count = static_cast<std::uint32_t>(parameters.size());
  call.prologue = prologue.data();
  call.program = &program;
  if (exec::Program::run_prologue(&call) != FRIT_OK) throw std::runtime_error("the prologue failed");
  std::vector<std::int64_t> bounds{0};
  bounds.insert(bounds.end(), options.cuts.begin(), options.cuts.end());
  bounds.push_back(n);
  std::atomic<bool> failed{false};
  const auto run_range = [&](std::size_t i) {
    FritCall range = call;
    range.begin = bounds[i];
    range.end = bounds[i + 1];
    const Aligned scratch(program.scratch_bytes(range.end - range.begin, options.whole_range));
    range.scratch = scratch.data();
    range.scratch_bytes = scratch.size();
    const auto entry = options.whole_range ? exec::Program::run_whole_range : exec::Program::run_loop;
    if (entry(&range) != FRIT_OK) failed = true;
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    if (options.threads) {
      threads.emplace_back(run_range, i);
    } else {
      run_range(i);
    }
  }
  for (std::thread& thread : threads) thread.join();
  if (failed) throw std::runtime_error("the loop failed");
  std::vector<Bytes> images;
  for (const Fenced& output : outputs) {
    if (!output.intact()) throw std::runtime_error("a byte beside an output was written");
    images.emplace_back(output.view().begin(), output.view().end());
  }
  for (const Fenced& input : inputs) {
    if (!input.intact()) throw std::runtime_error("a byte beside a column was written");
  }
  return images;
}

// The elements [from, to) of an image.
inline Bytes part_of(const Bytes& image, DType dtype, std::int64_t from, std::int64_t to) {
  const auto element = static_cast<std::int64_t>(size_of(dtype));
  return Bytes(image.begin() + from * element, image.begin() + to * element);
}

}  // namespace frit::test
