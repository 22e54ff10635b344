"""Writes the constants of src/math/generated: polynomials, splittings of pi and ln 2, the table of 2/pi.

    python tools/math/generate.py            write the headers
    python tools/math/generate.py --check    make them again and compare, exit status 1 where one differs
    python tools/math/generate.py exp log    these families only

Two processes share the work (--jobs).
"""
import argparse
import multiprocessing
import pathlib
import subprocess
import sys

import elementary
import trig_pi
import logarithmic
import exponential
import error_function
import gamma
from header import F32, F64, Header

FOLDER = pathlib.Path(__file__).resolve().parents[2] / 'src' / 'math' / 'generated'

# Scripts that print one header each.
SCRIPTS = ('complex_log', 'hard_roots')

FAMILIES = {}
for module in (elementary,
               trig_pi,
               logarithmic,
               exponential,
               error_function,
               gamma,
               ):
    FAMILIES |= module.FAMILIES


def made(task):
    """The name of a header, and its text."""
    family, kind_name = task
    if family in SCRIPTS:
        script = pathlib.Path(__file__).with_name(f'{family}.py')
        return f'{family}.hpp', subprocess.run([sys.executable, script], stdout=subprocess.PIPE, text=True, check=True).stdout
    kind = {'f64': F64, 'f32': F32}[kind_name]  # by name: families ask whether it is the one object F64
    header = Header(family, kind)
    FAMILIES[family](header, kind)
    return f'{family}_{kind.name}.hpp', header.text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--check', action='store_true')
    parser.add_argument('families', nargs='*', metavar='family', help=', '.join((*FAMILIES, *SCRIPTS)))
    parser.add_argument('--jobs', type=int, default=2)
    options = parser.parse_args()
    unknown = set(options.families) - set(FAMILIES) - set(SCRIPTS)
    if unknown:
        parser.error('no such family: ' + ', '.join(sorted(unknown)))
    tasks = [(family, kind) for kind in ('f64', 'f32') for family in options.families or FAMILIES if family not in SCRIPTS]
    tasks += [(script, None) for script in options.families or SCRIPTS if script in SCRIPTS]
    differs = []
    with multiprocessing.Pool(options.jobs) as pool:
        for name, text in pool.imap_unordered(made, tasks, chunksize=1):
            path = FOLDER / name
            if not options.check:
                path.write_text(text)
            elif not path.exists() or path.read_text() != text:
                differs.append(name)
    if differs:
        sys.exit('not what the script makes: ' + ', '.join(differs))


if __name__ == '__main__':
    main()
