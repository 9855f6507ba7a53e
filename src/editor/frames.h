// Messages of the Language Server Protocol in a stream of bytes: a header with their length, an
// empty line, and so many bytes of JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace lanewise::editor {

/// Cuts a stream into the contents of its messages. What is no message is told, and passed over.
class FrameReader {
 public:
  /// The largest content, in bytes; larger ones are passed over.
  static constexpr std::size_t kLargest = std::size_t{1} << 26;
  /// The largest header, in bytes.
  static constexpr std::size_t kLargestHeader = 4096;

  /// Takes the next bytes of the stream, and returns what they complete, in order. BadInput: a
  /// header without a length, or a content or header that is too large.
  std::vector<Expected<std::string>> feed(std::string_view bytes);

  /// Whether the stream may end here: no message has begun.
  bool is_between() const { return kept_.empty() && skipped_ == 0; }

 private:
  bool take_one(std::vector<Expected<std::string>>& out);

  std::string kept_;
  std::size_t skipped_ = 0; ///< bytes that are still to be passed over
};

/// A content as it is sent.
std::string frame(std::string_view content);

} // namespace lanewise::editor
