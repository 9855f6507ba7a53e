#include "chip/timing/hazards/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "chip/isa/effects.h"
#include "chip/isa/fields.h"
#include "chip/isa/matrix_ops.h"
#include "chip/machine/dst.h"
#include "chip/machine/dst_address.h"
#include "chip/timing/access.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

namespace {

using isa::Op;

constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kExponent = 0x7F800000U;
constexpr std::uint32_t kMantissa = 0x007FFFFFU;
/// What a BF16 store keeps of the mantissa.
constexpr std::uint32_t kUpperMantissa = 0x007F0000U;
constexpr std::uint32_t kTwo = 0x40000000U;

bool is_nan(std::uint32_t bits) {
  return (bits & kExponent) == kExponent && (bits & kMantissa) != 0;
}

DstMode mode_of(const MachineState& state, const MicroOp& op) {
  return resolve_dst_mode(state.config, static_cast<DstMode>(op.mod));
}

bool is_float_mode(DstMode mode) {
  return mode == DstMode::Fp16 || mode == DstMode::Bf16 || mode == DstMode::Fp32;
}

/// What the instruction leaves in its registers: floats or something else. Nothing where it keeps
/// what there was.
std::optional<bool> computes_float(const MachineState& state, const Executed& executed,
                                   LRegMask floats) {
  const MicroOp& op = executed.op;
  switch (executed.word.result) {
    case isa::ResultKind::Integer: return false;
    case isa::ResultKind::Float: return true;
    case isa::ResultKind::LikeVc: return (floats >> op.vc & 1U) != 0;
    case isa::ResultKind::Loaded: return is_float_mode(mode_of(state, op));
    case isa::ResultKind::Moved: return std::nullopt;
  }
  return false;
}

/// Lanes in which an event takes part.
std::uint32_t lanes_of(const MachineState& state, const MicroOp& op) {
  return state.vector.enabled() & op.lanes;
}

/// The first of the lanes in which `holds(value)`.
template <class Holds>
std::optional<unsigned> first_lane(const MachineState& state, unsigned reg, std::uint32_t lanes,
                                   Holds&& holds) {
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (holds(state.vector.lreg[reg][lane])) return lane;
  }
  return std::nullopt;
}

std::string value_in_lane(const MachineState& state, unsigned reg, unsigned lane) {
  return fmt::format("L{} is {:08X} in lane {}", reg, state.vector.lreg[reg][lane], lane);
}

/// Addr[0], before it is dropped (VU C16, C17).
bool has_odd_address(const MachineState& state, const MicroOp& op) {
  const DstSettings& settings = state.config.dst_settings();
  std::uint32_t sp = state.rwc.sp;
  if (sp != 0 && is_load(op) && mode_of(state, op) == DstMode::Int32All)
    sp -= state.config.get(isa::ConfigField::SFPU_STACK_Incr);
  const std::uint32_t sum = static_cast<std::uint32_t>(op.immediate) + state.rwc.dst + sp +
                            settings.offset + settings.stack_base;
  return (sum & 1) != 0;
}

/// Whether the instruction has no other effect than to decide about lanes.
bool decides_lanes(Arch arch, const MicroOp& op) {
  switch (op.op) {
    case Op::SFPSETCC: return true;
    case Op::SFPGT: return isa::has_mode<Op::SFPGT, "SET_CC">(arch, op.mod);
    case Op::SFPLE: return isa::has_mode<Op::SFPLE, "SET_CC">(arch, op.mod);
    default: return false;
  }
}

/// Whether the instruction shifts bits of integers within a lane. Of SFPSHFT2's modes, those that
/// do are the ones that use its immediate (VU C36).
bool shifts(Arch arch, const MicroOp& op) {
  return op.op == Op::SFPSHFT ||
         (op.op == Op::SFPSHFT2 && isa::Effects(arch, op.word).uses_immediate());
}

