// Where a section's code stands in its source.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/fault.h"
#include "source/sfpi/debug_frames.h"
#include "source/sfpi/kernel_object.h"

namespace lanewise::section {

class SectionPlaces {
 public:
  /// Which of the calls that stand in a file of the user's or of the library under test is told:
  /// the innermost of all, or if there is one in the user's source, the innermost of these.
  enum class Told : std::uint8_t { Innermost, Source };

  /// `source` is the user's file, whose lines need no file. Error: BadInput if the object's debug
  /// information cannot be read.
  static Expected<SectionPlaces> open(const std::filesystem::path& object, std::string source,
                                      Told told = Told::Innermost);

  /// The line (base/source_line.h) of that call; 0 if there is none. `stack` has addresses of this
  /// process.
  std::uint32_t line_of(const sfpi::KernelObject& object, std::vector<std::uint64_t> stack);

 private:
  /// Lines of the calls that stand at one address of the code; 0: there is none.
  struct Lines {
    std::uint32_t innermost = 0, in_source = 0;
  };

  /// A file that has code: nothing of one that is not told, an empty name of the source.
  using Named = std::optional<std::string>;

  SectionPlaces(sfpi::FrameReader reader, std::string source, const std::filesystem::path& hidden,
                Told told);
  Lines lines_at(std::uint64_t file_address);
  const Named& named(const std::string& file);

  sfpi::FrameReader reader_;
  std::string source_;           ///< as the user names it
  std::filesystem::path path_;   ///< of the source, absolute
  std::filesystem::path hidden_; ///< the folder of headers that are ours
  Told told_;
  std::unordered_map<std::uint64_t, Lines> known_;
  std::unordered_map<std::string, Named> files_; ///< by the names that the object has
};

} // namespace lanewise::section
