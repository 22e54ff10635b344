"""Writes the constants of src/math/generated: polynomials, splittings of pi and ln 2, the table of 2/pi.

    python tools/math/generate.py            write the headers
    python tools/math/generate.py --check    make them again and compare, exit status 1 where one differs
    python tools/math/generate.py exp log    these families only
"""
import argparse
import pathlib
import sys

import elementary
import gamma
from header import F32, F64, Header

FOLDER = pathlib.Path(__file__).resolve().parents[2] / 'src' / 'math' / 'generated'

FAMILIES = {}
for module in (elementary,
               gamma,
               ):
    FAMILIES |= module.FAMILIES


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--check', action='store_true')
    parser.add_argument('families', nargs='*', metavar='family', help=', '.join(FAMILIES))
    options = parser.parse_args()
    unknown = set(options.families) - set(FAMILIES)
    if unknown:
        parser.error('no such family: ' + ', '.join(sorted(unknown)))
    differs = []
    for family in options.families or FAMILIES:
        for kind in (F64, F32):
            header = Header(family, kind)
            FAMILIES[family](header, kind)
            path = FOLDER / f'{family}_{kind.name}.hpp'
            if not options.check:
                path.write_text(header.text())
            elif not path.exists() or path.read_text() != header.text():
                differs.append(path.name)
    if differs:
        sys.exit('not what the script makes: ' + ', '.join(differs))


if __name__ == '__main__':
    main()
