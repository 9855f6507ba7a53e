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

# The browser's own word on the layout: no two texts of a picture overlap, none is cut off, the page is not wider than its
# window.
cat >measure.js <<'END_OF_SCRIPT'
const wrong = [];
let texts = 0;
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
for (const picture of document.querySelectorAll("svg")) {
  const frame = picture.getBoundingClientRect();
  if (frame.width === 0) continue; // the variant for other windows
  const boxes = [...picture.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
  texts += boxes.length;
  boxes.forEach(([text, box], i) => {
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      wrong.push("cut off: " + text);
    for (const [other, at] of boxes.slice(i + 1)) if (overlap(box, at)) wrong.push("overlap: " + text + " and " + other);
  });
  for (const mark of picture.querySelectorAll("path, rect")) {
    const box = mark.getBoundingClientRect();
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      wrong.push("outside: " + mark.getAttribute("class"));
  }
}
if (texts < 30) wrong.push("only " + texts + " texts in the pictures");
if (document.documentElement.scrollWidth > window.innerWidth) wrong.push("the page is wider than its window");
document.title = wrong.length === 0 ? "layout holds" : "wrong: " + wrong.slice(0, 5).join("; ");
END_OF_SCRIPT
measure page.html 1400
measure page.html 1000
measure page.html 700
measure same.html 700

has_two_schemes page.html

# Bad input is known before the work.
expect 2 "nowhere" "$program" diff "$source/examples/abs.tt" "$source/examples/abs.tt" --html nowhere/page.html
