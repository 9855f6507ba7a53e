// What 'lanewise tile' puts into L1 and takes out of it: options, and the directives of a program.
#pragma once

#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/isa/tile_program.h"
#include "chip/tile/l1.h"
#include "cli/command_line.h"
#include "number/tensors/l1_image.h"
#include "report/tile/report.h"

namespace lanewise::cli {

struct TileImageOptions {
  std::vector<std::string> inputs, outputs;
  std::string l1, save_l1;
};

/// --in, --out, --l1 and --save-l1.
void add_tile_image_options(const Command& command, TileImageOptions& options);

/// Fills L1: --l1, then the program's .in, then --in; an --in without a format has that of the .in
/// at its address. Error: BadInput as tensors::l1_input_bytes() says, for what does not fit into
/// L1, and with the place of a directive.
Expected<void> fill_l1(tile::L1& l1, const TileProgram& program, const TileImageOptions& options);

/// --out, or the program's .out where there are none; an --out without a shape has that of the .out
/// at its address. Error: BadInput likewise.
Expected<std::vector<tensors::L1Output>> chosen_outputs(const tile::L1& l1,
                                                        const TileProgram& program,
                                                        const TileImageOptions& options);

/// What L1 holds there, written where there is a file; and --save-l1. Error: BadInput.
Expected<std::vector<report::TileOutput>> take_outputs(
    const tile::L1& l1, const std::vector<tensors::L1Output>& outputs,
    const TileImageOptions& options);

} // namespace lanewise::cli
