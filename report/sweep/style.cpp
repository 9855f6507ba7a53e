#include "report/sweep/style.h"

#include "report/page/style.h"

namespace lanewise::report {

namespace {

// Blue and orange stay apart for every kind of colour blindness; circles and diamonds, full and
// dashed lines say the same without colour.
constexpr std::string_view kColours = R"css(
:root { --chip0: #0b66b2; --chip1: #c65102; --chip0-fill: #0b66b2; --chip1-fill: #fbe3d0;
  --reference: #3c454e; --wrong: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --chip0: #6cb6ff; --chip1: #ffa552; --chip0-fill: #3f7fbd; --chip1-fill: #4a2f14;
    --reference: #c3ccd5; --wrong: #ff8a80; }
}
)css";

constexpr std::string_view kPictures = R"css(
.chart text { fill: var(--text); font: 12px system-ui, "DejaVu Sans", sans-serif; }
.chart .title { font-size: 15px; font-weight: 600; }
.chart .label { fill: var(--muted); text-anchor: middle; }
.chart .tick { fill: var(--muted); font-size: 11px; text-anchor: middle; }
.chart .tick.y { text-anchor: end; }
.chart path { fill: none; }
.chart .field { fill: none; stroke: var(--line); }
.chart .grid { stroke: var(--line); stroke-width: 0.8; }
.chart .rule { stroke: var(--muted); stroke-width: 0.8; }
.chart .chip0 { stroke: var(--chip0); }
.chart .chip1 { stroke: var(--chip1); }
.chart .circles { stroke-width: 6; stroke-linecap: round; }
.chart .circles.many { stroke-width: 4; }
.chart .diamonds { stroke-width: 1.4; }
.chart .diamonds.many { stroke-width: 1; }
.chart .mean { stroke-width: 1.8; }
.chart .chip1.mean { stroke-dasharray: 5 3; }
.chart .reference { stroke: var(--reference); stroke-width: 1.4; }
.chart .bars { stroke-width: 1.2; }
.chart .chip0.bars { fill: var(--chip0-fill); }
.chart .chip1.bars { fill: var(--chip1-fill); }
.chart .tip { fill: var(--muted); fill-opacity: 0; }
.chart .tip:hover { fill-opacity: 0.25; }
)css";

constexpr std::string_view kPage = R"css(
body { max-width: 1400px; }
svg.picture { display: block; width: 100%; height: auto; }
svg.narrow { display: none; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px 28px; margin-top: 18px; }
.scroll { overflow-x: auto; }
.scroll td { white-space: pre; }
.verdicts { list-style: none; padding: 0; margin: 10px 0; }
.verdicts li { padding: 3px 12px; margin: 4px 0; border-left: 4px solid var(--store-line);
  background: var(--card); overflow-wrap: anywhere; }
.verdicts li.missed { border-color: var(--wrong); }
.card.chip0 { border-left: 4px solid var(--chip0); }
.card.chip1 { border-left: 4px solid var(--chip1); }
table { margin: 4px 0 14px; }
th, td { padding-right: 18px; }
tr.groups th { border-bottom: 0; text-align: center; color: var(--muted); }
td.bits, th.bits { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; }
td.bar { min-width: 90px; width: 120px; }
h3 { margin-top: 26px; }
.columns > div { min-width: 0; max-width: 100%; }
@media (max-width: 900px) {
  body { padding: 16px 18px 40px; }
  svg.wide { display: none; }
  svg.narrow { display: block; }
  .pair { grid-template-columns: 1fr; }
  svg.picture { max-width: 760px; }
}
)css";

/// The first value that a variable is given, which is the light one.
std::string_view light_value(std::string_view style, std::string_view name) {
  const std::string declaration = std::string(name) + ": ";
  const std::size_t first = style.find(declaration);
  if (first == std::string_view::npos) return "currentColor";
  style.remove_prefix(first + declaration.size());
  return style.substr(0, style.find(';'));
}

} // namespace

std::string sweep_page_style() {
  return std::string(kColours) + std::string(kPictures) + std::string(kPage);
}

std::string sweep_picture_style() {
  constexpr std::string_view kUse = "var(";
  const std::string declarations = std::string(page_style()) + std::string(kColours);
  std::string style;
  std::string_view rest = kPictures;
  for (std::size_t at = rest.find(kUse); at != std::string_view::npos; at = rest.find(kUse)) {
    style += rest.substr(0, at);
    rest.remove_prefix(at + kUse.size());
    const std::size_t end = rest.find(')');
    style += light_value(declarations, rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return style + std::string(rest);
}

} // namespace lanewise::report
