#!/usr/bin/env bash
# check_sweep_page.sh PROGRAM SOURCE: the page and the picture of 'lanewise sweep' in headless Chromium: they render what they
# should, nothing overlaps or is cut off in wide and narrow windows, and they refer to nothing outside.
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

"$program" sweep "$source/examples/softplus.cpp" --ref 'softplus(x)' --arch bh,wh --html page.html --svg picture.svg >/dev/null
if grep -qE 'https?:|src=|href=|@import|url\(' page.html; then complain "the page refers to something outside"; fi
# The namespace of SVG is a name, not an address.
if sed 's|http://www.w3.org/2000/svg||' picture.svg | grep -qE 'https?:|src=|href=|@import|url\('; then
  complain "the picture refers to something outside"
fi
[ "$(stat -c %s page.html)" -lt 1500000 ] || complain "the page has $(stat -c %s page.html) bytes"

# What the browser has made of it: pictures with marks of both chips, tables, the listing.
render --dump-dom "file://$work/page.html" >dom.html
for part in 'class="picture wide"' 'class="chip0 circles' 'class="chip1 diamonds' 'class="reference"' 'class="chip1 bars"' \
  'data-chip="bh"' 'data-chip="wh"' 'largest |ULP|' 'by decade of x' 'Worst inputs' 'SFPSTORE'; do
  grep -qF -- "$part" dom.html || complain "not in the page: $part"
done

# As a file of its own the picture is XML, and a mistake in it a message instead of a picture.
render --dump-dom "file://$work/picture.svg" >picture.dom
if grep -q parsererror picture.dom; then complain "the picture is not well-formed"; fi
if python3 --version >/dev/null 2>&1; then
  python3 -c 'import sys, xml.dom.minidom; [xml.dom.minidom.parse(f) for f in sys.argv[1:]]' page.html picture.svg ||
    complain "not well-formed XML"
fi

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
measure() { # NAME WIDTH: NAME.html with the script behind it
  { cat "$1"; echo "<script>"; cat measure.js; echo "</script>"; } >measured.html
  render --window-size="$2",1000 --dump-dom "file://$work/measured.html" >measured.dom
  grep -q '<title>layout holds</title>' measured.dom ||
    complain "layout of $1 at $2 pixels: $(grep -o '<title>wrong[^<]*' measured.dom | tail -1)"
}
measure page.html 1400
measure page.html 1000
measure page.html 700
{ echo '<!DOCTYPE html><html><head><title></title></head><body style="margin:0">'; cat picture.svg; } >inline.html
measure inline.html 1400

# A blank picture compresses to a few kilobytes; 1400 x 1000 pixels with the page in them do not.
for scheme in 0 1; do # dark, light
  render --blink-settings=preferredColorScheme=$scheme --window-size=1400,1000 \
    --screenshot="$work/page$scheme.png" "file://$work/page.html" >/dev/null
  size=$(stat -c %s "page$scheme.png" 2>/dev/null || echo 0)
  [ "$size" -gt 40000 ] || complain "the screenshot in colour scheme $scheme has $size bytes"
done
if cmp -s page0.png page1.png; then complain "dark and light look the same"; fi

[ "$failures" = 0 ] || { echo "$failures checks failed"; exit 1; }
