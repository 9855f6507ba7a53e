#!/usr/bin/env bash
# check_deb.sh SOURCE BUILD PROGRAM: cpack makes packages of BUILD, which has PROGRAM, and each is installed into a root folder that has
# what it depends on and nothing else: there the program, the Python package and the library do what they should. Skipped where
# namespaces are not permitted.
source_folder=$1 build=$2 program=$3 scripts=$(dirname "$(realpath "$0")")
"$scripts/in_root.sh" --possible || { echo "skipped: neither root nor namespaces of users, or no dpkg"; exit 77; }
source "$scripts/expect.sh"
root=$work/root
version=$("$program" --version | sed -n '1s/lanewise //p')

cpack --config "$build/CPackConfig.cmake" -D CPACK_DEBIAN_COMPRESSION_TYPE=none -B "$work/packages" >cpack.log 2>&1 ||
  { cat cpack.log; exit 1; }
package() { echo "$work/packages/$1_${version}_$(dpkg --print-architecture).deb"; }
in_root() { "$scripts/in_root.sh" "$root" "$@"; }
# names_of PACKAGE FIELD: the names of packages there, without bounds; of Lanewise's own there are the files.
names_of() { dpkg-deb -f "$(package "$1")" "$2" | tr ',' '\n' | sed -E 's/\(.*//; s/^ +//; s/ +$//' | grep -v '^lanewise$' | sort -u; }
# install_package NAME: what it depends on, and then itself; dpkg looks whether that was all.
install_package() {
  local needed
  mapfile -t needed < <(names_of "$1" Depends)
  "$scripts/small_root.py" "$root" "${needed[@]}"
  cp "$(package "$1")" "$root/tmp"
  expect 0 "Setting up $1 ($version)" in_root dpkg --force-not-root -i "/tmp/$(basename "$(package "$1")")"
}
TIMEFORMAT='%U %S'

for each in lanewise python3-lanewise; do dpkg-deb -x "$(package $each)" unpacked; done
expect 0 "files are portable" "$scripts/check_portable.py" unpacked

# From the package to a first result: less than a minute of the processor's.
mkdir root
{ time {
  install_package lanewise
  expect 0 "bh: 1297 instructions, 1 tile, bf16" in_root lanewise run /usr/share/doc/lanewise/examples/softplus.tt --in ramp --show 5
} 2>&3; } 3>&2 2>spent
awk '{ exit $1 + $2 >= 60 }' spent || complain "the first result took $(cat spent) seconds of the processor's"
expect 0 "lanewise $version" in_root lanewise --version
# Each library is one of the root's own or one that the package has; this system's would not be seen.
[ -z "$(in_root ldd /usr/bin/lanewise /usr/lib/lanewise/liblanewise_http.so | grep 'not found')" ] || complain "libraries are missing"
[ "$(in_root ldd /usr/bin/lanewise | grep -cE 'lib(fmt|yaml-cpp)[.].* /usr/bin/../lib/lanewise/')" = 2 ] ||
  complain "fmt and yaml-cpp are not the package's"
# Manual pages, and completions where each shell looks for them.
zcat "$root/usr/share/man/man1/lanewise-run.1.gz" | grep -q "^\.TH.*lanewise $version" ||
  complain "the manual page of run is not of $version"
[ -s "$root/usr/share/zsh/vendor-completions/_lanewise" ] && [ -s "$root/usr/share/fish/vendor_completions.d/lanewise.fish" ] ||
  complain "completions of zsh or fish are missing"
expect 0 "_lanewise lanewise" in_root bash -c '. /usr/share/bash-completion/completions/lanewise && complete -p lanewise'
# What is not there is named.
kernel=/usr/share/doc/lanewise/examples/exp.cpp
expect 2 "g++" in_root lanewise run $kernel --in ramp
expect 2 "libsollya8" in_root lanewise fit 'exp(x)' --range 0:1
expect 2 "libflint-arb2" in_root lanewise score /usr/share/doc/lanewise/examples/exp.tt --ref 'digamma(x)'

# Kernels in C++ need g++, which the package recommends; sweeps generate code, whose headers come along.
grep -q 'g++' <(names_of lanewise Recommends) || complain "g++ is not recommended"
"$scripts/small_root.py" "$root" g++
expect 0 "bh: largest 1 ULP" in_root lanewise score $kernel --ref 'exp(x)'
expect 0 "A tile in the steady state: 1285 cycles" in_root lanewise time $kernel
expect 0 "nothing found" in_root lanewise check $kernel
expect 0 "" in_root lanewise sweep /usr/share/doc/lanewise/examples/exp.tt --ref 'exp(x)' --generate --arch bh

# Python, which has no other module than Debian's NumPy.
install_package python3-lanewise
python='import lanewise, numpy; k = lanewise.kernel("'$kernel'"); print(lanewise.__version__, k(numpy.zeros(4, numpy.float32)), k.check())'
expect 0 "$version [1. 1. 1. 1.] bh: $kernel: nothing found" in_root python3 -W error -c "$python"
expect 0 "$version" in_root python3 -c 'import importlib.metadata; print(importlib.metadata.version("lanewise"))'

# The library, by CMake and by pkg-config.
install_package liblanewise-dev
"$scripts/small_root.py" "$root" cmake make pkg-config
cp -r "$source_folder/tests/consumer" "$root/tmp/consumer"
# shellcheck disable=SC2016
by_pkg_config='c++ /tmp/consumer/main.cpp -o /tmp/by_pkg_config $(pkg-config --cflags --libs lanewise) && /tmp/by_pkg_config'
expect 0 "-2.5 becomes 2.5" in_root sh -c "$by_pkg_config"
expect 0 "-2.5 becomes 2.5" in_root sh -c 'cmake -S /tmp/consumer -B /tmp/built && cmake --build /tmp/built && /tmp/built/consumer'

# All of it goes away again.
expect 0 "Removing lanewise" in_root dpkg --force-not-root -r liblanewise-dev python3-lanewise lanewise
left=$(cd "$root/usr" && find . -path '*lanewise*' | head -3)
[ -z "$left" ] || complain "left behind: $left"
