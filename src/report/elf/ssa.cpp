#include "report/elf/ssa.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "chip/isa/disassembler.h"
#include "report/elf/listing.h"

namespace lanewise::report {

namespace {

using paths::FunctionSsa;
using paths::SsaName;

std::string names_text(const FunctionSsa& ssa, const std::vector<SsaName>& names) {
  std::vector<std::string> texts;
  texts.reserve(names.size());
  for (const SsaName& each : names) texts.push_back(ssa.text(each));
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string values_text(const FunctionSsa& ssa, const paths::SsaWord& word) {
  std::string text = names_text(ssa, word.defines);
  if (!word.uses.empty())
    text += fmt::format("{}<- {}", text.empty() ? "" : " ", names_text(ssa, word.uses));
  if (!word.keeps.empty()) text += fmt::format(", keeps {}", names_text(ssa, word.keeps));
  return text;
}

/// Where an argument of a phi comes from.
std::string origin_text(const graph::Graph& graph, graph::Node node, std::size_t argument) {
  const auto from = graph.predecessors(node);
  return argument < from.size() ? fmt::format("block {}", from[argument]) : "outside";
}

std::string phi_text(const graph::Graph& graph, graph::Node node, const FunctionSsa& ssa,
                     const paths::SsaPhi& phi) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < phi.arguments.size(); ++i) {
    if (!phi.arguments[i]) continue;
    arguments.push_back(
        fmt::format("{} from {}", ssa.text(*phi.arguments[i]), origin_text(graph, node, i)));
  }
  return fmt::format("    {} = phi({})\n", ssa.text(phi.result), fmt::join(arguments, ", "));
}

std::string word_text(const elf::Image& image, const elf::CodeWord& word,
                      const paths::SsaWord& values, const FunctionSsa& ssa, Arch arch) {
  const bool is_tensix = word.kind == elf::WordKind::Tensix && word.tensix;
  const std::string code =
      is_tensix ? isa::disassemble(arch, *word.tensix) : code_text(image, word);
  const std::string names = values_text(ssa, values);
  return names.empty() ? fmt::format("    {:x}  {}\n", word.address, code)
                       : fmt::format("    {:x}  {:34}  {}\n", word.address, code, names);
}

} // namespace

std::string ssa_text(const elf::Image& image, const elf::Function& function,
                     const paths::CodeGraph& code, const FunctionSsa& ssa, Arch arch) {
  std::string text = fmt::format("{}:\n", function.symbol.readable);
  for (graph::Node node = 0; node < code.blocks.size(); ++node) {
    text += fmt::format("  block {}:\n", node);
    for (const paths::SsaPhi& each : ssa.phis[node]) text += phi_text(code.graph, node, ssa, each);
    for (std::uint32_t i = code.blocks[node].first; i < code.blocks[node].end; ++i)
      text += word_text(image, function.words[i], ssa.words[i], ssa, arch);
  }
  return text;
}

} // namespace lanewise::report
