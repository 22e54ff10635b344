#include "plan/estimate.hpp"

#include "ops/table.hpp"

namespace frit::plan {

std::int64_t machine_operations(OpId op, unsigned form) {
  switch (info_of(op).cost) {
    case CostClass::free: return 0;
    case CostClass::cheap: return form == 0 ? 1 : 6;
    case CostClass::divide: return form == 0 ? 1 : 30;
    case CostClass::elementary: return form == 0 ? 50 : 150;
  }
  return 1;
}

}  // namespace frit::plan
