// The parts of the page from top to bottom: name, and the box in which each can be seen, in pixels.
const PARTS = "h1, h2, h3, p, ul, .card, .legend, svg, .results, table, .listing, .frame, header, .CodeMirror, footer";
const INSIDE = "svg *, .listing *, .frame *, .legend *, .CodeMirror *, footer *, header *";
const parts = [];
for (const element of document.querySelectorAll(PARTS)) {
  if (element.matches(INSIDE) || !element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
  const box = element.getBoundingClientRect();
  let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
  for (let each = element.parentElement; each && each !== document.body; each = each.parentElement) {
    if (getComputedStyle(each).overflowX === "visible") continue;
    const frame = each.getBoundingClientRect();
    [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
    [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
  }
  if (right - left < 1 || bottom - top < 1) continue;
  const classes = (element.getAttribute("class") ?? "").trim().split(/\s+/).filter(Boolean);
  parts.push([[element.tagName.toLowerCase(), ...classes].join("."), ...[left, top, right - left, bottom - top].map(Math.round)]);
}
return parts;
