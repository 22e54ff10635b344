#include "exec/program.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <variant>

#include "core/fp_state.hpp"
#include "exec/pack.hpp"
#include "frit/error.hpp"
#include "ops/table.hpp"

namespace frit::exec {
namespace {

constexpr std::int64_t alignment = 64;
constexpr std::int64_t smallest_tile = 64;
constexpr std::int64_t largest_tile = 2048;
// NOTE: up to here copies of columns cost less than a tile of their own for what is left over behind whole vectors.
constexpr std::int64_t few_vectors = 4;

// A call that is not larger asks for no blocks.
constexpr std::uint64_t needed_bytes = offsetof(FritCall, by_blocks);

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

Program::Program(plan::Plan plan, const KernelTable& table, const ProgramOptions& options)
    : plan_(std::move(plan)), table_(&table), broadcast_of_(plan_.scalars, 0) {
  for (const plan::Step& step : plan_.prologue) add_instruction(step, true);
  for (const plan::Step& step : plan_.loop) add_instruction(step, false);
  // Operands of the call are the column arguments in order, its scalars the parameters in order.
  std::vector<std::uint32_t> operand_of(plan_.arguments.size(), 0);
  std::uint32_t columns = 0, parameters = 0;
  for (std::size_t i = 0; i < plan_.arguments.size(); ++i)
    operand_of[i] = plan_.arguments[i].role == Role::column ? columns++ : parameters++;
  for (const plan::ColumnPart& column : plan_.columns) {
    column_operand_.push_back(operand_of[column.argument]);
    repeats_.push_back(plan_.arguments[column.argument].repeats);
  }
  for (const plan::ScalarArgument& parameter : plan_.parameters)
    parameter_operand_.push_back(operand_of[parameter.argument]);
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].kind == Place::Kind::column) column_uses_.push_back({i, parts_[i].index});
  }
  find_direct_outputs();
  tile_ = options.tile;
  if (tile_ <= 0) {
    // NOTE: measured on the handed models and synthetic ones: a tile below 128 events pays the dispatch of a step too often;
    // buffers beyond half of a second-level cache of 1 MB reload from the third.
    constexpr std::int64_t budget = 256 * 1024;
    const std::int64_t row = static_cast<std::int64_t>(size_of(plan_.dtype)) *
                             (plan_.buffers + static_cast<std::int64_t>(plan_.columns.size()) + 1);
    tile_ = std::clamp(budget / row / smallest_tile * smallest_tile, 2 * smallest_tile, largest_tile);
  }
  // Blocks do not reach over the end of a tile.
  if (std::any_of(plan_.outputs.begin(), plan_.outputs.end(), [](const plan::Output& output) { return output.summed; }))
    tile_ = (tile_ + reduce_block - 1) / reduce_block * reduce_block;
  smallest_ = smallest_compiled_ = lay_out(smallest_tile, nullptr);
}

const ReduceKernel& Program::sum() const {
  return table_->reductions.reduce[ops::reduction_id<ops::Sum>][static_cast<int>(plan_.dtype)];
}

