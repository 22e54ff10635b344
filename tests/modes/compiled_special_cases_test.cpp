// The special cases of the Python array API standard, tests/modes/special_cases.txt: for every dtype that a row is for, eager and in
// every mode, in loop bodies, at each place of short arrays, of rank 0 and beside C++ numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "ops/table.hpp"
#include "support/integer_cases.hpp"
#include "support/special_cases.hpp"
#include "support/traced.hpp"

namespace frit::test {
namespace {

using Given = std::span<const Operand>;
using Function = std::function<Array(Given)>;

const SpecialCaseTable& table() {
  static const SpecialCaseTable all(FRIT_SOURCE_DIR "/tests/modes/special_cases.txt");
  return all;
}

// The operands, arrays of one shape, along a new last axis.
Array beside(Given x) {
  std::vector<Array> arrays;
  for (const Operand& operand : x) arrays.push_back(operand.array);
  return stack(arrays, arrays[0].rank());
}
int last(Given x) { return x[0].array.rank(); }
Array none(Given x) { return x[0].array.expand_dims(last(x)).slice(last(x), {0, 0}); }

// What is no op of the table: of arrays alone where they are reductions.
const std::map<std::string, Function>& other_functions() {
  static const std::map<std::string, Function> functions{
      {"negative", [](Given x) { return negate(x[0]); }},
      {"round", [](Given x) { return rint(x[0]); }},
      {"positive", [](Given x) { return positive(x[0]); }},
      {"isnan", [](Given x) { return isnan(x[0]); }},
      {"isinf", [](Given x) { return isinf(x[0]); }},
      {"isfinite", [](Given x) { return isfinite(x[0]); }},
      {"signbit", [](Given x) { return signbit(x[0]); }},
      {"copysign", [](Given x) { return copysign(x[0], x[1]); }},
      {"clip", [](Given x) { return clip(x[0], x[1], x[2]); }},
      {"astype_bool", [](Given x) { return x[0].array.astype(DType::boolean); }},
      {"any", [](Given x) { return any(beside(x), last(x)); }},
      {"all", [](Given x) { return all(beside(x), last(x)); }},
      {"max", [](Given x) { return max(beside(x), last(x)); }},
      {"min", [](Given x) { return min(beside(x), last(x)); }},
      {"mean", [](Given x) { return mean(beside(x), last(x)); }},
      {"var", [](Given x) { return var(beside(x), last(x)); }},
      {"std", [](Given x) { return std_deviation(beside(x), last(x)); }},
      {"sum", [](Given x) { return sum(beside(x), last(x)); }},
      {"prod", [](Given x) { return prod(beside(x), last(x)); }},
      {"cumulative_sum", [](Given x) { return cumulative_sum(beside(x), last(x)).index(last(x), -1); }},
      {"cumulative_prod", [](Given x) { return cumulative_prod(beside(x), last(x)).index(last(x), -1); }},
      {"var_corrected_by_2", [](Given x) { return var(beside(x), last(x), 2); }},
      {"var_corrected_by_3", [](Given x) { return var(beside(x), last(x), 3); }},
      {"std_corrected_by_2", [](Given x) { return std_deviation(beside(x), last(x), 2); }},
      {"std_corrected_by_3", [](Given x) { return std_deviation(beside(x), last(x), 3); }},
      {"any_of_none", [](Given x) { return any(none(x), last(x)); }},
      {"all_of_none", [](Given x) { return all(none(x), last(x)); }},
      {"mean_of_none", [](Given x) { return mean(none(x), last(x)); }},
      {"sum_of_none", [](Given x) { return sum(none(x), last(x)); }},
      {"prod_of_none", [](Given x) { return prod(none(x), last(x)); }},
  };
  return functions;
}

Function function_of(const SpecialCases& section) {
  if (const auto found = other_functions().find(section.function); found != other_functions().end())
    return found->second;
  const auto op = find_op(section.function);
  if (!op) throw std::runtime_error("no function " + section.function);
  return [op = static_cast<int>(*op)](Given x) {
    return x.size() == 1 ? arrays::call(op, {&x[0]}) : arrays::call(op, {&x[0], &x[1]});
  };
}

bool takes_numbers(const SpecialCases& section) { return find_op(section.function) || section.function == "copysign"; }

double budget_of(const SpecialCases& section) {
  const auto op = find_op(section.function);
  if (!op) return 0;
  const Budget& budget = info_of(*op).budget;
  return section.forms == "c" ? budget.complex : budget.real;
}

// A row on one choice of operands: `of` those that fulfil its conditions.
struct Check {
  const SpecialCase* row = nullptr;
  Elements of;
  int part = -1;  // the part of the result that it is for; -1: all
  bool conj = false, odd = false;
};
struct Case {
  Elements at;  // what the function is given
  std::vector<Check> checks;
};

class Cases {
 public:
  Cases(const SpecialCases& section, const Elements& pool) : section_(section), pool_(pool) {
    for (const SpecialCase& row : rules().rows)
      for (const Elements& at : choices(row)) {
        if (!section.parts.empty()) {
          add_parts(at);
          continue;
        }
        for (const bool conj : {false, true})
          for (const bool mirrored : {false, true})
            if (conj <= section.conj && mirrored <= (section.odd || section.even)) add(row, at, conj, mirrored);
      }
  }
  const std::vector<Case>& all() const { return all_; }

