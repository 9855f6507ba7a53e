// How a packer is configured, and what a PACR asks of it: formats, addresses, rows of Dst, edge
// masks (core.md 14.1 to 14.6).
#pragma once

#include <array>
#include <cstdint>

#include "chip/isa/config.h"
#include "chip/isa/number_format.h"
#include "chip/semantics/pack_values.h"
#include "chip/tile/instruction.h"

namespace lanewise::tile {

/// Reads the configuration of one packer as one thread sees it.
class PackerConfig {
 public:
  PackerConfig(const TileState& tile, unsigned packer, unsigned thread)
      : tile_(tile), packer_(packer), thread_(thread) {}

  unsigned packer() const { return packer_; }

  /// A field that all packers share.
  std::uint32_t get(isa::ConfigField field) const {
    return tile_.machine.config.get(field, thread_);
  }
  /// One of the fields of four sections, by packer.
  std::uint32_t of_section(isa::ConfigField first) const {
    return get(isa::of_section(first, packer_));
  }
  /// A field of THCON: packers 0 and 1 have REG1 and REG8 of section 0, 2 and 3 those of section 1.
  std::uint32_t thcon(isa::ConfigField reg1, isa::ConfigField reg8) const {
    return get(isa::of_section(packer_ % 2 == 0 ? reg1 : reg8, packer_ / 2));
  }

 private:
  const TileState& tile_;
  unsigned packer_, thread_;
};

/// The packers that an instruction names, bit i: packer i; on a chip with one packer that one.
unsigned packers_of(TileState& tile, const Instruction& i);

/// The thread whose counters a packer takes.
unsigned counters_of(const PackerConfig& config, const Instruction& i);

/// Where the first datum stands in Dst, as row times 16 plus column (core.md 14.2).
unsigned input_place(const TileState& tile, const PackerConfig& config, const Instruction& i);

/// How many data one PACR takes from a packer, or from each way to read Dst: channel 1's X less
/// channel 0's, plus one. 0 of a flush.
std::uint32_t input_count(const TileState& tile, const PackerConfig& config, const Instruction& i);

/// Formats and the like of the conversions.
semantics::Packing packing_of(const TileState& tile, const PackerConfig& config);

/// Addresses for the streams that need new ones (core.md 14.3).
void place_output(TileState& tile, unsigned packer, const Instruction& i);

/// The 16 columns of a row of Dst that are kept, by the tile position of the packer.
std::uint16_t edge_mask(const PackerConfig& config, unsigned packer, std::uint32_t tile_y,
                        std::uint32_t tile_z);

/// Moves the counters of the threads in `threads` (bit by thread) by the instruction's AddrMod.
void advance_pack_counters(TileState& tile, const Instruction& i, unsigned threads);

} // namespace lanewise::tile