// A real output whose buffer no other output shares is written where it belongs by the step that makes it: in eager mode a pass
// over the whole array less.
void Program::find_direct_outputs() {
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> writer(plan_.buffers, none), output_of(plan_.buffers, none);
  for (std::size_t s = 0; s < plan_.loop.size(); ++s) {
    const plan::Step& step = plan_.loop[s];
    for (int i = step.operands; i < step.operands + step.results; ++i)
      writer[step.parts[i].index] = step.results == 1 ? static_cast<std::int32_t>(s) : none;
  }
  std::vector<int> outputs_of_buffer(plan_.buffers, 0);
  for (std::size_t o = 0; o < plan_.outputs.size(); ++o) {
    const plan::Output& output = plan_.outputs[o];
    for (int k = 0; k < (is_complex(output.dtype) ? 2 : 1); ++k) {
      if (output.parts[k].kind != plan::Part::Kind::buffer) continue;
      ++outputs_of_buffer[output.parts[k].index];
      if (output.dtype == plan_.dtype) output_of[output.parts[k].index] = static_cast<std::int32_t>(o);
    }
  }
  direct_.assign(plan_.outputs.size(), false);
  for (std::uint32_t b = 0; b < plan_.buffers; ++b) {
    if (outputs_of_buffer[b] != 1 || writer[b] == none) output_of[b] = none;
    if (output_of[b] == none) continue;
    loop_[static_cast<std::size_t>(writer[b])].output = output_of[b];
    direct_[static_cast<std::size_t>(output_of[b])] = true;
  }
  for (std::size_t s = 0; s < plan_.loop.size(); ++s) {
    const plan::Step& step = plan_.loop[s];
    for (int i = 0; i < step.operands + step.results; ++i) {
      const plan::Part& part = step.parts[i];
      if (part.kind != plan::Part::Kind::buffer || output_of[part.index] == none) continue;
      const auto made = static_cast<std::size_t>(writer[part.index]);
      // An operand of the step that makes the output may be an older value in the same buffer.
      if (s < made || (s == made && i < step.operands)) continue;
      output_uses_.push_back(
          {loop_[s].first_part + static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(output_of[part.index])});
    }
  }
}

void Program::add_instruction(const plan::Step& step, bool scalar_step) {
  const int dtype = dtype_index(plan_.dtype);
  Instruction instruction{nullptr, static_cast<std::uint32_t>(parts_.size()),
                          static_cast<std::uint32_t>(step.operands + step.results)};
  // Which operand each part belongs to, and whether the kernel reads it as a scalar.
  std::array<bool, plan::max_parts> as_scalar{};
  if (step.fusion == FusionId::single_op) {
    const auto& row = table_->single[dtype][static_cast<std::size_t>(step.op)][step.form];
    unsigned scalars = 0;
    const int arity = info_of(step.op).arity;
    for (int operand = 0, at = 0; operand < arity; ++operand) {
      const int parts = (step.form >> operand & 1) + 1;
      bool scalar = true;
      for (int i = at; i < at + parts; ++i) scalar = scalar && step.parts[i].kind == plan::Part::Kind::scalar;
      if (scalar) scalars |= 1u << operand;
      at += parts;
    }
    if (scalar_step || row[scalars] == nullptr) scalars = 0;
    instruction.kernel = row[scalars];
    for (int operand = 0, at = 0; operand < arity; ++operand) {
      const int parts = (step.form >> operand & 1) + 1;
      for (int i = at; i < at + parts; ++i) as_scalar[static_cast<std::size_t>(i)] = (scalars >> operand & 1u) != 0;
      at += parts;
    }
  } else {
    instruction.kernel = table_->fused[dtype][static_cast<std::size_t>(step.fusion)];
    const auto leaves = plan::leaf_scalars(step.fusion);
    for (int i = 0; i < step.operands; ++i)
      as_scalar[static_cast<std::size_t>(i)] = leaves[static_cast<std::size_t>(i)];
  }
  if (instruction.kernel == nullptr)
    throw Error(ErrorCode::internal, std::string("no kernel for ") + info_of(step.op).name);
  for (int i = 0; i < step.operands + step.results; ++i) {
    const plan::Part& part = step.parts[i];
    Place place{Place::Kind::scalar, part.index};
    if (part.kind == plan::Part::Kind::column) place.kind = Place::Kind::column;
    if (part.kind == plan::Part::Kind::buffer) place.kind = Place::Kind::buffer;
    if (part.kind == plan::Part::Kind::scalar && !scalar_step && !as_scalar[static_cast<std::size_t>(i)]) {
      // A scalar in a vector's place: a buffer filled once a range.
      std::uint32_t& at = broadcast_of_[part.index];
      if (at == 0) {
        broadcasts_.push_back(part.index);
        at = static_cast<std::uint32_t>(broadcasts_.size());
      }
      place = {Place::Kind::broadcast, at - 1};
    }
    parts_.push_back(place);
  }
  (scalar_step ? prologue_ : loop_).push_back(instruction);
}

