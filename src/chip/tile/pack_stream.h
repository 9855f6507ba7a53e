// The lower end of a packer: blocks with a common exponent, 16 bytes at a time, into L1 or added to
// what is there (core.md 14.3, 14.9, 14.10).
#pragma once

#include <cstdint>

#include "chip/semantics/pack_values.h"
#include "chip/tile/instruction.h"

namespace lanewise::tile {

class PackSink {
 public:
  PackSink(TileState& tile, unsigned packer, const Instruction& i, const semantics::Packing& how);

  /// A datum as pack_late() leaves it.
  void put(std::uint32_t datum);

  /// After the data of an instruction. `ends`: the streams end, too; what is left of 16 bytes is
  /// filled with zeros.
  void finish(bool ends);

 private:
  void assemble_block();
  void append(PackStream& stream, std::uint32_t datum, unsigned bits);
  void write(PackStream& stream);
  void end(PackStream& stream);

  TileState& tile_;
  const Instruction& i_;
  Packer& state_;
  Traffic::OfPacker& traffic_;
  isa::DataFormat out_;
  unsigned bits_; ///< of a datum
  bool is_block_;
  bool accumulates_;
};

} // namespace lanewise::tile
