#include "lab/line_source.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

namespace lanewise::lab {

namespace {

struct CloseGzip {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

/// zlib reads plain files through the same calls.
class FileLines final : public LineSource {
 public:
  FileLines(gzFile_s* file, std::string path)
      : file_(file), path_(std::move(path)), buffer_(kMaxLine) {}

  Expected<bool> next(std::string_view& line) override {
    ++line_number_;
    if (gzgets(file_.get(), buffer_.data(), static_cast<int>(buffer_.size())) == nullptr) {
      int code = Z_OK;
      const char* text = gzerror(file_.get(), &code);
      if (code != Z_OK && code != Z_STREAM_END) {
        return bad_input(fmt::format("{} cannot be read: {}", path_,
                                     code == Z_ERRNO ? std::strerror(errno) : text),
                         "check that the file is complete", line_number_, 1);
      }
      return false;
    }
    // A NUL byte would hide the rest of the line from strlen; what follows it cannot be text
    // anyway.
    std::size_t length = std::strlen(buffer_.data());
    if (length + 1 == buffer_.size() && buffer_[length - 1] != '\n') {
      return bad_input(fmt::format("line is longer than {} bytes", kMaxLine),
                       "is this a vector file?", line_number_, 1);
    }
    while (length != 0 && (buffer_[length - 1] == '\n' || buffer_[length - 1] == '\r')) --length;
    line = {buffer_.data(), length};
    return true;
  }

 private:
  std::unique_ptr<gzFile_s, CloseGzip> file_;
  std::string path_;
  std::vector<char> buffer_;
  std::uint32_t line_number_ = 0;
};

class TextLines final : public LineSource {
 public:
  explicit TextLines(std::string text) : text_(std::move(text)) {}

  Expected<bool> next(std::string_view& line) override {
    if (position_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    line = std::string_view(text_).substr(position_, end - position_);
    position_ = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }

 private:
  std::string text_;
  std::size_t position_ = 0;
};

} // namespace

Expected<std::unique_ptr<LineSource>> LineSource::open_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return bad_input(fmt::format("{} is a folder", path), "name a file");
  }
  gzFile_s* file = gzopen(path.c_str(), "rb");
  if (file == nullptr) {
    return bad_input(fmt::format("{} cannot be opened: {}", path, std::strerror(errno)),
                     "check the path");
  }
  return std::make_unique<FileLines>(file, path);
}

std::unique_ptr<LineSource> LineSource::from_text(std::string text) {
  return std::make_unique<TextLines>(std::move(text));
}

} // namespace lanewise::lab
