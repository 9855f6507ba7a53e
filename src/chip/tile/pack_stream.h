// The lower end of a packer: blocks with a common exponent, 16 bytes at a time, into L1 or added to
// what is there (core.md 14.3, 14.9, 14.10).
#pragma once

#include <cstdint>
#include <span>

#include "chip/semantics/pack_values.h"
#include "chip/tile/instruction.h"
#include "chip/tile/row_kernels.h"

namespace lanewise::tile {

class PackSink {
 public:
  PackSink(TileState& tile, unsigned packer, const Instruction& i, const semantics::Packing& how);

  /// A datum as pack_late() leaves it.
  void put(std::uint32_t datum);

  /// Whether 16 data may come at once: no block has begun, and data begin at a whole byte.
  bool takes_rows() const { return state_.block_size == 0 && state_.data.bits % 8 == 0; }

  /// 16 data, of a block format with their exponent. Precondition: takes_rows().
  void put_row(const PackedRow& row);

  /// After the data of an instruction. `ends`: the streams end, too; what is left of 16 bytes is
  /// filled with zeros.
  void finish(bool ends);

 private:
  void assemble_block();
  void append_bytes(PackStream& stream, std::span<const std::uint8_t> bytes);
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
