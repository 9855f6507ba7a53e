#!/usr/bin/env bash
# compile_llk_tests.sh PROGRAM PYTHON: every source of tt-llk's tests compiles on both chips, in one variant at least that a test
# asks for, if LANEWISE_LLK names a checkout of 2026. Sources that no test of a chip compiles are named; they are no failure, as
# the test says why (a chip that it is not for, a variant that it skips).
set -euo pipefail
program=$1 python=$2
if [ -z "${LANEWISE_LLK:-}" ]; then
  echo "skipped: LANEWISE_LLK names no checkout of tt-llk"
  exit 77
fi
tests=$LANEWISE_LLK/tests
[ -d "$tests" ] || tests=$LANEWISE_LLK/tt_metal/tt-llk/tests # the root of tt-metal
[ -e "$tests/python_tests/helpers/test_config.py" ] || { echo "$LANEWISE_LLK has no tests/python_tests"; exit 1; }
grep -q compile-producer "$tests/python_tests/conftest.py" || { echo "skipped: a tree whose tests do not compile by themselves"; exit 77; }
for module in torch pandas filelock loguru; do
  "$python" -c "import $module" 2>/dev/null || { echo "skipped: Python has no $module"; exit 77; }
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/until_compiled.py" <<'END_OF_PLUGIN'
"""Of each test function, variants in some order until one has compiled; which sources that were, into a file."""
import os
import pathlib
import random

import pytest
from lanewise import llk_pytest

MOST = 40  # variants of a function
compiled, running = set(), []
call = llk_pytest.call_program


def call_program(words):
    result = call(words)
    with open(os.environ["COMPILED"], "a") as file:
        print("failed" if result.returncode else "compiled", pathlib.Path(words[0]).name, file=file)
    if result.returncode == 0:
        compiled.add(running[0])
    return result


llk_pytest.call_program = call_program


def pytest_collection_modifyitems(items):
    by_function, some = {}, random.Random(1)
    for item in items:
        by_function.setdefault(item.nodeid.split("[")[0], []).append(item)
    items[:] = [item for group in by_function.values() for item in some.sample(group, min(MOST, len(group)))]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    running[:] = [item.nodeid.split("[")[0]]
    if running[0] in compiled:
        pytest.skip("another variant of it has compiled")
END_OF_PLUGIN
export LANEWISE=$program PYTHONPATH=$folder:${PYTHONPATH:-} PYTHONDONTWRITEBYTECODE=1 COMPILED=$folder/compiled
cd "$tests/python_tests"
failed=0
for chip in blackhole wormhole; do
  : >"$COMPILED"
  # perf_*.py are compiled as the vendor does: with all that a test knows at run time as constants.
  for kind in test "perf --speed-of-light"; do
    read -ra words <<<"$kind"
    CHIP_ARCH=$chip "$python" -m pytest -q -p lanewise.llk_pytest -p until_compiled -p no:cacheprovider --tb=line --compile-producer \
      --continue-on-collection-errors "${words[@]:1}" "${words[0]}"_*.py >"$folder/said" 2>&1 || true
    grep -E "^E .*Error|could not compile" "$folder/said" | sort | uniq -c | sort -rn | head -20 || true
  done
  sources=$(cd ../sources && ls ./*.cpp | sed 's,^./,,')
  done_here=$(sed -n 's/^compiled //p' "$COMPILED" | sort -u)
  not_compiled=$(sed -n 's/^failed //p' "$COMPILED" | sort -u | comm -23 - <(echo "$done_here"))
  untouched=$(comm -23 <(sort <<<"$sources") <(awk '{print $2}' "$COMPILED" | sort -u))
  echo "$chip: $(wc -l <<<"$done_here") of $(wc -l <<<"$sources") sources compiled"
  [ -z "$untouched" ] || printf '  asked for by no test of this chip: %s\n' $untouched
  [ -z "$not_compiled" ] || { printf '  does not compile: %s\n' $not_compiled; failed=1; }
done
exit $failed
