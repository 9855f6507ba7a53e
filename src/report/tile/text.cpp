#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/source_line.h"
#include "chip/isa/disassembler.h"
#include "chip/isa/encoding.h"
#include "report/run/report.h"
#include "report/table/table.h"
#include "report/tile/report.h"

namespace lanewise::report {

namespace {

/// An instruction that does not start, or a core that waits.
std::string waiting_text(Arch arch, const tile::Blocked& blocked) {
  if (blocked.is_feeder) return fmt::format("the core of {}", thread_text(blocked.thread));
  const ProgramWord& at = blocked.wait.at;
  return fmt::format("{}, {}: {}", thread_text(blocked.thread), line_text(at.line),
                     instruction_text(arch, at.word));
}

std::string reason_text(Arch arch, const tile::Blocked& blocked) {
  std::string text = blocked.reason;
  const ProgramWord& by = blocked.wait.because_of;
  if (by.word != 0)
    text += fmt::format(", as {} asks: {}", line_text(by.line), instruction_text(arch, by.word));
  return text;
}

/// How far a releasing instruction came.
std::string progress_text(const tile::Release& release,
                          const std::vector<tile::ExplainedWait>& blocked) {
  if (release.executed != 0)
    return fmt::format("executed {} time{}", release.executed, release.executed == 1 ? "" : "s");
  for (const tile::ExplainedWait& each : blocked) {
    if (each.blocked.thread == release.thread && !each.blocked.is_feeder)
      return fmt::format("not reached, since {} waits in {}", thread_text(release.thread),
                         line_text(each.blocked.wait.at.line));
  }
  return "not reached";
}

std::string release_text(Arch arch, const tile::ExplainedWait& wait,
                         const std::vector<tile::ExplainedWait>& blocked) {
  if (wait.releasing.empty()) return {};
  if (wait.releases.empty()) return fmt::format("    no line {}\n", wait.releasing);
  std::string text;
  for (const tile::Release& release : wait.releases) {
    text += fmt::format("    what {}: {}, {}: {} ({})\n", wait.releasing,
                        thread_text(release.thread), line_text(release.word.line),
                        instruction_text(arch, release.word.word), progress_text(release, blocked));
  }
  return text;
}

/// Whether what would end the wait is still to come, so that the wait of another thread is to be
/// looked at first.
bool comes_later(const tile::ExplainedWait& wait) {
  return std::ranges::any_of(wait.releases,
                             [](const tile::Release& each) { return each.executed == 0; });
}

std::string tile_summary(const TileReport& report) {
  std::string counts;
  for (unsigned i = 0; i < kThreads; ++i)
    counts += fmt::format("{}{} {}", i == 0 ? "" : ", ", thread_text(i), report.executed[i]);
  const std::uint64_t all =
      std::accumulate(report.executed.begin(), report.executed.end(), std::uint64_t{0});
  return fmt::format("{}: {} instructions ({}), {}\n", arch_params(report.arch).names.id, all,
                     counts, schedule_text(report.schedule));
}

/// Elements spread evenly, the first and the last among them.
std::set<std::size_t> spread(std::size_t count, std::size_t elements) {
  std::set<std::size_t> chosen;
  const std::size_t wanted = elements == 0 ? count : std::min(elements, count);
  for (std::size_t i = 0; i < wanted; ++i)
    chosen.insert(wanted == 1 ? 0 : i * (count - 1) / (wanted - 1));
  return chosen;
}

std::string output_text(const TileOutput& output, std::size_t elements) {
  if (!output.where.file.empty())
    return fmt::format("{} -> {}\n", output.where.text(), output.where.file);
  Table table{.title = output.where.text(),
              .columns = table_columns({"element", "value", "bits"}, ColumnKind::Number)};
  const tensors::Tensor& values = output.values;
  for (const std::size_t i : spread(values.bits.size(), elements)) {
    table.rows.push_back({element_place(values.shape, i),
                          element_value(values.format, values.bits[i]),
                          element_bits(values.format, values.bits[i])});
  }
  return table_text(table);
}

/// "round robin with T1 math stopped before its instruction 17 until T2 pack has done 9".
std::string delay_text(const tile::Delay& delay) {
  const auto what = [](tile::Agent agent) { return agent.is_core ? "action" : "instruction"; };
  const std::string text =
      fmt::format("round robin with {} stopped before its {} {}", agent_text(delay.agent),
                  what(delay.agent), delay.before + 1);
  if (!delay.until) return text + " as long as others can go on";
  return text + fmt::format(" until {} has done {} {}s", agent_text(*delay.until), delay.until_done,
                            what(*delay.until));
}

} // namespace

std::string instruction_text(Arch arch, std::uint32_t word) {
  const isa::Decoded decoded = isa::decode(arch, word);
  if (decoded.row == nullptr || decoded.row->unit == isa::Unit::Vector || decoded.stray_bits() != 0)
    return isa::disassemble(arch, word);
  std::string operands;
  for (const isa::Field& field : decoded.row->fields()) {
    const std::uint32_t value = field.extract(word);
    if (value != 0)
      operands += fmt::format("{} {}={}", operands.empty() ? "" : ",", field.name, value);
  }
  return operands.empty() ? isa::disassemble(arch, word)
                          : fmt::format("{}{}", decoded.row->mnemonic, operands);
}

std::string thread_text(unsigned thread) {
  return fmt::format("T{} {}", thread, kTileThreadNames[thread]);
}

std::string agent_text(tile::Agent agent) {
  return agent.is_core ? fmt::format("the core of T{}", agent.thread) : thread_text(agent.thread);
}

std::string schedule_text(const tile::ScheduleChoice& choice) {
  if (choice.delay) return delay_text(*choice.delay);
  switch (choice.order) {
    case tile::Order::RoundRobin: return "round robin";
    case tile::Order::Random: return fmt::format("random order, seed {}", choice.seed);
    case tile::Order::Adversarial: return fmt::format("adversarial order, seed {}", choice.seed);
    case tile::Order::Priority: return fmt::format("priority order, seed {}", choice.seed);
  }
  return {};
}

std::string tile_trace_line(Arch arch, std::size_t number, const tile::Executed& executed) {
  return fmt::format("{:>6}  {:<9}  {:>5}  {:08x}  {}\n", number, thread_text(executed.thread),
                     line_label(executed.word.line), executed.word.word,
                     instruction_text(arch, executed.word.word));
}

std::string wait_text(Arch arch, const tile::ExplainedWait& wait,
                      const std::vector<tile::ExplainedWait>& blocked) {
  std::string text = fmt::format("  {}\n    {}\n", waiting_text(arch, wait.blocked),
                                 reason_text(arch, wait.blocked));
  text += release_text(arch, wait, blocked);
  if (!wait.remedy.empty() && !comes_later(wait))
    text += fmt::format("    to mend it, {}\n", wait.remedy);
  return text;
}

std::string blocked_text(Arch arch, const std::vector<tile::ExplainedWait>& blocked) {
  std::string text(kDeadlock);
  for (const tile::ExplainedWait& each : blocked) text += wait_text(arch, each, blocked);
  return text;
}

std::string tile_text(const TileReport& report, std::size_t elements) {
  std::string text = tile_summary(report);
  if (!report.blocked.empty()) text += blocked_text(report.arch, report.blocked);
  for (const TileOutput& output : report.outputs) text += output_text(output, elements);
  return text;
}

} // namespace lanewise::report
