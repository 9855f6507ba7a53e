#include "chip/tile/tile.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/source_line.h"
#include "chip/isa/config.h"
#include "chip/isa/effects.h"
#include "chip/isa/fields.h"
#include "chip/machine/executor.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/machine/frontend/static_faults.h"
#include "chip/machine/matrix/control.h"
#include "chip/tile/instruction.h"
#include "chip/timing/schedule.h"

namespace lanewise::tile {

namespace {

using isa::ConfigField;
using isa::Op;

constexpr Finding kNoOpcode{FaultKind::UndefinedBehavior,
                            "is no instruction of the chip; it was left out",
                            "check --arch and the byte order of the words", "ISA"};
constexpr Finding kNotExecuted{
    FaultKind::Unsupported, "is decoded, but not executed: nothing was done",
    "leave it out; docs/tile.md lists what is executed", "core.md 14.13"};

/// Of SFPLOADMACROs, as many instructions are scheduled together.
constexpr std::size_t kMostOfBatch = 4096;

/// What an instruction of the Matrix Unit waits for by itself (MU 1.2).
WaitCause missing_source(const MachineState& s, NeededSources needed) {
  if (needed.srca && !s.srca.owned_by_matrix_unit[s.srca.current]) return WaitCause::SrcAFilled;
  if (needed.srcb && !s.srcb.owned_by_matrix_unit[s.srcb.current]) return WaitCause::SrcBFilled;
  return WaitCause::None;
}

/// SETC16 of UNPACK_MISC_CFG with a reset bit: the thread's context counter starts anew (core.md
/// 9).
void reset_contexts(TileState& tile, unsigned thread, std::uint32_t setc16) {
  constexpr ConfigField kReset[] = {ConfigField::UNPACK_MISC_CFG_CfgContextCntReset_0,
                                    ConfigField::UNPACK_MISC_CFG_CfgContextCntReset_1};
  for (unsigned unpacker = 0; unpacker < 2; ++unpacker) {
    const isa::ConfigPlace& place = isa::config_place(kReset[unpacker]);
    if (isa::field<"CfgIndex", Op::SETC16>(setc16) != place.word_of(tile.arch())) continue;
    if (tile.machine.config.get(kReset[unpacker], thread) != 0)
      tile.unpacker[unpacker].context[thread] = 0;
  }
}

} // namespace

bool joins_macros(const isa::Decoded& decoded) {
  if (decoded.row == nullptr) return false;
  const Op op = decoded.row->op;
  if (op == Op::SETRWC) return decoded["FlipSrcA"] == 0 && decoded["FlipSrcB"] == 0;
  return decoded.row->unit == isa::Unit::Vector || op == Op::NOP || op == Op::INCRWC;
}

TileState::TileState(Arch arch, L1 memory) : machine(arch), l1(std::move(memory)) {
  for (SourceFile* file : {&machine.srca, &machine.srcb}) file->owned_by_matrix_unit = {};
}

bool Tile::push(unsigned core, const ProgramWord& word) {
  if (!take_push(core, word)) return false;
  core_did(core, {.kind = CoreAction::Kind::Push, .value = word.word, .line = word.line});
  return true;
}

bool Tile::take_push(unsigned core, const ProgramWord& word) {
  Thread& thread = state_.thread[core];
  if (thread.queue.size() >= kQueueRoom || (time != nullptr && !time->has_room(core))) {
    core_wait_[core] = {.cause = WaitCause::FullQueue, .what = 0, .at = word, .because_of = {}};
    return false;
  }
  thread.input_rests = false;
  expanded_.clear();
  const Expansion expansion = thread.expander.push(word, core, expanded_, state_.findings);
  thread.queue.insert(thread.queue.end(), expanded_.begin(), expanded_.end());
  if (time != nullptr) time->pushed(core, expansion);
  return true;
}

void Tile::configure_mop(unsigned core, unsigned index, std::uint32_t value, std::uint32_t line) {
  state_.thread[core].expander.configure_mop(index, value, line);
  core_did(
      core,
      {.kind = CoreAction::Kind::ConfigureMop, .address = index, .value = value, .line = line});
}

/// A load that finds the same as the one before it is no action of its own: somebody waits.
void Tile::core_did(unsigned core, const CoreAction& action) {
  if (core < kThreads) {
    Thread& thread = state_.thread[core];
    const bool looks_again = action.kind == CoreAction::Kind::Load &&
                             thread.last_action == action && thread.actions != 0;
    if (!looks_again) {
      ++thread.actions;
      thread.last_action = action;
    }
  }
  if (watch_core) watch_core(core, action);
}

bool Tile::waits(unsigned thread, const Wait& wait) {
  state_.thread[thread].wait = wait;
  return false;
}

/// What most looks of a thread that waits come to: the instruction at which it was last time waits
/// for the same as then.
bool Tile::still_waits(const Thread& thread) const {
  const Wait& wait = thread.wait;
  const MachineState& s = state_.machine;
  if (wait.because_of.word != 0) {
    const auto& latched = thread.gate.latched;
    if (!latched) return false;
    const UnmetCause unmet = unmet_cause(state_, *latched);
    return unmet.cause == wait.cause && unmet.what == wait.what;
  }
  // Of these, what missing_source() and execute_unpacr() look at first.
  const auto unpacks = [&] {
    return isa::opcode_of(wait.at.word) == isa::find_row(arch(), Op::UNPACR)->opcode;
  };
  switch (wait.cause) {
    case WaitCause::Input: return thread.queue.empty() && wait.at.word == 0;
    case WaitCause::SrcAToFill: return s.srca.owned_by_matrix_unit[s.srca.filling] && unpacks();
    case WaitCause::SrcBToFill: return s.srcb.owned_by_matrix_unit[s.srcb.filling] && unpacks();
    case WaitCause::SrcAFilled: return !s.srca.owned_by_matrix_unit[s.srca.current];
    default: return false;
  }
}

bool Tile::step(unsigned number) {
  Thread& thread = state_.thread[number];
  if (thread.wait.cause != WaitCause::None && still_waits(thread)) return false;
  if (thread.queue.empty())
    return waits(number, {.cause = WaitCause::Input, .what = 0, .at = {}, .because_of = {}});
  const ProgramWord word = thread.queue.front();
  KnownStep& known = steps_[word.word];
  const isa::Row* const row = known.decoded.row;
  const auto& latched = thread.gate.latched;
  if (row != nullptr && latched && is_held(*row, latched->blocked)) {
    Wait wait = latched_wait(state_, number);
    wait.at = word;
    if (wait.cause != WaitCause::None) return waits(number, wait);
  }
  if (row != nullptr && row->op == Op::SFPLOADMACRO) return execute_macros(number);
  if (state_.log != nullptr) state_.log->begin({.thread = number}, thread.executed, word);
  Wait wait = execute({.thread = number, .word = word, .decoded = known.decoded}, known);
  if (wait.cause != WaitCause::None) {
    if (state_.log != nullptr) state_.log->cancel();
    return waits(number, wait);
  }
  thread.wait = {};
  thread.queue.pop_front();
  finish({.thread = number, .word = word});
  return true;
}

bool Tile::flips_early(unsigned thread) {
  const auto lacks = [](const SourceFile& file) {
    return !file.owned_by_matrix_unit[file.current];
  };
  const bool lacks_srca = lacks(state_.machine.srca), lacks_srcb = lacks(state_.machine.srcb);
  if ((!lacks_srca && !lacks_srcb) || !has_work(thread)) return false;
  const KnownStep& next = steps_[state_.thread[thread].queue.front().word];
  return (next.may_flip_srca && lacks_srca) || (next.may_flip_srcb && lacks_srcb);
}

void Tile::finish(const Executed& executed) {
  ++state_.thread[executed.thread].executed;
  forget_met_waits(state_);
  if (watch) watch(executed);
}

Wait Tile::execute(const Instruction& i, KnownStep& known) {
  if (i.decoded.row == nullptr) {
    note(state_, i, kNoOpcode);
    return {};
  }
  if (known.own != nullptr) return known.own(state_, i);
  if (!known.is_executed) {
    note(state_, i, kNotExecuted);
    return {};
  }
  const WaitCause missing = missing_source(state_.machine, known.sources);
  if (missing != WaitCause::None) return waits_for(missing, i);
  const Op op = i.decoded.row->op;
  if (op == Op::STOREREG && store_to_overlay(state_, i)) return {};
  execute_in_machine(i, known);
  if (op == Op::SETC16) reset_contexts(state_, i.thread, i.word.word);
  return {};
}

/// Decodes what the machine executes, and reports what is wrong with its word. False: it cannot be
/// executed.
bool Tile::decode(const ProgramWord& word, KnownStep& known) {
  decoded_.use_level(simd_level());
  known.level = simd_level();
  known.is_faulty = false;
  if (const MicroOp* found = decoded_.find(word.word)) {
    known.op = *found;
    return true;
  }
  auto decoded = decode_micro_op(arch(), word.word, word.line);
  std::vector<Fault> faults = static_faults(arch(), word.word, word.line);
  if (decoded && faults.empty()) decoded_.remember(*decoded);
  known.is_faulty = !faults.empty();
  for (Fault& fault : faults) report(std::move(fault));
  if (!decoded) {
    report(decoded.error());
    return false;
  }
  known.op = *decoded;
  return true;
}

void Tile::execute_in_machine(const Instruction& i, KnownStep& known) {
  const bool is_decoded =
      known.op.kernel != nullptr && known.level == simd_level() && !known.is_faulty;
  if (!is_decoded && !decode(i.word, known)) return;
  known.op.line = i.word.line;
  state_.machine.act_for(i.thread);
  const std::span<const MicroOp> ops(&known.op, 1);
  if (state_.log == nullptr) return lanewise::execute(state_.machine, ops);
  MachineTouches touches(state_, i.word.word);
  lanewise::execute(state_.machine, ops);
  touches.note();
}

void Tile::report(Fault fault) {
  settle_place(fault);
  static_faults_.add(std::move(fault));
}

bool Tile::execute_macros(unsigned number) {
  Thread& thread = state_.thread[number];
  Program program;
  while (program.words.size() < std::min(thread.queue.size(), kMostOfBatch)) {
    const ProgramWord& next = thread.queue[program.words.size()];
    if (!joins_macros(isa::decode(arch(), next.word))) break;
    program.words.push_back(next);
  }
  const std::size_t count = program.words.size();
  // What comes next decides what a macro still meets.
  if (count == thread.queue.size() && count < kMostOfBatch && !thread.input_rests)
    return waits(
        number,
        {.cause = WaitCause::Input, .what = 0, .at = thread.queue.front(), .because_of = {}});
  state_.machine.act_for(number);
  MicroProgram prepared = FrontEnd(arch()).expand(program);
  for (Fault& fault : prepared.faults) report(std::move(fault));
  const timing::Schedule schedule = timing::schedule(state_.machine, prepared);
  // What they touch together is told of the first.
  if (state_.log != nullptr)
    state_.log->begin({.thread = number}, thread.executed, program.words.front());
  MachineTouches touches(state_, program.words.front().word);
  lanewise::execute(state_.machine, schedule.ops(prepared));
  touches.note();
  thread.macro_tail = schedule.issues.empty() ? 0 : schedule.drained - schedule.issues.back().slot;
  thread.wait = {};
  thread.queue.erase(thread.queue.begin(),
                     thread.queue.begin() + static_cast<std::ptrdiff_t>(count));
  for (const ProgramWord& word : program.words) finish({.thread = number, .word = word});
  return true;
}

std::vector<Fault> Tile::faults() const {
  std::vector<Fault> all = static_faults_.faults();
  for (Fault& fault : state_.machine.faults.to_faults(arch())) all.push_back(std::move(fault));
  for (Fault& fault : state_.findings.to_faults(arch())) all.push_back(std::move(fault));
  return all;
}

} // namespace lanewise::tile
