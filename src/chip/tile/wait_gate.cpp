#include "chip/tile/wait_gate.h"

#include <bit>

#include "chip/isa/block_mask.h"
#include "chip/isa/encoding.h"
#include "chip/tile/instruction.h"
#include "chip/tile/tile_state.h"

namespace lanewise::tile {

namespace {

using isa::Op;
using isa::Unit;
using namespace isa::block;

constexpr Finding kStream{FaultKind::Unsupported,
                          "waits for a stream of the NoC overlay, which is not there; it does not "
                          "wait",
                          "leave it out", "core.md 6"};

/// Whether what a bit of the condition mask stands for holds a thread here, where every instruction
/// is complete before the next: only banks do.
WaitCause condition_cause(const MachineState& s, WaitFor condition) {
  const auto owned = [](const SourceFile& file, unsigned bank) {
    return file.owned_by_matrix_unit[bank];
  };
  switch (condition) {
    case WaitFor::SrcAToFill:
      return owned(s.srca, s.srca.filling) ? WaitCause::SrcAToFill : WaitCause::None;
    case WaitFor::SrcBToFill:
      return owned(s.srcb, s.srcb.filling) ? WaitCause::SrcBToFill : WaitCause::None;
    case WaitFor::SrcAFilled:
      return owned(s.srca, s.srca.current) ? WaitCause::None : WaitCause::SrcAFilled;
    case WaitFor::SrcBFilled:
      return owned(s.srcb, s.srcb.current) ? WaitCause::None : WaitCause::SrcBFilled;
    case WaitFor::Nothing:
    case WaitFor::ScalarMemory:
    case WaitFor::Unpacker0:
    case WaitFor::Unpacker1:
    case WaitFor::Packer:
    case WaitFor::MatrixUnit:
    case WaitFor::Mover:
    case WaitFor::CoreRequest:
    case WaitFor::VectorUnit:
    case WaitFor::ConfigurationUnit: break;
  }
  return WaitCause::None;
}

/// The bits that hold an instruction back.
std::uint16_t blocking_bits(const isa::Row& row) {
  switch (row.unit) {
    case Unit::FrontEnd: return kAll;
    case Unit::Vector: return kVector;
    case Unit::Matrix: return kMatrix;
    case Unit::Unpacker: return kMiscellaneous | kUnpack;
    case Unit::Packer: return kMiscellaneous | kPack;
    case Unit::Scalar: return kMiscellaneous | kScalar;
    case Unit::Sync:
      // Another wait is held back by any bit.
      return is_wait(row.op) ? kAll : kSync;
    case Unit::Configuration: return kConfigure;
    case Unit::Mover: return kMiscellaneous | kMove;
    case Unit::Miscellaneous: return kMiscellaneous;
  }
  return kAll;
}

} // namespace

bool is_wait(Op op) {
  return op == Op::STALLWAIT || op == Op::SEMWAIT || op == Op::STREAMWAIT;
}

bool is_held(const isa::Row& row, std::uint16_t block_mask) {
  if (row.op == Op::NOP) return block_mask == kAll;
  return (blocking_bits(row) & block_mask) != 0;
}

UnmetCause unmet_cause(const TileState& tile, const WaitGate::Latched& latched) {
  const auto& conditions = arch_params(tile.arch()).tile.wait_conditions;
  constexpr std::uint32_t kConditions =
      isa::low_ones(std::tuple_size_v<std::remove_cvref_t<decltype(conditions)>>);
  for (std::uint32_t left = latched.conditions & kConditions; left != 0; left &= left - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(left));
    const WaitCause cause = condition_cause(tile.machine, conditions[bit]);
    if (cause != WaitCause::None) return {.cause = cause};
  }
  for (std::uint32_t left = latched.semaphores; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(left));
    const Semaphore& semaphore = tile.sync.semaphore[number];
    if (latched.while_zero && semaphore.value == 0)
      return {.cause = WaitCause::SemaphoreZero, .what = number};
    if (latched.while_at_max && semaphore.value >= semaphore.max)
      return {.cause = WaitCause::SemaphoreAtMax, .what = number};
  }
  return {};
}

Wait unmet(const TileState& tile, const WaitGate::Latched& latched) {
  const UnmetCause found = unmet_cause(tile, latched);
  if (found.cause == WaitCause::None) return {};
  return {.cause = found.cause, .what = found.what, .at = {}, .because_of = latched.by};
}

Wait latched_wait(TileState& tile, unsigned thread) {
  auto& latched = tile.thread[thread].gate.latched;
  if (!latched) return {};
  const Wait wait = unmet(tile, *latched);
  if (wait.cause == WaitCause::None) latched.reset();
  return wait;
}

void forget_met_waits(TileState& tile) {
  for (unsigned thread = 0; thread < kThreads; ++thread)
    if (auto& latched = tile.thread[thread].gate.latched;
        latched && unmet_cause(tile, *latched).cause == WaitCause::None)
      latched.reset();
}

WaitGate::Latched wait_of(Arch arch, const Instruction& i) {
  WaitGate::Latched wait{.by = i.word};
  wait.blocked = static_cast<std::uint16_t>(i["BlockMask"]);
  if (wait.blocked == 0) wait.blocked = kMatrix;
  const std::uint32_t conditions = i["ConditionMask"];
  if (i.decoded.row->op == Op::STREAMWAIT) {
    wait.blocked = 0;
  } else if (i.decoded.row->op == Op::SEMWAIT && conditions != 0) {
    wait.semaphores = static_cast<std::uint8_t>(i["SemaphoreMask"]);
    wait.while_zero = (conditions & 1) != 0;
    wait.while_at_max = (conditions & 2) != 0;
  } else {
    const auto everything = arch_params(arch).tile.wait_for_everything;
    wait.conditions = static_cast<std::uint16_t>(conditions == 0 ? everything : conditions);
  }
  return wait;
}

void latch(TileState& tile, const Instruction& i) {
  if (i.decoded.row->op == Op::STREAMWAIT) return note(tile, i, kStream);
  tile.thread[i.thread].gate.latched = wait_of(tile.arch(), i);
}

} // namespace lanewise::tile
