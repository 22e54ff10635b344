#!/usr/bin/env bash
# Builds the AArch64 kernels on x86-64 and, where the emulator is installed, compares their bits with tests/modes/hashes.txt; and so
# those of lanes of other widths than the registers'. compiled_hashes_test has the kernels of x86-64.
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

mkdir -p "$folder/a64"
for source in src/exec/kernels/*.cpp; do
  echo "${launcher[*]} aarch64-linux-gnu-g++ ${common[*]} ${kernel[*]} -march=armv8-a -DFRIT_ISA=a64 -c $source" \
    "-o $folder/a64/$(basename "$source" .cpp).o"
done | xargs -P "${JOBS:-$(nproc)}" -d '
' -I '{}' bash -c '{}'
echo "AArch64 kernels: built"

failed=0
compare() {  # name compiler isa objects [runner]: the hashes of these kernels
  local name=$1 compiler=$2 isa=$3 objects=$4 runner=${5:-}
  "${launcher[@]}" "$compiler" "${common[@]}" -Itests -DKERNELS="$isa" -c tests/modes/kernel_hashes.cpp -o "$folder/main_$name.o"
  # shellcheck disable=SC2086
  "$compiler" -static "$folder/main_$name.o" $objects -o "$folder/hashes_$name"
  $runner "$folder/hashes_$name" >"$folder/$name.txt"
  if diff -u --label tests/modes/hashes.txt --label "$name" tests/modes/hashes.txt "$folder/$name.txt"; then
    echo "$name: $(wc -l <"$folder/$name.txt") hashes as in tests/modes/hashes.txt"
  else
    echo "$name: the functions above differ; where the change is meant: FRIT_UPDATE_HASHES=1 build/tests/compiled_hashes_test" >&2
    failed=1
  fi
}

emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
if [ -n "$emulator" ]; then
  compare a64 aarch64-linux-gnu-g++ a64 "$folder/a64/*.o" "$emulator"
else
  echo "AArch64 bits: not compared, since there is no qemu-aarch64"
fi
for width in 1 2 8; do
  "${launcher[@]}" g++ "${common[@]}" "${kernel[@]}" -march=x86-64-v3 -DFRIT_ISA=v3 -DFRIT_WIDTH=$width \
    -c tests/modes/width_kernels.cpp -o "$folder/width_$width.o"
  compare "width_$width" g++ v3 "$folder/width_$width.o"
done
exit $failed
