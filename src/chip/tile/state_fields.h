// The state that outlives a call, field by field: configuration, ADDR_MOD sections, counters,
// scalar registers, MOP and replay buffer, what SFPCONFIG sets, banks and semaphores. Numbers that
// programs compute (Dst, SrcA, SrcB, L1, LReg[0..7]) are not among it.
//
//   const auto before = state_fields(tile.state());
//   ...
//   for (const FieldChange& each : field_changes(before, state_fields(tile.state()))) ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chip/tile/tile_state.h"

namespace lanewise::tile {

enum class StateKind : std::uint8_t {
  Configuration, ///< a field by its name (docs/configuration.md), or the bits of a word without one
  AddrMod,       ///< a field of a section of the Matrix Unit's ADDR_MOD
  Counter,       ///< an ADC or an RWC
  Gpr,           ///< a scalar register
  Mop,           ///< a word of MopCfg, or the mask of MOP_CFG
  Replay,        ///< a slot of the replay buffer
  Sfpu,          ///< LaneConfig, LReg[11..14], macros
  Bank,          ///< who has which bank of SrcA and SrcB, SrcRow, context counters
  Sync           ///< semaphores and mutexes
};

/// "configuration", "addr_mod", ..., in the order of the enumerators.
std::string_view state_kind_name(StateKind kind);

/// All names, with commas between them.
std::string state_kind_names();

/// The kind of such a name.
std::optional<StateKind> parse_state_kind(std::string_view name);

struct StateField {
  StateKind kind = StateKind::Configuration;
  std::string name; ///< unique: "ALU_ACC_CTRL_Fp32_enabled", "T1 ADDR_MOD 0 srca.incr", ...
  std::uint32_t value = 0;
  bool is_word = false; ///< the value is an instruction word

  friend bool operator==(const StateField&, const StateField&) = default;
};

/// Every field, of tiles of one chip always the same ones in the same order. A shared field is that
/// of bank 0, and again as "NAME, bank 1" where there are two.
std::vector<StateField> state_fields(const TileState& tile);

/// A field that differs; its places in the lists are the same.
struct FieldChange {
  StateKind kind = StateKind::Configuration;
  std::string name;
  std::uint32_t before = 0, after = 0;
  bool is_word = false; ///< the values are instruction words
};

/// Precondition: both lists are of one chip.
std::vector<FieldChange> field_changes(const std::vector<StateField>& before,
                                       const std::vector<StateField>& after);

} // namespace lanewise::tile
