# To be sourced. `failures` counts what did not hold.
failures=0

# expect STATUS TEXT COMMAND...: the status, and the text somewhere in what is printed.
expect() {
  local status=$1 text=$2 got=0 output
  shift 2
  output=$("$@" 2>&1) || got=$?
  if [ "$got" != "$status" ] || ! grep -qF -- "$text" <<<"$output"; then
    printf 'FAILED: %s\n  expected status %s and "%s"\n  got status %s and:\n%s\n' "$*" "$status" "$text" "$got" "$output"
    failures=$((failures + 1))
  fi
}
