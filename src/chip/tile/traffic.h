// What unpackers and packers were asked for while a program ran: what their time is made of
// (core.md 17; chip/clock/units.h).
#pragma once

#include <array>
#include <cstdint>

#include "chip/isa/number_format.h"
#include "chip/machine/config_state.h"

namespace lanewise::tile {

struct Traffic {
  /// Rows of L1, as many bytes of each.
  struct Rows {
    std::uint64_t first = 0, bytes = 0;
    std::uint64_t stride = 0; ///< bytes from one to the next
    std::uint64_t rows = 0;
  };
  struct OfUnpacker {
    std::uint64_t instructions = 0;
    std::uint64_t bytes = 0; ///< data without exponents
    std::uint64_t data = 0;
    std::uint64_t narrowed = 0;     ///< of these, such that come with 32 bits and go on with 16
    std::uint64_t fetch_cycles = 0; ///< if nothing else happens in L1
    Rows rows;                      ///< of the last instruction
    unsigned bytes_per_cycle = 0;   ///< the same, at most
    isa::DataFormat format{};       ///< the same, in L1
    bool takes_values = false;      ///< the same; else zeros come, whatever L1 holds
  };
  struct OfPacker {
    std::uint64_t instructions = 0;
    std::uint64_t writes = 0;      ///< of 16 bytes to L1
    std::uint64_t accumulated = 0; ///< of these, such that add to what is there
    std::uint64_t last_write = 0;  ///< the address of the last of them
    std::uint64_t ends = 0;        ///< PACRs with Last: tiles, as a rule
    std::uint64_t read_bits = 0;   ///< of data in the format that comes into the packer
    std::uint64_t packed_bits = 0; ///< of the same data in the format of L1, without exponents
    std::uint64_t dst_rows = 0;    ///< of Dst that were read
    std::uint64_t clear_rows = 0;  ///< of these, such that nothing has written since a ZEROACC
    /// Bytes of L1 that the last instruction has written lie between these; none where they are
    /// equal.
    std::uint64_t begin = 0, end = 0;
    isa::DataFormat format{}; ///< of the last instruction, in L1
  };
  std::array<OfUnpacker, 2> unpacker;
  std::array<OfPacker, 4> packer;
};

} // namespace lanewise::tile
