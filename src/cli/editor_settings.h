// Options of commands as an editor's settings, and back.
#pragma once

#include <string>

#include "cli/kernel.h"
#include "editor/settings.h"
#include "run/execution/load_program.h"

namespace lanewise::cli {

/// `format`: of the tiles in Dst.
editor::Settings editor_settings(const KernelOptions& kernel, Arch arch, const std::string& format);

/// editor::FileMaker: how a file becomes a program under settings, and under options that are no
/// settings. Error: BadInput.
Expected<execution::ProgramFile> editor_file(const std::string& name,
                                             const editor::Settings& settings, Arch arch,
                                             KernelOptions kernel);

} // namespace lanewise::cli
