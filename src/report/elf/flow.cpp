#include "report/elf/flow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/graph/analysis.h"
#include "chip/isa/disassembler.h"
#include "report/elf/listing.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

using graph::Node;
using paths::Block;
using paths::CodeGraph;

std::string numbers(std::span<const Node> nodes) {
  return nodes.empty() ? "-" : fmt::format("{}", fmt::join(nodes, " "));
}

std::string range_of(const elf::Function& function, const Block& block) {
  return fmt::format("{:x}..{:x}", function.words[block.first].address,
                     function.words[block.end - 1].address);
}

std::size_t pushes_of(const elf::Function& function, const Block& block) {
  return static_cast<std::size_t>(
      std::count_if(function.words.begin() + block.first, function.words.begin() + block.end,
                    [](const elf::CodeWord& word) { return word.pushes(); }));
}

std::string next_of(const CodeGraph& code, Node node) {
  std::vector<std::string> next;
  for (const Node each : code.graph.successors(node)) next.push_back(fmt::format("{}", each));
  const Block& block = code.blocks[node];
  if (block.leaving != paths::Leaving::No) next.push_back(paths::leaving_text(block.leaving));
  if (block.calls) next.emplace_back(block.callee ? "after a call" : "after an unknown call");
  return fmt::format("{}", fmt::join(next, ", "));
}

TableRow block_row(const elf::Function& function, const CodeGraph& code,
                   const graph::Analysis& analysis, Node node) {
  const Block& block = code.blocks[node];
  const Node idom = analysis.tree.idom(node);
  return {fmt::format("{}", node),
          range_of(function, block),
          fmt::format("{}", block.end - block.first),
          fmt::format("{}", pushes_of(function, block)),
          next_of(code, node),
          analysis.tree.reaches(node) ? (idom == graph::kNoNode ? "-" : fmt::format("{}", idom))
                                      : "not reached",
          numbers(analysis.frontiers[node]),
          numbers(analysis.deciders[node]),
          fmt::format("{}", analysis.loops.depth(node))};
}

std::string loop_lines(const graph::Analysis& analysis) {
  std::string text;
  const auto loops = analysis.loops.loops();
  for (graph::LoopNumber i = 0; i < loops.size(); ++i) {
    text +=
        fmt::format("loop at block {}, depth {}: blocks {}; back from {}\n", loops[i].head,
                    loops[i].depth, numbers(analysis.loops.nodes(i)), numbers(loops[i].latches));
  }
  for (const graph::IrreducibleRegion& each : analysis.loops.irreducible()) {
    text += fmt::format("irreducible: blocks {} lead to each other, and are entered at {}\n",
                        numbers(each.nodes), numbers(each.entries));
  }
  return text;
}

/// Text inside a DOT string: every line ends at the left.
std::string dot_line(std::string_view text) {
  std::string line;
  for (const char each : text) {
    if (each == '"' || each == '\\') line += '\\';
    line += each;
  }
  return line + "\\l";
}

std::string dot_label(const elf::Image& image, const elf::Function& function, const Block& block,
                      Arch arch) {
  std::string label;
  for (std::uint32_t i = block.first; i < block.end; ++i) {
    const elf::CodeWord& word = function.words[i];
    const bool is_tensix = word.kind == elf::WordKind::Tensix;
    label += dot_line(
        fmt::format("{:x}  {}", word.address,
                    is_tensix ? isa::disassemble(arch, *word.tensix) : code_text(image, word)));
  }
  return label;
}

std::string_view dot_style(paths::EdgeKind kind) {
  switch (kind) {
    case paths::EdgeKind::Next: return "";
    case paths::EdgeKind::Taken: return " [label=\"taken\"]";
    case paths::EdgeKind::Jump: return " [style=dashed]";
  }
  return "";
}

std::string place_of(const elf::Image& image, const elf::Function& function, std::uint32_t word) {
  const std::uint32_t address = function.words[word].address;
  const elf::LineRange* const line = elf::line_at(image, address);
  const std::string place = elf::place_text(image, address);
  return line == nullptr ? place
                         : fmt::format("{} ({}:{})", place, image.files[line->file], line->line);
}

