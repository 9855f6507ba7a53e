let marked = [];
function mark(element, name) {
  if (!element) return;
  element.classList.add(name);
  marked.push([element, name]);
}
function show(event) {
  for (const [element, name] of marked) element.classList.remove(name);
  marked = [];
  const block = event.target.closest(".block");
  if (!block) return;
  const picture = block.ownerSVGElement, data = block.dataset;
  const other = (number) => picture.querySelector('.block[data-block="' + number + '"]');
  if (data.idom !== "") mark(other(data.idom), "idom");
  for (const each of data.frontier.split(" ").filter(Boolean)) mark(other(each), "frontier");
  for (const end of ["from", "to"])
    for (const edge of picture.querySelectorAll(".edge[data-" + end + '="' + data.block + '"]')) mark(edge, "hit");
}
document.addEventListener("mouseover", show);
document.addEventListener("focusin", show);
if (matchMedia("(max-width: 700px)").matches) document.querySelector("details.keys").open = false;
// A graph that is wider than its frame begins with its first block in the middle.
for (const frame of document.querySelectorAll(".scroll.graph")) {
  const first = frame.querySelector(".block .code");
  if (first) frame.scrollLeft = first.x.baseVal.value + first.width.baseVal.value / 2 - frame.clientWidth / 2;
}
