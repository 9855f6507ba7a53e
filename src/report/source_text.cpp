#include "report/source_text.h"

#include <map>
#include <mutex>
#include <vector>

#include "base/source_line.h"
#include "base/text_file.h"

namespace lanewise::report {

namespace {

using Lines = std::vector<std::string>;

/// The lines of a file, which is read once; none if it cannot be read.
const Lines& lines_of_file(const std::string& file) {
  static std::mutex mutex;
  static std::map<std::string, Lines> files;
  const std::scoped_lock lock(mutex);
  const auto [entry, is_new] = files.try_emplace(file);
  if (is_new) {
    if (const auto text = read_text_file(file)) entry->second = lines_of(*text);
  }
  return entry->second;
}

} // namespace

std::string source_line(std::span<const std::string> own, std::uint32_t line) {
  const SourcePlace place = source_place(line);
  const std::span<const std::string> lines = place.file.empty() ? own : lines_of_file(place.file);
  if (place.line == 0 || place.line > lines.size()) return {};
  const std::string& text = lines[place.line - 1];
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

nlohmann::json place_json(std::uint32_t line) {
  const SourcePlace place = source_place(line);
  return {{"file", place.file.empty() ? nlohmann::json(nullptr) : nlohmann::json(place.file)},
          {"line", place.line}};
}

} // namespace lanewise::report
