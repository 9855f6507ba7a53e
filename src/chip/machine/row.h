// What generated code (run/execution/generated_loop.h) and the program that loads it have in
// common.
#pragma once

#include <cstdint>

#include "chip/machine/dst.h"
#include "chip/machine/fault_log.h"
#include "chip/machine/vector/vector_state.h"

namespace lanewise {

/// result = x * y + z of 32 lanes, right in those of `lanes`.
using MultiplyAdd = void (*)(std::uint32_t lanes, const std::uint32_t* x, const std::uint32_t* y,
                             const std::uint32_t* z, std::uint32_t* result);

/// The register that an SFPSTORE has stored, and in which lanes.
struct StoreNote {
  alignas(64) std::uint32_t value[kLanes];
  std::uint32_t lanes;
};

/// Groups of rows of Dst that straight code keeps in registers.
inline constexpr unsigned kMostRowGroups = 8;
/// Results that are held back at a time (chip/machine/scheduled.h).
inline constexpr unsigned kMostHeldResults = 8;

/// What generated code leaves to the program that loads it: what happens seldom or does not gain by
/// being inlined.
struct RowHost {
  void* machine; ///< for the functions
  MultiplyAdd multiply_add;
  void (*add_fault)(void* machine, RuntimeFault what, std::uint32_t word, std::uint32_t line,
                    std::uint32_t lanes);
  /// Executes the micro-op `index` of the program on these registers.
  void (*execute)(void* machine, VectorState& vector, unsigned index);
};

/// Loops over rows, and what stands between them (run/execution/row_program.h). `groups` are the
/// four rows of Dst that straight code keeps, each named by its first physical row, in the order in
/// which they are needed. The registers are those before the code and become those behind it.
/// `notes` has room for every store, or is nullptr.
using RowLoop = void (*)(VectorState& vector, Dst& dst, const std::uint16_t* groups,
                         StoreNote* notes, const RowHost& host);

} // namespace lanewise
