#!/usr/bin/env bash
# check_cache.sh PROGRAM SOURCE BUILD [PYTHON]: results that are remembered are those that are computed, byte for byte, whatever happens to the
# folder of the cache; 'lanewise cache' shows, checks and prunes it (docs/cache.md).
program=$1 source=$2 build=$3 python=${4:-python3}
source "$(dirname "$0")/expect.sh"
unset LANEWISE_REMEMBER
export LANEWISE_CACHE=$work/own

# Assembly: nothing is compiled, so that the cache has results alone.
printf '.repeat 32\nSFPLOAD L0, SRCB, ADDR_MOD_7, 0\nSFPABS L0, L0, FLOAT\nSFPMAD L0, L0, L9, L10, 0\nSFPSTORE L0, SRCB, ADDR_MOD_7, 0\nINCRWC DstInc=2\n.endr\n' >one.tt
printf '.repeat 32\nSFPLOAD L0, INT32, ADDR_MOD_7, 0\nSFPLOAD L1, INT32, ADDR_MOD_7, 64\nSFPXOR L1, L0\nSFPSTORE L0, INT32, ADDR_MOD_7, 0\nINCRWC DstInc=2\n.endr\n' >pairs.tt
one=(tune one.tt --emit asm)
pairs=(tune pairs.tt --operands 2 --format int32 --emit asm)

# same NAME COMMAND...: the command prints what was computed, which stands in NAME.txt.
same() {
  local name=$1
  shift
  "$@" >now.txt 2>now.err || complain "$name: status $? of $*"
  cmp -s now.txt "$name.txt" || complain "$name: $* prints something else"
}
entries() { find "$LANEWISE_CACHE" -type f | sort; }
flip() { # FILE
  local at=$(($(stat -c %s "$1") / 2)) byte
  byte=$(od -An -tu1 -j $at -N 1 "$1")
  printf "\\x$(printf %02x $((byte ^ 16)))" | dd of="$1" bs=1 seek=$at conv=notrunc status=none
}
for name in one pairs; do
  declare -n command=$name
  LANEWISE_REMEMBER=off "$program" "${command[@]}" >$name.txt 2>/dev/null || complain "$name cannot be computed"
  same $name "$program" "${command[@]}" --no-cache
  [ ! -e "$LANEWISE_CACHE" ] || complain "LANEWISE_REMEMBER=off or --no-cache leaves something"
done
for name in one pairs; do
  declare -n command=$name
  for _ in 1 2; do same $name "$program" "${command[@]}"; done
  same $name "$program" "${command[@]}" --no-cache
done
[ "$(entries | wc -l)" = 3 ] || complain "there are other entries than two tunings and a proof"
expect 0 "3 entries" "$program" cache
also "programs that the tuner has found"
expect 0 '"name": "proofs"' "$program" cache show --json
expect 0 "3 entries whole, 0 damaged" "$program" cache check

# Sweeps, which take long enough on one thread. A score over the same inputs is there at once, and so is a sweep of Python.
over=(one.tt --ref 'abs(x)' --format fp32 --inputs sample:12000000 --threads 1)
sweeps=(sweep "${over[@]}" --json)
score=(score "${over[@]}")
LANEWISE_CACHE=$work/sweeps
for name in sweeps score; do
  declare -n command=$name
  LANEWISE_REMEMBER=off "$program" "${command[@]}" >$name.txt || complain "$name cannot be computed"
done
for _ in 1 2; do same sweeps "$program" "${sweeps[@]}"; done
swept=$(entries)
same score "$program" "${score[@]}"
cat >sweep.py <<'END'
import lanewise as lw
lw.kernel("one.tt", "bh", format="fp32").sweep("abs(x)", inputs="sample:12000000", threads=1, worst=5)
END
if PYTHONPATH=$build/python "$python" -c 'import lanewise; lanewise.kernel' 2>/dev/null; then
  PYTHONPATH=$build/python "$python" sweep.py || complain "the same sweep in Python"
fi
[ "$(entries)" = "$swept" ] && [ "$(wc -l <<<"$swept")" = 1 ] || complain "a score or Python does not take what a sweep has kept"
flip "$swept"
same sweeps "$program" "${sweeps[@]}"
LANEWISE_CACHE=$work/own

# A search that was ended is none to remember; nor does another limit of time take what this one has found.
"$program" "${one[@]}" --time-limit 55 >/dev/null
[ "$(entries | wc -l)" = 4 ] || complain "another limit of time is no other search"

# A program whose library has other code takes nothing of this one's: its identity is a digest of the library's archive.
identity=$(sha256sum "$build/liblanewise.a" | cut -d ' ' -f 1)
grep -qaF "$identity" "$program" || complain "the program does not say what its library is"
cp "$build/liblanewise.a" changed.a
printf '\1' | dd of=changed.a bs=1 seek=5000 conv=notrunc status=none
cmake -DARCHIVE="$PWD/changed.a" -DSOURCE="$PWD/identity.cpp" -P "$source/cmake/remembered.cmake"
other=$(grep -oE '[0-9a-f]{64}' identity.cpp)
[ -n "$other" ] && [ "$other" != "$identity" ] || complain "a changed library has the same identity"
# What the other program has "computed" is wrong here: only the identity keeps it away.
LC_ALL=C sed "s/$identity/$other/g" "$program" >rebuilt
chmod +x rebuilt
expect 0 "4 of another build" env LD_LIBRARY_PATH="$build" ./rebuilt cache check
same one ./rebuilt "${one[@]}"
[ "$(entries | wc -l)" = 5 ] || complain "another build has taken what this one has kept"
expect 0 "1 of another build" "$program" cache check

