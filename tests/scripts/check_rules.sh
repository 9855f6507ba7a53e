#!/usr/bin/env bash
# check_rules.sh SOURCE: every rule tag that is cited in the source tree has a heading with its anchor in docs/rules, no
# anchor is there twice, and links to rules lead somewhere.
#
# A tag is cited as docs/rules/README.md says: "VU C33", "MU 5.5, 6", "VU C52 to C58", "seed 000, 3.15", "SFPI 2.2",
# "core.md 11", "T4", and "patterns" at the end of a list. A list may go on in the next line of a comment or string.
set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$1"
find . \( -path './build*' -o -path './.*' \) -prune -o -type f ! -name '*.gz' ! -name '*.npy' -printf '%P\0' |
  sort -z | perl "$scripts/rule_tags.pl"