Program::Layout Program::lay_out(std::int64_t tile, const CompiledKernel* compiled) const {
  const auto list = [](std::size_t count) { return aligned(static_cast<std::int64_t>(count * sizeof(void*))); };
  Layout l{};
  // NOTE: one line more than the elements, so that the buffers of a power-of-two tile do not share a cache set.
  l.row = aligned(tile * static_cast<std::int64_t>(size_of(plan_.dtype))) + alignment;
  l.pointers = 0;
  l.column_at = list(parts_.size());
  l.column_masks = l.column_at + list(plan_.columns.size());
  l.column_steps = l.column_masks + list(plan_.columns.size());
  l.output_at = l.column_steps + list(plan_.columns.size());
  l.broadcasts = l.output_at + list(2 * plan_.outputs.size());
  l.columns = l.broadcasts + l.row * static_cast<std::int64_t>(broadcasts_.size());
  l.buffers = l.columns + l.row * static_cast<std::int64_t>(plan_.columns.size());
  l.outputs = l.buffers;
  l.arena = l.outputs + l.row * static_cast<std::int64_t>(2 * plan_.outputs.size());
  l.end = l.buffers + l.row * static_cast<std::int64_t>(plan_.buffers + 2);
  if (compiled != nullptr) l.end = std::max(l.end, l.arena + l.row * compiled->arena_rows());
  return l;
}

Program::Layout Program::layout_of(std::int64_t tile, const CompiledKernel* compiled) const {
  if (tile != smallest_tile) return lay_out(tile, compiled);
  return compiled != nullptr ? smallest_compiled_ : smallest_;
}

void Program::use(const CompiledKernel* kernel) {
  smallest_compiled_ = lay_out(smallest_tile, kernel);
  compiled_.store(kernel, std::memory_order_release);
}

std::int64_t Program::scratch_bytes(std::int64_t events, bool whole_range) const {
  const std::int64_t padded = (events + smallest_tile - 1) / smallest_tile * smallest_tile;
  return layout_of(whole_range ? std::max(padded, smallest_tile) : tile_, compiled_.load(std::memory_order_acquire))
      .end;
}

template <class T> void Program::run_prologue_as(const FritCall* call) const {
  std::byte* const block = static_cast<std::byte*>(call->prologue);
  const auto at = [&](std::uint32_t scalar) { return block + static_cast<std::int64_t>(scalar) * scalar_bytes; };
  for (const plan::ScalarConstant& constant : plan_.constants)
    splat<T>(constant.value, constant.boolean, at(constant.scalar));
  for (std::size_t i = 0; i < plan_.parameters.size(); ++i) {
    const plan::ScalarArgument& parameter = plan_.parameters[i];
    splat<T>(call->scalars[2 * parameter_operand_[i] + (parameter.imaginary ? 1 : 0)], false, at(parameter.scalar));
  }
  void* pointers[plan::max_parts];
  constexpr std::int64_t lanes = scalar_bytes / static_cast<std::int64_t>(sizeof(T));
  for (const Instruction& instruction : prologue_) {
    for (std::uint32_t i = 0; i < instruction.part_count; ++i)
      pointers[i] = at(parts_[instruction.first_part + i].index);
    instruction.kernel(pointers, lanes);
  }
}

