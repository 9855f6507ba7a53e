#include "chip/machine/simd_level.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <stdexcept>

#include "chip/machine/cells.h"

namespace lanewise {

namespace {

constexpr std::array kLevels{SimdLevel::Baseline, SimdLevel::V3, SimdLevel::V4};
static_assert(kLevels.size() == kSimdLevels);

/// nullptr for a level that was not built.
const LevelKernels* built_kernels(SimdLevel level) {
  switch (level) {
    case SimdLevel::Baseline: return baseline::level_kernels();
    case SimdLevel::V3: return v3::level_kernels();
    case SimdLevel::V4: return v4::level_kernels();
  }
  return nullptr;
}

#if defined(__EMSCRIPTEN__)

/// The levels are x86's; WebAssembly has the vectors of the lowest.
bool processor_has(SimdLevel level) {
  return level == SimdLevel::Baseline;
}

#else

bool processor_has(SimdLevel level) {
  switch (level) {
    case SimdLevel::Baseline: return true;
    case SimdLevel::V3:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    case SimdLevel::V4:
      return processor_has(SimdLevel::V3) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  }
  return false;
}

#endif

bool is_available(SimdLevel level) {
  return is_built(level) && processor_has(level);
}

SimdLevel choose_level() {
  const std::vector<SimdLevel> available = available_simd_levels();
  if (available.empty())
    throw std::runtime_error(
        "this build has no kernels for this processor; build Lanewise again on it, "
        "or with all of LANEWISE_LEVELS");
  SimdLevel best = available.front();
  const char* wanted = std::getenv("LANEWISE_SIMD");
  for (SimdLevel level : available) {
    best = level;
    if (wanted != nullptr && simd_level_name(level) == wanted) break;
  }
  return best;
}

std::atomic<SimdLevel>& current_level() {
  static std::atomic<SimdLevel> level{choose_level()};
  return level;
}

} // namespace

bool is_built(SimdLevel level) {
  return built_kernels(level) != nullptr;
}

std::string_view simd_level_name(SimdLevel level) {
  switch (level) {
    case SimdLevel::Baseline: return "baseline";
    case SimdLevel::V3: return "v3";
    case SimdLevel::V4: return "v4";
  }
  return "unknown";
}

std::vector<SimdLevel> available_simd_levels() {
  std::vector<SimdLevel> levels;
  for (SimdLevel level : kLevels) {
    if (is_available(level)) levels.push_back(level);
  }
  return levels;
}

SimdLevel simd_level() {
  return current_level();
}

void set_simd_level(SimdLevel level) {
  if (is_available(level)) current_level() = level;
}

const LevelKernels& kernels_of(SimdLevel level) {
  return *built_kernels(level);
}

const CellKernels& cell_kernels() {
  switch (simd_level()) {
    case SimdLevel::Baseline: break;
    case SimdLevel::V3: return *v3::cell_kernels();
    case SimdLevel::V4: return *v4::cell_kernels();
  }
  return *baseline::cell_kernels();
}

} // namespace lanewise
