#include "chip/machine/vector/narrow_kernels.h"

#include "chip/isa/fields.h"
#include "chip/machine/kernel_list.h"
#include "chip/machine/state.h"
#include "chip/machine/vector/predication.h"
#include "chip/semantics/narrow_lanes.h"

namespace lanewise {

namespace {

namespace sem = semantics::narrow;
using isa::has_mode;
using isa::kMode;
using isa::Op;
using sem::Half;
using sem::Lane;

/// Writes function(lane) to VD in `lanes`. Returns all lanes whose result is negative.
template <class Function>
std::uint32_t write(VectorState& v, const MicroOp& op, std::uint32_t lanes, Function&& function) {
  std::uint32_t negative = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Lane result = function(lane);
    negative |= static_cast<std::uint32_t>(sem::is_negative(result)) << lane;
    if ((lanes >> lane & 1U) != 0) v.lreg[op.vd][lane] = result;
  }
  return negative;
}

/// function(VC) to VD in enabled lanes.
template <class Function>
std::uint32_t unary(MachineState& s, const MicroOp& op, Function&& function) {
  VectorState& v = s.vector;
  return write(v, op, v.enabled(), [&](unsigned lane) { return function(v.lreg[op.vc][lane]); });
}

/// function(VC, VD) to VD in enabled lanes.
template <class Function>
std::uint32_t binary(MachineState& s, const MicroOp& op, Function&& function) {
  VectorState& v = s.vector;
  return write(v, op, v.enabled(),
               [&](unsigned lane) { return function(v.lreg[op.vc][lane], v.lreg[op.vb][lane]); });
}

/// The flags of `lanes`, which are enabled, where the condition and predication hold.
void narrow_flags(VectorState& v, std::uint32_t lanes, std::uint32_t condition) {
  v.flags = blend(lanes, v.flags & v.use_flags & condition, v.flags);
}

// ---------------------------------------------------------------- Loads and stores

/// The cell of a lane: the four rows of the access, of whose columns a group has every second one.
std::uint16_t& cell_of(MachineState& s, const MicroOp& op, unsigned lane) {
  constexpr std::uint32_t kRowMask = kDstRows - kArch<sem::kChip>.vector.dst_rows_per_access;
  const std::uint32_t row = (static_cast<std::uint32_t>(op.immediate) + s.rwc.dst) & kRowMask;
  const unsigned number = lane_number(s.lane_group, lane);
  return s.dst.cell[row + number / kDstColumns][number % kDstColumns];
}

void sfpload(MachineState& s, const MicroOp& op) {
  write(s.vector, op, s.vector.enabled(),
        [&](unsigned lane) { return sem::load_bfloat16(cell_of(s, op, lane)); });
}

void sfpstore(MachineState& s, const MicroOp& op) {
  const bool is_integer = op.mod == kMode<Op::SFPSTORE, "INT">;
  const VectorState& v = s.vector;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((v.enabled() >> lane & 1U) == 0) continue;
    const Lane value = v.lreg[op.vd][lane];
    cell_of(s, op, lane) =
        is_integer ? static_cast<std::uint16_t>(value) : sem::upper_16_bits(value);
  }
}

Lane immediate_lane(const MicroOp& op) {
  const auto imm = static_cast<std::uint32_t>(op.immediate);
  switch (op.mod) {
    case kMode<Op::SFPLOADI, "FLOATB">: return sem::load_bfloat16(imm);
    case kMode<Op::SFPLOADI, "FLOATA">: return sem::load_float16(imm);
    case kMode<Op::SFPLOADI, "USHORT">: return imm;
    default: break; // the decoder leaves out all others but SHORT
  }
  return static_cast<Lane>(static_cast<std::int16_t>(imm));
}

void sfploadi(MachineState& s, const MicroOp& op) {
  const Lane value = immediate_lane(op);
  write(s.vector, op, s.vector.enabled(), [value](unsigned) { return value; });
}

// ---------------------------------------------------------------- Floats

Half half_of(unsigned mod) { // SFPLUT and the whole MAD family have the same two bits
  if (has_mode<Op::SFPMAD, "PLUS_HALF">(sem::kChip, mod)) return Half::Plus;
  return has_mode<Op::SFPMAD, "MINUS_HALF">(sem::kChip, mod) ? Half::Minus : Half::None;
}

void sfpmad(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const Half half = half_of(op.mod);
  write(v, op, v.enabled(), [&](unsigned lane) {
    return sem::multiply_add(v.lreg[op.va][lane], v.lreg[op.vb][lane], v.lreg[op.vc][lane], half);
  });
}

