#!/usr/bin/env bash
# check_linear.sh PROGRAM: what a program costs that is read, checked and run once grows no faster than its words, lines and faults.
# Counted are instructions of the host, which do not depend on how busy the machine is.
program=$1
source "$(dirname "$0")/expect.sh"

few=1000 many=4000
# The scalar code of the lowest level, so that every machine counts the same.
export LANEWISE_SIMD=baseline

# count WORD...: instructions that the command takes.
count() {
  local status=0
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$program" "$@" >out 2>log || status=$?
  [ "$status" -le 1 ] || complain "status $status: $* $(tail -1 log)" >&2
  sed -n 's/.*I *refs: *//p' log | tr -d ,
}

# grows_as_its_words NAME MOST WORD...: NAME FEW and NAME MANY, each of them with the words; a word takes at most so many instructions.
grows_as_its_words() {
  local name=$1 most=$2 small large each
  shift 2
  small=$(count run "$name$few.tt" "$@") large=$(count run "$name$many.tt" "$@")
  each=$(((large - small) / (many - few)))
  echo "$name: $each instructions for a word"
  # What does not depend on the words is in both.
  [ $((large - small)) -le $((small * (many - few) / few)) ] ||
    complain "$name: $few words take $small instructions, $many take $large"
  [ "$each" -le "$most" ] || complain "$name: a word takes $each instructions, at most $most expected"
}

for words in $few $many; do
  awk -v n=$words 'BEGIN { for (i = 0; i < n; ++i) printf "SFPLOADI L%d, FLOATB, %d\n", i % 8, i }' >plain$words.tt
  # Each line has a fault of its own: a mode that means nothing.
  awk -v n=$words 'BEGIN { for (i = 0; i < n; ++i) printf "SFPABS L%d, L%d, 9\n", i % 8, i % 5 }' >fault$words.tt
  # Any words: the generator of the C standard's example, its upper halves.
  awk -v n=$words 'BEGIN {
    x = 1
    for (i = 0; i < 2 * n; ++i) {
      x = (x * 1103515245 + 12345) % 2147483648
      printf "%04x%s", int(x / 32768), i % 2 ? "\n" : ""
    }
  }' >any$words.tt
done

grows_as_its_words plain 25000 --quiet
grows_as_its_words fault 40000 --quiet
grows_as_its_words any 40000 --quiet --hex --hazards off
