// That work goes on which cannot say how far it is.
#pragma once

#include <sys/types.h>

#include <string>

namespace lanewise::cli {

/// From the first second on, a line on standard error with what is done and for how long, until its
/// end. A process writes it: work that forks must not have threads. Where standard error is no
/// terminal, a line now and then, as of ProgressLine.
class WorkLine {
 public:
  WorkLine() = default;
  explicit WorkLine(const std::string& what) { begin(what); }
  ~WorkLine() { end(); }
  WorkLine(const WorkLine&) = delete;
  WorkLine& operator=(const WorkLine&) = delete;

  /// In the place of what was begun before.
  void begin(const std::string& what);
  /// Wipes the line. What is printed comes behind it.
  void end();

 private:
  pid_t writer_ = -1;
};

} // namespace lanewise::cli
