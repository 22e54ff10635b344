// A trace that is being made: arrays whose operations are recorded.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "arrays/program.hpp"
#include "arrays/value.hpp"

namespace frit::arrays {

class Trace;

// What the calling thread records now: a function may be traced while another one is, since its callable may call it.
// NOTE: thread_local, since arrays do not say who looks at them: nothing but open traces is kept, and only while they are open.
class Recording {
 public:
  // `function`: who is traced, to find out that it calls itself. Without a trace nothing is recorded.
  Recording(const void* function, std::shared_ptr<Trace> trace);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  static bool records(const void* function);
  static bool any();
  // The innermost region of the trace that was begun last, or nullptr.
  static std::shared_ptr<Trace> innermost();
  // That trace, which the symbolic extent must be of. Errors: traced_value.
  static std::shared_ptr<Trace> of(const Extent& extent);
};

class Trace final : public Extents, public std::enable_shared_from_this<Trace> {
 public:
  // `types`: of the arguments, with the extents of the call that causes the trace as numbers; `names[i][axis]`: the names that
  // the signature gives to extents, or ""; `is_static`: extents that become part of the function.
  struct Argument {
    Type type;
    std::array<std::string, max_rank> names;
    std::array<bool, max_rank> is_static{};
  };
  // `mode`: of the function.
  Trace(std::shared_ptr<Engine::Impl> engine, std::span<const Argument> arguments, Mode mode);

  // A region of `parent`, whose arguments have these types. While it is open, operations on arrays of the function belong to it.
  Trace(std::shared_ptr<Trace> parent, std::span<const Type> arguments);

  std::vector<Array> arguments();
  // Ends the trace. What the callable has kept of it is dead.
  Program finish(std::span<const Array> outputs);
  bool is_finished() const { return finished_; }
  // The innermost open region of the function.
  std::shared_ptr<Trace> active();
  bool knows(const Extent& extent) const { return program_.symbols->knows(extent); }
  bool is_of(const Trace& other) { return &root() == &const_cast<Trace&>(other).root(); }
  // Of a finished region: what it captured, as arrays of its parent.
  const std::vector<Array>& captures() const { return captures_; }
  const std::shared_ptr<Trace>& parent() const { return parent_; }
  const std::shared_ptr<Engine::Impl>& engine() const { return engine_; }
  Mode mode() { return root().mode_; }

  // Recording.
  Array array(const ArrayNode& node, std::span<const ValueId> operands);
  ValueId node_of(const Operand& operand);
  // The arrays that a region or an effect gives, behind its node.
  std::vector<Array> results(ValueId of, std::span<const Type> types, const SourceLine& where);
  std::vector<Array> add_effect(Effect effect, std::span<const Operand* const> operands, const SourceLine& where);
  ArrayNode& node(ValueId id) { return program_.nodes[id]; }
  ValueId add(const ArrayNode& node, std::span<const ValueId> operands = {});
  std::uint32_t add_view(View view);
  std::uint32_t add_call(StructuralCall call);
  std::uint32_t add_region(RegionCall region);

  bool equal(const Extent& a, const Extent& b) override;
  bool is_one(const Extent& a) override;
  bool at_least(const Extent& a, std::int64_t least) override;
  Extent sum(const Extent& a, const Extent& b, std::int64_t factor) override;
  Extent product(const Extent& a, const Extent& b) override;
  Extent quotient(const Extent& a, std::int64_t divisor) override;
  std::string text(const Extent& a) const override { return program_.symbols->text(a); }

 private:
  Trace& root() { return parent_ ? parent_->root() : *this; }
  bool encloses(const Trace& other) const;
  ValueId add_argument(const Type& type);
  std::int64_t value_of(const Extent& a);
  bool is_named(const Extent& a) const;
  bool decide(Condition condition, Condition::Kind otherwise);

  std::shared_ptr<Engine::Impl> engine_;
  Mode mode_ = Mode::graph;
  Program program_;
  std::vector<Type> call_;                   // the arguments of the call, with numbers as extents
  std::vector<std::int64_t> symbol_values_;  // under that call
  bool finished_ = false;
  std::shared_ptr<Trace> parent_;
  std::weak_ptr<Trace> open_;  // the region of this one that is being traced
  std::vector<Array> captures_;
  std::vector<ValueId> capture_arguments_;
};

// What `callable` does with these arguments. The trace has ended, also where it throws.
// `function`, `mode`: as Recording and Trace have them.
Program traced_program(const void* function, std::shared_ptr<Engine::Impl> engine,
                       std::span<const Trace::Argument> arguments, Mode mode,
                       const std::function<std::vector<Array>(std::span<const Array>)>& callable);

}  // namespace frit::arrays