// A range of events on one thread.
template <class T> class Program::Range {
 public:
  Range(const Program& program, const FritCall& call, std::int64_t tile)
      : program_(program), call_(call), tile_(tile), compiled_(program.compiled_.load(std::memory_order_acquire)),
        layout_(program.layout_of(tile, compiled_)), scratch_(static_cast<std::byte*>(call.scratch)),
        pointers_(reinterpret_cast<void**>(scratch_)),
        column_at_(reinterpret_cast<const std::byte**>(scratch_ + layout_.column_at)),
        column_masks_(reinterpret_cast<std::int64_t*>(scratch_ + layout_.column_masks)),
        column_steps_(reinterpret_cast<std::int64_t*>(scratch_ + layout_.column_steps)),
        output_at_(reinterpret_cast<void**>(scratch_ + layout_.output_at)), room_(has_room(call)),
        by_blocks_(call.size >= sizeof(FritCall) && call.by_blocks != 0) {
    if (compiled_ != nullptr && call.scratch_bytes < layout_.end) {
      // The code became ready after the caller made its scratch: this range still runs the steps.
      compiled_ = nullptr;
      layout_ = program.layout_of(tile, nullptr);
    }
  }

  std::int32_t run();
  // Whether this is one tile of whole vectors, compiled, whose columns and outputs are where they belong.
  bool is_simple() const;
  // Such a tile, or several, which Ranges::run_rows() describes. False where an event needs a rare path, or the call is cancelled.
  bool run_simple(std::int64_t rows = 1, const std::int64_t* operand_steps = nullptr,
                  const std::int64_t* result_steps = nullptr);
  // Scalars that steps read as vectors are spread once more.
  void renew() { resolved_ = false; }

 private:
  static constexpr std::int64_t lanes = scalar_bytes / static_cast<std::int64_t>(sizeof(T));
  static bool has_room(const FritCall& call) {
    const auto enough = [](const auto& array) { return array.room >= scalar_bytes; };
    return std::all_of(call.operands, call.operands + call.operand_count, enough) &&
           std::all_of(call.results, call.results + call.result_count, enough);
  }
  // Whether a tile takes columns and outputs where they are.
  bool in_place(std::int64_t n, std::int64_t padded) const { return n == padded || room_; }
  bool by_blocks(std::size_t output) const { return by_blocks_ && program_.plan_.outputs[output].summed; }
  // Where the event that begins a tile has its element in a result, and how many elements n events of a tile have there.
  std::int64_t place(std::size_t output, std::int64_t begin) const {
    return by_blocks(output) ? size_by_blocks(begin) : begin;
  }
  std::int64_t stored(std::size_t output, std::int64_t n) const { return by_blocks(output) ? size_by_blocks(n) : n; }
  std::byte* result_at(std::size_t output, std::int64_t begin) const {
    return static_cast<std::byte*>(call_.results[output].data) +
           place(output, begin) * static_cast<std::int64_t>(sizeof(T));
  }
  // What was written behind the last event: zeros, which are no rare arguments of what reads it next.
  // `offset`: bytes to the row.
  void clear_behind(std::size_t output, std::int64_t end, std::int64_t elements, std::int64_t offset = 0) const {
    if (by_blocks(output)) return;
    std::memset(
        static_cast<std::byte*>(call_.results[output].data) + offset + end * static_cast<std::int64_t>(sizeof(T)), 0,
        static_cast<std::size_t>(elements) * sizeof(T));
  }
  // Whether code can compute the last vector once more where a part of one is left over: not over the end of a block.
  bool ends_within(std::int64_t n) const {
    const std::int64_t behind = by_blocks_ && n > reduce_block ? n % reduce_block : n;
    return behind == 0 || behind >= lanes;
  }
  std::byte* row(std::int64_t base, std::int64_t index) const { return scratch_ + base + layout_.row * index; }
  std::byte* scalar(std::uint32_t index) const {
    return static_cast<std::byte*>(call_.prologue) + static_cast<std::int64_t>(index) * scalar_bytes;
  }
  void spread(std::uint32_t scalar_index, std::int64_t elements, std::byte* to) const {
    for (std::int64_t at = 0; at < elements * static_cast<std::int64_t>(sizeof(T)); at += scalar_bytes)
      std::memcpy(to + at, scalar(scalar_index), scalar_bytes);
  }
  bool cancelled() const { return call_.cancel != nullptr && __atomic_load_n(call_.cancel, __ATOMIC_RELAXED) != 0; }
  void resolve();
  // Whether compiled code reads one vector of this column over and over.
  bool is_one_vector(std::uint32_t column) const {
    return program_.repeats_[column] && call_.operands[program_.column_operand_[column]].stride == 0;
  }
  void place_columns(std::int64_t begin, std::int64_t n, std::int64_t padded, bool for_steps);
  bool run_functions(std::int64_t n, std::int64_t padded, std::int64_t rows = 1,
                     const std::int64_t* output_steps = nullptr) const;
  void sum_blocks(std::size_t output, std::int64_t begin, std::int64_t n) const;
  bool run_compiled(std::int64_t begin, std::int64_t n, std::int64_t padded);
  void run_steps(std::int64_t begin, std::int64_t n, std::int64_t padded);
  void run_one(const Instruction& instruction, std::int64_t padded, bool direct);
  // A NaN leaves frit in its canonical form, so that files and hashes do not depend on the path of a NaN.
  void make_canonical(void* data, std::int64_t n) const {
    program_.table_->canonical_nan[dtype_index(program_.plan_.dtype)](data, n);
  }
  void write(std::size_t output, const T* re, const T* im, std::int64_t begin, std::int64_t n) const {
    unpack(re, im, call_.results[output], begin, n);
    const DType dtype = program_.plan_.outputs[output].dtype;
    if (dtype == DType::boolean) return;
    const std::int64_t parts = is_complex(dtype) ? 2 : 1;
    make_canonical(
        static_cast<std::byte*>(call_.results[output].data) + begin * parts * static_cast<std::int64_t>(sizeof(T)),
        n * parts);
  }

  const Program& program_;
  const FritCall& call_;
  std::int64_t tile_;
  const CompiledKernel* compiled_;
  Layout layout_;
  std::byte* scratch_;
  void** pointers_;
  const std::byte** column_at_;
  std::int64_t* column_masks_;
  std::int64_t* column_steps_;
  void** output_at_;
  // Arrays may be read and written up to the end of a vector behind their last event.
  bool room_;
  bool by_blocks_;
  bool resolved_ = false;
};

