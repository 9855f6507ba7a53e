#include "chip/machine/matrix/moves.h"

#include "chip/machine/bits.h"
#include "chip/machine/kernel_list.h"
#include "chip/machine/matrix/arithmetic.h"
#include "chip/machine/matrix/control.h"
#include "chip/machine/matrix/mode.h"
#include "chip/machine/matrix/word.h"

namespace lanewise {

namespace {

using isa::ConfigField;
using isa::Op;

constexpr std::uint32_t kCellSign = 0x80000000U;
constexpr std::uint32_t kCellExponent = 0x7F800000U;

// -------------------------------------------------------------- Cells and stored halves

/// The stored BF16 of a cell: sign, 7 bits of mantissa, exponent.
std::uint16_t bf16_of_cell(std::uint32_t cell) {
  return static_cast<std::uint16_t>((cell & kCellSign) >> 16 | (cell >> 16 & 0x7F) << 8 |
                                    (cell >> 23 & 0xFF));
}

/// The stored FP16 of a cell: sign, mantissa, the low 5 bits of the exponent.
std::uint16_t fp16_of_cell(std::uint32_t cell) {
  return static_cast<std::uint16_t>((cell & kCellSign) >> 16 | (cell >> kCellShift & 0x3FF) << 5 |
                                    (cell >> 23 & 0x1F));
}

/// The low half of a stored TF32: the 3 bits of mantissa that BF16 lacks.
std::uint16_t tf32_low_of_cell(std::uint32_t cell) {
  return static_cast<std::uint16_t>(cell & 0xE000);
}

std::uint32_t cell_of_bf16(std::uint32_t half) {
  return (half & 0x8000) << 16 | (half & 0xFF) << 23 | (half >> 8 & 0x7F) << 16;
}

std::uint32_t cell_of_fp16(std::uint32_t half) {
  return (half & 0x8000) << 16 | (half & 0x1F) << 23 | (half >> 5 & 0x3FF) << kCellShift;
}

/// The bits of a cell whose storage order, sign, mantissa, exponent, is the number given.
std::uint32_t cell_of_storage(std::uint32_t stored) {
  return (stored >> 18 & 1) << 31 | (stored & 0xFF) << 23 | (stored >> 8 & 0x3FF) << kCellShift;
}

// -------------------------------------------------------------- Places

/// Columns that LaneConfig's BLOCK_DEST_MOV keeps from being moved: bit 9 of lane column c stands
/// for column 2c, bit 10 for 2c + 1.
std::uint32_t blocked_columns(const VectorState& v) {
  std::uint32_t blocked = 0;
  for (unsigned column = 0; column < kColumns; ++column)
    blocked |= bit_field(v.lane_config[column], 10, 9) << (2 * column);
  return blocked;
}

constexpr std::uint32_t kAllColumns = 0xFFFF;

unsigned dst_row_of(const MachineState& s, const MicroOp& op, unsigned rows) {
  const std::uint32_t row = dst_move_field<"DstRow">(op) + s.rwc.dst +
                            s.config.get(ConfigField::DEST_TARGET_REG_CFG_MATH_Offset);
  return row & Rwc::kDstMask & ~(rows - 1);
}

/// Row of SrcA or SrcB that a field and a counter name.
unsigned source_row_of(std::uint32_t row, std::uint32_t counter, unsigned rows) {
  return (row + counter) & Rwc::kSrcMask & ~(rows - 1);
}

/// SHIFTXA's row. Moves that do not use SrcA compute one all the same (MU 7); what they add to the
/// counter is not documented, nothing is taken here.
void remember_srca_row(MachineState& s, std::uint32_t row) {
  s.last_srca_row = static_cast<std::uint8_t>(row & 0x30);
}

// -------------------------------------------------------------- To Dst

/// Where and how a move writes to Dst.
struct DstTarget {
  enum class Part : std::uint8_t {
    Half,   ///< 16-bit view
    Low,    ///< low half in the 32-bit view; the high one stays
    Tf32,   ///< 32-bit view
    Tf32Low ///< TF32 with its high half once more in the low one: documented, but undefined
  };

