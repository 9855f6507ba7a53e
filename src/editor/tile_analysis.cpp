#include "editor/tile_analysis.h"

#include <fmt/format.h>

#include "chip/tile/blocked.h"
#include "chip/tile/program_run.h"
#include "report/tile/report.h"
#include "source/assembly/assembly.h"

namespace lanewise::editor {

namespace {

/// So many take less than a second.
constexpr std::uint64_t kMostSteps = 500'000;

/// Where somebody waits for good, or what its core waits with.
std::uint32_t line_of_wait(const tile::Blocked& blocked) {
  return blocked.is_feeder ? 0 : blocked.wait.at.line;
}

void add_words(const TileProgram& program, Analysis& analysis) {
  for (const Program& thread : program.thread) {
    for (const ProgramWord& word : thread.words)
      analysis.lines[word.line].words.push_back(word.word);
  }
}

} // namespace

void analyse_tile(const Document& document, Analysis& analysis, ProblemList& problems) {
  const auto program = assembly::assemble_tile(analysis.arch, document.text.all(), document.name);
  if (!program) return problems.add(program.error(), Severity::Error);
  add_words(*program, analysis);
  auto start = tile::start_state(analysis.arch, *program);
  if (!start) return problems.add(start.error(), Severity::Error);
  tile::Tile tile(analysis.arch);
  tile.state() = std::move(*start);
  tile::ExecutionCounts counts;
  tile.watch = [&](const tile::Executed& executed) {
    ++counts[executed.thread][executed.word.line];
    ++analysis.lines[executed.word.line].executed;
  };
  const auto run = tile::run_program(tile, *program, {}, {.most_steps = kMostSteps});
  tile.watch = nullptr;
  if (!run) return problems.add(run.error(), Severity::Error);
  if (run->ran_out) {
    problems.add({.message = fmt::format("not ended after {} steps: what comes later is not looked "
                                         "at; 'lanewise tile' runs all of it",
                                         kMostSteps)},
                 Severity::Information);
  }
  const auto blocked = tile::explain_blocked(tile.state(), *program, run->blocked, counts);
  for (const tile::ExplainedWait& wait : blocked) {
    std::string text(report::kDeadlock);
    text += report::wait_text(analysis.arch, wait, blocked);
    problems.add({.message = std::move(text), .line = line_of_wait(wait.blocked)}, Severity::Error);
  }
  for (const Fault& fault : tile.faults()) problems.add_found(fault);
}

} // namespace lanewise::editor
