#include "report/elf/page_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>

#include "chip/isa/disassembler.h"
#include "chip/isa/encoding.h"
#include "report/elf/flow.h"
#include "report/elf/listing.h"
#include "report/page/listing.h"
#include "report/page/page.h"
#include "report/plain_number.h"

namespace lanewise::report::flow_page {

namespace {

using graph::Node;
using paths::Block;

std::vector<WordFinding> all_findings(const paths::FunctionPaths& paths) {
  std::vector<WordFinding> all;
  for (const paths::Finding& each : paths.tensix.findings)
    all.push_back({each.word, paths::finding_id(each.kind), each.text});
  for (const paths::ClockFinding& each : paths.hazards)
    all.push_back({each.word, each.rule->id, fmt::format("{}; {}", each.text, each.mend)});
  std::ranges::stable_sort(all, {}, &WordFinding::word);
  return all;
}

/// As many as a reader may want to see.
std::string number_list(std::span<const Node> nodes) {
  constexpr std::size_t kMost = 100;
  if (nodes.empty()) return "none";
  if (nodes.size() <= kMost) return fmt::format("{}", fmt::join(nodes, " "));
  return fmt::format("{} and {} more", fmt::join(nodes.first(kMost), " "), nodes.size() - kMost);
}

/// Bytes of UTF-8 that begin a character.
bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

std::string shortened(std::string_view any) {
  std::string text = valid_utf8(any);
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins_character(text[i]) && ++characters == kMostCharacters)
      return text.substr(0, i) + "…";
  }
  return text;
}

std::string pushed_text(const elf::CodeWord& word, Arch arch) {
  return word.tensix ? isa::disassemble(arch, *word.tensix) : "a computed word";
}

std::string word_text(const FlowFacts& facts, const elf::CodeWord& word) {
  if (word.kind == elf::WordKind::Tensix) return pushed_text(word, facts.arch);
  std::string code = code_text(facts.image, word);
  if (!word.stores_to_fifo) return code;
  return fmt::format("{}  ▸ {}", code, pushed_text(word, facts.arch));
}

LineKind kind_of(const elf::CodeWord& word) {
  if (word.pushes()) return LineKind::Push;
  return word.kind == elf::WordKind::Unknown ? LineKind::Unknown : LineKind::RiscV;
}

void add_tip(std::string& tip, std::string_view more) {
  if (more.empty()) return;
  tip += fmt::format("{}{}", tip.empty() ? "" : "\n", more);
}

/// The findings are sorted by word.
std::span<const WordFinding> findings_at(const FlowFacts& facts, std::uint32_t word) {
  const auto& all = facts.findings;
  return {std::ranges::lower_bound(all, word, {}, &WordFinding::word),
          std::ranges::upper_bound(all, word, {}, &WordFinding::word)};
}

Line line_of(const FlowFacts& facts, std::uint32_t index) {
  const elf::CodeWord& word = facts.function.words[index];
  const std::string text = word_text(facts, word);
  Line line{.kind = kind_of(word), .word = index, .address = fmt::format("{:x}", word.address)};
  line.text = shortened(text);
  if (line.text != text) add_tip(line.tip, text);
  if (word.tensix) add_tip(line.tip, isa::modifier_comment(facts.arch, *word.tensix));
  line.colour = push_colour(word, facts.arch);
  for (const WordFinding& each : findings_at(facts, index)) {
    if (line.finding_kind.empty()) line.finding_kind = each.id;
    add_tip(line.tip, fmt::format("{}: {}", each.id, each.text));
  }
  return line;
}

/// Of the words from `index` on: "kernel.c:15", with the whole path as a tip.
Line source_line_of(const FlowFacts& facts, std::uint32_t index) {
  Line line{.kind = LineKind::Source, .word = index};
  const elf::LineRange* const range =
      elf::line_at(facts.image, facts.function.words[index].address);
  if (range == nullptr || range->line == 0) return line;
  const std::string& file = facts.image.files[range->file];
  line.tip = fmt::format("{}:{}", file, range->line);
  line.text = shortened(line.tip.substr(file.rfind('/') + 1));
  return line;
}

bool is_shown(const FlowFacts& facts, const Block& block, std::uint32_t index) {
  return index < block.first + kShownWords || index + kShownWords >= block.end ||
         !findings_at(facts, index).empty();
}

/// Makes the lines of a block one after the other.
class Lines {
 public:
  explicit Lines(const FlowFacts& facts) : facts_(facts) {}

  void add(std::uint32_t index) {
    close_gap();
    Line source = source_line_of(facts_, index);
    const bool is_new = !source.tip.empty() && source.tip != source_;
    source_ = source.tip;
    if (is_new) lines_.push_back(std::move(source));
    lines_.push_back(line_of(facts_, index));
  }

  void skip() { ++skipped_; }

  std::vector<Line> all() && { return std::move(lines_); }

 private:
  void close_gap() {
    if (skipped_ == 0) return;
    lines_.push_back(
        {.kind = LineKind::Gap, .text = fmt::format("… {}", counted(skipped_, "word"))});
    skipped_ = 0;
    source_.clear();
  }

  const FlowFacts& facts_;
  std::vector<Line> lines_;
  std::string source_;
  std::size_t skipped_ = 0;
};

std::string callee_name(const FlowFacts& facts, const Block& block) {
  if (!block.callee) return "an unknown function";
  const elf::Symbol* const symbol = elf::function_at(facts.image, *block.callee);
  return symbol == nullptr ? fmt::format("{:x}", *block.callee) : symbol->readable;
}

