// How the math and the pack thread hand Dst to each other: by semaphore MATH_PACK, which
// tile_regs_acquire(), tile_regs_commit(), tile_regs_wait() and tile_regs_release() wait for, raise
// and lower. What a thread does with Dst while it is not its own is found here.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "chip/tile/tile.h"
#include "run/launch/found.h"

namespace lanewise::launch {

class DstProtocol {
 public:
  DstProtocol(Arch arch, FoundLog& found);

  /// After an instruction. `packed`: it is a PACR that has taken rows of Dst.
  void execute(const tile::Executed& executed, bool packed);
  /// A tile has been packed of which no row was written since it was cleared.
  void pack_nothing(std::uint32_t line);
  /// Says what could not be said before it was known whether somebody packs.
  void settle();
  /// All has come to its end. `filled_line`: of the last UNPACR into SrcA, into SrcB.
  void finish(const tile::TileState& tile, const std::array<std::uint32_t, 2>& filled_line);

 private:
  void execute_math(const ProgramWord& word);
  void execute_pack(const ProgramWord& word, bool packed);
  bool names_dst(const ProgramWord& word) const;
  void add(unsigned core, std::uint32_t line, std::string message, std::string remedy);

  Arch arch_;
  FoundLog& found_;
  std::uint8_t wait_, post_, get_; ///< opcodes of SEMWAIT, SEMPOST, SEMGET
  std::bitset<256> computes_;      ///< opcodes that write Dst
  bool is_acquired_ = false, is_waited_for_ = false, is_packed_ = false;
  std::uint32_t committed_line_ = 0, released_line_ = 0; ///< 0: not yet
  std::vector<Found> early_; ///< of the math thread; wrong only where somebody packs
};

} // namespace lanewise::launch
