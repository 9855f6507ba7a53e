// What the registers held when a program stored them: how much of an error is the store's.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "chip/machine/dst_address.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"
#include "number/formats/format.h"
#include "number/tensors/tile.h"
#include "run/execution/generated_loop.h"

namespace lanewise::execution {

/// An fp32 rounded to BF16 or FP16, to nearest, ties to even: what round_to_bits() makes of its
/// number. Denormal results are zeros of the same sign, as Dst has them; a NaN becomes the same
/// quiet NaN or, in FP16, its largest magnitude.
std::uint32_t round_register(formats::Format format, std::uint32_t fp32);

/// Executes programs and notes, element by element of one tile of Dst, the register that each
/// SFPSTORE of one mode stores, those included that an SFPLOADMACRO has scheduled. An element that
/// is stored in another mode afterwards, or that something else overwrites, has no note.
class StoreProbe {
 public:
  /// Whether there is anything to know: 32-bit formats and integers store what the register holds.
  static bool suits(formats::Format format) {
    return isa::number_format(format).dst->store == isa::Rounding::Cut;
  }

  /// `format` is one that suits, of the result in tile `tile` of Dst, which is looked at as `view`.
  StoreProbe(formats::Format format, unsigned tile, Dst16View view = Dst16View::Rows);

  /// Executes one tile, as lanewise::execute() does, without any notes from before.
  void execute(MachineState& state, std::span<const MicroOp> ops);
  /// The same with generated code for the loop of the program.
  void execute(MachineState& state, std::span<const MicroOp> ops, const GeneratedLoop& loop);

  /// What rounding to nearest before the store would have left, as value bits; elements in the
  /// order of read_cells(), `found` as that has read them. Where there is no note, it is `found`.
  void round_before_store(std::span<const std::uint32_t, tensors::kTileElements> found,
                          std::span<std::uint32_t, tensors::kTileElements> rounded) const;

 private:
  /// A store as it executes.
  struct Store {
    DstMode mode; ///< not SRCB
    unsigned physical_row;
    std::uint32_t odd;   ///< lanes that use odd columns
    std::uint32_t lanes; ///< that store
    const std::uint32_t* value;
  };

  void execute_noting(MachineState& state, std::span<const MicroOp> ops);
  void note(const Store& store);
  void note_cells(const Store& store);
  void forget_cells(unsigned physical_row, const Store& store);
  /// The row of the tile whose cells lie in a physical row; kTileDstRows if it is another tile's.
  unsigned row_of_tile(unsigned physical_row) const;

  formats::Format format_;
  DstMode mode_;
  unsigned first_row_; ///< of the tile
  Dst16View view_;
  std::array<std::uint32_t, tensors::kTileElements> value_{};
  std::array<std::uint32_t, tensors::kTileElements> is_noted_{}; ///< 1 or 0
  std::vector<StoreNote> notes_;                                 ///< of generated code
};

} // namespace lanewise::execution
