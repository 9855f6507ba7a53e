#include "machine/simd_level.h"

#include <atomic>
#include <cstdlib>

namespace lanewise {

// Each defined by kernels/level.cpp as compiled for that level.
namespace baseline {
Kernel find_kernel(Arch arch, isa::Op op);
}
namespace v3 {
Kernel find_kernel(Arch arch, isa::Op op);
}
namespace v4 {
Kernel find_kernel(Arch arch, isa::Op op);
}

namespace {

bool is_available(SimdLevel level) {
  switch (level) {
    case SimdLevel::Baseline: return true;
    case SimdLevel::V3:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    case SimdLevel::V4:
      return is_available(SimdLevel::V3) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  }
  return false;
}

SimdLevel choose_level() {
  SimdLevel best = SimdLevel::Baseline;
  const char* wanted = std::getenv("LANEWISE_SIMD");
  for (SimdLevel level : available_simd_levels()) {
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
  for (SimdLevel level : {SimdLevel::Baseline, SimdLevel::V3, SimdLevel::V4}) {
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

Kernel find_lane_kernel(Arch arch, isa::Op op) {
  switch (simd_level()) {
    case SimdLevel::V4: return v4::find_kernel(arch, op);
    case SimdLevel::V3: return v3::find_kernel(arch, op);
    case SimdLevel::Baseline: break;
  }
  return baseline::find_kernel(arch, op);
}

} // namespace lanewise
