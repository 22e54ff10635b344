#!/usr/bin/env bash
# Runs the tests of a build folder and prints how many cases passed, failed and were skipped, and why these were skipped.
#
#   tools/run_tests.sh BUILD [ctest options]
#
# The last line is "N passed, N failed" or "N passed, N failed, N skipped". The exit status is 0 where none failed.
set -euo pipefail

build=$1
shift
results=$build/test_results
rm -rf "$results"
mkdir -p "$results"
# An empty FRIT_MODELS is none.
if [ -z "${FRIT_MODELS:-}" ]; then unset FRIT_MODELS; fi

status=0
GTEST_OUTPUT=xml:$(realpath "$results")/ \
  ctest --test-dir "$build" --output-on-failure -j "${JOBS:-$(nproc)}" --output-junit "$(realpath "$results")/ctest.junit" "$@" </dev/null ||
  status=$?
python3 "$(dirname "$0")/test_summary.py" "$results" "$status"
