#include "report/time/style.h"

namespace lanewise::report {

std::string_view time_style() {
  return R"css(
:root { --issue: #ffffff; --stall: #fbd5d2; --stall-line: #c0392b; --issue-line: #9aa4ae; }
@media (prefers-color-scheme: dark) {
  :root { --issue: #21262d; --stall: #5c2320; --stall-line: #f08a80; --issue-line: #5f6a76; }
}
.picture { display: flex; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.picture .scroll { overflow-x: auto; flex: 1 1 auto; min-width: 0; }
.picture svg { display: block; flex: none; }
svg.names { border-right: 1px solid var(--line); }
svg text { fill: var(--text); font-family: ui-monospace, "DejaVu Sans Mono", monospace;
  font-size: 10px; text-anchor: middle; }
svg .lane, svg .axis { text-anchor: end; font: 12px system-ui, "DejaVu Sans", sans-serif; }
svg .axis, svg .number { fill: var(--muted); }
svg .number.main { fill: var(--text); font-weight: bold; }
svg .small { font-size: 9px; }
.band { fill: var(--band); }
.grid { stroke: var(--line); stroke-width: 0.5; }
.tick { stroke: var(--muted); stroke-width: 0.8; }
.box rect { stroke-width: 1; fill: var(--c); stroke: var(--s); }
.tail { fill: var(--s); }
.issue { --c: var(--issue); --s: var(--issue-line); }
.stall, .waits, .discarded { --c: var(--stall); --s: var(--stall-line); }
.waits rect { stroke-dasharray: 2 2; }
.scheduled rect { stroke-width: 2; stroke-dasharray: 5 2; }
.idle rect { fill: none; }
.hit rect { stroke: var(--text); stroke-width: 2.5; }
.legend i.scheduled { border: 2px dashed var(--s); }
.legend i.waits { border-style: dashed; }
.legend i.tailkey { height: 4px; background: var(--s); border: 0; }
)css";
}

std::string_view time_script() {
  return R"js(
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
)js";
}

} // namespace lanewise::report
