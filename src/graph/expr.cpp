#include "graph/expr.hpp"

#include <algorithm>
#include <cstring>

#include "frit/error.hpp"
#include "ops/table.hpp"

namespace frit {
namespace {

constexpr std::size_t most_nodes = std::size_t{3} << 29;  // three quarters of a table of 2^31 slots
constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;        // 2^64 / golden ratio

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * odd;
  return h ^ (h >> 32);
}

std::uint64_t hash_text(std::string_view text) {
  std::uint64_t h = text.size();
  while (text.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    h = mix(h, word);
    text.remove_prefix(8);
  }
  std::uint64_t word = 0;
  if (!text.empty()) std::memcpy(&word, text.data(), text.size());
  return mix(h, word);
}

std::uint64_t hash_operator(const ExprNode& node, std::span<const ExprId> operands) {
  std::uint64_t h =
      mix(static_cast<std::uint64_t>(node.kind) << 48 | static_cast<std::uint64_t>(node.op) << 32, node.payload);
  for (const ExprId operand : operands) h = mix(h, operand);
  return h;
}

// The key of a symbol is no part of its hash: symbols of one name then lie in one probe sequence, the first added
// first.
std::uint64_t hash_symbol(std::string_view name) { return mix(hash_text(name), static_cast<int>(ExprKind::symbol)); }

[[noreturn]] void throw_too_large() {
  throw Error(ErrorCode::out_of_memory, "the expression has too many distinct nodes (3 * 2^29) or operands (2^32)");
}

}  // namespace

// An open-addressing table. A slot of a table of 2^k slots holds a node id in its low k bits and the top of the node's
// hash in the others: 5 to 11 bytes a node, and most slots of other nodes are told apart without looking at the nodes.
struct Expr::Interning {
  std::vector<std::uint32_t> slots = std::vector<std::uint32_t>(256, no_expr);
  std::vector<std::unique_ptr<char[]>> blocks;
  char* next = nullptr;
  std::size_t left = 0;
  std::size_t block_bytes = 0;

  std::uint32_t tagged(std::uint64_t hash, ExprId id) const {
    const auto id_bits = static_cast<std::uint32_t>(slots.size() - 1);
    return (static_cast<std::uint32_t>(hash >> 32) & ~id_bits) | id;
  }

  // The slot of the node that is equal, or the empty one where it belongs.
  template <class Equal> std::size_t probe(std::uint64_t hash, Equal equal) const {
    const auto id_bits = static_cast<std::uint32_t>(slots.size() - 1);
    const std::uint32_t tag = tagged(hash, 0);
    std::size_t slot = static_cast<std::size_t>(hash) & id_bits;
    while (true) {
      const std::uint32_t held = slots[slot];
      if (held == no_expr) return slot;
      if ((held & ~id_bits) == tag && equal(held & id_bits)) return slot;
      slot = (slot + 1) & id_bits;
    }
  }

  ExprId id_in(std::size_t slot) const {
    const std::uint32_t held = slots[slot];
    return held == no_expr ? no_expr : held & static_cast<std::uint32_t>(slots.size() - 1);
  }

  char* allocate_text(std::size_t size) {
    if (size > left) {
      left = std::max<std::size_t>(size, std::clamp<std::size_t>(block_bytes, 1024, 1 << 20));
      blocks.push_back(std::make_unique_for_overwrite<char[]>(left));
      next = blocks.back().get();
      block_bytes += left;
    }
    char* const text = next;
    next += size;
    left -= size;
    return text;
  }
};

Expr::Expr() : interning_(std::make_unique<Interning>()) {}
Expr::Expr(Expr&&) noexcept = default;
Expr& Expr::operator=(Expr&&) noexcept = default;
Expr::~Expr() = default;

std::span<const ExprId> Expr::operands(ExprId id) const {
  const ExprNode& n = nodes_[id];
  return std::span(operands_).subspan(n.first, n.count);
}

std::size_t Expr::output_count() const {
  if (root_ == no_expr) return 0;
  return nodes_[root_].kind == ExprKind::tuple ? nodes_[root_].count : 1;
}

bool Expr::is_boolean(ExprId id) const {
  const ExprNode& n = nodes_[id];
  if (n.kind != ExprKind::call) return n.kind == ExprKind::boolean;
  const TypeRule rule = info_of(n.op).type;
  return rule == TypeRule::compare || rule == TypeRule::logical;
}

std::size_t Expr::bytes() const {
  std::size_t total = sizeof *this + sizeof(Interning) + nodes_.capacity() * sizeof(ExprNode) +
                      operands_.capacity() * sizeof(ExprId) + numbers_.capacity() * sizeof(ExactNumber) +
                      symbols_.capacity() * sizeof(Symbol) + interning_->slots.capacity() * sizeof(ExprId) +
                      interning_->block_bytes;
  for (const ExactNumber& number : numbers_) total += number.heap_bytes();
  return total;
}

std::uint64_t Expr::hash_of(ExprId id) const {
  const ExprNode& n = nodes_[id];
  switch (n.kind) {
    case ExprKind::number: return numbers_[n.payload].hash();
    case ExprKind::symbol: return hash_symbol(symbols_[n.payload].name());
    default: return hash_operator(n, operands(id));
  }
}

