// Values in assembly text: numbers, names and the operators of C between them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "chip/isa/arch.h"
#include "chip/isa/row.h"
#include "source/assembly/token_stream.h"

namespace lanewise::assembly {

/// What `.equ` has defined. The names point into the source.
using Constants = std::map<std::string_view, std::int64_t, std::less<>>;

/// What a name can mean at one place of the source.
struct Scope {
  Arch arch;
  const Constants& constants;
  const isa::Row* row = nullptr;           ///< the instruction whose operand is read, if it is one
  std::span<const isa::Field> fields = {}; ///< the fields that the operand fills, highest first
};

/// Reads a value. Values between the operators stay within 33 bits, signed, so nothing overflows.
/// Throws SyntaxError.
std::int64_t parse_expression(TokenStream& stream, const Scope& scope);

/// What a name that is no constant means in a field of an instruction: the number of a register, or
/// the value of a mode. Nothing where it means nothing there.
std::optional<std::int64_t> find_value(Arch arch, const isa::Row& row, const isa::Field& field,
                                       std::string_view name);

/// The name of a mode without the parts that kernels put before it: scopes, and the prefix of a
/// modifier's constant ("sfpi::SFPIADD_MOD1_CC_NONE", "SFPLOAD_MOD0_FMT_FP32").
std::string_view mode_name(std::string_view name, std::string_view mnemonic);

} // namespace lanewise::assembly
