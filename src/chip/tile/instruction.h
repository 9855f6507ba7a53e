// An instruction on its way into a unit of the tile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "chip/isa/program.h"
#include "chip/tile/findings.h"
#include "chip/tile/tile_state.h"
#include "chip/tile/wait.h"

namespace lanewise::tile {

struct Instruction {
  unsigned thread = 0;
  ProgramWord word;
  isa::Decoded decoded;

  /// A field's value, unsigned; 0 where this chip's encoding has no such field.
  std::uint32_t operator[](std::string_view field) const { return decoded[field]; }
};

/// The same of an instruction that is known, found while compiling.
template <isa::Literal Name, isa::Op O>
std::uint32_t field_of(const TileState& tile, const Instruction& i) {
  static_assert(std::ranges::any_of(isa::kTable, [](const isa::Row& row) {
    return row.op == O && row.field(Name.view()) != nullptr;
  }));
  return with_chip(tile.arch(), [&i]<Arch A>(Chip<A>) -> std::uint32_t {
    constexpr const isa::Row* kRow = isa::table_row(A, O);
    if constexpr (kRow == nullptr || kRow->field(Name.view()) == nullptr) {
      return 0;
    } else {
      constexpr isa::Field kField = *kRow->field(Name.view());
      return kField.extract(i.word.word);
    }
  });
}
/// Of a PACR or a UNPACR.
template <isa::Literal Name>
std::uint32_t pacr_field(const TileState& tile, const Instruction& i) {
  return field_of<Name, isa::Op::PACR>(tile, i);
}
template <isa::Literal Name>
std::uint32_t unpacr_field(const TileState& tile, const Instruction& i) {
  return field_of<Name, isa::Op::UNPACR>(tile, i);
}

/// Notes what is to be said of an instruction.
inline void note(TileState& tile, const Instruction& i, const Finding& finding) {
  tile.findings.add(finding, i.thread, i.word);
}

/// That an instruction waits, and has done nothing.
inline Wait waits_for(WaitCause cause, const Instruction& i, std::uint32_t what = 0) {
  return {.cause = cause, .what = what, .at = i.word, .because_of = {}};
}

// Executes an instruction of a unit, or says what it waits for; WaitCause::None: it is done.
Wait execute_unpacr(TileState& tile, const Instruction& i);
Wait execute_unpacr_nop(TileState& tile, const Instruction& i);
Wait execute_pacr(TileState& tile, const Instruction& i);
Wait execute_sync(TileState& tile, const Instruction& i);
Wait execute_memory(TileState& tile, const Instruction& i);
void execute_counters(TileState& tile, const Instruction& i);
void execute_setdvalid(TileState& tile, const Instruction& i);
/// STOREREG to a register of the NoC overlay that keeps what is stored. False: it is another one.
bool store_to_overlay(TileState& tile, const Instruction& i);
/// REG2FLOP to a counter.
void set_counter_from_register(TileState& tile, const Instruction& i);

} // namespace lanewise::tile
