#include "cli/run_sources.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "number/tensors/matmul_reference.h"

namespace lanewise::cli {

namespace {

Expected<std::optional<tensors::SourceInput>> load_source(const std::string& specification,
                                                          const std::string& format_name) {
  const auto format = tensors::parse_source_format(format_name);
  if (!format) return Unexpected(format.error());
  if (specification.empty()) return std::nullopt;
  auto input = tensors::make_source_input(specification, *format);
  if (!input) return Unexpected(input.error());
  // Numbers that the format does not have are bad input, whatever the program does.
  if (auto cells = tensors::source_tiles(*input); !cells) return Unexpected(cells.error());
  return std::move(*input);
}

} // namespace

void add_source_options(const Command& command, SourceOptions& options) {
  command
      .option("--srca", options.srca,
              "Input tile for SrcA of the Matrix Unit; the same words as for --in")
      .value("INPUT");
  command.option("--srcb", options.srcb, "Input tile for SrcB").value("INPUT");
  std::string names;
  for (const tensors::SourceFormatRow& row : tensors::kSourceFormats)
    names += fmt::format(" {}", row.name);
  command
      .option("--srca-format", options.srca_format,
              fmt::format("Format of SrcA:{} (default bf16)", names))
      .value("SOURCE_FORMAT");
  command.option("--srcb-format", options.srcb_format, "Format of SrcB, likewise (default bf16)")
      .value("SOURCE_FORMAT");
  command
      .option("--reference", options.reference,
              "Print how far the result is from a product in double precision: matmul, "
              "SrcB x SrcA")
      .one_of({"matmul"});
}

Expected<Sources> load_sources(const SourceOptions& options, bool has_dst_inputs) {
  auto srca = load_source(options.srca, options.srca_format);
  if (!srca) return Unexpected(srca.error());
  auto srcb = load_source(options.srcb, options.srcb_format);
  if (!srcb) return Unexpected(srcb.error());
  if (!options.reference.empty()) {
    if (!*srca || !*srcb)
      return bad_input("--reference matmul needs both sources", "add --srca and --srcb");
    if (has_dst_inputs) {
      return bad_input(
          "--reference matmul compares with SrcB x SrcA alone, and --in puts something "
          "into Dst before",
          "leave --in or --reference out");
    }
  }
  return Sources{std::move(*srca), std::move(*srcb)};
}

Expected<void> print_reference(const SourceOptions& options, const Sources& sources,
                               std::span<const execution::TileRun> runs) {
  if (options.reference.empty()) return {};
  for (const execution::TileRun& run : runs) {
    const auto error = tensors::matmul_error(*sources.srcb, *sources.srca, run.output);
    if (!error) return Unexpected(error.error());
    fmt::print(
        "{}: error against SrcB x SrcA: largest {:.4g}, mean {:.4g}; relative: largest "
        "{:.4g}, mean {:.4g}\n",
        arch_params(run.arch).names.id, error->largest, error->mean, error->largest_relative,
        error->mean_relative);
  }
  return {};
}

Expected<nlohmann::json> reference_json(const SourceOptions& options, const Sources& sources,
                                        std::span<const execution::TileRun> runs) {
  nlohmann::json result;
  if (options.reference.empty()) return result;
  for (const execution::TileRun& run : runs) {
    const auto error = tensors::matmul_error(*sources.srcb, *sources.srca, run.output);
    if (!error) return Unexpected(error.error());
    result[std::string(arch_params(run.arch).names.id)] = {
        {"largest", error->largest},
        {"mean", error->mean},
        {"largest_relative", error->largest_relative},
        {"mean_relative", error->mean_relative}};
  }
  return result;
}

} // namespace lanewise::cli
