#!/usr/bin/env bash
# check_page.sh PROGRAM SOURCE: the page of 'lanewise time --html' in headless Chromium: it renders what it should, is not
# blank in either colour scheme, and refers to nothing outside.
program=$1 source=$2
source "$(dirname "$0")/page.sh"

"$program" time "$source/examples/gelu.cpp" --arch bh,wh --html page.html --view none >/dev/null
stands_alone page.html

# What the browser has made of it: both pictures with boxes, the tables, the source beside the assembly.
shows page.html 'data-chip="bh"' 'data-chip="wh"' '<svg class="box issue' '<svg class="box mad' '<svg class="box stall' \
  'class="tail mad"' 'cycles per tile' 'Stalls by source line' 'const vFloat x = dst_reg[0];' 'SFPSTORE'

# The browser's own word on the layout: no box outside of its picture, no text wider than its box, arrows that end in their
# boxes, a picture that opens on the steady state.
cat >measure.js <<'END_OF_SCRIPT'
const wrong = [];
const expect = (holds, what) => holds || wrong.push(what);
const placeOf = (element) => element.getBoundingClientRect();
const isAbout = (a, b, pixels) => pixels >= Math.abs(a - b);
expect(window.innerWidth >= document.documentElement.scrollWidth, "the page is wider than its window");

function checkBoxes(frame) {
  const picture = placeOf(frame.querySelector(".cycles"));
  for (const box of frame.querySelectorAll(".box")) {
    const at = placeOf(box.querySelector("rect"));
    const inside = at.left >= picture.left - 1 && at.right <= picture.right + 1 && at.bottom <= picture.bottom;
    expect(inside, "outside: " + box.textContent);
    for (const text of box.querySelectorAll("text:not(.cut)"))
      expect(placeOf(text).width <= at.width + 1, "too wide: " + text.textContent);
  }
}

function checkArrows(frame) {
  const waited = [...frame.querySelectorAll(".edge.decides")];
  expect(frame.closest("section").dataset.chip !== "bh" || waited.length > 0, "nobody waits");
  frame.classList.add("dependences");
  for (const edge of frame.querySelectorAll(".edge")) {
    const boxOf = (event) => {
      const lanes = '.box:not(.issue, .waits)[data-event="' + event + '"] rect';
      return placeOf(frame.querySelector(lanes));
    };
    const from = boxOf(edge.dataset.from), to = boxOf(edge.dataset.to);
    const path = edge.querySelector("path"), onScreen = path.getScreenCTM();
    const begin = path.getPointAtLength(0).matrixTransform(onScreen);
    const end = path.getPointAtLength(path.getTotalLength()).matrixTransform(onScreen);
    const holds = (box, at) => at.x >= box.left && at.x <= box.right && at.y >= box.top && at.y <= box.bottom;
    expect(holds(from, begin), "begins beside its box: " + edge.dataset.from);
    expect(holds(to, end), "ends beside its box: " + edge.dataset.to);
    const head = placeOf(edge.querySelector(".head path"));
    expect(isAbout(head.right, end.x, 2), "head beside its arrow: " + edge.dataset.to);
  }
  frame.classList.remove("dependences");
  const shown = [...frame.querySelectorAll(".edge")].filter((edge) => getComputedStyle(edge).display !== "none");
  expect(shown.length === waited.length, "arrows that nobody asked for");
}

function checkSteady(frame) {
  const names = placeOf(frame.querySelector(".names")), bar = placeOf(frame.querySelector(".steady"));
  expect(Number(frame.dataset.steady) > 0, "nothing before the steady state");
  expect(isAbout(bar.left, names.right, 40), "does not open on the steady state: " + (bar.left - names.right));
}

function checkScrolled(frame) {
  // A box like that of a long stall: its text follows what is seen of it.
  const long = frame.querySelector(".box.stall");
  long.classList.add("long");
  long.setAttribute("width", "100%");
  long.setAttribute("x", "0");
  frame.scrollLeft = 0;
  frame.scrollLeft = 700;
  frame.dispatchEvent(new Event("scroll"));
  const at = placeOf(frame), names = placeOf(frame.querySelector(".names"));
  expect(isAbout(names.left, at.left, 2), "names scroll away");
  for (const text of long.querySelectorAll("text")) {
    const label = placeOf(text);
    expect(label.left >= names.right && label.right <= at.right, "a label is out of view: " + text.textContent);
  }
  const axis = () => placeOf(frame.querySelector(".axis")).top;
  const top = axis();
  frame.style.height = "150px";
  frame.scrollTop = 100;
  expect(frame.scrollTop > 0 && isAbout(axis(), top, 1), "the axis scrolls away");
  frame.style.height = "";
}

