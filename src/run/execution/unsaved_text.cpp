#include "run/execution/unsaved_text.h"

#include <filesystem>
#include <span>
#include <utility>

#include "base/file.h"

namespace lanewise::execution {

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

/// What a message calls `path` is called `shown`.
Fault renamed(Fault fault, const std::string& path, const std::string& shown) {
  fault.message = replaced(std::move(fault.message), path, shown);
  fault.file = replaced(std::move(fault.file), path, shown);
  return fault;
}

} // namespace

Expected<LoadedProgram> UnsavedText::load(ProgramFile file, const std::string& text, Arch arch,
                                          const std::string& shown) {
  std::string path = file.name;
  if (is_kernel_file(file.name)) {
    if (!folder_.is_made())
      return bad_input("no folder for the kernel's text can be made",
                       "see whether $TMPDIR is full");
    const std::filesystem::path original = file.name;
    const std::filesystem::path beside = original.parent_path();
    file.kernel.include_dirs.insert(file.kernel.include_dirs.begin(),
                                    beside.empty() ? "." : beside.string());
    path = (folder_.path() / original.filename()).string();
    file.name = path;
    const auto bytes = std::as_bytes(std::span(text));
    if (auto written = write_file_atomically(path, bytes); !written)
      return Unexpected(written.error());
  }
  auto programs = load_program(file, text, {&arch, 1});
  if (!programs) return Unexpected(renamed(std::move(programs.error()), path, shown));
  LoadedProgram program = std::move(programs->front());
  program.program.name = shown;
  if (program.kernel) {
    for (Fault& fault : program.kernel->compiled.diagnostics)
      fault = renamed(std::move(fault), path, shown);
  }
  return program;
}

} // namespace lanewise::execution
