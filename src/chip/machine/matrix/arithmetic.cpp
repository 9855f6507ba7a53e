#include "chip/machine/matrix/arithmetic.h"

#include <algorithm>

#include "chip/machine/matrix/word.h"

namespace lanewise {

using isa::ConfigField;
using semantics::MatrixArithmetic;

namespace {

constexpr bool means_nothing(DataFormat format) {
  return isa::format_of_code(format) == nullptr;
}

/// Modes that concern every arithmetic instruction.
void report_modes(MachineState& s, const MicroOp& op, const MatrixMode& mode) {
  const auto report = [&](RuntimeFault what) { s.faults.add(what, op.word, op.line, 0); };
  const MatrixSettings& settings = s.config.matrix_settings();
  if (settings.rounds_randomly) report(RuntimeFault::MatrixStochasticRounding);
  if (settings.forces_fp16) return report(RuntimeFault::MatrixFp16Forced);
  if (mode.arithmetic == MatrixArithmetic::Int8) return;
  if (means_nothing(mode.srca) || means_nothing(mode.srcb))
    report(RuntimeFault::MatrixFormatUnknown);
  if (has_5bit_exponent(mode.srca) != has_5bit_exponent(mode.srcb))
    report(RuntimeFault::MatrixMixedExponents);
}

/// Exponent bits that no operand may have.
std::uint32_t stray_bits(const MatrixMode& mode) {
  constexpr std::uint32_t kHigh3 = 0x70000000U;    // of 8 bits, where 5 are used
  constexpr std::uint32_t kAllBut16 = 0xEFU << 23; // INT8's exponent field is 16 or 0
  if (mode.arithmetic == MatrixArithmetic::Int8) return kAllBut16;
  return mode.arithmetic == MatrixArithmetic::Exponent5 ? kHigh3 : 0;
}

} // namespace

unsigned stored_dst_row(const ConfigState& config, unsigned row, bool wide) {
  if (config.get(ConfigField::DEST_ACCESS_CFG_remap_addrs) != 0) row = remap_row(row);
  if (!wide) return row;
  if (config.get(ConfigField::DEST_ACCESS_CFG_swizzle_32b) != 0) row = swizzle_row_32(row);
  return adjust_row_32(row);
}

namespace {

bool has_negative_zero(const SourceFile& srcb, const MatrixOperands& operands,
                       BroadcastOfSrcB broadcast) {
  constexpr std::uint32_t kNegativeZero = 1U << 31;
  constexpr unsigned kRows = 8; // of an element-wise instruction
  const auto is_one = [&](std::uint32_t cell) {
    return (cell & operands.mode.srcb_mask) == kNegativeZero;
  };
  const unsigned columns = broadcast.one_column ? 1 : kSourceColumns;
  for (unsigned row = 0; row < (broadcast.one_row ? 1 : kRows); ++row) {
    const auto* cells = srcb.rows()[operands.srcb_row + row];
    if (std::any_of(cells, cells + columns, is_one)) return true;
  }
  return false;
}

} // namespace

MatrixOperands matrix_operands(MachineState& s, const MicroOp& op, MatrixAlignment alignment) {
  MatrixOperands operands{};
  operands.mode = matrix_mode(s);
  operands.srca_row = static_cast<std::uint8_t>(s.rwc.srca & alignment.srca);
  operands.srcb_row = static_cast<std::uint8_t>(s.rwc.srcb & alignment.srcb);
  s.last_srca_row = operands.srca_row & 0x30;
  // DEST_REGW_BASE is documented as a further summand, but silicon does not instantiate it.
  const std::uint32_t dst =
      (arithmetic_field<"DstRow">(op) + s.rwc.dst + s.config.dst_settings().offset) & alignment.dst;
  operands.dst_row.first = dst % 4;
  for (unsigned group = 0; group < 2; ++group) {
    const unsigned row = (dst - dst % 4 + 4 * group) & Rwc::kDstMask;
    operands.dst_row.group[group] =
        static_cast<std::uint16_t>(matrix_dst_row(s.config, row, operands.mode.wide));
  }
  operands.stray_bits = stray_bits(operands.mode);
  report_modes(s, op, operands.mode);
  return operands;
}

void report_stray_bits(MachineState& s, const MicroOp& op) {
  s.faults.add(RuntimeFault::MatrixStrayExponent, op.word, op.line, 0);
}

void check_product(MachineState& s, const MicroOp& op, const MatrixOperands& operands) {
  const bool integer = operands.mode.arithmetic == MatrixArithmetic::Int8;
  if (operands.mode.keeps_denormals && !integer) [[unlikely]]
    s.faults.add(RuntimeFault::MatrixDenormalSums, op.word, op.line, 0);
  if (operands.srca_row % 16 != 0) [[unlikely]]
    s.faults.add(RuntimeFault::MatrixUnalignedSrcA, op.word, op.line, 0);
}

void check_element_sum(MachineState& s, const MicroOp& op, const MatrixOperands& operands,
                       BroadcastOfSrcB broadcast) {
  if (operands.mode.arithmetic == MatrixArithmetic::Int8) return;
  if (operands.mode.phase != 0) [[unlikely]]
    s.faults.add(RuntimeFault::MatrixElementwisePhase, op.word, op.line, 0);
  if (operands.mode.keeps_denormals && has_negative_zero(s.srcb, operands, broadcast)) [[unlikely]]
    s.faults.add(RuntimeFault::MatrixNegativeZero, op.word, op.line, 0);
}

} // namespace lanewise
