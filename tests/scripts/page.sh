# To be sourced by checks of pages, in the place of expect.sh: what a page is in headless Chromium.
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
export HOME=$work
browser=$(command -v chromium) || { echo "chromium is not installed: apt-get install chromium"; exit 1; }
render() { timeout 90 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars "$@" 2>/dev/null; }

# stands_alone FILE: it refers to nothing outside. The namespace of SVG is a name, not an address; links within the page
# begin with #.
stands_alone() {
  if sed 's|http://www.w3.org/2000/svg||; s|href="#||g' "$1" | grep -qE 'https?:|src=|href=|@import|url\('; then
    complain "$1 refers to something outside"
  fi
}

# shows FILE PART...: what the browser has made of the page contains the parts.
shows() {
  local page=$1 part
  shift
  render --dump-dom "file://$work/$page" >dom.html
  for part in "$@"; do
    grep -qF -- "$part" dom.html || complain "not in $page: $part"
  done
}

# measure FILE WIDTH: measure.js, run behind the page in a window of that width, sets the title to "layout holds".
measure() {
  { cat "$1"; echo "<script>"; cat measure.js; echo "</script>"; } >measured.html
  render --window-size="$2",1000 --dump-dom "file://$work/measured.html" >measured.dom
  grep -q '<title>layout holds</title>' measured.dom ||
    complain "layout of $1 at $2 pixels: $(grep -o '<title>[^<]*' measured.dom | head -1)"
}

# measures_pictures: writes a measure.js, the browser's own word on the layout: no two texts of a picture overlap, none is cut
# off, the page is not wider than its window.
measures_pictures() {
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
}

# has_two_schemes FILE: it is not blank, and dark and light look different. A blank picture compresses to a few kilobytes;
# 1400 x 1000 pixels with a page in them do not.
has_two_schemes() {
  local scheme size
  for scheme in 0 1; do # dark, light
    render --blink-settings=preferredColorScheme=$scheme --window-size=1400,1000 \
      --screenshot="$work/page$scheme.png" "file://$work/$1" >/dev/null
    size=$(stat -c %s "page$scheme.png" 2>/dev/null || echo 0)
    [ "$size" -gt 40000 ] || complain "the screenshot of $1 in colour scheme $scheme has $size bytes"
  done
  if cmp -s page0.png page1.png; then complain "dark and light look the same"; fi
}
