#!/usr/bin/env bash
# check_package.sh SOURCE BUILD PROGRAM: installs BUILD, which has PROGRAM, into an empty folder, and builds and runs two programs that find it there:
# that of tests/consumer, by CMake and by pkg-config, and that of docs/library.md.
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# build FOLDER: its program is FOLDER/build/consumer.
build() {
  cmake -S "$1" -B "$1/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
    ninja -C "$1/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
mkdir "$work/library"
cp -r "$source/tests/consumer" "$work/consumer"
cp "$source/tests/consumer/CMakeLists.txt" "$work/library"
awk '/^```/ { inside = ($0 == "```cpp"); text = ""; next } inside { text = text $0 "\n" } text ~ /<lanewise\// && /^}/ { printf "%s", text; exit }' \
  "$source/docs/library.md" >"$work/library/main.cpp"
build "$work/consumer"
build "$work/library"
read -ra flags < <(PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig" pkg-config --cflags --libs lanewise)
# With all of the library, so that all that any of it needs has to be there.
whole=(-Wl,--whole-archive "$work/prefix/lib/liblanewise.a" -Wl,--no-whole-archive)
c++ "$work/consumer/main.cpp" -o "$work/consumer/by_pkg_config" "${whole[@]}" "${flags[@]}"
output=$("$work/consumer/build/consumer"; "$work/consumer/by_pkg_config"; "$work/library/build/consumer")
printf '%s\n' "$output"
[ "$output" = "-2.5 becomes 2.5
-2.5 becomes 2.5
2.5" ]
"$work/prefix/bin/lanewise" --version

# The installed program finds the headers that kernels include.
printf '#include "sfpi.h"\nvoid kernel() { sfpi::dst_reg[0] = sfpi::dst_reg[0] * 2.0f; }\n' >"$work/kernel.cpp"
LANEWISE_CACHE="$work/cache" "$work/prefix/bin/lanewise" run "$work/kernel.cpp" --in value:3 --show 1 | grep -q '6  40C0'

# What few commands need is loaded by these alone: the program begins without it, and finds it once it is needed.
if ldd "$work/prefix/bin/lanewise" | grep -E 'sollya|flint|arb|httplib|ssl'; then
  echo "these are loaded with the program"
  exit 1
fi
"$work/prefix/bin/lanewise" serve --port 0 >"$work/address" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
for ((tries = 0; tries < 100; ++tries)); do
  [ -s "$work/address" ] && break
  sleep 0.1
done
port=$(sed -nE '1s|^http://127.0.0.1:([0-9]+)/.*|\1|p' "$work/address")
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /workbench.css HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$port" >&3
grep -q '^HTTP/1.1 200' <&3
