#include "cli/progress.h"
#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace lanewise::cli {

namespace {

/// Between two lines of a log. What takes less long is done before anybody looks.
constexpr std::chrono::seconds kBetweenLines{20};

} // namespace

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (drawn_) tell("\r\033[K");
}

void ProgressLine::show(std::string_view text) {
  if (!is_terminal_) {
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ < kBetweenLines) return;
    told_ = now;
    tell("{}\n", text);
    std::fflush(stderr);
    return;
  }
  tell("\r\033[K{}", text);
  std::fflush(stderr);
  drawn_ = true;
}

} // namespace lanewise::cli
