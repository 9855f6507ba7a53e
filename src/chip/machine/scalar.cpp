#include "chip/machine/scalar.h"

#include <bit>
#include <optional>

#include "chip/isa/fields.h"
#include "chip/machine/config_effects.h"
#include "chip/machine/kernel_list.h"
#include "chip/machine/state.h"

namespace lanewise {

namespace {

using isa::ConfigField;
using isa::Op;

// The six arithmetic instructions have their operands at the same bits.
template <isa::Literal Name>
std::uint32_t dmareg_field(const MicroOp& op) {
  return isa::field<Name, Op::ADDDMAREG, Op::SUBDMAREG, Op::MULDMAREG, Op::BITWOPDMAREG,
                    Op::SHIFTDMAREG, Op::CMPDMAREG>(op.word);
}

template <isa::Literal Name>
std::uint32_t dmareg_mode(const MicroOp& op) {
  return isa::field<Name, Op::BITWOPDMAREG, Op::SHIFTDMAREG, Op::CMPDMAREG>(op.word);
}

/// What an operation makes of its operands; nothing in a mode that has no meaning.
using ScalarFunction = std::optional<std::uint32_t> (*)(std::uint32_t left, std::uint32_t right,
                                                        std::uint32_t mode);

template <ScalarFunction Function, bool HasMode>
void scalar_operation(MachineState& s, const MicroOp& op) {
  const std::uint32_t second = dmareg_field<"RightReg">(op);
  const std::uint32_t right = dmareg_field<"OpBIsConst">(op) != 0 ? second : s.gpr[second];
  const std::uint32_t mode = HasMode ? dmareg_mode<"Mode">(op) : 0;
  if (const auto result = Function(s.gpr[dmareg_field<"LeftReg">(op)], right, mode)) {
    s.gpr[dmareg_field<"ResultReg">(op)] = *result;
  } else {
    s.faults.add(RuntimeFault::ScalarModeUnknown, op.word, op.line, 0);
  }
}

std::optional<std::uint32_t> add(std::uint32_t a, std::uint32_t b, std::uint32_t /*mode*/) {
  return a + b;
}

std::optional<std::uint32_t> subtract(std::uint32_t a, std::uint32_t b, std::uint32_t /*mode*/) {
  return a - b;
}

/// The low 16 bits of each (core.md 8).
std::optional<std::uint32_t> multiply(std::uint32_t a, std::uint32_t b, std::uint32_t /*mode*/) {
  return (a & 0xFFFF) * (b & 0xFFFF);
}

std::optional<std::uint32_t> combine(std::uint32_t a, std::uint32_t b, std::uint32_t mode) {
  constexpr std::uint32_t kAnd = 0, kOr = 1, kXor = 2;
  if (mode == kAnd) return a & b;
  if (mode == kOr) return a | b;
  if (mode == kXor) return a ^ b;
  return std::nullopt;
}

std::optional<std::uint32_t> shift(std::uint32_t a, std::uint32_t b, std::uint32_t mode) {
  constexpr std::uint32_t kLeft = 0, kRight = 1;
  if (mode == kLeft) return a << (b & 31);
  if (mode == kRight) return a >> (b & 31);
  return std::nullopt;
}

std::optional<std::uint32_t> compare(std::uint32_t a, std::uint32_t b, std::uint32_t mode) {
  constexpr std::uint32_t kGreater = 0, kLess = 1, kEqual = 2;
  if (mode == kGreater) return a > b ? 1 : 0;
  if (mode == kLess) return a < b ? 1 : 0;
  if (mode == kEqual) return a == b ? 1 : 0;
  return std::nullopt;
}

/// RDCFG: a configuration word of the thread's bank into a scalar register. It takes several
/// cycles on hardware, for which the program waits.
void rdcfg(MachineState& s, const MicroOp& op) {
  const unsigned word = isa::field<"CfgIndex", Op::RDCFG>(op.word);
  if (word >= arch_params(s.config.arch()).config.shared_words) {
    s.faults.add(RuntimeFault::ConfigWordOutOfRange, op.word, op.line, 0);
    return;
  }
  const std::uint32_t value = s.config.shared_word(s.config.bank_of(s.config.thread()), word);
  s.gpr[isa::field<"ResultReg", Op::RDCFG>(op.word)] = value;
  if ((value & ~bits_of_fields(s.config.arch(), word)) != 0)
    s.faults.add(RuntimeFault::ConfigBitsOfNoField, op.word, op.line, 0);
}

template <isa::Literal Name>
std::uint32_t shift_mask_field(const MicroOp& op) {
  return isa::field<Name, Op::CFGSHIFTMASK>(op.word);
}

/// Operation of CFGSHIFTMASK, by its code.
std::uint32_t shift_mask_result(std::uint32_t operation, std::uint32_t old, std::uint32_t scratch) {
  switch (operation) {
    case 0: return old | scratch;
    case 1: return old & scratch;
    case 2: return old ^ scratch;
    case 3: return old + scratch;
    case 4: return old | ~scratch;
    case 5: return old & ~scratch;
    case 6: return old ^ ~scratch;
    default: return old - scratch; // the field has 3 bits
  }
}

/// CFGSHIFTMASK: a configuration word and a scratch word, masked and rotated.
void cfgshiftmask(MachineState& s, const MicroOp& op) {
  const unsigned word = shift_mask_field<"CfgIndex">(op);
  if (word >= arch_params(s.config.arch()).config.shared_words) {
    s.faults.add(RuntimeFault::ConfigWordOutOfRange, op.word, op.line, 0);
    return;
  }
  constexpr unsigned kOwn = 3; // as many scratch words as threads; this stands for the own one
  const unsigned selected = shift_mask_field<"ScratchSel">(op);
  const unsigned section = selected < kOwn ? selected : s.config.thread();
  const std::uint32_t mask = (2U << shift_mask_field<"MaskWidth">(op)) - 1;
  const auto amount = static_cast<int>(shift_mask_field<"RightCshiftAmt">(op));
  const std::uint32_t scratch = std::rotr(
      s.config.get(isa::of_section(ConfigField::SCRATCH_SEC0_val, section)) & mask, amount);
  std::uint32_t old = s.config.shared_word(s.config.bank_of(s.config.thread()), word);
  if (shift_mask_field<"DisableMaskOnOldVal">(op) == 0) old &= ~std::rotr(mask, amount);
  s.config.write_shared(word, shift_mask_result(shift_mask_field<"Operation">(op), old, scratch),
                        ~0U, s.config.thread());
  after_config_write(s, isa::ConfigScope::Shared, word, op.word, op.line);
}

} // namespace

Kernel find_scalar_kernel(Op op) {
  static constexpr KernelOf kList[] = {
      {Op::ADDDMAREG, scalar_operation<add, false>},
      {Op::SUBDMAREG, scalar_operation<subtract, false>},
      {Op::MULDMAREG, scalar_operation<multiply, false>},
      {Op::BITWOPDMAREG, scalar_operation<combine, true>},
      {Op::SHIFTDMAREG, scalar_operation<shift, true>},
      {Op::CMPDMAREG, scalar_operation<compare, true>},
      {Op::RDCFG, rdcfg},
      {Op::CFGSHIFTMASK, cfgshiftmask},
  };
  return kernel_in(kList, op);
}

} // namespace lanewise
