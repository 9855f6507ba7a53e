#!/usr/bin/env bash
# check_page.sh PROGRAM SOURCE: the page of 'lanewise time --html' in headless Chromium: it renders what it should, is not
# blank in either colour scheme, and refers to nothing outside.
program=$1 source=$2
source "$(dirname "$0")/page.sh"

"$program" time "$source/examples/gelu.cpp" --arch bh,wh --html page.html --view none >/dev/null
stands_alone page.html

# What the browser has made of it: both pictures with boxes, the tables, the source beside the assembly.
shows page.html 'data-chip="bh"' 'data-chip="wh"' '<g class="box issue"' '<g class="box mad"' '<g class="box stall"' \
  'class="tail mad"' 'cycles per tile' 'const vFloat x = dst_reg[0];' 'SFPSTORE'

# The browser's own word on the layout: no box outside of its picture, no text wider than its box, no overlapping cards.
cat >measure.js <<'END_OF_SCRIPT'
const wrong = [];
for (const group of document.querySelectorAll("g.box")) {
  const box = group.querySelector("rect").getBBox();
  const picture = group.ownerSVGElement;
  if (box.x + box.width > picture.width.baseVal.value || box.y + box.height > picture.height.baseVal.value)
    wrong.push("outside: " + group.textContent);
  for (const text of group.querySelectorAll("text"))
    if (text.getBBox().width > box.width) wrong.push("too wide: " + text.textContent);
}
if (document.documentElement.scrollWidth > window.innerWidth) wrong.push("the page is wider than its window");
document.title = wrong.length === 0 ? "layout holds" : "wrong: " + wrong.slice(0, 5).join("; ");
END_OF_SCRIPT
measure page.html 1400

has_two_schemes page.html
