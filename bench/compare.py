#!/usr/bin/env python3
"""Times frit beside hand-written C++ and prints ratios with their spread.

    bench/compare.py [--build build] [--models FOLDER] [--models-yardstick FOLDER] [--json FILE] [...]
    bench/compare.py --arrays [--build build] [--rows NAMES] [--dtypes f64,f32] [...]

Every row is measured in one process in which the hand-written kernels and frit's modes take turns. A cell of frit is: ns per
element, the ratio of the medians to the faster hand-written variant, in brackets the quartiles of the ratio of each round, all by
processor time of the thread; then the ratio by wall time. The first call (frit: binding, compiling and the call) stands apart.

A row is NOISY where the processor time of a loop that only works in registers spread by more than 10 %, or where others kept half
of the cores busy: they share caches, memory and perhaps the units of a core, which a ratio mostly survives and a time does not; and
where the ratio of medians is outside the quartiles. The exit status is 0 then too, since nothing failed; the last line says it.

With --arrays the problems run as functions over arrays, in all modes, and the tables are what docs/benchmarks.md has: ratios beside
the most that machine code may take, automatic mode by eager mode, and what two threads bring.
"""

import argparse
import ast
import hashlib
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STEADY_SPREAD = 0.10


def fail(text: str) -> None:
    sys.exit(f"compare.py: {text}")


