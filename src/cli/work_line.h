// That work goes on which cannot say how far it is.
#pragma once

#include <string>

namespace lanewise::cli {

/// From the first second on, a line on standard error with what is done and for how long, until its
/// end. Where standard error is no terminal, a line now and then, as of ProgressLine. There is one
/// at a time.
///
/// A process writes it: work that forks must not have threads. A timer makes it when the first line
/// is due, so that short work has none: behind a fork, all pages that are written are copied.
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
  bool has_begun_ = false;
};

} // namespace lanewise::cli
