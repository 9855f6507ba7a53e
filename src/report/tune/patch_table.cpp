#include "report/tune/patch_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/table/table.h"

namespace lanewise::report {

namespace {

using corpus::PatchedCorpus;
using corpus::PatchedKernel;
using corpus::WideProof;

const char* wide_text(WideProof wide) {
  switch (wide) {
    case WideProof::OtherText: return "shipped text";
    case WideProof::Sampled: return "a sample agrees";
    case WideProof::Proved: return "proved";
    case WideProof::None: return "does not compile";
  }
  return "";
}

std::string patch_text(const PatchedCorpus::Header& header, const PatchedKernel& kernel) {
  if (!kernel.why.empty()) return "none: " + kernel.why;
  return corpus::patch_file_name(header);
}

void each_kernel(
    const PatchedCorpus& corpus,
    const std::function<void(const PatchedCorpus::Header&, const PatchedKernel&)>& visit) {
  for (const PatchedCorpus::Header& header : corpus.headers)
    for (const PatchedKernel& kernel : header.kernels) visit(header, kernel);
}

std::size_t patches_of(const PatchedCorpus& corpus) {
  return static_cast<std::size_t>(std::ranges::count_if(
      corpus.headers, [](const auto& header) { return !header.diff.empty(); }));
}

std::string tile_cycles_text(double cycles) {
  return cycles == 0 ? "" : fmt::format("{:.0f}", cycles);
}

} // namespace

std::string patch_markdown(const PatchedCorpus& corpus) {
  Table table{.columns = table_columns({"kernel", "tiles", "chip"})};
  for (const char* heading : {"tile", "tile patched"})
    table.columns.push_back({.heading = heading, .kind = ColumnKind::Number});
  for (const char* heading : {"runs once", "32 bits in Dst", "patch"})
    table.columns.push_back({.heading = heading});
  std::size_t kernels = 0, patched = 0;
  double logarithms = 0;
  each_kernel(corpus, [&](const PatchedCorpus::Header& header, const PatchedKernel& kernel) {
    const bool is_patched = kernel.why.empty();
    ++kernels;
    if (is_patched) {
      ++patched;
      logarithms += std::log(kernel.cycles / kernel.plain_cycles);
    }
    std::string result = patch_text(header, kernel);
    std::ranges::replace(result, '|', '/');
    table.rows.push_back({kernel.kernel, kernel.variant,
                          std::string(arch_params(header.arch).names.id),
                          tile_cycles_text(kernel.plain_cycles), tile_cycles_text(kernel.cycles),
                          is_patched ? (kernel.init_in_call ? "each call" : "init function") : "",
                          is_patched ? wide_text(kernel.wide) : "", result});
  });
  std::string text =
      table_markdown(table) +
      fmt::format("\nOf {} kernels, in their configurations, {} are in {} patches.\n", kernels,
                  patched, patches_of(corpus));
  if (patched != 0)
    text += fmt::format("Geometric mean of patched to shipped cycles of their tiles: {:.3f}.\n",
                        std::exp(logarithms / static_cast<double>(patched)));
  return text;
}

nlohmann::ordered_json patch_json(const PatchedCorpus& corpus) {
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  each_kernel(corpus, [&](const PatchedCorpus::Header& header, const PatchedKernel& kernel) {
    nlohmann::ordered_json json{{"kernel", kernel.kernel},
                                {"header", header.path},
                                {"tiles", kernel.variant},
                                {"chip", arch_params(header.arch).names.id}};
    if (kernel.plain_cycles != 0) json["shipped_cycles"] = kernel.plain_cycles;
    if (kernel.why.empty()) {
      json["cycles"] = kernel.cycles;
      json["runs_once"] = kernel.init_in_call ? "each call" : "init function";
      json["wide"] = wide_text(kernel.wide);
      json["patch"] = corpus::patch_file_name(header);
    } else {
      json["why"] = kernel.why;
    }
    kernels.push_back(std::move(json));
  });
  return {{"kernels", std::move(kernels)}, {"patches", patches_of(corpus)}};
}

} // namespace lanewise::report
