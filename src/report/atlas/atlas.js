// The state of the page (search, order, filters, comparison) is what stands behind # in its address, so that a link has all of it.
const pick = { family: document.getElementById("family"), format: document.getElementById("format") };
const compared = document.getElementById("compared");
let chosen = []; // ids, in the order in which they were chosen
let applying = false;

filters.push((row) => Object.entries(pick).every(([field, select]) => select.value === "" || row.dataset[field] === select.value));

const nameOf = (heading) => heading.textContent.replaceAll(" ", "-");
const sorted = () => headings.find((heading) => heading.hasAttribute("aria-sort"));

function remember() {
  if (applying) return;
  const state = new URLSearchParams();
  if (search.value !== "") state.set("q", search.value);
  for (const [field, select] of Object.entries(pick)) if (select.value !== "") state.set(field, select.value);
  const by = sorted();
  if (by) state.set("sort", (by.getAttribute("aria-sort") === "descending" ? "-" : "") + nameOf(by));
  let text = state.toString();
  if (chosen.length !== 0) text += (text === "" ? "" : "&") + "compare=" + chosen.map(encodeURIComponent).join(",");
  history.replaceState(null, "", "#" + text);
}

function sortBy(text) {
  const falls = text.startsWith("-");
  const heading = headings.find((each) => nameOf(each) === (falls ? text.slice(1) : text));
  if (!heading) return;
  const wanted = falls ? "descending" : "ascending";
  while (heading.getAttribute("aria-sort") !== wanted) heading.firstChild.click();
}

function cell(row, content, name = "td") {
  const made = document.createElement(name);
  made.append(content);
  row.append(made);
}

// A column for each chosen kernel, chip and format, a row for each figure of the large table.
function drawComparison() {
  compared.hidden = chosen.length === 0;
  compared.replaceChildren();
  if (chosen.length === 0) return;
  const theirs = chosen.flatMap((id) => first.filter((row) => row.dataset.id === id));
  const title = document.createElement("h3");
  title.textContent = "Compared: " + chosen.join(", ");
  const table = document.createElement("table");
  headings.forEach((heading, column) => {
    const line = table.insertRow();
    cell(line, heading.textContent, "th");
    for (const row of theirs) cell(line, column === 0 ? row.querySelector("a").cloneNode(true) : row.cells[column].textContent);
  });
  const pictures = table.insertRow();
  cell(pictures, "error", "th");
  for (const [at, row] of theirs.entries()) {
    const picture = row.dataset.picture;
    if (at !== 0 && picture && picture === theirs[at - 1].dataset.picture) { // all chips of a format are in one
      pictures.lastChild.colSpan += 1;
      continue;
    }
    const image = document.createElement("img");
    image.alt = "Error of " + row.dataset.id + " over its inputs";
    if (picture) image.src = picture;
    cell(pictures, picture ? image : "");
  }
  const beside = document.createElement("div");
  beside.className = "beside";
  beside.append(table);
  compared.append(title, beside);
}

function choose(ids) {
  const known = new Set(rows.map((row) => row.dataset.id));
  chosen = [...new Set(ids)].filter((id) => known.has(id));
  for (const row of rows) row.cells[0].querySelector("input").checked = chosen.includes(row.dataset.id);
  drawComparison();
}

function apply() {
  applying = true;
  const state = new URLSearchParams(location.hash.slice(1));
  search.value = state.get("q") ?? "";
  for (const [field, select] of Object.entries(pick)) select.value = state.get(field) ?? "";
  for (const select of Object.values(pick)) if (select.selectedIndex < 0) select.value = "";
  filter();
  if (state.get("sort")) sortBy(state.get("sort"));
  choose((state.get("compare") ?? "").split(",").filter((id) => id !== ""));
  applying = false;
}

const first = [...rows]; // in the order of the families
for (const row of rows) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.setAttribute("aria-label", "Compare " + row.dataset.id);
  box.addEventListener("change", () => {
    choose(box.checked ? [...chosen, row.dataset.id] : chosen.filter((id) => id !== row.dataset.id));
    remember();
  });
  row.cells[0].prepend(box);
}
for (const select of Object.values(pick)) select.addEventListener("change", () => { filter(); remember(); });
for (const heading of headings) heading.firstChild.addEventListener("click", remember);
search.addEventListener("input", remember);
document.getElementById("clear").addEventListener("click", () => { choose([]); remember(); });
window.addEventListener("hashchange", apply);
document.querySelector(".controls").hidden = false;
apply();
