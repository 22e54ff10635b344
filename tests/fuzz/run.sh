#!/usr/bin/env bash
# Runs fuzz targets one after the other: run.sh BUILD SECONDS TARGET...
#
# Inputs begin with tests/fuzz/corpus/TARGET and grow in BUILD/corpus/TARGET. What ends a target goes to BUILD/found/ and is
# named; the exit status is then 1.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
seconds=$2
shift 2
failed=0
for target in "$@"; do
  mkdir -p "$build/corpus/$target" "$build/found"
  log=$build/found/$target.log
  status=0
  "$build/tests/${target}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
    -dict="$here/$target.dict" -artifact_prefix="$build/found/$target-" -print_final_stats=1 \
    "$build/corpus/$target" "$here/corpus/$target" "$here/crashes" >"$log" 2>&1 || status=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
  if [ "$status" -eq 0 ]; then
    echo "$target: ${runs:-0} inputs in $seconds s, nothing found"
  else
    failed=1
    echo "$target: FAILED (status $status), see $log"
    grep -E '^(SUMMARY|Test unit written|.*ERROR)' "$log" || tail -n 5 "$log"
  fi
done
exit "$failed"
