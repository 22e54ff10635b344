#!/usr/bin/env python3
"""Changes one constant, comparison, operand or sign at a time in the ops and math templates, and looks for a test that fails.

    tools/mutation/mutate.py [--mutants N] [--units REGEX] [--jobs N] [--seed N] [--work FOLDER] [--list]

A unit is an op of src/ops or a file of src/math. Of each unit N mutants are drawn, the first a constant or a comparison where
there is one. Each is put into a copy of the sources, and the tests that can kill it are built alone and run, the cheapest
first, up to the first that fails. A mutant that does not compile is replaced by another. equivalent.txt lists those that no
test can kill.

The exit status is 0 where at least --least per cent are killed and the others are listed in equivalent.txt."""

import argparse
import concurrent.futures
import dataclasses
import functools
import hashlib
import os
import queue
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path("tools/mutation")
NOT_TRIED = {
    "src/math/root_estimate.hpp": "machine code alone uses it: compiled_roots_test needs the whole compiler",
    "src/math/generated/hard_roots.hpp": "arguments of tests",
}


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str  # of the file
    unit: str  # an op's name or the path
    rule: str
    start: int
    old: str
    new: str
    composite: bool = False  # of an op that is written in others
    elementary: bool = False  # of an op whose kernels stand in that half of the table
    integer: bool = False  # of what an op computes of integers alone

    def apply(self, text: str) -> str:
        assert text[self.start : self.start + len(self.old)] == self.old
        return text[: self.start] + self.new + text[self.start + len(self.old) :]


