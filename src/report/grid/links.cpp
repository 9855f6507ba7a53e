#include "report/grid/links.h"

#include <fmt/format.h>

#include <algorithm>

#include "chip/noc/routes.h"
#include "report/plain_number.h"

namespace lanewise::report {

namespace {

constexpr std::size_t kShownLinks = 5;

} // namespace

std::string way_text(const LinkLoad& link) {
  return fmt::format("NoC {}, from ({}, {}) to ({}, {})", link.noc, link.begin.x, link.begin.y,
                     link.end.x, link.end.y);
}

std::vector<LinkLoad> link_loads(const GridTime& time) {
  const Arch arch = time.cores.front().time.tile.arch;
  const double most = noc_record(arch)->link_out / 10.0 * static_cast<double>(time.cycles());
  std::vector<LinkLoad> all;
  for (unsigned noc = 0; noc < kNocs; ++noc) {
    const noc::Torus torus(arch, noc);
    for (std::size_t link = 0; link < time.link_bytes[noc].size(); ++link) {
      const std::uint64_t bytes = time.link_bytes[noc][link];
      if (bytes == 0) continue;
      const auto number = static_cast<noc::Link>(link);
      all.push_back({.noc = noc,
                     .begin = torus.begin_of(number),
                     .end = torus.end_of(number),
                     .bytes = bytes,
                     .share = static_cast<double>(bytes) / most});
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, &LinkLoad::bytes);
  return all;
}

std::string link_text(const LinkLoad& link) {
  return fmt::format("{}: {} bytes, {} of what it can carry", way_text(link), link.bytes,
                     percent_of(link.share, 1));
}

Table links_table(const GridTime& time) {
  Table table{.title = "Links of the NoC that carried the most, by routers",
              .columns = {{""}, {"bytes", ColumnKind::Number}, {"", ColumnKind::Number}}};
  for (const LinkLoad& link : link_loads(time)) {
    if (table.rows.size() == kShownLinks) break;
    table.rows.push_back({way_text(link), std::to_string(link.bytes), percent_of(link.share, 1)});
  }
  return table;
}

} // namespace lanewise::report
