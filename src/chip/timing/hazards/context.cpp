#include "chip/timing/hazards/context.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source_line.h"
#include "chip/isa/def_use.h"
#include "chip/isa/disassembler.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/isa/interlock.h"
#include "chip/machine/dst.h"
#include "chip/timing/access.h"

namespace lanewise::timing {

namespace {

using isa::Op;

/// How far behind the reader an instruction to move is looked for.
constexpr std::size_t kMoveReach = 4;

/// Instructions that only compute, so that their place among others matters through registers
/// alone.
bool only_computes(Arch arch, const MicroOp& op) {
  if (!is_vector(arch, op) || isa::is_template_write(arch, op.word) || writes_flags(op))
    return false;
  if (isa::may_draw_random_numbers(op.op) || isa::may_hold_unit(op.op)) return false;
  // Dst, the counters that its addresses depend on, the configuration; there is nothing to SFPNOP.
  return isa::parts_written(op.op) == isa::part::kNone && op.op != Op::SFPNOP;
}

struct Registers {
  LRegMask reads, writes;

  Registers(Arch arch, const MicroOp& op)
      : reads(isa::lregs_read(arch, op.word)), writes(isa::lregs_written(arch, op.word)) {}

  bool independent_of(const Registers& other) const {
    return (writes & (other.reads | other.writes)) == 0 && (reads & other.writes) == 0;
  }
};

/// SFPSHFT2's result port on Wormhole (VU 5.4).
bool meet_at_port(Arch arch, const MicroOp& first, const MicroOp& second) {
  return first.op == Op::SFPSHFT2 && isa::takes_two_cycles(arch, first.word) &&
         isa::shares_result_port(arch, second.word);
}

/// Whether what surrounds an instruction comes too close together without it.
bool is_needed_as_distance(Arch arch, std::span<const MicroOp> ops, std::size_t i) {
  if (i + 1 == ops.size() || isa::latency(arch, ops[i - 1].word) < 2) return false;
  return !Registers(arch, ops[i + 1]).independent_of(Registers(arch, ops[i - 1])) ||
         meet_at_port(arch, ops[i - 1], ops[i + 1]);
}

/// Whether the line of an instruction stands further down in the same file.
bool stands_below(const MicroOp& op, const MicroOp& above) {
  const SourcePlace lower = source_place(op.line), upper = source_place(above.line);
  return lower.file == upper.file && lower.line > upper.line;
}

/// The instruction behind the reader that could be moved between writer and reader, or nullptr.
const MicroOp* movable(Arch arch, std::span<const MicroOp> ops, std::size_t writer,
                       std::size_t reader) {
  const Registers written(arch, ops[writer]);
  for (std::size_t i = reader + 1; i < ops.size() && i <= reader + kMoveReach; ++i) {
    const MicroOp& candidate = ops[i];
    if (!only_computes(arch, candidate) || !stands_below(candidate, ops[reader])) continue;
    const Registers moved(arch, candidate);
    bool free = moved.independent_of(written) && !meet_at_port(arch, ops[writer], candidate);
    for (std::size_t k = reader; k < i && free; ++k) {
      free = moved.independent_of(Registers(arch, ops[k])) && !writes_flags(ops[k]) &&
             ops[k].op != Op::SFPCONFIG && ops[k].op != Op::SFPLOADMACRO;
    }
    if (free && !is_needed_as_distance(arch, ops, i)) return &candidate;
  }
  return nullptr;
}

} // namespace

bool touches_same_elements(const EventFacts& a, const EventFacts& b) {
  if (a.physical_row < 0 || b.physical_row < 0 || a.odd != b.odd) return false;
  const auto has = [](const EventFacts& access, int row) {
    return row == access.physical_row ||
           (access.wide && row == access.physical_row + static_cast<int>(kDstLowHalf));
  };
  return has(a, b.physical_row) || (b.wide && has(a, b.physical_row + int{kDstLowHalf}));
}

std::size_t HazardContext::next_cycle(std::size_t i) const {
  std::size_t next = i + 1;
  while (next < events().size() && events()[next].cycle == events()[i].cycle) ++next;
  return next;
}

std::pair<std::size_t, std::size_t> HazardContext::following(std::size_t i) const {
  const std::size_t first = next_cycle(i);
  if (first == events().size() || events()[first].cycle != events()[i].cycle + 1)
    return {first, first};
  return {first, next_cycle(first)};
}

bool HazardContext::is_pushed(std::uint32_t issue) const {
  if (!options.pushed || issue >= schedule.issues.size()) return false;
  const std::uint32_t op = schedule.issues[issue].op;
  return op < program.ops.size() && (op >= program.supply.size() || !program.supply[op].expanded);
}

Spot HazardContext::spot(std::size_t event, std::uint32_t other_line) const {
  const Event& e = events()[event];
  return {.op = &e.op, .cycle = e.cycle, .other_line = other_line, .scheduled = e.scheduled};
}

std::string HazardContext::name(std::size_t event) const {
  return findings.op_name(events()[event].op, events()[event].scheduled);
}

std::vector<ProposedChange> nop_before(const HazardContext& context, std::uint32_t line) {
  return context.findings.insertion(line, "SFPNOP", *isa::encode(context.arch(), Op::SFPNOP, {}));
}

std::vector<ProposedChange> nops_before(const HazardContext& context, std::uint32_t line,
                                        std::size_t count) {
  return context.findings.insertion(
      line, fmt::format("{} SFPNOP{} or other instructions", count, count == 1 ? "" : "s"),
      *isa::encode(context.arch(), Op::SFPNOP, {}), count);
}

std::vector<ProposedChange> keep_apart(const HazardContext& context, std::uint32_t writer,
                                       std::uint32_t reader) {
  const auto& issues = context.schedule.issues;
  const auto& ops = context.program.ops;
  if (writer >= issues.size() || reader >= issues.size()) return {};
  const std::size_t first = issues[writer].op, second = issues[reader].op;
  if (first >= ops.size() || second >= ops.size()) return {};
  std::vector<ProposedChange> changes = nop_before(context, ops[second].line);
  const MicroOp* moved = movable(context.arch(), ops, first, second);
  if (changes.empty() || moved == nullptr || !has_line(moved->line)) return changes;
  changes.push_back({fmt::format("move {} ({}), which is independent, here",
                                 context.findings.line_name(moved->line),
                                 isa::disassemble(context.arch(), moved->word)),
                     ops[second].line,
                     {},
                     moved->line});
  return changes;
}

} // namespace lanewise::timing
