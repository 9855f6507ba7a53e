// What a step of a thread asks of a word again and again, looked up once.
#pragma once

#include <cstdint>

#include "chip/isa/encoding.h"
#include "chip/isa/word_places.h"
#include "chip/machine/matrix/control.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/simd_level.h"
#include "chip/tile/instruction.h"

namespace lanewise::tile {

using Execute = Wait (*)(TileState&, const Instruction&);

struct KnownStep {
  isa::Decoded decoded;                              ///< row nullptr: no instruction of the chip
  Execute own = nullptr;                             ///< what the tile executes itself
  bool is_executed = false;                          ///< by the tile or the machine
  bool may_flip_srca = false, may_flip_srcb = false; ///< Tile::flips_early()
  NeededSources sources;                             ///< banks that it waits for by itself
  MicroOp op; ///< of what the machine executes; kernel nullptr: not yet decoded
  SimdLevel level = SimdLevel::Baseline; ///< for which it was decoded
  bool is_faulty = false;                ///< something is to be said of the word each time
};

class StepMemo {
 public:
  explicit StepMemo(Arch arch) : arch_(arch) {}

  /// Until the next call.
  KnownStep& operator[](std::uint32_t word) {
    return places_.find(word, [this](std::uint32_t each) { return look_up(each); });
  }

 private:
  KnownStep look_up(std::uint32_t word) const;

  Arch arch_;
  isa::WordPlaces<KnownStep> places_;
};

} // namespace lanewise::tile
