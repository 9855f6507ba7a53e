#include "report/number/facts.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

#include "chip/isa/encoding.h"
#include "source/assembly/tti.h"

namespace lanewise::report {

namespace {

using formats::Format;
using formats::NumberForm;

/// SFPLOADI is the same on both chips.
constexpr Arch kArch = kDefaultArch;

/// A mode of SFPLOADI (chip/isa/modifiers.def).
struct LoadMode {
  std::string_view name;
  std::uint32_t mod0;
};
constexpr LoadMode kFloatB{"FLOATB", 0}, kFloatA{"FLOATA", 1}, kUpper{"UPPER", 8},
    kLower{"LOWER", 10};

void add_load(LoadFact& fact, LoadMode mode, std::uint32_t immediate) {
  const auto word =
      isa::encode(kArch, isa::Op::SFPLOADI, {{"VD", 0}, {"Mod0", mode.mod0}, {"Imm16", immediate}});
  fact.assembly.push_back(fmt::format("SFPLOADI L0, {}, 0x{:04X}", mode.name, immediate));
  fact.macros.push_back(assembly::tti_call(kArch, word.value()));
}

LoadFact short_load(LoadMode mode, NumberForm form, std::uint32_t pattern) {
  LoadFact fact{.modes = mode.name,
                .loaded = formats::form_to_fp32(form, pattern),
                .assembly = {},
                .macros = {}};
  add_load(fact, mode, pattern);
  return fact;
}

/// The bits of a cell, with a space between fields, of which an absent one has no bits.
std::string grouped_bits(std::uint32_t cell, const isa::CellFields& fields) {
  const std::string bits = fmt::format("{:016b}", cell & 0xFFFF);
  std::string text;
  std::size_t at = 0;
  for (const unsigned width : {fields.sign, fields.mantissa, fields.exponent}) {
    text += (text.empty() || width == 0 ? "" : " ") + bits.substr(at, width);
    at += width;
  }
  return text;
}

/// A pattern that is read as a number far from the one that it was made of: a unit or more.
bool is_misread(const formats::FormPattern& read) {
  return !read.ulps || std::abs(*read.ulps) >= 1;
}

} // namespace

std::vector<LoadFact> load_facts(const formats::NumberArgument& argument) {
  std::vector<LoadFact> facts;
  const auto bf16 = formats::round_to_form(NumberForm::Bf16, argument.number);
  const auto fp16a = formats::round_to_form(NumberForm::Fp16a, argument.number);
  if (bf16) facts.push_back(short_load(kFloatB, NumberForm::Bf16, bf16->pattern));
  if (fp16a) facts.push_back(short_load(kFloatA, NumberForm::Fp16a, fp16a->pattern));
  LoadFact both{.modes = "UPPER, LOWER", .loaded = argument.bits, .assembly = {}, .macros = {}};
  add_load(both, kUpper, argument.bits >> 16);
  add_load(both, kLower, argument.bits & 0xFFFF);
  facts.push_back(std::move(both));
  return facts;
}

std::string cell_text(Format format, std::uint32_t stored) {
  const isa::CellFields& fields = isa::number_format(format).dst->cell;
  if (!formats::is_32bit(format)) return grouped_bits(stored, fields);
  return fmt::format("{} | {:016b}", grouped_bits(stored >> 16, fields), stored & 0xFFFF);
}

std::vector<DstFact> dst_facts(double number) {
  std::vector<DstFact> facts;
  for (const Format format : formats::kFormats) {
    const std::uint32_t stored = formats::encode(format, number);
    facts.push_back({format, stored, cell_text(format, stored), formats::decode(format, stored)});
  }
  return facts;
}

std::vector<ReadFact> read_facts(std::uint32_t pattern) {
  struct Reader {
    NumberForm form;
    std::string_view name;
  };
  constexpr std::array kReaders{
      Reader{NumberForm::Fp16a, "SFPLOADI FLOATA"}, Reader{NumberForm::Fp16, "SFPLOAD FP16"},
      Reader{NumberForm::Lut16, "SFPLUTFP32"}, Reader{NumberForm::Bf16, "SFPLOADI FLOATB"},
      Reader{NumberForm::Lut8, "SFPLUT"}};
  std::vector<ReadFact> facts;
  for (const Reader& reader : kReaders) {
    if (pattern >> formats::form_width(reader.form) != 0) continue;
    facts.push_back({reader.form, reader.name, formats::form_to_fp32(reader.form, pattern),
                     formats::form_value(reader.form, pattern)});
  }
  return facts;
}

std::vector<std::string> number_warnings(const formats::NumberArgument& argument) {
  std::vector<std::string> warnings;
  const formats::ToolPatterns tool = formats::tool_patterns(argument.bits);
  const auto check = [&](NumberForm form, std::string_view name, std::uint32_t pattern,
                         std::string_view reader) {
    const formats::FormPattern read = formats::in_place_of(form, argument.number, pattern);
    if (!is_misread(read)) return;
    warnings.push_back(fmt::format("{} 0x{:0{}X}: {} reads {}", name, pattern,
                                   (formats::form_width(form) + 3) / 4, reader, read.value));
  };
  check(NumberForm::Fp16a, "fp16a", tool.fp16a, "SFPLOADI FLOATA");
  check(NumberForm::Fp16, "fp16a", tool.fp16a, "SFPLOAD FP16");
  if (tool.fp8 == formats::kToolBadFp8) {
    warnings.emplace_back("fp8 0xBAD: SFPLUT has no such number, only 2^-7 <= |x| < 2 and 0");
  } else {
    check(NumberForm::Lut8, "fp8", tool.fp8, "SFPLUT");
  }
  return warnings;
}

std::vector<std::string> pattern_warnings(std::uint32_t pattern) {
  std::vector<std::string> warnings;
  const double tool = formats::form_value(NumberForm::Fp16a, pattern);
  const double loaded = formats::form_value(NumberForm::Fp16, pattern);
  const formats::FormFields fields = formats::form_fields(NumberForm::Fp16a, pattern);
  if (loaded != tool)
    warnings.push_back(fmt::format("fp16a: SFPLOAD FP16 reads {} from Dst", loaded));
  if (fields.exponent == isa::number_format(NumberForm::Fp16a).real->top_exponent())
    warnings.push_back(
        fmt::format("fp16a: IEEE's binary16 means {} by it, the chip does not",
                    fields.mantissa == 0 ? (fields.sign != 0 ? "-inf" : "inf") : "nan"));
  return warnings;
}

} // namespace lanewise::report