 private:
  const SpecialCases& rules() const {
    return section_.parts.empty() ? section_ : table().section(section_.parts, std::string(section_.forms.size(), 'r'));
  }

  // All choices of up to two components, else so many of them; at most `most`.
  std::vector<Elements> choices(const SpecialCase& row) {
    const std::size_t most = nightly() ? 1000 : 60;
    std::vector<Elements> found;
    if (row.conditions.size() > 2) {
      while (found.size() < 2 * most) found.push_back(drawn(row));
      return found;
    }
    for (const Element a : pool_) {
      if (!fulfils(a, row.conditions[0], {})) continue;
      if (row.conditions.size() == 1) found.push_back({a});
      for (const Element b : pool_)
        if (row.conditions.size() == 2 && fulfils(b, row.conditions[1], {a})) found.push_back({a, b});
    }
    const bool is_unsigned = pool_.front() == 0 && !std::signbit(pool_[1]);
    EXPECT_TRUE(!found.empty() || is_unsigned) << "nothing fulfils it: special_cases.txt, " << row.text();
    std::shuffle(found.begin(), found.end(), random_);
    if (found.size() > most) found.resize(most);
    return found;
  }
  Elements drawn(const SpecialCase& row) {
    Elements at;
    for (const std::string& condition : row.conditions) {
      Elements fit;
      for (const Element x : pool_)
        if (fulfils(x, condition, at)) fit.push_back(x);
      at.push_back(fit[random_() % fit.size()]);
    }
    return at;
  }

  void add(const SpecialCase& row, const Elements& of, bool conj, bool mirrored) {
    Elements at = of;
    for (std::size_t i = 0; i < at.size(); ++i)
      if ((conj && i % 2 == 1) != mirrored) at[i] = -at[i];
    if (section_.turned) at = {at[1], -at[0]};
    all_.push_back({at, {{&row, of, -1, conj, mirrored && section_.odd}}});
  }
  // `real`: operands of the real function, to which imaginary parts are added.
  void add_parts(const Elements& real) {
    Case made;
    Elements of_part[2];
    for (std::size_t i = 0; i < real.size(); ++i) {
      const Element im = section_.forms[i] == 'c' ? pool_[random_() % pool_.size()] : real[i];
      of_part[0].push_back(real[i]);
      of_part[1].push_back(im);
      made.at.push_back(real[i]);
      if (section_.forms[i] == 'c') made.at.push_back(im);
    }
    for (int part = 0; part < 2; ++part)
      for (const SpecialCase& row : rules().rows) {
        Elements before;
        bool fits = true;
        for (std::size_t i = 0; fits && i < real.size(); ++i) {
          fits = fulfils(of_part[part][i], row.conditions[i], before);
          before.push_back(of_part[part][i]);
        }
        if (fits) made.checks.push_back({&row, of_part[part], part});
      }
    all_.push_back(std::move(made));
  }

