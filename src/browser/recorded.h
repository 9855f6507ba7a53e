// Kernels in C++ in a page, which has no g++: by the recording that lies beside their text.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "run/execution/load_kernels.h"

namespace lanewise::browser {

/// As execution::load_kernels() says. A text that is not saved has a folder of its own; its
/// recording is in the folder of the request. Error: BadInput where there is none, or one of
/// another text.
Expected<std::vector<execution::LoadedProgram>> load_beside(
    const execution::ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const execution::CompiledKernel&)>& on_kernel);

} // namespace lanewise::browser