std::string dominator_sentence(const FlowFacts& facts, Node node) {
  if (!facts.analysis.tree.reaches(node)) return "No known path leads here.";
  const Node idom = facts.analysis.tree.idom(node);
  return fmt::format("{} Dominance frontier: {}. Decided by: {}.",
                     idom == graph::kNoNode ? "The function begins here."
                                            : fmt::format("Immediate dominator: {}.", idom),
                     number_list(facts.analysis.frontiers[node]),
                     number_list(facts.analysis.deciders[node]));
}

std::string loops_sentence(const FlowFacts& facts, Node node) {
  std::vector<Node> heads;
  for (const graph::LoopNumber loop : loops_around(facts, node))
    heads.push_back(facts.analysis.loops.loops()[loop].head);
  std::string text;
  if (!heads.empty()) text += fmt::format(" In the loops at: {}.", number_list(heads));
  if (is_irreducible(facts, node)) text += " On a cycle with several ways in.";
  return text;
}

} // namespace

std::string_view push_colour(const elf::CodeWord& word, Arch arch) {
  if (!word.tensix) return "other";
  const isa::Row* const row = isa::decode(arch, *word.tensix).row;
  return row == nullptr ? "other" : unit_class(row->sub_unit);
}

FlowFacts::FlowFacts(const elf::Image& of_image, const elf::Function& of_function,
                     const paths::FilePaths& paths, Arch of_arch)
    : image(of_image),
      function(of_function),
      arch(of_arch),
      code(paths::graph_of(of_function)),
      analysis(code.graph) {
  const std::uint32_t index = *paths.index_of(function);
  const paths::FunctionPaths found = paths.of(index);
  along_paths = paths_text(image, paths.graph(), index, found);
  findings = all_findings(found);
}

std::vector<Line> lines_of(const FlowFacts& facts, Node node) {
  const Block& block = facts.code.blocks[node];
  Lines lines(facts);
  for (std::uint32_t i = block.first; i < block.end; ++i) {
    if (is_shown(facts, block, i))
      lines.add(i);
    else
      lines.skip();
  }
  return std::move(lines).all();
}

std::string range_text(const FlowFacts& facts, Node node) {
  const Block& block = facts.code.blocks[node];
  return fmt::format("{:x} to {:x}, {}", facts.function.words[block.first].address,
                     facts.function.words[block.end - 1].address,
                     counted(block.end - block.first, "word"));
}

std::string dominance_text(const FlowFacts& facts, Node node) {
  if (!facts.analysis.tree.reaches(node)) return "no known path leads here";
  const Node idom = facts.analysis.tree.idom(node);
  return shortened(fmt::format("{}; frontier {}",
                               idom == graph::kNoNode ? "entry" : fmt::format("idom {}", idom),
                               number_list(facts.analysis.frontiers[node])));
}

std::string leaving_line(const FlowFacts& facts, Node node) {
  const Block& block = facts.code.blocks[node];
  std::string text;
  if (block.calls) text = "calls " + callee_name(facts, block);
  if (block.leaving == paths::Leaving::TailJump)
    text = "jumps to " + callee_name(facts, block);
  else if (block.leaving != paths::Leaving::No)
    add_tip(text, paths::leaving_text(block.leaving));
  std::ranges::replace(text, '\n', ',');
  return shortened(text);
}

std::string block_description(const FlowFacts& facts, Node node) {
  std::string text = fmt::format("Block {}: {}. {}{}", node, range_text(facts, node),
                                 dominator_sentence(facts, node), loops_sentence(facts, node));
  const auto next = facts.code.graph.successors(node);
  if (!next.empty()) text += fmt::format(" Leads to: {}.", number_list(next));
  const std::string leaving = leaving_line(facts, node);
  if (!leaving.empty()) text += fmt::format(" End: {}.", leaving);
  return text;
}

std::vector<graph::LoopNumber> loops_around(const FlowFacts& facts, Node node) {
  std::vector<graph::LoopNumber> loops;
  for (auto loop = facts.analysis.loops.innermost(node); loop != graph::kNoLoop;
       loop = facts.analysis.loops.loops()[loop].parent) {
    if (loops.size() == kMostFrames) break;
    loops.push_back(loop);
  }
  std::ranges::reverse(loops);
  return loops;
}

bool is_irreducible(const FlowFacts& facts, Node node) {
  return std::ranges::any_of(facts.analysis.loops.irreducible(),
                             [&](const graph::IrreducibleRegion& each) {
                               return std::ranges::binary_search(each.nodes, node);
                             });
}

std::vector<std::string> loop_sentences(const FlowFacts& facts) {
  std::vector<std::string> sentences;
  const auto loops = facts.analysis.loops.loops();
  for (graph::LoopNumber i = 0; i < loops.size(); ++i) {
    sentences.push_back(fmt::format(
        "Loop at block {}, depth {}: blocks {}; back from {}.", loops[i].head, loops[i].depth,
        number_list(facts.analysis.loops.nodes(i)), number_list(loops[i].latches)));
  }
  for (const graph::IrreducibleRegion& each : facts.analysis.loops.irreducible()) {
    sentences.push_back(
        fmt::format("Irreducible: blocks {} lead to each other, and are entered at {}.",
                    number_list(each.nodes), number_list(each.entries)));
  }
  return sentences;
}

std::string loop_counts(const FlowFacts& facts) {
  const std::size_t cycles = facts.analysis.loops.irreducible().size();
  const std::string loops = counted(facts.analysis.loops.loops().size(), "loop");
  return cycles == 0 ? loops : fmt::format("{}, {}", loops, counted(cycles, "irreducible cycle"));
}

} // namespace lanewise::report::flow_page
