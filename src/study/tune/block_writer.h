// The words of a block (block.h): its instructions in their order, with what repeats recorded, or
// in loops.
#pragma once

#include <vector>

#include "study/tune/block.h"
#include "study/tune/block_order.h"
#include "study/tune/block_runs.h"

namespace lanewise::tune {

/// A block before it is written down.
struct OrderedBlock {
  std::vector<BlockStep> steps;
  BlockOrder order;
  std::vector<BlockRun> runs;
};

/// The program that it is to replace.
struct BlockSource {
  const Plain& plain;
  const TileProgram& tile;
  const FollowedBlock& block;
  unsigned still_field = 0; ///< the AddrMod field with which accesses move nothing
};

/// What the counter can do in such a program.
CounterMoves counter_moves(const BlockSource& source);

/// `replays`: what repeats, and has room in the replay slots, is recorded, so that the core need
/// not push it again; else all that repeats is a loop.
Tuned write_block(const BlockSource& source, const OrderedBlock& block, bool replays);

} // namespace lanewise::tune
