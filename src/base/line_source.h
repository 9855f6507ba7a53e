// Lines of a text file, plain or gzip-compressed, read through a fixed buffer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/fault.h"

namespace lanewise {

class LineSource {
 public:
  virtual ~LineSource() = default;

  /// The next line without its line end, valid until the next call. False at the end of the file.
  /// Error: BadInput if the file cannot be read, is damaged or too large, or has a line of more
  /// than kMaxLine bytes or with a NUL byte.
  virtual Expected<bool> next(std::string_view& line) = 0;

  static constexpr std::size_t kMaxLine = 1U << 16;

  /// The largest text in a file, in bytes: the vectors of a chip have some tens of millions. A
  /// small compressed file may hold a text without end.
  static constexpr std::uint64_t kLargestText = std::uint64_t{1} << 33;

  /// Reading more than `most` bytes of text from the file is an error of next(). Error: BadInput if
  /// the file cannot be opened.
  static Expected<std::unique_ptr<LineSource>> open_file(const std::string& path,
                                                         std::uint64_t most = kLargestText);
  static std::unique_ptr<LineSource> from_text(std::string text);

 protected:
  /// Line `number`, from 1, without its line end. Error: BadInput if it is no text.
  static Expected<std::string_view> checked(std::string_view line, std::uint32_t number);
};

} // namespace lanewise
