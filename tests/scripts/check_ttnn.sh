#!/usr/bin/env bash
# check_ttnn.sh LANEWISE SOURCE results|mistakes [OPERATION...]: operations of ttnn with their unmodified kernels, against NumPy and against
# the same calls of LLK; or each with one mistake of every rule that applies (tests/programs/ttnn/check.py). LANEWISE_METAL names a
# checkout; without it, and without a Python that has NumPy, there is nothing to do (exit status 77).
set -euo pipefail
lanewise=$1 source=$2 what=$3
shift 3
[ -n "${LANEWISE_METAL-}" ] || exit 77
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import numpy' 2>/dev/null; then
    exec "$python" -B "$source/tests/programs/ttnn/check.py" "$what" "$lanewise" "$LANEWISE_METAL" "$@"
  fi
done
exit 77
