// One side of a comparison as a file, for trees that are not there any more.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "study/changes/case.h"

namespace lanewise::changes {

struct BaselineCase {
  TestCase what;
  Outcome outcome;
};

struct Baseline {
  std::string tree = {};   ///< as the user named it
  std::string commit = {}; ///< where it was one
  std::vector<BaselineCase> cases = {};
};

std::vector<std::byte> baseline_bytes(const Baseline& baseline);

/// Error: BadInput for what is none, of another version, or not whole.
Expected<Baseline> parse_baseline(std::span<const std::byte> bytes);

/// Errors as of parse_baseline(), with the file.
Expected<Baseline> read_baseline(const std::filesystem::path& file);

} // namespace lanewise::changes
