#include "chip/isa/operand_defaults.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "chip/isa/def_use.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"

namespace lanewise::isa {
namespace {

/// Offsets of rows of Dst, SrcA and SrcB, and in SFPLOADMACRO the upper bit of its VD.
constexpr std::array<std::string_view, 7> kOffsets{"Imm10",   "Imm9",    "DstRow", "SrcRow",
                                                   "SrcARow", "SrcBRow", "VDHi"};

bool is_offset(const Field& field) {
  return std::ranges::find(kOffsets, field.name) != kOffsets.end();
}

using RegisterSet = LRegSet (*)(Arch, std::uint32_t word, bool tracks_index);

/// Whether a register field decides what is in a set: a register that is not in it is, once its
/// number stands in the field. With indirect operands all are in it; the field counts as deciding
/// then.
bool decides(Arch arch, std::uint32_t word, const Field& field, RegisterSet set_of) {
  constexpr std::uint32_t kGeneral = 8;
  const LRegSet before = set_of(arch, word, false);
  for (std::uint32_t number = 0; number < kGeneral; ++number) {
    if ((before >> number & 1) != 0) continue;
    const std::uint32_t other = (word & ~field.mask()) | field.insert(number);
    return (set_of(arch, other, false) >> number & 1) != 0;
  }
  return true;
}

/// Whether the modes of the word make anything of a register field.
bool uses_register(Arch arch, std::uint32_t word, const Field& field) {
  return (field.role != Role::Write && decides(arch, word, field, lregs_read)) ||
         (field.role != Role::Read && decides(arch, word, field, lregs_written));
}

/// Of these at least one number has to be given, whichever.
bool takes_any_number(const Row& row) {
  switch (row.unit) {
    case Unit::Unpacker:
    case Unit::Packer:
    case Unit::Miscellaneous: return true;
    case Unit::Matrix: return row.op == Op::INCRWC || row.op == Op::SETRWC;
    case Unit::FrontEnd:
    case Unit::Vector:
    case Unit::Scalar:
    case Unit::Sync:
    case Unit::Configuration:
    case Unit::Mover: return false;
  }
  return false;
}

/// Numbers without which an instruction still has its point: SHIFTXA shifts by one column, XMOV has
/// a mover 0.
bool may_be_zero(const Row& row, const Field& field) {
  return is_offset(field) || row.op == Op::SHIFTXA || row.op == Op::XMOV;
}

bool may_be_left_out(Arch arch, const Decoded& d, const Field& field, std::uint32_t given) {
  switch (field.role) {
    case Role::Read:
    case Role::Write:
    case Role::ReadWrite: return !uses_register(arch, d.word, field);
    case Role::Immediate:
    case Role::SignedImmediate:
      if (may_be_zero(*d.row, field)) return true;
      if (takes_any_number(*d.row)) return given != 0;
      // The number of a register or a destination counts in every mode.
      if (d.row->op == Op::SFPCONFIG && field.name == "ConfigDest") return false;
      if (d.row->op == Op::MOP && field.name == "Template") return false;
      // The immediates of a MOP belong to one of its two templates.
      if (d.row->op == Op::MOP) return d["Template"] != 0;
      return !Effects(arch, d.word).uses_immediate();
    case Role::TemplateSelect:
    case Role::Modifier:
    case Role::AddrMod:
    case Role::Switch:
    case Role::Ignored:
    case Role::Extra: return true;
  }
  return true;
}

} // namespace

std::optional<Field> missing_operand(Arch arch, std::uint32_t word, std::uint32_t given) {
  const Decoded d = decode(arch, word);
  for (const Field& field : d.row->fields()) {
    const bool is_given = (given & field.mask()) != 0;
    if (is_positional(field) && !is_given && !may_be_left_out(arch, d, field, given)) return field;
  }
  return std::nullopt;
}

} // namespace lanewise::isa
