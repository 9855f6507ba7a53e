#include "report/sweep/curves.h"

#include <algorithm>

#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

bool look_the_same(const sweep::SweepStatistics& a, const sweep::SweepStatistics& b) {
  return a.error == b.error && a.bins == b.bins && a.near == b.near && a.histogram == b.histogram;
}

} // namespace

std::vector<Curve> curves_of(const sweep::SweepResult& result) {
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < result.chips.size(); ++i) {
    const sweep::SweepStatistics& chip = result.chips[i];
    const std::string family(arch_params(chip.arch).names.family);
    const auto same = std::ranges::find_if(
        curves, [&](const Curve& curve) { return look_the_same(result.chips[curve.chip], chip); });
    if (same == curves.end()) {
      curves.push_back({i, {i}, family, chip_name(chip.arch)});
      continue;
    }
    same->chips.push_back(i);
    same->name += ", " + family;
    same->short_name += ", " + chip_name(chip.arch);
  }
  return curves;
}

} // namespace lanewise::report
