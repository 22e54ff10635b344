#!/usr/bin/env bash
# Follows docs/add-an-op.md to the letter on a copy of the sources: makes every edit of the page, builds the test that the page
# adds, and runs it. Arguments: the source folder, and a folder for the copy and its build.
set -euo pipefail
source=$(realpath "$1")
work=$2

# NOTE: always the same folder, so that ccache finds what an earlier run compiled.
rm -rf "$work/copy" "$work/build"
mkdir -p "$work/copy"
cp -r "$source"/{CMakeLists.txt,cmake,include,src,tests,tools,examples,docs} "$work/copy"
cd "$work/copy"
# The new op's own test is enough.
rm -f tests/*/*_test.cpp examples/*.cpp

python3 - docs/add-an-op.md <<'P'
import re, sys
from pathlib import Path

page = Path(sys.argv[1]).read_text()
edit = re.compile(r"^In (?:the new file )?`([^`]+)`(?:, (before|after) `([^`]+)`)?:\n\n```cpp\n(.*?)```\n", re.S | re.M)
edits = edit.findall(page)
assert len(edits) == len(re.findall(r"^```cpp$", page, re.M)) == 3, "an edit of the page has another form"
for path, side, anchor, text in edits:
    file = Path(path)
    if not anchor:
        assert not file.exists(), f"{path} exists"
        file.write_text(text)
        continue
    lines = file.read_text().splitlines(keepends=True)
    places = [i for i, line in enumerate(lines) if anchor in line]
    assert len(places) == 1, f"{path} has {len(places)} lines with {anchor!r}"
    lines.insert(places[0] + (side == "after"), text)
    file.write_text("".join(lines))
    print(f"{path}: {side} line {places[0] + 1}")
P

export CCACHE_BASEDIR=$work
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache); fi
# The kernels of one ISA. -O1: the values do not depend on it, and it compiles in half the time.
isas=()
if [ "$(uname -m)" = x86_64 ]; then isas=(-DFRIT_ISAS=v3); fi
cmake -S . -B ../build -G Ninja -DCMAKE_BUILD_TYPE= -DCMAKE_CXX_FLAGS=-O1 -DFRIT_LLVM=OFF "${isas[@]}" "${launcher[@]}" >/dev/null
cmake --build ../build -j "${JOBS:-$(nproc)}" --target kronecker_delta_test
env -u GTEST_OUTPUT ../build/tests/kronecker_delta_test
