#include "binary/paths/file_paths.h"

#include <algorithm>
#include <utility>

namespace lanewise::paths {

namespace {

std::vector<elf::Function> with_words(std::vector<elf::Function> functions) {
  std::erase_if(functions, [](const elf::Function& each) { return each.words.empty(); });
  return functions;
}

} // namespace

bool FunctionPaths::holds() const {
  const auto warns = [](const ClockFinding& each) { return each.rule->warns_only; };
  return tensix.findings.empty() && std::ranges::all_of(hazards, warns);
}

FilePaths::FilePaths(std::vector<elf::Function> functions, Arch arch)
    : arch_(arch),
      functions_(with_words(std::move(functions))),
      graph_(functions_),
      code_(graph_, arch),
      clock_(find_clock_hazards(graph_, arch)),
      summaries_(summarise(functions_, arch)),
      called_(called_addresses(functions_)) {}

std::optional<std::uint32_t> FilePaths::index_of(const elf::Function& function) const {
  const auto at = std::ranges::find(functions_, function.symbol.address,
                                    [](const auto& each) { return each.symbol.address; });
  if (at == functions_.end() || function.words.empty()) return std::nullopt;
  return static_cast<std::uint32_t>(at - functions_.begin());
}

TensixPaths FilePaths::followed(std::uint32_t index) const {
  return follow_paths(functions_[index], graph_.code(index), arch_, summaries_);
}

FunctionPaths FilePaths::of(std::uint32_t index) const {
  FunctionPaths found{followed(index), clock_.findings[index],
                      find_push_intervals(graph_, code_, index, arch_)};
  if (called_.contains(functions_[index].symbol.address)) {
    std::erase_if(found.tensix.findings,
                  [](const Finding& finding) { return is_for_callers(finding.kind); });
  }
  return found;
}

FunctionSsa FilePaths::ssa_of(std::uint32_t index) const {
  return make_function_ssa(functions_[index], graph_.code(index), arch_, followed(index),
                           summaries_);
}

} // namespace lanewise::paths
