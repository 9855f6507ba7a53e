#!/usr/bin/env bash
# record_tile_vectors.sh BUILD: records tests/vectors/tile-{bh,wh}.vec.gz anew, from the model in tests/tile/model.
set -euo pipefail
build=$1
vectors=$(dirname "$0")/../vectors
cmake --build "$build" --target lanewise_record_tile
for arch in bh wh; do
  "$build/tests/lanewise_record_tile" "$arch" 7 | gzip -9n >"$vectors/tile-$arch.vec.gz"
done
