// What a kernel prints, one after the other.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "run/oracle/printed.h"

namespace lanewise::oracle {

/// What a kernel prints, with repetitions (a loop over rows that are all alike) only counted.
class PrintedLines {
 public:
  explicit PrintedLines(std::function<void(const std::string&)> write) : write_(std::move(write)) {}

  void add(const Printed& printed);
  /// Behind the last one: what has been counted is written.
  void finish();

 private:
  std::function<void(const std::string&)> write_;
  std::string text_; ///< written last
  unsigned repeats_ = 0;
};

} // namespace lanewise::oracle
