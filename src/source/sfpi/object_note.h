// What g++ read on the way from a request to its object, so that the same request later needs no
// g++ at all: preprocessing alone takes a hundred times as long as a look at the files.
//
// A note has a line with the object's name, and what else is to be known of the text, and a line
// for each file that was included and each folder in which an #include was looked for; where its
// name goes up, the file that might stand there. If none of them has changed, preprocessing would
// give the same text. What is younger than a second is not trusted, since a second change might not
// be seen by its time: such a note is not written.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace lanewise::sfpi {

using FileTime = std::filesystem::file_time_type;

struct ObjectNote {
  std::filesystem::path file; ///< the note's own
  /// Below it, files are named by what they hold: they need no line.
  std::filesystem::path settled;
};

/// States of files, each as it was when it was asked for first: what is compiled at the same time
/// has most files in common. May be asked by several threads.
class FileStates {
 public:
  /// When a file or folder was written and, of a file, its length, by which a change is seen; "-"
  /// if it is not there.
  const std::string& of(const std::string& path);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::string> known_;
};

/// The first line, if there is such a note and nothing that it has has changed.
std::optional<std::string> noted_result(const ObjectNote& note, FileStates& states);
std::optional<std::string> noted_result(const ObjectNote& note);

/// Writes a note: `result` is its first line; `text` is what g++ -E printed, with its line markers;
/// `flags` are those that it had, with -I or -iquote and its folder in one word; `start` is when it
/// began. Writes none if that cannot be done, or if a file is too young.
void write_note(const ObjectNote& note, const std::string& result, std::string_view text,
                std::span<const std::string> flags, FileTime start);

} // namespace lanewise::sfpi
