// What a UNPACR is to do, as configuration, counters and its word say: addresses, formats, number
// of data (core.md 12.2).
#pragma once

#include <cstdint>
#include <optional>

#include "chip/isa/number_format.h"
#include "chip/tile/instruction.h"

namespace lanewise::tile {

struct UnpackPlan {
  unsigned unpacker = 0;
  unsigned context = 0;
  unsigned counters_of = 0; ///< the thread whose X and Y count, "WhichADC"
  bool multi_context = false;

  isa::DataFormat in{}, out{};
  unsigned datum_bits = 0;

  std::uint64_t first_bit = 0;      ///< where the first datum begins in L1
  std::uint64_t first_exponent = 0; ///< the byte of the section of exponents, times 16, at which
                                    ///< the first datum's exponent stands
  bool has_exponents = false;       ///< else `forced_exponent` holds for all
  std::uint8_t forced_exponent = 0;
  std::uint32_t count = 0;      ///< of data
  unsigned row_data = 16;       ///< data that lie side by side
  std::uint64_t row_stride = 0; ///< bits from one row's start to the next one's
  std::uint64_t limit = 0;      ///< byte of L1; addresses beyond are `fifo` bytes less
  std::uint64_t fifo = 0;

  bool to_dst = false;
  bool transposes = false;
  bool zeros = false;            ///< all data are 0
  std::uint32_t destination = 0; ///< of the first datum: row times 16, plus column
  unsigned column_shift = 0;

  unsigned bytes_per_cycle = 0; ///< that the unpacker fetches at best (core.md 17)
};

/// The plan of an instruction, or nothing if it is of a kind that is refused by name.
std::optional<UnpackPlan> plan_unpack(TileState& tile, const Instruction& i);

} // namespace lanewise::tile
