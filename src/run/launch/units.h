// What unpackers and packers do to circular buffers: which pages they touch, in which format, and
// whether somebody has written what is read.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "chip/tile/tile.h"
#include "run/launch/dst_protocol.h"
#include "run/launch/found.h"
#include "run/launch/notes.h"
#include "run/launch/rings.h"
#include "run/launch/transfers.h"
#include "run/launch/written.h"

namespace lanewise::launch {

class Units {
 public:
  /// `written`: nullptr if it is not known who writes what.
  Units(Arch arch, Rings& rings, Written* written, FoundLog& found);

  /// Who is told of all accesses.
  void tell(Notes& notes) { notes_ = &notes; }
  /// Who is told of what packers do.
  void tell(Transfers& transfers) { transfers_ = &transfers; }

  /// After an instruction.
  void execute(const tile::TileState& tile, const tile::Executed& executed);
  /// L1 was written by others than a packer.
  void forget_formats(std::uint64_t address, std::uint64_t bytes);
  /// Says what is known at the end only, however that comes.
  void settle() { protocol_.settle(); }
  /// All has come to its end.
  void finish(const tile::TileState& tile) { protocol_.finish(tile, filled_line_); }

 private:
  struct Packed {
    std::uint64_t rows = 0, clear = 0; ///< of the tile that is being packed
  };

  void unpack(const tile::Traffic::OfUnpacker& traffic, std::uint32_t line);
  void pack(const tile::Traffic::OfPacker& traffic, std::uint32_t line);
  void check_format(unsigned core, std::uint32_t line, std::uint64_t address,
                    isa::DataFormat format);
  void check_size(unsigned core, std::uint32_t line, const programs::CbPlace& ring);

  Rings& rings_;
  Written* written_;
  FoundLog& found_;
  Notes* notes_ = nullptr;
  Transfers* transfers_ = nullptr;
  DstProtocol protocol_;
  std::uint8_t unpack_, pack_;                        ///< opcodes
  std::array<tile::Traffic::OfUnpacker, 2> unpacker_; ///< as they were before
  std::array<tile::Traffic::OfPacker, 4> packer_;
  Packed packed_;
  std::size_t grains_;               ///< 16 bytes of L1 each
  std::vector<std::uint8_t> format_; ///< of 16 bytes of L1 each: 1 + the packer's, 0: not packed
  std::vector<std::uint32_t> packed_line_;     ///< the line of their PACR
  std::set<unsigned> sized_;                   ///< circular buffers whose pages were looked at
  std::array<std::uint32_t, 2> filled_line_{}; ///< of the last UNPACR of each unpacker
};

} // namespace lanewise::launch
