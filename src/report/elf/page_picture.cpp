#include "report/elf/page_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "report/elf/layout.h"
#include "report/elf/layout_layers.h"
#include "report/page/page.h"
#include "report/plain_number.h"

namespace lanewise::report::flow_page {

namespace {

using graph::Node;
using paths::EdgeKind;

/// Pixels. Letters of page.css are at most so wide.
constexpr double kLetter = 7.3;
constexpr int kLine = 17, kPadding = 10, kBaseline = 12;
constexpr int kFrame = 6; ///< between a box and the tinted frame of a loop around it
constexpr unsigned kLoopColours = 6;
constexpr int kBend = 4;               ///< radius
constexpr std::size_t kAddressGap = 2; ///< characters

/// An edge of the picture. Those without a kind are guessed: from an indirect jump to blocks that
/// nothing else leads to.
struct DrawnEdge {
  graph::Edge edge;
  std::optional<EdgeKind> kind;
};

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

int text_width(std::size_t count) {
  return static_cast<int>(std::ceil(kLetter * static_cast<double>(count)));
}

std::string_view edge_class(std::optional<EdgeKind> kind) {
  if (!kind) return "possible";
  switch (*kind) {
    case EdgeKind::Next: return "next";
    case EdgeKind::Taken: return "taken";
    case EdgeKind::Jump: return "jump";
  }
  return "";
}

/// The last block before `node` that jumps to an unknown place.
std::optional<Node> jump_before(const paths::CodeGraph& code, Node node) {
  while (node-- > 0) {
    if (code.blocks[node].leaving == paths::Leaving::Unknown) return node;
  }
  return std::nullopt;
}

/// By their first block, as in a graph of them.
std::vector<DrawnEdge> drawn_edges(const paths::CodeGraph& code) {
  std::vector<DrawnEdge> edges;
  for (const paths::BlockEdge& each : code.edges)
    edges.push_back({{each.from, each.to}, each.kind});
  for (const Node root : graph_roots(code.graph)) {
    const std::optional<Node> jump = jump_before(code, root);
    if (root != code.graph.entry() && jump) edges.push_back({{*jump, root}, std::nullopt});
  }
  std::ranges::stable_sort(edges, {}, [](const DrawnEdge& each) { return each.edge.from; });
  return edges;
}

graph::Graph graph_of(const paths::CodeGraph& code, const std::vector<DrawnEdge>& edges) {
  std::vector<graph::Edge> bare;
  bare.reserve(edges.size());
  for (const DrawnEdge& each : edges) bare.push_back(each.edge);
  return {code.graph.size(), code.graph.entry(), bare};
}

/// What a box holds, before it has a place.
struct BoxContent {
  std::string heading, caption, leaving;
  std::vector<Line> lines;
  std::vector<DrawnEdge> next;
  std::size_t address_width = 0; ///< characters
  std::vector<graph::LoopNumber> loops;

  int frames() const { return kFrame * static_cast<int>(loops.size()); }
  std::size_t text_lines() const {
    return 2 + lines.size() + (leaving.empty() ? 0 : 1) + (next.empty() ? 0 : 1);
  }
};

std::string next_label(const DrawnEdge& each) {
  return fmt::format("{} {}", each.edge.to, edge_class(each.kind));
}

/// Characters of the line of links: as many blocks as a line of code is long.
std::size_t next_width(const std::vector<DrawnEdge>& next) {
  std::size_t width = 0;
  for (const DrawnEdge& each : next) width += 2 + next_label(each).size();
  return std::min(width, kMostCharacters);
}

BoxContent content_of(const FlowFacts& facts, Node node, std::vector<DrawnEdge> next) {
  BoxContent content{.heading = fmt::format("{}  {}", node, range_text(facts, node)),
                     .caption = dominance_text(facts, node),
                     .leaving = leaving_line(facts, node),
                     .lines = lines_of(facts, node),
                     .next = std::move(next),
                     .loops = loops_around(facts, node)};
  for (const Line& line : content.lines)
    content.address_width = std::max(content.address_width, line.address.size());
  return content;
}

std::size_t line_width(const BoxContent& content, const Line& line) {
  return content.address_width + kAddressGap + characters(line.text) +
         (line.finding_kind.empty() ? 0 : kAddressGap);
}

BoxSize size_of(const BoxContent& content) {
  std::size_t widest = std::max({characters(content.heading), characters(content.caption),
                                 characters(content.leaving), next_width(content.next)});
  for (const Line& line : content.lines) widest = std::max(widest, line_width(content, line));
  return {text_width(widest) + 2 * kPadding + 2 * content.frames(),
          kLine * static_cast<int>(content.text_lines()) + kPadding + 2 * content.frames()};
}

std::string rectangle(std::string_view name, const NodeBox& box) {
  return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>",
                     name, box.x, box.y, box.width, box.height);
}

NodeBox inside(const NodeBox& box, int distance) {
  return {box.x + distance, box.y + distance, box.width - 2 * distance, box.height - 2 * distance};
}

/// Writes the lines of a box from top to bottom.
class BoxWriter {
 public:
  BoxWriter(const BoxContent& content, const NodeBox& frame, std::size_t number)
      : content_(content), box_(inside(frame, content.frames())), number_(number) {
    for (std::size_t i = 0; i < content.loops.size(); ++i) {
      svg_ += rectangle(fmt::format("loop l{}", content.loops[i] % kLoopColours),
                        inside(frame, kFrame * static_cast<int>(i)));
    }
    svg_ += rectangle("code", box_);
    y_ = box_.y + kPadding / 2;
  }

