// Words to micro-ops: operands are taken out once, and the guards that depend on VD are settled.
#include <fmt/format.h>

#include "chip/isa/config.h"
#include "chip/isa/effects.h"
#include "chip/isa/fields.h"
#include "chip/machine/control.h"
#include "chip/machine/frontend/kernel_table.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/scheduled.h"
#include "chip/machine/vector/vector_state.h"

namespace lanewise {

namespace {

using isa::Op;

MicroOp take_operands(const isa::Decoded& decoded, std::uint32_t line) {
  const isa::OperandPlaces& places = decoded.row->operands;
  const auto byte = [&](const isa::Place& place) {
    return static_cast<std::uint8_t>(place.extract(decoded.word));
  };
  MicroOp op;
  op.word = decoded.word;
  op.line = line;
  op.op = decoded.row->op;
  op.immediate = places.extract_immediate(decoded.word);
  op.va = byte(places.va);
  op.vb = byte(places.vb);
  op.vc = byte(places.vc);
  op.vd = byte(places.vd);
  op.mod = byte(places.modifier);
  op.addr_mod = byte(places.addr_mod);
  if (op.op == Op::SFPCONFIG)
    op.vd = static_cast<std::uint8_t>(isa::field<"ConfigDest", Op::SFPCONFIG>(op.word));
  // VU C36: SFPSHFT2 takes VB from the low bits of what is an immediate in mode 6.
  if (op.op == Op::SFPSHFT2) op.vb = static_cast<std::uint8_t>(op.immediate & 15);
  if (op.op == Op::SFPLOADMACRO) {
    const std::uint32_t vd_high = isa::field<"VDHi", Op::SFPLOADMACRO>(op.word);
    op.vd = static_cast<std::uint8_t>(vd_high << 2 | isa::field<"VDLo", Op::SFPLOADMACRO>(op.word));
    op.immediate =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(op.immediate) << 1 | vd_high);
  }
  return op;
}

/// Whether the encoding names a second source apart from VD: SFPSHFT2's is in its immediate.
bool has_vb(const isa::Row& row) {
  return row.op == Op::SFPSHFT2 || row.operands.vb.exists();
}

bool adds_or_multiplies_immediate(Op op) {
  return op == Op::SFPADDI || op == Op::SFPMULI;
}

/// VD as a source: VB in the Simple sub-unit, unless VB is chosen, and VC in SFPADDI and SFPMULI.
void let_vd_be_source(const isa::Row& row, MicroOp& op) {
  const bool logic = op.op == Op::SFPAND || op.op == Op::SFPOR;
  if (!has_vb(row) || (logic && (op.mod & 1) == 0)) op.vb = op.vd;
  if (adds_or_multiplies_immediate(op.op)) op.vc = op.vd;
}

/// VU C55. Encodings that name no VB, or no VC, have the template's VD in its place.
void override_operands(const isa::Row& row, MicroOp& op, MacroOperands operands) {
  if (!has_vb(row)) op.vb = op.vd;
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

/// Where STOREREG stores (ISA STOREREG).
std::uint32_t stored_address(std::uint32_t storereg) {
  constexpr std::uint32_t kRegisters = 0xFFB00000;
  return kRegisters + (isa::field<"AddrLo", Op::STOREREG>(storereg) << 2);
}

std::uint32_t feature_disable_address(Arch arch) {
  return isa::debug_address(
      arch, isa::config_place(isa::ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE));
}

Unexpected refuse_opcode(Arch arch, std::uint32_t word, std::uint32_t line) {
  const std::string_view lacks =
      has_narrow_lanes(arch) ? "is not known to have here" : "does not have";
  return refuse(FaultKind::UndefinedBehavior,
                fmt::format("{:08X} has opcode {:02X}, which {} {}", word, isa::opcode_of(word),
                            arch_params(arch).names.full, lacks),
                "check --arch and the byte order of the words", {}, line);
}

/// Whether it is a form that is not executed, of an instruction that is.
bool has_unexecuted_form(Arch arch, const MicroOp& op) {
  if (op.op == Op::SETDMAREG) return isa::field<"SetSignalsMode", Op::SETDMAREG>(op.word) != 0;
  return op.op == Op::STOREREG && stored_address(op.word) != feature_disable_address(arch);
}

Unexpected refuse_form(Arch arch, const MicroOp& op) {
  if (op.op == Op::SETDMAREG) {
    return refuse(FaultKind::Unsupported,
                  "the form that reads packer and unpacker signals is not executed",
                  "use the immediate form", "SETDMAREG", op.line);
  }
  return refuse(FaultKind::Unsupported,
                fmt::format("of the registers of the cores only DBG_FEATURE_DISABLE, at {:08X}, is "
                            "there, not {:08X}",
                            feature_disable_address(arch), stored_address(op.word)),
                "leave it out", "STOREREG", op.line);
}

Unexpected refuse_instruction(const isa::Row& row, std::uint32_t line) {
  if (isa::executor_of(row.op) == isa::Executor::Tile) {
    return refuse(FaultKind::Unsupported,
                  "needs a whole tile, with L1 and the threads beside this one; it was left out",
                  "run the three threads with lanewise tile (docs/tile.md)", row.mnemonic, line);
  }
  return refuse(FaultKind::Unsupported, "this instruction is decoded, but not executed yet",
                "leave it out; README.md lists what is executed", row.mnemonic, line);
}

/// Everything but the guards, of an instruction that is executed. `settle(row, op)` puts the
/// operands to where this executor has them.
template <class Settle>
std::optional<MicroOp> find_operands(Arch arch, const isa::Decoded& decoded, std::uint32_t line,
                                     Settle&& settle) {
  if (decoded.row == nullptr) return std::nullopt;
  MicroOp op = take_operands(decoded, line);
  settle(*decoded.row, op);
  op.kernel = op.instruction = find_kernel(arch, op);
  if (op.kernel == nullptr || has_unexecuted_form(arch, op)) return std::nullopt;
  return op;
}

/// Why a word has no micro-op.
Unexpected refuse_word(Arch arch, const isa::Decoded& decoded, std::uint32_t line) {
  if (decoded.row == nullptr) return refuse_opcode(arch, decoded.word, line);
  const MicroOp op = take_operands(decoded, line);
  if (find_kernel(arch, op) == nullptr) return refuse_instruction(*decoded.row, line);
  return refuse_form(arch, op);
}

/// Whether the instruction is to write a register that a chip of few keeps constant.
bool writes_constant(Arch arch, const isa::Effects& effects, const MicroOp& op) {
  if (!has_narrow_lanes(arch)) return false;
  const isa::Field* vd = effects.row()->field("VD");
  const bool writes =
      vd != nullptr && (vd->role == isa::Role::Write || vd->role == isa::Role::ReadWrite);
  return writes && op.vd >= arch_params(arch).vector.lregs;
}

/// Leaves out what the ISA gives no meaning and what its guard keeps from executing (VU C14).
void apply_guards(Arch arch, const isa::Effects& effects, MicroOp& op) {
  const bool gated = (effects.needs_writable_vd() && !is_writable_lreg(op.vd)) ||
                     writes_constant(arch, effects, op);
  if (gated || effects.has_undefined_mode()) op.kernel = op.instruction = no_effect;
}

} // namespace

std::optional<MicroOp> find_micro_op(Arch arch, const isa::Decoded& decoded, std::uint32_t line) {
  auto op = find_operands(arch, decoded, line, let_vd_be_source);
  if (!op) return op;
  const isa::Effects effects(arch, decoded.word);
  apply_guards(arch, effects, *op);
  if (op->op == Op::SFPLOADMACRO) op->kernel = needs_schedule;
  if (effects.is_template_write()) op->kernel = template_write;
  return op;
}

Expected<MicroOp> decode_micro_op(Arch arch, std::uint32_t word, std::uint32_t line) {
  const isa::Decoded decoded = isa::decode(arch, word);
  if (const auto op = find_micro_op(arch, decoded, line)) return *op;
  return refuse_word(arch, decoded, line);
}

Expected<MicroOp> decode_scheduled(Arch arch, std::uint32_t word, MacroOperands operands,
                                   std::uint32_t line) {
  const isa::Decoded decoded = isa::decode(arch, word);
  auto op = find_operands(arch, decoded, line, [=](const isa::Row& row, MicroOp& o) {
    override_operands(row, o, operands);
  });
  if (!op) return refuse_word(arch, decoded, line);
  op->word = word_with_operands(arch, *op);
  apply_guards(arch, isa::Effects(arch, op->word), *op);
  if (isa::Effects(arch, word).has_undefined_mode())
    op->kernel = op->instruction = report_executed_template;
  return *op;
}

MicroOp make_scheduled_store(Arch arch, unsigned vd, unsigned mod0, unsigned address_slot,
                             std::uint32_t line) {
  MicroOp op;
  op.op = Op::SFPSTORE;
  op.word = *isa::encode(arch, Op::SFPSTORE, {{"VD", vd & 15}, {"Mod0", mod0}});
  op.line = line;
  op.vd = static_cast<std::uint8_t>(vd);
  op.mod = static_cast<std::uint8_t>(mod0);
  op.kernel = op.instruction = find_kernel(arch, op); // by the mode
  op.address_slot = static_cast<std::uint8_t>(address_slot);
  return op;
}

} // namespace lanewise
