#include "cli/summary.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/text_file.h"
#include "cli/output.h"

namespace lanewise::cli {

void add_summary_option(const Command& command, std::string& path) {
  command
      .option("--summary", path,
              "Append a summary in Markdown to this file, such as $GITHUB_STEP_SUMMARY")
      .value("FILE");
}

Expected<void> append_summary(const std::string& path, const std::string& markdown) {
  if (path.empty()) return {};
  std::error_code ignored;
  std::string before;
  if (std::filesystem::exists(path, ignored)) {
    auto read = read_text_file(path);
    if (!read) return Unexpected(read.error());
    before = std::move(*read);
  }
  return write_text_file(path, before + markdown);
}

std::string summary_of_messages(const std::string& title, bool holds, const std::string& messages) {
  std::string text = fmt::format("### {}: {}\n\n", title, holds ? "passed" : "failed");
  if (messages.empty()) return text;
  // Of blanks alone, since a message may have any other fence in it.
  std::string block = "    ";
  for (const char letter : messages) block += letter == '\n' ? "\n    " : std::string(1, letter);
  while (block.ends_with(' ')) block.pop_back();
  return text + block + (block.ends_with('\n') ? "\n" : "\n\n");
}

} // namespace lanewise::cli
