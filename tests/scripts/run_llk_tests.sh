#!/usr/bin/env bash
# run_llk_tests.sh PROGRAM PYTHON: tt-llk's own tests on both chips, if LANEWISE_LLK names a checkout. LANEWISE_LLK_TESTS has
# the files to run (default: some of each kind), and LANEWISE_LLK_EVERY=N runs every Nth variant only (default 50).
set -euo pipefail
program=$1 python=$2
if [ -z "${LANEWISE_LLK:-}" ]; then
  echo "skipped: LANEWISE_LLK names no checkout of tt-llk"
  exit 77
fi
tests=$LANEWISE_LLK/tests/python_tests
[ -d "$tests" ] || tests=$LANEWISE_LLK/tt_metal/tt-llk/tests/python_tests # the root of tt-metal
[ -e "$tests/helpers/test_config.py" ] || { echo "$LANEWISE_LLK has no tests/python_tests"; exit 1; }
for module in torch pandas filelock loguru; do
  "$python" -c "import $module" 2>/dev/null || { echo "skipped: Python has no $module"; exit 77; }
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/every_nth.py" <<'END'
import os


def pytest_collection_modifyitems(items):
    by_function = {}
    for item in items:
        by_function.setdefault(item.nodeid.split("[")[0], []).append(item)
    items[:] = [item for group in by_function.values() for item in group[::int(os.environ["LANEWISE_LLK_EVERY"])]]
END
export LANEWISE=$program LANEWISE_LLK_EVERY=${LANEWISE_LLK_EVERY:-50} PYTHONPATH=$folder:${PYTHONPATH:-} PYTHONDONTWRITEBYTECODE=1
read -ra files <<<"${LANEWISE_LLK_TESTS:-test_eltwise_unary_datacopy.py test_matmul.py test_zzz_eltwise_binary.py test_reduce.py
  test_zzz_unpack_tilize.py test_unpack_untilize.py test_zzz_pack.py test_zzz_transpose_dest.py test_zzz_sfpu_reduce.py}"
cd "$tests"
failed=0
for chip in blackhole wormhole; do
  echo "$chip"
  CHIP_ARCH=$chip "$python" -m pytest -q -p lanewise.llk_pytest -p every_nth -p no:cacheprovider --tb=no "${files[@]}" || failed=1
done
exit $failed
