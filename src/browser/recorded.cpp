#include "browser/recorded.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/text_file.h"
#include "source/sfpi/recording_file.h"

namespace lanewise::browser {

namespace {

Unexpected not_recorded(const std::string& file, std::string message) {
  Unexpected fault = bad_input(
      std::move(message),
      fmt::format("record it on a machine, 'lanewise run {0} --emit recording > {0}{1}', and open "
                  "that here",
                  file, sfpi::kRecordingEnding));
  fault.value().file = file;
  return fault;
}

} // namespace

Expected<std::vector<execution::LoadedProgram>> load_beside(
    const execution::ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const execution::CompiledKernel&)>& on_kernel) {
  const std::string name = std::filesystem::path(file.name).filename().string();
  const std::string recording = name + std::string(sfpi::kRecordingEnding);
  const auto bytes = read_text_file(recording);
  if (!bytes)
    return not_recorded(name, "kernels in C++ need a recording in a browser, where no g++ is");
  const auto recorded = sfpi::parse_recording(*bytes, recording);
  if (!recorded) return Unexpected(recorded.error());
  if (lines_of(recorded->source) != lines_of(text))
    return not_recorded(name, "the kernel's text is another one than its recording is of");
  return execution::load_recorded(file, *recorded, chips, on_kernel);
}

} // namespace lanewise::browser
