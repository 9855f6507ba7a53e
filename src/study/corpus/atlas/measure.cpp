#include "study/corpus/atlas/measure.h"

#include <fmt/format.h>

#include <utility>

#include "base/cache.h"
#include "base/remembered.h"
#include "base/version.h"
#include "run/execution/check_program.h"
#include "study/corpus/llk/cases.h"
#include "study/corpus/metal/silicon.h"
#include "study/corpus/tune/tune_corpus.h"

namespace lanewise::corpus {

namespace {

/// Raised whenever what is measured of the same words changes within a version of the program.
constexpr unsigned kAtlasVersion = 1;

/// Of numbers of 32 bits: as many as accuracy_space() has pairs.
sweep::SweepSpace space_of(const AtlasItem& item, const AtlasSettings& settings) {
  sweep::SweepSpace space = accuracy_space(item.function);
  if (formats::is_32bit(item.format) && !space.sample && !settings.every_32bit)
    space = sampled_space();
  return space;
}

const LlkKernel* specification_of(const AtlasItem& item, const AtlasSources& sources, Arch arch) {
  return accuracy_specification(item.function, sources.of(item.function.origin), arch);
}

/// The item as the tuner takes it; nothing where a proof does not know its tiles.
std::optional<tune::ProofOptions> proof_of(const AtlasItem& item, const AtlasSources& sources,
                                           Arch arch) {
  const LlkKernel* kernel = specification_of(item, sources, arch);
  if (kernel == nullptr)
    return tune::ProofOptions{.format = item.format, .operands = item.function.operands};
  const auto proof = proof_of_case({kernel, item.format, false, arch}, {});
  return proof ? std::optional(*proof) : std::nullopt;
}

tune::Plain plain_of(const AtlasChip& chip) {
  return {chip.arch, chip.program.program, chip.program.as_kernel};
}

AtlasChip prepared_chip(const AtlasItem& item, const AtlasSources& sources, Arch arch) {
  AtlasChip chip{.arch = arch};
  auto program =
      accuracy_program(item.function, sources.of(item.function.origin), arch, item.format);
  if (!program) {
    chip.failure = first_error(program.error().message);
    return chip;
  }
  chip.program = std::move(*program);
  const auto proof = proof_of(item, sources, arch);
  chip.identity =
      tuned_program(plain_of(chip), proof.value_or(tune::ProofOptions{.format = item.format}));
  return chip;
}

std::string key_of(const AtlasItem& item, const PreparedItem& prepared) {
  Digest digest;
  digest.add(fmt::format("lanewise atlas {} {} {}", kAtlasVersion, version(), program_identity()));
  for (const std::string& text :
       {item.name(), item.family, item.function.reference, item.function.domain, item.header,
        item.call, sweep::to_string(prepared.space)})
    digest.add(text);
  for (const AtlasChip& chip : prepared.chips) {
    digest.add(arch_params(chip.arch).names.id);
    digest.add(chip.failure);
    digest.add(chip.identity);
  }
  return digest.text();
}

void check(AtlasChip& chip, const AtlasItem& item, const AtlasSources& sources) {
  execution::TileRunOptions tile;
  tile.format = item.format;
  tile.as_kernel = chip.program.as_kernel;
  execution::CheckSettings settings;
  if (const LlkKernel* kernel = specification_of(item, sources, chip.arch))
    settings.filled = filled_tiles(*kernel, item.format);
  auto checked = execution::check_and_cost(chip.arch, chip.program.program, tile, settings);
  if (checked) {
    chip.checked = std::move(*checked);
  } else {
    chip.checked.failure = checked.error().message;
  }
}

/// The chips that have words, and their words.
std::vector<sweep::SweepProgram> programs_of(std::span<const AtlasChip> chips) {
  std::vector<sweep::SweepProgram> programs;
  for (const AtlasChip& chip : chips) {
    if (chip.failure.empty()) programs.push_back(chip.program);
  }
  return programs;
}

std::string why_not_swept(const AtlasItem& item, std::span<const sweep::SweepProgram> programs) {
  if (programs.empty()) return "it does not compile";
  if (item.function.reference.empty())
    return "no function of one or two floats is known for it: it has integers, whole tiles, three "
           "operands or random numbers, or is only held against a bound (lanewise llk)";
  if (formats::is_integer(item.format)) return "its function is one of floats";
  return "";
}

void sweep_item(MeasuredItem& result, const AtlasItem& item, const AtlasSources& sources,
                const sweep::SweepSpace& space, const AtlasSettings& settings) {
  const std::vector<sweep::SweepProgram> programs = programs_of(result.chips);
  result.not_swept = why_not_swept(item, programs);
  if (!result.not_swept.empty()) return;
  const auto swept = [&](formats::UlpMeasure measure) -> std::optional<sweep::SweepResult> {
    sweep::SweepOptions options;
    options.format = item.format;
    options.output_tile = accuracy_output_tile(item.function, sources.of(item.function.origin),
                                               programs.front().arch);
    options.space = space;
    options.measure = measure;
    options.threads = 1;
    options.progress = settings.progress;
    auto found = sweep_function(item.function, programs, std::move(options));
    if (!found) {
      result.not_swept = found.error().message;
      return std::nullopt;
    }
    result.is_complete = result.is_complete && found->complete();
    return std::move(*found);
  };
  result.errors = swept(formats::UlpMeasure::Line);
  if (item.function.origin == AccuracyOrigin::Metal && has_silicon(item.function.name))
    result.as_silicon = swept(formats::UlpMeasure::AccuracyReport);
}

} // namespace

PreparedItem prepare_item(const AtlasItem& item, const AtlasSources& sources,
                          std::span<const Arch> chips, const AtlasSettings& settings) {
  PreparedItem prepared{.chips = {}, .space = space_of(item, settings), .key = {}};
  for (const Arch arch : accuracy_chips(item.function, sources.of(item.function.origin), chips))
    prepared.chips.push_back(prepared_chip(item, sources, arch));
  prepared.key = key_of(item, prepared);
  return prepared;
}

MeasuredItem measure_item(const AtlasItem& item, const AtlasSources& sources, PreparedItem prepared,
                          const AtlasSettings& settings) {
  MeasuredItem result{.chips = std::move(prepared.chips)};
  for (AtlasChip& chip : result.chips) {
    if (!chip.failure.empty()) continue;
    check(chip, item, sources);
    tune::TuneOptions options;
    const auto proof = proof_of(item, sources, chip.arch);
    if (!proof) continue;
    options.proof = *proof;
    chip.bound = bound_outcome(plain_of(chip), std::move(options));
  }
  sweep_item(result, item, sources, prepared.space, settings);
  return result;
}

} // namespace lanewise::corpus