def blank_comments(text: str) -> str:
    """The text with comments, strings and lines that hold no values as spaces, so that offsets stay."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r"//[^\n]*", blank, text)
    text = re.sub(r'"[^"\n]*"', blank, text)
    text = re.sub(r"static constexpr OpInfo info\{.*?\};", blank, text, flags=re.S)
    text = re.sub(r"requires\(!is_complex_value<V>\)", blank, text)
    return re.sub(r"^[^\n]*(#|static_assert|using |if constexpr|namespace)[^\n]*$", blank, text, flags=re.M)


# What ` a OP b ` becomes.
OPERATORS = {
    "<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "==",
    "+": "-", "-": "+", "*": "+", "/": "*", "&": "|", "|": "&",
}  # fmt: skip
COMPARISONS = {"<", ">", "<=", ">=", "==", "!="}


def changed_literal(text: str, start: int, literal: str) -> str:
    """Another value of a hexadecimal literal: the exponent of a power of two goes a tenth away from zero; of others a digit
    changes, high enough to move the result by more than the budget: the further back a coefficient stands, the higher."""
    mantissa, exponent = literal.split("p")
    digits = mantissa[4:] if mantissa.startswith("0x1.") else ""
    if not digits:
        e = int(exponent)
        return f"{mantissa}p{e + (1 if e >= 0 else -1) * max(1, abs(e) // 10):+d}"
    opening, closing = text.rfind("{", 0, start), text.find("}", start)
    place = 0
    if opening >= 0 and closing >= 0 and "]" in text[max(0, opening - 30) : opening]:
        before, after = text.count(",", opening, start), text.count(",", start, closing)
        place = 0 if before > after else min(2, len(digits) - 1)
    else:
        place = min(3, len(digits) - 1)
    digit = int(digits[place], 16) ^ 4
    return f"0x1.{digits[:place]}{digit:x}{digits[place + 1 :]}p{exponent}"


def arguments_of(code: str, opening: int) -> list[tuple[int, int]]:
    """Where the arguments of a call stand, whose ( is at `opening`."""
    depth, begin, found = 0, opening + 1, []
    for i in range(opening, len(code)):
        if code[i] in "([{":
            depth += 1
        elif code[i] in ")]}":
            depth -= 1
            if depth == 0:
                return found + [(begin, i)]
        elif code[i] == "," and depth == 1:
            found.append((begin, i))
            begin = i + 1
    return []


def mutants_of(path: str, text: str, unit: str, begin: int, end: int) -> list[Mutant]:
    code = blank_comments(text)
    composite = unit.startswith("op ") and " expand(" in text[begin:end]
    elementary = unit.startswith("op ") and "CostClass::elementary" in text[begin:end]
    # A function on one line, or up to the brace under its name.
    integer_parts = [m.span() for m in re.finditer(r"^  [^\n]* (?:integer_value|raises)\((?:[^\n]*\}\n|.*?\n  \}\n)", code, flags=re.M | re.S)]
    found: list[Mutant] = []

    def add(rule: str, start: int, old: str, new: str) -> None:
        if begin <= start < end and old != new:
            integer = any(first <= start < last for first, last in integer_parts)
            found.append(Mutant(path, unit, rule, start, old, new, composite, elementary, integer))

    for m in re.finditer(r"0x1(?:\.[0-9a-f]+)?p[+-]?\d+", code):
        add("constant", m.start(), m.group(), changed_literal(code, m.start(), m.group()))
    for m in re.finditer(r"(?<=[VT]\()\d+(?=\))|(?<=::of\()\d+(?=\))", code):
        add("constant", m.start(), m.group(), str(int(m.group()) + 1))
    for m in re.finditer(r"(?<= )([<>=!]=|[<>+\-*/&|])(?= )", code):
        line = code[code.rfind("\n", 0, m.start()) + 1 : m.start()]
        if m.group() in "<>" and line.rstrip().endswith("template"):
            continue
        if m.group() == "-" and line.rstrip()[-1:] in "(,={?:":
            continue
        rule = "comparison" if m.group() in COMPARISONS else "operator"
        add(rule, m.start(), m.group(), OPERATORS[m.group()])
    for m in re.finditer(r"(?<=[({ ])-(?=[a-z(])", code):
        add("sign", m.start(), "-", "")
    for m in re.finditer(r"~(?=[a-z(])", code):
        add("sign", m.start(), "~", "")
    for m in re.finditer(r"\bselect\(", code):
        places = arguments_of(code, m.end() - 1)
        if len(places) == 3:
            (a0, a1), (b0, b1) = places[1], places[2]
            add("operand", a0, text[a0:b1], text[b0:b1] + text[a1:b0] + text[a0:a1])
    for m in re.finditer(r"(?<=return )(?:math::|fma\(|sqrt\(|abs\()[^;{]*(?=;)", code):
        add("sign", m.start(), text[m.start() : m.end()], "-" + text[m.start() : m.end()])
    for m in re.finditer(r"(?<=return \{)([\w.]+), ([\w.]+)(?=\})", code):
        add("operand", m.start(), m.group(), f"{m.group(2)}, {m.group(1)}")
    for m in re.finditer(r"(?<=return )(\w+)\.(re|im)(?=;)", code):
        add("operand", m.start(), m.group(), m.group(1) + (".im" if m.group(2) == "re" else ".re"))
    for m in re.finditer(r"(?<=return )\w+(?=;)", code):
        add("sign", m.start(), m.group(), "-" + m.group())
    return found


def units(sources: dict[str, str]) -> dict[str, list[Mutant]]:
    result: dict[str, list[Mutant]] = {}
    for path, text in sources.items():
        if path.startswith("src/math/"):
            result[path] = mutants_of(path, text, path, 0, len(text))
            continue
        for m in re.finditer(r"^struct (\w+) \{$", text, flags=re.M):
            end = text.index("\n};", m.end())
            if "OpInfo info" in text[m.start() : end]:
                name = f"op {m.group(1)}"
                result[name] = mutants_of(path, text, name, m.start(), end)
    return {name: found for name, found in result.items() if found}


def order(found: list[Mutant], seed: int, unit: str) -> list[Mutant]:
    """All of them in the order in which they are drawn."""
    rng = random.Random(f"{seed} {unit}")
    shuffled = found[:]
    rng.shuffle(shuffled)
    first = next((m for m in shuffled if m.rule in ("constant", "comparison")), shuffled[0])
    shuffled.remove(first)
    return [first] + shuffled


FLAGS = ["-O1", "-w", "-std=c++20", "-ffp-contract=off", "-DNDEBUG", "-DFMT_SHARED", '-DFRIT_VERSION="0"', '-DFRIT_SOURCE_DIR="."',
         "-Iinclude", "-Isrc", "-Itests"]  # fmt: skip
LIBRARIES = ["-lgtest_main", "-lgtest", "-lmpfr", "-lgmp", "-lquadmath", "-lfmt", "-lpthread"]
# What ops_accuracy_test needs of the library; the kernels are those of table.cpp.
LIBRARY = ["src/core/*.cpp", "src/ops/*.cpp", "src/graph/*.cpp", "src/plan/*.cpp", "src/exec/program.cpp", "src/exec/pack.cpp", "src/exec/constants.cpp",
           "src/exec/kernels/fused.cpp"]
ORACLE = ["tests/oracle/oracle.cpp", "tests/oracle/*_entries.cpp"]
# What integer_ops_test needs.
INTEGERS = ["src/exec/kernels/integers.cpp", str(HERE / "integer_table.cpp"), "src/ops/table.cpp"]


class Killer:
    """A test, the sources that it is made of, and where it is no test by itself the file that has what it prints."""

    def __init__(self, name: str, sources: list[str], prints: str | None = None):
        self.name = name
        self.sources = sources
        self.prints = prints


def included(tree: Path, file: str) -> dict[str, int]:
    """The sources that a file includes, directly or not, each with the number of steps to it."""
    steps = {file: 0}
    waiting = [file]
    while waiting:
        at = waiting.pop(0)
        for name in re.findall(r'^#include "([^"]+)"', (tree / at).read_text(), flags=re.M):
            beside = str(Path(at).parent / name)
            found = next((p for p in (f"src/{name}", f"tests/{name}", f"include/{name}", beside) if (tree / p).is_file()), None)
            if found is not None and found not in steps:
                steps[found] = steps[at] + 1
                waiting.append(found)
    return steps


@functools.cache
def standalone(tree: Path) -> dict[str, dict[str, int]]:
    """The tests of accuracy that instantiate the templates themselves, and so need nothing of the library."""
    result = {}
    for test in sorted((tree / "tests/accuracy").glob("*_test.cpp")):
        steps = included(tree, str(test.relative_to(tree)))
        if any(p.startswith("src/math/") for p in steps) and not any(re.match(r"src/(ops|graph|exec)/", p) for p in steps):
            result[test.name.removesuffix("_test.cpp")] = steps
    return result


def with_library(tree: Path, test: str, patterns: list[str]) -> Killer:
    sources = [f"tests/{test}_test.cpp", str(HERE / "table.cpp"), str(HERE / "elementary.cpp")]
    for pattern in patterns:
        sources += sorted(str(p.relative_to(tree)) for p in tree.glob(pattern))
    return Killer(test.split("/")[-1], sources)


def killers_of(mutant: Mutant, tree: Path) -> list[Killer]:
    if mutant.integer:
        return [Killer("integer_ops", ["tests/unit/integer_ops_test.cpp", *INTEGERS])]
    if mutant.path.startswith("src/ops/"):
        killers = [with_library(tree, "accuracy/ops_accuracy", LIBRARY + ORACLE)]
        # The ops that rename parts are computed apart where constants are folded.
        if mutant.path.endswith("parts.hpp"):
            killers.append(with_library(tree, "unit/passes", LIBRARY + ["src/passes/*.cpp"]))
        return killers
    # Those that include the header, the nearest first and of these the one with fewer sources.
    near = sorted((steps[mutant.path], len(steps), name) for name, steps in standalone(tree).items() if mutant.path in steps)
    if not near:
        sys.exit(f"no test of tests/accuracy includes {mutant.path} without the library")
    killers = [Killer(name, [f"tests/accuracy/{name}_test.cpp"]) for _, _, name in near]
    # Last, since it takes the longest to compile: what changes bits within the budgets.
    return killers + [Killer("hashes", [str(HERE / "hashes.cpp")], "tests/modes/hashes.txt")]


class Worker:
    """A copy of the sources, and objects of them."""

    def __init__(self, work: Path, number: int):
        self.tree = work / f"tree{number}"
        self.objects = work / f"objects{number}"
        shutil.rmtree(self.tree, ignore_errors=True)
        for folder in ("src", "include", "tests", str(HERE)):
            shutil.copytree(ROOT / folder, self.tree / folder, ignore=shutil.ignore_patterns("corpus", "generated_*"))
        (self.tree / HERE / "elementary.cpp").write_text('#define FRIT_MUTATION_ELEMENTARY\n#include "table.cpp"\n')
        self.objects.mkdir(parents=True, exist_ok=True)

    def compile(self, source: str) -> str | None:
        """None where it compiled: only what differs from the last time is compiled."""
        target = self.objects / (source.replace("/", "_") + ".o")
        expanded = subprocess.run(["g++", *FLAGS, "-E", source], cwd=self.tree, capture_output=True)
        if expanded.returncode != 0:
            return expanded.stderr.decode(errors="replace")
        digest = hashlib.sha256(expanded.stdout).hexdigest()
        stamp = target.with_suffix(".sha")
        if target.exists() and stamp.exists() and stamp.read_text() == digest:
            return None
        done = subprocess.run(["g++", *FLAGS, "-c", source, "-o", str(target)], cwd=self.tree, capture_output=True)
        if done.returncode != 0:
            return done.stderr.decode(errors="replace")
        stamp.write_text(digest)
        return None

    def affected(self, mutant: Mutant | None, source: str) -> bool:
        """Whether the code made of a source can depend on the mutant. What an op computes stands in one half of the table; in the
        test only where the op is composite; in the plan and elsewhere only where it renames parts."""
        if mutant is None or not mutant.path.startswith("src/ops/") or mutant.path.endswith("parts.hpp"):
            return True
        if mutant.composite:
            return source.startswith("tests/")
        if mutant.integer:
            return source == INTEGERS[0]
        return source == str(HERE / ("elementary.cpp" if mutant.elementary else "table.cpp"))

    def run(self, killer: Killer, mutant: Mutant | None) -> str:
        """"passed", "failed: which test", or "does not compile: why"."""
        for source in killer.sources:
            if not self.affected(mutant, source):
                continue
            error = self.compile(source)
            if error is not None:
                return "does not compile: " + next((x for x in error.splitlines() if "error" in x), error[:200])
        program = self.objects / killer.name
        objects = [str(self.objects / (s.replace("/", "_") + ".o")) for s in killer.sources]
        link = subprocess.run(["g++", *objects, "-o", str(program), *LIBRARIES], capture_output=True)
        if link.returncode != 0:
            return "does not compile: " + link.stderr.decode(errors="replace")[-300:]
        try:
            done = subprocess.run([str(program), "--gtest_fail_fast", "--gtest_brief=1"], capture_output=True, timeout=600)
        except subprocess.TimeoutExpired:
            return "failed: does not end"
        if killer.prints is not None:
            want = (self.tree / killer.prints).read_text().splitlines()
            got = done.stdout.decode(errors="replace").splitlines()
            if got == want:
                return "passed"
            return "failed: " + next((g for g, w in zip(got, want) if g != w), f"{len(got)} hashes, not {len(want)}")
        if done.returncode == 0:
            return "passed"
        names = re.findall(r"\[  FAILED  \] ([\w./]+)", done.stdout.decode(errors="replace"))
        return "failed: " + (names[0] if names else f"status {done.returncode}")

    def judge(self, mutant: Mutant) -> str:
        file = self.tree / mutant.path
        original = file.read_text()
        file.write_text(mutant.apply(original))
        try:
            for killer in killers_of(mutant, self.tree):
                outcome = self.run(killer, mutant)
                if outcome.startswith("does not compile"):
                    return outcome
                if outcome != "passed":
                    return f"killed by {killer.name}: {outcome.removeprefix('failed: ')}"
            return "survived"
        finally:
            file.write_text(original)

    def check_original(self, chosen: list[Mutant]) -> None:
        """The tests pass on the sources as they are; else every mutant would seem killed."""
        needed = {k.name: k for m in chosen for k in killers_of(m, self.tree)}
        for killer in needed.values():
            outcome = self.run(killer, None)
            if outcome != "passed":
                sys.exit(f"{killer.name} does not pass on the sources as they are: {outcome}")


def lines_of(text: str, mutant: Mutant) -> tuple[str, str]:
    """The changed lines before and after, each on one line."""
    first = text.rfind("\n", 0, mutant.start) + 1
    last = text.find("\n", mutant.start + len(mutant.old))
    join = lambda piece: " ".join(piece.split())
    after = mutant.apply(text)
    return join(text[first:last]), join(after[first : last + len(after) - len(text)])


def equivalents() -> dict[tuple[str, str, str], str]:
    result = {}
    for block in (ROOT / HERE / "equivalent.txt").read_text().split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if lines:
            path, before, after, *reason = lines
            result[path, before.removeprefix("- "), after.removeprefix("+ ")] = " ".join(reason)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=2, help="of each unit")
    parser.add_argument("--units", default="", help="a regular expression for the names of units")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at the same time, each with its own copy of the sources")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=95, help="per cent that must be killed")
    parser.add_argument("--work", type=Path, default=ROOT / "build/mutation")
    parser.add_argument("--list", action="store_true", help="print the mutants and end")
    options = parser.parse_args()

    # The files of ops are those that the list includes.
    paths = re.findall(r'^#include "(ops/\w+\.hpp)"', (ROOT / "src/ops/list.hpp").read_text(), flags=re.M)
    paths = [f"src/{path}" for path in paths if path != "ops/info.hpp"]
    paths += sorted(str(p.relative_to(ROOT)) for p in (ROOT / "src/math").rglob("*.hpp"))
    paths = [path for path in paths if path not in NOT_TRIED]
    sources = {path: (ROOT / path).read_text() for path in paths}
    drawn = {name: order(found, options.seed, name) for name, found in units(sources).items()
             if re.search(options.units, name)}  # fmt: skip
    if options.list:
        for name, found in drawn.items():
            for mutant in found[: options.mutants]:
                before, after = lines_of(sources[mutant.path], mutant)
                print(f"{name} ({mutant.rule}, one of {len(found)})\n  - {before}\n  + {after}")
        return 0

    options.work.mkdir(parents=True, exist_ok=True)
    known = equivalents()
    everyone = [Worker(options.work, number) for number in range(options.jobs)]
    everyone[0].check_original([found[0] for found in drawn.values()])
    workers: queue.Queue[Worker] = queue.Queue()
    for worker in everyone:
        if worker is not everyone[0]:
            shutil.copytree(everyone[0].objects, worker.objects, dirs_exist_ok=True)
        workers.put(worker)
    report = (options.work / "report.txt").open("a")
    totals = {"killed": 0, "survived": 0, "equivalent": 0, "does not compile": 0}
    def run_unit(name: str) -> list[str]:
        worker = workers.get()
        lines = []
        try:
            done = 0
            for mutant in drawn[name]:
                if done == options.mutants:
                    break
                before, after = lines_of(sources[mutant.path], mutant)
                if (mutant.path, before, after) in known:
                    outcome = "equivalent: " + known[mutant.path, before, after]
                else:
                    outcome = worker.judge(mutant)
                kind = next(k for k in totals if outcome.startswith(k))
                totals[kind] += 1
                done += 0 if kind in ("does not compile",) else 1
                lines.append(f"{outcome}\n  {name}, {mutant.path} ({mutant.rule})\n  - {before}\n  + {after}\n")
                print(lines[-1], flush=True)
                report.write(lines[-1])
                report.flush()
        finally:
            workers.put(worker)
        return lines

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(run_unit, drawn))
    counted = totals["killed"] + totals["survived"]
    share = 100 * totals["killed"] / counted if counted else 0
    print("".join(f"not tried: {path}: {reason}\n" for path, reason in NOT_TRIED.items()))
    print("survived:\n" + "".join(line for lines in results for line in lines if line.startswith("survived")))
    print(f"{len(drawn)} units, {totals['killed']} of {counted} mutants killed ({share:.1f} %), {totals['equivalent']} equivalent, "
          f"{totals['does not compile']} did not compile")  # fmt: skip
    return 0 if counted and share >= options.least else 1


sys.exit(main())
