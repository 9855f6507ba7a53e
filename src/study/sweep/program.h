// A program that runs on chunk after chunk of inputs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "run/execution/generated_loop.h"
#include "run/execution/store_probe.h"
#include "run/execution/tile_machine.h"
#include "run/execution/tile_runner.h"
#include "study/sweep/order.h"
#include "study/sweep/sweep.h"

namespace lanewise::sweep {

/// The results of a chunk, as value bits of the output format.
struct FoundBits {
  std::vector<std::uint32_t> found;
  std::vector<std::uint32_t> before_store; ///< empty where StoreProbe has nothing to tell
};

/// How a tile of the sweep is run: formats, and the sources as the program finds them configured.
execution::TileRunOptions tile_options(const SweepProgram& program, const SweepOptions& options);

class ChunkRunner {
 public:
  /// Error: BadInput for a .cfg setting that is wrong.
  /// `generates`: the loop of the program becomes generated code, if that can be done; else it is
  /// an error with Generation::Always. `probes`: whether FoundBits::before_store is wanted.
  static Expected<ChunkRunner> prepare(const SweepProgram& program, const SweepOptions& options,
                                       bool generates, bool probes);

  /// Inputs stand in tiles in their order (number/tensors/tile_cells.h); what is left of the last
  /// tile repeats its first input.
  void run(const ChunkInputs& inputs, FoundBits& results);

  /// Of execution, since this was last called. How often something happened is left out, since it
  /// would depend on how inputs lie in tiles.
  std::vector<Fault> take_faults();

  const execution::TileMachine& machine() const { return *machine_; }

 private:
  using Cells = std::array<std::uint32_t, tensors::kTileElements>;
  using Inputs = std::span<const std::uint32_t, tensors::kTileElements>;
  using Results = std::span<std::uint32_t, tensors::kTileElements>;

  Expected<void> generate(Generation generation);
  void make_source_cells();
  void load(MachineState& state, Inputs x, const Inputs* y) const;
  void execute_tile(MachineState& state, std::span<const MicroOp> ops);
  void run_tile(Inputs x, const Inputs* y, Results found, Results before_store);
  void run_part_of_tile(const ChunkInputs& inputs, std::size_t first, FoundBits& results);

  std::string name_;
  Arch arch_ = kDefaultArch;
  formats::Format format_ = formats::Format::BF16, output_format_ = formats::Format::BF16;
  unsigned output_tile_ = 0;
  SourceOperands sources_;
  std::vector<std::uint32_t> source_cells_; ///< of each pattern of the format, if there are sources
  Dst16View view_ = Dst16View::Rows;
  std::unique_ptr<execution::TileMachine> machine_;
  std::optional<execution::StoreProbe> probe_;
  std::optional<execution::GeneratedLoop> loop_; ///< else micro-ops are interpreted
  Cells x_{}, y_{}, found_{}, before_store_{};   ///< of a tile that is not full
};

} // namespace lanewise::sweep
