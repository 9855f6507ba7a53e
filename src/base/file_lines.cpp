// Lines of files, plain or compressed.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/line_source.h"

namespace lanewise {

namespace {

struct CloseGzip {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

/// zlib reads plain files through the same calls.
class FileLines final : public LineSource {
 public:
  FileLines(gzFile_s* file, std::string path, std::uint64_t most)
      : file_(file), path_(std::move(path)), most_(most) {}

  Expected<bool> next(std::string_view& line) override {
    ++line_number_;
    std::size_t end = buffer_.find('\n', position_);
    if (end == std::string::npos) {
      if (auto filled = fill(); !filled) return filled;
      end = buffer_.find('\n');
    }
    if (end == std::string::npos && buffer_.empty()) return false;
    const std::size_t length = std::min(end, buffer_.size()) - position_;
    const auto text = checked(std::string_view(buffer_).substr(position_, length), line_number_);
    if (!text) return Unexpected(text.error());
    line = *text;
    position_ = std::min(position_ + length + 1, buffer_.size());
    return true;
  }

 private:
  /// Drops the lines that have been read, and reads on: a buffer that is full without the end of a
  /// line is longer than a line may be.
  Expected<bool> fill() {
    buffer_.erase(0, position_);
    position_ = 0;
    while (buffer_.size() <= kMaxLine) {
      const std::size_t kept = buffer_.size();
      buffer_.resize(kMaxLine + kChunk);
      const int read =
          gzread(file_.get(), &buffer_[kept], static_cast<unsigned>(buffer_.size() - kept));
      buffer_.resize(kept + static_cast<std::size_t>(std::max(read, 0)));
      if (read < 0 || !is_sound()) return Unexpected(damage());
      total_ += static_cast<std::uint64_t>(read);
      if (total_ > most_) {
        return bad_input(fmt::format("{} has more than {} bytes of text", path_, most_),
                         "split it into several files", line_number_, 1);
      }
      if (read == 0 || buffer_.find('\n', kept) != std::string::npos) break;
    }
    return true;
  }

  /// gzread() also ends quietly where a compressed file has been cut off.
  bool is_sound() const {
    int code = Z_OK;
    gzerror(file_.get(), &code);
    return code == Z_OK || code == Z_STREAM_END;
  }

  Fault damage() const {
    int code = Z_OK;
    const char* text = gzerror(file_.get(), &code);
    return bad_input(fmt::format("{} cannot be read: {}", path_,
                                 code == Z_ERRNO ? std::strerror(errno) : text),
                     "check that the file is complete", line_number_, 1)
        .value();
  }

  static constexpr std::size_t kChunk = 1U << 16;

  std::unique_ptr<gzFile_s, CloseGzip> file_;
  std::string path_;
  std::uint64_t most_;
  std::uint64_t total_ = 0;  ///< bytes of text that have been read
  std::string buffer_;       ///< at most kMaxLine + kChunk bytes
  std::size_t position_ = 0; ///< of what has not been read yet
  std::uint32_t line_number_ = 0;
};

} // namespace

Expected<std::unique_ptr<LineSource>> LineSource::open_file(const std::string& path,
                                                            std::uint64_t most) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return bad_input(fmt::format("{} is a folder", path), "name a file");
  }
  gzFile_s* file = gzopen(path.c_str(), "rb");
  if (file == nullptr) {
    return bad_input(fmt::format("{} cannot be opened: {}", path, std::strerror(errno)),
                     "check the path");
  }
  return std::make_unique<FileLines>(file, path, most);
}

} // namespace lanewise
