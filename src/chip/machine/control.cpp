#include "chip/machine/control.h"

#include "chip/isa/fields.h"
#include "chip/machine/config_effects.h"
#include "chip/machine/frontend/static_faults.h"
#include "chip/machine/kernel_list.h"
#include "chip/machine/state.h"
#include "chip/machine/vector/predication.h"
#include "chip/machine/vector/sfpconfig.h"

namespace lanewise {

namespace {

using isa::Op;

void write_config(MachineState& s, const MicroOp& op, unsigned word, std::uint32_t value,
                  std::uint32_t mask) {
  if (s.config.write_shared(word, value, mask, s.config.thread())) {
    after_config_write(s, isa::ConfigScope::Shared, word, op.word, op.line);
  } else {
    s.faults.add(RuntimeFault::ConfigWordOutOfRange, op.word, op.line, 0);
  }
}

template <isa::Literal Name>
std::uint32_t rmwcib_field(const MicroOp& op) {
  return isa::field<Name, Op::RMWCIB0, Op::RMWCIB1, Op::RMWCIB2, Op::RMWCIB3>(op.word);
}

/// RMWCIB0..3: the masked bits of one byte of a configuration word.
template <unsigned Byte>
void rmwcib(MachineState& s, const MicroOp& op) {
  const std::uint32_t mask = rmwcib_field<"Mask">(op) << (8 * Byte);
  const std::uint32_t value = rmwcib_field<"NewValue">(op) << (8 * Byte);
  write_config(s, op, rmwcib_field<"Index4">(op), value, mask);
}

/// Any whole write of STATE_RESET_EN's word clears the bank (core.md 9).
void write_whole_word(MachineState& s, const MicroOp& op, unsigned word, std::uint32_t value) {
  write_config(s, op, word, value, ~0U);
  if (word == isa::config_place(isa::ConfigField::STATE_RESET_EN).word_of(s.config.arch()))
    s.config.clear_bank(s.config.bank_of(s.config.thread()));
}

/// WRCFG: one configuration word, or four aligned ones, from scalar registers.
void wrcfg(MachineState& s, const MicroOp& op) {
  const unsigned source = isa::field<"InputReg", Op::WRCFG>(op.word);
  const unsigned word = isa::field<"CfgIndex", Op::WRCFG>(op.word);
  if (isa::field<"Is128Bit", Op::WRCFG>(op.word) == 0)
    return write_whole_word(s, op, word, s.gpr[source]);
  for (unsigned i = 0; i < 4; ++i)
    write_whole_word(s, op, (word & ~3U) + i, s.gpr[(source & ~3U) + i]);
}

void setc16(MachineState& s, const MicroOp& op) {
  const auto value = static_cast<std::uint16_t>(isa::field<"NewValue", Op::SETC16>(op.word));
  const unsigned word = isa::field<"CfgIndex", Op::SETC16>(op.word);
  if (s.config.write_thread(word, value, s.config.thread())) {
    after_config_write(s, isa::ConfigScope::Thread, word, op.word, op.line);
  } else {
    s.faults.add(RuntimeFault::ConfigWordOutOfRange, op.word, op.line, 0);
  }
}

/// SETDMAREG, immediate form: 16 bits into one half of a scalar register.
void setdmareg(MachineState& s, const MicroOp& op) {
  const unsigned half = isa::field<"ResultHalfReg", Op::SETDMAREG>(op.word);
  // The immediate form has its 16 bits in the fields of the other one.
  constexpr isa::Field kLow = isa::field_place<"PayloadSigSel", Op::SETDMAREG>();
  const std::uint32_t value = isa::field<"PayloadSigSelSize", Op::SETDMAREG>(op.word)
                                  << kLow.width() |
                              kLow.extract(op.word);
  const unsigned shift = (half & 1) * 16;
  std::uint32_t& target = s.gpr[half / 2];
  target = (target & ~(0xFFFFU << shift)) | value << shift;
}

/// STOREREG: a scalar register into the one register of the cores that Dst looks at.
void storereg(MachineState& s, const MicroOp& op) {
  set_config_field(s, isa::ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE,
                   s.gpr[isa::field<"DataReg", Op::STOREREG>(op.word)]);
}

} // namespace

Kernel find_control_kernel(Arch arch, Op op) {
  if (const Kernel kernel = find_predication_kernel<MachineState>(arch, op)) return kernel;
  static constexpr KernelOf kList[] = {
      // Waiting is for the clock; values come in program order here.
      {Op::NOP, no_effect},       {Op::SFPNOP, no_effect},    {Op::DMANOP, no_effect},
      {Op::STALLWAIT, no_effect}, {Op::SFPCONFIG, sfpconfig}, {Op::SETC16, setc16},
      {Op::RMWCIB0, rmwcib<0>},   {Op::RMWCIB1, rmwcib<1>},   {Op::RMWCIB2, rmwcib<2>},
      {Op::RMWCIB3, rmwcib<3>},   {Op::WRCFG, wrcfg},         {Op::SETDMAREG, setdmareg},
      {Op::STOREREG, storereg},
  };
  return kernel_in(kList, op);
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
