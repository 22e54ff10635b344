#include "cli/interruptible.hpp"

#include <vector>

namespace frit::cli {
namespace {

bool left_behind = false;

}  // namespace

bool work_left_behind() { return left_behind; }
void set_work_left_behind() { left_behind = true; }

void leave_running(const Function& function) {
  static auto* const kept = new std::vector<Function>;  // never destroyed
  kept->push_back(function);
  set_work_left_behind();
}

}  // namespace frit::cli
