#!/usr/bin/env bash
# check_page.sh PROGRAM SOURCE: the page of 'lanewise time --html' in headless Chromium: it renders what it should, is not
# blank in either colour scheme, and refers to nothing outside.
set -euo pipefail
program=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LANEWISE_CACHE=${LANEWISE_TEST_CACHE:-$work/cache} HOME=$work
cd "$work"
failures=0
complain() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

browser=$(command -v chromium) || { echo "chromium is not installed: apt-get install chromium"; exit 1; }
render() { timeout 90 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars "$@" 2>/dev/null; }

"$program" time "$source/examples/gelu.cpp" --arch bh,wh --html page.html --view none >/dev/null
if grep -qE 'https?:|src=|href=|@import|url\(' page.html; then complain "the page refers to something outside"; fi

# What the browser has made of it: both pictures with boxes, the tables, the source beside the assembly.
render --dump-dom "file://$work/page.html" >dom.html
for part in 'data-chip="bh"' 'data-chip="wh"' '<g class="box issue"' '<g class="box mad"' '<g class="box stall"' \
  'class="tail mad"' 'cycles per tile' 'const vFloat x = dst_reg[0];' 'SFPSTORE'; do
  grep -qF -- "$part" dom.html || complain "not in the page: $part"
done

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
{ cat page.html; echo "<script>"; cat measure.js; echo "</script>"; } >measured.html
render --window-size=1400,1000 --dump-dom "file://$work/measured.html" >measured.dom
grep -q '<title>layout holds</title>' measured.dom || complain "layout: $(grep -o '<title>[^<]*' measured.dom | tail -1)"

# A blank picture compresses to a few kilobytes; 1400 x 1000 pixels with the page in them do not.
for scheme in 0 1; do # dark, light
  render --blink-settings=preferredColorScheme=$scheme --window-size=1400,1000 \
    --screenshot="$work/page$scheme.png" "file://$work/page.html" >/dev/null
  size=$(stat -c %s "page$scheme.png" 2>/dev/null || echo 0)
  [ "$size" -gt 40000 ] || complain "the screenshot in colour scheme $scheme has $size bytes"
done
if cmp -s page0.png page1.png; then complain "dark and light look the same"; fi

[ "$failures" = 0 ] || { echo "$failures checks failed"; exit 1; }
