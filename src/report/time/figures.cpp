#include "report/time/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace lanewise::report {

namespace {

using timing::Figures;
using timing::StallCause;
using timing::TileCost;
using timing::Timing;

/// Reads one number out of figures.
using Reader = std::function<double(const Figures&)>;

constexpr std::array kWaits{StallCause::Result,    StallCause::Spurious,  StallCause::TwoCycles,
                            StallCause::Recording, StallCause::Push,      StallCause::Wait,
                            StallCause::DstBlock,  StallCause::MatrixUnit};

std::size_t index(StallCause cause) {
  return static_cast<std::size_t>(cause);
}

bool is_matrix_alone(const Figures& total) {
  const auto works = [](double cycles) { return cycles > 0; };
  return total.unit_instructions[static_cast<std::size_t>(isa::Unit::Matrix)] > 0 &&
         std::ranges::none_of(total.sub_unit_busy, works);
}

FigureRow figure(const Timing& timing, std::string label, const Reader& read) {
  FigureRow row{std::move(label), read(timing.total), read(timing.tile.pass), std::nullopt};
  if (timing.tile.rows > 0) row.row = row.pass / timing.tile.rows;
  return row;
}

/// Sub-units that a table has: none of an idle Vector Unit.
std::span<const isa::SubUnit> sub_units(const Timing& timing) {
  static constexpr std::array kAll{isa::SubUnit::Load, isa::SubUnit::Simple, isa::SubUnit::Mad,
                                   isa::SubUnit::Round, isa::SubUnit::Store};
  return is_matrix_alone(timing.total) ? std::span<const isa::SubUnit>{} : kAll;
}

FigureGroup cycles_group(const Timing& timing) {
  FigureGroup group{"cycles", {}};
  const auto add = [&](std::string label, const Reader& read) {
    group.rows.push_back(figure(timing, std::move(label), read));
  };
  const auto add_stalls = [&](std::string_view kind, const timing::StallCycles Figures::*stalls) {
    for (StallCause cause : kWaits) {
      if ((timing.total.*stalls)[index(cause)] == 0) continue;
      add(fmt::format("{}: {}", kind, stall_cause_name(cause)),
          [=](const Figures& figures) { return (figures.*stalls)[index(cause)]; });
    }
  };
  add("cycles", [](const Figures& f) { return f.cycles; });
  add("slots (instructions)", [](const Figures& f) { return f.slots; });
  add("stalls", [](const Figures& f) { return f.visible_stalls(); });
  add_stalls("stalled", &Figures::visible);
  add_stalls("hidden", &Figures::hidden);
  if (timing.total.scheduled > 0)
    add("scheduled by macros, without a slot", [](const Figures& f) { return f.scheduled; });
  if (timing.total.discarded > 0)
    add("discarded instructions", [](const Figures& f) { return f.discarded; });
  if (!is_matrix_alone(timing.total))
    add("rows of 32 lanes stored", [](const Figures& f) { return f.stores; });
  return group;
}

FigureGroup units_group(const Timing& timing) {
  FigureGroup group{"busy cycles", {}};
  for (isa::SubUnit unit : sub_units(timing)) {
    group.rows.push_back(
        figure(timing, unit == isa::SubUnit::Mad ? "MAD" : std::string(isa::sub_unit_name(unit)),
               [=](const Figures& f) { return f.sub_unit_busy[static_cast<std::size_t>(unit)]; }));
  }
  for (std::size_t unit = 0; unit < timing::kUnits; ++unit) {
    if (timing.total.unit_instructions[unit] == 0) continue;
    group.rows.push_back(
        figure(timing, fmt::format("{} unit", isa::unit_name(static_cast<isa::Unit>(unit))),
               [=](const Figures& f) { return f.unit_instructions[unit]; }));
  }
  return group;
}

bool is_of_vector_unit(timing::Resource resource) {
  switch (resource) {
    case timing::Resource::Load:
    case timing::Resource::Simple:
    case timing::Resource::Mad:
    case timing::Resource::Round:
    case timing::Resource::Store:
    case timing::Resource::Results: return true;
    case timing::Resource::FrontEnd:
    case timing::Resource::Push: break;
  }
  return false;
}

FigureGroup bounds_group(const Timing& timing) {
  FigureGroup group{"at least, if only this counted", {}};
  for (std::size_t resource = 0; resource < timing::kResources; ++resource) {
    if (is_matrix_alone(timing.total) && is_of_vector_unit(static_cast<timing::Resource>(resource)))
      continue;
    group.rows.push_back(figure(timing,
                                std::string(resource_name(static_cast<timing::Resource>(resource))),
                                [=](const Figures& f) { return f.bounds[resource]; }));
  }
  return group;
}

/// "128 cycles, 94.8 ns at 1.35 GHz".
std::string with_time(Arch arch, double cycles) {
  return fmt::format("{} cycles, {:.1f} ns at {} GHz", number(cycles), nanoseconds(arch, cycles),
                     arch_params(arch).clock_ghz);
}

/// What comes beside the tile, where there is any.
std::string once_sentence(const TileCost& tile) {
  std::string text = fmt::format("Init: {} cycles, once.", number(tile.init));
  if (tile.around == 0) return text;
  return text + fmt::format(
                    " Around the kernel: {} cycles per tile (start, next face), which a "
                    "harness has in its constant.",
                    number(tile.around));
}

std::string tile_sentence(const TimeReport& timed, double cycles) {
  const TileCost& tile = timed.timing.tile;
  const std::string passes =
      tile.passes() == 1 ? "" : fmt::format(" in {} passes", number(tile.passes()));
  return fmt::format("A tile in the steady state: {}{}.", with_time(timed.arch, cycles), passes);
}

std::string row_sentence(const TileCost& tile) {
  const auto k = tile.cycles_per_row();
  if (!k) return "No row is stored, so there is no k.";
  return fmt::format("k = {:.3f} cycles per row of 32 lanes = {:.3f} slots + {:.3f} stalls.", *k,
                     tile.pass.slots / tile.rows, tile.pass.visible_stalls() / tile.rows);
}

/// What the Matrix Unit delivers while it computes, and over everything.
std::string matrix_sentence(Arch arch, const Figures& steady) {
  const double computing = steady.products + steady.visible[index(StallCause::DstBlock)] +
                           steady.visible[index(StallCause::MatrixUnit)];
  const auto tflops = [&](double cycles) {
    return steady.operations / cycles * arch_params(arch).clock_ghz / 1000;
  };
  return fmt::format(
      "Matrix Unit: {} multiplications and additions (each product once, whatever its fidelity "
      "phases) in {} cycles of computing: {:.0f} per cycle, {:.3f} TFLOP/s at {} GHz; {:.3f} over "
      "all {} cycles (MU 8).",
      number(steady.operations), number(computing), steady.operations / computing,
      tflops(computing), arch_params(arch).clock_ghz, tflops(steady.cycles), number(steady.cycles));
}

std::string bottleneck_sentence(const Figures& steady) {
  const timing::Resource scarce = timing::bottleneck(steady.bounds);
  const double bound = steady.bounds[static_cast<std::size_t>(scarce)];
  return fmt::format("Bottleneck: {}, which needs {} of the {} cycles.", resource_name(scarce),
                     number(bound), number(steady.cycles));
}

/// Wormhole, the words pushed by the core.
std::string push_sentence(const TimeReport& timed) {
  const auto& [fast, slow] = *timed.timing.pushed;
  const auto k_fast = fast.cycles_per_row(), k_slow = slow.cycles_per_row();
  const std::string rate =
      k_fast && k_slow
          ? fmt::format("k = {:.3f} to {:.3f}", *k_fast, *k_slow)
          : fmt::format("{} to {} cycles", number(fast.pass.cycles), number(slow.pass.cycles));
  const ArchParams& chip = arch_params(timed.arch);
  return fmt::format(
      "Pushed by the core in a straight line instead of replayed, at {} to {} cycles per word: {} "
      "(T5).",
      chip.cores.fastest_push, chip.cores.slowest_push, rate);
}

/// What pushing makes of a harness that replays.
std::string pushed_text(const TimeReport& timed) {
  if (!timed.timing.pushed || !timed.harness->replayed) return {};
  const auto& [fast, slow] = *timed.timing.pushed;
  const auto cycles = [&](const TileCost& tile) {
    return timing::harness_cycles(*timed.harness, tile.cycles().value_or(0), timed.loop_passes) -
           timed.spared_cycles();
  };
  return fmt::format("; pushed by the core {:.1f} to {:.1f}", cycles(fast), cycles(slow));
}

/// Words whose fields the kernel gives as variables, where computing them shows.
std::string computed_sentence(const TimeReport& timed) {
  const TileCost& computed = *timed.timing.computed;
  const std::size_t words = timing::computed_words(timed.program);
  const std::string cost = computed.cycles()
                               ? fmt::format("{} cycles a tile", number(*computed.cycles()))
                               : fmt::format("{} cycles", number(computed.pass.cycles));
  return fmt::format(
      "{} fields that are variables: {} if the core computes {}, at about {} cycles each (T5).",
      words == 1 ? "1 word has" : fmt::format("{} words have", words), cost,
      words == 1 ? "it" : "them", timing::kComputedPush);
}

std::string harness_sentence(const TimeReport& timed, double tile, double with_harness) {
  const timing::Harness& harness = *timed.harness;
  const TileCost& cost = timed.timing.tile;
  const auto k = cost.cycles_per_row();
  std::string sum = k && (cost.rows == timing::kRowsPerTile || !cost.is_tile)
                        ? fmt::format("{} x {:.3f}", timing::kRowsPerTile, *k)
                        : number(tile);
  if (harness.per_pass != 0)
    sum += fmt::format(" + {} passes x {}", number(timed.loop_passes), number(harness.per_pass));
  if (harness.replayed && timed.rolled_loop)
    sum += fmt::format(" + {} for the loop", number(*timed.rolled_loop));
  sum += fmt::format(" + {}", harness.overhead);
  if (timed.saved_steps != 0)
    sum += fmt::format(" - {} for steps between faces, of which one call has none",
                       number(timed.saved_steps));
  if (const double hidden = timed.spared_cycles() - timed.saved_steps; hidden != 0)
    sum += fmt::format(" - {} of the loop that stalls hide", number(hidden));
  return fmt::format("A tile in harness {}{} ({}): {} = {:.1f} cycles, {:.1f} ns{} (T6).",
                     harness.name, timed.harness_chosen ? ", chosen by what the program does" : "",
                     harness.summary, sum, with_harness, nanoseconds(timed.arch, with_harness),
                     pushed_text(timed));
}

std::string rolled_sentence(const TimeReport& timed) {
  const bool counted = timed.harness != nullptr && !timed.harness->replayed;
  return fmt::format(
      "The rolled loop in the core adds about {} cycles to a tile (an estimate, T5){}.",
      number(*timed.rolled_loop),
      counted ? ", which the constant of this harness has already" : "");
}

std::string findings_sentence(const TimeReport& timed) {
  return fmt::format(
      "The checker: {}; 'lanewise check' says where and what to do. Times of a "
      "program with hazards may differ on silicon.",
      finding_counts(timed.checked));
}

} // namespace

