#include "subject.hpp"

#include <bit>

#include "exec/kernel_table.hpp"
#include "support/measured.hpp"

namespace frit::accuracy {

std::vector<Subject> subjects() {
  std::vector<Subject> result;
  for (const test::MeasuredForm& m : test::measured_forms()) {
    const OpInfo& info = info_of(m.op);
    const bool two_parts = info.type == TypeRule::to_complex || (m.form != 0 && info.type == TypeRule::arithmetic);
    result.push_back(
        {m.op, m.name, info.arity, m.form, info.arity + std::popcount(m.form), two_parts ? 2 : 1, info.budget});
  }
  return result;
}

template <class T> void evaluate(const Subject& subject, const Arguments<T>& x, std::vector<T> (&result)[2]) {
  static const exec::KernelTable& table = exec::active_table();
  const exec::TileKernel kernel = table.single[sizeof(T) == 8 ? 1 : 0][static_cast<int>(subject.op)][subject.form][0];
  const std::size_t n = x[0].size();
  for (std::vector<T>& part : result) part.resize(n);
  for (std::size_t at = 0; at < n; at += block) {
    void* parts[most_inputs + 2];
    int count = 0;
    // Operands are only read.
    for (int i = 0; i < subject.inputs; ++i) parts[count++] = const_cast<T*>(&x[static_cast<std::size_t>(i)][at]);
    for (int i = 0; i < subject.parts; ++i) parts[count++] = &result[i][at];
    kernel(parts, block);
  }
}
template void evaluate(const Subject&, const Arguments<float>&, std::vector<float> (&)[2]);
template void evaluate(const Subject&, const Arguments<double>&, std::vector<double> (&)[2]);

std::vector<test::oracle::Number> operands_of(const Subject& subject, const Point& x) {
  std::vector<test::oracle::Number> result;
  for (std::size_t i = 0, at = 0; i < static_cast<std::size_t>(subject.arity); ++i) {
    const bool complex = subject.is_complex(static_cast<int>(i));
    result.push_back({x[at], complex ? x[at + 1] : 0, complex});
    at += complex ? 2 : 1;
  }
  return result;
}

}  // namespace frit::accuracy
