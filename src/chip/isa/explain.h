// The page on one instruction, for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/row.h"

namespace lanewise::isa {

/// Everything the table and the documentation say about an instruction: chips, unit, encodings,
/// kernel macro, modifiers, operation, notes. Lines of at most 100 columns, each ended by a
/// newline.
std::string explain(Op op);

/// Up to three mnemonics (or aliases) that a misspelt one may have meant, nearest first.
std::vector<std::string_view> suggestions(std::string_view mnemonic);

} // namespace lanewise::isa
