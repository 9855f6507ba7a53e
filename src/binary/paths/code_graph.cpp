#include "binary/paths/code_graph.h"

#include <algorithm>
#include <set>

namespace lanewise::paths {

namespace {

using elf::CodeWord;
using riscv::Flow;

constexpr std::uint32_t kWordBytes = 4;

/// Index of the word at an address, or nothing outside of the function.
std::optional<std::uint32_t> index_of(const elf::Function& function, std::uint32_t address) {
  const std::uint32_t index = (address - function.symbol.address) / kWordBytes;
  const bool is_word = address >= function.symbol.address && address % kWordBytes == 0 &&
                       index < function.words.size();
  return is_word ? std::optional(index) : std::nullopt;
}

bool is_call(Flow flow) {
  return flow == Flow::Call || flow == Flow::IndirectCall;
}

bool ends_block(const CodeWord& word) {
  return word.flow != Flow::Next || word.kind == elf::WordKind::Unknown;
}

/// Words at which a block begins.
std::set<std::uint32_t> find_leaders(const elf::Function& function) {
  std::set<std::uint32_t> leaders{0};
  for (std::uint32_t i = 0; i < function.words.size(); ++i) {
    const CodeWord& word = function.words[i];
    if (ends_block(word) && i + 1 < function.words.size()) leaders.insert(i + 1);
    if (!word.target || is_call(word.flow)) continue;
    if (const auto target = index_of(function, *word.target)) leaders.insert(*target);
  }
  return leaders;
}

std::vector<Block> find_blocks(const elf::Function& function) {
  const std::set<std::uint32_t> leaders = find_leaders(function);
  std::vector<Block> blocks;
  for (const std::uint32_t first : leaders) {
    if (!blocks.empty()) blocks.back().end = first;
    blocks.push_back({.first = first, .end = static_cast<std::uint32_t>(function.words.size())});
  }
  return blocks;
}

/// Finds what follows each block.
class Successors {
 public:
  Successors(const elf::Function& function, std::vector<Block>& blocks)
      : function_(function), blocks_(blocks) {}

  std::vector<BlockEdge> find() {
    for (graph::Node node = 0; node < blocks_.size(); ++node) follow(node);
    return std::move(edges_);
  }

 private:
  void follow(graph::Node node) {
    Block& block = blocks_[node];
    const CodeWord& last = function_.words[block.end - 1];
    if (last.kind == elf::WordKind::Unknown) {
      block.leaving = Leaving::End;
      return;
    }
    switch (last.flow) {
      case Flow::Next: return go_on(node);
      case Flow::Branch: go_to(node, *last.target, EdgeKind::Taken); return go_on(node);
      case Flow::Jump: return go_to(node, *last.target, EdgeKind::Jump);
      case Flow::Call:
      case Flow::IndirectCall:
        block.calls = true;
        block.callee = last.target;
        return go_on(node);
      case Flow::Return: block.leaving = Leaving::Return; return;
      case Flow::IndirectJump: block.leaving = Leaving::Unknown; return;
      case Flow::Trap: block.leaving = Leaving::Trap; return;
    }
  }

  void go_on(graph::Node node) {
    if (blocks_[node].end < function_.words.size()) {
      edges_.push_back({node, node + 1, EdgeKind::Next});
    } else if (blocks_[node].leaving == Leaving::No) {
      blocks_[node].leaving = Leaving::End;
    }
  }

  void go_to(graph::Node node, std::uint32_t address, EdgeKind kind) {
    if (const auto index = index_of(function_, address)) {
      edges_.push_back({node, node_at(*index), kind});
      return;
    }
    blocks_[node].leaving = Leaving::TailJump;
    blocks_[node].callee = address;
  }

  graph::Node node_at(std::uint32_t word) const {
    const auto after = std::ranges::upper_bound(blocks_, word, {}, &Block::first);
    return static_cast<graph::Node>(after - blocks_.begin() - 1);
  }

  const elf::Function& function_;
  std::vector<Block>& blocks_;
  std::vector<BlockEdge> edges_;
};

graph::Graph bare_graph(const std::vector<Block>& blocks, const std::vector<BlockEdge>& edges) {
  std::vector<graph::Edge> bare;
  bare.reserve(edges.size());
  for (const BlockEdge& edge : edges) bare.push_back({edge.from, edge.to});
  return {static_cast<graph::Node>(blocks.size()), 0, bare};
}

} // namespace

CodeGraph graph_of(const elf::Function& function) {
  std::vector<Block> blocks = find_blocks(function);
  std::vector<BlockEdge> edges = Successors(function, blocks).find();
  graph::Graph graph = bare_graph(blocks, edges);
  return {std::move(blocks), std::move(edges), std::move(graph)};
}

graph::Node block_of(const CodeGraph& code, std::uint32_t word) {
  const auto after = std::ranges::upper_bound(code.blocks, word, {}, &Block::first);
  return static_cast<graph::Node>(after - code.blocks.begin() - 1);
}

std::string leaving_text(Leaving leaving) {
  switch (leaving) {
    case Leaving::No: return "";
    case Leaving::Return: return "return";
    case Leaving::TailJump: return "jump to another function";
    case Leaving::Unknown: return "indirect jump, target unknown";
    case Leaving::Trap: return "trap";
    case Leaving::End: return "end of the code";
  }
  return "";
}

} // namespace lanewise::paths
