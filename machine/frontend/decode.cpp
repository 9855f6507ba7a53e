// Words to micro-ops: operands are taken out once, and the guards that depend on VD are settled.
#include <fmt/format.h>

#include "isa/config.h"
#include "isa/def_use.h"
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

/// Instructions that do nothing at all, not even to flags, unless VD is writable (VU C14). The
/// others of the Vector Unit execute for any VD below 12 and merely leave out the write.
bool is_result_gated(Arch arch, Op op, unsigned mod) {
  switch (op) {
    case Op::SFPLOADI:
    case Op::SFPABS:
    case Op::SFPAND:
    case Op::SFPOR:
    case Op::SFPXOR:
    case Op::SFPNOT:
    case Op::SFPDIVP2:
    case Op::SFPEXEXP:
    case Op::SFPEXMAN:
    case Op::SFPIADD:
    case Op::SFPLZ:
    case Op::SFPSETEXP:
    case Op::SFPSETMAN:
    case Op::SFPSETSGN:
    case Op::SFPSHFT:
    case Op::SFPARECIP: return true;
    case Op::SFPCAST: return (mod & arch_params(arch).cast_mode_mask) >= 2;
    case Op::SFPSHFT2: return mod >= 4;
    default: return false;
  }
}

/// Modes that the ISA gives no meaning: the instruction is reported and left out (VU 6).
bool is_undefined_mode(Op op, unsigned mod) {
  if (op == Op::SFPSHFT2) return mod > 6;
  if (op == Op::SFPLOADI)
    return mod != 0 && mod != 1 && mod != 2 && mod != 4 && mod != 8 && mod != 10;
  return false;
}

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

/// Whether the encoding names a second source apart from VD.
bool has_vb(Arch arch, Op op) {
  switch (op) {
    case Op::SFPAND:
    case Op::SFPOR: return arch_params(arch).logic_uses_vb;
    case Op::SFPARECIP:
    case Op::SFPSHFT2:
    case Op::SFPSTOCHRND:
    case Op::SFPMAD:
    case Op::SFPADD:
    case Op::SFPMUL:
    case Op::SFPMUL24: return true;
    default: return false;
  }
}

bool adds_or_multiplies_immediate(Op op) {
  return op == Op::SFPADDI || op == Op::SFPMULI;
}

/// VD as a source: VB in the Simple sub-unit, unless VB is chosen, and VC in SFPADDI and SFPMULI.
void let_vd_be_source(Arch arch, MicroOp& op) {
  const bool logic = op.op == Op::SFPAND || op.op == Op::SFPOR;
  if (!has_vb(arch, op.op) || (logic && (op.mod & 1) == 0)) op.vb = op.vd;
  if (adds_or_multiplies_immediate(op.op)) op.vc = op.vd;
}

/// VU C55. Encodings that name no VB, or no VC, have the template's VD in its place.
void override_operands(Arch arch, MicroOp& op, MacroOperands operands) {
  if (!has_vb(arch, op.op)) op.vb = op.vd;
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

/// Everything but what depends on who executes it.
Expected<MicroOp> decode_operands(Arch arch, std::uint32_t word, std::uint32_t line) {
  const isa::Decoded decoded = isa::decode(arch, word);
  if (decoded.row == nullptr) {
    return refuse(FaultKind::UndefinedBehavior,
                  fmt::format("{:08X} has opcode {:02X}, which {} does not have", word,
                              isa::opcode_of(word), arch_params(arch).long_name),
                  "check --arch and the byte order of the words", {}, line);
  }
  MicroOp op = take_operands(decoded, line);
  // The load of an SFPLOADMACRO is an SFPLOAD (VU C51, C52).
  const Op executed = op.op == Op::SFPLOADMACRO ? Op::SFPLOAD : op.op;
  Kernel kernel = find_lane_kernel(arch, executed);
  if (kernel == nullptr) kernel = find_control_kernel(arch, op.op);
  if (kernel == nullptr) kernel = find_matrix_unit_kernel(arch, op.op);
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
  const bool gated = is_result_gated(arch, op.op, op.mod) && !is_writable_lreg(op.vd);
  if (gated || is_undefined_mode(op.op, op.mod)) op.kernel = op.instruction = no_effect;
}

} // namespace

Expected<MicroOp> decode_micro_op(Arch arch, std::uint32_t word, std::uint32_t line) {
  auto op = decode_operands(arch, word, line);
  if (!op) return op;
  let_vd_be_source(arch, *op);
  apply_guards(arch, *op);
  if (op->op == Op::SFPLOADMACRO) op->kernel = needs_schedule;
  if (isa::is_template_write(arch, word)) op->kernel = template_write;
  return op;
}

Expected<MicroOp> decode_scheduled(Arch arch, std::uint32_t word, MacroOperands operands,
                                   std::uint32_t line) {
  auto op = decode_operands(arch, word, line);
  if (!op) return op;
  override_operands(arch, *op, operands);
  op->word = word_with_operands(arch, *op);
  apply_guards(arch, *op);
  if (is_undefined_mode(op->op, op->mod)) op->kernel = op->instruction = report_executed_template;
  return op;
}

MicroOp make_scheduled_store(Arch arch, unsigned vd, unsigned mod0, unsigned address_slot,
                             std::uint32_t line) {
  MicroOp op;
  op.op = Op::SFPSTORE;
  op.kernel = op.instruction = find_lane_kernel(arch, Op::SFPSTORE);
  op.word = *isa::encode(arch, Op::SFPSTORE, {{"VD", vd & 15}, {"Mod0", mod0}});
  op.line = line;
  op.vd = static_cast<std::uint8_t>(vd);
  op.mod = static_cast<std::uint8_t>(mod0);
  op.address_slot = static_cast<std::uint8_t>(address_slot);
  return op;
}

} // namespace lanewise
