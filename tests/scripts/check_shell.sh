#!/usr/bin/env bash
# check_shell.sh PROGRAM SOURCE: help, completion, manual pages, colours and .lanewise.toml, as docs/cli.md states them. Scripts and pages
# are given to the shells and to mandoc as they are printed.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
printf 'SFPLOAD L0, 0, 3, 0\nSFPABS L0, L0, FLOAT\nSFPSTORE L0, 0, 3, 0\n' >good.tt
printf 'SFPLOAD  L0, FP32, ADDR_MOD_3, 0\nSFPMAD   L0, L0, L9, L2, 0\nSFPSTORE L2, FP32, ADDR_MOD_3, 0\n' >early.tt

# Help: what there is to do is the same however it is asked for, the launcher's without a build; it names every command, and no other.
"$program" >tasks.txt
[ "$(cat tasks.txt)" = "$(cat "$source/src/cli/tasks.txt")" ] || complain "'lanewise' alone prints something else than src/cli/tasks.txt"
for words in help --help -h; do
  cmp -s tasks.txt <("$program" $words) || complain "'lanewise $words' is not 'lanewise'"
done
cp "$source/lanewise" . && mkdir -p src/cli && cp "$source/src/cli/tasks.txt" src/cli/
for words in '' help --help; do
  # shellcheck disable=SC2086
  [ "$(./lanewise $words | head -n -2)" = "$(cat tasks.txt)" ] || complain "the launcher's '$words' is not the program's"
done
[ ! -e build ] || complain "the launcher builds something to show its help"
"$program" --help-all >all.txt
mapfile -t commands < <(sed -n 's/^Usage: lanewise \([^ ]*\) .*/\1/p' all.txt)
[ "${#commands[@]}" -gt 25 ] || complain "--help-all explains ${#commands[@]} commands"
same_lines() { [ "$(sort <<<"$2")" = "$(sort <<<"$3")" ] || complain "$1: $(diff <(sort <<<"$2") <(sort <<<"$3") | head -5)"; }
same_lines "the commands of the tasks" "$(sed -n 's/^  \([a-z0-9-]*\)  .*/\1/p' tasks.txt | grep -v '^lanewise$')" "$(printf '%s\n' "${commands[@]}")"
for command in "${commands[@]}"; do
  cmp -s <("$program" help "$command") <("$program" "$command" --help) || complain "help $command is not $command --help"
done
expect 2 "there is no command 'rum'; did you mean run?" "$program" help rum
expect 0 "More, which --help-all explains:" "$program" run --help
also "--call --init"
! grep -q 'Statement that runs the kernel' <<<"$expected_output" || complain "the short help explains --call"
expect 0 "Statement that runs the kernel" "$program" run --help-all
! grep -q 'More, which' <<<"$expected_output" || complain "--help-all has more"
expect 0 "-o,--out FILE" "$program" asm --help
expect 0 "--emit asm|words|tti|ir" "$program" run --help
expect 0 "; not with --listing" "$program" run --help
expect 0 "0.1 to 86400" "$program" tune --help
[ "$("$program" run --help | grep -v '  .*  ' | awk '{ print length }' | sort -n | tail -1)" -le 110 ] || complain "lines of a help are longer than 110"

# Colours: on terminals, as asked for, and the same text without them.
without_colours() { sed 's/\x1b\[[0-9;]*m//g'; }
for words in "check early.tt --arch wh" "run --help" "help" "run nothing.tt" "rum"; do
  # shellcheck disable=SC2086
  for colour in always never auto; do
    [ "$words" != rum ] || [ $colour = auto ] || continue
    "$program" $words $([ "$words" = rum ] || echo "--color $colour") >"$colour.txt" 2>&1 || true
  done
  cmp -s never.txt auto.txt || [ "$words" = rum ] || complain "$words: colours in a file"
  ! grep -q $'\x1b' auto.txt || complain "$words: colours in a file"
  [ "$words" = rum ] && continue
  grep -q $'\x1b\[' always.txt || complain "$words --color always has no colours"
  cmp -s <(without_colours <always.txt) never.txt || complain "$words: another text in colours"
