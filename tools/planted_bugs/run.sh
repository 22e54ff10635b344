#!/usr/bin/env bash
# Plants each bug of this folder in a copy of the sources and lets the random programs look for it.
#   tools/planted_bugs/run.sh FOLDER [BUG...]
# FOLDER holds the copy and its build, and is kept. The table says after how many seconds of processor time and programs each
# bug was found, and to how many nodes the program was shrunk. Fails where one is not found within 10 minutes of processor
# time, or not shrunk below 8 nodes, and where a patch no longer fits the sources.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
limit=600
most_nodes=8
bugs=("$@")
# Those of the compiler last, since the others need no compiler module.
if [ ${#bugs[@]} -eq 0 ]; then
  for patch in $(grep -L '^compiler: yes' "$here"/*.patch) $(grep -l '^compiler: yes' "$here"/*.patch); do
    bugs+=("$(basename "$patch" .patch)")
  done
fi

# The copy keeps the times of what did not change, so that its build stays warm.
fresh=$work/fresh
rm -rf "$fresh"
mkdir -p "$fresh" "$work/source"
cp -r "$source"/{CMakeLists.txt,cmake,include,src,tests,tools,examples} "$fresh"
rm -f "$fresh"/examples/*.cpp "$fresh"/tests/*/*_test.cpp
(cd "$fresh" && find . -type f) | while IFS= read -r file; do
  cmp -s "$fresh/$file" "$work/source/$file" || { mkdir -p "$(dirname "$work/source/$file")"; cp "$fresh/$file" "$work/source/$file"; }
done
(cd "$work/source" && find . -type f) | while IFS= read -r file; do
  [ -e "$fresh/$file" ] || rm "$work/source/$file"
done
rm -rf "$fresh"

export CCACHE_BASEDIR=$work
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache); fi
isas=()  # the kernels of one
if [ "$(uname -m)" = x86_64 ]; then isas=(-DFRIT_ISAS=v3); fi
build() {
  cmake -S "$work/source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE= -DCMAKE_CXX_FLAGS=-O1 -DFRIT_LLVM="$1" \
    "${isas[@]}" "${launcher[@]}" >"$work/log" &&
    cmake --build "$work/build" -j "${JOBS:-$(nproc)}" --target random_programs >>"$work/log" ||
    { tail -n 40 "$work/log" && return 1; }
}

failed=0
rows=()
for bug in "${bugs[@]}"; do
  patch=$here/$bug.patch
  if ! patch -d "$work/source" -p1 --fuzz=0 --forward --batch --quiet --dry-run <"$patch" >/dev/null; then
    echo "$bug: the patch does not fit the sources; write it anew" >&2
    rows+=("$bug|the patch does not fit|||")
    failed=1
    continue
  fi
  patch -d "$work/source" -p1 --fuzz=0 --forward --batch --quiet <"$patch"
  undo() { patch -d "$work/source" -p1 --reverse --batch --quiet <"$patch"; }
  trap undo EXIT
  llvm=OFF every=0
  if grep -q '^compiler: yes' "$patch"; then llvm=ON every=1; fi
  build $llvm
  echo "=== $bug: $(sed -n 's/^bug: //p' "$patch")"
  (ulimit -t $limit; exec "$work/build/tests/random_programs" --minutes 60 --compiled-every $every) >"$work/$bug.txt" 2>&1 ||
    true
  sed -n '1,5p' "$work/$bug.txt"
  trap - EXIT
  undo
  found=$(sed -nE 's/^DIFFERENCE.* stage (.*), found after ([0-9.]+) s of processor time and ([0-9]+) programs/\2 s|\3|\1/p' "$work/$bug.txt")
  nodes=$(sed -nE 's/^ *shrunk to ([0-9]+) nodes.*/\1/p' "$work/$bug.txt")
  if [ -z "$found" ]; then
    rows+=("$bug|not found|||")
    failed=1
  else
    rows+=("$bug|$found|${nodes:-not shrunk}")
    if [ -z "$nodes" ] || [ "$nodes" -ge $most_nodes ]; then failed=1; fi
  fi
done

printf '\n| bug | found after, processor time | programs | by | shrunk to nodes |\n| --- | --- | --- | --- | --- |\n'
for row in "${rows[@]}"; do printf '| %s |\n' "${row//|/ | }"; done
exit $failed
