// What a straight program computes, as numbers of values: instructions are functions of what they
// read, whatever they compute. Where two programs leave the same numbers behind, they leave the
// same bits behind, for every input.
//
// Known of an instruction is only what chip/isa/effects.h says: registers, lanes, flags, the flag
// stack, random numbers, configuration and places of Dst that it reads and writes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/isa/lreg_sets.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"
#include "study/tune/block_words.h"
#include "study/tune/follow_lane.h"

namespace lanewise::tune {

/// Two values of one table are the same bits in each lane if they have the same number.
using ValueId = std::uint32_t;

/// Values by what they are made of.
class ValueTable {
 public:
  /// The number of what these words describe.
  ValueId number(const std::vector<std::uint32_t>& description);
  /// The constant with these bits in every lane.
  ValueId constant(std::uint32_t bits);
  /// Whether a number is a constant's, and which.
  const std::uint32_t* find_constant(ValueId value) const;

 private:
  std::map<std::vector<std::uint32_t>, ValueId> numbers_;
  std::map<ValueId, std::uint32_t> constants_;
};

/// State that instructions read and write, as a mask. The first 16 bits are LRegs.
using StateSet = std::uint32_t;
namespace state_part {
inline constexpr StateSet kLRegs = 0xFFFF, kValueLRegs = isa::kGeneralLRegs;
inline constexpr StateSet kFlags = 1U << 16, kFlagStack = 1U << 17, kRandom = 1U << 18,
                          kConfiguration = 1U << 19, kShuffleLatch = 1U << 20;
inline constexpr unsigned kCount = 21;
} // namespace state_part

/// An instruction of a block, on its way through the program.
struct BlockStep {
  std::uint32_t word = 0, line = 0;
  isa::Op op = isa::Op::NOP;
  StateSet reads = 0, writes = 0;
  StateSet kills = 0;                ///< of `writes`: nothing of what was there is left
  std::vector<CellPlace> cells = {}; ///< of Dst, that it loads or stores
  bool is_store = false;
  bool overwrites_cells = false;  ///< a store in all lanes
  std::uint32_t address = 0;      ///< of a load or store, from where the Dst counter was at first
  bool changes_something = false; ///< else everything that it writes was the same before
};

/// What a block leaves behind.
struct BlockEnd {
  std::array<ValueId, kLRegs> lregs{};
  std::array<ValueId, 5> others{}; ///< flags, their use, random numbers, configuration, the latch
  std::vector<std::array<ValueId, 2>> stack;
  std::map<CellPlace, ValueId> cells; ///< those that it stores
};

struct FollowedBlock {
  std::vector<BlockStep> steps; ///< without what does nothing and what only moves counters
  BlockEnd end;
  StateSet entry_reads = 0;      ///< what it reads of what was there before it
  std::uint32_t dst_counter = 0; ///< how far it moves, modulo 1024
};

/// Follows `ops` from `start`; the program's registers at its beginning are unknown, but for those
/// that never change. Error: Unsupported with the reason and the line, where there is more than the
/// Vector Unit at work, or a macro.
Expected<FollowedBlock> follow_block(ValueTable& table, const MachineState& start,
                                     std::span<const MicroOp> ops);

/// The first difference between what two blocks of one table leave behind, in words; empty if there
/// is none. Of LReg[0..7] only those in `kept` count.
std::string find_difference(const BlockEnd& expected, const BlockEnd& found, StateSet kept);

} // namespace lanewise::tune