  Part part = Part::Half;
  bool fp16 = false;
  std::uint32_t blocked = 0;

  bool wide() const { return part != Part::Half; }
};

/// MU 7, MOVA2D, from `format`, which is "fmtA".
DstTarget dst_target(MachineState& s, const MicroOp& op, DataFormat format) {
  using Part = DstTarget::Part;
  DstTarget target;
  const bool forced = s.config.get(ConfigField::FP16A_FORCE_Enable) != 0;
  if (forced) report_fault(s, op, RuntimeFault::MatrixFp16Forced);
  const bool low = dst_move_field<"UseDst32bLo">(op) != 0;
  if (format == DataFormat::Tf32) {
    target.part = low ? Part::Tf32Low : Part::Tf32;
    if (low) report_fault(s, op, RuntimeFault::MoveOfTf32Low);
  } else if (low) {
    target.part = Part::Low;
  }
  target.fp16 = forced || has_5bit_exponent(format);
  target.blocked = blocked_columns(s.vector);
  const bool wide_dst = has_32bit_dst(s.config);
  // With the view of high halves, 16 bits have their place in 32-bit Dst too.
  if (target.wide() != wide_dst && !(wide_dst && s.config.dst16_view() == Dst16View::HighHalves))
    report_fault(s, op, RuntimeFault::MoveOfOtherWidth);
  return target;
}

/// Writes one row of cells, and makes it valid.
void write_dst_row(MachineState& s, const MicroOp& op, const DstTarget& target, unsigned row,
                   const std::uint32_t* cells) {
  using Part = DstTarget::Part;
  if (target.blocked == kAllColumns) return;
  Dst& dst = s.dst;
  const unsigned high = matrix_dst_row(s.config, row, target.wide());
  const bool was_valid = dst.valid(high);
  if (!was_valid && target.blocked != 0) report_fault(s, op, RuntimeFault::MoveIntoInvalidRow);
  for (unsigned column = 0; column < kDstColumns; ++column) {
    if ((target.blocked >> column & 1U) != 0) continue;
    const std::uint32_t cell = cells[column];
    const std::uint16_t half = target.fp16 ? fp16_of_cell(cell) : bf16_of_cell(cell);
    if (target.part != Part::Low) {
      dst.cell[high][column] = half;
    } else if (!was_valid) {
      dst.cell[high][column] = 0; // an invalid row reads as 0 (MU 7, MOVA2D 4)
    }
    if (!target.wide()) continue;
    std::uint16_t low = target.part == Part::Low ? half : tf32_low_of_cell(cell);
    if (target.part == Part::Tf32Low) low |= half;
    dst.cell[high + kDstLowHalf][column] = low;
  }
  dst.set_valid(high, true);
}

/// MU 7: unless denormals are kept, a cell whose exponent field is 0 counts as 0.
std::uint32_t flushed(std::uint32_t cell, bool keeps) {
  return keeps || (cell & kCellExponent) != 0 ? cell : 0;
}

/// Bits that MOVB2D takes of a cell. Unlike arithmetic, it takes FP8 for BF16 (MU 7).
std::uint32_t movb2d_mask(DataFormat format) {
  return format == DataFormat::Fp8 ? operand_mask(DataFormat::Bf16) : operand_mask(format);
}

void mova2d_without_wait(MachineState& s, const MicroOp& op) {
  const unsigned rows = isa::field<"Move8Rows", Op::MOVA2D, Op::MOVDBGA2D>(op.word) != 0 ? 8 : 1;
  const unsigned source = source_row_of(dst_move_field<"SrcRow">(op), s.rwc.srca, rows);
  const unsigned first = dst_row_of(s, op, rows);
  remember_srca_row(s, source);
  const DstTarget target = dst_target(s, op, srca_format(s));
  const bool keeps = keeps_denormals(s);
  for (unsigned i = 0; i < rows; ++i) {
    std::uint32_t cells[kSourceColumns];
    for (unsigned column = 0; column < kSourceColumns; ++column)
      cells[column] = flushed(s.srca.rows()[source + i][column], keeps);
    write_dst_row(s, op, target, first + i, cells);
  }
  apply_matrix_addr_mod(s, op);
}

void mova2d(MachineState& s, const MicroOp& op) {
  await_srca(s, op);
  mova2d_without_wait(s, op);
}

void movb2d(MachineState& s, const MicroOp& op) {
  await_srcb(s, op);
  const Arch arch = s.config.arch();
  const bool column_0 = isa::field<"BroadcastCol0", Op::MOVB2D>(arch, op.word) != 0;
  const bool one_to_8 = isa::field<"Broadcast1RowTo8", Op::MOVB2D>(arch, op.word) != 0;
  const bool four_rows = isa::field<"Move4Rows", Op::MOVB2D>(arch, op.word) != 0;
  const unsigned source_rows = !one_to_8 && four_rows ? 4 : 1;
  const unsigned rows = one_to_8 ? 8 : source_rows;
  const unsigned source = source_row_of(dst_move_field<"SrcRow">(op), s.rwc.srcb, source_rows);
  const unsigned first = dst_row_of(s, op, rows);
  remember_srca_row(s, s.rwc.srca);
  const DstTarget target = dst_target(s, op, srcb_move_format(s));
  const std::uint32_t mask = movb2d_mask(srcb_format(s));
  const bool keeps = keeps_denormals(s);
  for (unsigned i = 0; i < rows; ++i) {
    const std::uint32_t* from = s.srcb.rows()[source + (one_to_8 ? 0 : i)];
    std::uint32_t cells[kSourceColumns];
    for (unsigned column = 0; column < kSourceColumns; ++column)
      cells[column] = flushed(from[column_0 ? 0 : column], keeps) & mask;
    write_dst_row(s, op, target, first + i, cells);
  }
  apply_matrix_addr_mod(s, op);
}

// -------------------------------------------------------------- From Dst

/// How a move reads Dst: in which width, and what it makes of a datum.
struct DstSource {
  enum class Style : std::uint8_t { Bf16, Fp16, Tf32 };

