#!/usr/bin/env bash
# thin_vectors.sh COUNT IN.vec.gz OUT.vec.gz: keeps the first COUNT cases of every instruction and mode, which are the cases
# whose names agree up to the second '/'.
set -euo pipefail
zcat "$2" | awk -v count="$1" '
  /^case/ { split($2, part, "/"); keep = ++seen[part[1] "/" part[2]] <= count }
  /^#/ || keep' | gzip -9n >"$3"