std::vector<FigureGroup> figure_groups(const TimeReport& timed) {
  return {cycles_group(timed.timing), units_group(timed.timing), bounds_group(timed.timing)};
}

bool leaves_vector_unit_idle(const TimeReport& timed) {
  return is_matrix_alone(timed.timing.total);
}

std::vector<StalledLine> stalled_lines(const TimeReport& timed) {
  const timing::Schedule& schedule = timed.timing.schedule;
  const timing::LineStalls& of_pass = timed.timing.tile.stalls;
  // What only a further pass waits for is not in the total of one.
  timing::LineStalls total =
      timing::stalls_by_line(schedule, timed.prepared, {.issues = schedule.issues.size()});
  for (const auto& [where, cycles] : of_pass) total.try_emplace(where, 0);
  std::vector<StalledLine> lines;
  for (const auto& [where, cycles] : total) {
    const auto pass = of_pass.find(where);
    lines.push_back({where.line, where.cause, cycles, pass == of_pass.end() ? 0 : pass->second,
                     cycles / std::max(1.0, timed.timing.total.cycles)});
  }
  std::ranges::stable_sort(lines, std::greater<>(), [](const StalledLine& each) {
    return std::pair(each.total, each.pass);
  });
  return lines;
}

std::string compiled_sentence(const TimeReport& timed) {
  const bool shipped = *timed.compiled == compiler::CompiledAs::Shipped;
  return fmt::format("Compiled {}: {} cycles a tile; {}: {} (--compiled {}).",
                     shipped ? "as it ships, in the order of its source" : "in Lanewise's order",
                     number(timed.timing.tile.cycles().value_or(0)),
                     shipped ? "in Lanewise's order" : "as it ships", number(*timed.other_cycles),
                     shipped ? "lanewise" : "shipped");
}

