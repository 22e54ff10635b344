#!/usr/bin/env bash
# kernel_symbols_test.sh ISA OBJECT...: kernel objects of one ISA call nothing (no libm, no memcpy), and define no weak symbol
# that does not carry the ISA's name: the linker could take it for the code of another variant.
set -euo pipefail
isa=$1
shift
[ $# -gt 0 ] || { echo "no objects"; exit 1; }
failed=0
for object in "$@"; do
  undefined=$(nm -C "$object" | grep -E '^ +U ' | grep -v _GLOBAL_OFFSET_TABLE_ || true)
  weak=$(nm -C "$object" | grep -E ' [WVu] ' | grep -v "frit::$isa::" || true)
  if [ -n "$undefined$weak" ]; then
    printf '%s\n%s\n%s\n' "$object" "$undefined" "$weak"
    failed=1
  fi
done
exit $failed
