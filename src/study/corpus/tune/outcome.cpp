#include "study/corpus/tune/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "number/formats/format.h"
#include "number/tensors/tile.h"
#include "run/execution/tile_cost.h"

namespace lanewise::corpus {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 7> kVerdictNames{
    "optimal", "bound", "nothing faster", "not proved", "refused", "not compiled", "failed"};

TuneOutcome refused(const tune::Plain& plain, const tune::ProofOptions& proof, std::string why) {
  TuneOutcome outcome{.verdict = TuneVerdict::Refused, .why = std::move(why)};
  const auto cost = execution::tile_cost_of(plain.arch, plain.program,
                                            {.format = proof.format, .as_kernel = plain.as_kernel});
  if (cost) outcome.plain_cycles = cost->pass.cycles;
  return outcome;
}

/// "2^32 pairs of inputs".
std::string count_text(const tune::ProofOptions& proof) {
  constexpr std::array kinds{"", "inputs", "pairs of inputs", "combinations of inputs"};
  const unsigned bits = (formats::is_32bit(proof.format) ? 32 : 16) * proof.operands;
  return fmt::format("2^{} {}", bits, kinds.at(std::min<std::size_t>(proof.operands, 3)));
}

/// Whether every row is stored in the tile that a proof compares.
bool stays_in(const tune::Rows& rows, unsigned tile) {
  return std::ranges::all_of(rows.addresses, [&](std::uint32_t address) {
    return address / tensors::kTileDstRows == tile;
  });
}

/// `is_left_out`: nothing is searched.
TuneOutcome outcome_of(const tune::Plain& plain, tune::TuneOptions options, bool is_left_out) {
  if (is_left_out) {
    options.progress = [](const tune::TuneProgress&) { return false; };
    options.blocks = false;
  }
  const auto result = tune::tune(plain, options);
  if (!result) return refused(plain, options.proof, result.error().message);
  if (!result->is_block && !stays_in(result->rows, options.proof.output_tile))
    return refused(plain, options.proof,
                   fmt::format("rows are stored outside of tile {}, which alone would be compared",
                               options.proof.output_tile));
  TuneOutcome outcome{.verdict = TuneVerdict::NothingFaster,
                      .why = result->proof.failure,
                      .rows = static_cast<unsigned>(result->rows.addresses.size()),
                      .plain_cycles = result->plain_cycles,
                      .lowest_interval = result->lowest_interval,
                      .resource = result->lowest_resource,
                      .is_block = result->is_block,
                      .was_stopped = result->stopped && !is_left_out};
  if (result->tuned) {
    const bool is_optimal = result->interval == result->lowest_interval;
    outcome.verdict = is_optimal ? TuneVerdict::Optimal : TuneVerdict::Bounded;
    outcome.interval = result->interval;
    outcome.cycles = result->proof.cycles;
    outcome.proved_by = result->proof.kind;
  } else if (result->was_left_open ||
             (is_left_out && outcome.lowest_interval * outcome.rows < outcome.plain_cycles)) {
    outcome.verdict = TuneVerdict::NotProved;
    outcome.why = count_text(options.proof);
  }
  return outcome;
}

} // namespace

std::string_view verdict_name(TuneVerdict verdict) {
  return kVerdictNames.at(static_cast<std::size_t>(verdict));
}

TuneOutcome tune_outcome(const tune::Plain& plain, tune::TuneOptions options, bool proves_all) {
  options.proof.only_soon = !proves_all;
  return outcome_of(plain, std::move(options), false);
}

TuneOutcome bound_outcome(const tune::Plain& plain, tune::TuneOptions options) {
  return outcome_of(plain, std::move(options), true);
}

Json outcome_json(const TuneOutcome& outcome) {
  Json json{{"verdict", verdict_name(outcome.verdict)}};
  if (!outcome.why.empty()) json["why"] = outcome.why;
  if (outcome.is_block) json["block"] = true;
  if (outcome.rows != 0) json["rows"] = outcome.rows;
  if (outcome.plain_cycles != 0) json["shipped_cycles"] = outcome.plain_cycles;
  if (outcome.lowest_interval != 0) {
    json["bound"] = outcome.lowest_interval;
    json["bound_by"] = outcome.resource;
  }
  if (outcome.is_faster()) {
    json["interval"] = outcome.interval;
    json["cycles"] = outcome.cycles;
    json["proved_by"] = tune::proof_kind_name(outcome.proved_by);
  }
  if (outcome.was_stopped) json["stopped_by_time"] = true;
  return json;
}

std::optional<TuneOutcome> parse_outcome(const Json& json) {
  try {
    const auto name =
        std::ranges::find(kVerdictNames, json.at("verdict").get_ref<const std::string&>());
    if (name == kVerdictNames.end()) return std::nullopt;
    return TuneOutcome{
        .verdict = static_cast<TuneVerdict>(name - kVerdictNames.begin()),
        .why = json.value("why", ""),
        .rows = json.value("rows", 0U),
        .plain_cycles = json.value("shipped_cycles", 0.0),
        .interval = json.value("interval", 0U),
        .cycles = json.value("cycles", std::uint64_t{0}),
        .lowest_interval = json.value("bound", 0U),
        .resource = json.value("bound_by", ""),
        .proved_by = tune::proof_kind_of(json.value("proved_by", "")),
        .is_block = json.value("block", false),
        .was_stopped = json.value("stopped_by_time", false),
    };
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

} // namespace lanewise::corpus
