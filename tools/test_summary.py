"""Sums up a test run: test_summary.py FOLDER STATUS, where FOLDER holds ctest.junit and the XML files of GoogleTest, and
STATUS is ctest's exit status. Counts the cases inside a GoogleTest executable; anything else is one case."""

import sys
import xml.etree.ElementTree as xml
from pathlib import Path


def main(folder: Path, status: int) -> int:
    passed = failed = 0
    skipped: list[tuple[str, str]] = []
    failures: list[str] = []
    junit = folder / "ctest.junit"
    for entry in xml.parse(junit).getroot().iter("testcase") if junit.exists() else ():
        name = entry.get("name", "")
        ran = entry.get("status") == "run"
        cases = folder / f"{name.rsplit('/', 1)[-1]}.xml"
        inner_failures = 0
        if cases.exists():
            for suite in xml.parse(cases).getroot().iter("testsuite"):
                for case in suite.iter("testcase"):
                    case_name = f"{name}: {case.get('classname')}.{case.get('name')}"
                    if case.find("failure") is not None:
                        failures.append(case_name)
                        inner_failures += 1
                    elif case.get("result") == "skipped" or case.find("skipped") is not None:
                        reason = case.find("skipped")
                        # "file:line", then what the test said.
                        lines = (reason.get("message", "") if reason is not None else "").strip().splitlines()
                        skipped.append((case_name, " ".join(lines[1:]).strip() or "no reason given"))
                    elif case.get("status") == "run":
                        passed += 1
        elif ran:
            passed += 1
        elif entry.find("skipped") is not None or entry.get("status") == "notrun":
            # An executable that skips itself says why in its last line.
            said = (entry.findtext("system-out") or "").strip().splitlines()
            skipped.append((name, said[-1] if said else "not run"))
        # The executable itself: crashed, timed out, or failed without a failing case.
        if entry.get("status") == "fail" and inner_failures == 0:
            failures.append(name)
    failed = len(failures)
    if status != 0 and failed == 0:
        failures.append(f"ctest ended with status {status}")
        failed = 1
    for name in failures:
        print(f"FAILED  {name}")
    for name, reason in skipped:
        print(f"SKIPPED {name}: {reason}")
    print(f"{passed} passed, {failed} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if failed or passed == 0 else 0


sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
