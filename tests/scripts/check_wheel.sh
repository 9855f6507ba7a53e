#!/usr/bin/env bash
# check_wheel.sh SOURCE BUILD PYTHON PROGRAM: pip makes a wheel of BUILD, which has PROGRAM; the wheel is installed into a virtual
# environment in a root folder that has Python, NumPy and nothing else: there the program and the package do what they should. Skipped
# where namespaces are not permitted.
source_folder=$1 build=$2 python=$3 program=$4 scripts=$(dirname "$(realpath "$0")")
"$scripts/in_root.sh" --possible || { echo "skipped: neither root nor namespaces of users, or no dpkg"; exit 77; }
source "$scripts/expect.sh"
root=$work/root
version=$("$program" --version | sed -n '1s/lanewise //p')

# pip builds in the folder of the sources, which other tests read.
mkdir -p sources/src root/tmp
cp -r "$source_folder"/{pyproject.toml,setup.py,README.md,CMakeLists.txt} sources
cp -r "$source_folder/src/python" sources/src
export LANEWISE_BUILD=$build PIP_DISABLE_PIP_VERSION_CHECK=1
expect 0 "Successfully built lanewise" "$python" -m pip wheel --no-build-isolation --no-deps --no-index -w wheels ./sources
wheel=$(echo wheels/*.whl)
minor=$("$python" -c 'import sys; print("%d%d" % sys.version_info[:2])')
[[ $(basename "$wheel") =~ ^lanewise-${version//./[.]}-cp$minor-cp$minor-manylinux_2_([0-9]+)_x86_64[.]whl$ ]] ||
  complain "the wheel is called $wheel"
[ "${BASH_REMATCH[1]:-99}" -le 35 ] || complain "the wheel is not for Ubuntu 22.04: $wheel"
"$python" -m zipfile -e "$wheel" unpacked
expect 0 "files are portable" "$scripts/check_portable.py" unpacked --python

in_root() { "$scripts/in_root.sh" "$root" "$@"; }
# apt needs the C++ library, so that every system has it.
"$scripts/small_root.py" "$root" python3 python3-numpy python3-pip libstdc++6
cp "$wheel" "$root/tmp"
cp -r "$source_folder/examples" "$root/tmp/examples"
TIMEFORMAT='%U %S'
{ time {
  expect 0 "" in_root python3 -m venv --without-pip --system-site-packages /venv
  expect 0 "Successfully installed lanewise-$version" \
    in_root /venv/bin/python -m pip install --no-index --no-deps "/tmp/$(basename "$wheel")"
  expect 0 "bh: 1297 instructions, 1 tile, bf16" in_root /venv/bin/lanewise run /tmp/examples/softplus.tt --in ramp --show 5
} 2>&3; } 3>&2 2>spent
awk '{ exit $1 + $2 >= 60 }' spent || complain "the first result took $(cat spent) seconds of the processor's"
expect 0 "lanewise $version" in_root /venv/bin/lanewise --version
libraries=$(in_root ldd "/venv/lib/python${minor:0:1}.${minor:1}/site-packages/lanewise/lib/lanewise/liblanewise_http.so" 2>&1 || true)
[[ $libraries != *'not found'* ]] || complain "libraries are missing: $libraries"
expect 0 "$version" in_root /venv/bin/python -W error -c 'import lanewise; print(lanewise.__version__)'
expect 2 "g++" in_root /venv/bin/lanewise run /tmp/examples/exp.cpp --in ramp

# With g++, kernels in C++ and the code that sweeps generate.
"$scripts/small_root.py" "$root" g++
expect 0 "bh: largest 1 ULP" in_root /venv/bin/lanewise score /tmp/examples/exp.cpp --ref 'exp(x)'
expect 0 "every input" in_root /venv/bin/lanewise sweep /tmp/examples/exp.tt --ref 'exp(x)' --generate --arch bh
code='import lanewise, numpy; k = lanewise.kernel("/tmp/examples/exp.cpp"); '
code+='print(lanewise.__version__, k(numpy.zeros(4, numpy.float32)), k.check())'
expect 0 "$version [1. 1. 1. 1.] bh: /tmp/examples/exp.cpp: nothing found" in_root /venv/bin/python -W error -c "$code"
expect 0 "Successfully uninstalled" in_root /venv/bin/python -m pip uninstall -y lanewise