ExprId Expr::append(std::size_t slot, std::uint64_t hash, const ExprNode& node) {
  if (nodes_.size() >= most_nodes) throw_too_large();
  const auto id = static_cast<ExprId>(nodes_.size());
  nodes_.push_back(node);
  std::vector<std::uint32_t>& slots = interning_->slots;
  slots[slot] = interning_->tagged(hash, id);
  if (nodes_.size() * 4 > slots.size() * 3) {
    const std::size_t size = slots.size() * 2;
    std::vector<std::uint32_t>().swap(slots);  // before the larger one is allocated
    slots.assign(size, no_expr);
    // In groups, so that the slots of a group, each a cache miss in a large table, are fetched together.
    constexpr ExprId group = 16;
    std::uint64_t hashes[group];
    for (ExprId first = 0; first <= id; first += group) {
      const ExprId count = std::min(group, id - first + 1);
      for (ExprId i = 0; i < count; ++i) {
        hashes[i] = hash_of(first + i);
        __builtin_prefetch(&slots[static_cast<std::size_t>(hashes[i]) & (size - 1)], 1);
      }
      for (ExprId i = 0; i < count; ++i) {
        slots[interning_->probe(hashes[i], [](ExprId) { return false; })] = interning_->tagged(hashes[i], first + i);
      }
    }
  }
  return id;
}

ExprId Expr::intern(ExprNode node, std::span<const ExprId> operands) {
  const std::uint64_t hash = hash_operator(node, operands);
  const std::size_t slot = interning_->probe(hash, [&](ExprId id) {
    const ExprNode& n = nodes_[id];
    if (n.kind != node.kind || n.op != node.op || n.payload != node.payload || n.count != operands.size()) return false;
    const ExprId* const own = operands_.data() + n.first;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (own[i] != operands[i]) return false;
    }
    return true;
  });
  if (const ExprId known = interning_->id_in(slot); known != no_expr) return known;
  const std::size_t first = operands_.size();
  if (first + operands.size() > no_expr) throw_too_large();
  node.first = static_cast<std::uint32_t>(first);
  node.count = static_cast<std::uint32_t>(operands.size());
  // The operands may be a view of operands_ itself, which growing moves.
  const bool own =
      !operands.empty() && operands.data() >= operands_.data() && operands.data() < operands_.data() + first;
  const std::size_t offset = own ? static_cast<std::size_t>(operands.data() - operands_.data()) : 0;
  if (own) {
    for (std::size_t i = 0; i < node.count; ++i) operands_.push_back(operands_[offset + i]);
  } else {
    operands_.insert(operands_.end(), operands.begin(), operands.end());
  }
  return append(slot, hash, node);
}

ExprId Expr::add_number(const ExactNumber& value) {
  const std::uint64_t hash = value.hash();
  const std::size_t slot = interning_->probe(
      hash, [&](ExprId id) { return nodes_[id].kind == ExprKind::number && numbers_[nodes_[id].payload] == value; });
  if (const ExprId known = interning_->id_in(slot); known != no_expr) return known;
  numbers_.push_back(value);
  return append(slot, hash, {.kind = ExprKind::number, .payload = static_cast<std::uint32_t>(numbers_.size() - 1)});
}

ExprId Expr::add_symbol(std::string_view name, std::string_view key) {
  const std::uint64_t hash = hash_symbol(name);
  const std::size_t slot = interning_->probe(hash, [&](ExprId id) {
    const ExprNode& n = nodes_[id];
    return n.kind == ExprKind::symbol && symbols_[n.payload].name() == name && symbols_[n.payload].key() == key;
  });
  if (const ExprId known = interning_->id_in(slot); known != no_expr) return known;
  if (std::max(name.size(), key.size()) >= no_expr) throw_too_large();
  char* const text = interning_->allocate_text(name.size() + key.size());
  std::copy(name.begin(), name.end(), text);
  std::copy(key.begin(), key.end(), text + name.size());
  symbols_.push_back({text, static_cast<std::uint32_t>(name.size()), static_cast<std::uint32_t>(key.size())});
  return append(slot, hash, {.kind = ExprKind::symbol, .payload = static_cast<std::uint32_t>(symbols_.size() - 1)});
}

ExprId Expr::find_symbol(std::string_view name) const {
  return interning_->id_in(interning_->probe(hash_symbol(name), [&](ExprId id) {
    return nodes_[id].kind == ExprKind::symbol && symbols_[nodes_[id].payload].name() == name;
  }));
}

ExprId Expr::add_constant(NamedConstant value) {
  return intern({.kind = ExprKind::constant, .payload = static_cast<std::uint32_t>(value)}, {});
}

ExprId Expr::add_boolean(bool value) { return intern({.kind = ExprKind::boolean, .payload = value ? 1u : 0u}, {}); }

ExprId Expr::add(ExprKind kind, std::span<const ExprId> operands) { return intern({.kind = kind}, operands); }

ExprId Expr::add_call(OpId op, std::span<const ExprId> operands) {
  return intern({.kind = ExprKind::call, .op = op}, operands);
}

}  // namespace frit
