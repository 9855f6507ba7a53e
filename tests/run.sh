#!/usr/bin/env bash
# './lanewise test': every check of the project in one ctest run, so that its last line tells all.
#
# Two builds: Release with g++, and one with clang++ under the address and undefined-behaviour sanitizers. The unit
# tests run in both; results of both are compared bit for bit (digest.compilers).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
jobs=$(nproc)
mode=all
while [ $# -gt 0 ]; do
  case $1 in
    --quick) mode=quick ;;
    --nightly) mode=nightly ;;
    *) printf "lanewise test: error: unknown option '%s'; there are --quick and --nightly\n" "$1" >&2; exit 2 ;;
  esac
  shift
done

# Kernels that tests compile, and the precompiled headers that those need, once for all of them.
export LANEWISE_TEST_CACHE=$build/kernel_cache LANEWISE_CACHE=$build/kernel_cache

step() { printf '== %s\n' "$*"; }

configure() { # FOLDER OPTIONS...
  local folder=$1
  shift
  cmake -S "$root" -B "$folder" -G Ninja -DLANEWISE_WERROR=ON -DLANEWISE_PRECOMPILED=ON "$@" >"$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
}

compile() { # FOLDER
  ninja -C "$1" -j "$jobs" >"$1.log" 2>&1 || { grep -vE '^\[[0-9]+/[0-9]+\]' "$1.log" || cat "$1.log"; exit 1; }
}

# Each test program is linked with the whole library, for which lld takes a quarter of the time of ld.
linker=()
command -v ld.lld >/dev/null && linker=(-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld)

mkdir -p "$build"
step "building with $(c++ --version | head -1)"
# No test runs the benchmarks; that they compile is seen at night.
bench=OFF
[ "$mode" = nightly ] && bench=ON
configure "$build/test" -DCMAKE_BUILD_TYPE=Release -DLANEWISE_BENCH=$bench -DLANEWISE_MODE=$mode "${linker[@]}" \
  -DLANEWISE_SANITIZED_BUILD="$build/sanitize"
compile "$build/test"

if [ "$mode" = quick ]; then
  cd "$build/test"
  exec ctest -j "$jobs" --output-on-failure -L unit
fi

step "building with $(clang++ --version | head -1), sanitizers on"
# By day a report has functions and no lines, which cost a sixth of this build.
flags=-O1
[ "$mode" = nightly ] && flags='-O1 -g1'
configure "$build/sanitize" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS_RELEASE="$flags" \
  "${linker[@]}" -DLANEWISE_SANITIZE=address,undefined -DLANEWISE_MODE=$mode -DLANEWISE_FUZZ=ON -DLANEWISE_TEST_OBJECTS="$build/test"
compile "$build/sanitize"

step "tests"
cd "$build/test"
exec ctest -j "$jobs" --output-on-failure
