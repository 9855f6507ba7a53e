// What stands before every kernel: the SFPI headers for a chip, parsed once and kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "source/sfpi/compilers.h"

namespace lanewise::sfpi {

/// What decides about the headers.
struct PreludeOptions {
  Arch arch = kDefaultArch;
  int epoch = 0;    ///< version of the SFPI interface, 738 for 7.38
  bool llk = false; ///< with the names that kernel headers of LLK expect before them
};

struct Prelude {
  std::filesystem::path headers; ///< the folder with sfpi.h
  std::filesystem::path folder;  ///< has lanewise_prelude.h and ckernel_ops.h
  std::string version;           ///< changes with the compiler, the headers and the options
};

/// Compiler options that must be the same for the prelude and the kernel, by which the precompiled
/// header stays usable (GCC manual, "Using Precompiled Headers").
std::vector<std::string> common_flags(const PreludeOptions& options);

/// -I options for the prelude's own folders.
std::vector<std::string> include_flags(const Prelude& prelude);

/// Prelude::version, of the headers in a folder.
std::string prelude_version(const HostCompiler& compiler, const PreludeOptions& options,
                            const std::filesystem::path& headers);

/// Writes the generated headers into the cache and precompiles them, if that has not been done for
/// these headers, this compiler and these options. A header that cannot be precompiled is no error
/// here: g++ then reads it as text, and says what is wrong with it.
Expected<Prelude> prepare_prelude(const HostCompiler& compiler, const PreludeOptions& options);

/// Makes the folder of a prelude again if its precompiled header is not as it was written, which
/// takes a tenth of a second to find out; true if it was not. Error: as prepare_prelude().
Expected<bool> mend_prelude(const HostCompiler& compiler, const PreludeOptions& options,
                            const Prelude& prelude);

} // namespace lanewise::sfpi
