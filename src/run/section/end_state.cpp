#include "run/section/end_state.h"

#include "chip/tile/state_fields.h"

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

} // namespace lanewise::section
