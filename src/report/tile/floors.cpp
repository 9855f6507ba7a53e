#include "report/tile/floors.h"

#include <fmt/format.h>

#include "report/table/table.h"

namespace lanewise::report {

std::string floors_text(const tile::Floors& floors) {
  if (floors.floors.empty()) return "no instruction works on data: there is nothing to time\n";
  Table table{.title = fmt::format("Cycles per tile at least, over {} {}", floors.tiles,
                                   floors.tiles == 1 ? "tile" : "tiles"),
              .columns = {{"resource"}, {"cycles", ColumnKind::Number}, {""}}};
  for (std::size_t i = 0; i < floors.floors.size(); ++i) {
    const tile::Floor& each = floors.floors[i];
    table.rows.push_back({each.resource, fmt::format("{:.1f}", each.cycles),
                          i == floors.bottleneck ? "bottleneck" : ""});
  }
  return table_text(table) +
         "Not in it: the cores' own time, waits for each other, conflicts for banks of L1, the "
         "NoC\n";
}

} // namespace lanewise::report
