#include "machine/control.h"

#include "machine/bits.h"
#include "machine/predication.h"
#include "machine/sfpconfig.h"
#include "machine/state.h"

namespace lanewise {

namespace {

/// MU 7, SETRWC: for each counter that is selected, value or value + copy, into counter and copy.
void setrwc(MachineState& s, const MicroOp& op) {
  Rwc& rwc = s.rwc;
  const std::uint32_t mask = bit_field(op.word, 3, 0);
  const auto set = [](std::uint32_t& counter, std::uint32_t& copy, std::uint32_t wrap,
                      std::uint32_t value) { counter = copy = value & wrap; };
  if ((mask & 1) != 0) {
    const std::uint32_t base = bit_field(op.word, 18, 18) != 0 ? rwc.srca_cr : 0;
    set(rwc.srca, rwc.srca_cr, Rwc::kSrcMask, base + bit_field(op.word, 9, 6));
  }
  if ((mask & 2) != 0) {
    const std::uint32_t base = bit_field(op.word, 19, 19) != 0 ? rwc.srcb_cr : 0;
    set(rwc.srcb, rwc.srcb_cr, Rwc::kSrcMask, base + bit_field(op.word, 13, 10));
  }
  const bool c_to_cr = bit_field(op.word, 21, 21) != 0;
  if ((mask & 4) != 0 || c_to_cr) {
    const std::uint32_t cr_base = bit_field(op.word, 20, 20) != 0 ? rwc.dst_cr : 0;
    set(rwc.dst, rwc.dst_cr, Rwc::kDstMask,
        (c_to_cr ? rwc.dst : cr_base) + bit_field(op.word, 17, 14));
  }
  if ((mask & 8) != 0) rwc.fidelity = 0;
  const auto flip = [](SourceFile& banks, bool keeps_data) {
    if (!keeps_data) banks.owned_by_matrix_unit[banks.current] = false;
    banks.current ^= 1;
  };
  using isa::ConfigField;
  if (bit_field(op.word, 22, 22) != 0)
    flip(s.srca, s.config.get(ConfigField::CLR_DVALID_SrcA_Disable) != 0);
  if (bit_field(op.word, 23, 23) != 0)
    flip(s.srcb, s.config.get(ConfigField::CLR_DVALID_SrcB_Disable) != 0);
}

/// MU 7, INCRWC.
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
  add(rwc.srca, rwc.srca_cr, Rwc::kSrcMask, bit_field(op.word, 18, 18) != 0,
      bit_field(op.word, 9, 6));
  add(rwc.srcb, rwc.srcb_cr, Rwc::kSrcMask, bit_field(op.word, 19, 19) != 0,
      bit_field(op.word, 13, 10));
  add(rwc.dst, rwc.dst_cr, Rwc::kDstMask, bit_field(op.word, 20, 20) != 0,
      bit_field(op.word, 17, 14));
}

/// Effects of a configuration write beyond the word itself.
void after_shared_write(MachineState& s, const MicroOp& op, unsigned word) {
  using isa::ConfigField;
  const Arch arch = s.config.arch();
  if (word == isa::config_place(ConfigField::PRNG_SEED_Seed_Val).word_of(arch)) {
    seed_prng(s.vector, s.config.get(ConfigField::PRNG_SEED_Seed_Val));
  }
  if (word == isa::config_place(ConfigField::DEST_REGW_BASE_Base).word_of(arch) &&
      s.config.get(ConfigField::DEST_REGW_BASE_Base) != 0) {
    s.faults.add(RuntimeFault::DestBaseIgnored, op.word, op.line, 0);
  }
}

void write_config(MachineState& s, const MicroOp& op, unsigned word, std::uint32_t value,
                  std::uint32_t mask) {
  if (s.config.write_shared(word, value, mask, kMathThread)) {
    after_shared_write(s, op, word);
  } else {
    s.faults.add(RuntimeFault::ConfigWordOutOfRange, op.word, op.line, 0);
  }
}

/// RMWCIB0..3: the masked bits of one byte of a configuration word.
template <unsigned Byte>
void rmwcib(MachineState& s, const MicroOp& op) {
  const std::uint32_t mask = bit_field(op.word, 23, 16) << (8 * Byte);
  const std::uint32_t value = bit_field(op.word, 15, 8) << (8 * Byte);
  write_config(s, op, bit_field(op.word, 7, 0), value, mask);
}

/// WRCFG: one configuration word, or four aligned ones, from scalar registers.
void wrcfg(MachineState& s, const MicroOp& op) {
  const unsigned source = bit_field(op.word, 21, 16);
  const unsigned word = bit_field(op.word, 10, 0);
  if (bit_field(op.word, 15, 15) == 0) return write_config(s, op, word, s.gpr[source], ~0U);
  for (unsigned i = 0; i < 4; ++i)
    write_config(s, op, (word & ~3U) + i, s.gpr[(source & ~3U) + i], ~0U);
}

void setc16(MachineState& s, const MicroOp& op) {
  const auto value = static_cast<std::uint16_t>(bit_field(op.word, 15, 0));
  if (!s.config.write_thread(bit_field(op.word, 23, 16), value, kMathThread)) {
    s.faults.add(RuntimeFault::ConfigWordOutOfRange, op.word, op.line, 0);
  }
}

/// SETDMAREG, immediate form: 16 bits into one half of a scalar register.
void setdmareg(MachineState& s, const MicroOp& op) {
  const unsigned half = bit_field(op.word, 6, 0);
  const unsigned shift = (half & 1) * 16;
  std::uint32_t& target = s.gpr[half / 2];
  target = (target & ~(0xFFFFU << shift)) | bit_field(op.word, 23, 8) << shift;
}

} // namespace

Kernel find_control_kernel(Arch arch, isa::Op op) {
  using isa::Op;
  switch (op) {
    case Op::NOP:
    case Op::SFPNOP:
    case Op::DMANOP:
    case Op::STALLWAIT:
      return no_effect; // waiting is for the clock; values come in program order here
    case Op::SFPENCC: return sfpencc;
    case Op::SFPPUSHC: return arch_params(arch).pushc_mutates ? sfppushc : sfppushc_without_modes;
    case Op::SFPPOPC: return arch_params(arch).popc_full_stack_bug ? sfppopc_with_bug : sfppopc;
    case Op::SFPCOMPC: return sfpcompc;
    case Op::SFPCONFIG: return sfpconfig;
    case Op::SETRWC: return setrwc;
    case Op::INCRWC: return incrwc;
    case Op::SETC16: return setc16;
    case Op::RMWCIB0: return rmwcib<0>;
    case Op::RMWCIB1: return rmwcib<1>;
    case Op::RMWCIB2: return rmwcib<2>;
    case Op::RMWCIB3: return rmwcib<3>;
    case Op::WRCFG: return wrcfg;
    case Op::SETDMAREG: return setdmareg;
    default: return nullptr;
  }
}

void template_write(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const std::uint32_t executing = v.switches.backdoor_closed;
  for (unsigned column = 0; column < kColumns; ++column) {
    if ((executing >> column & 1U) == 0) {
      v.macro.instruction_template[op.vd - kFirstTemplateVd][column] = op.word;
    }
  }
  if (executing == 0) return;
  v.active = executing;
  op.instruction(s, op);
  v.active = kAllLanes;
}

void no_effect(MachineState&, const MicroOp&) {}

} // namespace lanewise
