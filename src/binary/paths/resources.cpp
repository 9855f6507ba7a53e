#include "binary/paths/resources.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <string_view>
#include <vector>

#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "chip/isa/replay.h"

namespace lanewise::paths {

namespace {

using isa::Op;

constexpr unsigned kFirstConstantLReg = 11, kLastConstantLReg = 14;

constexpr bool is_constant(unsigned lreg) {
  return lreg >= kFirstConstantLReg && lreg <= kLastConstantLReg;
}

/// Destination of SFPCONFIG (VU C38).
Resources set_by_sfpconfig(unsigned destination) {
  constexpr unsigned kSequences = 4, kMisc = 8, kLaneConfig = 15;
  if (destination < kSequences) return resource_bit(resource::kFirstTemplate + destination);
  if (destination < kMisc) return resource_bit(resource::kFirstSequence + destination - kSequences);
  if (destination == kMisc) return resource_bit(resource::kMisc);
  if (is_constant(destination))
    return resource_bit(resource::kFirstConstant + destination - kFirstConstantLReg);
  return destination == kLaneConfig ? resource_bit(resource::kLaneConfig) : 0;
}

/// The word of a section that moves the Dst counter, as the checker takes it (VU C19).
Resources set_by_setc16(Arch arch, unsigned word) {
  const ArchParams& chip = arch_params(arch);
  const bool is_section =
      word >= chip.config.addr_mod_dst_word &&
      word < unsigned{chip.config.addr_mod_dst_word} + chip.front_end.addr_mod_sections;
  return is_section ? resource_bit(resource::kFirstAddrMod + word - chip.config.addr_mod_dst_word)
                    : 0;
}

Resources slots(unsigned first, unsigned count) {
  Resources set = 0;
  for (unsigned i = 0; i < count; ++i) set |= resource_bit((first + i) % resource::kReplaySlots);
  return set;
}

Resources used_by_macro(const isa::Decoded& macro) {
  return resource_bit(resource::kFirstSequence + macro["MacroIndex"]) |
         resource_bit(resource::kMisc);
}

Resources constants_read(Arch arch, std::uint32_t word) {
  Resources set = 0;
  const isa::LRegSet read = isa::Effects(arch, word).lregs_read();
  for (unsigned lreg = kFirstConstantLReg; lreg <= kLastConstantLReg; ++lreg) {
    if ((read >> lreg & 1U) != 0)
      set |= resource_bit(resource::kFirstConstant + lreg - kFirstConstantLReg);
  }
  return set;
}

std::string range_text(std::string_view noun, unsigned first, unsigned last) {
  return first == last ? fmt::format("{} {}", noun, first)
                       : fmt::format("{}s {} to {}", noun, first, last);
}

/// Runs of the numbers [first, end) that are in the set, with their names.
void add_ranges(std::vector<std::string>& texts, Resources set, std::string_view noun,
                unsigned first, unsigned end, unsigned number) {
  for (unsigned i = first; i < end; ++i) {
    if ((set >> i & 1U) == 0) continue;
    unsigned last = i;
    while (last + 1 < end && (set >> (last + 1) & 1U) != 0) ++last;
    texts.push_back(range_text(noun, i - first + number, last - first + number));
    i = last;
  }
}

} // namespace

Resources resources_set(Arch arch, std::uint32_t word) {
  const isa::Decoded d = isa::decode(arch, word);
  if (d.row == nullptr) return 0;
  if (d.row->op == Op::SFPCONFIG) return set_by_sfpconfig(d["ConfigDest"]);
  if (d.row->op == Op::SETC16) return set_by_setc16(arch, d["CfgIndex"]);
  const isa::Effects effects(arch, word);
  constexpr unsigned kTemplateVd = 12;
  if (effects.is_template_write())
    return resource_bit(resource::kFirstTemplate + d["VD"] - kTemplateVd);
  return 0;
}

Resources resources_used(Arch arch, std::uint32_t word) {
  const isa::Decoded d = isa::decode(arch, word);
  if (d.row == nullptr) return 0;
  if (const auto replay = isa::replay_command(word))
    return replay->load ? 0 : slots(replay->index, replay->count);
  Resources used = constants_read(arch, word);
  if (d.row->op == Op::SFPLOADMACRO) used |= used_by_macro(d);
  if (d.row->field("AddrMod") != nullptr)
    used |= resource_bit(resource::kFirstAddrMod + d["AddrMod"]);
  return used;
}

std::string resources_text(Resources resources) {
  std::vector<std::string> texts;
  const auto add = [&](std::string_view noun, unsigned first, unsigned count, unsigned number) {
    add_ranges(texts, resources, noun, first, first + count, number);
  };
  add("replay slot", 0, resource::kReplaySlots, 0);
  add("macro sequence", resource::kFirstSequence, 4, 0);
  add("macro template", resource::kFirstTemplate, 4, 0);
  if ((resources & resource_bit(resource::kMisc)) != 0) texts.emplace_back("Misc");
  add("LReg", resource::kFirstConstant, 4, kFirstConstantLReg);
  if ((resources & resource_bit(resource::kLaneConfig)) != 0) texts.emplace_back("LaneConfig");
  add("ADDR_MOD section", resource::kFirstAddrMod, 8, 0);
  return fmt::format("{}", fmt::join(texts, ", "));
}

} // namespace lanewise::paths
