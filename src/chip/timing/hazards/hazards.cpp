#include "chip/timing/hazards/hazards.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "chip/timing/hazards/context.h"
#include "chip/timing/hazards/mend_trial.h"
#include "chip/timing/hazards/values.h"

namespace lanewise::timing {

namespace {

enum class Severity : std::uint8_t { Wrong, Warning };

constexpr auto kRules = [] {
  using enum FaultKind;
  using enum Severity;
  using enum isa::Chips;
  const auto row = [](std::string_view id, FaultKind kind, isa::Chips chips, Severity severity,
                      std::string_view source, std::string_view summary, std::string_view silicon,
                      std::string_view mend) {
    return HazardRule{.id = id,
                      .kind = kind,
                      .summary = summary,
                      .silicon = silicon,
                      .mend = mend,
                      .source = source,
                      .chips = chips,
                      .warns_only = severity == Warning};
  };
  return std::to_array<HazardRule>({
#define HAZARD(name, ...) row(__VA_ARGS__),
#include "chip/timing/hazards/rules.def"
#undef HAZARD
  });
}();

std::string times(std::uint64_t count) {
  return count == 1 ? "" : fmt::format(" ({} times)", count);
}

} // namespace

std::span<const HazardRule> hazard_rules() {
  return kRules;
}

const HazardRule& hazard_rule(HazardId id) {
  return kRules[static_cast<std::size_t>(id)];
}

const HazardRule* find_hazard_rule(std::string_view id) {
  const auto* found = std::find_if(kRules.begin(), kRules.end(),
                                   [id](const HazardRule& rule) { return rule.id == id; });
  return found == kRules.end() ? nullptr : found;
}

std::string Hazard::text(std::string_view program) const {
  std::string text;
  if (!file.empty()) {
    text = fmt::format("{}:{}: ", file, line);
  } else {
    if (!program.empty()) text += fmt::format("{}: ", program);
    if (line != 0) text += fmt::format("line {}, ", line);
  }
  text += fmt::format("cycle {}: {}: ", cycle, rule->id);
  if (!instruction.empty()) text += instruction + ": ";
  return text + fmt::format("{}{}; {} [{}]", message, times(count), mend, rule->source);
}

Fault Hazard::to_fault() const {
  return {.kind = rule->kind,
          .message = message + times(count),
          .remedy = mend,
          .rule = fmt::format("{}, {}", rule->id, rule->source),
          .instruction = instruction.substr(0, instruction.find(' ')),
          .file = file,
          .line = line};
}

std::vector<Hazard> search_facts(HazardContext& context) {
  check_results(context);
  check_macros(context);
  check_macro_supply(context);
  check_dst(context);
  check_configuration(context);
  std::vector<Hazard> hazards = context.findings.take();
  const CheckOptions& options = context.options;
  if (options.source != nullptr) try_changes(hazards, *options.source, context.start, options);
  return hazards;
}

std::vector<Hazard> find_hazards(const Schedule& schedule, const MicroProgram& program,
                                 const MachineState& start, const CheckOptions& options) {
  Findings findings(schedule.arch, options.line_text, options.worded);
  HazardContext context{.schedule = schedule,
                        .program = program,
                        .start = start,
                        .options = options,
                        .findings = findings};
  ValueChecks values(context);
  trace_facts(context,
              [&values](std::size_t event, const Executed& executed, const MachineState& state) {
                values.look(event, executed, state);
              });
  return search_facts(context);
}

} // namespace lanewise::timing
