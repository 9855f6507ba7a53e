#include "chip/timing/hazards/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/machine/executor.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/machine/vector/sfpconfig.h"
#include "chip/timing/hazards/findings.h"
#include "chip/timing/hazards/random_tile.h"
#include "chip/timing/program_parts.h"

namespace lanewise::timing {

namespace {

using isa::Op;

/// Programs that expand to more are not called twice.
constexpr std::size_t kLongestProgram = 100'000;
constexpr unsigned kTiles = 3;

/// The words that run once, and those of a call, each with what configures the MOP expander there.
struct Parts {
  Program init, call;
};

Parts split(const Program& program) {
  const std::vector<ProgramPart> parts = parts_of(program);
  Parts split;
  split.init.name = split.call.name = program.name;
  deal_out(program, [&](std::size_t i) -> DealtTo {
    const bool once = i < parts.size() && parts[i] == ProgramPart::Init;
    return {once ? split.init : split.call};
  });
  return split;
}

/// What init and calls have left, and how the call was scheduled.
struct TwoCalls {
  MachineState ready;         ///< behind the init
  MachineState first, second; ///< behind the calls, each on the same tile
  Schedule call;              ///< the first
  bool same_words = true;     ///< what REPLAY and MOP expand to in the second is that of the first
};

/// A part of the state that an init programs, and calls rely on.
struct Part {
  std::string name;
  bool (*same)(const MachineState& a, const MachineState& b);
  void (*take)(MachineState& to, const MachineState& from);
  bool (*writes)(const MicroOp& op); ///< whether an instruction may have changed it
  LRegMask lreg = 0;                 ///< if it is a register
};

template <unsigned Lreg>
Part constant() {
  return {.name = fmt::format("LReg[{}]", Lreg),
          .same =
              [](const MachineState& a, const MachineState& b) {
                return std::memcmp(a.vector.lreg[Lreg], b.vector.lreg[Lreg],
                                   sizeof a.vector.lreg[Lreg]) == 0;
              },
          .take =
              [](MachineState& to, const MachineState& from) {
                std::ranges::copy(from.vector.lreg[Lreg], to.vector.lreg[Lreg]);
              },
          .writes = [](const MicroOp& op) { return op.op == Op::SFPCONFIG && op.vd == Lreg; },
          .lreg = 1U << Lreg};
}

Part lane_configuration() {
  return {
      .name = "LaneConfig",
      .same = [](const MachineState& a,
                 const MachineState& b) { return a.vector.lane_config == b.vector.lane_config; },
      .take = [](MachineState& to,
                 const MachineState& from) { to.vector.set_lane_config(from.vector.lane_config); },
      .writes =
          [](const MicroOp& op) {
            return op.op == Op::SFPCONFIG && op.vd == kLaneConfigDestination;
          }};
}

Part macros() {
  return {
      .name = "the macro configuration",
      .same =
          [](const MachineState& a, const MachineState& b) {
            return a.vector.macro.instruction_template == b.vector.macro.instruction_template &&
                   a.vector.macro.sequence == b.vector.macro.sequence &&
                   a.vector.macro.misc == b.vector.macro.misc;
          },
      .take = [](MachineState& to,
                 const MachineState& from) { to.vector.macro = from.vector.macro; },
      .writes =
          [](const MicroOp& op) { return op.op == Op::SFPCONFIG && op.vd <= kMiscDestination; }};
}

const std::array<Part, 6>& all_parts() {
  static const std::array<Part, 6> parts{constant<11>(), constant<12>(),       constant<13>(),
                                         constant<14>(), lane_configuration(), macros()};
  return parts;
}

/// What the front end holds, which is no part of the machine's state.
const Part kExpanders{.name = "the replay buffer or the MOP expander",
                      .same = [](const MachineState&, const MachineState&) { return false; },
                      .take = [](MachineState&, const MachineState&) {},
                      .writes = [](const MicroOp&) { return false; }};

/// The kernel, called on random tiles.
class Calls {
 public:
  Calls(const Program& program, const MachineState& start)
      : parts_(split(program)), start_(start), plain_(expand(parts_, start.config.arch())) {}

