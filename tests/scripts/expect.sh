# To be sourced by a check, which then stands in an empty folder, `work`, that goes away with it. At its end it fails if
# there was anything to complain about.
set -euo pipefail
failures=0
# It has the name of the check, if nobody runs that one now: what is compiled in it has the same paths in the next run, and is found in
# the cache. What a killed run has left is old.
work=${TMPDIR:-/tmp}/lanewise-$(basename "$0" .sh)
find "$work" -maxdepth 0 -mmin +60 -exec rm -rf {} + 2>/dev/null || true
mkdir -m 700 "$work" 2>/dev/null || work=$(mktemp -d)
at_end() { :; } # what else has to be ended
finish() {
  local status=$?
  at_end
  rm -rf "$work"
  [ "$failures" = 0 ] && exit $status
  echo "$failures checks failed"
  exit 1
}
trap finish EXIT
export LANEWISE_CACHE=${LANEWISE_TEST_CACHE:-$work/cache}
# What a check looks at is computed now, not remembered.
export LANEWISE_REMEMBER=off
cd "$work"

complain() {
  printf 'FAILED: %s\n' "$*"
  failures=$((failures + 1))
}

# expect STATUS TEXT COMMAND...: the status, and the text somewhere in what is printed.
expect() {
  local status=$1 text=$2 got=0
  shift 2
  expected_of=$*
  expected_output=$("$@" 2>&1) || got=$?
  if [ "$got" != "$status" ] || [[ $expected_output != *"$text"* ]]; then
    complain "$*"
    printf '  expected status %s and "%s"\n  got status %s and:\n%s\n' "$status" "$text" "$got" "$expected_output"
  fi
}

# also TEXT: the text, too, in what the command of the last expect has printed.
also() {
  [[ $expected_output == *"$1"* ]] && return
  complain "$expected_of"
  printf '  expected also "%s"\n  got:\n%s\n' "$1" "$expected_output"
}

# is_night: whether the long form of the check is wanted (./lanewise test --nightly).
is_night() { [ -n "${LANEWISE_NIGHTLY-}" ]; }

# in_turn NUMBER WORD...: by night all words, by day one, with another number the next.
in_turn() {
  local number=$1
  shift
  if is_night; then printf '%s\n' "$@"; else printf '%s\n' "${@:1 + number % $#:1}"; fi
}
