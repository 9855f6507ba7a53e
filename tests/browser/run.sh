#!/usr/bin/env bash
# run.sh PROGRAM PYTHON FOLDER: makes the page of docs/browser.md in FOLDER, and holds it against the program. Skipped (77) where
# Emscripten or its C++ library is missing.
set -euo pipefail
program=$1 python=$2 folder=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
toolchain=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake
if [ ! -e "$toolchain" ] || [ ! -d /usr/lib/llvm-15/include/c++/v1 ]; then
  echo "skipped: the packages emscripten and libc++-15-dev are not installed"
  exit 77
fi
# By day the module is linked in a tenth of the time.
link=-O1
[ -z "${LANEWISE_NIGHTLY-}" ] || link=-Os
cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DLANEWISE_WEB_LINK=$link -DLANEWISE_RECORDER="$program" >"$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
ninja -C "$folder" -j2 lanewise_site >"$folder.log" 2>&1 || { tail -40 "$folder.log"; exit 1; }
# The packages of the tests are Debian's.
LANEWISE=$program LANEWISE_WEB=$folder/site PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider "$here"