def quartiles(values: list[float]) -> tuple[float, float, float]:
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def busy_seconds() -> float:
    """Seconds of all cores that were not idle; stolen ones count."""
    fields = [int(x) for x in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")


class Driver:
    def __init__(self, program: Path, cores: int):
        self.program = program
        self.cores = cores

    def run(self, *arguments: str) -> dict:
        """One row, with how busy others kept the machine meanwhile, in cores."""
        others, wall, own = busy_seconds(), time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            fail(f"{' '.join(map(str, done.args))} ended with status {done.returncode}")
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        others = busy_seconds() - others - (used.ru_utime + used.ru_stime - own.ru_utime - own.ru_stime)
        row = json.loads(done.stdout)
        row["others_busy_cores"] = max(0.0, others) / max(time.monotonic() - wall, 1e-9)
        return row


def unvectorised(yardstick: Path) -> tuple[dict[tuple[str, str], str], list[str]]:
    """Kernels of the variant libmvec whose code does not call what it is named for: (problem, dtype) -> why."""
    listed = subprocess.run([yardstick, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    kernels = [line.split("\t") for line in listed.splitlines()]
    if shutil.which("objdump") is None:
        return {}, ["calls of libmvec were not looked for: there is no objdump"]
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", kernels[0][3]], stdout=subprocess.PIPE, text=True, check=True)
    calls: dict[int, set[str]] = {}
    inside: set[str] = set()
    for line in code.stdout.splitlines():
        if begin := re.match(r"([0-9a-f]+) <.*>:", line):
            inside = calls.setdefault(int(begin[1], 16), set())
        elif call := re.search(r"\b(?:call|jmp) .*<_ZGV[a-e]N?\d+v+_(\w+)", line):
            inside.add(call[1])
    reasons = {}
    for problem, variant, dtype, _, place, functions in kernels:
        if variant != "libmvec":
            continue
        wanted = {name + ("f" if dtype == "f32" else "") for name in functions.split()}
        if lacking := wanted - calls.get(int(place, 16), set()):
            reasons[problem, dtype] = f"no vector call of {', '.join(sorted(lacking))} in the code (libmvec of glibc 2.35 or newer on x86-64 has them)"
    return reasons, []


def model_flags(folder: Path) -> list[str]:
    """FLAGS of yardstick.py, which are those that its sources are meant for."""
    for node in ast.parse((folder / "yardstick.py").read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "FLAGS" and isinstance(node.value, ast.Call):
            return ast.literal_eval(node.value.func.value).split()
    fail(f"{folder}/yardstick.py has no FLAGS")


def compile_model(folder: Path, what: str, name: str, cache: Path) -> Path | None:
    """The library of `what` (value or gradient) of a model; None where there is no source of it."""
    source = folder / f"{what}_{name}.cpp"
    if not source.exists():
        return None
    flags = model_flags(folder)
    key = hashlib.sha256(source.read_bytes() + " ".join(flags).encode()).hexdigest()[:16]
    library = cache / f"{what}_{name}-{key}.so"
    if not library.exists():
        cache.mkdir(parents=True, exist_ok=True)
        temporary = library.with_suffix(f".{os.getpid()}.tmp")
        dtypes = ["-DHAVE_f64", "-DHAVE_f32"] if what == "value" else ["-DHAVE_f64"]
        command = ["g++", *flags, *dtypes, str(source), "-o", str(temporary)]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            fail(f"{' '.join(command)}\n{done.stderr}")
        temporary.rename(library)
    return library


class Row:
    """Medians and ratios of one row."""

    def __init__(self, name: str, dtype: str, measured: dict, missing: str, cores: int):
        self.name, self.dtype, self.missing = name, dtype, missing
        self.elements = measured["elements"]
        self.candidates = measured["candidates"]
        self.yardsticks = self.candidates[: measured["yardsticks"]]
        self.frit = self.candidates[measured["yardsticks"] :]
        low, middle, high = quartiles(measured["registers_s"])
        self.spread = (high - low) / middle
        self.others = measured["others_busy_cores"]
        self.noise = []
        if self.spread > STEADY_SPREAD:
            self.noise.append(f"registers {self.spread:.0%}")
        if self.others >= cores / 2:
            self.noise.append(f"others {self.others:.1f} cores")
        self.fastest = min(self.yardsticks, key=lambda c: statistics.median(c["cpu_s"]), default=None)
        for candidate in self.frit if self.fastest is not None else ():
            ratio = self.ratio(candidate, "cpu_s")
            if not ratio["low"] / 1.02 <= ratio["of_medians"] <= ratio["high"] * 1.02:
                self.noise.append(f"{candidate['name']} unsteady")

    def ns(self, candidate: dict, clock: str = "cpu_s") -> float:
        return statistics.median(candidate[clock]) / self.elements * 1e9

    def ratio(self, candidate: dict, clock: str, base: dict | None = None) -> dict:
        """To the fastest hand-written variant, or to another one."""
        base = base or self.fastest
        pairs = [a / b for a, b in zip(candidate[clock], base[clock])]
        low, _, high = quartiles(pairs)
        return {"of_medians": self.ns(candidate, clock) / self.ns(base, clock), "low": low, "high": high}

    def to_sleef(self, candidate: dict) -> dict | None:
        sleef = next((c for c in self.yardsticks if c["name"] == "SLEEF"), None)
        return self.ratio(candidate, "cpu_s", sleef) if sleef else None

    def mode(self, name: str) -> dict | None:
        return next((c for c in self.frit if c["name"] == name), None)

    def sleef_cell(self, mode: str) -> str:
        found = self.mode(mode)
        ratio = self.to_sleef(found) if found else None
        return f"{ratio['of_medians']:.2f} [{ratio['low']:.2f} {ratio['high']:.2f}]" if ratio else "-"

    def cell(self, mode: str) -> str:
        found = self.mode(mode)
        if found is None:
            return f"not there yet: {self.missing}" if self.missing and mode == "graph" else "" if self.missing else "-"
        if self.fastest is None:
            return f"{self.ns(found):.3g}"
        cpu, wall = self.ratio(found, "cpu_s"), self.ratio(found, "wall_s")
        return f"{self.ns(found):.3g}, {cpu['of_medians']:.2f} [{cpu['low']:.2f} {cpu['high']:.2f}], wall {wall['of_medians']:.2f}"

    def variant(self, names: tuple[str, ...]) -> str:
        return ", ".join(f"{self.ns(c):.3g}" for c in self.yardsticks if c["name"] in names)

    def as_json(self) -> dict:
        def entry(candidate: dict) -> dict:
            result = {"name": candidate["name"], "prepare_s": candidate["prepare_s"], "first_s": candidate["first_s"]}
            for clock in ("cpu", "wall"):
                low, middle, high = quartiles(candidate[clock + "_s"])
                result[f"{clock}_ns"] = {"median": middle * 1e9 / self.elements, "low": low * 1e9 / self.elements,
                                         "high": high * 1e9 / self.elements, "least": min(candidate[clock + "_s"]) * 1e9 / self.elements}
            return result

        frit = []
        for candidate in self.frit:
            one = entry(candidate)
            if self.fastest is not None:
                one |= {"ratio_cpu": self.ratio(candidate, "cpu_s"), "ratio_wall": self.ratio(candidate, "wall_s"),
                        "ratio_to_sleef": self.to_sleef(candidate)}
            if "difference" in candidate:
                one["difference"] = candidate["difference"]
            frit.append(one)
        return {"row": self.name, "dtype": self.dtype, "elements": self.elements, "yardsticks": [entry(c) for c in self.yardsticks],
                "fastest": self.fastest["name"] if self.fastest else None, "frit": frit, "missing": self.missing,
                "registers_spread": self.spread, "others_busy_cores": self.others, "noisy": bool(self.noise)}


def markdown(header: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(line[i]) for line in [header, *rows]) for i in range(len(header))]
    lines = [header, ["-" * max(3, width) for width in widths], *rows]
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() + " |" for line in lines)


def threads_text(row: dict) -> str:
    """How much more two threads do in the same wall time."""
    pairs = [2 * one / two for one, two in zip(row["registers_1_s"], row["registers_2_s"])]
    low, middle, high = quartiles(pairs)
    parts = [f"register-only loop {middle:.2f} [{low:.2f} {high:.2f}]"]
    half = len(row["candidates"]) // 2
    for one, two in zip(row["candidates"][:half], row["candidates"][half:]):
        low, middle, high = quartiles([a / b for a, b in zip(one["wall_s"], two["wall_s"])])
        parts.append(f"frit {one['name']}, 100 chained sines {middle:.2f} [{low:.2f} {high:.2f}]")
    return "Two threads by one, wall time: " + "; ".join(parts) + "."


def auto_by_eager(row: Row) -> float | None:
    """The median of automatic mode by that of eager mode, by wall time: they may use the same thread only."""
    automatic, eager = row.mode("auto"), row.mode("eager")
    return row.ratio(automatic, "wall_s", eager)["of_medians"] if automatic and eager else None


def functions_table(rows: list[tuple[Row, dict]]) -> str:
    """A row a function and dtype: ratios to the fastest variant, and those of machine code to what it is measured against."""

    def times(row: Row, mode: str) -> str:
        found = row.mode(mode)
        return f"{row.ratio(found, 'cpu_s')['of_medians']:.2f}" if found else "-"

    lines = []
    for row, function in rows:
        against = next((c for c in row.yardsticks if c["name"] == function["variant"]), row.fastest)
        goal, compiled = "-", row.mode("compiled")
        if compiled:
            ratio = row.ratio(compiled, "cpu_s", against)
            over = "" if ratio["of_medians"] <= function["most"] else " **above**"
            goal = f"{ratio['of_medians']:.2f} [{ratio['low']:.2f} {ratio['high']:.2f}] of {function['most']:.2f} {against['name']}{over}"
        automatic = auto_by_eager(row)
        lines.append([row.name, row.dtype, f"{row.ns(row.fastest):.3g} {row.fastest['name']}", *[times(row, m) for m in ("graph", "compiled", "auto", "eager")],
                      goal, f"{automatic:.2f}{' **above**' if automatic > 1.05 else ''}" if automatic else "-", "NOISY" if row.noise else ""])
    return markdown(["function", "dtype", "hand-written, ns", "graph", "compiled", "auto", "eager", "machine code, and the most", "auto by eager", "noise"], lines)


def functions_threads(name: str, dtype: str, measured: dict, modes: list[str]) -> list[str]:
    """How much more two threads do: the register-only loop, each mode, and the mode's share of the loop's."""

    def brought(one: dict, two: dict, work: int) -> float:
        return statistics.median(work * a / b for a, b in zip(one["wall_s"], two["wall_s"]))

    loop, frit = measured["candidates"][:2], measured["candidates"][2:]
    registers = brought(loop[0], loop[1], 2)
    cells = [f"{(by := brought(one, two, 1)):.2f}, {by / registers:.2f}" for one, two in zip(frit[: len(modes)], frit[len(modes) :])]
    return [name, dtype, f"{registers:.2f}", *cells]


def compare_functions(driver: Driver, listed: dict, scalar: dict, options: argparse.Namespace, keys: list[str], cores: int) -> int:
    """The tables of --arrays."""
    wanted = options.rows.split(",") if options.rows else None
    rows, threads, skipped = [], [], []
    modes = ["graph", "compiled"]
    for function in listed["functions"]:
        if wanted is not None and function["name"] not in wanted:
            continue
        for dtype in options.dtypes.split(","):
            measured = driver.run("traced", function["name"], dtype, *keys, "modes=graph,compiled,auto,eager")
            skipped += measured["skipped"]
            without_scalar(measured, (function["problem"], dtype), scalar)
            rows.append((Row(function["name"], dtype, measured, "", cores), function))
            print(f"  {function['name']} {dtype}", file=sys.stderr, flush=True)
            if cores >= 2 and not function["waits_for_memory"] and options.threads:
                measured = driver.run("traced-threads", function["name"], dtype, *keys, f"modes={','.join(modes)}")
                threads.append(functions_threads(function["name"], dtype, measured, modes))
    print("\nratios to the faster hand-written variant by processor time; machine code to the variant that its limit is for [quartiles]\n")
    print(functions_table(rows))
    if threads:
        print("\ntwo threads by one, wall time: the register-only loop, then each mode and its share of the loop's\n")
        print(markdown(["function", "dtype", "registers", *modes], threads))
    for reason in dict.fromkeys(skipped):
        print(f"SKIPPED {reason}")
    if options.json is not None:
        write_json(options.json, {"load_average": os.getloadavg(), "cores": cores, "vectors": listed["vectors"], "isa": listed["isa"],
                                  "rows": [row.as_json() | {"automatic_by_eager": auto_by_eager(row)} for row, _ in rows], "threads": threads})
    print(f"\nload average {os.getloadavg()[0]:.2f}; NOISY: {sum(1 for row, _ in rows if row.noise)} of {len(rows)} rows")
    return 0


def without_scalar(measured: dict, row: tuple[str, str], scalar: dict) -> None:
    """Takes out a variant of libmvec that does not call it."""
    if row in scalar:
        measured["candidates"] = [c for c in measured["candidates"] if c["name"] != "libmvec"]
        measured["yardsticks"] -= 1


def write_json(path: Path, figures: dict) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text(json.dumps(figures, indent=1) + "\n")
    temporary.rename(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="a build folder that was configured with -DFRIT_BENCH=ON")
    parser.add_argument("--models", type=Path, action="append", help="a folder of models; default: $FRIT_MODELS, else examples/models")
    parser.add_argument("--models-yardstick", type=Path, help="a folder with yardstick.py, arguments.json and value_MODEL.cpp")
    parser.add_argument("--arrays", action="store_true", help="the problems as functions over arrays")
    parser.add_argument("--no-threads", dest="threads", action="store_false", help="with --arrays: not on two threads")
    parser.add_argument("--rows", help="names of kernels and models, comma-separated; default: all")
    parser.add_argument("--dtypes", default="f64,f32")
    parser.add_argument("--modes", default="eager,graph,compiled")
    parser.add_argument("--rounds", type=int, default=15, help="samples of each candidate")
    parser.add_argument("--min-time", type=float, default=0.01, help="seconds a sample")
    parser.add_argument("--events", type=int, default=100_000, help="of a model")
    parser.add_argument("--gradients", action="store_true", help="also likelihoods with their gradients, of the yardstick's folder")
    parser.add_argument("--effort", type=int, default=1, help="of the compiler")
    parser.add_argument("--json", type=Path, help="write all figures here")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    programs = (options.build / "bench").resolve()
    driver = Driver(programs / "compare_driver", cores)
    if not driver.program.exists():
        fail(f"{driver.program} is not there; configure with -DFRIT_BENCH=ON and build compare_driver and yardstick (make bench does)")

    check = subprocess.run([programs / "yardstick", "--check"], stdout=subprocess.PIPE, text=True)
    if check.returncode != 0:
        fail("a hand-written kernel is wrong, so nothing is timed:\n" + check.stdout)
    listed = driver.run("problems")
    scalar, skipped = unvectorised(programs / "yardstick")
    skipped += [f"{problem} {dtype}, libmvec: {why}" for (problem, dtype), why in scalar.items()]
    if listed["no_sleef"]:
        skipped.append(f"variant SLEEF: {listed['no_sleef']}")
    if listed["vectors"] != "AVX-512":
        skipped.append(f"AVX-512: the kernels use {listed['vectors']} on this CPU")
    wanted = options.rows.split(",") if options.rows else None
    dtypes = options.dtypes.split(",")
    modes = options.modes.split(",")
    keys = [f"modes={options.modes}", f"rounds={options.rounds}", f"min_time={options.min_time}", f"effort={options.effort}"]
    print(f"hand-written kernels: {listed['vectors']}; frit's kernels: {listed['isa']}; {cores} cores, "
          f"load average {os.getloadavg()[0]:.2f}; {options.rounds} rounds", flush=True)

    if options.arrays:
        return compare_functions(driver, listed, scalar, options, keys[1:], cores)
    functions = {function["name"]: function for function in listed["functions"]}
    rows: list[Row] = []
    for problem in listed["problems"]:
        if wanted is not None and problem["name"] not in wanted:
            continue
        for dtype in dtypes:
            # What is no expression is a function over arrays, where it is anything of frit.
            what = "traced" if not problem["expression"] and problem["name"] in functions else "array"
            measured = driver.run(what, problem["name"], dtype, *keys)
            skipped += measured["skipped"]
            without_scalar(measured, (problem["name"], dtype), scalar)
            rows.append(Row(problem["name"], dtype, measured, "", cores))

    folders = options.models or [Path(os.environ.get("FRIT_MODELS") or ROOT / "examples/models")]
    models = sorted(path.parent for folder in folders for path in folder.glob("*/model.srepr"))
    if options.models_yardstick is None:
        skipped.append("models: no --models-yardstick, so there is nothing to compare frit with")
        models = []
    for model in models:
        if wanted is not None and model.name not in wanted:
            continue
        library = compile_model(options.models_yardstick, "value", model.name, programs / "models")
        yardstick = [f"yardstick={library}", f"arguments={options.models_yardstick / 'arguments.json'}"] if library else []
        if library is None:
            skipped.append(f"{model.name}: {options.models_yardstick} has no value_{model.name}.cpp; frit's time stands alone")
        for dtype in dtypes:
            measured = driver.run("model", str(model), dtype, f"size={options.events}", *yardstick, *keys)
            skipped += measured["skipped"]
            rows.append(Row(model.name, dtype, measured, "", cores))
        if options.gradients and (library := compile_model(options.models_yardstick, "gradient", model.name, programs / "models")):
            measured = driver.run("gradient", str(model), f"size={options.events}", f"yardstick={library}",
                                  f"arguments={options.models_yardstick / 'arguments.json'}", *keys)
            rows.append(Row(f"{model.name}, NLL gradient", "f64", measured, "derivatives, sums over events", cores))
    if wanted is not None and (unknown := set(wanted) - {row.name for row in rows} - {"threads"}):
        fail(f"no row {', '.join(sorted(unknown))}; models are compared with --models-yardstick only")

    bandwidth = {row.dtype: row.elements * (8 if row.dtype == "f64" else 4) / statistics.median(row.yardsticks[0]["cpu_s"]) / 1e9
                 for row in rows if row.name == "load_only"}
    print("\nns per element, processor time; frit: ns, ratio to the faster hand-written variant [quartiles], ratio of wall times\n")
    print(markdown(["row", "dtype", "libmvec or plain", "SLEEF", *[f"frit {mode}" for mode in modes], "noise"],
                   [[row.name, row.dtype, row.variant(("libmvec", "plain")), row.variant(("SLEEF",)), *[row.cell(mode) for mode in modes],
                     "NOISY: " + ", ".join(row.noise) if row.noise else ""] for row in rows]))
    if compared := [row for row in rows if any(row.to_sleef(c) for c in row.frit)]:
        print("\nratio to the variant of SLEEF, whose functions keep 1 ulp as frit's do, by processor time\n")
        print(markdown(["row", "dtype", *[f"frit {mode}" for mode in modes]],
                       [[row.name, row.dtype, *[row.sleef_cell(mode) for mode in modes]] for row in compared]))
    if any(row.frit for row in rows):
        print("\nfirst call, ms; frit: binding (with the compilation) + call\n")
        print(markdown(["row", "dtype", "hand-written", *[f"frit {mode}" for mode in modes]],
                       [[row.name, row.dtype, f"{row.yardsticks[0]['first_s'] * 1e3:.3g}" if row.yardsticks else "-",
                         *[next((f"{c['prepare_s'] * 1e3:.3g} + {c['first_s'] * 1e3:.3g}" for c in row.frit if c["name"] == mode), "-")
                           for mode in modes]] for row in rows if row.frit]))
    for dtype, rate in bandwidth.items():
        print(f"\nread bandwidth of one core, {dtype}: {rate:.1f} GB/s")
    threads = None
    if wanted is None or "threads" in wanted:
        if cores >= 2:
            threads = driver.run("threads", *[f"modes={','.join(m for m in modes if m != 'eager')}" if k.startswith("modes=") else k for k in keys])
            print("\n" + threads_text(threads))
        else:
            skipped.append("two threads: this process may use one core")
    for reason in dict.fromkeys(skipped):
        print(f"SKIPPED {reason}")
    if options.json is not None:
        write_json(options.json, {"load_average": os.getloadavg(), "cores": cores, "vectors": listed["vectors"], "isa": listed["isa"],
                                  "rows": [row.as_json() for row in rows], "threads": threads, "skipped": skipped})
    noisy = sum(1 for row in rows if row.noise)
    if noisy:
        print(f"NOISY: {noisy} of {len(rows)} rows; repeat them when the machine is quiet")
    else:
        print(f"{len(rows)} rows, the machine was steady")
    return 0


if __name__ == "__main__":
    sys.exit(main())