function checkFit(frame) {
  const press = (which) => frame.closest(".timeline").querySelector("[data-" + which + "]").click();
  press('zoom="fit"');
  expect(frame.clientWidth >= frame.scrollWidth, "does not fit: " + frame.scrollWidth);
  expect(isAbout(frame.scrollWidth, placeOf(frame).width, 20), "fits with room to spare");
  checkBoxes(frame);
  const fitted = frame.scrollWidth;
  for (let step = 0; step !== 12; ++step) {
    press('zoom="in"');
    checkBoxes(frame);
  }
  expect(frame.scrollWidth > 50 * fitted, "does not zoom");
}

function checkPointing(frame) {
  const edge = frame.querySelector(".edge:not(.decides)"), event = edge.dataset.to;
  frame.querySelector('.box[data-event="' + event + '"] rect').dispatchEvent(new Event("mouseover", { bubbles: true }));
  expect(getComputedStyle(edge).display !== "none", "no arrow to the box that is pointed at");
  const row = [...document.querySelectorAll("tr[data-line]")].find((each) => !each.closest(".listing"));
  row.dispatchEvent(new Event("mouseover", { bubbles: true }));
  expect(document.querySelector(".box.hit"), "no box of the line that stalls");
  expect(getComputedStyle(edge).display === "none", "an arrow stays");
}

// A section that replaces another one opens like the first.
function checkReplaced(frame) {
  const section = frame.closest("section"), copy = section.cloneNode(true);
  copy.querySelector(".timeline").className = "timeline";
  section.replaceWith(copy);
  document.dispatchEvent(new Event("lanewise:changed"));
  expect(copy.querySelector(".frame").scrollLeft > 0, "a new section does not open on the steady state");
}

const frames = document.querySelectorAll(".timeline .frame");
expect(frames.length === 2, "not a timeline of each chip");
for (const frame of frames) {
  for (const check of [checkSteady, checkBoxes, checkArrows, checkScrolled, checkFit, checkPointing]) check(frame);
}
checkReplaced(frames[0]);
document.title = wrong.length === 0 ? "layout holds" : "wrong: " + wrong.slice(0, 5).join("; ");
END_OF_SCRIPT
measure page.html 1400
measure page.html 800

has_two_schemes page.html

# The page of a whole tile in time: a picture whose rows lie within it and apart.
"$program" tile "$source/examples/tile/matmul_bh.tt" --time --html run.html >/dev/null || complain "no page of a tile"
stands_alone run.html
shows run.html 'Matrix Unit; works' 'waits for a thread' 'The hottest lines of the threads' 'cycles per tile'
cat >measure.js <<'END_OF_SCRIPT'
const wrong = [];
const pictures = document.querySelectorAll(".rows svg");
if (pictures.length !== 1) wrong.push(pictures.length + " pictures");
for (const picture of pictures) {
  const frame = picture.getBoundingClientRect(), rows = [...picture.querySelectorAll("rect.row")].map((row) => row.getBoundingClientRect());
  if (rows.length < 8) wrong.push("only " + rows.length + " rows");
  rows.forEach((row, i) => { if (i > 0 && rows[i - 1].bottom > row.top) wrong.push("rows overlap"); });
  for (const mark of picture.querySelectorAll("path, text")) {
    const box = mark.getBoundingClientRect();
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) wrong.push("cut off: " + mark.textContent);
  }
}
for (const key of document.querySelectorAll(".legend i"))
  if (getComputedStyle(key).backgroundColor === "rgba(0, 0, 0, 0)") wrong.push("no colour for " + key.className);
if (document.documentElement.scrollWidth > window.innerWidth) wrong.push("the page is wider than its window");
document.title = wrong.length === 0 ? "layout holds" : "wrong: " + wrong.slice(0, 5).join("; ");
END_OF_SCRIPT
measure run.html 1400
measure run.html 390
has_two_schemes run.html