/// Whether its results are the bits of an operand: SFPSWAP chooses one of two.
bool hands_on(const WordFacts& facts) {
  return facts.result == isa::ResultKind::Moved || isa::only_moves(facts.movement);
}

} // namespace

ValueChecks::ValueChecks(HazardContext& context)
    : context_(context),
      has_inputs_(std::ranges::any_of(context.start.dst.valid_bits,
                                      [](std::uint64_t rows) { return rows != 0; })) {}

void ValueChecks::look(std::size_t event, const Executed& executed, const MachineState& state) {
  const MicroOp& op = executed.op;
  if (executed.sub_unit == isa::SubUnit::None) {
    matrix_may_have_written_ = matrix_may_have_written_ || isa::matrix_writes_dst(op.op);
    return;
  }
  const bool is_template =
      executed.reads == 0 && executed.writes == 0 && op.kernel != op.instruction;
  if (is_template && (is_load(op) || is_store(op))) return;
  if (is_store(op)) check_store(event, state);
  if (is_load(op)) check_load(event, state);
  if (op.op == Op::SFPSETCC) check_setcc(event, executed, state);
  if (op.op == Op::SFPMUL24) check_mul24(event, state);
  check_flags(event, state);
  check_raw(event, executed, state);
  if (op.op == Op::SFPCAST && isa::has_mode<Op::SFPCAST, "INT32_SM32">(state.config.arch(), op.mod))
    check_vc(event, state, HazardId::CastEdge, [](std::uint32_t bits) { return bits == kSign; });
  constexpr unsigned kExp = isa::kMode<Op::SFPARECIP, "EXP">; // and all modes above (VU C46)
  if (op.op == Op::SFPARECIP && op.mod >= kExp)
    check_vc(event, state, HazardId::ArecipRange,
             [](std::uint32_t bits) { return (bits & ~kSign) >= kTwo; });
  if (const auto kind = computes_float(state, executed, floats_))
    floats_ = *kind ? floats_ | executed.writes : floats_ & ~executed.writes;
}

template <class Holds>
void ValueChecks::check_vc(std::size_t event, const MachineState& state, HazardId id,
                           Holds&& holds) {
  const MicroOp& op = context_.events()[event].op;
  const auto lane = first_lane(state, op.vc, lanes_of(state, op), holds);
  if (!lane) return;
  context_.findings.add(id, context_.spot(event, 0), [&] {
    return HazardText{value_in_lane(state, op.vc, *lane), std::string(hazard_rule(id).mend)};
  });
}

void ValueChecks::check_store(std::size_t event, const MachineState& state) {
  const MicroOp& op = context_.events()[event].op;
  const DstMode mode = mode_of(state, op);
  if (!context_.events()[event].scheduled) check_address(event, state);
  const bool fp16 = mode == DstMode::Fp16;
  if (!fp16 && mode != DstMode::Bf16) return;
  const auto lane = first_lane(state, op.vd, lanes_of(state, op), [&](std::uint32_t bits) {
    return is_nan(bits) && (fp16 || (bits & kUpperMantissa) == 0);
  });
  if (!lane) return;
  const HazardId id = fp16 ? HazardId::StoreFp16Nan : HazardId::StoreBf16Nan;
  context_.findings.add(id, context_.spot(event, 0), [&] {
    return HazardText{fmt::format("{}, a NaN: it becomes {}", value_in_lane(state, op.vd, *lane),
                                  fp16 ? "the largest number" : "an infinity"),
                      std::string(hazard_rule(id).mend)};
  });
}

