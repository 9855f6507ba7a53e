// Progress of long work.
#pragma once

#include <chrono>
#include <string_view>

namespace lanewise::cli {

/// One line on standard error that is rewritten in place, and wiped at the end. Where standard
/// error is no terminal, a line now and then, so that a log tells that the work goes on.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view text);

 private:
  bool is_terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

} // namespace lanewise::cli
