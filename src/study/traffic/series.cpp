#include "study/traffic/series.h"

namespace lanewise::traffic {

namespace {

constexpr std::array<std::string_view, kPatterns> kPatternNames{
    "ONE_FROM_ONE", "ONE_TO_ONE", "ONE_FROM_ALL", "ONE_TO_ALL",    "ALL_TO_ALL",
    "ALL_FROM_ALL", "ONE_TO_ROW", "ROW_TO_ROW",   "ONE_TO_COLUMN", "COLUMN_TO_COLUMN"};
constexpr std::array<std::string_view, kMechanisms> kMechanismNames{"UNICAST", "MULTICAST",
                                                                    "MULTICAST_LINKED"};
constexpr std::array<std::string_view, kMemories> kMemoryNames{"L1", "DRAM_INTERLEAVED",
                                                               "DRAM_SHARDED"};

} // namespace

std::string_view pattern_name(Pattern pattern) {
  return kPatternNames[static_cast<std::size_t>(pattern)];
}
std::string_view mechanism_name(Mechanism mechanism) {
  return kMechanismNames[static_cast<std::size_t>(mechanism)];
}
std::string_view memory_name(Memory memory) {
  return kMemoryNames[static_cast<std::size_t>(memory)];
}

void leave_padding_out(std::vector<double>& cycles) {
  while (cycles.size() > 1 && cycles.back() == cycles[cycles.size() - 2]) cycles.pop_back();
}

} // namespace lanewise::traffic
