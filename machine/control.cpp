#include "machine/control.h"

#include "machine/bits.h"
#include "machine/config_effects.h"
#include "machine/frontend/static_faults.h"
#include "machine/state.h"
#include "machine/vector/predication.h"
#include "machine/vector/sfpconfig.h"

namespace lanewise {

namespace {

void write_config(MachineState& s, const MicroOp& op, unsigned word, std::uint32_t value,
                  std::uint32_t mask) {
  if (s.config.write_shared(word, value, mask, kMathThread)) {
    after_config_write(s, isa::ConfigScope::Shared, word, op.word, op.line);
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
  const unsigned word = bit_field(op.word, 23, 16);
  if (s.config.write_thread(word, value, kMathThread)) {
    after_config_write(s, isa::ConfigScope::Thread, word, op.word, op.line);
  } else {
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

/// STOREREG: a scalar register into the one register of the cores that Dst looks at.
void storereg(MachineState& s, const MicroOp& op) {
  set_config_field(s, isa::ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE,
                   s.gpr[bit_field(op.word, 23, 18)]);
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
    case Op::SETC16: return setc16;
    case Op::RMWCIB0: return rmwcib<0>;
    case Op::RMWCIB1: return rmwcib<1>;
    case Op::RMWCIB2: return rmwcib<2>;
    case Op::RMWCIB3: return rmwcib<3>;
    case Op::WRCFG: return wrcfg;
    case Op::SETDMAREG: return setdmareg;
    case Op::STOREREG: return storereg;
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
  report_executed_template(s, op);
  v.active = executing;
  op.instruction(s, op);
  v.active = kAllLanes;
}

void report_executed_template(MachineState& s, const MicroOp& op) {
  if (!execution_faults(s.config.arch(), op.word, op.line).empty())
    s.faults.add(RuntimeFault::ExecutedTemplate, op.word, op.line, 0);
}

void no_effect(MachineState&, const MicroOp&) {}

} // namespace lanewise
