# To be sourced by checks of pages, in the place of expect.sh: what a page is in headless Chromium.
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$scripts/expect.sh"
export HOME=$work
command -v chromium >/dev/null || { echo "chromium is not installed: apt-get install chromium"; exit 1; }
for python in python3 /usr/bin/python3; do ! "$python" -c 'import selenium' 2>/dev/null || break; done

# browse REQUEST WORD...: what chromium.py can be asked for. One browser is there for all pages of a check.
browse() {
  local IFS=$'\t' answer
  [ -n "${CHROMIUM_PID-}" ] || coproc CHROMIUM { exec "$python" "$scripts/chromium.py" 2>chromium.err; }
  trap '' PIPE # of a browser that has ended, as is told by its missing answer
  printf '%s\n' "$*" 2>/dev/null >&"${CHROMIUM[1]}" || true
  trap - PIPE
  read -r answer <&"${CHROMIUM[0]}" || answer="the browser has ended: $(tail -1 chromium.err)"
  [ "$answer" = done ] || complain "$*: $answer"
}
at_end() {
  [ -n "${CHROMIUM_PID-}" ] || return 0
  local browser=$CHROMIUM_PID
  exec {CHROMIUM[1]}>&-
  wait "$browser" || true
}

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
  browse dump "$page" 1400 dom.html
  for part in "$@"; do
    grep -qF -- "$part" dom.html || complain "not in $page: $part"
  done
}

# measure FILE WIDTH: measure.js, run behind the page in a window of that width, sets the title to "layout holds".
measure() {
  { cat "$1"; echo "<script>"; cat measure.js; echo "</script>"; } >measured.html
  browse dump measured.html "$2" measured.dom
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
  for scheme in dark light; do
    browse shot "$1" $scheme page_$scheme.png
    size=$(stat -c %s "page_$scheme.png" 2>/dev/null || echo 0)
    [ "$size" -gt 40000 ] || complain "the screenshot of $1 in colour scheme $scheme has $size bytes"
  done
  if cmp -s page_dark.png page_light.png; then complain "dark and light look the same"; fi
}
