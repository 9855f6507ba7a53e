// Two programs over the same inputs: what has changed.
#pragma once

#include <cstdint>
#include <vector>

#include "study/sweep/order.h"
#include "study/sweep/sweep.h"

namespace lanewise::sweep {

/// Two programs on one chip. "Expected" is the first, "found" the second.
struct DiffStatistics {
  Arch arch = kDefaultArch;
  std::uint64_t inputs = 0;
  std::uint64_t changed = 0; ///< results with other bits, NaN and signs of zeros included
  UlpStatistics distance;    ///< between both, of all inputs that give a number in the first
  std::vector<SweepCase> worst;
  struct Side {
    double instructions = 0, cycles = 0, init_cycles = 0; ///< as SweepStatistics has them
    double words = 0;                                     ///< of the program
    double rows = 0; ///< of 32 lanes that a pass stores, at most the 32 of a tile
    std::vector<Fault> faults;
    friend bool operator==(const Side&, const Side&) = default;
  };
  Side first, second;
  friend bool operator==(const DiffStatistics&, const DiffStatistics&) = default;
};

struct DiffResult {
  formats::Format format = formats::Format::BF16, output_format = formats::Format::BF16;
  formats::UlpMeasure measure = formats::UlpMeasure::Line;
  unsigned operands = 1;
  SweepSpace space;
  std::uint64_t total = 0, done = 0;
  std::vector<DiffStatistics> chips;
  /// The second against the first as its reference, whatever the kind of the inputs, with parts and
  /// histogram if SweepOptions::distance_parts; in the order of `chips`.
  std::vector<SweepStatistics> distances;
  /// Both against a reference, if there is one; in the order of `chips`.
  std::vector<SweepStatistics> first_errors, second_errors;
  friend bool operator==(const DiffResult&, const DiffResult&) = default;
};

/// Whether a comparison has come to its end, results mean something, and all bits are the same.
bool is_same(const DiffResult& result);

/// Runs `first[i]` and `second[i]`, which are for the same chip, over the inputs. `reference` may
/// be nullptr; `operands` then says how many there are (a reference has its own number). Errors as
/// sweep() has them.
Expected<DiffResult> diff_programs(std::span<const SweepProgram> first,
                                   std::span<const SweepProgram> second, unsigned operands,
                                   const references::Reference* reference,
                                   const SweepOptions& options);

/// Runs two programs for one chip over a few inputs of `options.format`: those whose results have
/// other bits, in their order. Only formats and threads of `options` are used; the ULP of the cases
/// is not measured. Error: BadInput for a .cfg setting that is wrong.
Expected<std::vector<SweepCase>> find_changes(const SweepProgram& first, const SweepProgram& second,
                                              const ChunkInputs& inputs,
                                              const SweepOptions& options);

} // namespace lanewise::sweep
