#include "base/remembered.h"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/cache.h"
#include "base/text_file.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

/// The first line. The next one has the lengths of program, key and value, which follow.
constexpr std::string_view kEntryHead = "lanewise result 1\n";

struct ProcessMemory {
  std::string program;
  std::atomic<bool> is_off{false}, has_failed{false};
};

ProcessMemory& process_memory() {
  static ProcessMemory memory;
  return memory;
}

/// Takes a decimal number and the character behind it off the front of a text.
std::optional<std::size_t> take_number(std::string_view& text, char end) {
  std::size_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || behind == last || *behind != end) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(behind - text.data()) + 1);
  return number;
}

/// Takes so many bytes off the front of a text that has them.
std::string take_bytes(std::string_view& text, std::size_t count) {
  std::string taken(text.substr(0, count));
  text.remove_prefix(count);
  return taken;
}

/// The whole file or none.
bool write_entry(const fs::path& file, const std::string& text) {
  const fs::path temporary = unfinished(file);
  std::ofstream stream(temporary, std::ios::binary);
  stream << text;
  stream.close();
  if (stream) return publish(temporary, file).has_value();
  std::error_code ignored;
  fs::remove(temporary, ignored);
  return false;
}

} // namespace

std::string entry_text(const RememberedEntry& entry, std::string_view name) {
  return sealed(
      fmt::format("{}{} {} {}\n{}{}{}", kEntryHead, entry.program.size(), entry.key.size(),
                  entry.value.size(), entry.program, entry.key, entry.value),
      name);
}

std::optional<RememberedEntry> parse_entry(std::string_view text, std::string_view name) {
  const auto content = unsealed(text, name);
  if (!content || !content->starts_with(kEntryHead)) return std::nullopt;
  std::string_view rest = content->substr(kEntryHead.size());
  const auto program = take_number(rest, ' ');
  const auto key = program ? take_number(rest, ' ') : std::nullopt;
  const auto value = key ? take_number(rest, '\n') : std::nullopt;
  // One after the other: a sum of what a file claims could overflow.
  if (!value || *program > rest.size() || *key > rest.size() - *program ||
      *value != rest.size() - *program - *key)
    return std::nullopt;
  RememberedEntry entry;
  entry.program = take_bytes(rest, *program);
  entry.key = take_bytes(rest, *key);
  entry.value = rest;
  return entry;
}

fs::path Remembered::file_of(std::string_view kind, std::string_view key) const {
  return cache_ / kind / Digest().add(program_).add(key).text();
}

std::optional<std::string> Remembered::find(std::string_view kind, std::string_view key) const {
  const fs::path file = file_of(kind, key);
  const auto text = read_text_file(file.string());
  if (!text) return std::nullopt;
  auto entry = parse_entry(*text, file.filename().string());
  if (!entry) {
    discard(file);
    return std::nullopt;
  }
  if (entry->program != program_ || entry->key != key) return std::nullopt;
  touch(file);
  return std::move(entry->value);
}

bool Remembered::keep(std::string_view kind, std::string_view key, std::string_view value) const {
  const fs::path file = file_of(kind, key);
  const std::string text =
      entry_text({program_, std::string(key), std::string(value)}, file.filename().string());
  std::error_code error;
  if (text.size() <= kLargestText) fs::create_directories(file.parent_path(), error);
  if (text.size() > kLargestText || error || !write_entry(file, text)) {
    process_memory().has_failed = true;
    return false;
  }
  drop_unused(file.parent_path(), kMostResults, kMostResultBytes);
  return true;
}

bool identify_program(std::string identity) {
  process_memory().program = std::move(identity);
  return true;
}

const std::string& program_identity() {
  return process_memory().program;
}

void stop_remembering() {
  process_memory().is_off = true;
}

std::optional<Remembered> remembered_results() {
  ProcessMemory& memory = process_memory();
  const char* const wish = std::getenv("LANEWISE_REMEMBER");
  if (memory.is_off || memory.program.empty() ||
      (wish != nullptr && std::string_view(wish) == "off"))
    return std::nullopt;
  auto folder = cache_folder();
  if (folder) return Remembered(std::move(*folder), memory.program);
  memory.has_failed = true;
  return std::nullopt;
}

bool failed_to_remember() {
  return process_memory().has_failed;
}

} // namespace lanewise
