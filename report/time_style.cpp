#include "report/time_style.h"

namespace lanewise::report {

// Lanes differ in their hue; text on them keeps a contrast of at least 4.5 in both schemes.
std::string_view time_style() {
  return R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1c2024; --muted: #5b6570; --line: #d5dae0; --band: #f3f5f8;
  --card: #f7f9fb; --accent: #1f5fae; --mark: #fff1b8;
  --load: #cfe3fb; --simple: #cdeee6; --mad: #e3d8fa; --round: #fce4c4; --store: #d3efcf;
  --other: #e3e6ea; --issue: #ffffff; --stall: #fbd5d2; --stall-line: #c0392b;
  --load-line: #3b7cc9; --simple-line: #1f8f78; --mad-line: #7a55c7; --round-line: #c07a1a;
  --store-line: #3f8f35; --other-line: #7b8590; --issue-line: #9aa4ae;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --text: #e7eaee; --muted: #9fa9b4; --line: #353c45; --band: #1b1f25;
    --card: #1d2228; --accent: #7fb2f0; --mark: #4d4413;
    --load: #1d3c60; --simple: #15463d; --mad: #3d2f66; --round: #573a10; --store: #234a1f;
    --other: #3a4149; --issue: #21262d; --stall: #5c2320; --stall-line: #f08a80;
    --load-line: #5d9be6; --simple-line: #3fb89e; --mad-line: #a383ee; --round-line: #dd9a3d;
    --store-line: #67bb5c; --other-line: #8b96a2; --issue-line: #5f6a76;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 32px 48px; max-width: 1800px; background: var(--page);
  color: var(--text); font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 24px; margin: 0 0 2px; overflow-wrap: anywhere; }
h2 { font-size: 19px; margin: 36px 0 10px; padding-top: 14px; border-top: 1px solid var(--line); }
h3 { font-size: 15px; margin: 22px 0 8px; }
p { margin: 6px 0; max-width: 110ch; }
.muted { color: var(--muted); }
.cards { display: flex; flex-wrap: wrap; gap: 12px; margin: 8px 0 16px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 8px 16px 10px; min-width: 150px; }
.card b { display: block; font-size: 22px; font-variant-numeric: tabular-nums; }
.card span { color: var(--muted); font-size: 13px; }
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
.load { --c: var(--load); --s: var(--load-line); }
.simple { --c: var(--simple); --s: var(--simple-line); }
.mad { --c: var(--mad); --s: var(--mad-line); }
.round { --c: var(--round); --s: var(--round-line); }
.store { --c: var(--store); --s: var(--store-line); }
.other { --c: var(--other); --s: var(--other-line); }
.issue { --c: var(--issue); --s: var(--issue-line); }
.stall, .waits, .discarded { --c: var(--stall); --s: var(--stall-line); }
.waits rect { stroke-dasharray: 2 2; }
.scheduled rect { stroke-width: 2; stroke-dasharray: 5 2; }
.idle rect { fill: none; }
.hit rect { stroke: var(--text); stroke-width: 2.5; }
.legend { display: flex; flex-wrap: wrap; gap: 6px 18px; margin: 10px 0; font-size: 13px;
  color: var(--muted); }
.legend span { display: inline-flex; align-items: center; gap: 6px; }
.legend i { width: 22px; height: 14px; border-radius: 3px; background: var(--c);
  border: 1px solid var(--s); }
.legend i.scheduled { border: 2px dashed var(--s); }
.legend i.waits { border-style: dashed; }
.legend i.tailkey { height: 4px; background: var(--s); border: 0; }
.columns { display: flex; flex-wrap: wrap; gap: 24px 40px; align-items: flex-start; }
table { border-collapse: collapse; font-size: 14px; }
th { text-align: left; font-weight: 600; border-bottom: 1px solid var(--line); }
th, td { padding: 3px 12px 3px 0; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.bar { width: 150px; padding-top: 9px; }
td.bar div { height: 8px; border-radius: 2px; background: var(--accent); min-width: 1px; }
.listing { max-height: 640px; overflow: auto; border: 1px solid var(--line); border-radius: 8px; }
.listing table { width: 100%; }
.listing th { position: sticky; top: 0; background: var(--page); padding-top: 8px; }
.listing th:first-child, .listing td:first-child { padding-left: 12px; }
.listing tr.hit { background: var(--mark); }
code { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.listing td.source { max-width: 60ch; min-width: 20ch; }
.listing td.source code { white-space: normal; }
.listing th { padding-right: 16px; }
td i.dot { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 8px;
  background: var(--c); border: 1px solid var(--s); }
ul { margin: 6px 0; padding-left: 22px; }
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
