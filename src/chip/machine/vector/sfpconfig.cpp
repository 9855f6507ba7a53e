#include "chip/machine/vector/sfpconfig.h"

#include <algorithm>

#include "chip/isa/fields.h"
#include "chip/machine/state.h"
#include "chip/semantics/prng.h"

namespace lanewise {

namespace {

using isa::has_mode;
using isa::Op;

constexpr unsigned kFirstConstant = 11, kLastConstant = 14;
constexpr std::uint32_t kMiscBits = 0xFFF;

/// What LReg[11..14] get from an immediate write, which ignores Imm16 (VU C2, C38).
constexpr std::uint32_t kDefaultConstants[] = {0xBF800000U, 0x3B000000U, 0xBF2CC4C7U, 0xBEB08FF9U};

/// VU C38: without a name in Mod1[2:1] it replaces.
std::uint32_t combine_config(unsigned mod, std::uint32_t old, std::uint32_t value) {
  if (has_mode<Op::SFPCONFIG, "BITWISE_OR">(mod)) return old | value;
  if (has_mode<Op::SFPCONFIG, "BITWISE_AND">(mod)) return old & value;
  if (has_mode<Op::SFPCONFIG, "BITWISE_XOR">(mod)) return old ^ value;
  return value;
}

/// VU C37: the columns that are written; lanes 8..31 and ROW_MASK play no part. Where a macro has
/// scheduled it in some columns (VU C4), those.
bool column_enabled(const VectorState& v, const MicroOp& op, unsigned column) {
  const bool masked = has_mode<Op::SFPCONFIG, "IMM16_IS_LANE_MASK">(op.mod) &&
                      (op.immediate >> (2 * column) & 1) == 0;
  const bool flag_off = (v.use_flags >> column & 1U) != 0 && (v.flags >> column & 1U) == 0;
  return !masked && !flag_off && (v.active >> column & 1U) != 0;
}

/// A programmable constant has one value per column, repeated in all four rows.
void write_constant(VectorState& v, unsigned reg, unsigned column, std::uint32_t value) {
  for (unsigned lane = column; lane < kLanes; lane += kColumns) v.lreg[reg][lane] = value;
}

std::uint32_t lane_config_value(const MicroOp& op, std::uint32_t old, std::uint32_t value,
                                bool immediate) {
  std::uint32_t result = combine_config(op.mod, old, value) & lane_config::kBits;
  if (immediate) result |= old & lane_config::kReservedTop;
  return result;
}

} // namespace

void sfpconfig(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const unsigned destination = op.vd;
  const bool immediate = has_mode<Op::SFPCONFIG, "IMM16_IS_VALUE">(op.mod);
  const auto imm16 = static_cast<std::uint32_t>(op.immediate) & 0xFFFF;
  auto config = v.lane_config;
  for (unsigned column = 0; column < kColumns; ++column) {
    if (!column_enabled(v, op, column)) continue;
    const std::uint32_t from_lreg = v.lreg[0][column];
    const std::uint32_t value = immediate ? imm16 : from_lreg;
    if (destination < 4) {
      v.macro.instruction_template[destination][column] = from_lreg; // Mod1[0] is ignored here
    } else if (destination < kMiscDestination) {
      v.macro.sequence[destination - 4][column] = value;
    } else if (destination == kMiscDestination) {
      std::uint32_t& misc = v.macro.misc[column];
      misc = combine_config(op.mod, misc, value) & kMiscBits;
    } else if (destination >= kFirstConstant && destination <= kLastConstant) {
      write_constant(v, destination, column,
                     immediate ? kDefaultConstants[destination - kFirstConstant] : from_lreg);
    } else if (destination == kLaneConfigDestination) {
      config[column] = lane_config_value(op, config[column], value, immediate);
    }
  }
  if (destination == kLaneConfigDestination) v.set_lane_config(config);
}

void seed_prng(VectorState& vector, std::uint32_t seed) {
  const auto lanes = semantics::prng_seeded(seed);
  std::copy(lanes.begin(), lanes.end(), vector.prng);
}

} // namespace lanewise
