#include "chip/machine/matrix/control.h"

#include <algorithm>

#include "chip/isa/effects.h"
#include "chip/machine/addr_mod_moves.h"
#include "chip/machine/control.h"
#include "chip/machine/kernel_list.h"
#include "chip/machine/matrix/arithmetic.h"
#include "chip/machine/matrix/word.h"

namespace lanewise {

namespace {

using isa::ConfigField;
using isa::Op;

bool owns_current(const SourceFile& file) {
  return file.owned_by_matrix_unit[file.current];
}

// -------------------------------------------------------------- Counters

template <isa::Literal Name>
std::uint32_t setrwc_field(const MicroOp& op) {
  return isa::field<Name, Op::SETRWC>(op.word);
}

void setrwc(MachineState& s, const MicroOp& op) {
  Rwc& rwc = s.rwc;
  const auto set = [](std::uint32_t& counter, std::uint32_t& copy, std::uint32_t wrap,
                      std::uint32_t value) { counter = copy = value & wrap; };
  if (setrwc_field<"SrcA">(op) != 0) {
    const std::uint32_t base = setrwc_field<"SrcACr">(op) != 0 ? rwc.srca_cr : 0;
    set(rwc.srca, rwc.srca_cr, Rwc::kSrcMask, base + setrwc_field<"SrcAVal">(op));
  }
  if (setrwc_field<"SrcB">(op) != 0) {
    const std::uint32_t base = setrwc_field<"SrcBCr">(op) != 0 ? rwc.srcb_cr : 0;
    set(rwc.srcb, rwc.srcb_cr, Rwc::kSrcMask, base + setrwc_field<"SrcBVal">(op));
  }
  const bool c_to_cr = setrwc_field<"DstCtoCr">(op) != 0;
  if (setrwc_field<"Dst">(op) != 0 || c_to_cr) {
    const std::uint32_t cr_base = setrwc_field<"DstCr">(op) != 0 ? rwc.dst_cr : 0;
    set(rwc.dst, rwc.dst_cr, Rwc::kDstMask,
        (c_to_cr ? rwc.dst : cr_base) + setrwc_field<"DstVal">(op));
  }
  if (setrwc_field<"Fidelity">(op) != 0) rwc.fidelity = 0;
}

template <isa::Literal Name>
std::uint32_t incrwc_field(const MicroOp& op) {
  return isa::field<Name, Op::INCRWC>(op.word);
}

void incrwc(MachineState& s, const MicroOp& op) {
  Rwc& rwc = s.rwc;
  const auto add = [](std::uint32_t& counter, std::uint32_t& copy, std::uint32_t wrap, bool cr,
                      std::uint32_t increment) {
    if (cr) {
      counter = copy = (copy + increment) & wrap;
    } else {
      counter = (counter + increment) & wrap;
    }
  };
  add(rwc.srca, rwc.srca_cr, Rwc::kSrcMask, incrwc_field<"SrcACr">(op) != 0,
      incrwc_field<"SrcAInc">(op));
  add(rwc.srcb, rwc.srcb_cr, Rwc::kSrcMask, incrwc_field<"SrcBCr">(op) != 0,
      incrwc_field<"SrcBInc">(op));
  add(rwc.dst, rwc.dst_cr, Rwc::kDstMask, incrwc_field<"DstCr">(op) != 0,
      incrwc_field<"DstInc">(op));
}

// -------------------------------------------------------------- Banks

/// Hands the current bank to the unpackers and goes on to the other one, each if asked to.
void flip(SourceFile& file, bool hands_back, bool goes_on) {
  if (hands_back) file.owned_by_matrix_unit[file.current] = false;
  if (goes_on) file.current ^= 1;
}

/// Arithmetic, SETRWC and CLEARDVALID have their flips at the same bits.
bool flips_srca(const MicroOp& op) {
  static_assert(isa::field_place<"FlipSrcA", Op::SETRWC, Op::CLEARDVALID, Op::MVMUL>().width() ==
                1);
  return arithmetic_field<"FlipSrcA">(op) != 0;
}

bool flips_srcb(const MicroOp& op) {
  static_assert(isa::field_place<"FlipSrcB", Op::SETRWC, Op::CLEARDVALID, Op::MVMUL>().width() ==
                1);
  return arithmetic_field<"FlipSrcB">(op) != 0;
}

/// The flips that a word asks for (MU 1.2).
void flip_by_word(MachineState& s, const MicroOp& op) {
  if (flips_srca(op)) flip(s.srca, s.config.get(ConfigField::CLR_DVALID_SrcA_Disable) == 0, true);
  if (flips_srcb(op)) flip(s.srcb, s.config.get(ConfigField::CLR_DVALID_SrcB_Disable) == 0, true);
}

/// MU 1.2: nobody says what becomes of such a flip.
void check_flipped_banks(MachineState& s, const MicroOp& op) {
  const bool strange =
      (flips_srca(op) && !owns_current(s.srca)) || (flips_srcb(op) && !owns_current(s.srcb));
  if (strange) report_fault(s, op, RuntimeFault::FlipOfForeignBank);
}

void setrwc_and_flip(MachineState& s, const MicroOp& op) {
  setrwc(s, op);
  check_flipped_banks(s, op);
  flip_by_word(s, op);
}

void cleardvalid(MachineState& s, const MicroOp& op) {
  if (isa::field<"Reset", Op::CLEARDVALID>(op.word) != 0) {
    for (SourceFile* file : {&s.srca, &s.srcb}) {
      file->owned_by_matrix_unit = {false, false};
      file->current = file->filling = 0;
    }
    return;
  }
  check_flipped_banks(s, op);
  const bool goes_on = isa::field<"KeepReadingSameSrc", Op::CLEARDVALID>(op.word) == 0;
  if (flips_srca(op)) flip(s.srca, true, goes_on);
  if (flips_srcb(op)) flip(s.srcb, true, goes_on);
}

/// MU 1.2. The row cursors of the unpackers, which this restarts, are not part of the machine.
void setdvalid(MachineState& s, const MicroOp& op) {
  const auto hand_over = [](SourceFile& file) {
    file.owned_by_matrix_unit[file.filling] = true;
    file.filling ^= 1;
  };
  if (isa::field<"FlipSrcA", Op::SETDVALID>(op.word) != 0) hand_over(s.srca);
  if (isa::field<"FlipSrcB", Op::SETDVALID>(op.word) != 0) hand_over(s.srcb);
}

// -------------------------------------------------------------- Clearing

/// ZEROACC's fields; the switches moved between the chips (MU 4).
struct ZeroAcc {
  unsigned mode;
  bool wide, revert;
  unsigned imm;
};

ZeroAcc zeroacc_fields(Arch arch, const MicroOp& op) {
  return {.mode = isa::field<"Mode", Op::ZEROACC>(op.word),
          .wide = isa::field<"UseDst32b", Op::ZEROACC>(arch, op.word) != 0,
          .revert = isa::field<"Revert", Op::ZEROACC>(arch, op.word) != 0,
          .imm = isa::field<"Imm10", Op::ZEROACC>(op.word)};
}

/// The bank of Dst in which ZEROACC finds its block.
struct BankOfZeroAcc {
  bool upper;
  bool crossed;  ///< it is not the one in which the counters are
  bool measured; ///< on a card
};

/// Silicon adds the number of a block to a number of rows, and looks at the bit of the sum that
/// tells the banks apart (MU 7, ZEROACC; tt-metal 54295, measured with 16 bits below row 512).
BankOfZeroAcc bank_of_zeroacc(const MachineState& s, bool wide, unsigned block) {
  const std::uint32_t upper_bank = wide ? 768 : 512;
  const std::uint32_t rows = s.config.get(ConfigField::DEST_TARGET_REG_CFG_MATH_Offset) + s.rwc.dst;
  const bool upper = ((rows + block) & upper_bank) != 0;
  return {.upper = upper,
          .crossed = upper != ((rows & upper_bank) != 0),
          .measured = !wide && rows < upper_bank};
}

/// Rows 16 imm .. 16 imm + 15 of one view of Dst.
void zero_16_rows(MachineState& s, const MicroOp& op, const ZeroAcc& fields) {
  constexpr unsigned kNoBlock = 0xFF; // documented way to apply an ADDR_MOD and clear nothing
  const unsigned blocks = fields.wide ? 32 : 64;
  const unsigned imm = fields.imm & 0xFF;
  unsigned block = imm;
  if (arch_params(s.config.arch()).matrix.zeroacc_picks_half &&
      s.config.get(ConfigField::DEST_ACCESS_CFG_zeroacc_absolute_tile_mode) == 0) {
    const BankOfZeroAcc bank = bank_of_zeroacc(s, fields.wide, imm);
    if (imm != kNoBlock && bank.crossed)
      report_fault(s, op,
                   bank.measured ? RuntimeFault::ZeroAccOtherBank : RuntimeFault::ZeroAccBankOpen);
    if (bank.upper) block += blocks / 2;
  }
  if (block >= blocks) {
    if (imm != kNoBlock) report_fault(s, op, RuntimeFault::ZeroAccOutOfRange);
    return;
  }
  for (unsigned i = 0; i < 16; ++i)
    s.dst.set_valid(stored_dst_row(s.config, 16 * block + i, fields.wide), fields.revert);
}

void zeroacc(MachineState& s, const MicroOp& op) {
  const ZeroAcc fields = zeroacc_fields(s.config.arch(), op);
  switch (fields.mode) {
    case 0: {
      const std::uint32_t row =
          fields.imm + s.rwc.dst + s.config.get(ConfigField::DEST_TARGET_REG_CFG_MATH_Offset);
      s.dst.set_valid(matrix_dst_row(s.config, row & Rwc::kDstMask, has_32bit_dst(s.config)),
                      fields.revert);
      break;
    }
    case 1: zero_16_rows(s, op, fields); break;
    case 2: {
      const std::uint64_t flags = fields.revert ? ~std::uint64_t{0} : 0;
      std::fill_n(&s.dst.valid_bits[(fields.imm & 1) != 0 ? 8 : 0], 8, flags);
      return;
    }
    default: s.dst.valid_bits.fill(fields.revert ? ~std::uint64_t{0} : 0); return;
  }
  apply_matrix_addr_mod(s, op);
}

template <isa::Literal Name>
bool zerosrc_bit(const MicroOp& op) {
  return isa::field<Name, Op::ZEROSRC>(op.word) != 0;
}

void fill_banks(SourceFile& file, const MicroOp& op, std::uint32_t cell) {
  const unsigned single = zerosrc_bit<"SingleBankMatrixUnit">(op) ? file.current : file.filling;
  for (unsigned bank = 0; bank < kSourceBanks; ++bank) {
    if (zerosrc_bit<"BothBanks">(op) || bank == single)
      std::fill_n(&file.cell[bank][0][0], kSourceRows * kSourceColumns, cell);
  }
}

void zerosrc(MachineState& s, const MicroOp& op) {
  constexpr std::uint32_t kAllOnes = 0xFFFFE000U;
  if (zerosrc_bit<"ClearSrcA">(op))
    fill_banks(s.srca, op, zerosrc_bit<"NegativeInfSrcA">(op) ? kAllOnes : 0);
  if (zerosrc_bit<"ClearSrcB">(op)) fill_banks(s.srcb, op, 0);
}

// -------------------------------------------------------------- Shifting

void trnspsrcb(MachineState& s, const MicroOp& op) {
  await_srcb(s, op);
  auto* rows = s.srcb.rows() + 16;
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned j = 0; j < i; ++j) std::swap(rows[i][j], rows[j][i]);
  }
}

