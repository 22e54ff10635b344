// Prints the hashes of the kernels of all ops over one lane, which tests/modes/hashes.txt has: what kills a mutant that changes bits within
// the budgets.
#define FRIT_WIDTH 1
#include "../../tests/modes/width_kernels.cpp"
#define KERNELS FRIT_ISA
#include "../../tests/modes/kernel_hashes.cpp"