std::vector<std::string> conclusions(const TimeReport& timed) {
  const TileCost& tile = timed.timing.tile;
  std::vector<std::string> all;
  all.push_back(fmt::format("The program: {}.", with_time(timed.arch, timed.timing.total.cycles)));
  if (tile.init != 0 || tile.around != 0) all.push_back(once_sentence(tile));
  const auto cycles = tile.cycles();
  if (cycles) all.push_back(tile_sentence(timed, *cycles));
  if (cycles && timed.other_cycles) all.push_back(compiled_sentence(timed));
  if (!leaves_vector_unit_idle(timed)) all.push_back(row_sentence(tile));
  if (tile.pass.operations > 0) all.push_back(matrix_sentence(timed.arch, tile.pass));
  if (tile.pass.slots > 0) all.push_back(bottleneck_sentence(tile.pass));
  if (timed.timing.pushed) all.push_back(push_sentence(timed));
  if (timed.timing.computed) all.push_back(computed_sentence(timed));
  if (timed.rolled_loop) all.push_back(rolled_sentence(timed));
  if (const auto with_harness = timed.harness_cycles())
    all.push_back(harness_sentence(timed, *cycles, *with_harness));
  if (finds_anything(timed.checked)) all.push_back(findings_sentence(timed));
  return all;
}

