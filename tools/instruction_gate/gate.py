#!/usr/bin/env python3
"""Compares instruction counts with the stored ones.

    tools/instruction_gate/gate.py [--build build/bench] [--renew] [--keep FOLDER]

Valgrind counts the instructions of kernels, of compiled code, and of the ways to them; every count is of work that was done once
before, so the start of the process and first calls are not in it. Valgrind has no AVX-512, and the rows run frit's v3 kernels and
code for x86-64-v3 on every machine. A row fails where it is above the stored count by more than its tolerance. One that is below
by more passes and asks to be renewed: --renew stores the new counts, and rows are added, with a count of null, in baseline.json.

The counts depend on the compilers of frit and of its kernels, so other versions of g++, LLVM and Valgrind are a skip.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BASELINE = Path(__file__).resolve().parent / "baseline.json"


def skip(reason: str) -> int:
    print(f"SKIPPED instruction gate: {reason}")
    print("0 passed, 0 failed, 1 skipped")
    return 0


def output_of(*command: object) -> str:
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=True).stdout


def count(driver: Path, rows: list[str], folder: Path) -> tuple[dict[str, int], list[str]]:
    """Instructions of each row, and what ran otherwise than it should."""
    command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/counts", driver, *rows]
    # The surroundings of the process are fixed: their size moves the stack. What is compiled is not to come from the disk.
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
                          env={"PATH": os.defpath, "LC_ALL": "C", "HOME": "/", "FRIT_CACHE": "0"})
    if done.returncode != 0:
        sys.exit(f"gate.py: {driver.name} ended with status {done.returncode} under Valgrind:\n{done.stderr}")
    ran = done.stdout.splitlines()
    counts, wrong = {}, []
    for index, row in enumerate(rows):
        totals = re.search(r"^totals: (\d+)", (folder / f"counts.{index + 1}").read_text(), re.MULTILINE)
        counts[row] = int(totals[1])
        compiled = row.startswith("compile:") or ":compiled:" in row
        expected = f"{row} isa=v3 target={'x86-64-v3' if compiled else 'none'}"
        if index >= len(ran) or ran[index] != expected:
            wrong.append(f"'{ran[index] if index < len(ran) else ''}' instead of '{expected}'")
    return counts, wrong


def compare(entry: dict, now: float) -> tuple[str, str]:
    """A verdict (ok, lower, FAILED, new) and the change."""
    if entry["count"] is None:
        return "new", ""
    change = now / entry["count"] - 1
    verdict = "FAILED" if change > entry["tolerance"] else "lower" if change < -entry["tolerance"] else "ok"
    return verdict, f"{change:+.2%}"


def store(baseline: dict, counts: dict[str, int], versions: dict[str, str]) -> None:
    lines = []
    for entry in baseline["rows"]:
        lines.append(json.dumps(entry | {"count": round(counts[entry["row"]] / entry["per"], 3)}))
    text = '{"versions": ' + json.dumps(versions) + ',\n "rows": [\n  ' + ",\n  ".join(lines) + "\n ]}\n"
    temporary = BASELINE.with_name(f".{BASELINE.name}.{os.getpid()}.tmp")
    temporary.write_text(text)
    temporary.rename(BASELINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/bench", help="a build folder that was configured with -DFRIT_BENCH=ON")
    parser.add_argument("--renew", action="store_true", help="store the new counts")
    parser.add_argument("--keep", type=Path, help="keep the counts by function here, for callgrind_annotate")
    options = parser.parse_args()
    driver = (options.build / "bench/instruction_gate_driver").resolve()
    if os.uname().machine != "x86_64":
        return skip(f"the stored counts are of x86-64-v3, this machine is {os.uname().machine}")
    if shutil.which("valgrind") is None:
        return skip("there is no Valgrind (tools/install.sh --with-bench installs it)")
    if not driver.exists():
        sys.exit(f"gate.py: {driver} is not there; make instruction-gate builds it")
    known = output_of(driver, "versions").splitlines()
    if "built without Valgrind's header" in known:
        return skip("the driver was built without valgrind/callgrind.h; build it again where Valgrind is installed")
    versions = dict(line.split(" ", 1) for line in known) | {"Valgrind": output_of("valgrind", "--version").strip().removeprefix("valgrind-")}
    baseline = json.loads(BASELINE.read_text())
    if not options.renew:
        differing = [f"{name} {version} here, {baseline['versions'].get(name)} there" for name, version in versions.items()
                     if baseline["versions"].get(name) != version]
        if differing:
            return skip(f"the stored counts are of other versions: {'; '.join(differing)}. RENEW=1 stores those of this machine")

    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        counts, wrong = count(driver, [entry["row"] for entry in baseline["rows"]], folder)
    if wrong:
        sys.exit("gate.py: other code ran than is counted:\n  " + "\n  ".join(wrong))
    passed = failed = lower = 0
    print(f"{'row':<52} {'stored':>14} {'now':>14} {'change':>8} {'allowed':>8}")
    for entry in baseline["rows"]:
        now = counts[entry["row"]] / entry["per"]
        verdict, change = compare(entry, now)
        failed += verdict == "FAILED"
        lower += verdict == "lower"
        passed += verdict in ("ok", "lower")
        stored = "" if entry["count"] is None else f"{entry['count']:,.1f}"
        print(f"{entry['row']:<52} {stored:>14} {now:>14,.1f} {change:>8} {entry['tolerance']:>8.0%}"
              f"  {entry['unit']}{'' if verdict == 'ok' else ', ' + verdict}")
    if options.renew:
        store(baseline, counts, versions)
        print(f"stored in {BASELINE.relative_to(ROOT)}")
        return 0
    if lower:
        print(f"{lower} rows need fewer instructions than stored: make instruction-gate RENEW=1 keeps it so")
    if new := sum(entry["count"] is None for entry in baseline["rows"]):
        failed += new
        print(f"{new} rows have no stored count: make instruction-gate RENEW=1 stores it")
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
