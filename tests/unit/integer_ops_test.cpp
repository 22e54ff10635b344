// The integer forms of all ops on every ISA that runs here, against arithmetic in 128 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "ops/list.hpp"
#include "ops/table.hpp"
#include "support/integer_cases.hpp"

namespace frit::test {
namespace {

using Result = std::optional<Wide>;  // before it wraps; nothing where the op raises

Wide floor_quotient(Wide a, Wide b) {
  const Wide q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

Result power(Wide a, Wide b) {
  if (b < 0) return std::nullopt;
  if (b == 0) return 1;
  const auto half = static_cast<std::uint64_t>(*power(a, b / 2));
  const std::uint64_t square = half * half;
  return static_cast<Wide>(b % 2 != 0 ? square * static_cast<std::uint64_t>(a) : square);
}

// Counts of 64 and more are all alike, and a shift by 64 stays inside 128 bits.
Result shifted(Wide a, Wide count, bool left) {
  if (count < 0) return std::nullopt;
  const int by = static_cast<int>(std::min<Wide>(count, 64));
  const auto factor = static_cast<Wide>(1) << by;
  if (left) return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(factor));
  return floor_quotient(a, factor);
}

Result of_division(const Wide* x, Wide (*value)(Wide, Wide)) {
  return x[1] == 0 ? std::nullopt : Result(value(x[0], x[1]));
}

const std::map<std::string, Result (*)(const Wide* x)>& oracles() {
  constexpr auto identity = [](const Wide* x) -> Result { return x[0]; };
  static const std::map<std::string, Result (*)(const Wide*)> all{
      {"add", [](const Wide* x) -> Result { return x[0] + x[1]; }},
      {"subtract", [](const Wide* x) -> Result { return x[0] - x[1]; }},
      {"multiply",
       [](const Wide* x) -> Result {
         return static_cast<Wide>(static_cast<unsigned __int128>(x[0]) * static_cast<unsigned __int128>(x[1]));
       }},
      {"negate", [](const Wide* x) -> Result { return -x[0]; }},
      {"abs", [](const Wide* x) -> Result { return x[0] < 0 ? -x[0] : x[0]; }},
      {"sign", [](const Wide* x) -> Result { return (x[0] > 0) - (x[0] < 0); }},
      {"minimum", [](const Wide* x) -> Result { return std::min(x[0], x[1]); }},
      {"maximum", [](const Wide* x) -> Result { return std::max(x[0], x[1]); }},
      {"square",
       [](const Wide* x) -> Result {
         return static_cast<Wide>(static_cast<unsigned __int128>(x[0]) * static_cast<unsigned __int128>(x[0]));
       }},
      {"pow", [](const Wide* x) -> Result { return power(x[0], x[1]); }},
      {"floor", identity},
      {"ceil", identity},
      {"trunc", identity},
      {"rint", identity},
      {"round_half_away", identity},
      {"fmod", [](const Wide* x) { return of_division(x, [](Wide a, Wide b) -> Wide { return a % b; }); }},
      {"remainder",
       [](const Wide* x) { return of_division(x, [](Wide a, Wide b) -> Wide { return ((a % b) + b) % b; }); }},
      {"floor_divide", [](const Wide* x) { return of_division(x, floor_quotient); }},
      {"less", [](const Wide* x) -> Result { return x[0] < x[1]; }},
      {"less_equal", [](const Wide* x) -> Result { return x[0] <= x[1]; }},
      {"greater", [](const Wide* x) -> Result { return x[0] > x[1]; }},
      {"greater_equal", [](const Wide* x) -> Result { return x[0] >= x[1]; }},
      {"equal", [](const Wide* x) -> Result { return x[0] == x[1]; }},
      {"not_equal", [](const Wide* x) -> Result { return x[0] != x[1]; }},
      {"where", [](const Wide* x) -> Result { return x[0] != 0 ? x[1] : x[2]; }},
      {"bitwise_and", [](const Wide* x) -> Result { return x[0] & x[1]; }},
      {"bitwise_or", [](const Wide* x) -> Result { return x[0] | x[1]; }},
      {"bitwise_xor", [](const Wide* x) -> Result { return x[0] ^ x[1]; }},
      {"bitwise_invert", [](const Wide* x) -> Result { return -1 - x[0]; }},
      {"bitwise_left_shift", [](const Wide* x) { return shifted(x[0], x[1], true); }},
      {"bitwise_right_shift", [](const Wide* x) { return shifted(x[0], x[1], false); }},
  };
  return all;
}

std::vector<OpId> integer_ops() {
  std::vector<OpId> result;
  for (int i = 0; i < op_count(); ++i) {
    if (info_of(static_cast<OpId>(i)).integers) result.push_back(static_cast<OpId>(i));
  }
  return result;
}

TEST(IntegerOps, EveryIntegerOpHasAnOracleAndKernels) {
  std::size_t known = 0;
  for (int i = 0; i < op_count(); ++i) {
    const OpInfo& info = info_of(static_cast<OpId>(i));
    const auto oracle = oracles().find(info.name);
    EXPECT_EQ(oracle != oracles().end(), info.integers) << info.name;
    known += oracle != oracles().end() ? 1 : 0;
    EXPECT_TRUE(info.integers || !can_raise(static_cast<OpId>(i))) << info.name;
    for (const exec::KernelTable* table : exec::usable_tables()) {
      for (const auto& of_dtype : table->integer) {
        for (unsigned set = 0; set < exec::operand_sets; ++set) {
          const bool some_vector = set + 1 < 1u << info.arity;
          EXPECT_EQ(of_dtype[i][set] != nullptr, info.integers && some_vector)
              << info.name << " set " << set << " " << table->isa;
        }
      }
    }
  }
  EXPECT_EQ(known, oracles().size());
}

bool is_condition(OpId op, int operand) {
  return ops::operand_kind(info_of(op).type, 0, operand) == ops::OperandKind::boolean;
}

// An op of one integer dtype: its operands as elements of that dtype, conditions too (true where not 0).
template <class T> class Subject {
 public:
  Subject(OpId op, DType dtype) : op_(op), dtype_(dtype), arity_(info_of(op).arity) {}

  int arity() const { return arity_; }
  bool compares() const { return info_of(op_).type == TypeRule::compare; }
  std::string name() const { return std::string(info_of(op_).name) + " " + std::string(name_of(dtype_)); }
  std::size_t size_of_operand(int i) const { return is_condition(op_, i) ? 1 : sizeof(T); }

  exec::IntegerKernel kernel(const exec::KernelTable& table, unsigned set = 0) const {
    return table.integer[exec::integer_index(dtype_)][static_cast<int>(op_)][set];
  }

  Result expected(const std::array<T, 3>& x) const {
    std::array<Wide, 3> operands{};
    for (std::size_t i = 0; i < 3; ++i) operands[i] = wide(x[i]);
    const Result result = oracles().at(info_of(op_).name)(operands.data());
    // Wrapped to the result's size.
    if (!result || compares()) return result;
    return wide(static_cast<T>(static_cast<std::uint64_t>(*result)));
  }

  // Calls the kernel on rows of operands; an operand of the set is the first row's. Returns what the kernel returned, and
  // the results in `got`.
  std::int64_t call(const exec::KernelTable& table, std::span<const std::array<T, 3>> rows, unsigned set,
                    EdgeArray::Place place, std::vector<Wide>& got) {
    static EdgeArray arrays[4];
    void* parts[4] = {};
    const std::size_t n = rows.size();
    for (int i = 0; i < arity_; ++i) {
      const std::size_t size = size_of_operand(i);
      const bool scalar = (set >> i & 1u) != 0;
      parts[i] = arrays[i].place((scalar ? 1 : n) * size, place);
      for (std::size_t k = 0; k < (scalar ? 1 : n); ++k) {
        const T value = rows.empty() ? T() : rows[k][static_cast<std::size_t>(i)];
        const auto truth = static_cast<unsigned char>(value != 0 ? 1 + k % 200 : 0);
        std::memcpy(static_cast<std::byte*>(parts[i]) + k * size,
                    is_condition(op_, i) ? &truth : static_cast<const void*>(&value), size);
      }
    }
    const std::size_t size = compares() ? 1 : sizeof(T);
    parts[arity_] = arrays[3].place(n * size, place);
    const std::int64_t raised = kernel(table, set)(parts, static_cast<std::int64_t>(n));
    got.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
      const std::byte* const at = static_cast<const std::byte*>(parts[arity_]) + k * size;
      T value{};
      std::memcpy(&value, at, size);
      got[k] = compares() ? wide(static_cast<unsigned char>(*at)) : wide(value);
    }
    for (int i = 0; i <= arity_; ++i) {
      if (!arrays[i == arity_ ? 3 : i].intact()) ADD_FAILURE() << name() << ": written outside of an array, n = " << n;
    }
    return raised;
  }

