// The compiler's options as a user writes them.
#pragma once

#include <span>
#include <string>

#include "base/fault.h"
#include "compiler/options.h"

namespace lanewise::compiler {

/// "combine cc replay ...": what may stand behind -fno-.
std::string switch_names();

/// `switches` are what stands behind -f ("no-combine", "no-rvtt-sfpu-replay"); `dump` are names of
/// passes, or "all". Error: BadInput for an unknown switch or pass.
Expected<Options> parse_options(std::span<const std::string> switches,
                                std::span<const std::string> dump = {});

} // namespace lanewise::compiler
