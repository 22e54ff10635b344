#!/usr/bin/env python3
"""Times the real functions beside SLEEF, libmvec and scalar glibc, prints a table and draws time against error.

    bench/functions.py --build build/bench [--ops exp,log] [--json FILE] [--page docs/benchmarks.md] [--plot docs/functions.svg]

Every function is one process in which the libraries take turns in random order. A cell is the median of the repetitions in ns an
element, the quartiles in brackets, and the largest error in ulp over the range that is timed. Ratios are those of medians."""

import argparse
import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ELEMENTS = 2048
VECTORS = {"v4": "AVX-512", "v3": "AVX2", "a64": "NEON"}
BEGIN, END = "<!-- functions: bench/functions.py writes this block -->\n", "<!-- end of functions -->\n"
# A function that SLEEF lacks is compared with the sum of its parts, which are frit's.
PARTS = {
    "rsqrt": ("sqrt", "reciprocal"),
    "sinc": ("sinpi", "divide"),
    "logistic": ("exp", "reciprocal"),
    "softplus": ("exp", "log1p"),
    "logaddexp": ("exp", "log1p"),
    "digamma": ("log", "reciprocal"),
    "erfinv": ("log", "sqrt", "divide"),
}


def measure(program: Path, ops: tuple[str, ...], options: argparse.Namespace) -> dict[str, dict[tuple[str, str, str], dict]]:
    """Of each op, by dtype, ISA and library; all of them take turns."""
    command = [program, f"--benchmark_filter=^({'|'.join(ops)})/", f"--benchmark_repetitions={options.repetitions}",
               f"--benchmark_min_time={options.min_time}", "--benchmark_enable_random_interleaving=true",
               "--benchmark_format=json"]  # fmt: skip
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"functions.py: {done.stderr}")
    runs: dict[tuple[str, ...], list[dict]] = {}
    for run in json.loads(done.stdout)["benchmarks"]:
        if run["run_type"] == "iteration":
            runs.setdefault(tuple(run["name"].split("/")[:4]), []).append(run)
    result: dict[str, dict[tuple[str, str, str], dict]] = {op: {} for op in ops}
    for (op, dtype, isa, library), repetitions in runs.items():
        times = [run["cpu_time"] / ELEMENTS for run in repetitions]
        low, middle, high = statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3
        result[op][dtype, isa, library] = {"ns": middle, "low": low, "high": high, "ulp": repetitions[0]["ulp"]}
    return result


def with_parts(program: Path, op: str, options: argparse.Namespace) -> dict[tuple[str, str, str], dict]:
    """An op and what it is made of, which are timed in one process."""
    together = measure(program, (op, *PARTS[op]), options)
    rows = together[op]
    for dtype, isa in [key[:2] for key in rows if key[2] == "frit"]:
        rows[dtype, isa, "parts"] = {"ns": sum(together[part][dtype, isa, "frit"]["ns"] for part in PARTS[op])}
    return rows


def listed(program: Path) -> list[str]:
    done = subprocess.run([program, "--benchmark_list_tests"], stdout=subprocess.PIPE, text=True, check=True)
    return list(dict.fromkeys(line.split("/")[0] for line in done.stdout.split()))