  // The kernel of each ISA on rows of which none raises.
  void check(std::span<const std::array<T, 3>> rows, unsigned set, EdgeArray::Place place) {
    for (const exec::KernelTable* table : exec::usable_tables()) {
      std::vector<Wide> got;
      ASSERT_EQ(call(*table, rows, set, place, got), -1) << name() << " " << table->isa;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        std::array<T, 3> x = rows[k];
        for (std::size_t i = 0; i < 3; ++i) {
          if ((set >> i & 1u) != 0) x[i] = rows[0][i];
        }
        ASSERT_TRUE(got[k] == expected(x))
            << name() << " " << table->isa << " set " << set << " n " << rows.size() << " at " << k << ": of "
            << std::to_string(x[0]) << ", " << std::to_string(x[1]) << ", " << std::to_string(x[2]) << " got "
            << static_cast<std::int64_t>(got[k]) << ", not " << static_cast<std::int64_t>(*expected(x));
      }
    }
  }

  // Rows in blocks of the size of the arrays, those that raise each by itself.
  void check_all(const std::vector<std::array<T, 3>>& rows) {
    std::vector<std::array<T, 3>> calm;
    std::size_t raising = 0;
    const auto flush = [&] {
      check(calm, 0, EdgeArray::Place::before_a_guard);
      calm.clear();
    };
    for (const auto& x : rows) {
      if (expected(x)) {
        calm.push_back(x);
        if (calm.size() * sizeof(T) >= EdgeArray::room / 2) flush();
      } else if (raising++ % 16 == 0 || rows.size() < 4096) {
        for (const exec::KernelTable* table : exec::usable_tables()) {
          std::vector<Wide> got;
          EXPECT_EQ(call(*table, std::span(&x, 1), 0, EdgeArray::Place::unaligned, got), 0) << name();
        }
      }
      if (::testing::Test::HasFailure()) return;
    }
    flush();
    EXPECT_TRUE(can_raise(op_) || raising == 0) << name();
    EXPECT_TRUE(!can_raise(op_) || raising > 0 || !std::is_signed_v<T>) << name();
  }

