#include "report/tune/table.h"

#include <fmt/format.h>

#include "chip/timing/harness.h"
#include "report/table/table.h"
#include "report/tune/text.h"
#include "study/tune/solver.h"

namespace lanewise::report {

namespace {

/// Of the chip's first harness that replays everything: llk-bench, wh-replay.
double overhead_of(Arch arch) {
  for (const timing::Harness& each : timing::harnesses()) {
    if (each.arch == arch && each.replayed) return each.overhead;
  }
  return 0;
}

std::string before_text(const TunedKernel& kernel) {
  if (!kernel.plain_form) return "";
  const tune::TuneResult& result = *kernel.plain_form;
  return fmt::format("{:.0f}", result.plain_cycles + overhead_of(result.arch));
}

/// "12 (bound 11)"; what was not proved by all inputs says so.
std::string interval_text(const std::optional<tune::TuneResult>& result) {
  if (!result) return "";
  if (!result->tuned) return "-";
  const bool optimal = result->interval == result->lowest_interval;
  const std::string bound = optimal ? "optimal" : fmt::format("bound {}", result->lowest_interval);
  return fmt::format("{} ({}{})", result->interval, bound, proved_by_text(result->proof.kind));
}

std::string tile_text(const std::optional<tune::TuneResult>& result) {
  if (!result || !result->tuned) return "";
  return fmt::format("{:.0f}",
                     static_cast<double>(result->proof.cycles) + overhead_of(result->arch));
}

std::string resources_text(const std::optional<tune::TuneResult>& result) {
  if (!result || !result->tuned) return "";
  return fmt::format("{}, {}, {}", result->tuned->registers, result->tuned->macros,
                     result->tuned->body);
}

std::string bound_text(const TunedKernel& kernel) {
  if (!kernel.refusal.empty()) return "not tuned: " + kernel.refusal;
  return kernel.macro_form ? kernel.macro_form->lowest_resource : "";
}

} // namespace

std::string tune_table(const std::vector<TunedKernel>& kernels) {
  Table table{.columns = table_columns({"kernel"}), .rows = {}};
  for (const char* heading :
       {"tile before", "row, no macros", "tile, no macros", "row, macros", "tile, macros"})
    table.columns.push_back({.heading = heading, .kind = ColumnKind::Number});
  for (const char* heading : {"set by", "LRegs, macros, slots", "largest error"})
    table.columns.push_back({.heading = heading});
  for (const TunedKernel& kernel : kernels)
    table.rows.push_back({kernel.name, before_text(kernel), interval_text(kernel.plain_form),
                          tile_text(kernel.plain_form), interval_text(kernel.macro_form),
                          tile_text(kernel.macro_form), bound_text(kernel),
                          resources_text(kernel.macro_form), kernel.largest_error});
  return table_markdown(table);
}

} // namespace lanewise::report
