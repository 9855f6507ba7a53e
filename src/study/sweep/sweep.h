// Sweeps: a kernel over every input there is, held against a reference.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chip/isa/program.h"
#include "number/formats/ulp_measure.h"
#include "number/references/reference.h"
#include "run/execution/load_program.h"
#include "study/parts/shared_work.h"
#include "study/sweep/space.h"
#include "study/sweep/statistics.h"

namespace lanewise::sweep {

/// Whether the loop of a program becomes generated code (run/execution/generated_loop.h), which is
/// faster, but takes g++ seconds.
enum class Generation : std::uint8_t {
  IfLong, ///< where there are so many inputs that it pays, and it can be done
  Always, ///< or an error that says why not
  Never
};

/// A program for one chip.
struct SweepProgram {
  Arch arch = kDefaultArch;
  Program program;
  bool as_kernel = false; ///< start as the firmware enters a kernel (chip/machine/kernel_entry.h)
  /// A pass is a tile; else it is taken as often as the rows that it stores make one.
  bool is_tile = as_kernel;
};

/// A loaded program as sweep() and diff_programs() take it.
SweepProgram sweep_program(const execution::LoadedProgram& loaded);

struct SweepProgress {
  std::uint64_t done = 0, total = 0; ///< inputs; `done` has those of an earlier run, too
  std::uint64_t resumed = 0;         ///< inputs that an earlier run has done
  std::uint64_t changed = 0;         ///< of a comparison: results with other bits
};

/// Which operand, 0 for x and 1 for y, SrcA and SrcB of the Matrix Unit hold instead of Dst.
struct SourceOperands {
  std::optional<unsigned> srca = std::nullopt, srcb = std::nullopt;
  bool any() const { return srca || srcb; }
  bool has(unsigned operand) const { return srca == operand || srcb == operand; }
  friend bool operator==(const SourceOperands&, const SourceOperands&) = default;
};

struct SweepOptions {
  formats::Format format =
      formats::Format::BF16; ///< of the inputs, and what the Vector Unit is configured for
  std::optional<formats::Format> output_format =
      std::nullopt;         ///< of the result, if it is not `format`
  unsigned output_tile = 0; ///< the tile of Dst that is the result
  /// BF16 and FP16 only. Dst and the Matrix Unit then have the format of the result.
  SourceOperands sources = {};
  SweepSpace space = {};
  /// Only inputs for which this is neither 0 nor NaN are looked at; nullptr = all.
  const references::Reference* domain = nullptr;
  unsigned threads = 0; ///< 0 = as many as the machine has
  Generation generation = Generation::IfLong;
  std::size_t worst_cases = 10;                            ///< to keep for each chip
  formats::UlpMeasure measure = formats::UlpMeasure::Line; ///< in which errors are counted
  /// Of comparisons: whether distances are kept by part as well, for pictures.
  bool distance_parts = false;
  /// Of comparisons without a reference: whether anything is counted but changes. Then
  /// DiffStatistics::distance is empty where nothing has changed.
  bool distances = true;
  /// Which part of the sweep this is, and where its state is kept, so that it can go on after an
  /// interruption. nullptr = all of it, kept nowhere.
  parts::SharedWork* work = nullptr;
  /// Called now and then, from the thread that called sweep(); false stops.
  std::function<bool(const SweepProgress&)> progress = {};
};

/// All chips over the same inputs.
struct SweepResult {
  formats::Format format = formats::Format::BF16, output_format = formats::Format::BF16;
  formats::UlpMeasure measure = formats::UlpMeasure::Line;
  unsigned operands = 1;
  SweepSpace space;
  std::uint64_t total = 0;            ///< inputs of the space, or of the part
  std::uint64_t done = 0;             ///< fewer than `total` after a stop
  std::vector<SweepStatistics> chips; ///< in the order of the programs

  bool complete() const { return done == total; }
  friend bool operator==(const SweepResult&, const SweepResult&) = default;
};

/// Runs the programs over the inputs: operand x in tile 0 of Dst, y in tile 1, or where `sources`
/// says (element i of a tile of Dst and of a source have the same row and column), each tile from
/// reset as run_on_tiles() does, denormal inputs as they are. The reference gets them as zeros of
/// the same sign.
///
/// Results do not depend on the number of threads, nor on interruptions.
/// Error: BadInput for a space that the format or the operands do not have, a .cfg setting that is
/// wrong, a file of another sweep, or what the reference says.
Expected<SweepResult> sweep(std::span<const SweepProgram> programs,
                            const references::Reference& reference, const SweepOptions& options);

} // namespace lanewise::sweep