std::string lreg_names(isa::LRegSet set) {
  std::vector<std::string> names;
  for (unsigned lreg = 0; lreg < 8; ++lreg) {
    if ((set >> lreg & 1U) != 0) names.push_back(fmt::format("L{}", lreg));
  }
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// "2, 3", or where other functions are on the way "f 2, g 0".
std::string path_text(const paths::ProgramGraph& graph, std::uint32_t function,
                      const std::vector<paths::Place>& path) {
  const bool stays = std::ranges::all_of(
      path, [function](const paths::Place& each) { return each.function == function; });
  std::vector<std::string> texts;
  for (const paths::Place& each : path) {
    const std::string& name = graph.functions()[each.function].symbol.readable;
    texts.push_back(stays ? fmt::format("{}", each.block) : fmt::format("{} {}", name, each.block));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string interval_of(const paths::PushCost& cost) {
  const auto interval = cost.interval();
  return interval ? fmt::format("{:.2f}", *interval) : "-";
}

std::string calls_text(const paths::PushCost& cost) {
  return cost.calls ? ", without what it calls" : "";
}

std::string loop_push_text(const paths::LoopPushes& loop) {
  std::string text = fmt::format(
      "  loop at block {}: a pass takes {:g} cycles at least ({} "
      "instructions{})",
      loop.head, loop.least.cycles, loop.least.instructions, calls_text(loop.least));
  if (loop.densest.words == 0) return text + "; it pushes nothing\n";
  text += fmt::format(
      "; pushes at best every {} cycles ({} words in {:g} cycles), and the "
      "coprocessor takes {:.2f}: ",
      interval_of(loop.densest), loop.densest.words, loop.densest.cycles,
      loop.unit_cycles / loop.densest.words);
  return text + (loop.core_is_limit() ? "the core is the limit\n" : "the core can keep up\n");
}

std::string setters_text(const elf::Image& image, const elf::Function& function,
                         const std::vector<paths::Setter>& setters) {
  std::vector<std::string> texts;
  texts.reserve(setters.size());
  for (const paths::Setter each : setters) {
    texts.push_back(each == paths::kBefore ? "whoever was before"
                                           : elf::place_text(image, function.words[each].address));
  }
  return fmt::format("{}", fmt::join(texts, " or "));
}

std::string clock_text(const elf::Image& image, const paths::ProgramGraph& graph,
                       std::uint32_t function, const std::vector<paths::ClockFinding>& findings) {
  std::string text;
  for (const paths::ClockFinding& each : findings) {
    text += fmt::format("  {}: {}: {}", place_of(image, graph.functions()[function], each.word),
                        each.rule->id, each.text);
    if (!each.path.empty())
      text += fmt::format("; along blocks {}", path_text(graph, function, each.path));
    text += fmt::format("; {} [{}]\n", each.mend, each.rule->source);
  }
  return text;
}

std::string push_interval_text(const paths::PushIntervals& intervals) {
  Table table{.columns = {{.heading = "block", .kind = ColumnKind::Number},
                          {.heading = "pushes", .kind = ColumnKind::Number},
                          {.heading = "instructions", .kind = ColumnKind::Number},
                          {.heading = "cycles at least", .kind = ColumnKind::Number},
                          {.heading = "cycles per push", .kind = ColumnKind::Number}}};
  for (Node node = 0; node < intervals.blocks.size(); ++node) {
    const paths::PushCost& each = intervals.blocks[node];
    if (each.words == 0) continue;
    table.rows.push_back({fmt::format("{}", node), fmt::format("{}", each.words),
                          fmt::format("{}", each.instructions), fmt::format("{:g}", each.cycles),
                          interval_of(each)});
  }
  if (table.rows.empty()) return "";
  std::string text = table_text(table);
  for (const paths::LoopPushes& each : intervals.loops) text += loop_push_text(each);
  return text;
}

} // namespace

std::string flow_text(const elf::Function& function, const CodeGraph& code, Arch) {
  const graph::Analysis analysis(code.graph);
  Table table{.columns = {{.heading = "block", .kind = ColumnKind::Number},
                          {.heading = "code"},
                          {.heading = "words", .kind = ColumnKind::Number},
                          {.heading = "pushes", .kind = ColumnKind::Number},
                          {.heading = "next"},
                          {.heading = "idom"},
                          {.heading = "frontier"},
                          {.heading = "decided by"},
                          {.heading = "loops", .kind = ColumnKind::Number}}};
  for (Node node = 0; node < code.blocks.size(); ++node)
    table.rows.push_back(block_row(function, code, analysis, node));
  return fmt::format("{}:\n{}{}", function.symbol.readable, table_text(table),
                     loop_lines(analysis));
}

std::string flow_dot(const elf::Image& image, const elf::Function& function, const CodeGraph& code,
                     Arch arch) {
  std::string dot = fmt::format("digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n",
                                function.symbol.name);
  for (Node node = 0; node < code.blocks.size(); ++node) {
    dot += fmt::format("  b{} [label=\"{}\"];\n", node,
                       dot_label(image, function, code.blocks[node], arch));
  }
  for (const paths::BlockEdge& edge : code.edges)
    dot += fmt::format("  b{} -> b{}{};\n", edge.from, edge.to, dot_style(edge.kind));
  return dot + "}\n";
}

std::string paths_text(const elf::Image& image, const elf::Function& function,
                       const paths::TensixPaths& paths) {
  const paths::Summary& summary = paths.summary;
  std::string text = fmt::format("{}:\n", function.symbol.readable);
  text += fmt::format("  reads before it writes: {}; writes on every path: {}\n",
                      lreg_names(summary.needs),
                      summary.is_known ? lreg_names(summary.writes) : "not known");
  if (summary.uses != 0)
    text += fmt::format("  uses before it programs: {}\n", paths::resources_text(summary.uses));
  if (paths.live_across_calls != 0)
    text +=
        fmt::format("  values that live across a call: {}\n", lreg_names(paths.live_across_calls));
  if (paths.unknown_words != 0)
    text += fmt::format("  {} pushes of computed words, after which nothing is known\n",
                        paths.unknown_words);
  for (const paths::Finding& each : paths.findings)
    text += fmt::format("  {}: {}: {}\n", place_of(image, function, each.word),
                        paths::finding_id(each.kind), each.text);
  for (const paths::ResourceUse& each : paths.uses) {
    if (each.setters.size() < 2) continue;
    text += fmt::format("  {}: {} by {}\n", place_of(image, function, each.word),
                        paths::resources_text(paths::resource_bit(each.resource)),
                        setters_text(image, function, each.setters));
  }
  return text;
}

std::string paths_text(const elf::Image& image, const paths::ProgramGraph& graph,
                       std::uint32_t index, const paths::FunctionPaths& paths) {
  return paths_text(image, graph.functions()[index], paths.tensix) +
         clock_text(image, graph, index, paths.hazards) + push_interval_text(paths.pushes);
}

} // namespace lanewise::report
