#include "study/sweep/remembered.h"

#include <nlohmann/json.hpp>

#include "chip/machine/simd_level.h"
#include "number/references/settled.h"
#include "source/sfpi/host_library.h"
#include "study/sweep/program_key.h"
#include "study/sweep/resume.h"

namespace lanewise::sweep {

namespace {

/// A shorter sweep is done again sooner than somebody misses it.
constexpr std::chrono::milliseconds kWorthAFile{200};

/// Nothing where the message of a fault has what is no UTF-8, which JSON cannot give back.
std::optional<std::string> text_of(const SweepTotals& totals) {
  try {
    return totals_to_json(totals).dump();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

} // namespace

std::string remembered_key(const SweepPlan& plan) {
  // What a resume file is held against, and what it has as digests; and how the work is done, so
  // that one way is never shown the results of another.
  std::string key =
      sweep_key(plan).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  for (const SweepProgram& program : plan.programs)
    key += (program.as_kernel ? "kernel " : "program ") +
           std::string(program.is_tile ? "t " : "p ") +
           program_key(program.arch, program.program, KeyPlaces::Lines);
  key += simd_level_name(simd_level());
  key += plan.generates() ? " generated " + sfpi::host_library_version() : " interpreted";
  return key + "\n" + references::versions_behind_references() + "\n";
}

RememberedSweep::RememberedSweep(const SweepPlan& plan) : plan_(plan) {
  const auto is_settled = [](const references::Reference* reference) {
    return reference == nullptr || references::is_settled(*reference);
  };
  const bool is_shared = plan.options.work != nullptr && plan.options.work->needs_key();
  if (is_shared || plan.is_comparison || !is_settled(plan.reference) ||
      !is_settled(plan.options.domain))
    return;
  results_ = remembered_results();
  if (results_) key_ = remembered_key(plan);
}

std::optional<SweepTotals> RememberedSweep::find() const {
  const auto text = results_ ? results_->find(kSweepKind, key_) : std::nullopt;
  if (!text) return std::nullopt;
  const auto json = nlohmann::ordered_json::parse(*text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  auto totals = totals_from_json(json, plan_, 0, kSweepKind);
  if (!totals || inputs_done(plan_, *totals) != plan_.inputs()) return std::nullopt;
  return std::move(*totals);
}

void RememberedSweep::keep(const SweepTotals& totals) const {
  const bool is_whole = inputs_done(plan_, totals) == plan_.inputs();
  const bool is_short = std::chrono::steady_clock::now() - start_ < kWorthAFile;
  if (!results_ || !is_whole || is_short) return;
  if (const auto text = text_of(totals)) results_->keep(kSweepKind, key_, *text);
}

} // namespace lanewise::sweep
