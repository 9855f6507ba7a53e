// A recording as a file (docs/recordings.md): what a kernel in C++ did, beside its text, so that it
// can be compiled, run and timed where there is no g++: in a browser, or on another machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source/compiler/ir.h"

namespace lanewise::sfpi {

/// How files of recordings end.
inline constexpr std::string_view kRecordingEnding = ".recording";

struct RecordedKernel {
  std::string file;                            ///< of the kernel, as it was named
  std::string source;                          ///< its text
  std::vector<compiler::Recording> recordings; ///< at most one of a chip
};

/// The file's text: JSON, with a line for each operation.
std::string recording_text(const RecordedKernel& kernel);

/// Reads such a text, by the rules for what a kernel records. Error: BadInput with `name`, if it is
/// no recording, damaged, or of another version of the recorder.
Expected<RecordedKernel> parse_recording(std::string_view text, const std::string& name);

} // namespace lanewise::sfpi