  // Operands of which none raises.
  std::vector<std::array<T, 3>> calm_rows(std::size_t n, std::mt19937_64& random) const {
    std::vector<std::array<T, 3>> rows;
    while (rows.size() < n) {
      const std::array<T, 3> x{any_integer<T>(random), any_integer<T>(random), any_integer<T>(random)};
      if (expected(x)) rows.push_back(x);
    }
    return rows;
  }

 private:
  OpId op_;
  DType dtype_;
  int arity_;
};

// Calls check(run) for every op and dtype.
template <class Check> void for_each_subject(Check check) {
  for (const OpId op : integer_ops()) {
    for_each_integer_dtype([&]<class T>(DType dtype) {
      if (::testing::Test::HasFailure()) return;
      Subject<T> run(op, dtype);
      check.template operator()<T>(run);
    });
  }
}

TEST(IntegerOps, EveryPairOfEightBits) {
  for_each_subject([]<class T>(Subject<T>& run) {
    if constexpr (sizeof(T) == 1) {
      std::vector<std::array<T, 3>> rows;
      for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < (run.arity() == 1 ? 1 : 256); ++b) {
          // The third operand of `where` is another number than the second.
          const auto x = static_cast<T>(a), y = static_cast<T>(b);
          rows.push_back(run.arity() == 3 ? std::array<T, 3>{static_cast<T>(a % 3), y, x} : std::array<T, 3>{x, y, 0});
        }
      }
      run.check_all(rows);
    }
  });
}

TEST(IntegerOps, EveryPairOfEdges) {
  for_each_subject([]<class T>(Subject<T>& run) {
    if constexpr (sizeof(T) > 1) {
      std::vector<std::array<T, 3>> rows;
      const std::vector<T> edges = integer_edges<T>();
      for (const T a : edges) {
        for (const T b : edges)
          rows.push_back(run.arity() == 3 ? std::array<T, 3>{static_cast<T>(a & 1), a, b} : std::array<T, 3>{a, b, 0});
      }
      run.check_all(rows);
    }
  });
}

