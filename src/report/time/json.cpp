#include "report/time/json.h"

#include "source/compiler/switches.h"

#include <fmt/format.h>

#include "base/source_line.h"
#include "chip/isa/disassembler.h"
#include "report/time/figures.h"
#include "report/time/timeline.h"

namespace lanewise::report {

namespace {

using nlohmann::json;
using timing::Figures;

constexpr std::string_view cause_id(timing::StallCause cause) {
  switch (cause) {
    case timing::StallCause::None: return "none";
    case timing::StallCause::Result: return "result";
    case timing::StallCause::Spurious: return "spurious";
    case timing::StallCause::TwoCycles: return "two_cycles";
    case timing::StallCause::Recording: return "recording";
    case timing::StallCause::Push: return "push";
    case timing::StallCause::Wait: return "wait";
    case timing::StallCause::DstBlock: return "dst_block";
    case timing::StallCause::MatrixUnit: return "matrix_unit";
  }
  return {};
}

constexpr std::string_view part_id(ProgramPart part) {
  switch (part) {
    case ProgramPart::Tile: return "tile";
    case ProgramPart::Init: return "init";
    case ProgramPart::Around: return "around";
  }
  return {};
}

constexpr std::string_view resource_id(timing::Resource resource) {
  switch (resource) {
    case timing::Resource::FrontEnd: return "front_end";
    case timing::Resource::Load: return "load";
    case timing::Resource::Simple: return "simple";
    case timing::Resource::Mad: return "mad";
    case timing::Resource::Round: return "round";
    case timing::Resource::Store: return "store";
    case timing::Resource::Results: return "results";
    case timing::Resource::Push: return "push";
  }
  return {};
}

constexpr std::string_view note_id(timing::MacroNote note) {
  switch (note) {
    case timing::MacroNote::Discarded: return "discarded";
    case timing::MacroNote::Cancelled: return "cancelled";
    case timing::MacroNote::UndefinedSelector: return "undefined_selector";
    case timing::MacroNote::UnsuitableOpcode: return "unsuitable_opcode";
    case timing::MacroNote::UnsuitableStore: return "unsuitable_store";
    case timing::MacroNote::StoreLanesDiffer: return "store_lanes_differ";
    case timing::MacroNote::LeftPending: return "left_pending";
  }
  return {};
}

json sub_unit_json(isa::SubUnit unit) {
  return unit == isa::SubUnit::None ? json(nullptr) : json(isa::sub_unit_name(unit));
}

json stalls_json(const timing::StallCycles& stalls) {
  json result = json::object();
  for (std::size_t cause = 1; cause < stalls.size(); ++cause)
    result[std::string(cause_id(static_cast<timing::StallCause>(cause)))] = stalls[cause];
  return result;
}

json optional_json(std::optional<double> value) {
  return value ? json(*value) : json(nullptr);
}

json figures_json(const Figures& figures) {
  json busy = json::object(), units = json::object(), bounds = json::object();
  for (std::size_t unit = 1; unit < timing::kSubUnits; ++unit) {
    busy[std::string(sub_unit_name(static_cast<isa::SubUnit>(unit)))] = figures.sub_unit_busy[unit];
  }
  for (std::size_t unit = 0; unit < timing::kUnits; ++unit) {
    if (figures.unit_instructions[unit] != 0) {
      units[std::string(unit_name(static_cast<isa::Unit>(unit)))] = figures.unit_instructions[unit];
    }
  }
  for (std::size_t resource = 0; resource < timing::kResources; ++resource) {
    bounds[std::string(resource_id(static_cast<timing::Resource>(resource)))] =
        figures.bounds[resource];
  }
  return {{"cycles", figures.cycles},
          {"slots", figures.slots},
          {"stalls", stalls_json(figures.visible)},
          {"hidden_stalls", stalls_json(figures.hidden)},
          {"front_end_bubbles", figures.front_end_bubbles()},
          {"discarded", figures.discarded},
          {"scheduled", figures.scheduled},
          {"busy", busy},
          {"other_units", units},
          {"stores", figures.stores},
          {"operations", figures.operations},
          {"lower_bounds", bounds},
          {"bottleneck", resource_id(timing::bottleneck(figures.bounds))}};
}

json registers_json(timing::LRegMask registers) {
  json list = json::array();
  for (unsigned reg = 0; registers >> reg != 0; ++reg) {
    if ((registers >> reg & 1U) != 0) list.push_back(reg);
  }
  return list;
}

json instructions_json(const TimeReport& timed) {
  json list = json::array();
  for (const timing::Issue& issue : timed.timing.schedule.issues) {
    const MicroOp& op = timed.prepared.ops[issue.op];
    const Supply& supply = timed.prepared.supply[issue.op];
    json entry = place_json(op.line);
    entry.update({{"word", fmt::format("{:08X}", op.word)},
                  {"assembly", isa::disassemble(timed.arch, op.word)},
                  {"program_word", supply.word},
                  {"part", part_id(part_of_line(timed.program.words[supply.word].line))},
                  {"replayed", supply.expanded},
                  {"slot", issue.slot},
                  {"execute", issue.executes()},
                  {"stall", issue.before},
                  {"stall_cause", cause_id(issue.before_cause)},
                  {"inside", issue.inside},
                  {"inside_cause", cause_id(issue.inside_cause)},
                  {"discarded", issue.discarded}});
    list.push_back(std::move(entry));
  }
  return list;
}

json events_json(const TimeReport& timed) {
  json list = json::array();
  for (const timing::Event& event : timed.timing.schedule.events) {
    list.push_back({{"cycle", event.cycle},
                    {"instruction", event.issue},
                    {"text", event_text(timed.arch, event)},
                    {"sub_unit", sub_unit_json(event.sub_unit)},
                    {"scheduled", event.scheduled},
                    {"latency", event.latency},
                    {"reads", registers_json(event.reads)},
                    {"writes", registers_json(event.writes)},
                    {"dst_row", event.dst_row < 0 ? json(nullptr) : json(event.dst_row)}});
  }
  return list;
}

json stalled_lines_json(const TimeReport& timed) {
  json list = json::array();
  for (const StalledLine& each : stalled_lines(timed)) {
    json entry = place_json(each.line);
    entry.update({{"cause", cause_id(each.cause)}, {"total", each.total}, {"pass", each.pass}});
    list.push_back(std::move(entry));
  }
  return list;
}

json records_json(const TimeReport& timed) {
  json list = json::array();
  for (const timing::MacroRecord& record : timed.timing.schedule.records) {
    list.push_back({{"note", note_id(record.note)},
                    {"cycle", record.cycle},
                    {"instruction", record.issue},
                    {"other", record.other},
                    {"sub_unit", sub_unit_json(record.sub_unit)}});
  }
  return list;
}

json cost_json(const timing::TileCost& cost) {
  return {{"init", cost.init},
          {"around", cost.around},
          {"pass", figures_json(cost.pass)},
          {"rows", cost.rows},
          {"passes", cost.passes()},
          {"cycles", optional_json(cost.cycles())},
          {"cycles_per_row", optional_json(cost.cycles_per_row())}};
}

json tile_json(const TimeReport& timed) {
  json tile = cost_json(timed.timing.tile);
  const auto cycles = timed.timing.tile.cycles();
  tile["nanoseconds"] = cycles ? json(nanoseconds(timed.arch, *cycles)) : json(nullptr);
  tile["compiled"] = nullptr;
  if (timed.compiled) {
    tile["compiled"] = {{"as", compiler::name_of(*timed.compiled)},
                        {"other_cycles", optional_json(timed.other_cycles)}};
  }
  tile["harness"] = nullptr;
  if (const auto with_harness = timed.harness_cycles()) {
    tile["harness"] = {{"name", timed.harness->name},
                       {"overhead", timed.harness->overhead},
                       {"loop", timed.harness->per_pass * timed.loop_passes},
                       {"chosen", timed.harness_chosen},
                       {"spared", timed.spared_cycles()},
                       {"cycles", *with_harness},
                       {"nanoseconds", nanoseconds(timed.arch, *with_harness)}};
  }
  return tile;
}

json pushed_json(const timing::Timing& timing) {
  if (!timing.pushed) return nullptr;
  const ArchParams& chip = arch_params(timing.schedule.arch);
  json pushed = json::array();
  for (std::size_t i = 0; i < timing.pushed->size(); ++i) {
    json each = cost_json((*timing.pushed)[i]);
    each["cycles_per_word"] = i == 0 ? chip.cores.fastest_push : chip.cores.slowest_push;
    pushed.push_back(std::move(each));
  }
  return pushed;
}

json computed_json(const TimeReport& timed) {
  if (!timed.timing.computed) return nullptr;
  json computed = cost_json(*timed.timing.computed);
  computed["words"] = timing::computed_words(timed.program);
  computed["cycles_per_word"] = timing::kComputedPush;
  return computed;
}

json chip_json(const TimeReport& timed) {
  if (!timed.untimed.empty()) {
    return {{"arch", arch_params(timed.arch).names.id},
            {"program", timed.program.name},
            {"failure", timed.untimed}};
  }
  const timing::Timing& timing = timed.timing;
  const execution::FindingCounts counts = count_findings(timed.checked);
  return {{"arch", arch_params(timed.arch).names.id},
          {"clock_ghz", arch_params(timed.arch).clock_ghz},
          {"program", timed.program.name},
          {"failure", ""},
          {"passes", timed.passes},
          {"total", figures_json(timing.total)},
          {"nanoseconds", nanoseconds(timed.arch, timing.total.cycles)},
          {"drained", timing.schedule.drained},
          {"tile", tile_json(timed)},
          {"pushed", pushed_json(timing)},
          {"computed", computed_json(timed)},
          {"rolled_loop", optional_json(timed.rolled_loop)},
          {"hazards", counts.hazards},
          {"warnings", counts.warnings},
          {"faults", counts.faults},
          {"rules", deciding_rules(timed)},
          {"stalled_lines", stalled_lines_json(timed)},
          {"instructions", instructions_json(timed)},
          {"events", events_json(timed)},
          {"macro_notes", records_json(timed)}};
}

} // namespace

json time_json(std::span<const TimeReport> reports) {
  json chips = json::array();
  for (const TimeReport& timed : reports) chips.push_back(chip_json(timed));
  return {{"format", "lanewise-time"}, {"version", 2}, {"chips", std::move(chips)}};
}

} // namespace lanewise::report
