#!/usr/bin/env bash
# check_clock_page.sh PROGRAM SOURCE: docs/timing.md has the figures of tests/silicon/open_rows.csv, as 'lanewise clock --recorded
# --markdown' prints them. LANEWISE_BLESS=1 writes them into the page instead.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"

"$program" clock --recorded "$source/tests/silicon/open_rows.csv" --markdown >figures || complain "no figures: status $?"
if ! python3 - "$source/docs/timing.md" "${LANEWISE_BLESS-}" <<'END'
import sys
path, bless = sys.argv[1:]
begin, end = "<!-- begin: clock -->\n", "<!-- end: clock -->"
page = open(path).read()
if page.count(begin) != 1 or page.count(end) != 1:
    sys.exit(f"{path} has not one {begin.strip()} and one {end}")
head, rest = page.split(begin)
there, tail = rest.split(end)
figures = open("figures").read()
if bless:
    open(path, "w").write(head + begin + figures + end + tail)
elif there != figures:
    sys.exit(f"{path} has other figures than the record; LANEWISE_BLESS=1 writes them")
END
then
  complain "docs/timing.md"
fi
