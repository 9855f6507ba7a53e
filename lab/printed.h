// What a kernel prints, and how people see it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "compiler/ir.h"
#include "lab/node_execution.h"

namespace lanewise::lab {

/// One execution of a Print node. The views and the pointer last as long as the recording.
struct Printed {
  std::string_view label;
  compiler::NumberType type = compiler::NumberType::Float;
  Lanes lanes{};
  std::uint32_t enabled = 0; ///< lanes that are enabled there
  std::uint32_t defined = 0; ///< lanes that have a value
  const compiler::Site* site = nullptr;
};

using PrintSink = std::function<void(const Printed&)>;

/// A head line with label and source line, then 4 rows of 8 columns, as the lanes lie in Dst; rows
/// that follow each other and are equal only once, and one line if all lanes are equal. A lane that
/// is not enabled stands in parentheses, one without a value is "-".
std::string to_text(const Printed& printed);

/// What a kernel prints, with repetitions (a loop over rows that are all alike) only counted.
class PrintedLines {
 public:
  explicit PrintedLines(std::function<void(const std::string&)> write) : write_(std::move(write)) {}
  ~PrintedLines();
  PrintedLines(const PrintedLines&) = delete;
  PrintedLines& operator=(const PrintedLines&) = delete;

  void add(const Printed& printed);

 private:
  void flush();

  std::function<void(const std::string&)> write_;
  std::string text_; ///< written last
  unsigned repeats_ = 0;
};

} // namespace lanewise::lab
