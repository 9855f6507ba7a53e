#include "chip/tile/step_memo.h"

#include "chip/isa/effects.h"
#include "chip/tile/wait_gate.h"

namespace lanewise::tile {

namespace {

using isa::Op;

template <void (*Function)(TileState&, const Instruction&)>
Wait at_once(TileState& tile, const Instruction& i) {
  Function(tile, i);
  return {};
}

/// What the tile executes itself; nullptr of everything else.
Execute executes_in_tile(const isa::Row& row) {
  switch (row.unit) {
    case isa::Unit::Packer: return row.op == Op::PACR ? execute_pacr : nullptr;
    case isa::Unit::Unpacker: return row.op == Op::UNPACR ? execute_unpacr : execute_unpacr_nop;
    case isa::Unit::Miscellaneous:
      return row.op == Op::SETDVALID ? at_once<execute_setdvalid> : at_once<execute_counters>;
    case isa::Unit::Sync: return is_wait(row.op) ? at_once<latch> : execute_sync;
    case isa::Unit::Scalar:
      return isa::executor_of(row.op) == isa::Executor::Tile ? execute_memory : nullptr;
    case isa::Unit::FrontEnd:
    case isa::Unit::Vector:
    case isa::Unit::Matrix:
    case isa::Unit::Configuration:
    case isa::Unit::Mover: break;
  }
  return nullptr;
}

} // namespace

KnownStep StepMemo::look_up(std::uint32_t word) const {
  KnownStep known;
  known.decoded = isa::decode(arch_, word);
  if (known.decoded.row == nullptr) return known;
  const Op op = known.decoded.row->op;
  known.own = executes_in_tile(*known.decoded.row);
  known.is_executed = known.own != nullptr || isa::executor_of(op) != isa::Executor::Nobody;
  known.sources = needed_sources(op);
  const bool hands_back =
      (op == Op::SETRWC || op == Op::CLEARDVALID) && known.decoded["Reset"] == 0;
  known.may_flip_srca = hands_back && known.decoded["FlipSrcA"] != 0;
  known.may_flip_srcb = hands_back && known.decoded["FlipSrcB"] != 0;
  return known;
}

} // namespace lanewise::tile
