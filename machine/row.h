// What generated code (execution/generated.h) and the program that loads it have in common.
#pragma once

#include <cstdint>

#include "machine/dst.h"
#include "machine/fault_log.h"
#include "machine/vector/vector_state.h"

namespace lanewise {

/// Where an SFPLOAD or SFPSTORE accesses Dst: of a DstAddress what its lanes need.
struct RowAddress {
  std::uint16_t physical_row;
  std::uint16_t odd;
};

/// result = x * y + z of 32 lanes, right in those of `lanes`.
using MultiplyAdd = void (*)(std::uint32_t lanes, const std::uint32_t* x, const std::uint32_t* y,
                             const std::uint32_t* z, std::uint32_t* result);

/// What generated code leaves to the program that loads it: what happens seldom or does not gain by
/// being inlined.
struct RowHost {
  void* machine; ///< for the functions
  MultiplyAdd multiply_add;
  void (*add_fault)(void* machine, RuntimeFault what, std::uint32_t word, std::uint32_t line,
                    std::uint32_t lanes);
  /// Executes the micro-op `index` of the loop on these registers.
  void (*execute)(void* machine, VectorState& vector, unsigned index);
};

/// A loop over rows: `addresses` are those of all accesses, in order; the registers are those
/// before the first row and become those behind the last.
using RowLoop = void (*)(VectorState& vector, Dst& dst, const RowAddress* addresses, unsigned rows,
                         const RowHost& host);

} // namespace lanewise
