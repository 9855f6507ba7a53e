// Work that consists of items, as one run does it: all of them, those of a part, those that an
// earlier run has left over, or none, where the files of all parts have them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "study/parts/part_file.h"

namespace lanewise::parts {

class SharedWork {
 public:
  /// All of the work, without a file.
  SharedWork() = default;

  /// All of it; what is done is kept in a file, and is there again for the next run. The file goes
  /// when the end is reached.
  static SharedWork resumable(std::filesystem::path file);
  /// A part of it, which stays in the file; with an empty path, in memory only.
  static SharedWork part(const Part& part, CommandWords command, std::filesystem::path file);
  /// Everything is in the parts, which gather_parts() has given.
  static SharedWork merged(std::vector<PartFile> parts);

  /// How a file comes to hold what was done.
  enum class Keeping : std::uint8_t {
    Lines, ///< a line more for each item; one that is cut off is done anew
    Whole  ///< one record that is replaced, by a whole new file
  };
  /// Says what the work is, before everything else: `work`, "sweep", stands in messages. Error:
  /// BadInput if the file, or a part, is of other work, or damaged, or cannot be written, and where
  /// the parts do not have every item (Lines).
  Expected<void> begin(std::string_view work, Json key, std::uint64_t items, Keeping keeping);

  /// The items that this run is about.
  ItemRange range() const;
  /// Whether nothing is left to be done.
  bool is_merged() const { return kind_ == Kind::Merged; }
  /// Whether this is less than all, so that there is no result yet.
  bool is_part() const { return kind_ == Kind::Part; }
  /// Whether an item need not be done: what it has given is there.
  const Json* find(std::uint64_t item) const;
  /// What is there, by the item.
  const std::map<std::uint64_t, Json>& records() const { return file_.records; }

  /// An item is done. What cannot be written now is written with the next one, or by end(). Does
  /// nothing where nothing is kept.
  void keep(std::uint64_t item, Json value);
  /// Whether anybody looks at the key.
  bool needs_key() const { return kind_ != Kind::All; }
  /// Whether keep() does anything.
  bool keeps() const { return kind_ == Kind::Resumable || kind_ == Kind::Part; }
  /// The run stops here, with some items left. Error: BadInput if what was done could not be
  /// written.
  Expected<void> stop();
  /// Every item is done. Error: the same.
  Expected<void> end();

  /// The bytes of the part's file.
  std::string text() const { return part_file_text(file_); }
  const Part& number() const { return file_.header.part; }
  const std::filesystem::path& path() const { return path_; }
  /// The file that has an item, for messages.
  std::string name_of(std::uint64_t item) const;

 private:
  enum class Kind : std::uint8_t { All, Resumable, Part, Merged };

  Expected<void> take_over(std::string_view work);
  Expected<void> take_parts(std::string_view work);
  Expected<void> write() const;
  bool append(const std::string& line) const;

  Kind kind_ = Kind::All;
  Keeping keeping_ = Keeping::Lines;
  std::filesystem::path path_;
  PartFile file_;                ///< of this run
  std::vector<PartFile> merged_; ///< their records are in `file_` after begin()
  bool is_behind_ = false;       ///< the file lacks something
};

} // namespace lanewise::parts
