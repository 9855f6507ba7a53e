// What is wrong with the page as it is seen now, as a list of sentences; at most one of a kind for each part. The window has to be as
// high as the page: what lies outside of it has no points that can be asked for.
const LEAST_CONTRAST = 4.5; // WCAG 2, level AA
const LEAST_LETTERS = 9; // pixels

const wrong = new Map();
const complain = (kind, element, text) => {
  const name = element.tagName.toLowerCase() + (element.getAttribute("class") ? "." + element.getAttribute("class").trim().replace(/\s+/g, ".") : "");
  const key = `${kind} ${name}`;
  if (!wrong.has(key)) wrong.set(key, `${kind}: ${name}: ${text}`);
};

// ---------------------------------------------------------------- Colours
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const known = new Map();
// [red, green, blue, alpha] of any colour that CSS knows, 0 to 255.
function colour(text) {
  if (!known.has(text)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    known.set(text, text === "none" ? [0, 0, 0, 0] : [...canvas.getImageData(0, 0, 1, 1).data]);
  }
  return known.get(text);
}
const over = (top, below) => below.map((part, i) => (i === 3 ? 255 : (top[i] * top[3] + part * (255 - top[3])) / 255));
const light = (part) => (part <= 0.04045 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
const luminance = ([red, green, blue]) => 0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue);
function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
const faded = (paint, opacity) => [paint[0], paint[1], paint[2], paint[3] * opacity];
const isPicture = (element) => element instanceof SVGElement && !(element instanceof SVGSVGElement);
// What an element paints where something lies on it.
function ground(element) {
  const style = getComputedStyle(element);
  if (!isPicture(element)) return faded(colour(style.backgroundColor), Number(style.opacity));
  if (element.tagName === "text" || element.tagName === "tspan" || element.tagName === "g") return [0, 0, 0, 0];
  return faded(colour(style.fill), Number(style.fillOpacity) * Number(style.opacity));
}
// What is painted below `element` at a point of the window.
function below(element, x, y) {
  const stack = document.elementsFromPoint(x, y);
  const at = stack.findIndex((each) => each === element || element.contains(each) || each.contains(element));
  let paint = colour(getComputedStyle(document.documentElement).getPropertyValue("--page").trim() || "white");
  for (const each of stack.slice(Math.max(at, 0)).reverse()) {
    if (each !== element || !isPicture(element)) paint = over(ground(each), paint);
  }
  return paint;
}

// ---------------------------------------------------------------- Texts
const isShown = (element) => element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true });
// The boxes of the letters of an element, its own text only.
function lines(element) {
  const boxes = [];
  for (const node of element.childNodes) {
    if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    boxes.push(...[...range.getClientRects()].filter((box) => box.width > 0.5 && box.height > 0.5));
  }
  return boxes;
}
const ancestors = (element) => { const all = []; for (let each = element.parentElement; each; each = each.parentElement) all.push(each); return all; };
// The part of the window in which an element can be seen.
function seen(element) {
  const part = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (const each of ancestors(element)) {
    if (each instanceof SVGElement && !(each instanceof SVGSVGElement)) continue;
    if (getComputedStyle(each).overflowX === "visible") continue;
    const box = each.getBoundingClientRect();
    part.left = Math.max(part.left, box.left);
    part.top = Math.max(part.top, box.top);
    part.right = Math.min(part.right, box.right);
    part.bottom = Math.min(part.bottom, box.bottom);
  }
  return part;
}
const isWithin = (box, part, by = 1) =>
  box.left >= part.left - by && box.right <= part.right + by && box.top >= part.top - by && box.bottom <= part.bottom + by;
function scale(element) {
  const matrix = element.getScreenCTM();
  return Math.hypot(matrix.a, matrix.b);
}

const texts = [...document.body.querySelectorAll("*")].filter(
  (each) => !["SCRIPT", "STYLE", "TITLE", "OPTION", "TEXTAREA", "title"].includes(each.tagName) && isShown(each) && lines(each).length > 0);
