#!/usr/bin/env bash
# planted_bugs_test.sh SOURCE: every bug that tools/planted_bugs/run.sh plants fits the sources as they are.
set -euo pipefail
cd "$1"
failed=0
for patch in tools/planted_bugs/*.patch; do
  patch --dry-run --force --fuzz=0 --silent -p1 <"$patch" || { echo "$patch does not fit; write it anew"; failed=1; }
done
exit $failed