  const SpecialCases& section_;
  const Elements& pool_;
  std::mt19937_64 random_{20241200};
  std::vector<Case> all_;
};

// How much was run, printed at the end; a deviation that no longer is one fails.
struct Tally {
  std::set<std::pair<const SpecialCases*, const SpecialCase*>> rows;
  std::map<const SpecialCase*, bool> deviates;
  std::int64_t checks = 0;
};
Tally& tally() {
  static Tally all;
  return all;
}

Array array_of(const std::vector<Element>& elements, DType dtype) {
  std::vector<std::byte> bytes;
  const auto add = [&](auto x) {
    const auto* const at = reinterpret_cast<const std::byte*>(&x);
    bytes.insert(bytes.end(), at, at + sizeof x);
  };
  for (const Element x : elements) {
    switch (dtype) {
      case DType::i8: add(static_cast<std::int8_t>(x)); break;
      case DType::i16: add(static_cast<std::int16_t>(x)); break;
      case DType::i32: add(static_cast<std::int32_t>(x)); break;
      case DType::i64: add(static_cast<std::int64_t>(x)); break;
      case DType::u8: add(static_cast<std::uint8_t>(x)); break;
      case DType::u16: add(static_cast<std::uint16_t>(x)); break;
      case DType::u32: add(static_cast<std::uint32_t>(x)); break;
      case DType::u64: add(static_cast<std::uint64_t>(x)); break;
      case DType::f32:
      case DType::c64: add(static_cast<float>(x)); break;
      default: add(static_cast<double>(x));
    }
  }
  const std::int64_t n = static_cast<std::int64_t>(bytes.size() / size_of(dtype));
  return array(engine(), bytes.data(), dtype, {&n, 1});
}

// The parts of the elements, in order.
Elements elements_of(const Array& a) {
  const std::vector<std::byte> bytes = bytes_of(a);
  const auto as = [&]<class T>(T) {
    Elements elements(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < elements.size(); ++i) {
      T x;
      std::memcpy(&x, &bytes[i * sizeof x], sizeof x);
      elements[i] = x;
    }
    return elements;
  };
  switch (a.dtype()) {
    case DType::i8: return as(std::int8_t{});
    case DType::i16: return as(std::int16_t{});
    case DType::i32: return as(std::int32_t{});
    case DType::i64: return as(std::int64_t{});
    case DType::boolean:
    case DType::u8: return as(std::uint8_t{});
    case DType::u16: return as(std::uint16_t{});
    case DType::u32: return as(std::uint32_t{});
    case DType::u64: return as(std::uint64_t{});
    case DType::f32:
    case DType::c64: return as(float{});
    default: return as(double{});
  }
}

std::string text_of(const Elements& elements) {
  std::ostringstream out;
  out.precision(17);
  for (const Element x : elements) out << (std::isnan(x) && !std::signbit(x) ? " " : std::signbit(x) ? " " : " +") << x;
  return out.str();
}

// One section in one dtype, or the complex and the real one of its width.
class SectionRun {
 public:
  SectionRun(const SpecialCases& section, DType dtype, const Elements& pool)
      : section_(section), dtype_(dtype), cases_(section, pool), function_(function_of(section)) {
    for (std::size_t i = 0; i < section.forms.size(); ++i) {
      const std::size_t first = section.components_before(i);
      Elements elements;
      for (const Case& one : cases_.all()) {
        elements.push_back(one.at[first]);
        if (section.forms[i] == 'c') elements.push_back(one.at[first + 1]);
      }
      operands_.push_back(array_of(elements, section.forms[i] == 'c' ? complex_of(dtype) : dtype));
    }
  }

