// A row of the instruction table, and how to find one. The rows themselves are in chip/isa/table.h,
// for those who need them while compiling.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/op.h"

namespace lanewise::isa {

/// Execution unit that takes the instruction behind the Wait Gate.
enum class Unit : std::uint8_t {
  FrontEnd,
  Vector,
  Matrix,
  Unpacker,
  Packer,
  Scalar,
  Sync,
  Configuration,
  Mover,
  Miscellaneous
};

/// Sub-unit of the Vector Unit (seed 000, "Overview"; VU C50).
enum class SubUnit : std::uint8_t { None, Load, Simple, Mad, Round, Store };

enum class Role : std::uint8_t {
  Read,            ///< LReg that is read
  Write,           ///< LReg that is written
  ReadWrite,       ///< LReg that is read and written
  TemplateSelect,  ///< VD of an instruction that writes no LReg through it (VU C13)
  Modifier,        ///< selects a mode
  AddrMod,         ///< ADDR_MOD section
  Immediate,       ///< unsigned number
  SignedImmediate, ///< two's complement number
  Switch,          ///< one bit that switches something on
  Ignored,         ///< operand of the kernel macro without effect
  Extra            ///< field that is no operand of the kernel macro
};

/// "FrontEnd", "Vector", ...: the enumerator.
std::string_view unit_name(Unit unit);

/// "None", "Load", ...: the enumerator.
std::string_view sub_unit_name(SubUnit sub_unit);

/// "Read", "TemplateSelect", ...: the enumerator.
std::string_view role_name(Role role);

struct Field {
  std::string_view name;
  std::uint8_t high = 0; ///< most significant bit in the instruction word
  std::uint8_t low = 0;  ///< least significant bit
  Role role = Role::Ignored;
  bool joins_next = false; ///< shares a kernel macro operand with the field after it

  constexpr unsigned width() const { return high - low + 1U; }
  constexpr std::uint32_t mask() const {
    return static_cast<std::uint32_t>(((std::uint64_t{1} << width()) - 1) << low);
  }
  /// The field's bits of a word, shifted down, not sign-extended.
  constexpr std::uint32_t extract(std::uint32_t word) const { return (word & mask()) >> low; }
  /// `value` (excess bits dropped) at the field's place in a word.
  constexpr std::uint32_t insert(std::uint32_t value) const { return (value << low) & mask(); }
  constexpr bool is_lreg() const {
    return role == Role::Read || role == Role::Write || role == Role::ReadWrite;
  }
};

/// Whether a field takes an operand by its place in the bare form of assembly (docs/assembly.md);
/// the others are named.
constexpr bool is_positional(const Field& field) {
  return field.role != Role::Ignored && field.role != Role::Extra;
}

/// Where a number stands in an instruction word.
struct Place {
  std::uint32_t mask = 0; ///< of the number, shifted down; 0 where the row has no such field
  std::uint8_t low = 0;   ///< least significant bit in the word

  constexpr bool exists() const { return mask != 0; }
  constexpr std::uint32_t bits() const { return mask << low; } ///< of the word
  constexpr std::uint32_t extract(std::uint32_t word) const { return word >> low & mask; }
};

/// The fields that most instructions have, so that whoever decodes many words searches no names.
struct OperandPlaces {
  Place va, vb, vc, vd; ///< the fields of these names
  Place modifier;       ///< Mod0 or Mod1
  Place addr_mod;
  Place immediate;                  ///< the one field that is a number: Imm1 to Imm16
  std::uint32_t immediate_sign = 0; ///< its sign bit, shifted down; 0 where it is unsigned

  /// The immediate of a word, sign-extended where it is signed; 0 where the row has none.
  constexpr std::int32_t extract_immediate(std::uint32_t word) const {
    const std::uint32_t number = immediate.extract(word);
    return static_cast<std::int32_t>((number ^ immediate_sign) - immediate_sign);
  }
};

/// Which chips a row is for.
enum class Chips : std::uint8_t { BH = 1, WH = 2, BOTH = 3, GS = 4, WH_GS = 6, ALL = 7 };

constexpr bool includes(Chips chips, Arch arch) {
  return (static_cast<unsigned>(chips) >> static_cast<unsigned>(arch) & 1U) != 0;
}

/// "bh", "wh", "gs".
std::vector<std::string_view> chip_names(Chips chips);

/// UNPACR, the widest row, has 16.
inline constexpr std::size_t kMaxFields = 16;

struct Row {
  Op op;
  std::string_view mnemonic;
  std::uint8_t opcode; ///< bits 31:24 of the word
  Chips chips;
  Unit unit;
  SubUnit sub_unit;
  std::uint8_t latency; ///< cycles; 0 where no source gives one
  std::array<Field, kMaxFields> field_storage;
  std::size_t field_count;
  OperandPlaces operands;      ///< of `fields()`, by name
  std::uint32_t covered = ~0U; ///< bits that some field covers, opcode included
  std::uint32_t form = ~0U; ///< bits that are more than a number: form_of() of chip/isa/encoding.h

  constexpr std::span<const Field> fields() const {
    return std::span(field_storage).first(field_count);
  }
  /// The field of that name, or nullptr.
  constexpr const Field* field(std::string_view name) const {
    for (const Field& candidate : fields()) {
      if (candidate.name == name) return &candidate;
    }
    return nullptr;
  }
  /// Bits that some field covers, opcode included.
  constexpr std::uint32_t covered_bits() const { return covered; }
};

/// Second spelling of a mnemonic.
struct Alias {
  std::string_view name;
  Op op;
};

/// Every row, in the order of instructions.def.
std::span<const Row> rows();

std::span<const Alias> aliases();

/// The row of an opcode on a chip, or nullptr where that chip has no such opcode.
const Row* find_row(Arch arch, std::uint8_t opcode);

/// Row::form by opcode; all bits where the chip has no such opcode.
using FormMasks = std::array<std::uint32_t, 256>;
extern const std::array<FormMasks, kEveryArch.size()> kFormMasks;
inline const FormMasks& form_masks(Arch arch) {
  return kFormMasks[static_cast<std::size_t>(arch)];
}

/// The row of an instruction on a chip, or nullptr where the chip lacks it.
const Row* find_row(Arch arch, Op op);

/// The row of a mnemonic (as find_op reads it) on a chip, or nullptr.
const Row* find_row(Arch arch, std::string_view mnemonic);

/// The instruction of a mnemonic, whichever chip has it, or nothing. Case does not matter, aliases
/// are known, and the mnemonic may stand in the name of a kernel macro (TTI_, TT_, TT_OP_).
std::optional<Op> find_op(std::string_view mnemonic);

} // namespace lanewise::isa