  bool is_short() const {
    return plain_.init.ops.size() + plain_.call.ops.size() <= kLongestProgram;
  }

  /// Two calls, each with `ending` behind it. The second finds the constants and the configuration
  /// that the first has left, but for the part `kept`, and all else as the first found it.
  TwoCalls run(unsigned seed, std::span<const std::uint32_t> ending = {},
               const Part* kept = nullptr) const {
    if (ending.empty()) return call_twice(seed, plain_, kept);
    Parts changed = parts_;
    for (const std::uint32_t word : ending) changed.call.words.push_back({word, 0});
    return call_twice(seed, expand(changed, start_.config.arch()), kept);
  }

 private:
  /// What the front end makes of an init and of two calls.
  struct Expanded {
    MicroProgram init, call, again;
    bool same_words = true;
  };

  static Expanded expand(const Parts& parts, Arch arch) {
    FrontEnd front_end(arch);
    Expanded expanded{.init = front_end.expand(parts.init),
                      .call = front_end.expand(parts.call),
                      .again = front_end.expand(parts.call)};
    expanded.same_words = std::ranges::equal(expanded.call.ops, expanded.again.ops, {},
                                             &MicroOp::word, &MicroOp::word);
    return expanded;
  }

  TwoCalls call_twice(unsigned seed, const Expanded& expanded, const Part* kept) const {
    MachineState state = random_tile(start_, seed);
    Schedule timed;
    execute(state, expanded.init, timed);
    const MachineState ready = state;
    execute(state, expanded.call, timed);
    const auto is_same = [&](const Part& part) { return part.same(ready, state); };
    if (expanded.same_words && std::ranges::all_of(all_parts(), is_same))
      return {ready, state, state, std::move(timed)};
    MachineState second = ready;
    for (const Part& part : all_parts()) {
      if (&part != kept) part.take(second, state);
    }
    Schedule again;
    execute(second, expanded.again, again);
    return {ready, std::move(state), std::move(second), std::move(timed), expanded.same_words};
  }

  static void execute(MachineState& state, const MicroProgram& program, Schedule& timed) {
    timed = schedule(state, program);
    lanewise::execute(state, timed.ops(program));
  }

