#include "binary/paths/straight_code.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "binary/paths/forward_order.h"
#include "chip/isa/encoding.h"
#include "chip/machine/executor.h"
#include "chip/machine/kernel_entry.h"
#include "chip/timing/schedule.h"

namespace lanewise::paths {

namespace {

using isa::Op;

/// Words that are executed before a block, at most: the last of them.
constexpr std::size_t kMostBefore = 1U << 12;
/// Calls within calls that are followed on the way.
constexpr std::size_t kMostEntered = 64;

std::uint32_t stand_in(Arch arch, const std::optional<std::uint32_t>& word) {
  const std::uint32_t nop = isa::encode(arch, Op::NOP, {}).value_or(0);
  if (!word) return nop;
  const isa::Row* const row = isa::decode(arch, *word).row;
  return row != nullptr && row->op == Op::MOP ? nop : *word;
}

} // namespace

/// Collects the words on the way to a block.
class StraightCode::WayBefore {
 public:
  explicit WayBefore(const ProgramGraph& graph) : graph_(graph) {}

  std::vector<WordPlace> to(Place place) {
    enter(place.function);
    add_way(place);
    if (words_.size() > kMostBefore)
      words_.erase(words_.begin(), words_.end() - static_cast<std::ptrdiff_t>(kMostBefore));
    return std::move(words_);
  }

 private:
  /// What its caller has pushed.
  void enter(std::uint32_t function) {
    if (!entered_.insert(function).second) return;
    const auto caller = graph_.caller(function);
    if (!caller || entered_.contains(caller->function) || entered_.size() >= kMostEntered) return;
    enter(caller->function);
    add_way(*caller);
    add_block(*caller);
  }

  void add_way(Place place) {
    const CodeGraph& code = graph_.code(place.function);
    for (const graph::Node node : heaviest_way(code.graph, place.block, weights(place.function)))
      add_block({place.function, node}, true);
  }

  std::vector<std::size_t> weights(std::uint32_t function) const {
    std::vector<std::size_t> weights;
    for (graph::Node node = 0; node < graph_.code(function).blocks.size(); ++node) {
      const auto callee = graph_.callee({function, node});
      const std::size_t called = callee ? graph_.functions()[*callee].words.size() : 0;
      weights.push_back(graph_.pushes({function, node}).size() + called);
    }
    return weights;
  }

  void add_block(Place place, bool with_calls = false) {
    for (const WordPlace each : graph_.pushes(place)) words_.push_back(each);
    const auto callee = with_calls ? graph_.callee(place) : std::nullopt;
    if (callee) add_called(*callee);
  }

  /// What a called function pushes on its way to a return.
  void add_called(std::uint32_t function) {
    const bool is_enough = words_.size() > kMostBefore || entered_.size() >= kMostEntered;
    if (is_enough || !entered_.insert(function).second) return;
    const CodeGraph& code = graph_.code(function);
    for (graph::Node node = static_cast<graph::Node>(code.blocks.size()); node-- > 0;) {
      if (code.blocks[node].leaving != Leaving::Return) continue;
      add_way({function, node});
      add_block({function, node}, true);
      break;
    }
    entered_.erase(function);
  }

  const ProgramGraph& graph_;
  std::vector<WordPlace> words_;
  std::set<std::uint32_t> entered_; ///< functions that are being executed
};

StraightCode::StraightCode(const ProgramGraph& graph, Arch arch) : graph_(graph), arch_(arch) {
  std::uint32_t line = 1;
  for (const elf::Function& each : graph.functions()) {
    first_lines_.push_back(line);
    line += static_cast<std::uint32_t>(each.words.size());
  }
}

std::uint32_t StraightCode::line_of(WordPlace at) const {
  return first_lines_[at.function] + at.word;
}

WordPlace StraightCode::at_line(std::uint32_t line) const {
  const auto after = std::ranges::upper_bound(first_lines_, line);
  const auto function = static_cast<std::uint32_t>(after - first_lines_.begin() - 1);
  return {function, line - first_lines_[function]};
}

Program StraightCode::program_of(const std::vector<WordPlace>& words) const {
  Program program;
  for (const WordPlace each : words)
    program.words.push_back({stand_in(arch_, graph_.word(each).tensix), line_of(each)});
  return program;
}

StartState StraightCode::before(Place place) const {
  StartState start{FrontEnd(arch_), MachineState(arch_)};
  enter_kernel(start.machine);
  const MicroProgram program = start.front_end.expand(program_of(WayBefore(graph_).to(place)));
  execute(start.machine, timing::schedule(start.machine, program).ops(program));
  return start;
}

} // namespace lanewise::paths