std::vector<std::string> deciding_rules(const TimeReport& timed) {
  const Figures& total = timed.timing.total;
  const auto waits = [&](StallCause cause) {
    return total.visible[index(cause)] + total.hidden[index(cause)] > 0;
  };
  std::vector<std::string> rules{"T1: one instruction per cycle, in order"};
  if (waits(StallCause::Result)) rules.push_back("T2, VU 5.2: a two-cycle result is waited for");
  if (waits(StallCause::Spurious))
    rules.push_back("VU 5.3: the stall logic believes in reads that do not happen");
  if (waits(StallCause::TwoCycles))
    rules.push_back("T3, VU 5.2: SFPSWAP and SFPSHFT2 hold the unit for two cycles");
  if (total.hidden_stalls() > 0)
    rules.push_back("T4: what waits inside the Vector Unit does not hold other units");
  if (waits(StallCause::Recording)) rules.push_back("T1: recording for REPLAY costs a slot");
  if (waits(StallCause::DstBlock))
    rules.push_back("MU 8: a block of 8 rows of Dst cannot be read for four cycles after a write");
  if (waits(StallCause::MatrixUnit))
    rules.push_back("MU 8: after SHIFTXB, MOVD2A, MOVD2B and MOVB2A only some instructions enter");
  if (waits(StallCause::Wait)) rules.push_back("VU C49: STALLWAIT waits for a unit");
  if (timed.timing.schedule.has_macros)
    rules.push_back("VU 5.5: what SFPLOADMACRO schedules takes no slot");
  if (timed.timing.pushed || timed.timing.computed || timed.rolled_loop || waits(StallCause::Push))
    rules.push_back("T5: how fast the core pushes words");
  if (timed.harness != nullptr) rules.push_back("T6: T = 32 k + O");
  return rules;
}

} // namespace lanewise::report
