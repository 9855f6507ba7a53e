#!/usr/bin/env bash
# check_elf_page.sh PROGRAM SOURCE: the page of 'lanewise elf --html' in headless Chromium: graphs of real functions render,
# nothing overlaps or is cut off, links lead somewhere, pointing at a block marks others, and nothing refers to the outside.
# Status 77: Debian's RISC-V compiler is not installed.
program=$1 source=$2
compiler=riscv64-unknown-elf-gcc
command -v $compiler >/dev/null || { echo "the package gcc-riscv64-unknown-elf is not installed"; exit 77; }
source "$(dirname "$0")/page.sh"

for name in graphs kernel; do
  $compiler -march=rv32im_zicsr -mabi=ilp32 -nostdlib -ffreestanding -g -O1 -Wl,-Ttext=0x6000,-e,0x6000 \
    "$source/tests/elf/programs/$name.c" -o $name.elf
  expect 0 "" "$program" elf $name.elf --stats --html $name.html
  stands_alone $name.html
done
expect 2 "no/such" "$program" elf graphs.elf --html no/such/page.html
expect 2 "give one of them" "$program" elf graphs.elf --run --call 'long_one' --html none.html
[ ! -e none.html ] || complain "a page in spite of an error"

# What the browser has made of it: blocks, each kind of edge, loops three deep, a cycle with two ways in, a finding with its
# word, blocks behind a switch, and what is left out of a long block.
shows graphs.html 'class="block"' 'class="edge next"' 'class="edge taken"' 'class="edge taken back"' 'class="loop l2"' \
  'class="block irreducible"' 'unwritten-lreg' 'class="found" id="w' '… 21 words' 'graphs.c:' 'Control-flow graph of nested'
shows kernel.html 'class="edge possible"' 'indirect jump, target unknown' 'calls twice'

# The browser's own word on the layout.
cat >measure.js <<'END_OF_SCRIPT'
const wrong = [];
const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1 &&
  inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
let blocks = 0;
for (const picture of document.querySelectorAll("svg.graph")) {
  const frame = picture.getBoundingClientRect();
  const boxes = [...picture.querySelectorAll(".block")].map((block) => [block.id, block.querySelector("rect").getBoundingClientRect()]);
  blocks += boxes.length;
  boxes.forEach(([name, box], i) => {
    if (!within(box, frame)) wrong.push("cut off: " + name);
    for (const [other, at] of boxes.slice(i + 1)) if (overlap(box, at)) wrong.push("overlap: " + name + " and " + other);
  });
  for (const block of picture.querySelectorAll(".block")) {
    const box = block.querySelector(".code").getBoundingClientRect();
    for (const text of block.querySelectorAll("text"))
      if (!within(text.getBoundingClientRect(), box)) wrong.push("outside of its box: " + text.textContent);
  }
}
if (blocks < 20) wrong.push("only " + blocks + " blocks");
const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
if (new Set(ids).size !== ids.length) wrong.push("an id is there twice");
for (const link of document.querySelectorAll("a"))
  if (!document.getElementById(link.getAttribute("href").slice(1))) wrong.push("leads nowhere: " + link.textContent);
for (const block of document.querySelectorAll('.block:not([data-idom=""])')) {
  block.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  if (document.querySelectorAll(".block.idom").length !== 1) wrong.push("no dominator is marked for " + block.id);
  if (document.querySelectorAll(".edge.hit").length === 0) wrong.push("no edge is marked for " + block.id);
}
if (document.documentElement.scrollWidth > window.innerWidth) wrong.push("the page is wider than its window");
document.title = wrong.length === 0 ? "layout holds" : "wrong: " + wrong.slice(0, 5).join("; ");
END_OF_SCRIPT
for width in 1400 700 390; do
  measure graphs.html $width
  measure kernel.html $width
done

has_two_schemes graphs.html
