#include "study/sweep/resume.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "base/cache.h"
#include "study/sweep/json.h"

namespace lanewise::sweep {

namespace {

/// Raised whenever what the numbers of a record mean changes.
constexpr unsigned kVersion = 4;
constexpr const char* kVersionName = "lanewise sweep";

/// Every few seconds at most: a file that grows to a megabyte is written anew.
constexpr std::chrono::seconds kBetweenFiles{5};

/// A digest of numbers and texts, one after the other.
class Description {
 public:
  void add(std::string_view text) { digest_.add(text); }
  void add(std::uint64_t number) { digest_.add(std::to_string(number)); }
  std::string text() const { return digest_.text(); }

 private:
  Digest digest_;
};

Unexpected malformed(const std::string& name, const std::string& why) {
  Unexpected fault = bad_input("this is no state of a sweep that could go on: " + why,
                               "remove the file to begin anew, or name another one");
  fault.value().file = name;
  return fault;
}

SweepTotals totals_of(const Json& json, const SweepPlan& plan, std::uint64_t first) {
  SweepTotals totals = empty_totals(plan);
  const Json& chunks = json.at("chunks");
  if (!chunks.is_number_unsigned()) throw MalformedState("the number of chunks is missing");
  totals.chunks = chunks.get<std::uint64_t>();
  if (totals.chunks > plan.chunks.end - first)
    throw MalformedState("more chunks than the sweep has");
  const auto list_of = [&](const char* name, std::size_t wanted) -> const Json& {
    const Json& list = json.at(name);
    if (!list.is_array() || list.size() != wanted)
      throw MalformedState(fmt::format("not as many {} as the sweep has", name));
    return list;
  };
  const Json& chips = list_of("chips", totals.chips.size());
  for (std::size_t i = 0; i < totals.chips.size(); ++i) chip_from_json(chips[i], totals.chips[i]);
  const Json& pairs = list_of("pairs", totals.diffs.size());
  for (std::size_t i = 0; i < totals.diffs.size(); ++i) diff_from_json(pairs[i], totals.diffs[i]);
  return totals;
}

} // namespace

std::string describe_program(const SweepProgram& program) {
  Description digest;
  digest.add(program.as_kernel ? 1U : 0U);
  digest.add(program.program.words.size());
  for (const ProgramWord& word : program.program.words) digest.add(word.word);
  digest.add(program.program.config.size());
  for (const ConfigSetting& setting : program.program.config) {
    digest.add(setting.name);
    digest.add(setting.value);
  }
  for (const MopSetting& setting : program.program.mop) {
    digest.add(setting.before);
    digest.add(setting.index);
    digest.add(setting.value);
  }
  return fmt::format("{} {}", arch_params(program.arch).names.id, digest.text());
}

Json sweep_key(const SweepPlan& plan) {
  Json key = Json::object();
  key[kVersionName] = kVersion;
  Json programs = Json::array();
  for (const SweepProgram& program : plan.programs) programs.push_back(describe_program(program));
  key["programs"] = std::move(programs);
  key["format"] = formats::format_name(plan.options.format);
  key["output format"] = formats::format_name(plan.output_format());
  key["output tile"] = plan.options.output_tile;
  const auto operand_name = [](std::optional<unsigned> operand) {
    return operand ? (*operand == 0 ? "x" : "y") : "";
  };
  key["srca"] = operand_name(plan.options.sources.srca);
  key["srcb"] = operand_name(plan.options.sources.srcb);
  key["inputs"] = to_string(plan.options.space);
  key["reference"] = plan.reference == nullptr ? "" : plan.reference->identity();
  key["operands"] = plan.operands;
  key["domain"] = plan.options.domain == nullptr ? "" : plan.options.domain->identity();
  key["ulp"] = formats::ulp_measure_name(plan.options.measure);
  key["worst cases"] = plan.options.worst_cases;
  if (plan.is_comparison) {
    key["distances"] = plan.counts_distances();
    key["distance parts"] = plan.options.distance_parts;
  }
  return key;
}

Json totals_to_json(const SweepTotals& totals) {
  Json json{{"chunks", totals.chunks}, {"chips", Json::array()}, {"pairs", Json::array()}};
  for (const ChipTotals& chip : totals.chips) json["chips"].push_back(chip_to_json(chip));
  for (const DiffTotals& pair : totals.diffs) json["pairs"].push_back(diff_to_json(pair));
  return json;
}

Expected<SweepTotals> totals_from_json(const Json& json, const SweepPlan& plan, std::uint64_t first,
                                       const std::string& name) {
  try {
    return totals_of(json, plan, first);
  } catch (const MalformedState& error) {
    return malformed(name, error.what());
  } catch (const Json::exception& error) {
    return malformed(name, error.what());
  }
}

Expected<SweepTotals> begin_totals(SweepPlan& plan, parts::SharedWork& work,
                                   std::string_view name) {
  using Keeping = parts::SharedWork::Keeping;
  if (auto begun = work.begin(name, sweep_key(plan), plan.order.chunks(), Keeping::Whole); !begun)
    return Unexpected(begun.error());
  plan.chunks = work.range();
  SweepTotals totals = empty_totals(plan);
  for (const auto& [item, record] : work.records()) {
    const std::uint64_t next = plan.chunks.begin + totals.chunks;
    if (item != next) return malformed(work.name_of(item), "chunks are missing");
    const auto more = totals_from_json(record, plan, next, work.name_of(item));
    if (!more) return Unexpected(more.error());
    merge(plan, totals, *more);
  }
  if (work.is_merged() && totals.chunks != plan.chunks.count())
    return malformed(work.name_of(plan.chunks.end - 1), "chunks are missing");
  return totals;
}

Expected<void> run_kept(const SweepPlan& plan, SweepWorker worker, parts::SharedWork& work,
                        SweepTotals& totals, const std::function<bool()>& go_on) {
  using Clock = std::chrono::steady_clock;
  auto kept = Clock::now();
  const std::uint64_t before = totals.chunks;
  const auto keep = [&] {
    work.keep(plan.chunks.begin, totals_to_json(totals));
    kept = Clock::now();
  };
  const auto keep_and_go_on = [&] {
    if (work.keeps() && Clock::now() - kept >= kBetweenFiles) keep();
    return go_on();
  };
  if (go_on()) {
    if (auto done = run_chunks(plan, std::move(worker), totals, keep_and_go_on); !done) return done;
  }
  if (work.keeps() && totals.chunks != before) keep();
  return totals.chunks == plan.chunks.count() ? work.end() : work.stop();
}

} // namespace lanewise::sweep
