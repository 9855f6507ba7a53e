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

# Kernels that tests compile, and the precompiled headers that those need, once for all of them. They are named by what they are made
# of, so that the next run finds them; by night they are made anew.
kernels=$build/kernel_cache
[ "$mode" = nightly ] || [ -z "${HOME-}" ] || kernels=${XDG_CACHE_HOME:-$HOME/.cache}/lanewise-tests
export LANEWISE_TEST_CACHE=${LANEWISE_TEST_CACHE:-$kernels}
export LANEWISE_CACHE=$LANEWISE_TEST_CACHE
# The headers that kernels include, in a folder of the cache that is named by what they hold: what one checkout has compiled another
# one finds, which has them elsewhere.
headers=$(cd "$root/src/source" && find sfpi/include programs/include -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-32)
headers=$LANEWISE_TEST_CACHE/included/$headers
if [ ! -d "$headers" ]; then
  mkdir -p "$headers.$$/sfpi" "$headers.$$/programs"
  cp -r "$root/src/source/sfpi/include" "$headers.$$/sfpi/" && cp -r "$root/src/source/programs/include" "$headers.$$/programs/"
  mv -T "$headers.$$" "$headers" 2>/dev/null || rm -r "$headers.$$" # another run has made it meanwhile
fi
export LANEWISE_SFPI=$headers/sfpi/include

# A test that is shown a result of an earlier run sees nothing.
export LANEWISE_REMEMBER=off

# Checks that have a longer form by night look for this.
[ "$mode" != nightly ] || export LANEWISE_NIGHTLY=1

# With ccache, what another clone or an earlier run has compiled is not compiled again. Objects name files from the checkout on, so that
# those of any folder are the same. What the user has set stays. By night everything is compiled.
paths=-ffile-prefix-map=$root/=
if [ "$mode" != nightly ] && command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache} CCACHE_BASEDIR=${CCACHE_BASEDIR-$root}
  export CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1}
  # What ccache asks for where headers are precompiled.
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros,include_file_mtime,include_file_ctime}
fi

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
configure "$build/test" -DCMAKE_BUILD_TYPE=Release -DLANEWISE_BENCH=$bench -DLANEWISE_MODE=$mode -DCMAKE_CXX_FLAGS="$paths" \
  "${linker[@]}" -DLANEWISE_SANITIZED_BUILD="$build/sanitize"
compile "$build/test"

if [ "$mode" = quick ]; then
  cd "$build/test"
  exec ctest -j "$jobs" --output-on-failure -L unit
fi

step "building with $(clang++ --version | head -1), sanitizers on"
# By day a report has functions and no lines, which cost a sixth of this build. Headers that clang++ has precompiled name their folder: with
# them, ccache would find nothing that another checkout has compiled.
flags=-O1 precompiled=ON
if [ "$mode" = nightly ]; then flags='-O1 -g1'; elif [ "${CMAKE_CXX_COMPILER_LAUNCHER-}" = ccache ]; then precompiled=OFF; fi
configure "$build/sanitize" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS_RELEASE="$flags" \
  "${linker[@]}" -DCMAKE_CXX_FLAGS="$paths" -DLANEWISE_PRECOMPILED=$precompiled -DLANEWISE_SANITIZE=address,undefined -DLANEWISE_MODE=$mode \
  -DLANEWISE_FUZZ=ON -DLANEWISE_TEST_OBJECTS="$build/test"
compile "$build/sanitize"

step "tests"
cd "$build/test"
# One more than there are cores: some wait, for a browser, a limit of time or a server.
exec ctest -j "$((jobs + 1))" --output-on-failure
