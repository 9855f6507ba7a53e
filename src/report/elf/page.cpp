#include "report/elf/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/elf/flow.h"
#include "report/elf/page_blocks.h"
#include "report/elf/page_picture.h"
#include "report/elf/page_style.h"
#include "report/elf/page_words.h"
#include "report/page/page.h"
#include "report/plain_number.h"
#include "report/sweep/style.h"

namespace lanewise::report {

namespace flow_page {

namespace {

constexpr std::string_view kLegend =
    R"(<details class="keys" open="open"><summary>What is what</summary><div class="legend keys">)"
    R"(<span><svg width="34" height="12"><g class="edge next"><path class="line" d="M1 6H33"/></g></svg>next</span>)"
    R"(<span><svg width="34" height="12"><g class="edge taken"><path class="line" d="M1 6H33"/><circle cx="5" cy="6" r="3"/></g></svg>branch taken</span>)"
    R"(<span><svg width="34" height="12"><g class="edge jump"><path class="line" d="M1 6H33"/></g></svg>jump</span>)"
    R"(<span><svg width="34" height="12"><g class="edge next back"><path class="line" d="M1 6H33"/></g></svg>back edge</span>)"
    R"(<span><svg width="34" height="12"><g class="edge possible"><path class="line" d="M1 6H33"/></g></svg>an indirect jump may lead there, since nothing else does</span>)"
    R"(<span><i class="tint"></i>a frame for each loop around a block</span>)"
    R"(<span><i class="cycle"></i>on a cycle with several ways in</span>)"
    R"(<span><i class="found"></i>finding</span>)"
    R"(<span><i class="load"></i>Load</span><span><i class="simple"></i>Simple</span>)"
    R"(<span><i class="mad"></i>MAD</span><span><i class="round"></i>Round</span>)"
    R"(<span><i class="store"></i>Store</span><span><i class="other"></i>other pushes</span>)"
    R"(<span><i class="idom"></i>immediate dominator of the block that is pointed at</span>)"
    R"(<span><i class="frontier"></i>its dominance frontier</span></div></details>)";

std::size_t pushes_of(const elf::Function& function) {
  return static_cast<std::size_t>(std::ranges::count_if(
      function.words, [](const elf::CodeWord& word) { return word.pushes(); }));
}

std::string list_row(const FlowFacts& facts, std::size_t number) {
  const auto cell = [](std::size_t count) {
    return fmt::format("<td class=\"n\">{}</td>", count == 0 ? "" : std::to_string(count));
  };
  return fmt::format("<tr><td><a href=\"#f{}\"><code>{}</code></a></td>{}{}{}{}{}{}</tr>\n", number,
                     escaped(facts.function.symbol.readable), cell(facts.code.blocks.size()),
                     cell(facts.function.words.size()), cell(pushes_of(facts.function)),
                     cell(facts.analysis.loops.loops().size()),
                     cell(facts.analysis.loops.irreducible().size()), cell(facts.findings.size()));
}

std::string function_list(const std::vector<FlowFacts>& functions, const std::string& file) {
  std::string rows;
  for (std::size_t i = 0; i < functions.size(); ++i) rows += list_row(functions[i], i);
  return fmt::format(
      "<nav id=\"functions\" class=\"scroll\" aria-label=\"Functions\"><table><tr><th>function</th>"
      "<th class=\"n\">blocks</th><th class=\"n\">words</th><th class=\"n\">pushes</th>"
      "<th class=\"n\">loops</th><th class=\"n\">irreducible</th><th class=\"n\">findings</th></tr>"
      "\n{}</table></nav>\n<p class=\"muted\">How many cycles a function takes is not known "
      "without "
      "a run: \"Along every path\" has what its blocks take at least, and <code>lanewise elf {} "
      "--tile --time</code> what the functions of a run took.</p>\n",
      rows, escaped(file));
}

std::string finding_place(const FlowFacts& facts, const WordFinding& finding) {
  const std::uint32_t address = facts.function.words[finding.word].address;
  const elf::LineRange* const line = elf::line_at(facts.image, address);
  if (line == nullptr || line->line == 0) return elf::place_text(facts.image, address);
  return fmt::format("{} ({}:{})", elf::place_text(facts.image, address),
                     facts.image.files[line->file], line->line);
}

std::string finding_list(const FlowFacts& facts, std::size_t number) {
  if (facts.findings.empty()) return "";
  std::string items;
  for (const WordFinding& each : facts.findings) {
    items += fmt::format("<li><a href=\"#w{}-{}\">{}</a>: {}: {}</li>", number, each.word,
                         escaped(finding_place(facts, each)), each.id, escaped(each.text));
  }
  return fmt::format("<ul class=\"findings\">{}</ul>", items);
}

/// In view where they are few.
std::string loop_list(const FlowFacts& facts) {
  constexpr std::size_t kFew = 8;
  const std::vector<std::string> sentences = loop_sentences(facts);
  if (sentences.empty()) return "";
  return fmt::format("<details{}><summary>{}</summary>{}</details>",
                     sentences.size() <= kFew ? " open=\"open\"" : "", loop_counts(facts),
                     list_items(sentences));
}

std::string section(const FlowFacts& facts, std::size_t number) {
  return fmt::format(
      "<section id=\"f{0}\"><h2><code>{1}</code></h2><p class=\"muted\">{2} in {3} from 0x{4:x}. "
      "<a href=\"#functions\">All functions</a></p>{5}{6}\n"
      "<div class=\"scroll graph\" tabindex=\"0\" role=\"region\" aria-label=\"Graph of {1}\">{7}"
      "</div>\n<details><summary>Along every path</summary><pre>{8}</pre></details></section>\n",
      number, escaped(facts.function.symbol.readable), counted(facts.function.words.size(), "word"),
      counted(facts.code.blocks.size(), "block"), facts.function.symbol.address,
      finding_list(facts, number), loop_list(facts), graph_svg(facts, number),
      escaped(facts.along_paths));
}

/// All words of the functions, which is what the page is about.
Program program_of(const elf::Image& image, const std::vector<elf::Function>& shown) {
  Program program;
  program.name = image.name;
  for (const elf::Function& each : shown) {
    for (const elf::CodeWord& code : each.words) program.words.push_back({code.word});
  }
  return program;
}

} // namespace

} // namespace flow_page

std::string elf_html(const elf::Image& image, const std::vector<elf::Function>& shown,
                     const paths::FilePaths& paths, Arch arch, const std::string& command) {
  std::vector<flow_page::FlowFacts> functions;
  for (const elf::Function& each : shown) {
    if (!each.words.empty()) functions.emplace_back(image, each, paths, arch);
  }
  std::string body = flow_page::function_list(functions, image.name) +
                     flow_page::word_pictures(functions) + std::string(flow_page::kLegend);
  for (std::size_t i = 0; i < functions.size(); ++i) body += flow_page::section(functions[i], i);
  return html_page(
      {.title = image.name + ": control flow",
       .heading = image.name,
       .subtitle = fmt::format("lanewise elf, {}: control flow of {}", arch_params(arch).names.full,
                               counted(functions.size(), "function")),
       .style = fmt::format("{}{}", sweep_pictures(), elf_style()),
       .body = body,
       .script = std::string(elf_script()),
       .record = {command, {page_program(arch, flow_page::program_of(image, shown))}}});
}

} // namespace lanewise::report
