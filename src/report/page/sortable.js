// A click on a heading sorts by it, another one the other way; equal rows stay in their order.
const body = document.querySelector(".results tbody");
const headings = [...document.querySelectorAll(".results th")];
const rows = [...body.rows];

function compare(a, b) {
  if (a.dataset.key !== undefined) return Number(a.dataset.key) - Number(b.dataset.key);
  return a.textContent.localeCompare(b.textContent);
}

headings.forEach((heading, column) => {
  heading.firstChild.addEventListener("click", () => {
    const falls = heading.getAttribute("aria-sort") === "ascending";
    for (const each of headings) each.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
    rows.sort((a, b) => (falls ? -1 : 1) * compare(a.cells[column], b.cells[column]));
    body.append(...rows);
  });
});

// Rows whose texts (not their figures) have every word of the field, and that a page's own filters keep.
const filters = [];
const search = document.getElementById("search");
function filter() {
  const words = search.value.toLowerCase().split(/ +/);
  let shown = 0;
  for (const row of rows) {
    const texts = [...row.cells].filter((cell) => cell.dataset.key === undefined);
    const text = texts.map((cell) => cell.textContent).join(" ").toLowerCase();
    row.hidden = !words.every((word) => text.includes(word)) || !filters.every((keeps) => keeps(row));
    shown += row.hidden ? 0 : 1;
  }
  document.getElementById("shown").textContent = shown + " of " + rows.length + " rows";
}
search.addEventListener("input", filter);
filter();
