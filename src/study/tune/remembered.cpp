#include "study/tune/remembered.h"

#include <fmt/format.h>

#include <utility>

#include "base/remembered.h"
#include "source/sfpi/headers.h"
#include "study/sweep/program_key.h"
#include "study/tune/prove_pairs.h"
#include "study/tune/result_text.h"
#include "study/tune/solver.h"

namespace lanewise::tune {

namespace {

std::string key_part(const Plain& plain) {
  return fmt::format("{} {}", plain.as_kernel,
                     sweep::program_key(plain.arch, plain.program, sweep::KeyPlaces::Parts));
}

/// Nothing where a judge of the caller's decides, or where z3 is asked and is not there.
std::optional<std::string> key_part(const ProofOptions& options) {
  if (options.judge) return std::nullopt;
  std::string solver;
  if (is_beyond_inputs(options) && !options.only_soon) {
    solver = solver_version();
    if (solver.empty()) return std::nullopt;
    solver += fmt::format(", {} ms", options.solver_time.count());
  }
  return fmt::format("{} {} {} {} {} {} {} {} {} {}\n", formats::format_name(options.format),
                     formats::format_name(options.output_format.value_or(options.format)),
                     options.operands, options.output_tile, options.only_as_block,
                     options.allow_nan, options.allow_denormal, options.only_soon,
                     sweep::to_string(options.space), solver);
}

/// What C++ is read with: it can change without the program.
std::string headers_key(Form form) {
  if (form != Form::Tti) return {};
  const auto folder = sfpi::sfpi_include_folder();
  return folder ? sfpi::folder_digest(*folder) : std::string();
}

std::string key_part(const std::vector<TunedWord>& words) {
  std::string key = fmt::format("{}", words.size());
  for (const TunedWord& each : words)
    key += fmt::format(" {:x}@{}", each.word, static_cast<unsigned>(each.part));
  return key + "\n";
}

/// What a proof looks at of a tuned program.
std::string key_part(const Tuned& tuned) {
  return key_part(tuned.entry) + key_part(tuned.words) +
         fmt::format("{} {} {}\n", tuned.body, tuned.is_recorded, tuned.predicted_cycles);
}

} // namespace

std::optional<std::string> tuning_key(const Plain& plain, const TuneOptions& options) {
  if (options.row || options.faster_than) return std::nullopt;
  const auto proof = key_part(options.proof);
  if (!proof) return std::nullopt;
  return key_part(plain) + *proof +
         fmt::format("{} {} {} {} {} {} {}\n", options.macros, options.conservative,
                     options.steps_per_interval, options.seconds,
                     static_cast<unsigned>(options.form), options.name, headers_key(options.form));
}

std::optional<std::string> proof_key(const Plain& plain, const Tuned& tuned, const Plain& printed,
                                     const ProofOptions& options) {
  const auto proof = key_part(options);
  if (!proof) return std::nullopt;
  return key_part(plain) + key_part(tuned) + key_part(printed) + *proof;
}

Expected<Proof> prove_once(const Plain& plain, const Tuned& tuned, const Plain& printed,
                           const ProofOptions& options) {
  const auto results = takes_long(options) ? remembered_results() : std::nullopt;
  const auto key = results ? proof_key(plain, tuned, printed, options) : std::nullopt;
  if (key) {
    if (const auto text = results->find(kProofKind, *key)) {
      if (auto proof = read_proof(*text)) return std::move(*proof);
    }
  }
  auto proof = prove_printed(plain, tuned, printed, options);
  if (key && proof && proof->holds) results->keep(kProofKind, *key, write_proof(*proof));
  return proof;
}

} // namespace lanewise::tune
