#include "source/sfpi/object_note.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <system_error>
#include <vector>

#include "base/cache.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kYoung{1};

/// Whether a path lies in a folder.
bool lies_in(const fs::path& path, const fs::path& folder) {
  return !folder.empty() && path.string().starts_with(folder.string() + "/");
}

/// As of FileStates, with one question to the system: notes have thousands of files.
std::string state_of(const std::string& path) {
  struct stat state {};
  if (::stat(path.c_str(), &state) != 0) return "-";
  const std::chrono::sys_time<std::chrono::nanoseconds> written(
      std::chrono::seconds(state.st_mtim.tv_sec) + std::chrono::nanoseconds(state.st_mtim.tv_nsec));
  const auto size = S_ISDIR(state.st_mode) ? 0 : state.st_size;
  return fmt::format("{}.{}", FileTime::clock::from_sys(written).time_since_epoch().count(), size);
}

/// The names in the line markers of preprocessed text: # 12 "file.h" 1. One that ends with a slash
/// is the folder that g++ was started in.
std::set<std::string> included_files(std::string_view text) {
  std::set<std::string> files;
  constexpr std::string_view kStart = "\n# ";
  for (std::size_t at = 0; (at = text.find(kStart, at)) != text.npos; at += kStart.size()) {
    const std::size_t open = text.find_first_of("\"\n", at + kStart.size());
    if (open == text.npos || text[open] != '"') continue;
    const std::size_t close = text.find_first_of("\"\n", open + 1);
    if (close == text.npos || text[close] != '"') continue;
    const std::string_view name = text.substr(open + 1, close - open - 1);
    if (!name.starts_with('<') && !name.ends_with('/')) files.emplace(name);
  }
  return files;
}

std::vector<fs::path> include_folders(std::span<const std::string> flags) {
  std::vector<fs::path> folders;
  for (const std::string& flag : flags) {
    for (const std::string_view option : {"-I", "-iquote"}) {
      if (flag.starts_with(option)) folders.emplace_back(flag.substr(option.size()));
    }
  }
  return folders;
}

/// Whether a path goes up.
bool goes_up(const fs::path& path) {
  return std::ranges::find(path, "..") != path.end();
}

/// Where each file was looked for: the folders of -I, and of a file that was included with the
/// folder before its name, this one in each of them. A name that goes up is looked for itself,
/// since the folder above may be one in which everybody writes.
std::set<fs::path> searched_places(const std::set<std::string>& files,
                                   const std::vector<fs::path>& folders) {
  std::set<fs::path> below{fs::path()};
  for (const std::string& file : files) {
    for (const fs::path& folder : folders) {
      if (!lies_in(file, folder)) continue;
      const fs::path name = fs::path(file).lexically_relative(folder);
      below.insert(goes_up(name) ? name : name.parent_path());
    }
  }
  std::set<fs::path> searched;
  for (const fs::path& folder : folders) {
    for (const fs::path& place : below) searched.insert(folder / place);
  }
  return searched;
}

bool is_young(const fs::path& path, FileTime start) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  return !error && time > start - kYoung;
}

} // namespace

const std::string& FileStates::of(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = known_.try_emplace(path);
  if (is_new) known->second = state_of(path);
  return known->second;
}

std::optional<std::string> noted_result(const ObjectNote& note) {
  FileStates states;
  return noted_result(note, states);
}

std::optional<std::string> noted_result(const ObjectNote& note, FileStates& states) {
  std::ifstream stream(note.file);
  std::string result;
  if (!std::getline(stream, result)) return std::nullopt;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t space = line.find(' ');
    if (space == line.npos) return std::nullopt;
    const std::string_view state = std::string_view(line).substr(0, space);
    if (states.of(line.substr(space + 1)) != state) return std::nullopt;
  }
  touch(note.file);
  return result;
}

void write_note(const ObjectNote& note, const std::string& result, std::string_view text,
                std::span<const std::string> flags, FileTime start) {
  const std::set<std::string> files = included_files(text);
  std::set<fs::path> all = searched_places(files, include_folders(flags));
  all.insert(files.begin(), files.end());
  std::string lines = result + "\n";
  for (const fs::path& each : all) {
    if (lies_in(each, note.settled)) continue;
    // A name that the marker writes with escapes is not the file's.
    if (each.string().find('\\') != std::string::npos || is_young(each, start)) return;
    lines += fmt::format("{} {}\n", state_of(each.string()), each.string());
  }
  const fs::path temporary = unfinished(note.file);
  std::ofstream stream(temporary, std::ios::binary);
  stream << lines;
  stream.close();
  std::error_code ignored;
  if (!stream) {
    fs::remove(temporary, ignored);
    return;
  }
  // Without a note, the next request is preprocessed again: no more is lost.
  (void)publish(temporary, note.file);
}

} // namespace lanewise::sfpi
