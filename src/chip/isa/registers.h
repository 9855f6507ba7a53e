// Names of LRegs, as people and kernels write them.
#pragma once

#include <optional>
#include <string_view>

namespace lanewise::isa {

inline constexpr unsigned kLRegCount = 17; ///< 16 is reachable through SFPLOADMACRO only

/// The number of an LReg: "L0".."L16", "LREG0".."LREG16", or a constant's name in kernels
/// ("LCONST_1", "LTILEID", ...; seed 000, 1.2), each also after "p_sfpu::". Case matters.
constexpr std::optional<unsigned> register_number(std::string_view name) {
  constexpr std::string_view kScope = "p_sfpu::";
  if (name.starts_with(kScope)) name.remove_prefix(kScope.size());
  if (!name.starts_with('L')) return std::nullopt;

  if (name == "LCONST_0_8373") return 8;
  if (name == "LCONST_0") return 9;
  if (name == "LCONST_1") return 10;
  if (name == "LCONST_neg1") return 11;
  if (name == "LTILEID") return 15;

  name.remove_prefix(name.starts_with("LREG") ? 4 : 1);
  const bool has_leading_zero = name.size() > 1 && name.front() == '0';
  if (name.empty() || name.size() > 2 || has_leading_zero) return std::nullopt;
  unsigned number = 0;
  for (char digit : name) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = number * 10 + static_cast<unsigned>(digit - '0');
  }
  if (number >= kLRegCount) return std::nullopt;
  return number;
}

} // namespace lanewise::isa
