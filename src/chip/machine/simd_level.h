// The lane kernels exist once per x86-64 level. Each level is the same source compiled with other
// flags into a namespace of its own; the best level that the processor has is taken at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/row.h"
#include "chip/machine/kernels/level_kernels.h"
#include "chip/machine/micro_op.h"

namespace lanewise {

enum class SimdLevel : std::uint8_t {
  Baseline, ///< x86-64 (SSE2)
  V3,       ///< x86-64-v3 (AVX2)
  V4        ///< x86-64-v4 (AVX-512)
};

inline constexpr std::size_t kSimdLevels = 3;

std::string_view simd_level_name(SimdLevel level);

/// Whether this build has kernels for the level (LANEWISE_LEVELS, cmake/library.cmake).
bool is_built(SimdLevel level);

/// The levels that this processor can run and this build has, lowest first.
std::vector<SimdLevel> available_simd_levels();

/// The level in use: the highest available one, or the one named by LANEWISE_SIMD=baseline|v3|v4,
/// if available. Throws std::runtime_error if this build has none for this processor.
SimdLevel simd_level();

/// Chooses another level for micro-ops decoded from now on (for tests and benchmarks).
void set_simd_level(SimdLevel level);

/// The kernels of a level that is built.
const LevelKernels& kernels_of(SimdLevel level);

/// The kernels of the level in use.
inline const LevelKernels& level_kernels() {
  return kernels_of(simd_level());
}

} // namespace lanewise
