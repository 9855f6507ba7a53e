#include "source/assembly/kernel_macros.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <mutex>
#include <string_view>
#include <utility>

#include "chip/isa/config.h"

namespace lanewise::assembly {
namespace {

using Text = std::back_insert_iterator<std::string>;

/// "(a, b, c)", or nothing without operands: then the macro has no parentheses either.
std::string parameter_list(const std::vector<MacroOperand>& operands) {
  std::string list;
  for (const MacroOperand& operand : operands) {
    list += list.empty() ? "(" : ", ";
    list += operand.name;
  }
  return list.empty() ? list : list + ")";
}

/// The sum of the shifted operands. The arithmetic is unsigned, so that negative operands wrap as
/// they do in the 32-bit int of the chip's own compiler.
std::string word_expression(const isa::Row& row, const std::vector<MacroOperand>& operands) {
  std::string sum = fmt::format("0x{:02X}000000U", row.opcode);
  for (const MacroOperand& operand : operands) {
    sum += fmt::format(" + (::std::uint32_t({}) << {})", operand.name, operand.shift);
  }
  return sum;
}

void write_instruction(Text out, std::string_view name, const isa::Row& row) {
  const std::vector<MacroOperand> operands = macro_operands(row);
  const std::string parameters = parameter_list(operands);
  fmt::format_to(out, "#define TT_OP_{}{} ({})\n", name, parameters,
                 word_expression(row, operands));
  const std::string word = fmt::format("TT_OP_{}{}", name, parameters);
  fmt::format_to(out, "#define TTI_{}{} ::lanewise_sfpi::emit({})\n", name, parameters, word);
  // An operand that is no constant where it is written may be one on the chip, whose compiler
  // optimises: that is for the clock to weigh (ProgramWord::computed).
  fmt::format_to(out, "#define TT_{}{} LANEWISE_EMIT_WRITTEN({})\n", name, parameters, word);
}

void write_word(Text out, std::string_view name, unsigned word) {
  fmt::format_to(out, "#define {}_ADDR32 {}\n", name, word);
}

/// Appends parts to a text. Fields are thousands, and a test waits for them: fmt would take several
/// times as long.
template <class... Parts>
void append(std::string& text, const Parts&... parts) {
  (text.append(parts), ...);
}

void write_config_field(std::string& text, Arch arch, const isa::ConfigPlace& place) {
  const std::string_view name = place.name;
  if (place.scope == isa::ConfigScope::Debug) {
    append(text, "#define ", name, fmt::format(" 0x{:X}U\n", isa::debug_address(arch, place)));
    return;
  }
  const std::string mask = fmt::format("{:X}U\n", place.mask(arch));
  append(text, "#define ", name, "_ADDR32 ", fmt::format_int(place.word_of(arch)).c_str(), "\n");
  append(text, "#define ", name, "_SHAMT ", fmt::format_int(place.low(arch)).c_str(), "\n");
  append(text, "#define ", name, "_MASK 0x", mask);
  append(text, "#define ", name, "_RMW ", name, "_ADDR32, ", name, "_SHAMT, ", name, "_MASK\n");
}

void write_addr_mods(Text out, Arch arch) {
  const ArchParams& chip = arch_params(arch);
  for (unsigned i = 0; i < chip.front_end.addr_mod_sections; ++i) {
    write_word(out, fmt::format("ADDR_MOD_AB_SEC{}_SrcAIncr", i),
               chip.config.addr_mod_ab_word + i * chip.config.addr_mod_ab_stride);
    write_word(out, fmt::format("ADDR_MOD_DST_SEC{}_DestIncr", i),
               chip.config.addr_mod_dst_word + i);
    write_word(out, fmt::format("ADDR_MOD_BIAS_SEC{}_BiasIncr", i),
               chip.config.addr_mod_bias_word + i);
  }
}

/// How LLK calls what STALLWAIT waits for; several of a kind are numbered besides.
constexpr std::array<std::pair<WaitFor, std::string_view>, 13> kConditions{
    {{WaitFor::ScalarMemory, "THCON"},
     {WaitFor::Unpacker0, "UNPACK0"},
     {WaitFor::Unpacker1, "UNPACK1"},
     {WaitFor::Packer, "PACK"},
     {WaitFor::MatrixUnit, "MATH"},
     {WaitFor::SrcAToFill, "SRCA_CLR"},
     {WaitFor::SrcBToFill, "SRCB_CLR"},
     {WaitFor::SrcAFilled, "SRCA_VLD"},
     {WaitFor::SrcBFilled, "SRCB_VLD"},
     {WaitFor::Mover, "XMOV"},
     {WaitFor::CoreRequest, "TRISC_CFG"},
     {WaitFor::VectorUnit, "SFPU1"},
     {WaitFor::ConfigurationUnit, "CFGEXU"}}};

/// LANEWISE_STALL_CONDITIONS: "THCON = 0x1U, ...", each by its bits of the chip's mask.
void write_conditions(Text out, Arch arch) {
  const auto& known = arch_params(arch).tile.wait_conditions;
  std::string list;
  const auto add = [&list](std::string_view name, unsigned mask) {
    list += fmt::format("{}{} = 0x{:X}U", list.empty() ? "" : ", ", name, mask);
  };
  for (const auto& [what, name] : kConditions) {
    unsigned mask = 0, count = 0;
    for (unsigned bit = 0; bit < known.size(); ++bit) {
      if (known[bit] != what) continue;
      mask |= 1U << bit;
      if (what == WaitFor::Packer) add(fmt::format("{}{}", name, count++), 1U << bit);
    }
    if (mask != 0) add(name, mask);
  }
  fmt::format_to(out, "#define LANEWISE_STALL_CONDITIONS {}\n", list);
}

/// An operand of a word that has the same operands on each chip.
struct SharedOperand {
  std::string_view name;
  std::string_view field;      ///< of the instruction
  std::string_view other = ""; ///< what a chip may call it instead
};

/// LANEWISE_OP_X(...): the word with these operands. The other fields, of which each chip has its
/// own, are 0.
void write_shared(Text out, Arch arch, isa::Op op, std::initializer_list<SharedOperand> operands) {
  const isa::Row* const row = isa::find_row(arch, op);
  if (row == nullptr) return;
  std::string names, sum;
  for (const SharedOperand& operand : operands) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", operand.name);
    for (const isa::Field& field : row->fields()) {
      if (field.name == operand.field || field.name == operand.other)
        sum += fmt::format(" + (::std::uint32_t({}) << {})", operand.name, field.low);
    }
  }
  fmt::format_to(out, "#define LANEWISE_OP_{}({}) (0x{:02X}000000U{})\n", row->mnemonic, names,
                 row->opcode, sum);
}

void write_shared_words(Text out, Arch arch) {
  write_shared(out, arch, isa::Op::ZEROACC,
               {{"mode", "Mode"}, {"addr_mod", "AddrMod"}, {"row", "Imm10"}});
  write_shared(out, arch, isa::Op::PACR,
               {{"addr_mod", "AddrMod"}, {"ways", "ReadIntfSel", "PackerMask"}, {"last", "Last"}});
}

/// What of the chip's record Lanewise's own headers ask for.
void write_chip(Text out, Arch arch) {
  const ArchParams& chip = arch_params(arch);
  const auto define = [&out](std::string_view name, unsigned value) {
    fmt::format_to(out, "#define LANEWISE_{} {}\n", name, value);
  };
  define("L1_BYTES", chip.tile.l1_bytes);
  define("CONFIG_WORDS", chip.config.shared_words);
  define("THREAD_CONFIG_WORDS", chip.config.thread_words);
  define("IMPLIES_FORMATS", chip.matrix.has_implied_formats ? 1 : 0);
  define("PACKERS", chip.tile.packers);
  define("UNPACR_NOP_HAS_FIELDS", chip.tile.unpacr_nop_has_fields ? 1 : 0);
}

/// About as many as they are.
constexpr std::size_t kBytesOfConfigMacros = 240'000;

std::string write_config_macros(Arch arch) {
  std::string text;
  text.reserve(kBytesOfConfigMacros);
  for (const isa::ConfigPlace& place : isa::kConfigFields) {
    if (place.exists(arch)) write_config_field(text, arch, place);
  }
  const Text out = std::back_inserter(text);
  write_addr_mods(out, arch);
  write_chip(out, arch);
  return text;
}

std::string write_kernel_macros(Arch arch) {
  std::string text;
  const Text out = std::back_inserter(text);
  fmt::format_to(
      out,
      "// Instruction words and configuration fields of {}, written by lanewise from its "
      "tables.\n#pragma once\n\n#include <cstdint>\n\n#include \"sfpi_emit.h\"\n\n",
      arch_params(arch).names.full);
  text +=
      "#define TT_OP(opcode, operands) ((::std::uint32_t(opcode) << 24) + (operands))\n"
      "#define INSTRUCTION_WORD(word) ::lanewise_sfpi::emit(word)\n"
      "#define LANEWISE_EMIT_WRITTEN(word) \\\n"
      "  ::lanewise_sfpi::emit_written(word, __builtin_constant_p(word))\n\n";
  for (const isa::Row& row : isa::rows()) {
    if (isa::includes(row.chips, arch)) write_instruction(out, row.mnemonic, row);
  }
  for (const isa::Alias& alias : isa::aliases()) {
    if (const isa::Row* row = isa::find_row(arch, alias.op))
      write_instruction(out, alias.name, *row);
  }
  write_conditions(out, arch);
  write_shared_words(out, arch);
  // Casts between the two forms of integers, which the chip decodes or not.
  if ((arch_params(arch).vector.cast_mode_mask & 2U) != 0)
    text += "#define LANEWISE_CASTS_INTEGERS\n";
  return text + "\n" + config_macros(arch);
}

/// A text of a thousand lines for each chip, written when it is first asked for: every kernel and
/// each section of a test begins with it.
class ChipTexts {
 public:
  explicit ChipTexts(std::string (*write)(Arch)) : write_(write) {}

  const std::string& of(Arch arch) {
    const auto chip = static_cast<std::size_t>(arch);
    std::call_once(written_[chip], [&] { texts_[chip] = write_(arch); });
    return texts_[chip];
  }

 private:
  std::string (*write_)(Arch);
  std::array<std::once_flag, kEveryArch.size()> written_;
  std::array<std::string, kEveryArch.size()> texts_;
};

} // namespace

std::vector<MacroOperand> macro_operands(const isa::Row& row) {
  std::vector<MacroOperand> operands;
  bool joins = false;
  for (const isa::Field& field : row.fields()) {
    if (field.role == isa::Role::Extra) continue;
    if (joins) {
      operands.back().name += fmt::format("_{}", field.name);
      operands.back().shift = field.low;
    } else {
      operands.push_back({std::string(field.name), field.low});
    }
    joins = field.joins_next;
  }
  return operands;
}

const std::string& kernel_macros(Arch arch) {
  static ChipTexts texts(write_kernel_macros);
  return texts.of(arch);
}

const std::string& config_macros(Arch arch) {
  static ChipTexts texts(write_config_macros);
  return texts.of(arch);
}

} // namespace lanewise::assembly
