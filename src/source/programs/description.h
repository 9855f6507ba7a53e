// A program in JSON, as 'lanewise kernels' reads it (docs/programs.md lists the fields).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source/programs/program.h"

namespace lanewise::programs {

/// Files of a buffer: .npy, or its bytes as they are.
struct BufferFiles {
  std::string input, output;               ///< "" for none
  bool from_stream = false;                ///< its contents follow the description, byte for byte
  DataFormat format = DataFormat::Invalid; ///< of the numbers in .npy files
  bool in_rows = false;                    ///< row-major; else tile after tile
  std::vector<std::size_t> shape;          ///< of an output
};

struct Description {
  Program program;
  std::vector<BufferFiles> files; ///< as Program::buffers
};

/// Error: BadInput with the path of the value, as "kernels[1].noc".
Expected<Description> parse_description(std::string_view text);

} // namespace lanewise::programs