done
"$program" check early.tt --arch wh --color always >colour.txt || true
grep -q $'\x1b\[1m\x1b\[31mmad-result\x1b\[0m' colour.txt || complain "the rule of a hazard is not red"
has_colours() {
  env "$@" script -qc "'$program' check early.tt --arch wh" /dev/null </dev/null >terminal.txt
  grep -q mad-result terminal.txt || complain "nothing on a terminal with $*"
  grep -q $'\x1b\[1m' terminal.txt
}
has_colours TERM=xterm || complain "no colours on a terminal"
! has_colours TERM=xterm NO_COLOR=1 || complain "colours in spite of NO_COLOR"
! has_colours TERM=dumb || complain "colours on a terminal that has none"
"$program" check early.tt --json --color always | python3 -m json.tool >/dev/null || complain "colours in JSON"

# Completion, by the shells themselves. in_bash, in_fish, in_zsh WORD...: what the last word, which may be empty, can become.
"$program" completion bash >completion.bash
"$program" completion fish >completion.fish
"$program" completion zsh >_lanewise
in_bash() {
  bash -c 'source ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lanewise 2>/dev/null; printf "%s\n" "${COMPREPLY[@]}"' \
    _ lanewise "$@" | paste -sd ' '
}
in_fish() { HOME=$work fish -c "source completion.fish; complete -C'lanewise $*'" | cut -f1 | sort | paste -sd ' '; }
# In a terminal of its own, one for all lines: what stands behind the prompt once Tab has been pressed, a line for each.
cat >complete.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "stty -echo; PS1=; fpath=($PWD \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell 'show() { print -r -- "<<$BUFFER>>" }; zle -N show; bindkey "^O" show; unsetopt beep; zstyle ":completion:*" insert-unambiguous true'
for typed; do
  zpty -w -n shell "lanewise $typed"$'\t\x0f'
  while zpty -r shell line; do
    [[ $line = *'<<lanewise'*'>>'* ]] && print -r -- "${${line#*<<}%>>*}" && break
  done
  zpty -w -n shell $'\x15'
done
END
in_zsh() { timeout 60 zsh -f complete.zsh "$@"; }
same() { [ "$2" = "$3" ] || complain "$1: '$2' instead of '$3'"; }
same "bash, commands" "$(in_bash ru)" run
same "bash, options" "$(in_bash run --out-t)" --out-tile
same "bash, choices" "$(in_bash run --emit '')" "asm words tti ir recording"
same "bash, chips" "$(in_bash run --arch = w)" wh
same "bash, words" "$(in_bash explain SFPMA)" SFPMAD
same "bash, formats" "$(in_bash run --format bf)" bf16
same "bash, operations" "$(in_bash run --op gelu_d)" gelu_derivative
same "bash, the other operation" "$(in_bash diff --op-b softsig)" softsign
same "bash, releases" "$(in_bash run --sfpi 5)" 5.0
same "bash, rules" "$(in_bash check --rule mad-r)" mad-result
same "bash, forms of hazards" "$(in_bash run --hazards '')" "warn model error off"
same "bash, measures" "$(in_bash sweep --ulp tt)" "tt-llk ttnn"
same "bash, formats of a source" "$(in_bash run --srca-format bfp8)" "bfp8 bfp8a"
same "bash, several formats" "$(in_bash atlas --formats bf)" bf16
# What is offered is taken: values OPTION COMMAND..., which get each as OPTION=VALUE.
values() {
  local option=$1 count=0
  shift
  for value in $(in_bash "$1" "$option" ''); do
    local status=0
    count=$((count + 1))
    "$program" "$@" "$option=$value" >out.txt 2>&1 || status=$?
    [ $status != 2 ] || complain "$* $option=$value is offered: $(head -2 out.txt)"
  done
  [ $count -gt 2 ] || complain "$1 $option completes $count values"
}
values --hazards run good.tt
values --format run good.tt
values --out-format run good.tt
values --srca-format run good.tt
values --rule check
values --harness time good.tt --arch bh,wh
values --sfpi time good.tt
values --dump time good.tt
values --ulp sweep good.tt --ref 'abs(x)' --inputs sample:10
same "bash, commands of help" "$(in_bash help llk-t)" llk-test
mkdir -p folder
same "bash, folders" "$(in_bash run --metal f)" folder
for command in "${commands[@]}"; do
  mapfile -t options < <("$program" "$command" --help-all | grep -oE '^  -[-a-zA-Z0-9,]+' | grep -oE -- '--[a-z0-9-]+' | sort -u)
  same_lines "bash, options of $command" "$(in_bash "$command" -- | tr ' ' '\n' | grep '^--')" \
    "$(printf '%s\n' "${options[@]}" --help-all)"
