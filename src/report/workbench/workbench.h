// A kernel while it is being written: what the compiler, the clock, the checker and a reference say
// of its text as it is at the moment. 'lanewise serve' shows it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/execution/load_program.h"
#include "run/execution/unsaved_text.h"

namespace lanewise::report {

/// How a text becomes a program for a chip.
struct ChipFile {
  Arch arch = kDefaultArch;
  execution::ProgramFile file;
};

/// A text, and what is asked about it.
struct WorkbenchRequest {
  std::string text;
  Arch arch = kDefaultArch;
  std::string format = "bf16";
  std::string reference; ///< an expression; "" = no errors are measured
  std::string inputs;    ///< as --inputs of 'sweep'; "" = every one, or a sample of many

  friend bool operator==(const WorkbenchRequest&, const WorkbenchRequest&) = default;
};

/// {"text": ..., "arch": "bh", "format": "bf16", "reference": "", "inputs": ""}; all but the text
/// may be missing. Error: BadInput for anything else.
Expected<WorkbenchRequest> parse_workbench_request(std::string_view text);

/// What a page begins with: "name" and "is_cpp" of the program, its "text", null where it has no
/// file, "initial", the text to show then, the "chips" and "formats" that there are, each with
/// "value" and "label", and "arch", "format", "reference" and "inputs" as chosen.
nlohmann::json workbench_start(const std::string& name, nlohmann::json text,
                               std::string_view initial, const WorkbenchRequest& choices);

/// Most inputs of one sweep, so that errors follow every edit.
inline constexpr std::uint64_t kMostWorkbenchInputs = std::uint64_t{1} << 20;

/// Answers are JSON: "problems", a list of {"kind": "error" | "hazard" | "warning" | "note",
/// "line", "column", "text", "detail"}, line and column 0 where there is none; and HTML, each part
/// only if it could be made. Not to be used from several threads at once.
class Workbench {
 public:
  /// `name`: of the text, for people. `files`: one per chip.
  Workbench(std::string name, std::vector<ChipFile> files);

  const std::string& name() const { return name_; }

  /// The program: "time" (cards, timeline, numbers) and "listing".
  nlohmann::json program(const WorkbenchRequest& request);
  /// Its errors against the reference: "errors" (verdict, pictures). `wanted` is asked now and
  /// then; false stops.
  nlohmann::json errors(const WorkbenchRequest& request, const std::function<bool()>& wanted);

 private:
  Expected<execution::LoadedProgram> load(const WorkbenchRequest& request);
  const Expected<execution::LoadedProgram>& loaded(const WorkbenchRequest& request);

  std::string name_;
  std::vector<ChipFile> files_;
  execution::UnsavedText unsaved_;
  struct Kept {
    std::string text;
    Arch arch;
    Expected<execution::LoadedProgram> program;
  };
  std::optional<Kept> kept_; ///< the last one, which errors() needs again
};

} // namespace lanewise::report
