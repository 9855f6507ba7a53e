#!/usr/bin/env bash
# check_tidy.sh SOURCE BUILD [MODE [FILE...]]: clang-tidy over the library, the command line and the Python module, on all cores.
#
# clang-tidy spends its time on the headers of fmt, CLI11 and others, once per file that includes them. So the files of
# a few rooms are checked together, one after the other in one unit. Those whose names collide there (every file has its
# own anonymous namespace, the unit has one) make up a second unit, and so on. What has passed is checked again when
# something that it reads has changed.
#
# A unit contains its files, it does not include them: of what is included the analyzer follows no paths, and
# misc-unused-using-decls reports nothing.
#
# MODE says which files. All but nightly and whole look at files that have changed since the newest commit that is six hours
# older than the last one, apart from moves and lines that include, and at those that include a header that has; without git's
# history, every file counts as changed.
#   all             these, but only the first of them in the order of change, the newest first, if they are many; it says which are left
#   changed         these, however many
#   nightly         every file, and the analyzer takes its time
#   whole           every file
#   files FILE...   these, by their paths from SOURCE, and those that include one of them
set -euo pipefail
export source=$1 build=$2 mode=${3-all} work=$2/tidy
shift $(($# < 3 ? $# : 3))
mkdir -p "$work"

# So many files in the mode all: they take more than a second each, and a changed table of instructions concerns two hundred.
most=16

# One line for each process. Those that take long come first, so that all cores are busy to the end.
room_groups() {
  cat <<'END'
report editor cli
chip/tile chip/clock chip/noc run/section run/launch run/grid run/host
study/corpus study/parts study/sweep number/fits study/tune
run/execution run/oracle number/references run/vectors run/goldens study/changes study/silicon study/traffic
source/assembly source/compiler source/sfpi source/checkouts source/programs number/formats number/tensors
chip/riscv binary/elf binary/paths
browser
python
base base/graph chip/isa chip/semantics chip/machine chip/timing
END
}

# changed_files [FILE...]: those that git knows to have changed, one per line; all, where it does not know. With the mode
# files, those that are given.
changed_files() {
  local base
  if [ "$mode" = files ]; then
    printf '%s\n' "$@"
    return
  fi
  base=$(cd "$source" && git log -1 --format=%H --before="$(($(git log -1 --format=%ct) - 6 * 3600))" 2>/dev/null) || true
  if [ "$mode" = nightly ] || [ "$mode" = whole ] || [ -z "$base" ]; then
    (cd "$source" && find . -name '*.cpp' | sed 's|^[.]/||')
  else
    # A file that has only moved, or includes others that have, is the same file.
    (cd "$source" && git -c diff.renameLimit=9999 diff -M -z --numstat --diff-filter=d -I '^ *# *include ' "$base" |
      awk -v RS='\\0' -F'\t' '{ changed = $1 + $2 > 0 || $1 == "-"; file = $3
                                if (file == "") { getline; getline; file = $0 }
                                if (changed) print file }' && git ls-files --others --exclude-standard)
  fi
}

# concerned FILE...: those of the files that have changed, or include a header that has.
concerned() {
  grep -lFf <(sed -nE 's,^(src/)?(.*[.](h|def))$,#include "\2",p' "$work/changed"; echo '#include nothing') "$@" |
    cat - <(printf '%s\n' "$@" | grep -xFf <(sed "s|^|$source/|" "$work/changed")) | sort -u
}

# by_change: the changed files, the last change first: what is not committed, then commit by commit.
by_change() {
  (cd "$source" && { git ls-files --others --exclude-standard; git diff --name-only HEAD; git log --format= --name-only; } 2>/dev/null |
    awk '!seen[$0]++') | cat - "$work/changed" | awk 'NR == FNR { changed[$0]; next } $0 in changed && !seen[$0]++' "$work/changed" -
}

# choose: writes the files to look at, in the order of change, into `chosen`, and names those that are left.
choose() {
  local file all
  mapfile -t all < <(every_source)
  while IFS= read -r file; do
    case $file in
      *.cpp) printf '%s\n' "${all[@]}" | grep -xF "$source/$file" || true ;;
      src/*.h | src/*.def) grep -lF "#include \"${file#src/}\"" "${all[@]}" || true ;;
    esac
  done < <(by_change) | awk '!seen[$0]++' >"$work/in_order"
  head -n "$most" "$work/in_order" >"$work/chosen"
  tail -n +$((most + 1)) "$work/in_order" >"$work/left"
  if [ -s "$work/left" ]; then
    printf '%d files have changed or include what has; the %d that changed last are looked at, these are left to --nightly:\n' \
      "$(wc -l <"$work/in_order")" "$most"
    sed "s|^$source/||" "$work/left"
  fi
}

# every_source: all files of all rooms, but for those that are compiled per level.
every_source() {
  (cd "$source/src" && find $(room_groups) -name '*.cpp' -not -path '*/kernels/*' | sed "s|^|$source/src/|" | sort -u)
}

# Every option with which the build compiles one of the files. -Wshadow would see names of other files of a unit; the
# compilers warn of shadows in one file. But for nightly, the analyzer gives up on a function after 2,000 states instead
# of 225,000, which leaves it a quarter of its time.
compile_options() {
  local rooms
  rooms=$(room_groups | tr ' ' '\n' | sed 's|.*/||' | tr '\n' '|')
  sed -nE 's/^ *"command": "(.*)",?$/\1/p' "$build/compile_commands.json" |
    grep -E " -o [^ ]*lanewise_(${rooms%|})(_[a-z]+)?\.dir/[^ ]*\.o " |
    sed -E 's/\\(.)/\1/g; s/ -isystem / -isystem/g' | xargs printf '%s\n' |
    grep '^-' | grep -vxE -e '-o|-c|-include|-Winvalid-pch|-fPIC|-O[0-3]' | awk '!seen[$0]++'
  printf '%s\n' -Wno-unknown-warning-option -Wno-shadow
  [ "$mode" = nightly ] || printf '%s\n' -Xclang -analyzer-config -Xclang max-nodes=2000
}

# check ROOM...: prints findings; status 1 if there are any.
check() {
  local number=0 status=0 group unit options files rest
  group=$work/$(IFS=+ && tr / - <<<"$*")
  mapfile -t options <"$work/options"
  mapfile -t rest < <(find "${@/#/$source/src/}" -name '*.cpp' -not -path '*/kernels/*' | sort -u)
  mapfile -t rest < <(if [ "$mode" = all ]; then printf '%s\n' "${rest[@]}" | grep -xFf "$work/chosen"; else concerned "${rest[@]}"; fi)
  [ ${#rest[@]} -gt 0 ] || return 0
  printf '%s\n' "${rest[@]}" >"$group.files"
  sha256sum --check --status "$group.passed" 2>/dev/null && return
  rm -f "$group".*

  printf '%s\n' "${rest[@]}" >"$group.files"
  while [ ${#rest[@]} -gt 0 ]; do
    unit=$group.$((number += 1)).cpp
    make_unit
    if ! clang-tidy --quiet --config-file="$source/.clang-tidy" "$unit" -- "${options[@]}" >"$unit.log" 2>"$unit.errors"
    then
      status=1
      in_files <"$unit.log"
      grep -vE '^([0-9]+ (warning|error)s? |Suppressed )' "$unit.errors" || true
    fi
    mapfile -t rest < <(printf '%s\n' "${rest[@]}" | grep -vxFf "$unit.files")
  done
  [ $status = 0 ] || return 1
  { cat "$group".*.d | tr ' ' '\n' | grep '^/' | sort -u
    printf '%s\n' "$group.files" "$work/options" "$source/.clang-tidy" "$source/tests/scripts/check_tidy.sh"
    command -v clang-tidy; } | xargs -d '\n' sha256sum >"$group.passed"
}

# make_unit: as many files of `rest` as compile together go into `unit`; names them in unit.files, and what they read in
# unit.d. Where only headers tell of a collision, half of the files are tried. A file that does not compile alone either is left to
# clang-tidy, which says why.
make_unit() {
  local errors strangers
  files=("${rest[@]}")
  while :; do
    printf '%s\n' "${files[@]}" >"$unit.files"
    contain "${files[@]}" >"$unit"
    errors=$(clang++ "${options[@]}" -w -fsyntax-only -ferror-limit=0 -fno-caret-diagnostics -MD -MF "$unit.d" \
      "$unit" 2>&1 | grep -E '^[^ ]*: (fatal )?error: ') || true
    if [ -z "$errors" ] || [ ${#files[@]} = 1 ]; then return; fi
    strangers=$(cut -d: -f1 <<<"$errors" | grep -xFf "$unit.files" | sort -u) || true
    if [ -z "$strangers" ]; then
      files=("${files[@]:0:$((${#files[@]} / 2))}")
      continue
    fi
    mapfile -t files < <(printf '%s\n' "${files[@]}" | grep -vxF "$strangers")
    [ ${#files[@]} -gt 0 ] || files=("${rest[0]}")
  done
}

# contain FILE...: the text of the files. The macro makes readability-duplicate-include forget what the last file includes.
contain() {
  local file
  for file in "$@"; do
    printf '#undef LANEWISE_NEXT_FILE\n#line 1 "%s"\n' "$file"
    cat "$file"
  done
}

# in_files: lines of the unit in findings become lines of its files; clang-tidy does not heed #line.
in_files() {
  awk -v unit="$unit" '
    NR == FNR { if (/^#line 1 "/) { file = $0; gsub(/^#line 1 "|"$/, "", file); start = FNR }
                name[FNR] = file; line[FNR] = FNR - start; next }
    index($0, unit ":") == 1 { rest = substr($0, length(unit) + 2); number = rest + 0; sub(/^[0-9]+/, "", rest)
                               $0 = name[number] ":" line[number] rest }
    { print }' "$unit" -
}

# Every room is in some group, and cli, browser and python, which are none.
wanted=$(sed -n '/^set(LANEWISE_ROOMS/,/)/p' "$source/cmake/library.cmake" | tr -s ' ()' '\n' | grep -vxE 'set|LANEWISE_ROOMS|' | cat - <(printf 'browser\ncli\npython\n') | sort)
[ "$(room_groups | tr ' ' '\n' | sort)" = "$wanted" ] || { echo "the groups of check_tidy.sh lack a room"; exit 1; }
compile_options >"$work/options"
changed_files "$@" >"$work/changed"
[ "$mode" = quick ] && mode=all
[ "$mode" != all ] || choose
export -f check concerned make_unit contain in_files
room_groups | xargs -P "$(nproc)" -I{} bash -euo pipefail -c 'check {}'
