#!/usr/bin/env bash
# check_first.sh FIRST KERNELS PROGRAM SOURCE BUILD: lanewise_first and lanewise_kernels have the commands that the launcher builds them
# for, and these do what they do in the whole program; they are made of the packages that the launcher installs for them.
first=$1 kernels=$2 program=$3 source=$4 build=$5
source "$(dirname "$0")/expect.sh"

# commands_of PROGRAM, and what the launcher says: one line of words in order.
commands_of() { "$1" --help-all | sed -n 's/^Usage: lanewise \([^ ]*\) .*/\1/p' | grep -vx help | sort | paste -sd ' '; }
launched_for() {
  sed -n "s/^ *\([a-z |]*\)) part=\([^ ]*\) ;;\$/\2 \1/p" "$source/lanewise" | grep -E "^($1) " | cut -d' ' -f2- | tr -s '| ' '\n' |
    sort | paste -sd ' '
}
# has_commands PROGRAM PARTS: those that the launcher builds it for.
has_commands() {
  local offered launched
  offered=$(commands_of "$1") launched=$(launched_for "$2")
  [ -n "$offered" ] && [ "$offered" = "$launched" ] || complain "$1 has '$offered', and the launcher builds it for '$launched'"
}
has_commands "$first" '.*first.'
has_commands "$kernels" '.*first.|kernels'

# same SMALLER ARGUMENTS...: status and output of a smaller program and of the whole one.
same() {
  local smaller=$1 status=0 whole=0
  shift
  "$smaller" "$@" >small.out 2>small.err || status=$?
  "$program" "$@" >whole.out 2>whole.err || whole=$?
  [ "$status" = "$whole" ] && cmp -s small.out whole.out && cmp -s small.err whole.err || complain "not the same: $smaller $*"
}
printf "SFPMUL L0, L1, L9, L2\nSFPSTORE L2, 0, 3, 0\nSFPNONSENSE\n" >wrong.tt
printf '7d000011\n84000000\n' >words.hex
for smaller in "$first" "$kernels"; do
  same "$smaller" run "$source/examples/softplus.tt" --in ramp
  same "$smaller" run "$source/examples/softplus.tt" --in ramp --arch bh,wh --json
  same "$smaller" run "$source/examples/softplus.tt" --in ramp --trace --hazards model
  same "$smaller" run words.hex
  same "$smaller" run wrong.tt --in ramp
  same "$smaller" run --help
  same "$smaller" run "$source/examples/gelu.cpp" --dump nonsense
  same "$smaller" run "$source/examples/gelu.cpp" -f no-nonsense
  same "$smaller" run "$source/examples/gelu.cpp" --sfpi 6
  same "$smaller" run "$source/examples/gelu.cpp" --call 'f()' --faces x
  same "$smaller" asm "$source/examples/macros.tt"
  same "$smaller" dis 7d000011 84000000
  same "$smaller" explain SFPLOADMACRO
  same "$smaller" explain SFPNONSENSE
  same "$smaller" isa --json
done
same "$kernels" run "$source/examples/gelu.cpp" --in ramp --arch bh,wh --json
same "$kernels" tile "$source/examples/tile/datacopy_bh.tt"

# What needs kernels is handed over with all words, before anything is printed, and with what stands on standard input.
cat >launcher <<'END'
#!/usr/bin/env bash
printf '%s;' "$LANEWISE_PART" "$@"
cat
END
chmod +x launcher
# hands_over ARGUMENTS...: with an ELF file's beginning on standard input.
hands_over() {
  local output
  output=$(printf '\177ELF' | LANEWISE_LAUNCHER=$work/launcher "$first" "$@" 2>&1) || complain "not handed over: $*"
  [ "$output" = "$(printf '%s;' kernels "$@"; printf '\177ELF')" ] || complain "handed over in another way: $* gave ${output:0:300}"
}
hands_over run "$source/examples/gelu.cpp" --in ramp --define 'TWO WORDS'
hands_over run --op gelu --metal .
hands_over run "$source/examples/softplus.tt" --metal .
hands_over run - --call 'f()'
expect 2 "reads assembly only" "$first" run "$source/examples/gelu.cpp"

