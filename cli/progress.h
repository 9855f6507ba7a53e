// Progress of long work, on a terminal only.
#pragma once

#include <string_view>

namespace lanewise::cli {

/// One line on standard error that is rewritten in place, and wiped at the end. Nothing where
/// standard error is no terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view text);

 private:
  bool visible_;
  bool drawn_ = false;
};

} // namespace lanewise::cli
