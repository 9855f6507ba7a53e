// What calls of a user and calls of a test have in common when their states are looked at.
#pragma once

#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/tile/state_fields.h"
#include "run/section/run_sections.h"
#include "run/section/state_calls.h"

namespace lanewise::section {

/// The text of two functions: lanewise_turn(n) and lanewise_take(n), stores to the addresses of
/// snapshots.h.
std::string mark_functions();

/// The fields of a chip, to be filled in.
std::vector<tile::StateField> field_names(Arch arch);

/// These fields with the values of a snapshot.
std::vector<tile::StateField> fields_of(std::vector<tile::StateField> names,
                                        const Snapshot& snapshot);

/// Compiles and runs a test with marks; without steps yet. Error: as compile_sections() and
/// run_sections() say.
Expected<StateRun> run_marked(const TestSource& test, const SectionsRun& how);

} // namespace lanewise::section
