// What 'lanewise run' has to do with SrcA and SrcB: their inputs, and the product to compare with.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "cli/command_line.h"
#include "run/execution/tile_runner.h"

namespace lanewise::cli {

struct SourceOptions {
  std::string srca, srcb; ///< specifications as for --in; empty if the option is not there
  std::string srca_format = "bf16", srcb_format = "bf16";
  std::string reference;
};

/// --srca, --srcb, their formats, and --reference.
void add_source_options(const Command& command, SourceOptions& options);

/// The inputs of SrcA and SrcB that the options name.
struct Sources {
  std::optional<tensors::SourceInput> srca, srcb;
};

/// Error: BadInput for an unknown format or a wrong specification, for a reference without both
/// sources, and for one with inputs of Dst, to which the product would be added.
Expected<Sources> load_sources(const SourceOptions& options, bool has_dst_inputs);

/// Prints how far the results are from the reference, if one was asked for. Error: BadInput as
/// tensors::matmul_error() says.
Expected<void> print_reference(const SourceOptions& options, const Sources& sources,
                               std::span<const execution::TileRun> runs);

/// The same as JSON, null if no reference was asked for.
Expected<nlohmann::json> reference_json(const SourceOptions& options, const Sources& sources,
                                        std::span<const execution::TileRun> runs);

} // namespace lanewise::cli
