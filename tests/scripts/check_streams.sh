#!/usr/bin/env bash
# check_streams.sh PROGRAM SOURCE: what every command does where standard output or standard error is closed, full, or a
# pipe that nobody reads, and where a file cannot be written (docs/cli.md, "Exit status").
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
ln -s "$source/examples" "$source/tests" "$work"

printf 'SFPLOAD L0, 0, 3, 0\nSFPABS L0, L0, FLOAT\nSFPSTORE L0, 0, 3, 0\n' >good.tt
printf '#include "sfpi.h"\nvoid kernel() {\n  for (int i = 0; i < 32; ++i) {\n    sfpi::dst_reg[0] = sfpi::dst_reg[0] * 2.0f;\n    sfpi::dst_reg++;\n  }\n}\n' >kernel.cpp
printf 'op,engine,unit,in_formats,out_formats,dest_acc,options,cycles_min,cycles_median,cycles_max,rows\ncopy_tile,math,PerTile,Float16_b,Float16_b,false,,18,19,20,1\n' >table.csv
printf '[{"proc": "BRISC", "noc": "NOC_0", "sx": 1, "sy": 2, "dx": 2, "dy": 3, "num_bytes": 64, "type": "WRITE_", "timestamp": 5}]' >trace.json

# Every command at its work: it succeeds, and prints something.
works=("--help" "--version" "run --help" "run good.tt --in ramp" "run good.tt --in ramp --json" "run good.tt --in zero --trace"
  "run kernel.cpp --in ramp" "run kernel.cpp --emit tti" "tile examples/tile/datacopy_bh.tt" "tile examples/tile/datacopy_bh.tt --trace" "tile examples/tile/datacopy_bh.tt --json"
  "tile examples/tile/datacopy_bh.tt --races" "time good.tt" "time good.tt --json" "check good.tt" "check good.tt --json"
  "check --rules" "check --rule mad-result" "asm good.tt" "dis 7d000011" "explain SFPMAD" "isa" "isa --json"
  "conform tests/vectors/sfpu-bh.vec.gz" "llk --list" "fp16c 1.5" "fp16c 1.5 --json" "sweep good.tt --ref abs(x)"
  "sweep good.tt --ref abs(x) --json" "diff good.tt good.tt" "diff good.tt good.tt --json" "accuracy --list"
  "clock --against table.csv --plan" "noc replay trace.json" "noc replay trace.json --json" "score good.tt --ref abs(x)" "score good.tt --ref abs(x) --json" "fit exp(x) --range 0:1" "fit exp(x) --range 0:1 --json")
# Every command with something wrong: it says so.
fails=("nonsense" "--nonsense" "run missing.tt" "run good.tt --nonsense" "tile missing.tt" "time missing.tt" "check missing.tt" "asm missing.tt"
  "dis zz" "explain nonsense" "isa --nonsense" "conform missing.vec" "llk missing" "fp16c nonsense"
  "sweep missing.tt --ref x" "diff missing.tt good.tt" "accuracy --kernel nonsense" "clock --against missing.csv --plan" "noc replay missing.json" "noc accuracy missing.yaml" "score missing.tt --ref x" "fit nonsense --range 0:1")

# ends STATUS WHAT COMMAND: a command of the shell has to end so.
ends() {
  local got=0
  bash -c "$3" >"$work/out" 2>"$work/err" || got=$?
  [ "$got" = "$1" ] && return
  complain "$2: status $got instead of $1: $3"
  cat "$work/err"
}
says() { # TEXT WHAT: in the messages of the last command
  grep -qF -- "$1" "$work/err" && return
  complain "$2: no \"$1\" among the messages:"
  cat "$work/err"
}
is_quiet() { # WHAT
  [ ! -s "$work/err" ] && return
  complain "$1 is not quiet:"
  cat "$work/err"
}

# Where the streams are broken in another way than by a full output. By night each command meets each of them; by day one, in turn.
closed_output() {
  ends 2 "closed output" "$command >&-"
  says "cannot write to standard output" "$words >&-"
}
closed_output_and_errors() { ends 2 "closed output and errors" "$command >&- 2>&-"; }
full_output_and_errors() { ends 2 "full output and errors" "$command >/dev/full 2>/dev/full"; }
closed_errors() { ends 0 "closed errors" "$command 2>&-"; }
full_errors() { ends 0 "full errors" "$command 2>/dev/full"; }
# SIGPIPE ends it, or where that is ignored, the error: without a word either way.
closed_pipe() {
  ends 0 "a reader that has enough" "$command | true"
  is_quiet "$words | true"
}
closed_pipe_without_signal() {
  ends 0 "a reader that has enough, no SIGPIPE" "trap '' PIPE; $command | true"
  is_quiet "$words | true without SIGPIPE"
}
ways=(closed_output closed_output_and_errors full_output_and_errors closed_errors full_errors closed_pipe closed_pipe_without_signal)
turn=0
for words in "${works[@]}"; do
  command="'$program' ${words//(x)/\\(x\\)}"
  ends 0 "at its work" "$command"
  ends 2 "full output" "$command >/dev/full"
  says "cannot write to standard output: No space left" "$words >/dev/full"
  turn=$((turn + 1))
  for way in $(in_turn $turn "${ways[@]}"); do $way; done
done
redirections=("2>/dev/full" "2>&-" ">&-" ">&- 2>&-" "<&- >&- 2>&-")
for words in "${fails[@]}"; do
  command="'$program' $words"
  ends 2 "a mistake" "$command"
  says "error" "$words"
  turn=$((turn + 1))
  for number in $(in_turn $turn "${!redirections[@]}"); do
    ends 2 "a mistake" "$command ${redirections[number]}"
  done
done

# Files that are closed when the program starts do not take in what belongs into others.
ends 0 "files with closed streams" "'$program' run good.tt --in ramp --out r.npy 2>&- <&-"
ends 0 "files with closed streams" "'$program' run r.npy --help <&- 2>&-"

# Every option that writes a file: nothing half written is left, neither under the name nor beside it.
writes=("run good.tt --in every-bf16 --out F.npy" "run good.tt --in every-bf16 --arch bh,wh --out F.npy" "time good.tt --html F"
  "time good.tt --perfetto F" "asm long.tt -o F" "dis --file long.hex -o F" "sweep good.tt --ref abs\(x\) --html F"
  "sweep good.tt --ref abs\(x\) --svg F" "accuracy --kernel abs.tt --out F" "tile examples/tile/datacopy_bh.tt --out 0x30000=F.npy"
  "tile examples/tile/datacopy_bh.tt --save-l1 F")
printf '.repeat 2000\nSFPABS L0, L0, FLOAT\n.endr\n' >long.tt
"$program" asm long.tt >long.hex
mkdir target
for words in "${writes[@]}"; do
  command="'$program' ${words/F/target\/file}"
  ends 0 "writing" "$command"
  [ -n "$(ls -A target)" ] || complain "nothing written by $words"
  rm -f target/*
  # One block of 512 or 1024 bytes: less than any of these files has. That is how a full disk looks from here.
  ends 2 "a disk that is full" "set -o pipefail; ulimit -f 1; $command | cat >/dev/null"
  says "cannot write the file" "$words"
  [ -z "$(ls -A target)" ] || { complain "left by $words: $(ls -A target)"; rm -f target/*; }
  ends 2 "a folder that is not there" "${command/target/missing}"
  case $words in *.npy) continue ;; esac
  ends 2 "a full device" "'$program' ${words/F//dev/full}"
done
