/* The C ABI of a kernel: what the executor, compiled code and shipped libraries share. Plain C.
 *
 * A kernel has two entries of one type: the prologue, run once a call, computes what depends on parameters alone; the loop
 * computes a range of events and may run on several threads at once over disjoint ranges with one prologue block.
 * Neither throws; both return 0 or a positive FritStatus. Outputs must not overlap operands.
 *
 * Versioning: `size` is sizeof(FritCall) of the caller and `abi_version` is FRIT_ABI_VERSION. Fields are only ever added
 * at the end within one version; a kernel refuses a call that is smaller than what it needs or of another version. */
#ifndef FRIT_ABI_H
#define FRIT_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FRIT_ABI_VERSION 1

typedef enum FritStatus {
  FRIT_OK = 0,
  FRIT_CANCELLED = 1,    /* the cancel word was not zero; the range is incomplete */
  FRIT_BAD_CALL = 2,     /* size or version does not fit */
  FRIT_RAISED = 3        /* an op raised; see the error record */
} FritStatus;

typedef struct FritErrorRecord {
  int32_t code;  /* FritStatus */
  int32_t op;    /* the op that raised */
  int64_t index; /* the lowest event index that raised */
} FritErrorRecord;

typedef struct FritOperand {
  const void* data;       /* element of event 0; any byte alignment */
  int64_t stride;         /* bytes from event to event; 0 repeats one element */
  int32_t dtype;          /* value of frit::DType */
  int32_t room;           /* bytes behind the last event that may be read: 0, or at least 64 */
} FritOperand;

typedef struct FritResult {
  void* data;             /* element of event 0; contiguous, any byte alignment */
  int32_t dtype;          /* value of frit::DType */
  int32_t room;           /* bytes behind the last event that may be written: 0, or at least 64 */
} FritResult;

typedef struct FritCall {
  uint64_t size;
  uint32_t abi_version;
  uint32_t operand_count;
  const FritOperand* operands;  /* column arguments, in the order of the program */
  const FritResult* results;    /* outputs, in the order of the program */
  uint32_t result_count;
  uint32_t scalar_count;
  const double* scalars;        /* parameters: real part, imaginary part of each, in the order of the program */
  void* prologue;               /* prologue block: written by the prologue, read by the loop; 64-byte aligned */
  void* scratch;                /* one a thread; 64-byte aligned */
  int64_t scratch_bytes;
  int64_t begin;                /* the range of events of this call of the loop */
  int64_t end;
  FritErrorRecord* error;       /* may be null */
  const int32_t* cancel;        /* polled once a tile; may be null */
  const void* program;          /* belongs to the back end that made the kernel */
  int32_t by_blocks;            /* not 0: results of which the program knows that they are summed have sums of blocks
                                   (exec/reduce.hpp) in place of elements; begin is 0 then */
} FritCall;

typedef int32_t (*FritKernel)(const FritCall* call);

#ifdef __cplusplus
}
#endif

#endif
