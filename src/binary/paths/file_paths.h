// All that holds along every path of a file's functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "binary/elf/code.h"
#include "binary/paths/clock_paths.h"
#include "binary/paths/program_graph.h"
#include "binary/paths/push_interval.h"
#include "binary/paths/ssa_names.h"
#include "binary/paths/straight_code.h"
#include "binary/paths/tensix_paths.h"
#include "chip/isa/arch.h"

namespace lanewise::paths {

struct FunctionPaths {
  TensixPaths tensix; ///< what a called function expects of its callers is no finding
  std::vector<ClockFinding> hazards;
  PushIntervals pushes;

  /// Nothing was found, apart from warnings.
  bool holds() const;
};

class FilePaths {
 public:
  /// `functions`: all of the file, since what one does depends on those that it calls. Those
  /// without words are left out.
  FilePaths(std::vector<elf::Function> functions, Arch arch);
  FilePaths(const FilePaths&) = delete;
  FilePaths& operator=(const FilePaths&) = delete;

  const ProgramGraph& graph() const { return graph_; }

  /// The number of a function in the graph; nothing where it has no words.
  std::optional<std::uint32_t> index_of(const elf::Function& function) const;

  /// Of the function with this number.
  FunctionPaths of(std::uint32_t index) const;
  FunctionSsa ssa_of(std::uint32_t index) const;

  /// Blocks with more ways than kMostWays.
  std::size_t cut_short() const { return clock_.cut_short; }

 private:
  TensixPaths followed(std::uint32_t index) const;

  Arch arch_;
  std::vector<elf::Function> functions_;
  ProgramGraph graph_;
  StraightCode code_;
  ClockPaths clock_;
  Summaries summaries_;
  std::set<std::uint32_t> called_;
};

} // namespace lanewise::paths
