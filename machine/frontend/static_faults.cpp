#include "machine/frontend/static_faults.h"

#include <fmt/format.h>

#include "isa/def_use.h"
#include "isa/encoding.h"
#include "machine/frontend/static_findings.h"

namespace lanewise {

namespace {

using isa::Op;

using Finding = StaticFinding;

constexpr Finding kReservedModifier{FaultKind::NonContractual, "sets reserved bits of its modifier",
                                    "leave them 0; silicon is known to ignore them", "VU 6"};

/// Modifier bits without documented function, of instructions where the reference names them (VU
/// 6).
unsigned reserved_modifier_bits(Arch arch, Op op) {
  const bool negates = arch_params(arch).mad_negate_bits;
  switch (op) {
    case Op::SFPABS:
    case Op::SFPEXMAN:
    case Op::SFPDIVP2:
    case Op::SFPSETSGN:
    case Op::SFPSETMAN: return 0b1110;
    case Op::SFPSETEXP: return 0b1100;
    case Op::SFPMOV:
    case Op::SFPEXEXP: return 0b0100;
    case Op::SFPLZ: return 0b0001;
    case Op::SFPSHFT: return arch_params(arch).shift_has_modes ? 0b1000 : 0b1110;
    case Op::SFPCAST: return ~static_cast<unsigned>(arch_params(arch).cast_mode_mask) & 15;
    case Op::SFPMUL24: return 0b0010;
    case Op::SFPMAD:
    case Op::SFPADD:
    case Op::SFPMUL: return negates ? 0 : 0b0011;
    default: return 0;
  }
}

std::vector<Finding> vector_findings(Arch arch, const isa::Decoded& d) {
  constexpr std::size_t kMost = 4; // of one word
  std::vector<Finding> found;
  found.reserve(kMost);
  const auto add = [&](bool condition, const Finding& finding) {
    if (condition) found.push_back(finding);
  };
  const unsigned mod = d.row->field("Mod0") != nullptr ? d["Mod0"] : d["Mod1"];
  const Op op = d.row->op;
  add((mod & reserved_modifier_bits(arch, op)) != 0, kReservedModifier);
  switch (op) {
    case Op::SFPDIVP2: {
      constexpr unsigned kBits = 12;
      const std::int32_t step = isa::sign_extend(d["Imm12"], kBits);
      add(step < -128 || step > 255,
          {FaultKind::NonContractual,
           "has an immediate of more than 8 bits; silicon takes the low 8", "use -128 to 255",
           "VU C28"});
      break;
    }
    case Op::SFPLOADI:
      add(mod != 0 && mod != 1 && mod != 2 && mod != 4 && mod != 8 && mod != 10,
          {FaultKind::UndefinedBehavior,
           "has a Mod0 that means nothing; the instruction was left out", "use 0, 1, 2, 4, 8 or 10",
           "VU 3.4"});
      break;
    case Op::SFPSHFT2:
      add(mod > 6, {FaultKind::UndefinedBehavior,
                    "has a Mod1 above 6; the instruction was left out", "use 0..6", "VU C36"});
      add(mod == 4 && arch_params(arch).shuffle_edge_latch,
          {FaultKind::NonContractual,
           "shifts old data into lanes 0, 8, 16 and 24 on Wormhole, where 0 is meant",
           "rotate and clear the lanes; zeroing the hidden latch (mode 3, VC = VD = L9) relies on "
           "it",
           "VU C36"});
      break;
    case Op::SFPSHFT:
      add(arch_params(arch).shift_has_modes && (mod & 0b101) == 0b100,
          {FaultKind::NonContractual,
           "asks for VC as the shifted value, which needs the immediate form",
           "set ARG_IMM as well", "VU C36"});
      break;
    case Op::SFPSWAP:
      add(mod > 9,
          {FaultKind::NonContractual, "has a Mod1 above 9, which acts as 9", "use 9", "VU C33"});
      break;
    case Op::SFPSTOCHRND:
      add((mod & 8) != 0 && (mod & 7) != 4 && (mod & 7) != 5,
          {FaultKind::NonContractual,
           "sets USE_IMM5 in a conversion that has no shift; silicon ignores it", "clear Mod1[3]",
           "VU C45"});
      break;
    case Op::SFPADD:
      add(d["VA"] != 10 && d["VB"] != 10,
          {FaultKind::NonContractual, "adds with neither VA nor VB = L10 (1.0)",
           "use L10 for VA, or SFPMAD", "VU C40"});
      break;
    case Op::SFPMUL:
      add(d["VC"] != 9, {FaultKind::NonContractual, "multiplies with VC other than L9 (0.0)",
                         "use L9 for VC, or SFPMAD", "VU C40"});
      break;
    case Op::SFPPUSHC:
      add(mod != 0 && !arch_params(arch).pushc_mutates,
          {FaultKind::NonContractual, "has a mode that Wormhole does not decode: it pushes",
           "use Mod1 = 0", "VU C9"});
      break;
    case Op::SFPCONFIG:
      add(d["ConfigDest"] == 9 || d["ConfigDest"] == 10,
          {FaultKind::NonContractual, "writes destination 9 or 10, which does nothing",
           "use 0..8 or 11..15", "VU C38"});
      break;
    default: break;
  }
  return found;
}

std::vector<Finding> findings(Arch arch, const isa::Decoded& d) {
  switch (d.row->unit) {
    case isa::Unit::Vector: return vector_findings(arch, d);
    case isa::Unit::Matrix: return matrix_findings(arch, d);
    default: return {};
  }
}

} // namespace

std::vector<Fault> static_faults(Arch arch, std::uint32_t word, std::uint32_t line) {
  if (isa::is_template_write(arch, word)) return {};
  return execution_faults(arch, word, line);
}

std::vector<Fault> execution_faults(Arch arch, std::uint32_t word, std::uint32_t line) {
  const isa::Decoded decoded = isa::decode(arch, word);
  if (decoded.row == nullptr) return {};
  std::vector<Fault> faults;
  if (const std::uint32_t stray = decoded.stray_bits(); stray != 0) {
    faults.push_back(
        {.kind = FaultKind::NonContractual,
         .message = fmt::format("sets bits {:08X}, which belong to no field; they were "
                                "ignored",
                                stray),
         .remedy = "leave them 0",
         .rule = "VU 2, MU 4",
         .instruction = std::string(decoded.row->mnemonic),
         .line = line});
  }
  for (const StaticFinding& finding : findings(arch, decoded)) {
    faults.push_back({.kind = finding.kind,
                      .message = std::string(finding.message),
                      .remedy = std::string(finding.remedy),
                      .rule = std::string(finding.rule),
                      .instruction = std::string(decoded.row->mnemonic),
                      .line = line});
  }
  return faults;
}

} // namespace lanewise