// Pointers that are the same for every tile. Compiled code needs none of them.
template <class T> void Program::Range<T>::resolve() {
  resolved_ = true;
  for (std::uint32_t i = 0; i < program_.parts_.size(); ++i) {
    const Place& place = program_.parts_[i];
    switch (place.kind) {
      case Place::Kind::scalar: pointers_[i] = scalar(place.index); break;
      case Place::Kind::buffer: pointers_[i] = row(layout_.buffers, place.index); break;
      case Place::Kind::broadcast: pointers_[i] = row(layout_.broadcasts, place.index); break;
      case Place::Kind::column: break;  // known for each tile
    }
  }
  const std::int64_t first = std::min(tile_, (call_.end - call_.begin + lanes - 1) / lanes * lanes);
  for (std::uint32_t i = 0; i < program_.broadcasts_.size(); ++i)
    spread(program_.broadcasts_[i], first, row(layout_.broadcasts, i));
}

template <class T>
void Program::Range<T>::place_columns(std::int64_t begin, std::int64_t n, std::int64_t padded, bool for_steps) {
  for (std::uint32_t i = 0; i < program_.plan_.columns.size(); ++i) {
    const FritOperand& operand = call_.operands[program_.column_operand_[i]];
    const bool imaginary = program_.plan_.columns[i].imaginary;
    // Kernels read whole vectors of a column where it is; the imaginary part of a real column is nowhere.
    const bool is_run = static_cast<DType>(operand.dtype) == program_.plan_.dtype && !imaginary &&
                        operand.stride == static_cast<std::int64_t>(sizeof(T));
    if (is_run && in_place(n, padded)) {
      column_masks_[i] = -1;
      column_at_[i] = static_cast<const std::byte*>(operand.data) + begin * static_cast<std::int64_t>(sizeof(T));
    } else {
      std::byte* const to = row(layout_.columns, i);
      const bool one_vector = !for_steps && is_one_vector(i);
      column_masks_[i] = one_vector ? 0 : -1;
      pack(operand, imaginary, begin, one_vector ? 1 : n, one_vector ? lanes : padded, reinterpret_cast<T*>(to));
      column_at_[i] = to;
    }
  }
}

// False where an event needs a rare path.
template <class T>
bool Program::Range<T>::run_functions(std::int64_t n, std::int64_t padded, std::int64_t rows,
                                      const std::int64_t* output_steps) const {
  const TileCall tile{reinterpret_cast<const void* const*>(column_at_),
                      output_at_,
                      call_.prologue,
                      scratch_ + layout_.arena,
                      layout_.row,
                      padded,
                      column_masks_,
                      by_blocks_ ? n / reduce_block * reduce_block : 0,
                      rows,
                      column_steps_,
                      output_steps};
  std::int32_t rare = 0;
  for (const CompiledTile function : compiled_->functions()) rare |= function(&tile);
  return rare == 0;
}

