// The instruction table as JSON, for tools outside this project.
#pragma once

#include <nlohmann/json.hpp>

#include "chip/isa/arch.h"
#include "chip/isa/program.h"
#include "chip/isa/row.h"

namespace lanewise::report {

/// The whole table:
///   {"format": "lanewise-isa", "version": 1,
///    "chips": [{"name", "long_name"}],
///    "rows": [{"mnemonic", "aliases", "opcode", "chips", "unit", "sub_unit" (null outside the
///    Vector
///              Unit), "latency" (cycles; null where no source gives one), "summary",
///              "fields": [{"name", "high", "low", "role", "operand" (index in the kernel macro,
///              null
///                          for fields that are none)}],
///              "modifiers": [{"field", "name", "value", "mask", "chips"}]}]}
/// A mnemonic that the chips encode differently has a row for each. `version` grows with every
/// change that a reader must know of.
nlohmann::json isa_json();

/// What 'explain' tells of an instruction: {"rows": as above, each with "operation" and "notes"}.
nlohmann::json instruction_json(isa::Op op);

/// Words of a program: [{"word": "7d000011", "line", "text": "SFPABS L0, L1, 1",
/// "modes": "FLOAT"}].
nlohmann::json words_json(Arch arch, const Program& program);

} // namespace lanewise::report