  Style style = Style::Bf16;
  bool wide = false;
  bool low = false; ///< the low half in the place of the high one
};

/// MU 7, MOVD2A and MOVD2B.
DstSource dst_source(MachineState& s, const MicroOp& op, DataFormat format) {
  using Style = DstSource::Style;
  DstSource source{.wide = has_32bit_dst(s.config), .low = dst_move_field<"UseDst32bLo">(op) != 0};
  if (s.config.get(ConfigField::FP16A_FORCE_Enable) != 0) {
    report_fault(s, op, RuntimeFault::MatrixFp16Forced);
    source.style = Style::Fp16;
    source.wide = false;
  } else if (format == DataFormat::Tf32) {
    source.style = Style::Tf32;
  } else if (has_5bit_exponent(format)) {
    source.style = Style::Fp16;
  }
  if (source.wide) return source;
  if (source.low) report_fault(s, op, RuntimeFault::MoveOfMissingHalf);
  source.low = false;
  if (source.style == Style::Tf32) {
    report_fault(s, op, RuntimeFault::MoveOfMissingTf32);
    source.style = Style::Bf16;
  }
  return source;
}

std::uint32_t cell_of_half(std::uint32_t half, bool fp16) {
  return fp16 ? cell_of_fp16(half) : cell_of_bf16(half);
}

/// No rounding, no flush.
std::uint32_t cell_of_datum(std::uint32_t high, std::uint32_t low, const DstSource& source) {
  if (source.style != DstSource::Style::Tf32)
    return cell_of_half(source.low ? low : high, source.style == DstSource::Style::Fp16);
  // TF32 with lo: the 13 bits that it lacks of an FP32 land in the lower end of the cell.
  if (source.low) return cell_of_storage(low & 0x1FFF);
  return cell_of_bf16(high) | (low & 0xE000);
}

void move_from_dst(MachineState& s, const MicroOp& op, SourceFile& target, unsigned target_row,
                   unsigned rows, const DstSource& source) {
  const unsigned first = dst_row_of(s, op, rows);
  const std::uint32_t blocked = blocked_columns(s.vector);
  for (unsigned i = 0; i < rows; ++i) {
    const unsigned high = matrix_dst_row(s.config, first + i, source.wide);
    const bool valid = s.dst.valid(high);
    for (unsigned column = 0; column < kDstColumns; ++column) {
      if ((blocked >> column & 1U) != 0) continue;
      const std::uint32_t upper = valid ? s.dst.cell[high][column] : 0U;
      const std::uint32_t lower =
          valid && source.wide ? s.dst.cell[high + kDstLowHalf][column] : 0U;
      target.rows()[target_row + i][column] = cell_of_datum(upper, lower, source);
    }
  }
  apply_matrix_addr_mod(s, op);
}

bool moves_4_rows(const MicroOp& op) {
  return isa::field<"Move4Rows", Op::MOVD2A, Op::MOVD2B, Op::MOVB2A>(op.word) != 0;
}

void movd2a(MachineState& s, const MicroOp& op) {
  const unsigned rows = moves_4_rows(op) ? 4 : 1;
  const unsigned row = source_row_of(dst_move_field<"SrcRow">(op), s.rwc.srca, rows);
  remember_srca_row(s, row);
  move_from_dst(s, op, s.srca, row, rows, dst_source(s, op, srca_format(s)));
}

void movd2b(MachineState& s, const MicroOp& op) {
  const unsigned rows = moves_4_rows(op) ? 4 : 1;
  const unsigned row = source_row_of(dst_move_field<"SrcRow">(op), s.rwc.srcb, rows);
  remember_srca_row(s, s.rwc.srca);
  move_from_dst(s, op, s.srcb, row, rows, dst_source(s, op, srcb_move_format(s)));
}

// -------------------------------------------------------------- SrcB to SrcA

/// All 19 bits are copied. Newer documentation truncates them to SrcB's format, which only cells
/// that are not clean for it would show (MU 7, MOVB2A).
void movb2a(MachineState& s, const MicroOp& op) {
  await_srcb(s, op);
  const unsigned rows = moves_4_rows(op) ? 4 : 1;
  const unsigned to = source_row_of(isa::field<"SrcARow", Op::MOVB2A>(op.word), s.rwc.srca, rows);
  const unsigned from = source_row_of(isa::field<"SrcBRow", Op::MOVB2A>(op.word), s.rwc.srcb, rows);
  remember_srca_row(s, to);
  const std::uint32_t blocked = blocked_columns(s.vector);
  const bool keeps = keeps_denormals(s);
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned column = 0; column < kSourceColumns; ++column) {
      if ((blocked >> column & 1U) == 0)
        s.srca.rows()[to + i][column] = flushed(s.srcb.rows()[from + i][column], keeps);
    }
  }
  apply_matrix_addr_mod(s, op);
}

} // namespace

Kernel find_matrix_move_kernel(Op op) {
  static constexpr KernelOf kList[] = {
      {Op::MOVA2D, mova2d}, {Op::MOVDBGA2D, mova2d_without_wait},
      {Op::MOVB2D, movb2d}, {Op::MOVD2A, movd2a},
      {Op::MOVD2B, movd2b}, {Op::MOVB2A, movb2a},
  };
  return kernel_in(kList, op);
}

} // namespace lanewise
