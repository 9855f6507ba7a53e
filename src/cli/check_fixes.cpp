#include "cli/check_fixes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/text_file.h"
#include "cli/chips.h"
#include "cli/command.h"
#include "cli/editor_settings.h"
#include "editor/questions.h"

namespace lanewise::cli {

namespace {

/// A column as SARIF has it: from 1, in code points.
std::uint32_t sarif_column(const editor::Text& text, const editor::Position& place) {
  const std::string_view before = text.line(place.line).substr(0, text.byte_of(place));
  const auto points =
      std::ranges::count_if(before, [](char byte) { return (byte & 0xC0) != 0x80; });
  return static_cast<std::uint32_t>(points) + 1;
}

report::FindingFix fix_of(const editor::Text& text, const editor::Mend& mend) {
  report::FindingFix fix{.title = mend.title};
  for (const auto& [range, added] : mend.edits)
    fix.edits.push_back({.line = range.start.line + 1,
                         .column = sarif_column(text, range.start),
                         .end_line = range.end.line + 1,
                         .end_column = sarif_column(text, range.end),
                         .text = added});
  return fix;
}

/// A file under the settings of a chip, and what mends its problems.
struct Mended {
  editor::Document document;
  editor::Analysis analysis;
  std::vector<editor::Mend> mends;
};

class FileFixes {
 public:
  FileFixes(KernelOptions kernel, std::string format)
      : kernel_(std::move(kernel)),
        format_(std::move(format)),
        analyser_([this](const std::string& name, const editor::Settings& settings, Arch arch) {
          return editor_file(name, settings, arch, kernel_);
        }) {}

  std::vector<report::FindingFix> of(const report::Finding& finding) {
    std::vector<report::FindingFix> fixes;
    const Mended* const file = mended(finding.file, finding.chip);
    if (file == nullptr || finding.line == 0) return fixes;
    for (const editor::Mend& mend : file->mends) {
      const editor::Problem& problem = file->analysis.problems[mend.problem];
      const bool is_its = problem.range.start.line + 1 == finding.line &&
                          (problem.hazard ? problem.code == finding.rule : finding.chip.empty());
      if (is_its) fixes.push_back(fix_of(file->document.text, mend));
    }
    return fixes;
  }

 private:
  /// Null where the file cannot be read, or is one of another chip.
  const Mended* mended(const std::string& name, const std::string& chip) {
    const auto [place, is_new] = files_.try_emplace({name, chip});
    if (is_new && !interrupted()) place->second = made(name, chip);
    return place->second.get();
  }

  std::unique_ptr<Mended> made(const std::string& name, const std::string& chip) {
    auto text = read_text_file(name);
    if (!text) return nullptr;
    const Arch arch = chip.empty() ? kDefaultArch : parse_arch(chip).value_or(kDefaultArch);
    const editor::Settings settings = editor_settings(kernel_, arch, format_);
    auto file = std::make_unique<Mended>(
        Mended{editor::make_document(name, "", 0, std::move(*text)), {}, {}});
    file->analysis = analyser_.analyse(file->document, settings);
    if (!chip.empty() && file->analysis.arch != arch) return nullptr;
    const std::uint32_t end = file->document.text.lines();
    file->mends =
        editor::mends(file->document, file->analysis, {{0, 0}, {end, 0}}, analyser_, settings);
    return file;
  }

  KernelOptions kernel_;
  std::string format_;
  editor::Analyser analyser_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Mended>> files_; ///< by chip, too
};

} // namespace

report::FixesOf check_fixes(const KernelOptions& kernel, const std::string& format) {
  return [files = std::make_shared<FileFixes>(kernel, format)](const report::Finding& finding) {
    return files->of(finding);
  };
}

} // namespace lanewise::cli
