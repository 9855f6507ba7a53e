#include "source/compiler/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "base/source_line.h"
#include "chip/isa/encoding.h"
#include "source/compiler/intervals.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

/// "line 12", with the file if it is not the kernel's own.
std::string place(const Recording& recording, std::uint32_t site) {
  const std::uint32_t line = recording.sites[site].line;
  return has_line(line) ? line_text(line) : "an unknown line";
}

Fault fault_at(const Recording& recording, std::uint32_t site, FaultKind kind, std::string message,
               std::string remedy) {
  Fault fault{.kind = kind,
              .message = std::move(message),
              .remedy = std::move(remedy),
              .file = recording.name,
              .line = recording.sites[site].line};
  settle_place(fault);
  return fault;
}

/// Whether raw words read or write LReg[0..7] here.
bool uses_lregs(Arch arch, const Instr& instr) {
  return std::ranges::any_of(instr.executes, [&](std::uint32_t word) {
    return (raw_reads(arch, word) | raw_writes(arch, word)) != 0;
  });
}

} // namespace

std::vector<Fault> check_nesting(const Recording& recording, const Code& code) {
  const unsigned most = arch_params(code.arch).vector.usable_flag_stack;
  unsigned depth = 0;
  for (const Instr& instr : code.instrs) {
    if (instr.kind != InstrKind::Tensix) continue;
    if (instr.op == Op::SFPPOPC) --depth;
    if (instr.op != Op::SFPPUSHC || ++depth <= most) continue;
    return {fault_at(
        recording, instr.site, FaultKind::BadInput,
        fmt::format("predicates are nested {} deep here, and the flag stack has {} entries", depth,
                    most),
        "join conditions with &&, or use v_and instead of a further v_if")};
  }
  return {};
}

std::vector<Fault> check_raw_words(const Recording& recording, const Code& code) {
  const Intervals intervals = find_intervals(code, false);
  std::vector<Fault> warnings;
  std::set<std::pair<std::uint32_t, std::uint32_t>> told; // by source lines
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Instr& instr = code.instrs[i];
    if (instr.kind != InstrKind::Raw || !uses_lregs(code.arch, instr)) continue;
    for (std::size_t v = 0; v < intervals.of.size(); ++v) {
      const Interval& life = intervals.of[v];
      if (life.first >= write_time(i) || life.last <= write_time(i)) continue;
      const std::uint32_t made = code.origins[v].site;
      if (!told.emplace(recording.sites[instr.site].line, recording.sites[made].line).second)
        continue;
      warnings.push_back(
          fault_at(recording, instr.site, FaultKind::Hazard,
                   fmt::format("the vector of {} is alive across this raw word, which uses LRegs",
                               place(recording, made)),
                   "store it to Dst before, or keep it in a known LReg with l_reg: the vendor's "
                   "compiler does not know which LRegs a raw word changes"));
    }
  }
  return warnings;
}

Fault out_of_registers(const Recording& recording, const Code& code, const Pressure& pressure) {
  if (pressure.wanted) {
    return fault_at(
        recording, code.instrs[pressure.instr].site, FaultKind::BadInput,
        fmt::format("LReg[{}] is needed here, and it holds what raw words or l_reg have put there "
                    "for later",
                    *pressure.wanted),
        fmt::format("do this before LReg[{}] is loaded, or read it with l_reg and write it back",
                    *pressure.wanted));
  }
  std::vector<std::pair<std::string, unsigned>> values; // and how often
  std::string constants;
  for (const unsigned v : pressure.live) {
    const RegOrigin& origin = code.origins[v];
    std::string value = place(recording, origin.site);
    if (origin.is_constant) {
      const auto number = std::bit_cast<float>(origin.constant);
      constants += fmt::format("{}{:g} of {}", constants.empty() ? "" : ", ", number, value);
      value += fmt::format(" (constant {:g})", number);
    }
    if (values.empty() || values.back().first != value) values.emplace_back(std::move(value), 0);
    ++values.back().second;
  }
  std::string list;
  for (const auto& [value, times] : values) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", value);
    if (times > 1) list += fmt::format(" ({} times)", times);
  }
  std::string held;
  if (pressure.reserved != 0) {
    held += fmt::format(", and {} LRegs hold what raw words or l_reg use", pressure.reserved);
  }
  if (pressure.lost != 0) {
    held += fmt::format(", of which {} changes {} beside its operands",
                        isa::find_row(code.arch, code.instrs[pressure.instr].op)->mnemonic,
                        pressure.lost);
  }
  Fault fault = fault_at(
      recording, code.instrs[pressure.instr].site, FaultKind::BadInput,
      fmt::format("{} vectors are needed at once here, and there are {} LRegs{}; they come from {}",
                  pressure.live.size(), arch_params(code.arch).vector.lregs, held, list),
      "load or compute some of them again where they are used");
  if (!constants.empty()) {
    fault.remedy += fmt::format(
        "; or keep a constant in a programmable register (vConstFloatPrgm0..2): {}", constants);
  }
  fault.rule = "SFPI: registers are never spilled";
  return fault;
}

} // namespace lanewise::compiler
