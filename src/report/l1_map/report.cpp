#include "report/l1_map/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/table/table.h"
#include "source/programs/l1_map.h"

namespace lanewise::report {

namespace {

using programs::L1Range;
using programs::L1Use;

std::string address_text(std::uint64_t address) {
  return fmt::format("0x{:06x}", address);
}

std::uint64_t free_bytes(const std::vector<L1Range>& map) {
  std::uint64_t bytes = 0;
  for (const L1Range& each : map)
    if (each.use == L1Use::Free) bytes += each.bytes;
  return bytes;
}

} // namespace

std::string l1_map_text(const programs::Program& program, const programs::Layout& layout) {
  const auto map = programs::l1_map(program, layout);
  Table table{
      .title = fmt::format("L1 of core ({}, {}), {}: {} of {} bytes are free", program.core.x,
                           program.core.y, arch_params(program.arch).names.full, free_bytes(map),
                           arch_params(program.arch).tile.l1_bytes),
      .columns = {{.heading = "from"},
                  {.heading = "up to"},
                  {.heading = "bytes", .kind = ColumnKind::Number},
                  {.heading = "what"},
                  {.heading = ""},
                  {.heading = "made at"}},
      .indent = 2};
  for (const L1Range& each : map) {
    const std::string name = each.clashes ? fmt::format("{} CLASHES", each.name) : each.name;
    table.rows.push_back({address_text(each.address), address_text(each.address + each.bytes),
                          std::to_string(each.bytes), programs::l1_use_name(each.use), name,
                          each.origin});
  }
  return table_text(table);
}

std::string l1_map_json(const programs::Program& program, const programs::Layout& layout) {
  const auto map = programs::l1_map(program, layout);
  auto ranges = nlohmann::ordered_json::array();
  for (const L1Range& each : map)
    ranges.push_back({{"use", programs::l1_use_name(each.use)},
                      {"address", each.address},
                      {"bytes", each.bytes},
                      {"name", each.name},
                      {"origin", each.origin},
                      {"clashes", each.clashes}});
  const nlohmann::ordered_json document{{"arch", arch_params(program.arch).names.id},
                                        {"core", {program.core.x, program.core.y}},
                                        {"l1_bytes", arch_params(program.arch).tile.l1_bytes},
                                        {"free_bytes", free_bytes(map)},
                                        {"l1", ranges}};
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace lanewise::report