TEST(IntegerOps, RandomOperands) {
  std::mt19937_64 random(1);
  for_each_subject([&]<class T>(Subject<T>& run) {
    if constexpr (sizeof(T) > 1) {
      std::vector<std::array<T, 3>> rows;
      for (int i = 0; i < 10'000; ++i) {
        // Quotients that are integers or nearly so.
        const T b = any_integer<T>(random);
        const auto product = static_cast<std::uint64_t>(any_integer<T>(random)) * static_cast<std::uint64_t>(b);
        const T a = random() % 2 == 0 ? any_integer<T>(random) : static_cast<T>(product + random() % 3 - 1);
        rows.push_back({a, b, any_integer<T>(random)});
      }
      if constexpr (sizeof(T) == 8) {
        // Vectors whose lanes have 51 bits at most, or hardly more, are divided in another way.
        const auto of_bits = [&](std::uint64_t bits) {
          const std::uint64_t n = random() >> (64 - bits);
          return static_cast<T>(std::is_signed_v<T> && random() % 2 == 0 ? std::uint64_t{0} - n : n);
        };
        for (int i = 0; i < 20'000; ++i) {
          const std::uint64_t bits = 1 + random() % 50;
          const T b = of_bits(bits);
          rows.push_back({static_cast<T>(of_bits(51 - bits) * b + static_cast<T>(random() % 3) - 1), b, 0});
        }
        for (int i = 0; i < 3000; ++i) {
          const auto near = static_cast<T>((std::uint64_t{1} << (50 + random() % 4)) + random() % 5 - 2);
          const T a = std::is_signed_v<T> && random() % 2 == 0 ? static_cast<T>(~near) : near;
          rows.insert(rows.end(), 16,
                      random() % 4 == 0 ? std::array<T, 3>{of_bits(53), a, 0} : std::array<T, 3>{a, of_bits(4), 0});
        }
      }
      run.check_all(rows);
    }
  });
}

TEST(IntegerOps, EveryLengthAddressAndSetOfScalars) {
  std::mt19937_64 random(2);
  for_each_subject([&]<class T>(Subject<T>& run) {
    for (std::size_t n = 0; n < 140; n += n < 40 ? 1 : 9) {
      for (unsigned set = 0; set + 1 < 1u << run.arity(); ++set) {
        std::vector<std::array<T, 3>> rows = run.calm_rows(n, random);
        // An operand that is one element may raise with others.
        for (auto& x : rows) {
          for (std::size_t i = 0; i < 3; ++i) {
            if ((set >> i & 1u) != 0) x[i] = rows[0][i];
          }
          if (!run.expected(x)) x = rows[0];
        }
        for (const auto place : {EdgeArray::Place::before_a_guard, EdgeArray::Place::unaligned})
          run.check(rows, set, place);
      }
    }
  });
}

TEST(IntegerOps, TheLowestIndexThatRaisesIsReturned) {
  std::mt19937_64 random(3);
  int checked = 0;
  for (const OpId op : integer_ops()) {
    if (!can_raise(op)) continue;
    for_each_integer_dtype([&]<class T>(DType dtype) {
      Subject<T> run(op, dtype);
      std::vector<Wide> got;
      // A second operand that raises: only division does for unsigned ones.
      const std::array<T, 2> candidates{0, static_cast<T>(-1)};
      for (const T b : candidates) {
        if (run.expected({5, b, 0})) continue;
        ++checked;
        for (std::size_t n : {1u, 2u, 7u, 16u, 33u, 64u, 65u, 130u}) {
          for (std::size_t at = 0; at < n; ++at) {
            auto rows = run.calm_rows(n, random);
            rows[at][1] = b;
            rows[at + random() % (n - at)][1] = b;
            for (const exec::KernelTable* table : exec::usable_tables()) {
              ASSERT_EQ(run.call(*table, rows, 0, EdgeArray::Place::before_a_guard, got), static_cast<std::int64_t>(at))
                  << run.name() << " " << table->isa << " n " << n;
              rows[0][1] = b;
              ASSERT_EQ(run.call(*table, rows, 2, EdgeArray::Place::unaligned, got), 0) << run.name();
              ASSERT_EQ(run.call(*table, std::span(rows).first(0), 2, EdgeArray::Place::unaligned, got), -1)
                  << run.name();
              rows = run.calm_rows(n, random);
              rows[at][1] = b;
            }
          }
        }
      }
    });
  }
  EXPECT_EQ(checked, 3 * 8 + 3 * 4);
}

TEST(IntegerOps, TheResultMayBeAnOperand) {
  std::mt19937_64 random(4);
  for_each_subject([&]<class T>(Subject<T>& run) {
    if (run.compares() || run.arity() != 2) return;
    for (const exec::KernelTable* table : exec::usable_tables()) {
      const auto rows = run.calm_rows(100, random);
      for (int over = 0; over < 2; ++over) {
        std::vector<T> a, b;
        for (const auto& x : rows) a.push_back(x[0]), b.push_back(x[1]);
        void* parts[] = {a.data(), b.data(), over == 0 ? a.data() : b.data()};
        EXPECT_EQ(run.kernel(*table)(parts, 100), -1);
        for (std::size_t k = 0; k < rows.size(); ++k)
          ASSERT_TRUE(wide((over == 0 ? a : b)[k]) == run.expected(rows[k])) << run.name();
      }
    }
  });
}

}  // namespace
}  // namespace frit::test
