// Which shared places each instruction touched, in the order of a run, for those who look for
// races. A tile that has none spends a test for each access.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "chip/isa/program.h"

namespace lanewise::tile {

struct TileState;

/// Kinds of places that threads share. Semaphores, mutexes and the owners of banks are not among
/// them: these are what keeps others in order.
enum class SharedPlace : std::uint8_t {
  L1,    ///< 16 bytes each
  Dst,   ///< 16 physical rows each
  SrcA,  ///< a bank
  SrcB,  ///< a bank
  Config ///< a shared word
};

struct PlaceId {
  SharedPlace place{};
  std::uint32_t index = 0;

  friend auto operator<=>(const PlaceId&, const PlaceId&) = default;
};

/// "L1 at 0x30010", "Dst rows 16 to 31", "bank 1 of SrcA", "word 12 of the shared configuration".
std::string place_text(PlaceId id);

/// Who acts: a thread, which executes, or its core, which pushes, loads and stores.
struct Agent {
  unsigned thread = 0;
  bool is_core = false;

  friend auto operator<=>(const Agent&, const Agent&) = default;
};

struct Touch {
  Agent agent;
  /// Of the thread's instructions or the core's actions, from 0: the same one in every order.
  std::uint64_t ordinal = 0;
  ProgramWord word; ///< of a core, only its line
  bool writes = false;
  std::uint32_t bits = ~0U; ///< of a configuration word
  std::uint64_t step = 0;   ///< of all instructions of the run

  friend bool operator==(const Touch&, const Touch&) = default;
};

class AccessLog {
 public:
  /// From here on touches are those of what an agent does next.
  void begin(Agent agent, std::uint64_t ordinal, const ProgramWord& word);
  /// The instruction did not start after all.
  void cancel();

  void touch(PlaceId id, bool writes, std::uint32_t bits = ~0U);
  /// Bytes of L1.
  void touch_l1(std::uint64_t address, std::uint32_t bytes, bool writes);

  /// In the order of the run, at most one that reads and one that writes of an instruction.
  const std::map<PlaceId, std::vector<Touch>>& touches() const { return touches_; }

 private:
  std::map<PlaceId, std::vector<Touch>> touches_;
  Touch current_;
  std::uint64_t steps_ = 0;
};

/// What an instruction that the machine executes did to Dst and to the configuration, found by
/// comparing, and what it may have read (chip/isa/effects.h).
class MachineTouches {
 public:
  /// Before it is executed. Nothing is remembered where the tile has no log.
  MachineTouches(TileState& tile, std::uint32_t word);
  /// After it.
  void note();

 private:
  void note_dst();
  void note_config();
  void note_banks();

  TileState& tile_;
  std::uint32_t word_;
  std::vector<std::uint16_t> dst_;
  std::vector<std::uint32_t> config_;
  std::array<std::uint8_t, 2> bank_{}; ///< current ones of SrcA and SrcB
};

/// That an unpacker or a packer touches a physical row of Dst.
void touch_dst(TileState& tile, unsigned physical_row, bool writes);

/// That an UNPACR or a PACR reads the words that unpackers or packers look at.
void touch_unit_config(TileState& tile, bool is_packer);

} // namespace lanewise::tile
