// The bits of every function are those of tests/modes/hashes.txt, one hash for each op, form and dtype, in every variant: the kernels
// of each ISA that runs here, eagerly, and in tiles and calls of 1 to 17 events; machine code for each target. tools/cross.sh does
// the same for the kernels of AArch64 and of each width. After a change that is meant:
//
//   FRIT_UPDATE_HASHES=1 build/tests/compiled_hashes_test
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/compiled.hpp"
#include "support/hashed.hpp"

namespace frit::test {
namespace {

using Hashes = std::map<std::string, std::string>;

const std::string path = std::string(FRIT_SOURCE_DIR) + "/tests/modes/hashes.txt";

// A kernel, and the operands that it is hashed on.
template <class T> class Subject {
 public:
  Subject(OpId op, unsigned form)
      : plan_(plan::make_plan(op_graph(op, form, dtype_of<T>))),
        line_(hashed::line_of(info_of(op).name, form, hashed::dtype_name<T>)) {
    std::vector<bool> complex;
    int parts = 0;
    for (int i = 0; i < info_of(op).arity; ++i) {
      complex.push_back(kind_of(op, form, i) == ops::OperandKind::complex);
      parts += complex.back() ? 2 : 1;
    }
    const std::vector<std::vector<T>> operands = hashed::operands<T>(parts);
    std::size_t part = 0;
    for (const bool two : complex) {
      std::vector<T> elements;
      for (std::size_t i = 0; i < operands[part].size(); ++i) {
        elements.push_back(operands[part][i]);
        if (two) elements.push_back(operands[part + 1][i]);
      }
      columns_.push_back(bytes_of<T>(elements));
      part += two ? 2 : 1;
    }
    n_ = static_cast<std::int64_t>(operands[0].size());
    for (std::int64_t at = 1, length = 1; at < n_; length = length % 17 + 1, at += length) short_calls_.push_back(at);
  }

  const std::string& line() const { return line_; }
  const plan::Plan& plan() const { return plan_; }
  exec::Program program(const exec::KernelTable& table) const { return {plan_, table, {.tile = 64}}; }

  std::string eager(const exec::KernelTable& table) const { return hash(program(table), {.whole_range = true}); }
  std::string in_short_calls(const exec::KernelTable& table) const {
    return hash(program(table), {.cuts = short_calls_, .misalign = sizeof(T)});
  }
  std::string compiled(const How& how) const {
    const auto kernel = compile(plan_, how);
    exec::Program code = program(exec::active_table());
    code.use(kernel.get());
    return hash(code, {.cuts = short_calls_});
  }

 private:
  std::string hash(const exec::Program& program, const RunOptions& options) const {
    const Bytes result = run(program, columns_, {}, n_, options)[0];
    const DType dtype = plan_.outputs[0].dtype;
    hashed::Hash hash;
    if (dtype == DType::boolean) {
      for (const std::byte x : result) hash.add_bits(x != std::byte{0} ? 1 : 0);
      return hash.text();
    }
    const std::size_t parts = is_complex(dtype) ? 2 : 1;
    for (std::size_t part = 0; part < parts; ++part) {
      for (std::size_t at = part * sizeof(T); at < result.size(); at += parts * sizeof(T))
        hash.add(read_as<T>(&result[at]));
    }
    return hash.text();
  }

  plan::Plan plan_;
  std::string line_;
  std::vector<Bytes> columns_;
  std::int64_t n_;
  std::vector<std::int64_t> short_calls_;
};

// Calls check(subject) for every kernel, in the order of tests/modes/kernel_hashes.cpp.
template <class Check> void for_each_kernel(Check check) {
  const auto& kernels = exec::active_table().single;
  const auto of_dtype = [&]<class T>(int op, T) {
    for (unsigned form = 0; form < exec::form_count; ++form) {
      if (kernels[exec::dtype_index(dtype_of<T>)][op][form][0] != nullptr)
        check(Subject<T>(static_cast<OpId>(op), form));
    }
  };
  for (int op = 0; op < op_count(); ++op) {
    of_dtype(op, float());
    of_dtype(op, double());
  }
}

bool renews() {
  const char* const value = std::getenv("FRIT_UPDATE_HASHES");
  return value != nullptr && *value != '\0' && *value != '0';
}

const Hashes& stored() {
  static const Hashes hashes = [] {
    if (renews()) {
      std::ofstream file(path);
      file << hashed::line_of("operands", 0, "f32") << ' ' << hashed::hash_of_operands<float>() << '\n'
           << hashed::line_of("operands", 0, "f64") << ' ' << hashed::hash_of_operands<double>() << '\n';
      for_each_kernel(
          [&](const auto& subject) { file << subject.line() << ' ' << subject.eager(exec::active_table()) << '\n'; });
    }
    Hashes result;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      const std::size_t space = line.rfind(' ');
      if (space != std::string::npos) result[line.substr(0, space)] = line.substr(space + 1);
    }
    return result;
  }();
  return hashes;
}

void expect_stored(const std::string& line, const std::string& variant, const std::string& hash) {
  const auto found = stored().find(line);
  if (found == stored().end()) {
    ADD_FAILURE() << line << ": not in tests/modes/hashes.txt; add it by " << hashed::renew_command;
  } else {
    EXPECT_EQ(hash, found->second) << line << ", " << variant
                                   << "; where the change is meant: " << hashed::renew_command;
  }
}

TEST(Hashes, EveryLineIsOfAKernel) {
  Hashes stale = stored();
  stale.erase(hashed::line_of("operands", 0, "f32"));
  stale.erase(hashed::line_of("operands", 0, "f64"));
  for_each_kernel([&](const auto& subject) { stale.erase(subject.line()); });
  for (const auto& [line, hash] : stale)
    ADD_FAILURE() << line << ": tests/modes/hashes.txt has it and no kernel is it; remove it by "
                  << hashed::renew_command;
  expect_stored(hashed::line_of("operands", 0, "f32"), "operands of f32", hashed::hash_of_operands<float>());
  expect_stored(hashed::line_of("operands", 0, "f64"), "operands of f64", hashed::hash_of_operands<double>());
}

TEST(Hashes, KernelsOfEveryIsa) {
  for_each_kernel([](const auto& subject) {
    for (const exec::KernelTable* table : exec::usable_tables()) {
      expect_stored(subject.line(), std::string(table->isa) + " eager", subject.eager(*table));
      expect_stored(subject.line(), std::string(table->isa) + " in calls of 1 to 17 events",
                    subject.in_short_calls(*table));
    }
  });
}

TEST(Hashes, MachineCode) {
  FRIT_NEEDS_COMPILER();
  for_each_kernel([](const auto& subject) {
    for (const std::string& target : usable_targets())
      expect_stored(subject.line(), "code for " + (target.empty() ? "this CPU" : target),
                    subject.compiled({.target = target}));
    for (const How& how : {How{.effort = 0, .width = 1}, How{.effort = 2, .full_form = true}})
      expect_stored(subject.line(), "code, " + how.name(), subject.compiled(how));
  });
}

}  // namespace
}  // namespace frit::test