// False where an event of the tile needs a rare path: then nothing of it counts.
template <class T> bool Program::Range<T>::run_compiled(std::int64_t begin, std::int64_t n, std::int64_t padded) {
  std::int64_t parts = 0;
  for (std::size_t i = 0; i < program_.plan_.outputs.size(); ++i) {
    const plan::Output& output = program_.plan_.outputs[i];
    // Real outputs are written where they belong.
    if (output.dtype == program_.plan_.dtype && in_place(n, padded)) {
      output_at_[parts++] = result_at(i, begin);
    } else {
      for (int k = 0; k < (is_complex(output.dtype) ? 2 : 1); ++k, ++parts)
        output_at_[parts] = row(layout_.outputs, parts);
    }
  }
  if (!run_functions(n, padded)) return false;
  parts = 0;
  for (std::size_t i = 0; i < program_.plan_.outputs.size(); ++i) {
    const plan::Output& output = program_.plan_.outputs[i];
    const bool complex = is_complex(output.dtype);
    if (output.dtype != program_.plan_.dtype || !in_place(n, padded)) {
      write(i, static_cast<const T*>(output_at_[parts]),
            complex ? static_cast<const T*>(output_at_[parts + 1]) : nullptr, place(i, begin), stored(i, n));
    } else if (padded != n) {
      clear_behind(i, begin + n, padded - n);
    }
    parts += complex ? 2 : 1;
  }
  return true;
}

template <class T> bool Program::Range<T>::is_simple() const {
  const std::int64_t n = call_.end - call_.begin;
  if (compiled_ == nullptr || n <= 0 || (n % lanes != 0 && !room_ && !ends_within(n))) return false;
  // A tile bounds what passes from one function to the next.
  if (n > tile_ && (compiled_->functions().size() > 1 || compiled_->arena_rows() > 0)) return false;
  for (std::uint32_t i = 0; i < program_.plan_.columns.size(); ++i) {
    const FritOperand& operand = call_.operands[program_.column_operand_[i]];
    if (static_cast<DType>(operand.dtype) != program_.plan_.dtype || program_.plan_.columns[i].imaginary) return false;
    if (operand.stride != static_cast<std::int64_t>(sizeof(T)) && !is_one_vector(i)) return false;
  }
  return std::all_of(program_.plan_.outputs.begin(), program_.plan_.outputs.end(),
                     [&](const plan::Output& output) { return output.dtype == program_.plan_.dtype; });
}

template <class T>
bool Program::Range<T>::run_simple(std::int64_t rows, const std::int64_t* operand_steps,
                                   const std::int64_t* result_steps) {
  if (cancelled()) return false;
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  // A number for all events is read where it is, unless a column that may repeat does not.
  std::uint32_t repeat = 0, numbers = 0;
  for (std::uint32_t i = 0; i < program_.plan_.columns.size(); ++i) {
    repeat += program_.repeats_[i] ? 1 : 0;
    numbers += is_one_vector(i) ? 1 : 0;
  }
  const bool in_place = numbers == repeat || numbers == 0;
  if (rows > 1 && (!in_place || compiled_->functions().size() > 1)) return false;
  for (std::uint32_t i = 0; i < program_.plan_.columns.size(); ++i) {
    const auto* const data = static_cast<const std::byte*>(call_.operands[program_.column_operand_[i]].data);
    const bool one_vector = is_one_vector(i);
    column_masks_[i] = one_vector ? 0 : -1;
    if (rows > 1) column_steps_[i] = operand_steps[program_.column_operand_[i]];
    if (one_vector && !in_place) {
      T value;
      std::memcpy(&value, data, sizeof value);
      column_at_[i] = row(layout_.columns, i);
      std::fill_n(reinterpret_cast<T*>(row(layout_.columns, i)), lanes, value);
    } else {
      column_at_[i] = one_vector ? data : data + call_.begin * size;
    }
  }
  for (std::size_t i = 0; i < program_.plan_.outputs.size(); ++i) output_at_[i] = result_at(i, call_.begin);
  const std::int64_t n = call_.end - call_.begin;
  const std::int64_t padded = room_ ? (n + lanes - 1) / lanes * lanes : n;
  if (!run_functions(n, padded, rows, result_steps)) return false;
  for (std::size_t i = 0; padded != n && i < program_.plan_.outputs.size(); ++i)
    for (std::int64_t row = 0; row < rows; ++row)
      clear_behind(i, call_.end, padded - n, rows > 1 ? row * result_steps[i] : 0);
  return true;
}