  Parts parts_;
  const MachineState& start_;
  Expanded plain_; ///< without an ending
};

bool same_dst(const MachineState& a, const MachineState& b) {
  return !first_difference(a.dst, b.dst);
}

std::string cell_that_differs(const Dst& a, const Dst& b) {
  const auto cell = first_difference(a, b);
  if (!cell) return {};
  return fmt::format("row {}, column {} of Dst then holds {:04X} instead of {:04X}", cell->row,
                     cell->column, b.cell[cell->row][cell->column],
                     a.cell[cell->row][cell->column]);
}

/// The one part whose change makes the difference; if it takes several, the first that changed.
const Part* culprit(const Calls& calls, unsigned seed, const TwoCalls& two) {
  const Part* changed = two.same_words ? nullptr : &kExpanders;
  for (const Part& part : all_parts()) {
    if (part.same(two.ready, two.first)) continue;
    if (changed == nullptr) changed = &part;
    const TwoCalls without = calls.run(seed, {}, &part);
    if (same_dst(without.first, without.second)) return &part;
  }
  return changed;
}

void report(Findings& findings, const TwoCalls& two, const Part& part) {
  const Event* writer = nullptr;
  const Event* reader = nullptr;
  for (const Event& event : two.call.events) {
    if (part.writes(event.op)) writer = &event;
    if (reader == nullptr && (event.reads & part.lreg) != 0) reader = &event;
  }
  const Spot spot{.op = writer == nullptr ? nullptr : &writer->op,
                  .cycle = writer == nullptr ? 0 : writer->cycle,
                  .other_line = reader == nullptr ? 0 : reader->op.line};
  findings.add(HazardId::ContractInit, spot, [&] {
    const std::string read =
        reader == nullptr
            ? "the call relies on it"
            : fmt::format("{} reads it", findings.op_name(reader->op, reader->scheduled));
    return HazardText{
        fmt::format("leaves {} otherwise than the call finds it, and {}: a second call on the same "
                    "tile gives something else, {}",
                    part.name, read, cell_that_differs(two.first.dst, two.second.dst)),
        {}};
  });
}

/// What one call leaves in Dst, on each of the random tiles.
std::vector<MachineState> results_of_one_call(const Calls& calls) {
  std::vector<MachineState> results;
  for (unsigned seed = 0; seed < kTiles; ++seed) results.push_back(calls.run(seed).first);
  return results;
}

/// Whether two calls with the ending give what one gives without.
bool keeps_results(const Calls& calls, std::span<const MachineState> results,
                   std::span<const std::uint32_t> ending) {
  for (unsigned seed = 0; seed < results.size(); ++seed) {
    const TwoCalls changed = calls.run(seed, ending);
    if (!same_dst(results[seed], changed.first) || !same_dst(results[seed], changed.second))
      return false;
  }
  return true;
}

/// Whether the words alone leave open that a second call finds something otherwise than the first.
/// Templates that an instruction with such a VD writes need an SFPLOADMACRO to be seen.
bool may_change_init(Arch arch, const Program& program) {
  constexpr unsigned kChanges = isa::part::kVectorConfig | isa::part::kInstructions;
  return std::ranges::any_of(program.words, [arch](const ProgramWord& each) {
    const isa::Row* row = isa::decode(arch, each.word).row;
    return row != nullptr && (isa::parts_written(row->op) & kChanges) != 0;
  });
}

/// What is broken where the program has `ending` behind it.
std::vector<Hazard> breaks_with(const Program& program, const MachineState& start,
                                std::span<const std::uint32_t> ending) {
  Program changed = program;
  for (const std::uint32_t word : ending) changed.words.push_back({word, 0});
  const MicroProgram expanded = FrontEnd(start.config.arch()).expand(changed);
  const Schedule timed = schedule(start, expanded);
  MachineState after = start;
  execute(after, timed.ops(expanded));
  return find_contract_breaks(start, after, timed);
}

bool mends(const Hazard& hazard, std::span<const Hazard> original, std::span<const Hazard> left) {
  const auto has = [](std::span<const Hazard> hazards, const HazardRule* rule) {
    return std::ranges::any_of(hazards, [rule](const Hazard& each) { return each.rule == rule; });
  };
  return !has(left, hazard.rule) &&
         std::ranges::all_of(left, [&](const Hazard& each) { return has(original, each.rule); });
}

} // namespace

std::vector<Hazard> find_changed_init(const Program& program, const MachineState& start) {
  if (!may_change_init(start.config.arch(), program)) return {};
  Findings findings(start.config.arch());
  const Calls calls(program, start);
  if (!calls.is_short()) return {};
  for (unsigned seed = 0; seed < kTiles; ++seed) {
    const TwoCalls two = calls.run(seed);
    if (same_dst(two.first, two.second)) continue;
    if (const Part* part = culprit(calls, seed, two)) report(findings, two, *part);
    break;
  }
  return findings.take();
}

void try_endings(std::vector<Hazard>& hazards, const Program& program, const MachineState& start) {
  const auto proposes = [](const Hazard& each) { return !each.changes.empty(); };
  if (std::ranges::none_of(hazards, proposes)) return;
  const Calls calls(program, start);
  const bool is_short = calls.is_short();
  const std::vector<Hazard> original = hazards;
  const auto results = is_short ? results_of_one_call(calls) : std::vector<MachineState>{};
  for (Hazard& hazard : hazards) {
    if (!proposes(hazard)) continue;
    std::erase_if(hazard.changes, [&](const ProposedChange& change) {
      return !is_short || !mends(hazard, original, breaks_with(program, start, change.words)) ||
             !keeps_results(calls, results, change.words);
    });
    if (!hazard.changes.empty()) {
      hazard.changes.resize(1);
      hazard.mend = hazard.changes.front().text;
    } else if (is_short) {
      hazard.mend += "; to do so at the end of every call has been tried, and does not do";
    }
  }
}

} // namespace lanewise::timing
