#include "editor/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/in_quotes.h"
#include "base/source_line.h"
#include "chip/timing/line_stalls.h"
#include "editor/problems.h"
#include "editor/tile_analysis.h"
#include "report/time/measure.h"
#include "run/execution/run_program.h"

namespace lanewise::editor {

namespace {

constexpr std::string_view kArchDirective = ".arch";

/// The line of the document that a number of the library stands for; 0 = none.
std::uint32_t own_line(std::uint32_t number) {
  const SourcePlace place = source_place(number);
  return place.file.empty() ? place.line : 0;
}

void count_words(const Program& program, Analysis& analysis) {
  for (const ProgramWord& word : program.words) {
    if (const std::uint32_t line = own_line(word.line); line != 0)
      analysis.lines[line].words.push_back(word.word);
  }
}

void count_cycles(const report::TimeReport& timed, Analysis& analysis) {
  const timing::Schedule& schedule = timed.timing.schedule;
  for (const timing::Issue& issue : schedule.issues) {
    if (const std::uint32_t line = own_line(timed.prepared.ops[issue.op].line); line != 0)
      ++analysis.lines[line].executed;
  }
  const auto stalls =
      timing::stalls_by_line(schedule, timed.prepared, {.issues = schedule.issues.size()});
  for (const auto& [stalled, cycles] : stalls) {
    if (const std::uint32_t line = own_line(stalled.line); line != 0)
      analysis.lines[line].stalls[stalled.cause] += cycles;
  }
  analysis.timed = true;
  analysis.cycles = schedule.cycles;
}

/// What the compiler, the clock and the checker say of a program that could be read.
void judge(const execution::LoadedProgram& program, formats::Format format,
           const compiler::Options& compiler, Analysis& analysis, ProblemList& problems) {
  if (program.kernel) {
    for (const Fault& fault : program.kernel->compiled.diagnostics)
      problems.add(fault, Severity::Warning);
  }
  for (const Fault& doubt : program.doubts) problems.add(doubt, Severity::Warning);
  auto timed = report::measure_time(program, {.format = format, .compiler = compiler});
  if (!timed) return problems.add(timed.error(), Severity::Error);
  if (!timed->untimed.empty()) {
    for (const Fault& fault : timed->faults) problems.add_found(fault);
    return problems.add({.message = timed->untimed}, Severity::Information);
  }
  count_cycles(*timed, analysis);
  for (const timing::Hazard& hazard : timed->checked.hazards) problems.add(hazard);
  execution::add_kernel_faults(timed->checked, program, compiler,
                               {.format = format, .as_kernel = program.as_kernel()});
  for (const Fault& fault : timed->checked.faults) problems.add_found(fault);
}

/// The settings, with those of the text itself. Error: BadInput with the line.
Expected<Settings> settings_of(const Document& document, Settings settings) {
  if (auto read = read_settings_line(settings, document.text); !read)
    return Unexpected(read.error());
  return settings;
}

} // namespace

Expected<Arch> arch_of(const Document& document, const Settings& settings) {
  std::string name = settings.arch;
  const Dialect dialect = dialect_of(document);
  for (std::uint32_t i = 0; i < document.text.lines(); ++i) {
    if (dialect != Dialect::Ours && dialect != Dialect::Tile) break;
    const std::string_view line = document.text.line(i);
    const std::string_view content = line.substr(indentation(line).size());
    if (!content.starts_with(kArchDirective)) continue;
    const std::string_view behind = content.substr(kArchDirective.size());
    const std::string_view word = behind.substr(indentation(behind).size());
    // A chip that is none is an error of the line itself.
    if (const auto arch = parse_arch(word.substr(0, word.find_first_of(" \t;#/")))) return *arch;
  }
  if (const auto arch = parse_whole_arch(name)) return *arch;
  return bad_input(fmt::format("there is no chip {}", in_quotes(name)), "choose bh or wh");
}

Analysis Analyser::analyse(const Document& document, const Settings& given) {
  Analysis analysis{.dialect = dialect_of(document)};
  if (analysis.dialect == Dialect::Other) return analysis;
  ProblemList problems(document, analysis.problems);
  const auto fail = [&](const Fault& fault) {
    problems.add(fault, Severity::Error);
    return std::move(analysis);
  };
  const auto settings = settings_of(document, given);
  if (!settings) return fail(settings.error());
  const auto arch = arch_of(document, *settings);
  if (!arch) return fail(arch.error());
  analysis.arch = *arch;
  const auto format = formats::parse_format(settings->format);
  if (!format) return fail(format.error());
  if (analysis.dialect == Dialect::Tile) {
    analyse_tile(document, analysis, problems);
    return analysis;
  }
  const auto file = make_file_(document.name, *settings, *arch);
  if (!file) return fail(file.error());
  auto program = unsaved_.load(*file, document.text.all(), *arch, document.name);
  if (!program) return fail(program.error());
  if (program->vendors) analysis.dialect = Dialect::Vendors;
  count_words(program->program, analysis);
  judge(*program, *format, file->compiler, analysis, problems);
  analysis.program = std::move(*program);
  return analysis;
}

} // namespace lanewise::editor
