// The files that tt-metal's build writes for each kernel (jit_build/genfiles.cpp): what its headers
// and start files include. Both sets, since a checkout includes only what it knows: descriptors in
// one file, as since 2026, and in eight, as before.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/cache.h"
#include "source/programs/program.h"

namespace lanewise::programs {

/// How a compute kernel says where it begins.
enum class EntryPoint : std::uint8_t { KernelMain, Main };

/// By which name a source defines it, comments left out. Error: BadInput if it has neither.
Expected<EntryPoint> entry_point(std::string_view source);

/// The files for a kernel. `wants`: what the checkout's own start file calls. Error: BadInput of
/// formats that one kernel cannot have.
Expected<std::vector<GeneratedFile>> generated_files(const Program& program, const Kernel& kernel,
                                                     EntryPoint has, EntryPoint wants);

} // namespace lanewise::programs
