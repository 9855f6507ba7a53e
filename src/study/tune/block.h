// A kernel that is no sequence of equal rows, as one block: its instructions, as they execute, with
// what is useless left out, in other registers and in another order. Lanes may be exchanged, random
// numbers drawn, and any tiles be stored: what an instruction computes does not matter.
//
//   block_values.h   what a block computes, as numbers     block_order.h      which comes when
//   block_words.h    registers of a word                   block_registers.h  who gets which
//   block_runs.h     what repeats                        block_writer.h     the program
//
// The proof: both programs, word by word, leave the same numbers of values behind (block_proof.h).
#pragma once

#include <cstdint>
#include <vector>

#include "base/fault.h"
#include "chip/machine/state.h"
#include "study/tune/block_values.h"
#include "study/tune/prove.h"
#include "study/tune/tuned.h"

namespace lanewise::tune {

/// A program as it runs on a tile.
struct TileProgram {
  MachineState start;                   ///< in front of the first tile
  std::vector<std::uint32_t> init = {}; ///< words that run once
  /// Of each tile: configuration in front of what it computes.
  std::vector<std::uint32_t> setup = {};
  std::vector<MicroOp> ops = {}; ///< of a tile, as they execute
  std::uint64_t pushed = 0;      ///< words of a tile that the core pushes
};

/// The state in which its own instructions begin.
MachineState state_behind_setup(const TileProgram& tile);

/// Error: Unsupported where what runs once and the tile are mixed, or where the tile sets the
/// configuration between its instructions; BadInput if a .cfg setting is wrong.
Expected<TileProgram> tile_program(const Plain& plain, formats::Format format);

struct BlockResult {
  std::vector<Tuned> candidates;  ///< the best last
  std::uint64_t bound = 0;        ///< cycles that these instructions take in any order
  std::uint64_t instructions = 0; ///< that are left
  std::string failure = {};       ///< why there are no candidates
};

/// Programs of a block. Error: Unsupported with the reason and the line, where it is not known what
/// the program does; BadInput as above.
Expected<BlockResult> tune_block(const Plain& plain, formats::Format format);

} // namespace lanewise::tune
