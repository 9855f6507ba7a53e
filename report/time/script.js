let marked = [];
document.addEventListener("mouseover", (event) => {
  const at = event.target.closest("[data-line]");
  for (const each of marked) each.classList.remove("hit");
  marked = [];
  if (!at || at.dataset.line === "0") return;
  const chip = 'section[data-chip="' + at.closest("section").dataset.chip + '"] ';
  marked = [...document.querySelectorAll(chip + '[data-line="' + at.dataset.line + '"]')];
  for (const each of marked) each.classList.add("hit");
});
