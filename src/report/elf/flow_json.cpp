#include "report/elf/flow_json.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "base/graph/analysis.h"
#include "binary/paths/resources.h"
#include "report/elf/json.h"

namespace lanewise::report {

namespace {

using graph::Node;
using nlohmann::json;
using paths::Block;
using paths::CodeGraph;

std::string_view edge_name(paths::EdgeKind kind) {
  switch (kind) {
    case paths::EdgeKind::Next: return "next";
    case paths::EdgeKind::Taken: return "taken";
    case paths::EdgeKind::Jump: return "jump";
  }
  return "";
}

std::string_view leaving_name(paths::Leaving leaving) {
  switch (leaving) {
    case paths::Leaving::No: return "no";
    case paths::Leaving::Return: return "return";
    case paths::Leaving::TailJump: return "tail-jump";
    case paths::Leaving::Unknown: return "indirect-jump";
    case paths::Leaving::Trap: return "trap";
    case paths::Leaving::End: return "end";
  }
  return "";
}

json list_of(std::span<const Node> nodes) {
  json list = json::array();
  for (const Node node : nodes) list.push_back(node);
  return list;
}

/// What is told of a function's graph.
class FlowEntries {
 public:
  explicit FlowEntries(const CodeGraph& code) : code_(code), analysis_(code.graph) {}

  json block(const elf::Function& function, Node node) const {
    const Block& block = code_.blocks[node];
    const auto words = std::span(function.words).subspan(block.first, block.end - block.first);
    json entry{{"address", words.front().address},
               {"words", words.size()},
               {"pushes", std::ranges::count_if(words, &elf::CodeWord::pushes)},
               {"leaves", leaving_name(block.leaving)},
               {"calls", block.calls},
               {"reached", analysis_.tree.reaches(node)},
               {"frontier", list_of(analysis_.frontiers[node])},
               {"decided_by", list_of(analysis_.deciders[node])},
               {"loop_depth", analysis_.loops.depth(node)}};
    if (block.callee) entry["callee"] = *block.callee;
    if (analysis_.tree.reaches(node) && analysis_.tree.idom(node) != graph::kNoNode)
      entry["idom"] = analysis_.tree.idom(node);
    return entry;
  }

  json loops() const {
    json list = json::array();
    for (graph::LoopNumber number = 0; number < analysis_.loops.loops().size(); ++number) {
      const graph::Loop& loop = analysis_.loops.loops()[number];
      json entry{{"head", loop.head},
                 {"latches", list_of(loop.latches)},
                 {"depth", loop.depth},
                 {"blocks", list_of(analysis_.loops.nodes(number))}};
      if (loop.parent != graph::kNoLoop) entry["parent"] = loop.parent;
      list.push_back(std::move(entry));
    }
    return list;
  }

  json irreducible() const {
    json list = json::array();
    for (const graph::IrreducibleRegion& region : analysis_.loops.irreducible())
      list.push_back({{"blocks", list_of(region.nodes)}, {"entries", list_of(region.entries)}});
    return list;
  }