  std::string write() && {
    text("heading", content_.heading);
    text("caption", content_.caption);
    for (const Line& line : content_.lines) add(line);
    if (!content_.leaving.empty()) text("leaving", content_.leaving);
    if (!content_.next.empty()) links();
    return std::move(svg_);
  }

 private:
  int left() const { return box_.x + kPadding; }

  void put(int x, std::string_view name, std::string_view content) {
    svg_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>", name, x, y_ + kBaseline,
                        content);
  }

  void text(std::string_view name, const std::string& content) {
    put(left(), name, escaped(content));
    y_ += kLine;
  }

  static std::string_view name_of(LineKind kind) {
    switch (kind) {
      case LineKind::Source: return "source";
      case LineKind::RiscV: return "riscv";
      case LineKind::Push: return "push";
      case LineKind::Unknown: return "unknown";
      case LineKind::Gap: return "gap";
    }
    return "";
  }

  /// The place of a finding is where the list of findings leads to.
  std::string opening(const Line& line) const {
    if (line.finding_kind.empty()) return "<g>";
    return fmt::format("<g class=\"found\" id=\"w{}-{}\">", number_, line.word);
  }

  void add(const Line& line) {
    svg_ += opening(line);
    if (!line.tip.empty()) svg_ += fmt::format("<title>{}</title>", escaped(line.tip));
    if (!line.finding_kind.empty())
      svg_ += rectangle("mark", {box_.x + 1, y_, box_.width - 2, kLine});
    if (line.kind == LineKind::Push) {
      svg_ += rectangle(fmt::format("unit {}", line.colour),
                        {code_x() - 4, y_ + 1, box_.right() - code_x(), kLine - 2});
    }
    if (!line.address.empty()) put(left(), "address", line.address);
    put(line.kind == LineKind::Source ? left() : code_x(), name_of(line.kind), escaped(line.text));
    if (!line.finding_kind.empty()) put(box_.right() - kPadding - text_width(1), "warning", "!");
    svg_ += "</g>";
    y_ += kLine;
  }

  int code_x() const { return left() + text_width(content_.address_width + kAddressGap); }

  /// To the blocks that follow.
  void links() {
    std::string content;
    std::size_t width = 0;
    for (const DrawnEdge& each : content_.next) {
      const std::string label = next_label(each);
      width += 2 + label.size();
      if (width > kMostCharacters) {
        content += "…";
        break;
      }
      content += fmt::format("<a href=\"#b{}-{}\">→{}</a> ", number_, each.edge.to, label);
    }
    put(left(), "links", content);
    y_ += kLine;
  }

  const BoxContent& content_;
  NodeBox box_;
  std::size_t number_;
  int y_ = 0;
  std::string svg_;
};

