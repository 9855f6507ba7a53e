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

# grows_as_its_words NAME MOST WORD...: the command, in whose words @ stands for how many words its program has; a word takes at most so
# many instructions.
grows_as_its_words() {
  local name=$1 most=$2 small large each
  shift 2
  small=$(count "${@//@/$few}") large=$(count "${@//@/$many}")
  each=$(((large - small) / (many - few)))
  echo "$name: $each instructions for a word"
  # What does not depend on the words is in both.
  [ $((large - small)) -le $((small * (many - few) / few)) ] ||
    complain "$name: $few words take $small instructions, $many take $large"
  [ "$each" -le "$most" ] || complain "$name: a word takes $each instructions, at most $most expected"
}

# bytes WORD...: the most memory that the command has at a time.
bytes() {
  local status=0
  valgrind --tool=massif --peak-inaccuracy=0 --massif-out-file=memory "$program" "$@" >out 2>log || status=$?
  [ "$status" -le 1 ] || complain "status $status: $* $(tail -1 log)" >&2
  sed -n 's/^mem_heap_B=//p' memory | sort -n | tail -1
}

# takes_memory NAME MOST WORD...: as above; a word takes at most so many bytes.
takes_memory() {
  local name=$1 most=$2 small large each
  shift 2
  small=$(bytes "${@//@/$few}") large=$(bytes "${@//@/$many}")
  each=$(((large - small) / (many - few)))
  echo "$name: $each bytes for a word"
  [ "$each" -le "$most" ] || complain "$name: a word takes $each bytes, at most $most expected"
}

for words in $few $many; do
  awk -v n=$words 'BEGIN { for (i = 0; i < n; ++i) printf "SFPLOADI L%d, FLOATB, %d\n", i % 8, i }' >plain$words.tt
  # As kernels have them: the same lines again and again.
  awk -v n=$words 'BEGIN {
    for (i = 0; i < n; i += 4)
      printf "SFPLOAD L0, FP32, 3, %d\nSFPLOADI L1, FLOATB, 7\nSFPIADD 0, L0, L1, 5\nSFPSTORE L1, FP32, 3, %d\n", i % 64, i % 64
  }' >again$words.tt
  # Each line has a fault of its own: a mode that means nothing.
  awk -v n=$words 'BEGIN { for (i = 0; i < n; ++i) printf "SFPABS L%d, L%d, 9\n", i % 8, i % 5 }' >fault$words.tt
  # Each second line is a finding of the checker: it loads what has just been stored.
  awk -v n=$words 'BEGIN {
    for (i = 0; i < n; i += 2) printf "SFPSTORE L9, FP32, 3, %d\nSFPLOAD L0, FP32, 3, %d\n", i * 2 % 512, i * 2 % 512
  }' >found$words.tt
  # A result that is stored early, in some lanes, again and again, and that nobody reads later.
  cat >early$words.tt <<EOF
SFPMAD L0, L10, L9, L12, 0
SFPLOADI L0, 10, 0x4400
SFPLOADI L0, 8, 0x4B00
SFPCONFIG 0, 4, 0
SFPENCC 3, 10
SFPSETCC 0, L15, 2
.repeat $words
SFPLOADMACRO 0, 0, FP32, 3, 0, 0
.endr
EOF
  # Any words: the generator of the C standard's example, its upper halves.
  awk -v n=$words 'BEGIN {
    x = 1
    for (i = 0; i < 2 * n; ++i) {
      x = (x * 1103515245 + 12345) % 2147483648
      printf "%04x%s", int(x / 32768), i % 2 ? "\n" : ""
    }
  }' >any$words.hex
done
for words in $few $many; do
  # Words that differ, of the Vector Unit and without macros: eight loads, then loads, sums and absolute values of any registers.
  awk -v n=$words 'BEGIN {
    x = 1
    for (i = 0; i < n; ++i) {
      x = (x * 1103515245 + 12345) % 2147483648
      a = int(x / 65536) % 8; b = int(x / 524288) % 8; number = int(x / 4096) % 65536
      if (i < 8 || i % 3 == 0) word = 113 * 16777216 + (i < 8 ? i : a) * 1048576 + number
      else if (i % 3 == 1) word = 121 * 16777216 + number % 4096 * 4096 + a * 256 + b * 16 + 5
      else word = 125 * 16777216 + a * 256 + b * 16
      printf "%08x\n", word
    }
  }' >words$words.hex
done
# A core that pushes two words in each turn of a loop.
cat >push.c <<'EOF'
void _start(void) { for (;;) ; }
__attribute__((noinline)) void push(unsigned words) {
  volatile unsigned *const fifo = (volatile unsigned *)0xFFE40000;
  for (unsigned i = 0; i < words / 2; ++i) {
    *fifo = 0x71000000U | (i & 7) << 20 | (i & 0xFFF);
    *fifo = 0x71000000U | (i & 7) << 20 | 0x20000U | (i & 0xFFF);
  }
}
EOF
riscv64-unknown-elf-gcc -march=rv32im_zicsr -mabi=ilp32 -nostdlib -ffreestanding -g -O2 -Wl,-Ttext=0x6000,-e,0x6000 push.c -o push.elf ||
  complain "push.c does not compile"

# The bounds are what was counted, and a fifth to a quarter more. Of a word of `again` the text takes less than 600, since the line is
# known; the rest is the clock, what follows it, and executing. Lines that are all different are read in some 900 (`asm` prints
# them, too). A finding or a fault is sentences of its own.
grows_as_its_words asm 2500 asm plain@.tt
grows_as_its_words again 3150 run again@.tt --quiet
grows_as_its_words plain 3150 run plain@.tt --quiet
grows_as_its_words fault 3750 run fault@.tt --quiet
grows_as_its_words found 10800 run found@.tt --quiet
grows_as_its_words any 7900 run any@.hex --quiet --hazards off
grows_as_its_words words 510 run words@.hex --quiet --hazards off
# Four to five instructions of the core for a word, some 150 of the host each with what they push; the rest as above.
grows_as_its_words push 1480 run push.elf --call 'push(@)' --quiet --hazards off

# A macro that is late is tried again and again, up to a bound that has nothing to do with the words.
grows_as_its_words early 185000 run early@.tt --quiet
takes_memory plain 270 run plain@.tt --quiet
takes_memory words 95 run words@.hex --quiet --hazards off
takes_memory any 220 run any@.hex --quiet --hazards off

# Memory of large tables is asked for in large pages: 14 is MADV_HUGEPAGE. A text of 3 MB is one such table.
large_pages() {
  { echo SFPNOP; printf '%*s\n' "$1" ''; } | tr ' ' ';' >text.tt
  valgrind --tool=none --trace-syscalls=yes "$program" asm text.tt 2>&1 >out | grep -ac 'sys_madvise.*, 14 )'
}
[ "$(large_pages 3000000)" -gt 0 ] || complain "no large pages for a text of 3 MB"
[ "$(large_pages 1000)" -eq 0 ] || complain "large pages for a text of 1 KB"