def geometric_mean(values: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def cell(found: dict | None) -> str:
    if found is None:
        return ""
    error = f", {found['ulp']:.2f} ulp" if found["ulp"] >= 0 else ""
    return f"{found['ns']:.2f} [{found['low']:.2f} {found['high']:.2f}]{error}"


def table(measured: dict[str, dict]) -> str:
    lines = ["| function | dtype | vectors | frit | ratio to SLEEF | SLEEF | libmvec | glibc, scalar |", "| --- " * 8 + "|"]
    ratios: dict[tuple[str, str], list[float]] = {}
    for op, rows in measured.items():
        own = {key[:2] for key in rows if key[2] == "frit"}
        for dtype, isa in sorted(own, key=lambda pair: (pair[0] == "f32", list(VECTORS).index(pair[1]))):
            frit, sleef = rows[dtype, isa, "frit"], rows.get((dtype, isa, "SLEEF"))
            ratio = ""
            if sleef is not None:
                ratios.setdefault((dtype, isa), []).append(frit["ns"] / sleef["ns"])
                ratio = f"{frit['ns'] / sleef['ns']:.2f}"
            elif (parts := rows.get((dtype, isa, "parts"))) is not None:
                ratio = f"{frit['ns'] / parts['ns']:.2f} of {' + '.join(PARTS[op])}"
            others = [cell(frit), ratio, cell(sleef), cell(rows.get((dtype, isa, "libmvec"))),
                      cell(rows.get((dtype, "scalar", "glibc")))]  # fmt: skip
            lines.append("| " + " | ".join([f"`{op}`", dtype, VECTORS.get(isa, isa), *others]) + " |")
    lines.append("")
    means = [f"{dtype} {VECTORS.get(isa, isa)} {geometric_mean(values):.2f} (greatest {max(values):.2f}, {len(values)} functions)"
             for (dtype, isa), values in ratios.items()]  # fmt: skip
    if means:
        lines.append("Geometric means of the ratios to SLEEF: " + "; ".join(means) + ".")
    return "\n".join(lines) + "\n"


def draw(measured: dict[str, dict], path: Path) -> None:
    """Time against error, a panel for each dtype, with the widest vectors measured. frit's points have names."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("functions.py: --plot needs matplotlib (Debian: python3-matplotlib)")
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    # What one instruction rounds correctly is no function to compare.
    measured = {op: rows for op, rows in measured.items() if op not in ("divide", "reciprocal", "sqrt", "angle")}
    plt.rcParams.update({"font.family": "sans-serif", "font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "frit",
                         "axes.spines.top": False, "axes.spines.right": False})  # fmt: skip
    figure, panels = plt.subplots(2, 1, figsize=(8.6, 9.0), layout="constrained")
    isas = [isa for isa in VECTORS if any(key[1] == isa for rows in measured.values() for key in rows)]
    if not isas:
        sys.exit("functions.py: nothing was measured")
    styles = {"frit": ("o", "#3b5b8c", 34), "SLEEF": ("s", "#c0504d", 20), "libmvec": ("^", "#8a8a8a", 22)}
    for panel, dtype in zip(panels, ("f64", "f32")):
        named = []
        for library, (marker, colour, size) in styles.items():
            points = [(rows[dtype, isas[0], library], op) for op, rows in measured.items() if (dtype, isas[0], library) in rows]
            points = [(p, op) for p, op in points if p["ulp"] > 0]
            panel.scatter([p["ns"] for p, _ in points], [p["ulp"] for p, _ in points], marker=marker, s=size,
                          color=colour, alpha=0.85, linewidths=0, label=library, zorder=3 if library == "frit" else 2)  # fmt: skip
            if library == "frit":
                named = [(p["ns"], p["ulp"], op) for p, op in points]
        for op, rows in measured.items():
            ends = [rows.get((dtype, isas[0], library)) for library in ("frit", "SLEEF")]
            if None not in ends and min(end["ulp"] for end in ends) > 0:
                panel.plot([end["ns"] for end in ends], [end["ulp"] for end in ends], color="#c8cede", linewidth=0.7, zorder=1)
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.xaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        panel.xaxis.set_major_formatter("{x:g}")
        panel.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
        panel.set_yticks([0.5, 1, 2, 4], ["0.5", "1", "2", "4"])
        panel.yaxis.set_minor_locator(matplotlib.ticker.NullLocator())
        panel.axhline(1, color="#444444", linewidth=0.6, linestyle=(0, (4, 3)), zorder=1)
        panel.set_ylabel("largest error measured, ulp")
        panel.set_title(f"{dtype}, {VECTORS[isas[0]]}", loc="left", fontsize=10, fontweight="bold")
        figure.canvas.draw()
        label_points(panel, named)
    panels[1].set_xlabel("time, ns an element")
    panels[0].legend(frameon=False, loc="upper right", ncols=3)
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)


def label_points(panel, named: list[tuple[float, float, str]]) -> None:
    """A name beside each point, where it covers no other name and few points; a thin line leads to names that stand away."""
    to_pixels = panel.transData.transform
    dots = [tuple(to_pixels((x, y))) for x, y, _ in named]
    taken: list[tuple[float, float, float, float]] = []
    height = 10.0
    places = [(dx, dy) for distance in (1, 2, 3, 4, 6) for dx, dy in ((5, 0), (0, 8), (0, -8), (-5, 0), (6, 9), (6, -9), (-6, 9), (-6, -9))
              for dx, dy in [(dx * distance, dy * distance)]]  # fmt: skip
    for (x, y, name), (px, py) in sorted(zip(named, dots), key=lambda item: item[1]):
        width = 5.2 * len(name)

        def box(place):
            dx, dy = place
            left = px + dx - (width if dx < 0 else width / 2 if dx == 0 else 0)
            return left, py + dy - height / 2, left + width, py + dy + height / 2

        def cost(place):
            a = box(place)
            names = sum(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for b in taken)
            points = sum(a[0] - 3 < u < a[2] + 3 and a[1] - 3 < v < a[3] + 3 for u, v in dots)
            return 100 * names + 10 * points + math.hypot(*place) / 10

        dx, dy = min(places, key=cost)
        taken.append(box((dx, dy)))
        scale = 72 / panel.figure.dpi
        arrow = {"arrowstyle": "-", "color": "#9aa4b8", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2} if math.hypot(dx, dy) > 12 else None
        panel.annotate(name, (x, y), xytext=(dx * scale, dy * scale), textcoords="offset points", fontsize=7.5, color="#111111",
                       ha="right" if dx < 0 else "center" if dx == 0 else "left", va="center", arrowprops=arrow)  # fmt: skip


def write_whole(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text)
    temporary.rename(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="a build folder that was configured with -DFRIT_BENCH=ON")
    parser.add_argument("--ops", help="comma-separated; default: all functions")
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--min-time", type=float, default=0.005, help="seconds of a repetition")
    parser.add_argument("--json", type=Path, help="write all figures here")
    parser.add_argument("--from-json", type=Path, help="measure nothing: figures that --json wrote")
    parser.add_argument("--page", type=Path, help="renew the block of this page, docs/benchmarks.md")
    parser.add_argument("--plot", type=Path, help="draw this SVG file")
    options = parser.parse_args()
    if options.from_json is not None:
        stored = json.loads(options.from_json.read_text())
        measured = {op: {tuple(key.split("/")): row for key, row in rows.items()} for op, rows in stored.items()}
    else:
        program = (options.build / "bench/functions").resolve()
        if not program.exists():
            sys.exit(f"functions.py: {program} is not there; make bench-functions builds it")
        ops = listed(program)
        if options.ops is not None:
            if unknown := set(options.ops.split(",")) - set(ops):
                sys.exit(f"functions.py: no function {', '.join(sorted(unknown))}")
            ops = options.ops.split(",")
        measured = {op: with_parts(program, op, options) if op in PARTS else measure(program, (op,), options)[op] for op in ops}
    if options.json is not None:
        write_whole(options.json, json.dumps({op: {"/".join(key): row for key, row in rows.items()} for op, rows in measured.items()}, indent=1) + "\n")
    text = table(measured)
    print(text)
    if options.page is not None:
        page = options.page.read_text()
        if page.count(BEGIN) != 1 or page.count(END) != 1:
            sys.exit(f"functions.py: {options.page} has no block of functions")
        write_whole(options.page, page[: page.index(BEGIN)] + BEGIN + text + page[page.index(END) :])
    if options.plot is not None:
        draw(measured, options.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
