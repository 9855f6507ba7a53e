// What an interrupted sweep leaves in a file, so that it can go on.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "study/sweep/engine.h"
#include "study/sweep/worker.h"

namespace lanewise::sweep {

/// What two sweeps must have in common for one to go on where the other stopped: names with values,
/// digests where the thing itself is long.
nlohmann::ordered_json sweep_key(const SweepPlan& plan);

/// Chip, and a digest of everything that decides what a program does.
std::string describe_program(const SweepProgram& program);

/// A JSON object with, as its last member, a digest of everything before it, and the line's end.
std::string sealed_sweep_state(std::string object);
/// Whether a text is one that sealed_sweep_state() has given, byte for byte.
bool is_sealed_sweep_state(std::string_view text);
/// Error: BadInput if the key that is stored is not this one, and in what it differs. `work` is
/// what the file is of, "sweep"; `name` stands in messages.
Expected<void> check_sweep_key(const nlohmann::ordered_json& stored,
                               const nlohmann::ordered_json& key, std::string_view work,
                               const std::string& name);

/// The bytes of the file: the key and the totals, sealed.
std::vector<std::byte> write_sweep_state(const nlohmann::ordered_json& key,
                                         const SweepTotals& totals);

/// The same back. `name` stands in messages. Error: BadInput if a byte is not as it was
/// written, or if this is the file of another sweep, and in what it differs.
Expected<SweepTotals> read_sweep_state(std::span<const std::byte> bytes, const SweepPlan& plan,
                                       const std::string& name);

} // namespace lanewise::sweep
