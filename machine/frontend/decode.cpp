// Words to micro-ops: operands are taken out once, and the guards that depend on VD are settled.
#include <fmt/format.h>

#include "isa/config.h"
#include "isa/effects.h"
#include "machine/control.h"
#include "machine/matrix/arithmetic.h"
#include "machine/matrix/control.h"
#include "machine/matrix/moves.h"
#include "machine/micro_op.h"
#include "machine/scheduled.h"
#include "machine/simd_level.h"
#include "machine/vector/vector_state.h"

namespace lanewise {

namespace {

using isa::Op;

/// The one field of a row that holds its number: immediates of the Vector Unit come singly.
std::int32_t immediate_of(const isa::Decoded& decoded) {
  for (const isa::Field& field : decoded.row->fields()) {
    if (field.role == isa::Role::Immediate && field.name.starts_with("Imm")) {
      return static_cast<std::int32_t>(field.extract(decoded.word));
    }
    if (field.role == isa::Role::SignedImmediate) {
      return isa::sign_extend(field.extract(decoded.word), field.width());
    }
  }
  return 0;
}

MicroOp take_operands(const isa::Decoded& decoded, std::uint32_t line) {
  const auto byte = [&](std::string_view field) {
    return static_cast<std::uint8_t>(decoded[field]);
  };
  MicroOp op;
  op.word = decoded.word;
  op.line = line;
  op.op = decoded.row->op;
  op.immediate = immediate_of(decoded);
  op.va = byte("VA");
  op.vb = byte("VB");
  op.vc = byte("VC");
  op.vd = decoded.row->op == Op::SFPCONFIG ? byte("ConfigDest") : byte("VD");
  op.mod = decoded.row->field("Mod0") != nullptr ? byte("Mod0") : byte("Mod1");
  op.addr_mod = byte("AddrMod");
  // VU C36: SFPSHFT2 takes VB from the low bits of what is an immediate in mode 6.
  if (op.op == Op::SFPSHFT2) op.vb = static_cast<std::uint8_t>(op.immediate & 15);
  if (op.op == Op::SFPLOADMACRO) {
    op.vd = static_cast<std::uint8_t>(decoded["VDHi"] << 2 | decoded["VDLo"]);
    op.immediate = static_cast<std::int32_t>(decoded["Imm9"] << 1 | decoded["VDHi"]);
  }
  return op;
}

/// Whether the encoding names a second source apart from VD: SFPSHFT2's is in its immediate.
bool has_vb(Arch arch, const MicroOp& op) {
  return op.op == Op::SFPSHFT2 || isa::decode(arch, op.word).row->field("VB") != nullptr;
}

bool adds_or_multiplies_immediate(Op op) {
  return op == Op::SFPADDI || op == Op::SFPMULI;
}

/// VD as a source: VB in the Simple sub-unit, unless VB is chosen, and VC in SFPADDI and SFPMULI.
void let_vd_be_source(Arch arch, MicroOp& op) {
  const bool logic = op.op == Op::SFPAND || op.op == Op::SFPOR;
  if (!has_vb(arch, op) || (logic && (op.mod & 1) == 0)) op.vb = op.vd;
  if (adds_or_multiplies_immediate(op.op)) op.vc = op.vd;
}

/// VU C55. Encodings that name no VB, or no VC, have the template's VD in its place.
void override_operands(Arch arch, MicroOp& op, MacroOperands operands) {
  if (!has_vb(arch, op)) op.vb = op.vd;
  if (adds_or_multiplies_immediate(op.op)) op.vc = op.vd;
  (operands.macro_is_vb ? op.vb : op.vc) = operands.vd;
  op.vd = operands.writes_macro_lreg ? kMacroLReg : operands.vd;
}

/// The word of an instruction whose operands were overridden, as far as a word can say it: VD 16
/// reads as 0.
std::uint32_t word_with_operands(Arch arch, const MicroOp& op) {
  const isa::Row* row = isa::decode(arch, op.word).row;
  std::uint32_t word = op.word;
  const auto put = [&](std::string_view name, unsigned value) {
    if (const isa::Field* field = row->field(name); field != nullptr)
      word = (word & ~field->mask()) | field->insert(value);
  };
  // SFPSWAP operates on VB and VC (VU Q1).
  put("VD", op.op == Op::SFPSWAP ? op.vb : op.vd & 15U);
  put("ConfigDest", op.vd & 15U);
  put("VB", op.vb);
  put("VC", op.vc);
  return word;
}

Unexpected refuse(FaultKind kind, std::string message, std::string remedy,
                  std::string_view instruction, std::uint32_t line) {
  return Unexpected(Fault{.kind = kind,
                          .message = std::move(message),
                          .remedy = std::move(remedy),
                          .instruction = std::string(instruction),
                          .line = line});
}

/// What the Matrix Unit executes, and SETDVALID, which belongs to its banks.
Kernel find_matrix_unit_kernel(Arch arch, Op op) {
  if (const Kernel kernel = find_matrix_kernel(arch, op)) return kernel;
  if (const Kernel kernel = find_matrix_move_kernel(op)) return kernel;
  return find_matrix_control_kernel(op);
}

/// Where STOREREG stores (ISA STOREREG).
std::uint32_t stored_address(const isa::Decoded& storereg) {
  constexpr std::uint32_t kRegisters = 0xFFB00000;
  return kRegisters + (storereg["AddrLo"] << 2);
}

std::uint32_t feature_disable_address(Arch arch) {
  return isa::debug_address(
      arch, isa::config_place(isa::ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE));
}

/// The kernel that executes what `op` says; nullptr if nothing does.
Kernel find_kernel(Arch arch, const MicroOp& op) {
  MicroOp executed = op;
  // The load of an SFPLOADMACRO is an SFPLOAD (VU C51, C52).
  if (op.op == Op::SFPLOADMACRO) executed.op = Op::SFPLOAD;
  if (const Kernel kernel = find_lane_kernel(arch, executed)) return kernel;
  if (const Kernel kernel = find_control_kernel(arch, op.op)) return kernel;
  return find_matrix_unit_kernel(arch, op.op);
}

/// Everything but the guards. `settle(op)` puts the operands to where this executor has them.
template <class Settle>
Expected<MicroOp> decode_operands(Arch arch, std::uint32_t word, std::uint32_t line,
                                  Settle&& settle) {
  const isa::Decoded decoded = isa::decode(arch, word);
  if (decoded.row == nullptr) {
    return refuse(FaultKind::UndefinedBehavior,
                  fmt::format("{:08X} has opcode {:02X}, which {} does not have", word,
                              isa::opcode_of(word), arch_params(arch).long_name),
                  "check --arch and the byte order of the words", {}, line);
  }
  MicroOp op = take_operands(decoded, line);
  settle(op);
  const Kernel kernel = find_kernel(arch, op);
  if (kernel == nullptr) {
    return refuse(FaultKind::Unsupported, "this instruction is decoded, but not executed yet",
                  "leave it out; README.md lists what is executed", decoded.row->mnemonic, line);
  }
  if (op.op == Op::SETDMAREG && decoded["SetSignalsMode"] != 0) {
    return refuse(FaultKind::Unsupported,
                  "the form that reads packer and unpacker signals is not executed",
                  "use the immediate form", decoded.row->mnemonic, line);
  }
  if (op.op == Op::STOREREG && stored_address(decoded) != feature_disable_address(arch)) {
    return refuse(
        FaultKind::Unsupported,
        fmt::format("of the registers of the cores only DBG_FEATURE_DISABLE, at {:08X}, is "
                    "there, not {:08X}",
                    feature_disable_address(arch), stored_address(decoded)),
        "leave it out", decoded.row->mnemonic, line);
  }
  op.kernel = op.instruction = kernel;
  return op;
}

/// Leaves out what the ISA gives no meaning and what its guard keeps from executing (VU C14).
void apply_guards(Arch arch, MicroOp& op) {
  const isa::Effects effects(arch, op.word);
  const bool gated = effects.needs_writable_vd() && !is_writable_lreg(op.vd);
  if (gated || effects.has_undefined_mode()) op.kernel = op.instruction = no_effect;
}

} // namespace

Expected<MicroOp> decode_micro_op(Arch arch, std::uint32_t word, std::uint32_t line) {
  auto op = decode_operands(arch, word, line, [=](MicroOp& o) { let_vd_be_source(arch, o); });
  if (!op) return op;
  apply_guards(arch, *op);
  if (op->op == Op::SFPLOADMACRO) op->kernel = needs_schedule;
  if (isa::Effects(arch, word).is_template_write()) op->kernel = template_write;
  return op;
}

Expected<MicroOp> decode_scheduled(Arch arch, std::uint32_t word, MacroOperands operands,
                                   std::uint32_t line) {
  auto op =
      decode_operands(arch, word, line, [=](MicroOp& o) { override_operands(arch, o, operands); });
  if (!op) return op;
  op->word = word_with_operands(arch, *op);
  apply_guards(arch, *op);
  if (isa::Effects(arch, word).has_undefined_mode())
    op->kernel = op->instruction = report_executed_template;
  return op;
}

MicroOp make_scheduled_store(Arch arch, unsigned vd, unsigned mod0, unsigned address_slot,
                             std::uint32_t line) {
  MicroOp op;
  op.op = Op::SFPSTORE;
  op.kernel = op.instruction = find_lane_kernel(arch, op);
  op.word = *isa::encode(arch, Op::SFPSTORE, {{"VD", vd & 15}, {"Mod0", mod0}});
  op.line = line;
  op.vd = static_cast<std::uint8_t>(vd);
  op.mod = static_cast<std::uint8_t>(mod0);
  op.address_slot = static_cast<std::uint8_t>(address_slot);
  return op;
}

} // namespace lanewise
