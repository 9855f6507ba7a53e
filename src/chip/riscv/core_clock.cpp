#include "chip/riscv/core_clock.h"

#include <algorithm>
#include <bit>

#include "chip/riscv/address_map.h"
#include "chip/riscv/arithmetic.h"

namespace lanewise::riscv {

namespace {

constexpr std::uint32_t kStepBytes = 4;

bool is_divide(Op op) {
  return op == Op::DIV || op == Op::DIVU || op == Op::REM || op == Op::REMU;
}

bool is_multiply(Op op) {
  return op == Op::MUL || op == Op::MULH || op == Op::MULHSU || op == Op::MULHU;
}

bool is_fence(Op op) {
  return op == Op::FENCE || op == Op::FENCE_TSO || op == Op::FENCE_I;
}

bool is_load(const Instruction& instruction, Format format) {
  return format == Format::Load && instruction.op != Op::JALR;
}

bool is_branch(const Instruction& instruction, Format format) {
  return format == Format::Branch || format == Format::Jump || instruction.op == Op::JALR;
}

unsigned access_bytes(Op op) {
  if (op == Op::LB || op == Op::LBU || op == Op::SB) return 1;
  return op == Op::LH || op == Op::LHU || op == Op::SH ? 2 : 4;
}

} // namespace

CoreClock::CoreClock(Arch arch, const CoreClockOptions& options)
    : chip_(arch_params(arch)),
      costs_(chip_.core_costs),
      port_(options.port ? options.port : std::make_shared<L1Port>()),
      fetch_(costs_, options.core, *port_),
      branches_(costs_.remembered_branches),
      memory_(arch, *port_),
      fifo_(range_of(arch, Region::Instructions).first) {
  set_cfg0(options.cfg0);
}

void CoreClock::set_cfg0(std::uint32_t value) {
  cfg0_ = value;
  memory_.set_cache((value & kNoDataCache) == 0);
  memory_.set_merging((value & kNoMerging) == 0 ? value >> 13 & 31U : 0);
}

// ---------------------------------------------------------------- When it can go

/// Whether it goes in one cycle with the `.ttinsn`s before it (ISA PushTensixInstruction).
bool CoreClock::gathers(const Step& step) const {
  return step.instruction == nullptr && step.pc == pushed_at_ + kStepBytes &&
         gathered_ < chip_.cores.fused_pushes && (cfg0_ & kNoGathering) == 0;
}

std::uint64_t CoreClock::begin(const Step& step) {
  const bool is_gathered = gathers(step);
  const std::uint64_t from = is_gathered ? at_ : next_;
  step_ = step;
  at_ = arrived_ = fetch_.arrival(step.pc, from);
  if (step.instruction == nullptr) {
    gathered_before_ = gathered_;
    gathered_ = is_gathered && at_ == from ? gathered_ + 1 : 1;
    if (gathered_ > 1) return at_;
    at_ = std::max({at_, next_, retired_[oldest_]});
    return at_ = memory_.store_from(at_);
  }
  format_ = format_of(step.instruction->op);
  at_ = std::max(at_, retired_[oldest_]);
  return at_ = with_memory(with_operands(at_));
}

std::uint64_t CoreClock::with_operands(std::uint64_t cycle) const {
  const Instruction& i = *step_.instruction;
  const unsigned first = format_ == Format::CsrImm ? 0 : i.rs1; // there it is a number
  const Register& one = registers_[std::min<unsigned>(first, i.rs2)];
  const Register& other = registers_[std::max<unsigned>(first, i.rs2)];
  const auto with_each = [&](std::uint64_t from) {
    from = from <= one.forwarded ? one.forwarded : std::max(from, one.settled);
    return from <= other.forwarded ? other.forwarded : std::max(from, other.settled);
  };
  // Twice: what the first operand waits for may let the forwarded value of the second one pass.
  const std::uint64_t once = with_each(cycle);
  return once == cycle ? cycle : with_each(once);
}

std::uint64_t CoreClock::with_memory(std::uint64_t cycle) const {
  const Op op = step_.instruction->op;
  if (is_load(*step_.instruction, format_))
    return memory_.load_from(step_.address(), access_bytes(op), cycle);
  if (format_ == Format::Store) return memory_.store_from(cycle);
  const bool waits_for_all = format_ == Format::Atomic || (is_fence(op) && costs_.fence_drains);
  return waits_for_all ? memory_.quiet_from(cycle) : cycle;
}

// ---------------------------------------------------------------- What it does

unsigned CoreClock::divide_cycles() const {
  const bool is_signed = step_.instruction->op == Op::DIV || step_.instruction->op == Op::REM;
  const std::uint32_t a = step_.first;
  const std::uint32_t b = step_.second;
  if (b <= 1 || (is_signed && division_overflows(a, b))) return costs_.divide_trivial;
  const std::uint32_t magnitude = is_signed && as_signed(a) < 0 ? 0U - a : a;
  const auto bits = static_cast<unsigned>(std::bit_width(magnitude));
  const unsigned groups = std::max(1U, (bits + 3) / 4);
  return std::min<unsigned>(costs_.divide_most, costs_.divide_base + 4 * groups);
}

/// Sets when the next instruction can follow, and when the result is there.
void CoreClock::do_work() {
  next_ = result_ = at_ + 1;
  if (step_.instruction == nullptr) {
    if (gathered_ == 1) memory_.store(fifo_, kStepBytes, at_);
    return;
  }
  const Instruction& i = *step_.instruction;
  if (is_multiply(i.op)) {
    next_ = at_ + costs_.multiply_occupies;
    result_ = at_ + costs_.multiply_latency;
  } else if (is_divide(i.op)) {
    next_ = result_ = at_ + divide_cycles();
  } else if (is_load(i, format_)) {
    result_ = memory_.load(step_.address(), at_);
  } else if (format_ == Format::Store) {
    memory_.store(step_.address(), access_bytes(i.op), at_);
  } else if (format_ == Format::Atomic) {
    result_ = memory_.atomic(at_);
  } else if (format_ == Format::Csr || format_ == Format::CsrImm) {
    next_ = result_ = at_ + costs_.csr_latency;
    if (as_unsigned(i.imm) == kCfg0) change_cfg0();
  } else if (is_fence(i.op) && costs_.fence_drains) {
    memory_.flush_cache();
    next_ = at_ + costs_.csr_latency; // it holds what follows as a CSR's instruction does
  }
}

void CoreClock::change_cfg0() {
  const Op op = step_.instruction->op;
  const std::uint32_t value = format_ == Format::CsrImm ? step_.instruction->rs1 : step_.first;
  if (op == Op::CSRRW || op == Op::CSRRWI) set_cfg0(value);
  if (op == Op::CSRRS || op == Op::CSRRSI) set_cfg0(cfg0_ | value);
  if (op == Op::CSRRC || op == Op::CSRRCI) set_cfg0(cfg0_ & ~value);
}

/// It takes a place in the queue of those that have not retired, and writes its register.
void CoreClock::retire() {
  const bool is_load_result = step_.instruction != nullptr &&
                              (is_load(*step_.instruction, format_) || format_ == Format::Atomic);
  // Where results are not forwarded from the queue, all pass through the load/store unit.
  const bool passes = !costs_.forwards_from_queue && !is_load_result;
  last_retired_ = std::max(result_ + (passes ? 1 : 0), last_retired_ + 1);
  retired_[oldest_] = last_retired_ - (costs_.forwards_from_queue ? 0 : 1);
  oldest_ = oldest_ + 1 == costs_.queue_entries ? 0 : oldest_ + 1;
  if (step_.instruction == nullptr || step_.instruction->rd == 0) return;
  Register& target = registers_[step_.instruction->rd];
  if (costs_.forwards_from_queue) {
    target = {.forwarded = result_, .settled = result_};
  } else {
    target = {.forwarded = is_load_result ? last_retired_ : result_, .settled = last_retired_};
  }
}

/// A branch that the front end did not expect costs a bubble: the way through the front end. Code
/// that is not in the cache is asked for when the branch is seen to go there, and comes meanwhile
/// (CT: initialisations that are functions).
void CoreClock::follow(std::uint32_t next_pc) {
  const std::uint32_t pc = step_.pc;
  const bool taken =
      format_ != Format::Branch || is_taken(step_.instruction->op, step_.first, step_.second);
  const BranchMemory::Way way{taken, taken ? next_pc : 0};
  const auto expected = predicts() ? branches_.expected(pc) : BranchMemory::Way{};
  branches_.learn(pc, way);
  if (expected == way) return;
  if (expected.taken || !fetch_.is_ahead(pc, next_pc)) fetch_.restart(next_);
  next_ += costs_.mispredict_bubble;
}

/// What is next to it is neighbours: they may leave the core together.
void CoreClock::leave_out() {
  fetch_.word_less();
  next_ = std::max(next_, arrived_);
  if (pushed_at_ + kStepBytes == step_.pc) pushed_at_ = step_.pc;
  gathered_ = gathered_before_;
}

void CoreClock::finish(std::uint32_t next_pc) {
  do_work();
  const bool is_push = step_.instruction == nullptr;
  if (!is_push || gathered_ == 1) retire();
  pushed_at_ = is_push ? step_.pc : ~0U;
  if (!is_push && is_branch(*step_.instruction, format_)) follow(next_pc);
}

} // namespace lanewise::riscv
