#include "docs/session.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include "base/process.h"
#include "docs/outputs.h"

namespace lanewise::docs {
namespace {

namespace fs = std::filesystem;

/// Ends what a command prints. No command prints it by chance.
constexpr std::string_view kEnd = "=== doc-test: end of command";
/// What a page may take; all of them together take seconds.
constexpr const char* kPatience = "120";

class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "lanewise-docs-XXXXXX").string();
    if (!error && ::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool write_file(const fs::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  return stream.good();
}

/// The file that a page shows with `cat`, before it can be there.
std::string shown_file(const Command& command) {
  constexpr std::string_view kShow = "cat ";
  const bool shows = command.text.starts_with(kShow) &&
                     command.text.find_first_of(" |<>*", kShow.size()) == std::string::npos;
  return shows ? command.text.substr(kShow.size()) : "";
}

/// The links and files that the samples of the page need.
bool set_stage(const Document& document, const Stage& stage, const fs::path& folder) {
  std::error_code error;
  fs::create_symlink(stage.program, folder / "lanewise", error);
  for (const char* name : {"examples", "tests", "docs"}) {
    if (!error) fs::create_directory_symlink(stage.source / name, folder / name, error);
  }
  bool written = !error;
  for (const Sample& sample : document.samples) {
    if (!sample.skipped.empty()) continue;
    if (!sample.saved_as.empty())
      written = write_file(folder / sample.saved_as, sample.contents) && written;
    for (const Command& command : sample.commands) {
      const std::string name = shown_file(command);
      if (!name.empty() && !fs::exists(folder / name))
        written = write_file(folder / name, join_lines(command.expected)) && written;
    }
  }
  return written;
}

/// The commands, each with a line behind its output. '$?' stays what the command has left.
std::string script_of(const Document& document) {
  std::string script = "exec 2>&1 </dev/null\n";
  for (const Sample& sample : document.samples) {
    if (!sample.skipped.empty()) continue;
    for (const Command& command : sample.commands) {
      script += fmt::format("{}\ndoc_test_status=$?; printf '\\n{}\\n'; (exit $doc_test_status)\n",
                            command.text, kEnd);
    }
  }
  return script;
}

std::vector<Outcome> outcomes_of(const Document& document, std::string_view printed) {
  const std::string end = fmt::format("\n{}\n", kEnd);
  std::vector<Outcome> outcomes;
  for (const Sample& sample : document.samples) {
    if (!sample.skipped.empty()) continue;
    for (const Command& command : sample.commands) {
      const std::size_t at = printed.find(end);
      if (at == std::string_view::npos) return outcomes;
      outcomes.push_back({&command, split_lines(printed.substr(0, at))});
      printed.remove_prefix(at + end.size());
    }
  }
  return outcomes;
}

std::size_t count_commands(const Document& document) {
  std::size_t count = 0;
  for (const Sample& sample : document.samples)
    count += sample.skipped.empty() ? sample.commands.size() : 0;
  return count;
}

} // namespace

Expected<std::vector<Outcome>> run_samples(const Document& document, const Stage& stage) {
  const ScratchFolder folder;
  if (folder.path().empty() || !set_stage(document, stage, folder.path()))
    return bad_input("cannot make a folder for temporary files", "set TMPDIR to one of your own");
  const fs::path script = folder.path() / ".script";
  if (!write_file(script, script_of(document))) return bad_input("cannot write the script");
  const auto result = run_process({"env", "-C", folder.path().string(), "-u", "LANEWISE_SIMD",
                                   "timeout", kPatience, "bash", script.string()});
  if (!result) return Unexpected(result.error());
  std::vector<Outcome> outcomes = outcomes_of(document, result->out);
  if (outcomes.size() == count_commands(document)) return outcomes;
  const std::string last =
      outcomes.empty() ? "before the first command has ended"
                       : fmt::format("after the command of line {}", outcomes.back().command->line);
  return bad_input(fmt::format("{}: the shell ended {}: {}", document.name, last, result->err));
}

} // namespace lanewise::docs