template <class T> void Program::Range<T>::run_one(const Instruction& instruction, std::int64_t padded, bool direct) {
  void** const pointers = pointers_ + instruction.first_part;
  if (instruction.output < 0 || !direct) return instruction.kernel(pointers, padded);
  // An output, in pieces that are still in the nearest cache when their NaNs are looked for.
  constexpr std::int64_t piece = 2048;
  void* shifted[plan::max_parts];
  for (std::int64_t begin = 0; begin < padded; begin += piece) {
    for (std::uint32_t i = 0; i < instruction.part_count; ++i) {
      const bool scalar = program_.parts_[instruction.first_part + i].kind == Place::Kind::scalar;
      shifted[i] = scalar ? pointers[i] : static_cast<T*>(pointers[i]) + begin;
    }
    const std::int64_t n = std::min(piece, padded - begin);
    instruction.kernel(shifted, n);
    make_canonical(shifted[instruction.part_count - 1], n);
  }
}

template <class T> void Program::Range<T>::run_steps(std::int64_t begin, std::int64_t n, std::int64_t padded) {
  if (!resolved_) resolve();
  // Kernels never write an operand, so a borrowed column may lose its const here.
  for (const ColumnUse& use : program_.column_uses_)
    pointers_[use.part] = const_cast<std::byte*>(column_at_[use.column]);
  const bool direct = in_place(n, padded);
  for (const OutputUse& use : program_.output_uses_) {
    pointers_[use.part] = direct ? result_at(use.output, begin) : row(layout_.buffers, program_.parts_[use.part].index);
  }
  for (const Instruction& instruction : program_.loop_) {
    // A tile as long as the range (eager) can take seconds: it looks at the cancel word before each step.
    if (padded > largest_tile && cancelled()) return;
    run_one(instruction, padded, direct);
  }
  for (std::size_t i = 0; i < program_.plan_.outputs.size(); ++i) {
    const plan::Output& output = program_.plan_.outputs[i];
    if (direct && program_.is_direct(i)) {
      if (padded != n) clear_behind(i, begin + n, padded - n);
      sum_blocks(i, begin, n);
      continue;
    }
    const T* parts[2] = {};
    for (int k = 0; k < (is_complex(output.dtype) ? 2 : 1); ++k) {
      const plan::Part& part = output.parts[k];
      if (part.kind == plan::Part::Kind::buffer) {
        parts[k] = reinterpret_cast<const T*>(row(layout_.buffers, part.index));
      } else if (part.kind == plan::Part::Kind::column) {
        parts[k] = reinterpret_cast<const T*>(column_at_[part.index]);
      } else {
        // One of two rows behind the buffers, for outputs that are scalars.
        std::byte* const to = row(layout_.buffers, std::int64_t{program_.plan_.buffers} + k);
        spread(part.index, padded, to);
        parts[k] = reinterpret_cast<const T*>(to);
      }
    }
    write(i, parts[0], parts[1], place(i, begin), n);
    sum_blocks(i, begin, n);
  }
}

// Elements as steps have written them, in the form by blocks where that is wanted.
template <class T> void Program::Range<T>::sum_blocks(std::size_t output, std::int64_t begin, std::int64_t n) const {
  if (!by_blocks(output) || n < reduce_block) return;
  auto* const data = reinterpret_cast<T*>(result_at(output, begin));
  program_.sum().sum_blocks(data, n / reduce_block);
  std::memmove(data + n / reduce_block * reduce_lanes, data + n / reduce_block * reduce_block,
               static_cast<std::size_t>(n % reduce_block) * sizeof(T));
}

