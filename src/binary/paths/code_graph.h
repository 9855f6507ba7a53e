// The control-flow graph of a function: blocks of instructions, and what may follow each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/graph/graph.h"
#include "binary/elf/code.h"

namespace lanewise::paths {

/// Why control goes from one block to another.
enum class EdgeKind : std::uint8_t {
  Next,  ///< the branch is not taken, or there is none, or the call has returned
  Taken, ///< of a branch
  Jump
};

struct BlockEdge {
  graph::Node from, to;
  EdgeKind kind;

  friend bool operator==(const BlockEdge&, const BlockEdge&) = default;
};

/// How a block leaves the function, if it does.
enum class Leaving : std::uint8_t {
  No,
  Return,
  TailJump, ///< a jump to another function
  Unknown,  ///< an indirect jump: it may go anywhere
  Trap,     ///< ebreak, ecall, mret
  End       ///< behind the last word, or into a word that is no instruction
};

/// Instructions that are executed one after the other, all or none of them: words [first, end) of
/// the function. A call ends a block.
struct Block {
  std::uint32_t first = 0, end = 0;
  Leaving leaving = Leaving::No;
  /// Of a call or a tail jump to a known place: its address.
  std::optional<std::uint32_t> callee = {};
  bool calls = false; ///< ends in a call, known or not
};

struct CodeGraph {
  std::vector<Block> blocks; ///< by address; block 0 is where the function begins
  std::vector<BlockEdge> edges;
  graph::Graph graph;
};

/// The graph of a function, which has one word at least. Blocks that no path from its beginning
/// reaches, such as the cases of a switch, are in it, too.
CodeGraph graph_of(const elf::Function& function);

/// The block of a word of the function.
graph::Node block_of(const CodeGraph& code, std::uint32_t word);

/// "return", "tail jump", ...; empty for No.
std::string leaving_text(Leaving leaving);

} // namespace lanewise::paths