const checked = new Map();
for (const element of texts) {
  const style = getComputedStyle(element), boxes = lines(element), words = element.textContent.trim().slice(0, 40);
  const inPicture = isPicture(element);
  const size = Number.parseFloat(style.fontSize) * (inPicture ? scale(element) : 1);
  if (size < LEAST_LETTERS - 0.01) complain("letters of " + size.toFixed(1) + " pixels", element, words);
  // What scrolls may hide it, nothing else. A cell that is cut by its own box is lost.
  if (!inPicture) {
    for (const each of [element, ...ancestors(element)]) {
      const flow = getComputedStyle(each);
      if (flow.overflowX === "hidden" && each.scrollWidth > each.clientWidth + 1 && each !== document.body) complain("cut off", each, words);
      if (flow.overflowX !== "visible") break;
    }
  }
  // Few of a kind: those of the same look on the same ground are alike.
  const box = boxes[0], x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
  if (!isWithin({ left: x, right: x, top: y, bottom: y }, seen(element), -1)) continue;
  if (element.closest(".CodeMirror") && !element.closest(".CodeMirror-lines")) continue;
  const paint = inPicture ? faded(colour(style.fill), Number(style.fillOpacity)) : colour(style.color);
  let opacity = Number(style.opacity);
  for (const each of ancestors(element)) opacity *= Number(getComputedStyle(each).opacity);
  const ground = below(element, x, y), look = [paint, opacity, ground].join(" ");
  if (!checked.has(look)) checked.set(look, contrast(over(faded(paint, opacity), ground), ground));
  if (checked.get(look) < LEAST_CONTRAST) complain("contrast " + checked.get(look).toFixed(2), element, words);
}

// ---------------------------------------------------------------- Tables: no cell with a number, and no heading, wraps
const isNumber = (cell) => cell.classList.contains("n") || /^[-+−<>]? ?\d[\d.,]*( ?(%|ns|us|ms|GHz))?$/.test(cell.textContent.trim());
for (const cell of document.querySelectorAll("th, td")) {
  if (!isShown(cell) || (cell.tagName === "TD" && !isNumber(cell))) continue;
  const range = document.createRange();
  range.selectNodeContents(cell);
  const boxes = [...range.getClientRects()].filter((box) => box.width > 0.5);
  const tops = boxes.map((box) => (box.top + box.bottom) / 2);
  if (boxes.length > 0 && Math.max(...tops) - Math.min(...tops) > 8 && !cell.querySelector("i, div")) complain("wraps", cell, cell.textContent.trim());
}

// ---------------------------------------------------------------- Pictures: no text over another, or outside
for (const picture of document.querySelectorAll("svg")) {
  const frame = picture.getBoundingClientRect();
  if (frame.width === 0 || !isShown(picture)) continue;
  const labels = [...picture.querySelectorAll("text")].filter((each) => isShown(each) && each.textContent.trim());
  const boxes = labels.map((each) => [each, each.getBoundingClientRect()]).sort((a, b) => a[1].left - b[1].left);
  if (getComputedStyle(picture).overflowX !== "visible" || !picture.parentElement.closest("svg")) {
    for (const [label, box] of boxes) if (!isWithin(box, frame, 2)) complain("outside of its picture", label, label.textContent);
  }
  boxes.forEach(([label, box], i) => {
    for (let next = i + 1; next < boxes.length && boxes[next][1].left < box.right - 1; ++next) {
      const [other, at] = boxes[next];
      if (at.top < box.bottom - 2 && box.top < at.bottom - 2) complain("overlap", label, label.textContent + " and " + other.textContent);
    }
  });
  if (picture.getAttribute("role") === "img" && !picture.getAttribute("aria-label")) complain("no text for who cannot see it", picture, "");
}

// ---------------------------------------------------------------- The page
if (document.documentElement.scrollWidth > innerWidth) {
  const widest = [...document.body.querySelectorAll("*")].filter(
    (each) => isShown(each) && each.getBoundingClientRect().right > innerWidth + 1 && seen(each).right > innerWidth - 1);
  complain("wider than its window", widest[0] ?? document.body, `${document.documentElement.scrollWidth} of ${innerWidth} pixels`);
}
return [...wrong.values()];