void sfpaddi(MachineState& s, const MicroOp& op) {
  const Lane addend = sem::load_bfloat16(static_cast<std::uint32_t>(op.immediate));
  const Lane one = sem::from_float(1.0F);
  const Half half = half_of(op.mod);
  binary(s, op, [=](Lane, Lane d) { return sem::multiply_add(one, d, addend, half); });
}

void sfpmuli(MachineState& s, const MicroOp& op) {
  const Lane factor = sem::load_bfloat16(static_cast<std::uint32_t>(op.immediate));
  const Half half = half_of(op.mod);
  binary(s, op, [=](Lane, Lane d) { return sem::multiply_add(factor, d, 0, half); });
}

void sfplut(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const Half half = half_of(op.mod);
  const bool keeps_sign = has_mode<Op::SFPLUT, "SGN_RETAIN">(op.mod);
  write(v, op, v.enabled(), [&](unsigned lane) {
    return sem::look_up(v.lreg[0][lane], v.lreg[1][lane], v.lreg[2][lane], v.lreg[3][lane], half,
                        keeps_sign);
  });
}

void sfpdivp2(MachineState& s, const MicroOp& op) {
  const auto imm = static_cast<Lane>(op.immediate);
  const bool adds = has_mode<Op::SFPDIVP2, "ADD">(op.mod);
  unary(s, op,
        [=](Lane x) { return sem::with_exponent(x, adds ? sem::exponent_field(x) + imm : imm); });
}

void sfpexman(MachineState& s, const MicroOp& op) {
  const Lane hidden = has_mode<Op::SFPEXMAN, "PAD9">(op.mod) ? 0 : sem::kMantissa + 1;
  unary(s, op, [=](Lane x) { return (x & sem::kMantissa) | hidden; });
}

void sfpsetexp(MachineState& s, const MicroOp& op) {
  const auto imm = static_cast<Lane>(op.immediate);
  const bool immediate = has_mode<Op::SFPSETEXP, "ARG_IMM">(op.mod);
  binary(s, op, [=](Lane c, Lane d) { return sem::with_exponent(c, immediate ? imm : d); });
}

void sfpsetman(MachineState& s, const MicroOp& op) {
  const auto imm = static_cast<Lane>(op.immediate);
  const bool immediate = has_mode<Op::SFPSETMAN, "ARG_IMM">(op.mod);
  binary(s, op, [=](Lane c, Lane d) {
    return sem::with_mantissa(c, immediate ? imm : sem::misplaced_mantissa(d));
  });
}

void sfpsetsgn(MachineState& s, const MicroOp& op) {
  const bool negative = (op.immediate & 1) != 0;
  const bool immediate = has_mode<Op::SFPSETSGN, "ARG_IMM">(op.mod);
  binary(s, op, [=](Lane c, Lane d) {
    return sem::with_sign(c, immediate ? negative : sem::is_negative(d));
  });
}

// ---------------------------------------------------------------- Moves and integers

void sfpmov(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const bool negates = has_mode<Op::SFPMOV, "NEGATE">(op.mod);
  const bool to_all = has_mode<Op::SFPMOV, "ALL_LANES_ENABLED">(op.mod);
  write(v, op, to_all ? kAllLanes : v.enabled(), [&](unsigned lane) {
    const Lane x = v.lreg[op.vc][lane];
    return negates ? sem::negate(x) : x;
  });
}

void sfpabs(MachineState& s, const MicroOp& op) {
  const bool is_float = has_mode<Op::SFPABS, "FLOAT">(op.mod);
  unary(s, op,
        [=](Lane x) { return is_float ? sem::absolute_float(x) : sem::absolute_integer(x); });
}

void sfpand(MachineState& s, const MicroOp& op) {
  binary(s, op, [](Lane c, Lane d) { return c & d; });
}

void sfpor(MachineState& s, const MicroOp& op) {
  binary(s, op, [](Lane c, Lane d) { return c | d; });
}

void sfpnot(MachineState& s, const MicroOp& op) {
  unary(s, op, [](Lane x) { return ~x; });
}

void sfpshft(MachineState& s, const MicroOp& op) {
  const auto imm = static_cast<Lane>(op.immediate);
  const bool immediate = has_mode<Op::SFPSHFT, "ARG_IMM">(op.mod);
  binary(s, op, [=](Lane c, Lane d) { return sem::shift(d, immediate ? imm : c); });
}

// ---------------------------------------------------------------- What sets flags

/// SFPEXEXP and SFPLZ: bit 1 tests the result, bit 3 asks for the opposite. Bit 3 alone leaves the
/// opposite of a flag that is set.
void test(VectorState& v, std::uint32_t lanes, bool sets, bool inverts, std::uint32_t condition) {
  if (!sets && !inverts) return;
  const std::uint32_t tested = sets ? condition : v.flags;
  narrow_flags(v, lanes, inverts ? ~tested : tested);
}

