// How code for a core of a tile is compiled for the core itself: RV32 programs, by Debian's
// gcc-riscv64-unknown-elf, with the C and C++ headers of the host.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"

namespace lanewise::sfpi {

/// What all programs of a run are compiled with.
struct CoreToolchain {
  std::vector<std::string> folders; ///< of the host's headers
  std::string library;              ///< the compiler's own: division, 64 bits, floats
  std::filesystem::path headers;    ///< ours

  /// Options that name the folders, after those of the program.
  std::vector<std::string> folder_flags() const;
  std::vector<std::string> link_flags(const std::filesystem::path& script) const;
};

/// Error: BadInput; there is no compiler for RV32, or no library or header of it.
Expected<CoreToolchain> find_core_toolchain();

/// The processor, and what vendors' builds have in common; without a level of optimisation.
std::vector<std::string> core_compile_flags(Arch arch);

/// Where a core's program lies. Constants, data and stack lie in the core's own RAM.
struct CoreMemory {
  std::uint32_t code = 0, code_bytes = 0;
  /// From where start code copies what data begin with; nothing: whoever loads the program has put
  /// them into the RAM.
  std::optional<std::uint32_t> loader_init = std::nullopt;
  /// In L1: variables of the section "lanewise_shared"; nothing: there are none.
  std::optional<std::uint32_t> shared = std::nullopt;
};

/// What is for the host to read has no place in memory.
std::string core_linker_script(Arch arch, const CoreMemory& memory);

/// Who puts a program's data into the core's own RAM before it begins.
enum class DataOfCore : std::uint8_t {
  AreThere,  ///< whoever loads it
  AreLoaded, ///< its start code, from CoreMemory::loader_init
};

/// What a program begins with: the stack, data, static objects; then lanewise_entry()
/// (kEntryName), and behind it the core turns around in place.
std::string core_start_text(DataOfCore data);

/// memset, memcpy and memmove, which the compiler asks for by itself: the end of a translation
/// unit.
extern const std::string_view kCoreMemoryFunctions;

} // namespace lanewise::sfpi
