#include "study/traffic/accuracy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "study/traffic/loops.h"

namespace lanewise::traffic {

Accuracy compare(const std::vector<Series>& all, std::uint64_t most_packets,
                 const std::function<bool(std::size_t done, std::size_t all)>& goes_on) {
  Accuracy accuracy;
  std::size_t done = 0;
  for (const Series& series : all) {
    if (!goes_on(done++, all.size())) break;
    for (std::size_t size = 0; size < series.cycles.size(); ++size) {
      const std::vector<Loop> loops = loops_of(series, kSizes[size]);
      if (packets_of(loops) > most_packets) {
        ++accuracy.left_out;
        continue;
      }
      accuracy.points.push_back({.series = &series,
                                 .bytes = kSizes[size],
                                 .measured = series.cycles[size],
                                 .modelled = cycles_of(series.arch, loops)});
    }
  }
  return accuracy;
}

std::vector<Group> groups_of(const std::vector<Compared>& points) {
  std::map<std::tuple<Arch, Pattern, Mechanism, Memory>, std::vector<double>> errors;
  for (const Compared& each : points) {
    const Series& s = *each.series;
    errors[{s.arch, s.pattern, s.mechanism, s.memory}].push_back(each.error());
  }
  std::vector<Group> groups;
  for (auto& [key, all] : errors) {
    const auto [arch, pattern, mechanism, memory] = key;
    Group group{.arch = arch,
                .pattern = pattern,
                .mechanism = mechanism,
                .memory = memory,
                .points = all.size()};
    const auto count = static_cast<double>(all.size());
    for (double& each : all) {
      group.bias += each / count;
      each = std::abs(each);
      group.mean += each / count;
    }
    std::ranges::sort(all);
    group.median = all[all.size() / 2];
    group.ninetieth = all[all.size() * 9 / 10];
    group.most = all.back();
    groups.push_back(group);
  }
  return groups;
}

double mean_error(const std::vector<Compared>& points) {
  double sum = 0;
  for (const Compared& each : points) sum += std::abs(each.error());
  return points.empty() ? 0 : sum / static_cast<double>(points.size());
}

} // namespace lanewise::traffic