done
if command -v fish >/dev/null; then
  same "fish, commands" "$(in_fish 'ru')" run
  same "fish, options" "$(in_fish 'run --out-t')" --out-tile
  same "fish, choices" "$(in_fish 'run --emit ')" "asm ir recording tti words"
  same "fish, operations" "$(in_fish 'run --op softsig')" softsign
  same "fish, releases" "$(in_fish 'run --sfpi 5')" 5.0
  same "fish, words" "$(in_fish 'explain SFPMA')" SFPMAD
  same "fish, another command's" "$(in_fish 'asm --emi')" ""
else
  echo "skipped: fish is not installed"
fi
if command -v zsh >/dev/null; then
  # Commands, options, choices, operations, releases, words.
  typed=('ru' 'run --out-f' 'run --emit w' 'run --op softsig' 'run --sfpi 5' 'explain SFPMA')
  completed=('run ' 'run --out-format ' 'run --emit words ' 'run --op softsign ' 'run --sfpi 5.0 ' 'explain SFPMAD ')
  same "zsh" "$(in_zsh "${typed[@]}")" "$(printf 'lanewise %s\n' "${completed[@]}")"
else
  echo "skipped: zsh is not installed"
fi
expect 2 "not in {bash,zsh,fish}" "$program" completion tcsh

# Manual pages.
mkdir pages
"$program" man --folder pages
same "the number of manual pages" "$(ls pages | wc -l)" "$((${#commands[@]} + 1))"
cmp -s <("$program" man) pages/lanewise.1 || complain "man --folder writes another lanewise.1"
cmp -s <("$program" man run) pages/lanewise-run.1 || complain "man --folder writes another lanewise-run.1"
expect 2 "there is no command 'rum'; did you mean run?" "$program" man rum
expect 2 "nowhere/lanewise.1: error: cannot write the file" "$program" man --folder nowhere
expect 2 "--folder excludes command" "$program" man run --folder pages
if command -v mandoc >/dev/null; then
  mandoc -T lint -W warning pages/*.1 | grep -v 'missing date' >lint.txt || true
  [ ! -s lint.txt ] || complain "mandoc: $(head -3 lint.txt)"
  for command in "${commands[@]}"; do
    # Every option of the whole help stands there, with its text.
    page=$(mandoc -T utf8 -O width=200 "pages/lanewise-$command.1" | col -bx)
    while IFS= read -r form; do
      [[ $page == *"$form"* ]] || complain "lanewise-$command.1 lacks $form"
    done < <("$program" "$command" --help-all | grep -oE '^  -[^ ]+( [A-Z][A-Z]+)?' | sed 's/^ *//')
  done
  mandoc -T utf8 -O width=200 pages/lanewise-run.1 | col -bx >page.txt
  grep -qE '^ +random\[:SEED\[:LO:HI\]\]  uniform' page.txt || complain "lanewise-run.1 has not the table of inputs"
  mandoc -T utf8 pages/lanewise.1 | col -bx >page.txt
  for name in "${commands[@]}"; do grep -q "lanewise-$name(1)" page.txt || complain "lanewise.1 lacks $name"; done
else
  echo "skipped: mandoc is not installed"
fi