std::string block_svg(const FlowFacts& facts, Node node, const BoxContent& content,
                      const NodeBox& box, std::size_t number) {
  const std::string description = escaped(block_description(facts, node));
  const Node idom = facts.analysis.tree.idom(node);
  return fmt::format(
      "<g class=\"block{}\" id=\"b{}-{}\" data-block=\"{}\" data-idom=\"{}\" data-frontier=\"{}\" "
      "tabindex=\"0\" role=\"group\" aria-label=\"{}\"><title>{}</title>{}</g>\n",
      is_irreducible(facts, node) ? " irreducible" : "", number, node, node,
      idom == graph::kNoNode ? "" : std::to_string(idom),
      fmt::join(facts.analysis.frontiers[node], " "), description, description,
      BoxWriter(content, box, number).write());
}

/// From one corner in the direction of another, at most halfway.
Corner towards(const Corner& from, const Corner& to) {
  const auto step = [](int here, int there) {
    return here + std::clamp((there - here) / 2, -kBend, kBend);
  };
  return {step(from.x, to.x), step(from.y, to.y)};
}

std::string line_path(const std::vector<Corner>& corners) {
  std::string path = fmt::format("M{} {}", corners.front().x, corners.front().y);
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const Corner here = corners[i], before = towards(here, corners[i - 1]),
                 after = towards(here, corners[i + 1]);
    path += fmt::format("L{} {}Q{} {} {} {}", before.x, before.y, here.x, here.y, after.x, after.y);
  }
  return path + fmt::format("L{} {}", corners.back().x, corners.back().y - 2);
}

std::string edge_svg(const DrawnEdge& drawn, const EdgeRoute& route) {
  const Corner begin = route.corners.front(), end = route.corners.back();
  const auto [from, to] = drawn.edge;
  const std::string_view name = edge_class(drawn.kind);
  return fmt::format(
      "<g class=\"edge {}{}\" data-from=\"{}\" data-to=\"{}\"><title>{} to {}: {}{}</title>"
      "<path class=\"line\" d=\"{}\"/><path class=\"tip\" d=\"M{} {}l-4 -8h8z\"/>{}</g>\n",
      name, route.is_back ? " back" : "", from, to, from, to, name,
      route.is_back ? ", back edge" : "", line_path(route.corners), end.x, end.y,
      drawn.kind == EdgeKind::Taken
          ? fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\"/>", begin.x, begin.y + 4)
          : "");
}

/// For those who do not see the picture; the page has the loops in words.
std::string svg_description(const FlowFacts& facts) {
  return fmt::format("{}, {}, {}; from top to bottom.", counted(facts.code.blocks.size(), "block"),
                     counted(facts.code.edges.size(), "edge"), loop_counts(facts));
}

std::vector<BoxContent> contents_of(const FlowFacts& facts, const std::vector<DrawnEdge>& edges) {
  std::vector<std::vector<DrawnEdge>> next(facts.code.blocks.size());
  for (const DrawnEdge& each : edges) next[each.edge.from].push_back(each);
  std::vector<BoxContent> contents;
  for (Node node = 0; node < next.size(); ++node)
    contents.push_back(content_of(facts, node, std::move(next[node])));
  return contents;
}

} // namespace

std::string graph_svg(const FlowFacts& facts, std::size_t number) {
  const std::vector<DrawnEdge> edges = drawn_edges(facts.code);
  const std::vector<BoxContent> contents = contents_of(facts, edges);
  std::vector<BoxSize> sizes;
  sizes.reserve(contents.size());
  for (const BoxContent& each : contents) sizes.push_back(size_of(each));
  const GraphLayout layout = lay_out(graph_of(facts.code, edges), sizes);
  std::string svg = fmt::format(
      "<svg class=\"graph\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"group\" "
      "aria-labelledby=\"t{2} d{2}\" xml:space=\"preserve\"><title id=\"t{2}\">Control-flow graph "
      "of {3}</title><desc id=\"d{2}\">{4}</desc>\n",
      layout.width, layout.height, number, escaped(facts.function.symbol.readable),
      escaped(svg_description(facts)));
  for (std::size_t i = 0; i < edges.size(); ++i) svg += edge_svg(edges[i], layout.routes[i]);
  for (Node node = 0; node < contents.size(); ++node)
    svg += block_svg(facts, node, contents[node], layout.boxes[node], number);
  return svg + "</svg>";
}

} // namespace lanewise::report::flow_page