# packages_behind LIST: those of the launcher's list, and all that they depend on.
packages_behind() {
  local names=() next=() package
  eval "$(sed -n '/^first_packages=(/,/^run_packages=/p' "$source/lanewise" | sed '/^run_packages=/d')"
  local -n list=$1
  next=("${list[@]}")
  while [ ${#next[@]} -gt 0 ]; do
    names+=("${next[@]}")
    mapfile -t next < <(dpkg-query -W -f '${Depends}, ${Pre-Depends}\n' "${next[@]}" 2>/dev/null | tr ',|' '\n\n' |
      sed 's/[(:].*//; s/ //g' | grep . | sort -u | grep -vxF "$(printf '%s\n' "${names[@]}")" || true)
  done
  printf '%s\n' "${names[@]}"
}
# come_from LIST WHAT FILES...: the files are of these packages.
come_from() {
  local list=$1 what=$2 strange
  shift 2
  [ $# -gt 0 ] || { complain "$what: nothing to look at"; return; }
  strange=$(readlink -f "$@" | sort -u | xargs dpkg-query -S 2>/dev/null | sed 's/:.*//' | sort -u |
    grep -vxF "$(packages_behind "$list")" | paste -sd ' ' || true)
  [ -z "$strange" ] || complain "$what: $strange is needed, which the launcher does not install for it"
}
# made_of LIST PROGRAM PART: its libraries, what CMake looks for, and the headers of its objects.
made_of() {
  local list=$1 built=$2 part=$3 libraries found headers
  mapfile -t libraries < <(ldd "$built" | sed -n 's/.*=> \([^ ]*\) .*/\1/p')
  come_from "$list" "$part: libraries" "${libraries[@]}"
  cmake -S "$source" -B "$part" -G Ninja -DLANEWISE_TESTS=OFF -DLANEWISE_PART="$part" >"$part.log" 2>&1 ||
    { complain "CMake does not take LANEWISE_PART=$part"; cat "$part.log"; }
  mapfile -t found < <(sed -nE '/^[A-Za-z0-9_-]*(_LIBRARY|_INCLUDE|_DIR)(_RELEASE)?:(FILEPATH|PATH)=\/usr\//s/.*=//p' "$part/CMakeCache.txt" |
    while IFS= read -r path; do if [ -d "$path" ]; then find "$path" -maxdepth 1 -name '*onfig.cmake'; else echo "$path"; fi; done)
  come_from "$list" "$part: CMake" "${found[@]}"
  # Compiled in the same way as for the whole program: else all of it would be compiled again there.
  ninja -C "$part" -t commands "$part/lanewise" | grep -oE -- '-o CMakeFiles/[^ ]+[.]o' | sed 's/^-o //' | sort -u >objects
  [ -s objects ] || complain "$part: no objects"
  # What is precompiled stands with the precompiled header only. A level that is not built there has no entry.
  printf 'CMakeFiles/lanewise_%s.dir/cmake_pch.hxx.gch\n' base isa >>objects
  mapfile -t headers < <(ninja -C "$build" -t deps 2>/dev/null | awk '
    NR == FNR { wanted[$1 ":"]; next }
    /^[^ ]/ { inside = $1 in wanted }
    inside && $1 ~ "^/usr/" { print $1 }' objects - | sort -u)
  come_from "$list" "$part: headers" "${headers[@]}"
}
if command -v dpkg-query >/dev/null; then
  made_of first_packages "$first" first
  made_of kernels_packages "$kernels" kernels
fi

# An object is compiled in the same way in every part, so that a larger part compiles nothing again.
compiles_of() { ninja -C "$1" -t commands "$2" | grep -oE '^.* -c [^ ]+$' | sed "s#$work/$1#BUILD#g" | sort; }
cmake -S "$source" -B all -G Ninja -DLANEWISE_TESTS=OFF >all.log 2>&1 || { complain "CMake fails"; cat all.log; }
for part in first kernels; do
  cmp <(compiles_of "$part" "$part/lanewise") <(compiles_of all "$part/lanewise") || complain "$part: other commands in the whole program"
done
