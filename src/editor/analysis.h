// What was made of a document: its program, what it costs line by line, and what is wrong with it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chip/timing/hazards/hazards.h"
#include "chip/timing/schedule.h"
#include "editor/document.h"
#include "editor/settings.h"
#include "number/formats/format.h"
#include "run/execution/load_program.h"
#include "run/execution/unsaved_text.h"

namespace lanewise::editor {

/// As the protocol numbers them.
enum class Severity : std::uint8_t { Error = 1, Warning = 2, Information = 3 };

struct Problem {
  Severity severity = Severity::Error;
  Range range;
  std::string text; ///< what is wrong, and what to do
  std::string code; ///< the rule of a hazard; else empty
  std::optional<timing::Hazard> hazard = std::nullopt;
};

/// What became of a line.
struct LineUse {
  std::vector<std::uint32_t> words; ///< in their order
  std::uint64_t executed = 0;       ///< instructions, REPLAY expanded, over one pass
  std::map<timing::StallCause, double> stalls = {}; ///< cycles without an issue, for which it waits

  double cycles() const {
    double sum = static_cast<double>(executed);
    for (const auto& [cause, waits] : stalls) sum += waits;
    return sum;
  }
};

struct Analysis {
  Arch arch = kDefaultArch;
  Dialect dialect = Dialect::Other; ///< as reading the text has shown it
  std::vector<Problem> problems = {};
  std::map<std::uint32_t, LineUse> lines = {}; ///< by the line of the document, from 1
  bool timed = false;                          ///< whether cycles are known
  std::uint64_t cycles = 0;                    ///< of one pass
  std::optional<execution::LoadedProgram> program = std::nullopt; ///< of one thread
};

/// How a file becomes a program under some settings. Error: BadInput for settings that cannot be.
using FileMaker = std::function<Expected<execution::ProgramFile>(
    const std::string& name, const Settings& settings, Arch arch)>;

class Analyser {
 public:
  explicit Analyser(FileMaker make_file) : make_file_(std::move(make_file)), unsaved_("lsp") {}

  /// Reads, times and checks the document. What goes wrong is among the problems.
  Analysis analyse(const Document& document, const Settings& settings);

 private:
  FileMaker make_file_;
  execution::UnsavedText unsaved_;
};

/// The chip of the settings, or of a line `.arch` of the text. Error: BadInput.
Expected<Arch> arch_of(const Document& document, const Settings& settings);

} // namespace lanewise::editor