 private:
  const CodeGraph& code_;
  graph::Analysis analysis_;
};

json edge_list(const CodeGraph& code) {
  json list = json::array();
  for (const paths::BlockEdge& edge : code.edges)
    list.push_back({{"from", edge.from}, {"to", edge.to}, {"kind", edge_name(edge.kind)}});
  return list;
}

json lreg_list(isa::LRegSet lregs) {
  json list = json::array();
  for (; lregs != 0; lregs &= lregs - 1)
    list.push_back("L" + std::to_string(std::countr_zero(lregs)));
  return list;
}

json resource_list(paths::Resources resources) {
  json list = json::array();
  for (; resources != 0; resources &= resources - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(resources));
    list.push_back(paths::resources_text(paths::resource_bit(number)));
  }
  return list;
}

json place_of_word(const elf::Image& image, const elf::Function& function, std::uint32_t word) {
  json entry{{"address", function.words[word].address}};
  add_source(entry, image, function.words[word].address);
  return entry;
}

json finding_json(const elf::Image& image, const elf::Function& function,
                  const paths::Finding& finding) {
  json entry = place_of_word(image, function, finding.word);
  entry["kind"] = paths::finding_id(finding.kind);
  entry["text"] = finding.text;
  return entry;
}

json use_json(const elf::Image& image, const elf::Function& function,
              const paths::ResourceUse& use) {
  json entry = place_of_word(image, function, use.word);
  json setters = json::array();
  for (const paths::Setter each : use.setters) {
    if (each != paths::kBefore) setters.push_back(function.words[each].address);
  }
  entry["resource"] = paths::resources_text(paths::resource_bit(use.resource));
  entry["before"] = std::ranges::find(use.setters, paths::kBefore) != use.setters.end();
  entry["setters"] = std::move(setters);
  return entry;
}

json hazard_json(const elf::Image& image, const paths::ProgramGraph& graph, std::uint32_t index,
                 const paths::ClockFinding& finding) {
  json entry = place_of_word(image, graph.functions()[index], finding.word);
  entry["rule"] = finding.rule->id;
  entry["text"] = finding.text;
  entry["mend"] = finding.mend;
  entry["warns"] = finding.rule->warns_only;
  json path = json::array();
  for (const paths::Place& each : finding.path) {
    path.push_back(
        {{"function", graph.functions()[each.function].symbol.readable}, {"block", each.block}});
  }
  entry["path"] = std::move(path);
  return entry;
}

json cost_json(const paths::PushCost& cost) {
  return {{"words", cost.words},
          {"instructions", cost.instructions},
          {"cycles", cost.cycles},
          {"calls", cost.calls}};
}

json pushes_json(const paths::PushIntervals& pushes) {
  json blocks = json::array(), loops = json::array();
  for (const paths::PushCost& each : pushes.blocks) blocks.push_back(cost_json(each));
  for (const paths::LoopPushes& each : pushes.loops) {
    loops.push_back({{"head", each.head},
                     {"depth", each.depth},
                     {"least", cost_json(each.least)},
                     {"densest", cost_json(each.densest)},
                     {"unit_cycles", each.unit_cycles},
                     {"core_is_limit", each.core_is_limit()}});
  }
  return {{"blocks", std::move(blocks)}, {"loops", std::move(loops)}};
}

json tensix_json(const elf::Image& image, const elf::Function& function,
                 const paths::TensixPaths& paths) {
  const paths::Summary& summary = paths.summary;
  json findings = json::array(), uses = json::array();
  for (const paths::Finding& each : paths.findings)
    findings.push_back(finding_json(image, function, each));
  for (const paths::ResourceUse& each : paths.uses) uses.push_back(use_json(image, function, each));
  json entry{{"reads_before_it_writes", lreg_list(summary.needs)},
             {"uses_before_it_programs", resource_list(summary.uses)},
             {"live_across_calls", lreg_list(paths.live_across_calls)},
             {"computed", paths.unknown_words},
             {"findings", std::move(findings)},
             {"uses", std::move(uses)}};
  if (summary.is_known) entry["writes_on_every_path"] = lreg_list(summary.writes);
  return entry;
}

json names_json(const paths::FunctionSsa& ssa, const std::vector<paths::SsaName>& names) {
  json list = json::array();
  for (const paths::SsaName& each : names) list.push_back(ssa.text(each));
  return list;
}

json phi_json(const paths::FunctionSsa& ssa, const paths::SsaPhi& phi) {
  json arguments = json::array();
  for (const auto& each : phi.arguments) {
    arguments.push_back(each ? json(ssa.text(*each)) : json(nullptr));
  }
  return {{"result", ssa.text(phi.result)}, {"arguments", std::move(arguments)}};
}

} // namespace

json flow_json(const elf::Function& function, const CodeGraph& code) {
  const FlowEntries entries(code);
  json blocks = json::array();
  for (Node node = 0; node < code.blocks.size(); ++node)
    blocks.push_back(entries.block(function, node));
  return {{"blocks", std::move(blocks)},
          {"edges", edge_list(code)},
          {"loops", entries.loops()},
          {"irreducible", entries.irreducible()}};
}

json paths_json(const elf::Image& image, const paths::ProgramGraph& graph, std::uint32_t index,
                const paths::FunctionPaths& paths) {
  json entry = tensix_json(image, graph.functions()[index], paths.tensix);
  json hazards = json::array();
  for (const paths::ClockFinding& each : paths.hazards)
    hazards.push_back(hazard_json(image, graph, index, each));
  entry["hazards"] = std::move(hazards);
  entry["pushes"] = pushes_json(paths.pushes);
  return entry;
}

json ssa_json(const paths::FunctionSsa& ssa) {
  json phis = json::array(), words = json::array();
  for (const auto& block : ssa.phis) {
    json& list = phis.emplace_back(json::array());
    for (const paths::SsaPhi& each : block) list.push_back(phi_json(ssa, each));
  }
  for (const paths::SsaWord& each : ssa.words) {
    words.push_back({{"uses", names_json(ssa, each.uses)},
                     {"defines", names_json(ssa, each.defines)},
                     {"keeps", names_json(ssa, each.keeps)}});
  }
  return {{"phis", std::move(phis)}, {"words", std::move(words)}};
}

} // namespace lanewise::report
