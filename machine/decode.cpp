// Words to micro-ops: operands are taken out once, and the guards that depend on VD are settled.
#include <fmt/format.h>

#include "isa/def_use.h"
#include "machine/control.h"
#include "machine/micro_op.h"
#include "machine/simd_level.h"
#include "machine/vector_state.h"

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
  return op;
}

Unexpected refuse(FaultKind kind, std::string message, std::string remedy,
                  std::string_view instruction, std::uint32_t line) {
  return Unexpected(Fault{.kind = kind,
                          .message = std::move(message),
                          .remedy = std::move(remedy),
                          .instruction = std::string(instruction),
                          .line = line});
}

} // namespace

Expected<MicroOp> decode_micro_op(Arch arch, std::uint32_t word, std::uint32_t line) {
  const isa::Decoded decoded = isa::decode(arch, word);
  if (decoded.row == nullptr) {
    return refuse(FaultKind::UndefinedBehavior,
                  fmt::format("{:08X} has opcode {:02X}, which {} does not have", word,
                              isa::opcode_of(word), arch_params(arch).long_name),
                  "check --arch and the byte order of the words", {}, line);
  }
  MicroOp op = take_operands(decoded, line);
  Kernel kernel = find_lane_kernel(arch, op.op);
  if (kernel == nullptr) kernel = find_control_kernel(arch, op.op);
  if (kernel == nullptr) {
    return refuse(FaultKind::Unsupported, "this instruction is decoded, but not executed yet",
                  "leave it out; README.md lists what is executed", decoded.row->mnemonic, line);
  }
  if (op.op == Op::SETDMAREG && decoded["SetSignalsMode"] != 0) {
    return refuse(FaultKind::Unsupported,
                  "the form that reads packer and unpacker signals is not executed",
                  "use the immediate form", decoded.row->mnemonic, line);
  }
  const bool result_gated = is_result_gated(arch, op.op, op.mod);
  if (is_undefined_mode(op.op, op.mod) || (result_gated && op.vd >= kWritableLRegs))
    kernel = no_effect;
  op.kernel = op.instruction = kernel;
  if (isa::is_template_write(arch, word)) op.kernel = template_write;
  return op;
}

} // namespace lanewise