void shiftxa(MachineState& s, const MicroOp& op) {
  await_srca(s, op);
  constexpr unsigned kRight = 2, kLeft = 3;
  const unsigned direction = isa::field<"Direction", Op::SHIFTXA>(op.word);
  auto* const rows = s.srca.rows();
  for (unsigned row = 0; row < 16; ++row) {
    const auto* from = rows[s.last_srca_row + row];
    auto* to = rows[row];
    if (direction == kRight) {
      std::copy_backward(from, from + kSourceColumns - 1, to + kSourceColumns);
      to[0] = 0;
    } else if (direction == kLeft) {
      std::copy(from + 1, from + kSourceColumns, to);
      to[kSourceColumns - 1] = 0;
    }
  }
}

void shiftxb(MachineState& s, const MicroOp& op) {
  await_srcb(s, op);
  auto* const row =
      s.srcb.rows()[(isa::field<"SrcRow", Op::SHIFTXB>(op.word) + s.rwc.srcb) & Rwc::kSrcMask];
  std::rotate(row, row + 1, row + kSourceColumns);
  if (isa::field<"ShiftInZero", Op::SHIFTXB>(op.word) != 0) row[kSourceColumns - 1] = 0;
  apply_matrix_addr_mod(s, op);
}

} // namespace

Kernel find_matrix_control_kernel(Op op) {
  static constexpr KernelOf kList[] = {
      {Op::SETRWC, setrwc_and_flip},
      {Op::INCRWC, incrwc},
      {Op::CLEARDVALID, cleardvalid},
      {Op::SETDVALID, setdvalid},
      {Op::ZEROACC, zeroacc},
      {Op::ZEROSRC, zerosrc},
      {Op::TRNSPSRCB, trnspsrcb},
      {Op::SHIFTXA, shiftxa},
      {Op::SHIFTXB, shiftxb},
      // The histograms of the packers and the operand caches are no part of the machine (MU 7).
      {Op::CLREXPHIST, no_effect},
      {Op::GATESRCRST, no_effect},
  };
  return kernel_in(kList, op);
}