# .lanewise.toml: of this folder or of one above; what stands on the command line counts, and folders are relative to it.
mkdir -p above/below && cp good.tt early.tt above/below/
cat >above/.lanewise.toml <<'END'
arch = "wh"      # for every command
format = "fp32"
include = ["headers"]
[run]
in = "value:2"
show = 1
[check]
format = "bf16"
END
mkdir above/headers && printf 'constexpr float kTwo = 2.0f;\n' >above/headers/two.h
printf '#include "two.h"\n#include "sfpi.h"\nvoid kernel() { sfpi::dst_reg[0] = sfpi::vFloat(kTwo); }\n' >above/below/two.cpp
cd above/below
expect 0 "wh: 3 instructions, 1 tile, fp32" "$program" run good.tt
also "0,0   2    2  40000000"
expect 0 "bh: 3 instructions, 1 tile, bf16" "$program" run good.tt --arch bh --format=bf16
expect 0 "bh: 3 instructions, 1 tile, bf16" "$program" run good.tt --no-config --in value:1
expect 0 "wh: 2 instructions" "$program" run two.cpp
expect 1 "wh: early.tt: line 3" "$program" check early.tt
expect 0 "SFPABS" "$program" explain SFPABS
# config TEXT MESSAGE: a file of this folder, and what is said about it.
config() {
  printf '%b' "$1" >.lanewise.toml
  expect 2 "$2" "$program" run good.tt
}
config 'aarch = "wh"' ".lanewise.toml:1:1: error: there is no key 'aarch'; arch, format, metal, include, define, sfpi and color stand at the top"
config 'arch =' ".lanewise.toml:1:7: error: "
config '\n[run]\nshwo = 2' ".lanewise.toml:3:1: error: 'run' has no option --shwo; 'lanewise run --help-all' lists what there is"
config '[runs]\nshow = 2' ".lanewise.toml:1:2: error: there is no command 'runs'"
config 'arch = [["wh"]]' "error: --arch takes no such value; give a text or a number, or a list of them"
config '[run]\njson = 3' "error: --json takes no value; give true or false"
config 'format = "nope"' "error: 'nope' is not a format"
also "note: $PWD/.lanewise.toml adds --format=nope"
config '[run]\nin = "ramp"\nout-tile = -1' "'-1' is no whole number"
printf 'arch = ["wh", "bh"]\n[run]\njson = true\nin = ["ramp", "zero"]\n' >.lanewise.toml
expect 0 '"arch": "wh"' "$program" run good.tt
also '"arch": "bh"'
expect 0 "SFPLOAD L0" "$program" dis 70030000 --arch bh
# Where there is room for one chip, it is the first.
printf 'SFPGT L0, L1, 1\n' >blackhole.tt
expect 2 "SFPGT exists on bh only" "$program" asm blackhole.tt
printf '[run]\nquiet = true\nlisting = false\n' >.lanewise.toml
expect 0 "3 instructions" "$program" run good.tt --in ramp --listing
# Whatever stands in the file, one clear error or none. The texts are those above, with a byte of each changed.
bytes=('"' '[' ']' '=' '\n' '\0' . '{' '}' '#' '\xff' 1)
for text in 'arch = "wh"\n[run]\nin = ["ramp"]\nshow = 2\n' '[run]\njson = true\nout-tile = 1\n' 'include = ["a", "b"]\ndefine = ["A=1"]\n'; do
  for ((at = 0; at < 30; ++at)); do
    printf -v changed '%b' "$text"
    printf '%s%b%s' "${changed:0:at}" "${bytes[at % ${#bytes[@]}]}" "${changed:at+1}" >.lanewise.toml
    status=0
    "$program" run good.tt --quiet >out.txt 2>&1 || status=$?
    [ $status -le 2 ] || complain "status $status of a changed .lanewise.toml: $(cat -v .lanewise.toml)"
  done
done
rm .lanewise.toml
cd "$work"
# One above that belongs to somebody else is left out.
if [ "$(id -u)" = 0 ] && chown 12345 above/.lanewise.toml 2>/dev/null; then
  (cd above/below && expect 0 "is left out: it belongs to another user" "$program" run good.tt --in ramp && also "bh: 3 instructions" && exit $failures) ||
    failures=$((failures + 1))
fi
