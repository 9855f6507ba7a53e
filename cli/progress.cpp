#include "cli/progress.h"
#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace lanewise::cli {

ProgressLine::ProgressLine() : visible_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (drawn_) tell("\r\033[K");
}

void ProgressLine::show(std::string_view text) {
  if (!visible_) return;
  tell("\r\033[K{}", text);
  std::fflush(stderr);
  drawn_ = true;
}

} // namespace lanewise::cli
