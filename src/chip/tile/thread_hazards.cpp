#include "chip/tile/thread_hazards.h"

#include <algorithm>
#include <string_view>

#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/tile/register_use.h"
#include "chip/tile/wait_gate.h"

namespace lanewise::tile {

namespace {

using isa::Op;
using isa::Unit;

constexpr Finding kLateRegister{
    FaultKind::Hazard, "reads a scalar register into which an instruction before it still loads",
    "wait in between: STALLWAIT that blocks this unit and waits for the scalar unit's memory, "
    "or FLUSHDMA",
    "core.md 6, 8"};
constexpr Finding kLateConfigRead{
    FaultKind::Hazard,
    "uses a scalar register right behind the RDCFG that fills it, which takes 2 cycles or more",
    "put a NOP in between", "core.md 9"};
constexpr Finding kConfigSettles{
    FaultKind::Hazard,
    "comes right behind an instruction that writes configuration, of which it sees nothing yet",
    "put a NOP in between", "core.md 8, 9"};
constexpr Finding kPostsTooEarly{
    FaultKind::Hazard,
    "tells another thread to go on while units still work on what its own thread has given them",
    "put a STALLWAIT in front of it that blocks the Sync Unit and waits for these units",
    "core.md 6"};

constexpr Finding kStaleOwner{FaultKind::Hazard,
                              "writes a bank behind a wait that may have looked at the bank "
                              "before: an instruction just before "
                              "the wait hands that one back, and does so at its end",
                              "let the STALLWAIT wait for the Matrix Unit, too",
                              "core.md 6; tt-metal 52252, 55106"};

/// Stages of the Matrix Unit: as many instructions behind one that hands a bank back may come
/// before it has (MU 8).
constexpr unsigned kMatrixStages = 5;

constexpr std::uint32_t bit_of(WaitFor what) {
  return 1U << static_cast<unsigned>(what);
}

/// Units of which others want to know when they are done. Not the unpackers: they take what they
/// need of configuration when they start, and hand data over by their banks.
constexpr std::uint32_t kWorkers =
    bit_of(WaitFor::Packer) | bit_of(WaitFor::MatrixUnit) | bit_of(WaitFor::VectorUnit);

/// What an instruction keeps at work, as conditions of STALLWAIT know it.
std::uint32_t unit_at_work(const isa::Decoded& decoded) {
  const isa::Row& row = *decoded.row;
  switch (row.unit) {
    case Unit::Unpacker:
      return bit_of(decoded["WhichUnpacker"] == 0 ? WaitFor::Unpacker0 : WaitFor::Unpacker1);
    case Unit::Packer: return bit_of(WaitFor::Packer);
    case Unit::Vector: return row.op == Op::SFPNOP ? 0 : bit_of(WaitFor::VectorUnit);
    case Unit::Matrix: {
      // Counters, banks and flags are done within a cycle.
      const isa::MatrixKind kind = isa::matrix_kind(row.op);
      const bool is_short = kind == isa::MatrixKind::None || kind == isa::MatrixKind::Clear;
      return is_short ? 0 : bit_of(WaitFor::MatrixUnit);
    }
    case Unit::FrontEnd:
    case Unit::Scalar:
    case Unit::Sync:
    case Unit::Configuration:
    case Unit::Mover:
    case Unit::Miscellaneous: break;
  }
  return 0;
}

bool writes_config_late(Op op) {
  return op == Op::WRCFG || op == Op::CFGSHIFTMASK;
}

bool uses_config(const isa::Row& row) {
  return row.unit == Unit::Unpacker || row.unit == Unit::Packer || row.unit == Unit::Matrix ||
         row.unit == Unit::Vector;
}

} // namespace

void ThreadHazards::observe(const Executed& executed) {
  const isa::Decoded decoded = isa::decode(arch_, executed.word.word);
  if (decoded.row == nullptr) return;
  State& state = state_[executed.thread];
  pass_gate(state, *decoded.row);
  check(state, executed, decoded);
  note_work(state, decoded);
  latch(state, decoded);
  note_flips(state, decoded);
}

void ThreadHazards::note_flips(State& state, const isa::Decoded& decoded) {
  constexpr std::array<std::string_view, 2> kFlips{"FlipSrcA", "FlipSrcB"};
  // Told once of each wait: the moves behind the first one have the same bank.
  if (decoded.row->op == Op::MOVD2A) state.may_be_stale[0] = false;
  if (decoded.row->op == Op::MOVD2B) state.may_be_stale[1] = false;
  const bool is_matrix = decoded.row->unit == Unit::Matrix;
  for (unsigned i = 0; i < kFlips.size(); ++i) {
    state.since_flip[i] = std::min(state.since_flip[i] + 1, kLongAgo);
    if (is_matrix && decoded.row->field(kFlips[i]) != nullptr && decoded[kFlips[i]] != 0) {
      state.since_flip[i] = 0;
      state.may_be_stale[i] = false; // the next bank is another matter
    }
  }
}

/// An instruction that a wait would have held back has come: what the wait was about is over.
void ThreadHazards::pass_gate(State& state, const isa::Row& row) {
  if (state.blocked == 0 || !is_held(row, state.blocked)) return;
  state.working &= ~state.awaited;
  if ((state.awaited & bit_of(WaitFor::ScalarMemory)) != 0) state.late_registers = 0;
  state.blocked = 0;
}

void ThreadHazards::check(const State& state, const Executed& executed,
                          const isa::Decoded& decoded) {
  const Op op = decoded.row->op;
  const auto found = [&](const Finding& finding) {
    findings_.add(finding, executed.thread, executed.word);
  };
  const std::uint64_t needed = needed_registers(decoded);
  if ((state.late_registers & needed) != 0) found(kLateRegister);
  if ((state.config_registers & needed) != 0) found(kLateConfigRead);
  if ((op == Op::MOVD2A && state.may_be_stale[0]) || (op == Op::MOVD2B && state.may_be_stale[1]))
    found(kStaleOwner);
  if (state.config_settles && uses_config(*decoded.row)) found(kConfigSettles);
  if ((op == Op::SEMPOST || op == Op::SEMGET) && (state.working & kWorkers) != 0)
    found(kPostsTooEarly);
}

void ThreadHazards::note_work(State& state, const isa::Decoded& decoded) {
  state.working |= unit_at_work(decoded);
  state.late_registers |= loaded_registers(decoded);
  state.config_registers =
      decoded.row->op == Op::RDCFG ? std::uint64_t{1} << (decoded["ResultReg"] & 63) : 0;
  state.config_settles = writes_config_late(decoded.row->op);
  // Bit 0 of its mask is C0, and no mask is all of them.
  if (decoded.row->op == Op::FLUSHDMA &&
      (decoded["ConditionMask"] == 0 || (decoded["ConditionMask"] & 1) != 0))
    state.late_registers = 0;
}

void ThreadHazards::latch(State& state, const isa::Decoded& decoded) const {
  constexpr std::uint16_t kMathOnly = 1U << 6;
  const Op op = decoded.row->op;
  if (op != Op::STALLWAIT && op != Op::SEMWAIT) return;
  const ArchParams& chip = arch_params(arch_);
  state.blocked = static_cast<std::uint16_t>(decoded["BlockMask"]);
  if (state.blocked == 0) state.blocked = kMathOnly;
  std::uint32_t mask = decoded["ConditionMask"];
  if (op == Op::SEMWAIT && mask != 0)
    mask = 0; // of semaphores alone
  else if (mask == 0)
    mask = chip.tile.wait_for_everything;
  state.awaited = 0;
  for (unsigned bit = 0; bit < chip.tile.wait_conditions.size(); ++bit) {
    if ((mask >> bit & 1U) != 0) state.awaited |= bit_of(chip.tile.wait_conditions[bit]);
  }
  const bool drains = (state.awaited & bit_of(WaitFor::MatrixUnit)) != 0;
  constexpr std::array<WaitFor, 2> kFilled{WaitFor::SrcAFilled, WaitFor::SrcBFilled};
  for (unsigned i = 0; i < kFilled.size(); ++i) {
    if ((state.awaited & bit_of(kFilled[i])) != 0)
      state.may_be_stale[i] = !drains && state.since_flip[i] < kMatrixStages;
  }
}

} // namespace lanewise::tile
