// lanewise clock --against TABLE --metal DIR: cycles that were measured on silicon, and those of
// the same benchmarks here; as they were recorded, with --recorded FILE.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/chips.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "report/clock/report.h"
#include "study/silicon/compare.h"

namespace lanewise::cli {

namespace {

struct ClockOptions {
  std::string against, metal, html, op;
  std::string record, recorded, hold;
  std::uint64_t jobs = std::max(1U, std::thread::hardware_concurrency());
  bool json = false, markdown = false, plan = false;
};

/// The benchmarks of every row, without anything being run.
void print_plan(const std::vector<silicon::CostRow>& table) {
  for (const silicon::CostRow& row : table) {
    const auto members = silicon::members_of(row);
    fmt::print("line {}: {} {} {}\n", row.line, row.op, silicon::engine_name(row.engine),
               silicon::unit_name(row.unit));
    if (!members) {
      fmt::print("  left out: {}\n", members.error().message);
      continue;
    }
    for (const silicon::RowMember& member : *members) {
      for (const silicon::ClockCase& each : member.runs)
        fmt::print("  {}\n", silicon::case_text(each));
      for (const silicon::ClockCase& each : member.less)
        fmt::print("  less {}\n", silicon::case_text(each));
      for (const silicon::ClockCase& each : member.other)
        fmt::print("  or {}\n", silicon::case_text(each));
    }
  }
}

Expected<void> check_options(const ClockOptions& options) {
  if (options.json && options.markdown)
    return bad_input("--json and --markdown are two forms of one report", "choose one of them");
  if (!options.recorded.empty()) {
    const bool runs = !options.against.empty() || !options.metal.empty() || options.plan ||
                      !options.record.empty();
    if (runs)
      return bad_input("--recorded shows a comparison without running one",
                       "leave --against, --metal, --plan and --record out");
    return {};
  }
  if (options.against.empty())
    return bad_input("there is nothing to compare with", "name a table with --against FILE");
  if (options.metal.empty() && !options.plan)
    return bad_input("the benchmarks are made of LLK's headers",
                     "name a checkout of tt-metal with --metal DIR");
  return {};
}

Fault no_row_of(const std::string& op) {
  return bad_input("the table has no row of " + op, "leave --only out to see all").value();
}

Expected<std::vector<silicon::CostRow>> chosen_rows(const ClockOptions& options) {
  auto table = silicon::read_cost_table(options.against);
  if (!table || options.op.empty()) return table;
  std::erase_if(*table, [&](const silicon::CostRow& row) { return row.op != options.op; });
  if (table->empty()) return Unexpected(no_row_of(options.op));
  return table;
}

/// A comparison that was recorded.
Expected<silicon::Comparison> recorded_rows(const ClockOptions& options) {
  auto record = silicon::read_record(options.recorded);
  if (!record || options.op.empty()) return record;
  std::erase_if(record->rows,
                [&](const silicon::ComparedRow& each) { return each.row.op != options.op; });
  if (record->rows.empty()) return Unexpected(no_row_of(options.op));
  return silicon::comparison_of(std::move(record->rows));
}

/// Prints the report, and writes what was asked for. Whether all is as it should be.
ExitStatus deliver_clock(report::ClockReport& report, const ClockOptions& options) {
  if (!options.hold.empty()) {
    const auto record = silicon::read_record(options.hold);
    if (!record) return fail(record.error());
    report.held = options.hold;
    report.worse = silicon::worse_rows(*record, report.comparison);
  }
  if (!options.record.empty()) {
    const auto written = write_text_file(options.record, silicon::record_text(report.comparison));
    if (!written) return fail(written.error());
  }
  if (!options.html.empty()) {
    const auto written = write_text_file(options.html, report::clock_html(report, typed_command()));
    if (!written) return fail(written.error());
  }
  if (options.json) {
    fmt::print("{}\n", report::clock_json(report).dump(2));
  } else {
    fmt::print("{}",
               options.markdown ? report::clock_markdown(report) : report::clock_text(report));
  }
  return exit_status(report.comparison.compared() != 0 && report.worse.empty());
}

ExitStatus show_recorded(const ClockOptions& options) {
  auto comparison = recorded_rows(options);
  if (!comparison) return fail(comparison.error());
  report::ClockReport report{
      .table = options.recorded, .checkout = {}, .comparison = std::move(*comparison)};
  return deliver_clock(report, options);
}

ExitStatus clock(const ClockOptions& options) {
  if (auto checked = check_options(options); !checked) return fail(checked.error());
  for (const std::string& file : {options.html, options.record})
    if (auto possible = check_can_write(file); !possible) return fail(possible.error());
  if (!options.recorded.empty()) return show_recorded(options);
  if (!options.hold.empty()) { // read before long work is done in vain
    if (const auto record = silicon::read_record(options.hold); !record)
      return fail(record.error());
  }
  const auto table = chosen_rows(options);
  if (!table) return fail(table.error());
  if (options.plan) {
    print_plan(*table);
    return ExitStatus::Success;
  }
  const auto checkout =
      checkouts::Checkout::open(options.metal, std::array{silicon::kMeasuredChip});
  if (!checkout) return fail(checkout.error());
  watch_for_interrupt();
  report::ClockReport report{.table = options.against, .checkout = options.metal};
  {
    ProgressLine line;
    const auto meter = silicon::cores_meter(silicon::BenchTree(*checkout, silicon::kMeasuredChip));
    auto comparison = silicon::compare(*table, *meter,
                                       {.jobs = static_cast<unsigned>(options.jobs),
                                        .progress = [&](std::size_t done, std::size_t all) {
                                          line.show(fmt::format("{} of {} benchmarks", done, all));
                                          return !interrupted();
                                        }});
    if (!comparison) return fail(comparison.error());
    report.comparison = std::move(*comparison);
  }
  const ExitStatus status = deliver_clock(report, options);
  if (!interrupted()) return status;
  tell("stopped before the end: {} rows were not compared\n",
       table->size() - report.comparison.rows.size());
  return exit_status(false);
}

} // namespace

void add_clock(CommandLine& line) {
  const Command command =
      line.add_command("clock", "Cycles of silicon, and those of the same benchmarks here");
  auto options = std::make_shared<ClockOptions>();
  command.option("--against", options->against, "A table of measured cycles (CSV)").value("FILE");
  command.option("--metal", options->metal, "A checkout of tt-metal, for the kernels").value("DIR");
  command.option("--only", options->op, "Rows of this operation").value("OPERATION");
  command.option("--jobs", options->jobs, "Processes (default: as many as the machine has)")
      .range(std::uint64_t{1}, std::uint64_t{1024});
  command.option("--record", options->record,
                 "Write what was compared to this file, for --recorded and --hold");
  command.option("--recorded", options->recorded,
                 "Show a comparison that was recorded, and run nothing");
  command.option("--hold", options->hold,
                 "Hold the rows against a recorded comparison: which of them are further away");
  command.flag("--plan", options->plan, "Print the benchmarks of each row, and run nothing");
  command.flag("--json", options->json, "Print everything as JSON");
  command.flag("--markdown", options->markdown, "Print the figures as a table of Markdown");
  command.option("--html", options->html, "Write a page with a picture of both to this file")
      .value("FILE");
  command.action([options] { return clock(*options); });
}

} // namespace lanewise::cli
