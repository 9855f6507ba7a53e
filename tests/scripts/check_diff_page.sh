#!/usr/bin/env bash
# check_diff_page.sh PROGRAM SOURCE: the page of 'lanewise diff' in headless Chromium: what it shows, nothing overlaps or is cut
# off in wide and narrow windows, and it refers to nothing outside.
program=$1 source=$2
source "$(dirname "$0")/page.sh"

# A name with what would be markup.
cp "$source/examples/exp_approximate.cpp" '<b>&.cpp'
expect 1 "bits changed" "$program" diff "$source/examples/exp.cpp" '<b>&.cpp' --include "$source/examples" --ref 'exp(x)' \
  --arch bh,wh --html page.html
expect 0 "bits changed" "$program" diff "$source/examples/abs.tt" "$source/examples/abs.tt" --html same.html
for page in page.html same.html; do stands_alone "$page"; done
if python3 --version >/dev/null 2>&1; then
  python3 -c 'import sys, xml.dom.minidom; [xml.dom.minidom.parse(f) for f in sys.argv[1:]]' page.html same.html ||
    complain "not well-formed XML"
fi
shows page.html '33922 of 65536 results have other bits' 'Distance over input' 'Distance near 0' 'First against the reference' \
  'Farthest apart' '&lt;b&gt;&amp;.cpp' 'data-chip="bh"' 'data-chip="wh"' 'SFPSTORE'
shows same.html 'all 65536 results have the same bits'

measures_pictures
measure page.html 1400
measure page.html 1000
measure page.html 700
measure same.html 700

has_two_schemes page.html

# Bad input is known before the work.
expect 2 "nowhere" "$program" diff "$source/examples/abs.tt" "$source/examples/abs.tt" --html nowhere/page.html
