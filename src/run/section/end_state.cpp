#include "run/section/end_state.h"

#include <map>

namespace lanewise::section {
namespace {

bool is_left_behind(tile::StateKind kind) {
  using tile::StateKind;
  return kind == StateKind::Configuration || kind == StateKind::AddrMod ||
         kind == StateKind::Counter || kind == StateKind::Sync;
}

} // namespace

EndState end_state(const tile::TileState& tile) {
  EndState state;
  for (const tile::StateField& field : tile::state_fields(tile))
    if (field.value != 0 && is_left_behind(field.kind)) state.emplace_back(field.name, field.value);
  return state;
}

EndState end_state(const MachineState& machine) {
  tile::TileState tile(machine.config.arch());
  tile.machine = machine;
  return end_state(tile);
}

std::vector<tile::StateField> left_fields(Arch arch, const EndState& state) {
  std::vector<tile::StateField> fields = tile::state_fields(tile::TileState(arch));
  std::erase_if(fields, [](const tile::StateField& each) { return !is_left_behind(each.kind); });
  const std::map<std::string, std::uint32_t> values(state.begin(), state.end());
  for (tile::StateField& field : fields) {
    const auto found = values.find(field.name);
    field.value = found == values.end() ? 0 : found->second;
  }
  return fields;
}

} // namespace lanewise::section
