// The compiler's options as a user writes them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "source/compiler/options.h"

namespace lanewise::compiler {

/// "combine cc replay ...": what may stand behind -fno-.
std::string switch_names();

/// "shipped" or "lanewise".
std::string_view name_of(CompiledAs compiled);

/// By that name; "": as the kernel is by default. Error: BadInput for another one.
Expected<std::optional<CompiledAs>> parse_compiled_as(std::string_view name);

/// `switches` are what stands behind -f ("no-combine", "no-rvtt-sfpu-replay"); `dump` are names of
/// passes, or "all". Error: BadInput for an unknown switch or pass.
Expected<Options> parse_options(std::span<const std::string> switches,
                                std::span<const std::string> dump = {});

} // namespace lanewise::compiler
