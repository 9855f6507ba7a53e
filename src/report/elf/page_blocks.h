// What stands in the boxes of a drawn control-flow graph.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/graph/analysis.h"
#include "binary/elf/code.h"
#include "binary/paths/code_graph.h"
#include "binary/paths/file_paths.h"

namespace lanewise::report::flow_page {

/// What is wrong with a word.
struct WordFinding {
  std::uint32_t word = 0;   ///< index in the function
  std::string_view id = {}; ///< "unwritten-lreg", "mad-result", ...
  std::string text = {};
};

/// A function and everything about its control flow that a page tells. What it is made of outlives
/// it.
struct FlowFacts {
  FlowFacts(const elf::Image& image, const elf::Function& function, const paths::FilePaths& paths,
            Arch arch);

  const elf::Image& image;
  const elf::Function& function;
  Arch arch;
  paths::CodeGraph code;
  std::string along_paths;           ///< what --paths prints
  std::vector<WordFinding> findings; ///< by word
  graph::Analysis analysis;
};

enum class LineKind : std::uint8_t {
  Source, ///< the file and line that the words below come from
  RiscV,
  Push,    ///< a Tensix instruction, or a store to the instruction FIFO
  Unknown, ///< a word that is no instruction
  Gap      ///< words that are left out
};

/// A line of a box, plain text.
struct Line {
  LineKind kind = LineKind::RiscV;
  std::uint32_t word = 0; ///< index in the function, of RiscV, Push and Unknown
  std::string address = {}, text = {};
  std::string tip = {};               ///< what modifiers mean, and findings
  std::string_view colour = "other";  ///< of a push: the class of the sub-unit
  std::string_view finding_kind = {}; ///< of the first finding, if there is one
};

/// The class of the sub-unit that a push goes to: "load", "mad", ..., or "other".
std::string_view push_colour(const elf::CodeWord& word, Arch arch);

/// Words that a box shows from its beginning, and from its end, beside those with findings.
inline constexpr std::uint32_t kShownWords = 40;
/// Characters of a line; longer ones end in three dots.
inline constexpr std::size_t kMostCharacters = 64;

std::vector<Line> lines_of(const FlowFacts& facts, graph::Node node);

/// "602c to 6038, 4 words".
std::string range_text(const FlowFacts& facts, graph::Node node);

/// "idom 1; frontier 2 5", short.
std::string dominance_text(const FlowFacts& facts, graph::Node node);

/// "returns", "calls twice", ...; empty for a block that only goes on to others.
std::string leaving_line(const FlowFacts& facts, graph::Node node);

/// All that is known of a block, in sentences: for tooltips and screen readers.
std::string block_description(const FlowFacts& facts, graph::Node node);

/// So many loops are told of a node; a graph may nest a million.
inline constexpr std::size_t kMostFrames = 12;

/// The smallest loops around a node, the largest of them first.
std::vector<graph::LoopNumber> loops_around(const FlowFacts& facts, graph::Node node);

/// Whether the node is on a cycle with several ways in.
bool is_irreducible(const FlowFacts& facts, graph::Node node);

/// A sentence for each loop and irreducible region.
std::vector<std::string> loop_sentences(const FlowFacts& facts);

/// "2 loops, 1 irreducible cycle".
std::string loop_counts(const FlowFacts& facts);

} // namespace lanewise::report::flow_page