  void absent() {
    std::vector<Operand> operands(operands_.begin(), operands_.end());
    try {
      function_(operands);
      ADD_FAILURE() << section_.function << " " << section_.forms << " is no longer absent";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::dtype_mismatch) << error.what();
    }
  }

  void everywhere() {
    at_all_lengths("eager", operands_, function_);
    if (section_.forms.size() == 1 || !takes_numbers(section_))
      at_rank_0("eager, rank 0", function_);
    else
      at_rank_0_beside_numbers("eager, beside numbers", function_);
    for (const Mode mode : {Mode::graph, Mode::compiled}) {
      if (mode == Mode::compiled && !runtime::compiler_is_missing().empty()) continue;
      const std::string name{name_of(mode)};
      const Function traced = traced_in(mode, operands_.size(), function_);
      at_all_lengths(name, operands_, traced);
      if (section_.forms.size() == 1 || !takes_numbers(section_))
        at_rank_0(name + ", rank 0", traced);
      else
        at_rank_0_beside_numbers(name + ", beside numbers", traced);

      // The carry begins as something else, of the result's dtype.
      std::vector<Array> with_carry = operands_;
      const std::vector<Operand> all(operands_.begin(), operands_.end());
      with_carry.push_back(full(engine(), {count()}, 3, DType::f64).astype(function_(all).dtype()));
      at_all_lengths(name + ", loop in map", with_carry,
                     traced_in(mode, with_carry.size(), [this](Given x) { return mapped(x); }));
    }
  }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(cases_.all().size()); }

  static Function traced_in(Mode mode, std::size_t arity, const Function& function) {
    return [made = trace_function(engine(), arity,
                                  [function](std::span<const Array> x) {
                                    return std::vector{function(std::vector<Operand>(x.begin(), x.end()))};
                                  },
                                  {.mode = mode, .compiler = {.effort = nightly() ? 1 : 0}})](Given x) {
      return made.call(x)[0];
    };
  }
  Array mapped(Given x) const {
    std::vector<Array> elements;
    for (const Operand& operand : x) elements.push_back(operand.array);
    return map(
        [this](std::span<const Array> given) {
          const std::vector<Operand> operands(given.begin(), given.end() - 1);
          return std::vector{fori_loop(
              0, 1, [&](const Array&, const Array&) { return function_(operands); }, given.back())};
        },
        elements)[0];
  }

  void at_all_lengths(const std::string& how, const std::vector<Array>& arrays, const Function& function) {
    for (const std::int64_t length : {count(), std::int64_t{17}, std::int64_t{3}, std::int64_t{1}}) {
      for (std::int64_t begin = 0; begin < count(); begin += length) {
        std::vector<Operand> part;
        for (const Array& array : arrays) part.emplace_back(array.slice(0, {begin, begin + length}));
        compare(how + ", length " + std::to_string(length), function(part), begin);
      }
    }
  }
  void at_rank_0(const std::string& how, const Function& function) {
    for (std::int64_t i = 0; i < count(); ++i) {
      std::vector<Operand> part;
      for (const Array& array : operands_) part.emplace_back(array.index(0, i));
      compare(how, function(part), i);
    }
  }
  // One operand is an array of rank 0, the others are C++ numbers.
  void at_rank_0_beside_numbers(const std::string& how, const Function& function) {
    for (std::size_t array = 0; array < operands_.size(); ++array)
      for (std::int64_t i = 0; i < count(); ++i) {
        std::vector<Operand> part;
        for (std::size_t k = 0; k < operands_.size(); ++k) {
          if (k == array)
            part.emplace_back(operands_[k].index(0, i));
          else if (!add_number(part, k, cases_.all()[static_cast<std::size_t>(i)].at))
            break;
        }
        if (part.size() == operands_.size()) compare(how, function(part), i);
      }
  }
  bool add_number(std::vector<Operand>& to, std::size_t operand, const Elements& at) const {
    const std::size_t first = section_.components_before(operand);
    const Element x = at[first];
    switch (section_.forms[operand]) {
      case 'i':
        if (x > static_cast<Element>(INT64_MAX)) return false;
        to.emplace_back(static_cast<std::int64_t>(x));
        return true;
      case 'c':
        to.emplace_back(std::complex<double>(static_cast<double>(x), static_cast<double>(at[first + 1])));
        return true;
      default: to.emplace_back(static_cast<double>(x)); return true;
    }
  }

