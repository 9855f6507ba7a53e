#include "report/page/style.h"

namespace lanewise::report {

// Lanes differ in their hue; text on them keeps a contrast of at least 4.5 in both schemes.
std::string_view page_style() {
  return R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1c2024; --muted: #5b6570; --line: #d5dae0; --band: #f3f5f8;
  --card: #f7f9fb; --accent: #1f5fae; --mark: #fff1b8;
  --load: #cfe3fb; --simple: #cdeee6; --mad: #e3d8fa; --round: #fce4c4; --store: #d3efcf;
  --other: #e3e6ea;
  --load-line: #3b7cc9; --simple-line: #1f8f78; --mad-line: #7a55c7; --round-line: #c07a1a;
  --store-line: #3f8f35; --other-line: #7b8590;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --text: #e7eaee; --muted: #9fa9b4; --line: #353c45; --band: #1b1f25;
    --card: #1d2228; --accent: #7fb2f0; --mark: #4d4413;
    --load: #1d3c60; --simple: #15463d; --mad: #3d2f66; --round: #573a10; --store: #234a1f;
    --other: #3a4149;
    --load-line: #5d9be6; --simple-line: #3fb89e; --mad-line: #a383ee; --round-line: #dd9a3d;
    --store-line: #67bb5c; --other-line: #8b96a2;
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
.load { --c: var(--load); --s: var(--load-line); }
.simple { --c: var(--simple); --s: var(--simple-line); }
.mad { --c: var(--mad); --s: var(--mad-line); }
.round { --c: var(--round); --s: var(--round-line); }
.store { --c: var(--store); --s: var(--store-line); }
.other { --c: var(--other); --s: var(--other-line); }
.legend { display: flex; flex-wrap: wrap; gap: 6px 18px; margin: 10px 0; font-size: 13px;
  color: var(--muted); }
.legend span { display: inline-flex; align-items: center; gap: 6px; }
.legend i { width: 22px; height: 14px; border-radius: 3px; background: var(--c);
  border: 1px solid var(--s); }
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

} // namespace lanewise::report
