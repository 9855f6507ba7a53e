#include "chip/tile/register_use.h"

#include <array>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "chip/isa/config.h"

namespace lanewise::tile {

namespace {

using isa::Op;
using isa::Unit;

/// Registers that belong together in groups of four.
std::uint64_t group_of(std::uint32_t number) {
  return std::uint64_t{15} << (number & 0x3C);
}

std::uint64_t bit_of_register(const isa::Decoded& decoded, std::string_view field) {
  if (decoded.row->field(field) == nullptr) return 0;
  return std::uint64_t{1} << (decoded[field] & 63);
}

/// REG2FLOP to a word of THCON, and not to a counter.
bool moves_to_config(const isa::Decoded& decoded) {
  constexpr std::uint32_t kCounter = 2; // of TargetSel
  return decoded.row->op == Op::REG2FLOP && (decoded["TargetSel"] & kCounter) == 0;
}

/// What the names of the fields begin with that a unit looks at.
std::span<const std::string_view> families_of(Unit unit) {
  static constexpr std::array<std::string_view, 3> kUnpackers{"THCON_SEC", "UNP", "ADD_DEST"};
  static constexpr std::array<std::string_view, 6> kPackers{
      "THCON_SEC", "PCK", "PACK", "STACC", "TILE", "DEST_TARGET_REG_CFG_PACK"};
  static constexpr std::array<std::string_view, 1> kArithmetic{"ALU_"};
  switch (unit) {
    case Unit::Unpacker: return kUnpackers;
    case Unit::Packer: return kPackers;
    case Unit::Matrix:
    case Unit::Vector: return kArithmetic;
    default: return {};
  }
}

bool belongs_to(std::string_view name, Unit unit) {
  bool is_of_family = false;
  for (const std::string_view family : families_of(unit))
    is_of_family = is_of_family || name.starts_with(family);
  if (!is_of_family || !name.starts_with("THCON_SEC")) return is_of_family;
  // THCON has both: REG1 and REG8 are the packers'.
  const bool is_of_packers = name.find("_REG1_") != name.npos || name.find("_REG8_") != name.npos;
  return is_of_packers == (unit == Unit::Packer);
}

std::set<unsigned> find_unit_words(Arch arch, Unit unit) {
  std::set<unsigned> words;
  for (const isa::ConfigPlace& place : isa::kConfigFields) {
    if (place.scope == isa::ConfigScope::Shared && place.exists(arch) &&
        belongs_to(place.name, unit))
      words.insert(place.word_of(arch));
  }
  return words;
}

} // namespace

std::uint64_t needed_registers(const isa::Decoded& decoded) {
  const Op op = decoded.row->op;
  std::uint64_t registers = bit_of_register(decoded, "InputReg") |
                            bit_of_register(decoded, "AddrReg") |
                            bit_of_register(decoded, "LeftReg");
  if (decoded["OpBIsConst"] == 0) registers |= bit_of_register(decoded, "RightReg");
  if (op != Op::LOADIND) registers |= bit_of_register(decoded, "DataReg");
  if (op == Op::SETDMAREG) registers |= std::uint64_t{1} << (decoded["ResultHalfReg"] >> 1);
  const bool four = (op == Op::WRCFG && decoded["Is128Bit"] != 0) ||
                    (moves_to_config(decoded) && decoded["SizeSel"] == 0);
  return four ? group_of(decoded["InputReg"]) : registers;
}

std::uint64_t loaded_registers(const isa::Decoded& decoded) {
  const Op op = decoded.row->op;
  if (op == Op::LOADIND && decoded["Size"] == 0) return group_of(decoded["ResultReg"]);
  if (op == Op::LOADIND || op == Op::LOADREG || op == Op::ATINCGETPTR)
    return bit_of_register(decoded, "ResultReg");
  return op == Op::ATINCGET ? bit_of_register(decoded, "InOutReg") : 0;
}

std::uint64_t written_registers(const isa::Decoded& decoded) {
  std::uint64_t registers = loaded_registers(decoded) | bit_of_register(decoded, "ResultReg");
  if (decoded.row->op == Op::SETDMAREG)
    registers |= std::uint64_t{1} << (decoded["ResultHalfReg"] >> 1);
  return registers;
}

WordRange written_words(Arch arch, const isa::Decoded& decoded) {
  const std::uint32_t index = decoded["CfgIndex"];
  switch (decoded.row->op) {
    case Op::WRCFG:
      return decoded["Is128Bit"] != 0 ? WordRange{index & ~3U, 4} : WordRange{index, 1};
    case Op::CFGSHIFTMASK:
    case Op::STREAMWRCFG: return {index, 1};
    case Op::RMWCIB0:
    case Op::RMWCIB1:
    case Op::RMWCIB2:
    case Op::RMWCIB3: return {decoded["Index4"], 1};
    case Op::REG2FLOP: break;
    default: return {};
  }
  if (!moves_to_config(decoded)) return {};
  const unsigned first =
      isa::config_place(isa::ConfigField::THCON_SEC0_REG0_TileDescriptor).word_of(arch);
  const std::uint32_t flop = decoded["FlopIndex"];
  return decoded["SizeSel"] == 0 ? WordRange{first + (flop & ~3U), 4} : WordRange{first + flop, 1};
}

WordRange named_words(Arch arch, const isa::Decoded& decoded) {
  if (decoded.row->op == Op::RDCFG) return {decoded["CfgIndex"], 1};
  return written_words(arch, decoded);
}

const std::set<unsigned>& unit_words(Arch arch, Unit unit) {
  static const auto kKnown = [] {
    std::map<std::pair<Arch, Unit>, std::set<unsigned>> words;
    for (const Arch chip : kArchs) {
      for (const Unit each : {Unit::Unpacker, Unit::Packer, Unit::Matrix, Unit::Vector})
        words[{chip, each}] = find_unit_words(chip, each);
    }
    return words;
  }();
  static const std::set<unsigned> kNone;
  const auto found = kKnown.find({arch, unit});
  return found == kKnown.end() ? kNone : found->second;
}

} // namespace lanewise::tile