# Damage, in each entry: named, removed, computed again.
for entry in $(entries); do flip "$entry"; done
expect 1 "is damaged, and was removed" "$program" cache check
also "0 entries whole, 5 damaged"
expect 0 '"whole": 0' "$program" cache check --json
[ "$(entries | wc -l)" = 0 ] || complain "damaged entries are still there"
same one "$program" "${one[@]}"
same pairs "$program" "${pairs[@]}"
for entry in $(entries); do flip "$entry"; done
same one "$program" "${one[@]}"
same pairs "$program" "${pairs[@]}"
expect 0 "3 entries whole, 0 damaged" "$program" cache check

# Several at once, while somebody takes away what they keep.
for round in 1 2 3; do
  pids=()
  for each in 1 2 3; do
    "$program" "${one[@]}" >"at_once.$each" &
    pids+=($!)
  done
  [ $round = 1 ] || "$program" cache prune --all >/dev/null
  wait "${pids[@]}"
  for each in 1 2 3; do cmp -s "at_once.$each" one.txt || complain "process $each of round $round prints something else"; done
done
expect 0 "0 damaged" "$program" cache check

# Ended at any moment: nothing is damaged, and what is there is right.
RANDOM=7
for _ in $(seq 8); do
  "$program" cache prune --all >/dev/null
  "$program" "${one[@]}" >/dev/null 2>&1 &
  sleep 0.$(printf %03d $((RANDOM % 400)))
  kill -9 $! 2>/dev/null || true
  wait $! 2>/dev/null || true
  expect 0 "0 damaged" "$program" cache check
  same one "$program" "${one[@]}"
done

# No room: the command does what it does, and says that nothing is kept to who has named the folder.
"$program" cache prune --all >/dev/null
(
  ulimit -f 1
  "$program" "${one[@]}" 2>full.err | cmp -s - one.txt
) || complain "a file that may not grow changes what is printed"
grep -q "note: the result could not be kept in $LANEWISE_CACHE" full.err || complain "nobody is told that nothing is kept"
[ "$(entries | wc -l)" = 0 ] || complain "something is left of what could not be written"
mkdir disk
cat >on_full_disk.sh <<'END'
mount -t tmpfs -o size=16k none disk && head -c 12k /dev/zero >disk/filler || exit 77
mkdir disk/cache
for _ in 1 2; do LANEWISE_CACHE=$PWD/disk/cache "$@" 2>full.err | cmp -s - one.txt || exit 1; done
grep -q "could not be kept" full.err || exit 2
rm disk/filler
LANEWISE_CACHE=$PWD/disk/cache "$@" 2>full.err | cmp -s - one.txt || exit 3
[ "$(find disk/cache -type f | wc -l)" = 1 ] || exit 4
END
status=0
unshare -rm bash on_full_disk.sh "$program" "${one[@]}" >/dev/null 2>&1 || status=$?
case $status in
  0 | 77) ;;
  *) unshare -rm true 2>/dev/null && complain "on a full disk: $status" ;;
esac
LANEWISE_CACHE=/dev/null/none same one "$program" "${one[@]}"
grep -q "could not be kept in /dev/null/none" now.err || complain "nobody is told that there is no folder"
LANEWISE_CACHE= XDG_CACHE_HOME=/dev/null same one "$program" "${one[@]}"
[ ! -s now.err ] || complain "who has named no folder is told of it"

# Less of it.
same one "$program" "${one[@]}"
same pairs "$program" "${pairs[@]}"
expect 2 "has to be told what shall go" "$program" cache prune
expect 2 "the cache has no kind 'everything'" "$program" cache prune everything --all
expect 2 "--most-bytes has no size '2X'" "$program" cache prune --most-bytes 2X
expect 2 "takes neither kinds nor what shall go" "$program" cache check --all
expect 2 "--older-than" "$program" cache prune --older-than soon
expect 0 "would remove 1 entry of proofs" "$program" cache prune --all --dry-run
expect 0 "3 entries" "$program" cache
expect 0 "removed 1 entry of proofs" "$program" cache prune proofs --all
touch -d '9 days ago' "$(find "$LANEWISE_CACHE" -type f | head -1)"
expect 0 "9.0 days" "$program" cache
expect 0 "nothing to remove" "$program" cache prune --older-than 10 --most-bytes 2G
expect 0 '"entries": 1' "$program" cache prune --older-than 8.5 --json
touch -d '2 hours ago' "$LANEWISE_CACHE/tunings/0123456789abcdef0123456789abcdef.1.0.tmp"
expect 0 "was left unfinished, and was removed" "$program" cache check
for path in thesis.txt tunings/thesis.txt; do
  echo mine >"$LANEWISE_CACHE/$path"
  expect 2 "which is none of the cache's: nothing is removed" "$program" cache prune --all
  rm "$LANEWISE_CACHE/$path"
done
expect 0 "removed 1 entry of tunings" "$program" cache prune --all
