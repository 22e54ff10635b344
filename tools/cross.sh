#!/usr/bin/env bash
# Builds the AArch64 kernels on x86-64 and, where the emulator is installed, compares their bits with the x86-64 kernels'.
#
#   tools/cross.sh FOLDER     objects and programs go into FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
mkdir -p "$folder"

# The options of cmake/Rooms.cmake and cmake/Isa.cmake in a release build.
common=(-std=c++20 -O3 -DNDEBUG -Wall -Wextra -Wconversion -Wshadow -Werror -ffp-contract=off -fvisibility=hidden
        -Iinclude -Isrc)
kernel=(-fno-math-errno -fno-trapping-math)
launcher=()
if command -v ccache >/dev/null; then launcher=(ccache); fi

compile() {  # compiler isa march
  local compiler=$1 isa=$2 march=$3 source
  mkdir -p "$folder/$isa"
  for source in src/exec/kernels/*.cpp; do
    echo "${launcher[*]} $compiler ${common[*]} ${kernel[*]} -march=$march -DFRIT_ISA=$isa -c $source" \
      "-o $folder/$isa/$(basename "$source" .cpp).o"
  done | xargs -P "${JOBS:-$(nproc)}" -d '\n' -I '{}' bash -c '{}'
}

compile aarch64-linux-gnu-g++ a64 armv8-a
echo "AArch64 kernels: built"

emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
if [ -z "$emulator" ]; then
  echo "AArch64 bits: not compared, since there is no qemu-aarch64"
  exit 0
fi
compile g++ v3 x86-64-v3
program=tests/modes/kernel_hashes.cpp
aarch64-linux-gnu-g++ "${common[@]}" -static -DKERNELS=a64 "$program" "$folder"/a64/*.o -o "$folder/hashes_a64"
g++ "${common[@]}" -DKERNELS=v3 "$program" "$folder"/v3/*.o -o "$folder/hashes_v3"
"$emulator" "$folder/hashes_a64" >"$folder/a64.txt"
"$folder/hashes_v3" >"$folder/v3.txt"
if ! diff -u --label v3 --label a64 "$folder/v3.txt" "$folder/a64.txt"; then
  echo "AArch64 bits: differ from x86-64-v3 in the kernels above" >&2
  exit 1
fi
echo "AArch64 bits: $(wc -l <"$folder/a64.txt") kernels as on x86-64-v3"