NeededSources needed_sources(Op op) {
  switch (isa::matrix_kind(op)) {
    case isa::MatrixKind::ElementSum:
    case isa::MatrixKind::Product:
    case isa::MatrixKind::Legacy: return {.srca = true, .srcb = true};
    case isa::MatrixKind::None:
    case isa::MatrixKind::MoveToDst:
    case isa::MatrixKind::MoveFromDst:
    case isa::MatrixKind::Clear: break;
  }
  return {.srca = op == Op::MOVA2D || op == Op::SHIFTXA,
          .srcb = op == Op::MOVB2D || op == Op::MOVB2A || op == Op::TRNSPSRCB || op == Op::SHIFTXB};
}

bool has_32bit_dst(const ConfigState& config) {
  return config.get(ConfigField::ALU_ACC_CTRL_Fp32_enabled) != 0 ||
         config.get(ConfigField::ALU_ACC_CTRL_INT8_math_enabled) != 0;
}

void await_srca(MachineState& s, const MicroOp& op) {
  if (!owns_current(s.srca)) [[unlikely]]
    report_fault(s, op, RuntimeFault::WaitsForSrcA);
}

void await_srcb(MachineState& s, const MicroOp& op) {
  if (!owns_current(s.srcb)) [[unlikely]]
    report_fault(s, op, RuntimeFault::WaitsForSrcB);
}

void apply_matrix_addr_mod(MachineState& s, const MicroOp& op) {
  const AddrModWords words = s.config.addr_mod_words(op.addr_mod, s.rwc);
  if ((words.ab | words.dst | words.bias) == 0) return;
  move_counters(s.rwc, words, true);
  if (s.rwc.bias != 0 && !arch_params(s.config.arch()).front_end.addr_mod_has_base) [[unlikely]]
    report_fault(s, op, RuntimeFault::BiasWithoutUse);
}

[[gnu::flatten]] void finish_matrix_instruction(MachineState& s, const MicroOp& op) {
  // The wait comes before everything else, but only its report can be seen, and nothing has changed
  // the banks since.
  await_srca(s, op);
  await_srcb(s, op);
  apply_matrix_addr_mod(s, op);
  flip_by_word(s, op);
}

} // namespace lanewise
