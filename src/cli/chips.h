// --arch: the chips that a command works for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "cli/chips.h"
#include "cli/command_line.h"

namespace lanewise::cli {

/// What --arch holds where it is not given: the default chip, or every chip of which all is here.
std::vector<std::string> default_arch_names();
std::vector<std::string> whole_arch_names();

/// Adds `--arch bh|wh`, default bh.
void add_arch_option(const Command& command, Arch& arch);
/// The same with gs.
void add_every_arch_option(const Command& command, Arch& arch);
/// The same without gs, for a command that looks the name up itself.
void add_arch_name_option(const Command& command, std::string& name);

/// Adds `--arch bh,wh`. What `archs` holds already is the default.
void add_archs_option(const Command& command, std::vector<std::string>& archs);
/// The same with gs. `several`: what the command does with several chips.
void add_every_archs_option(const Command& command, std::vector<std::string>& archs,
                            std::string_view several);

/// --arch bh,wh: each chip once. Error: BadInput for an unknown one.
Expected<std::vector<Arch>> chosen_chips(const std::vector<std::string>& names);

/// What a command needs of a chip beside the values that programs compute.
enum class ChipNeed : std::uint8_t {
  Clock,  ///< latencies and hazards
  Kernels ///< kernels of tt-llk and tt-metal, or what is known of them
};

/// The same for a command that not every chip can serve. Error also: BadInput that says why.
Expected<std::vector<Arch>> chosen_chips(const std::vector<std::string>& names,
                                         std::string_view command, ChipNeed need);

} // namespace lanewise::cli
