#include "chip/machine/frontend/static_faults.h"

#include <fmt/format.h>

#include "chip/isa/effects.h"
#include "chip/isa/fields.h"
#include "chip/isa/modifiers.h"
#include "chip/machine/frontend/static_findings.h"

namespace lanewise {

namespace {

using isa::field;
using isa::Op;

using Finding = StaticFinding;

constexpr Finding kReservedModifier{FaultKind::NonContractual, "sets reserved bits of its modifier",
                                    "leave them 0; silicon is known to ignore them", "VU 6"};

std::vector<Finding> vector_findings(Arch arch, const isa::Effects& effects) {
  std::vector<Finding> found;
  const auto add = [&](bool condition, const Finding& finding) {
    if (condition) found.push_back(finding);
  };
  const std::uint32_t word = effects.decoded().word;
  const unsigned mod = effects.modifier();
  const Op op = effects.row()->op;
  add(effects.reserved_modifier_bits() != 0, kReservedModifier);
  switch (op) {
    case Op::SFPDIVP2: {
      const std::int32_t step = effects.row()->operands.extract_immediate(word);
      add(step < -128 || step > 255,
          {FaultKind::NonContractual,
           "has an immediate of more than 8 bits; silicon takes the low 8", "use -128 to 255",
           "VU C28"});
      break;
    }
    case Op::SFPLOADI:
      add(effects.has_undefined_mode(),
          {FaultKind::UndefinedBehavior,
           "has a Mod0 that means nothing; the instruction was left out", "use 0, 1, 2, 4, 8 or 10",
           "VU 3.4"});
      break;
    case Op::SFPSHFT2:
      add(effects.has_undefined_mode(),
          {FaultKind::UndefinedBehavior, "has a Mod1 above 6; the instruction was left out",
           "use 0..6", "VU C36"});
      add(mod == 4 && arch_params(arch).vector.shuffle_edge_latch,
          {FaultKind::NonContractual,
           "shifts old data into lanes 0, 8, 16 and 24 on Wormhole, where 0 is meant",
           "rotate and clear the lanes; zeroing the hidden latch (mode 3, VC = VD = L9) relies on "
           "it",
           "VU C36"});
      break;
    case Op::SFPSHFT:
      add(arch_params(arch).vector.shift_has_modes && (mod & 0b101) == 0b100,
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
      add(field<"VA", Op::SFPADD>(word) != 10 && field<"VB", Op::SFPADD>(word) != 10,
          {FaultKind::NonContractual, "adds with neither VA nor VB = L10 (1.0)",
           "use L10 for VA, or SFPMAD", "VU C40"});
      break;
    case Op::SFPMUL:
      add(field<"VC", Op::SFPMUL>(word) != 9,
          {FaultKind::NonContractual, "multiplies with VC other than L9 (0.0)",
           "use L9 for VC, or SFPMAD", "VU C40"});
      break;
    case Op::SFPPUSHC:
      add(mod != 0 && !arch_params(arch).vector.pushc_mutates,
          {FaultKind::NonContractual, "has a mode that Wormhole does not decode: it pushes",
           "use Mod1 = 0", "VU C9"});
      break;
    case Op::SFPCONFIG: {
      const unsigned destination = field<"ConfigDest", Op::SFPCONFIG>(word);
      add(destination == 9 || destination == 10,
          {FaultKind::NonContractual, "writes destination 9 or 10, which does nothing",
           "use 0..8 or 11..15", "VU C38"});
      break;
    }
    default: break;
  }
  return found;
}

/// Of a chip of which only SFPI's sources tell.
std::vector<Finding> narrow_findings(Arch arch, const isa::Effects& effects) {
  std::vector<Finding> found;
  if (effects.row()->op == Op::SFPLOADI && effects.has_undefined_mode()) {
    found.push_back({FaultKind::UndefinedBehavior,
                     "has a Mod0 that means nothing; the instruction was left out",
                     "use 0, 1, 2 or 4", "SFPI 4"});
  } else if (!effects.row()->operands.modifier.exists() || effects.modifier() == 0) {
    return found;
  } else if (isa::describe_modifiers(arch, effects.decoded().word).empty()) {
    found.push_back({FaultKind::NonContractual, "has a mode that no source of Grayskull names",
                     "use one that 'lanewise explain' lists for it", "SFPI 4"});
  }
  return found;
}

/// What is to be written to a register that nobody can write.
void add_constant_destination(Arch arch, const isa::Effects& effects, std::vector<Finding>& found) {
  const isa::Field* vd = effects.row()->field("VD");
  if (vd == nullptr || (vd->role != isa::Role::Write && vd->role != isa::Role::ReadWrite)) return;
  if (vd->extract(effects.decoded().word) < arch_params(arch).vector.lregs) return;
  found.push_back({FaultKind::NonContractual,
                   "names a constant register as its destination; nothing was written",
                   "write LReg[0] to LReg[3]", "SFPI 4"});
}

std::vector<Finding> unit_findings(Arch arch, const isa::Effects& effects) {
  if (!has_narrow_lanes(arch)) return vector_findings(arch, effects);
  std::vector<Finding> found = narrow_findings(arch, effects);
  add_constant_destination(arch, effects, found);
  return found;
}

std::vector<Finding> findings(Arch arch, const isa::Effects& effects) {
  switch (effects.row()->unit) {
    case isa::Unit::Vector: return unit_findings(arch, effects);
    case isa::Unit::Matrix: return matrix_findings(arch, effects.decoded());
    case isa::Unit::FrontEnd:
    case isa::Unit::Unpacker:
    case isa::Unit::Packer:
    case isa::Unit::Scalar:
    case isa::Unit::Sync:
    case isa::Unit::Configuration:
    case isa::Unit::Mover:
    case isa::Unit::Miscellaneous: return {};
  }
  return {};
}

Fault stray_bits_fault(std::uint32_t stray) {
  return {.kind = FaultKind::NonContractual,
          .message =
              fmt::format("sets bits {:08X}, which belong to no field; they were ignored", stray),
          .remedy = "leave them 0",
          .rule = "VU 2, MU 4"};
}

std::vector<Fault> faults_of(Arch arch, const isa::Effects& effects, std::uint32_t line) {
  const std::uint32_t stray = effects.decoded().stray_bits();
  const std::vector<Finding> found = findings(arch, effects);
  if (stray == 0 && found.empty()) return {};
  std::vector<Fault> faults;
  faults.reserve(found.size() + 1);
  if (stray != 0) faults.push_back(stray_bits_fault(stray));
  for (const Finding& finding : found) {
    faults.push_back({.kind = finding.kind,
                      .message = std::string(finding.message),
                      .remedy = std::string(finding.remedy),
                      .rule = std::string(finding.rule)});
  }
  for (Fault& fault : faults) {
    fault.instruction = effects.row()->mnemonic;
    fault.line = line;
  }
  return faults;
}

} // namespace

std::vector<Fault> static_faults(Arch arch, std::uint32_t word, std::uint32_t line) {
  const isa::Effects effects(arch, word);
  if (effects.row() == nullptr || effects.is_template_write()) return {};
  return faults_of(arch, effects, line);
}

std::vector<Fault> execution_faults(Arch arch, std::uint32_t word, std::uint32_t line) {
  const isa::Effects effects(arch, word);
  if (effects.row() == nullptr) return {};
  return faults_of(arch, effects, line);
}

} // namespace lanewise
