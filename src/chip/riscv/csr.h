// Control and status registers of the cores.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise::riscv {

enum class CsrKind : std::uint8_t {
  Constant, ///< cannot be written
  Stored,   ///< holds what is written
  Missing   ///< reads what only hardware has
};

struct CsrRow {
  std::string_view name; ///< as the chip's documentation writes it, in capitals
  std::string_view text; ///< as an assembler writes it; "" where it writes the number
  std::uint16_t number;
  CsrKind kind;
  std::uint32_t reset;
};

/// The register of that number on Blackhole, or nullptr. Wormhole has none.
const CsrRow* find_csr(std::uint32_t number);

/// "mhartid", or "0x7c0".
std::string csr_text(std::uint32_t number);

} // namespace lanewise::riscv
