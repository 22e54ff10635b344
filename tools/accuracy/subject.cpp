#include "subject.hpp"

#include "exec/kernel_table.hpp"
#include "support/measured.hpp"

namespace frit::accuracy {

std::vector<Subject> subjects() {
  std::vector<Subject> result;
  for (int i = 0; i < op_count(); ++i) {
    const auto op = static_cast<OpId>(i);
    const OpInfo& info = info_of(op);
    if (test::is_measured(op))
      result.push_back({op, info.name, info.arity, info.type == TypeRule::to_complex ? 2 : 1, info.budget});
  }
  return result;
}

template <class T>
void evaluate(const Subject& subject, const std::vector<T>& x, const std::vector<T>& y, std::vector<T> (&result)[2]) {
  static const exec::KernelTable& table = exec::active_table();
  const exec::TileKernel kernel = table.single[sizeof(T) == 8 ? 1 : 0][static_cast<int>(subject.op)][0][0];
  for (std::vector<T>& part : result) part.resize(x.size());
  for (std::size_t at = 0; at < x.size(); at += block) {
    void* parts[4];
    int count = 0;
    // Operands are only read.
    parts[count++] = const_cast<T*>(&x[at]);
    if (subject.arity == 2) parts[count++] = const_cast<T*>(&y[at]);
    for (int i = 0; i < subject.parts; ++i) parts[count++] = &result[i][at];
    kernel(parts, block);
  }
}
template void evaluate(const Subject&, const std::vector<float>&, const std::vector<float>&, std::vector<float> (&)[2]);
template void evaluate(const Subject&, const std::vector<double>&, const std::vector<double>&,
                       std::vector<double> (&)[2]);

}  // namespace frit::accuracy