  // `result`: of the cases from `begin` on.
  void compare(const std::string& how, const Array& result, std::int64_t begin) {
    const std::size_t parts = is_complex(result.dtype()) ? 2 : 1;
    const Elements got = elements_of(result);
    for (std::size_t i = 0; i < got.size() / parts; ++i) {
      const Case& one = cases_.all()[static_cast<std::size_t>(begin) + i];
      Elements element(got.begin() + static_cast<std::ptrdiff_t>(i * parts),
                       got.begin() + static_cast<std::ptrdiff_t>((i + 1) * parts));
      for (const Check& check : one.checks) check_row(how, one, check, element);
    }
  }
  void check_row(const std::string& how, const Case& one, const Check& check, Elements got) {
    if (failures_ > 10) return;
    tally().checks += 1;
    tally().rows.insert({&section_, check.row});
    const Elements as_given = got;
    if (check.part >= 0) got = {got.at(static_cast<std::size_t>(check.part))};
    if (section_.turned && !section_.even) got = {-got.at(1), got.at(0)};
    for (std::size_t i = 0; i < got.size(); ++i)
      if ((check.conj && i == 1) != check.odd) got[i] = -got[i];
    const auto agree = [&](const Words& results) {
      bool same = results.size() == got.size();
      for (std::size_t i = 0; same && i < got.size(); ++i)
        same = agrees(got[i], results[i], {check.of, dtype_, budget_of(section_)});
      return same;
    };
    const SpecialCase& row = *check.row;
    if (!row.instead.empty()) tally().deviates[&row] |= !agree(row.results);
    if (agree(row.instead.empty() ? row.results : row.instead)) return;
    ++failures_;
    ADD_FAILURE() << section_.function << " of " << name_of(dtype_) << ", " << how << ":" << text_of(one.at) << " gives"
                  << text_of(as_given) << "; special_cases.txt, " << row.text();
  }

  const SpecialCases& section_;
  DType dtype_;
  Cases cases_;
  Function function_;
  std::vector<Array> operands_;
  int failures_ = 0;
};

TEST(SpecialCases, HaveACompiler) { FRIT_NEEDS_COMPILER(); }

class SpecialCasesOf : public testing::TestWithParam<SpecialCases> {};

TEST_P(SpecialCasesOf, Operands) {
  // The table's own section: rows are counted by their address.
  const SpecialCases& section = table().section(GetParam().function, GetParam().forms);
  const auto run = [&](DType dtype, const Elements& pool) {
    SectionRun one(section, dtype, pool);
    section.absent ? one.absent() : one.everywhere();
  };
  if (section.forms[0] == 'i') {
    for_each_integer_dtype([&]<class T>(DType dtype) { run(dtype, integer_pool<T>()); });
  } else {
    run(DType::f32, floating_pool<float>());
    run(DType::f64, floating_pool<double>());
  }
  for (const SpecialCase& row : section.rows) {
    if (row.instead.empty() || section.absent) continue;
    EXPECT_TRUE(tally().deviates[&row]) << "no deviation: special_cases.txt, " << row.text();
  }
}

std::string name_of_section(const testing::TestParamInfo<SpecialCases>& section) {
  return section.param.function + "_" + section.param.forms;
}
INSTANTIATE_TEST_SUITE_P(Table, SpecialCasesOf, testing::ValuesIn(table().sections()), name_of_section);

struct Totals : testing::Environment {
  void TearDown() override {
    std::printf("special cases: %zu rows, %lld checks, %zu rows that differ\n", tally().rows.size(),
                static_cast<long long>(tally().checks), tally().deviates.size());
  }
};
const testing::Environment* const totals = testing::AddGlobalTestEnvironment(new Totals);

}  // namespace
}  // namespace frit::test
