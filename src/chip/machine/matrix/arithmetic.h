// The arithmetic of the Matrix Unit: what every kernel settles before it computes.
#pragma once

#include <array>
#include <cstdint>

#include "chip/machine/matrix/mode.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"

namespace lanewise {

/// Bits of a row number that an instruction keeps, for each of its operands.
struct MatrixAlignment {
  std::uint16_t dst;
  std::uint8_t srca, srcb;
};

inline constexpr unsigned kMatrixRows = 8; ///< rows of Dst that one instruction reaches at most

/// Rows of Dst that an instruction reaches: Dst[dst + i] of two aligned groups of four, which stay
/// together in every mapping of rows.
struct MatrixDstRows {
  std::array<std::uint16_t, 2> group; ///< physical rows; in 32-bit Dst of the high halves (MU 1.1)
  std::uint8_t first;                 ///< of Dst[dst] in the first group

  [[gnu::always_inline]] unsigned operator[](unsigned i) const {
    const unsigned row = first + i;
    return group[row / 4] + row % 4;
  }
};

/// Operands of an arithmetic instruction, as of its counters and its configuration.
struct MatrixOperands {
  MatrixMode mode;
  std::uint8_t srca_row, srcb_row;
  MatrixDstRows dst_row;
  /// Exponent bits that no operand may have: Exponent5 data need 5 (MU 9), INT8 data 16 or 0 (MU
  /// 6).
  std::uint32_t stray_bits;
};

/// Finds the operands, remembers the row of SrcA for SHIFTXA, and reports modes that the
/// documentation leaves open.
MatrixOperands matrix_operands(MachineState& state, const MicroOp& op, MatrixAlignment alignment);

/// Reports source data that have one of stray_bits.
void report_stray_bits(MachineState& state, const MicroOp& op);

/// Reports what is not known about sums of products: SrcA rows that are no multiple of 16, and
/// Zero_Flag_disabled_src.
void check_product(MachineState& state, const MicroOp& op, const MatrixOperands& operands);

/// The cells of SrcB that an element-wise instruction takes.
struct BroadcastOfSrcB {
  bool one_row, one_column;
};

/// Reports what is not known of ELWADD and ELWSUB: a phase other than 0, and a -0 of SrcB with
/// Zero_Flag_disabled_src.
void check_element_sum(MachineState& state, const MicroOp& op, const MatrixOperands& operands,
                       BroadcastOfSrcB broadcast);

/// Physical row of row `row` of the 16-bit view of Dst or, if `wide`, of the high half in the
/// 32-bit view, as Dst is stored (MU 1.1).
unsigned stored_dst_row(const ConfigState& config, unsigned row, bool wide);

/// The same for what the Matrix Unit, unpackers and packers access: with bit 11 of
/// DBG_FEATURE_DISABLE that is the high half in either view.
inline unsigned matrix_dst_row(const ConfigState& config, unsigned row, bool wide) {
  const DstSettings& settings = config.dst_settings();
  if (settings.rows_stay) return wide || settings.high_halves ? adjust_row_32(row) : row;
  return stored_dst_row(config, row, wide || config.dst16_view() == Dst16View::HighHalves);
}

} // namespace lanewise