void sfpexexp(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  const Lane bias = has_mode<Op::SFPEXEXP, "NODEBIAS">(op.mod) ? 0 : sem::kBias;
  const std::uint32_t negative =
      unary(s, op, [=](Lane x) { return sem::exponent_field(x) - bias; });
  test(v, lanes, has_mode<Op::SFPEXEXP, "SET_CC_SGN_EXP">(op.mod),
       has_mode<Op::SFPEXEXP, "SET_CC_COMP_EXP">(op.mod), negative);
}

void sfplz(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  std::uint32_t not_zero = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    not_zero |= static_cast<std::uint32_t>(v.lreg[op.vc][lane] != 0) << lane;
  unary(s, op, [](Lane x) { return sem::leading_zeros(x); });
  test(v, lanes, has_mode<Op::SFPLZ, "CC_NE0">(op.mod), has_mode<Op::SFPLZ, "CC_COMP">(op.mod),
       not_zero);
}

void sfpiadd(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t lanes = v.enabled();
  const auto imm = static_cast<Lane>(op.immediate);
  const bool immediate = has_mode<Op::SFPIADD, "ARG_IMM">(op.mod);
  const bool subtracts = has_mode<Op::SFPIADD, "ARG_2SCOMP_LREG_DST">(op.mod);
  const std::uint32_t negative = binary(s, op, [=](Lane c, Lane d) {
    if (immediate) return sem::wrap(c + imm);
    return sem::wrap(subtracts ? c - d : c + d);
  });
  test(v, lanes, !has_mode<Op::SFPIADD, "CC_NONE">(op.mod),
       has_mode<Op::SFPIADD, "CC_GTE0">(op.mod), negative);
}

/// Lanes in which SFPSETCC's condition holds: the first match of CLEAR, IMM_BIT0, the comparisons.
std::uint32_t tested_lanes(const VectorState& v, const MicroOp& op) {
  if (has_mode<Op::SFPSETCC, "CLEAR">(op.mod)) return 0;
  if (has_mode<Op::SFPSETCC, "IMM_BIT0">(op.mod)) return (op.immediate & 1) != 0 ? kAllLanes : 0;
  const bool looks_for_zero = (op.mod & kMode<Op::SFPSETCC, "LREG_NE0">) != 0;
  const bool inverts = (op.mod & kMode<Op::SFPSETCC, "LREG_GTE0">) != 0;
  std::uint32_t lanes = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Lane x = v.lreg[op.vc][lane];
    const bool holds = looks_for_zero ? x != 0 : sem::is_negative(x);
    lanes |= static_cast<std::uint32_t>(holds) << lane;
  }
  return inverts ? ~lanes : lanes;
}

void sfpsetcc(MachineState& s, const MicroOp& op) {
  narrow_flags(s.vector, s.vector.enabled(), tested_lanes(s.vector, op));
}

/// The stack has 8 entries, of which a bug leaves 7.
void sfppushc(MachineState& s, const MicroOp& op) {
  FlagStack& stack = s.vector.stack;
  const std::uint32_t full = stack.at_depth[kArch<sem::kChip>.vector.usable_flag_stack];
  if (full == 0) return push_flags(s, op);
  s.faults.add(RuntimeFault::PushOnFullStack, op.word, op.line, full);
}

constexpr KernelOf kKernels[] = {
    {Op::SFPLOAD, sfpload},     {Op::SFPLOADI, sfploadi},   {Op::SFPSTORE, sfpstore},
    {Op::SFPLUT, sfplut},       {Op::SFPMULI, sfpmuli},     {Op::SFPADDI, sfpaddi},
    {Op::SFPDIVP2, sfpdivp2},   {Op::SFPEXEXP, sfpexexp},   {Op::SFPEXMAN, sfpexman},
    {Op::SFPIADD, sfpiadd},     {Op::SFPSHFT, sfpshft},     {Op::SFPSETCC, sfpsetcc},
    {Op::SFPMOV, sfpmov},       {Op::SFPABS, sfpabs},       {Op::SFPAND, sfpand},
    {Op::SFPOR, sfpor},         {Op::SFPNOT, sfpnot},       {Op::SFPLZ, sfplz},
    {Op::SFPSETEXP, sfpsetexp}, {Op::SFPSETMAN, sfpsetman}, {Op::SFPMAD, sfpmad},
    {Op::SFPADD, sfpmad},       {Op::SFPMUL, sfpmad},       {Op::SFPPUSHC, sfppushc},
    {Op::SFPSETSGN, sfpsetsgn},
};

} // namespace

Kernel find_narrow_kernel(Op op) {
  return kernel_in(kKernels, op);
}

} // namespace lanewise