template <class T> std::int32_t Program::Range<T>::run() {
  if (call_.scratch_bytes < layout_.end) return FRIT_BAD_CALL;
  std::int64_t n = 0;
  for (std::int64_t begin = call_.begin; begin < call_.end; begin += n) {
    if (cancelled()) return FRIT_CANCELLED;
    // Whole vectors first, which need no copies. What is left over is the end of a vector that is computed twice.
    n = std::min(tile_, call_.end - begin);
    if (n > few_vectors * lanes && !room_) n -= n % lanes;
    if (n < lanes && !room_ && call_.end - call_.begin >= lanes && !by_blocks_) {
      n = lanes;
      begin = call_.end - lanes;
    }
    const std::int64_t padded = (n + lanes - 1) / lanes * lanes;
    if (compiled_ != nullptr) {
      place_columns(begin, n, padded, false);
      if (run_compiled(begin, n, padded)) continue;
    }
    place_columns(begin, n, padded, true);
    run_steps(begin, n, padded);
  }
  if (tile_ > largest_tile && cancelled()) return FRIT_CANCELLED;  // perhaps within the last tile
  return FRIT_OK;
}

std::int32_t Program::run_prologue(const FritCall* call) noexcept {
  if (call->size < needed_bytes || call->abi_version != FRIT_ABI_VERSION) return FRIT_BAD_CALL;
  const FpState state;
  const Program& program = *static_cast<const Program*>(call->program);
  if (program.plan_.dtype == DType::f64) {
    program.run_prologue_as<double>(call);
  } else {
    program.run_prologue_as<float>(call);
  }
  return FRIT_OK;
}

std::int64_t Program::tile_of(const FritCall* call, bool whole_range) {
  const std::int64_t events = call->end - call->begin;
  return whole_range ? std::max((events + smallest_tile - 1) / smallest_tile * smallest_tile, smallest_tile)
                     : static_cast<const Program*>(call->program)->tile_;
}

std::int32_t Program::run_tiles(const FritCall* call, bool whole_range) noexcept {
  if (call->size < needed_bytes || call->abi_version != FRIT_ABI_VERSION) return FRIT_BAD_CALL;
  const FpState state;
  const Program& program = *static_cast<const Program*>(call->program);
  const std::int64_t tile = tile_of(call, whole_range);
  return program.plan_.dtype == DType::f64 ? Range<double>(program, *call, tile).run()
                                           : Range<float>(program, *call, tile).run();
}

std::int32_t Program::run_loop(const FritCall* call) noexcept { return run_tiles(call, false); }

std::int32_t Program::run_whole_range(const FritCall* call) noexcept { return run_tiles(call, true); }

struct Program::Ranges::Either {
  std::variant<Range<double>, Range<float>> range;
  auto visit(auto fn) {
    if (auto* const f64 = std::get_if<Range<double>>(&range)) return fn(*f64);
    return fn(*std::get_if<Range<float>>(&range));
  }
};

Program::Ranges::Ranges(const FritCall& call, bool whole_range) {
  const Program& program = *static_cast<const Program*>(call.program);
  const std::int64_t tile = tile_of(&call, whole_range);
  if (program.plan_.dtype == DType::f64) {
    range_ = std::make_unique<Either>(Either{Range<double>(program, call, tile)});
  } else {
    range_ = std::make_unique<Either>(Either{Range<float>(program, call, tile)});
  }
  simple_ = range_->visit([](const auto& range) { return range.is_simple(); });
}
Program::Ranges::~Ranges() = default;

void Program::Ranges::renew() noexcept {
  range_->visit([](auto& range) { range.renew(); });
}

std::int32_t Program::Ranges::run() noexcept {
  return range_->visit([&](auto& range) { return simple_ && range.run_simple() ? FRIT_OK : range.run(); });
}

bool Program::Ranges::run_rows(std::int64_t rows, const std::int64_t* operand_steps,
                               const std::int64_t* result_steps) noexcept {
  return simple_ && range_->visit([&](auto& range) { return range.run_simple(rows, operand_steps, result_steps); });
}

}  // namespace frit::exec