void ValueChecks::check_load(std::size_t event, const MachineState& state) {
  const MicroOp& op = context_.events()[event].op;
  if (op.op == Op::SFPLOAD) check_address(event, state); // a macro's bit 0 is VD[2] (VU C51)
  // What the Matrix Unit writes depends on sources that need not be there, and a Dst without any
  // row is one without inputs.
  if (matrix_may_have_written_ || !has_inputs_) return;
  const std::int16_t row = context_.facts[event].physical_row;
  constexpr unsigned kFourRows = 15;
  if (row < 0 || state.dst.valid_group(static_cast<unsigned>(row)) == kFourRows) return;
  context_.findings.add(HazardId::DstUnwritten, context_.spot(event, 0), [&] {
    return HazardText{
        fmt::format("reads rows {} to {} of Dst, not all of which are valid",
                    context_.events()[event].dst_row, context_.events()[event].dst_row + 3),
        std::string(hazard_rule(HazardId::DstUnwritten).mend)};
  });
}

void ValueChecks::check_address(std::size_t event, const MachineState& state) {
  const MicroOp& op = context_.events()[event].op;
  if (!has_odd_address(state, op)) return;
  context_.findings.add(HazardId::OddAddress, context_.spot(event, 0), [&] {
    return HazardText{
        fmt::format("the address is odd (immediate {}, Dst counter {}): bit 0 is not used",
                    op.immediate, state.rwc.dst),
        std::string(hazard_rule(HazardId::OddAddress).mend)};
  });
}

void ValueChecks::check_setcc(std::size_t event, const Executed& executed,
                              const MachineState& state) {
  const MicroOp& op = executed.op;
  const bool tests_vc = executed.word.reads != 0; // VU C8
  const bool is_float = (floats_ >> op.vc & 1U) != 0;
  if (!tests_vc || !is_float || state.vector.use_flags == 0) return;
  check_vc(event, state, HazardId::SetccSpecial,
           [](std::uint32_t bits) { return bits == kSign || is_nan(bits); });
}

void ValueChecks::check_mul24(std::size_t event, const MachineState& state) {
  constexpr unsigned kZeroLReg = 9;
  const MicroOp& op = context_.events()[event].op;
  if (op.vc == kZeroLReg) return;
  // Where it is a normal number, the machine says so already (RuntimeFault::Mul24Addend).
  if (first_lane(state, op.vc, lanes_of(state, op),
                 [](std::uint32_t bits) { return (bits & kExponent) != 0; }))
    return;
  context_.findings.add(HazardId::Mul24Addend, context_.spot(event, 0), [&] {
    return HazardText{fmt::format("VC is L{}, not L9", op.vc),
                      std::string(hazard_rule(HazardId::Mul24Addend).mend)};
  });
}

void ValueChecks::check_flags(std::size_t event, const MachineState& state) {
  const MicroOp& op = context_.events()[event].op;
  if (state.vector.use_flags != 0 || !decides_lanes(context_.arch(), op)) return;
  context_.findings.add(HazardId::FlagsUnused, context_.spot(event, 0), [] {
    return HazardText{"decides about lanes, and no lane uses its flag: all stay enabled", {}};
  });
}

/// Loads in mode 12 convert on Wormhole only (SFPI 3): a negative integer is there as sign and
/// magnitude if that is what Dst holds. Sums are not looked at: kernels that keep two's complement
/// in Dst load it so, too, and work.
void ValueChecks::check_raw(std::size_t event, const Executed& e, const MachineState& state) {
  const LRegMask used = e.reads & raw_;
  if (used != 0 && shifts(context_.arch(), e.op)) {
    context_.findings.add(HazardId::RawLoad, context_.spot(event, raw_line_), [&] {
      return HazardText{fmt::format("shifts, or shifts by, {}, which {} has loaded as it is",
                                    register_names(used), context_.findings.line_name(raw_line_)),
                        {}};
    });
  }
  const bool loads_raw = is_load(e.op) && mode_of(state, e.op) == DstMode::Int32Sm;
  if (loads_raw) raw_line_ = e.op.line;
  const bool stays_raw = used != 0 && hands_on(e.word);
  raw_ = loads_raw || stays_raw ? raw_ | e.writes : raw_ & ~e.writes;
}

} // namespace lanewise::timing
