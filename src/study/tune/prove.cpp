#include "study/tune/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chip/timing/tile_cost.h"
#include "number/formats/format.h"
#include "run/execution/check_program.h"
#include "study/sweep/diff.h"
#include "study/sweep/gates.h"
#include "study/sweep/specials.h"
#include "study/tune/operand_sample.h"
#include "study/tune/prove_pairs.h"

namespace lanewise::tune {

namespace {

/// By ProofKind.
constexpr std::array<std::string_view, 4> kProofNames{"all inputs", "expressions", "z3",
                                                      "data flow"};

constexpr const char* kTunedName = "tuned";

execution::TileRunOptions tile_options(const ProofOptions& options, bool as_kernel = true) {
  return {.format = options.format, .as_kernel = as_kernel};
}

Proof not_proved(std::string why) {
  Proof proof;
  proof.failure = std::move(why);
  return proof;
}

/// What a program means, and not when anything happens: of a plain program as of a tuned one
/// (docs/hazards.md, "Words and values"), and LaneConfig at its end.
constexpr std::array<std::string_view, 8> kRulesOfMeaning{
    "mul24-addend",  "raw-load",  "store-fp16-nan", "store-bf16-nan",
    "setcc-special", "cast-edge", "arecip-range",   "contract-lane-config"};

/// What the checker finds that the plain program does not have, mere warnings included; empty if
/// there is nothing. What it has as well goes into `known`.
std::string first_finding(const execution::CheckedProgram& checked, const ProofOptions& options,
                          std::vector<std::string>& known) {
  if (!checked.failure.empty()) return checked.failure;
  for (const timing::Hazard& each : checked.hazards) {
    const std::string_view rule = each.rule->id;
    // Where random numbers begin is for the caller to say, of either program.
    if (rule == "unprogrammed-prng") continue;
    if (std::ranges::find(options.known_findings, rule) == options.known_findings.end())
      return each.text("");
    if (std::ranges::find(known, rule) == known.end()) known.emplace_back(rule);
  }
  if (!checked.faults.empty()) return to_string(checked.faults.front());
  return {};
}

Expected<std::string> check_passes(const Plain& plain, std::size_t passes,
                                   const ProofOptions& options, std::vector<std::string>& known) {
  const execution::TileRunOptions tile = tile_options(options, plain.as_kernel);
  const Program repeated = timing::on_tiles(plain.program, passes);
  const auto timed = execution::schedule_on_tile(plain.arch, repeated, tile);
  if (!timed) return Unexpected(timed.error());
  if (!timed->program.faults.empty()) return to_string(timed->program.faults.front());
  if (!timed->schedule.records.empty() && passes > 1)
    return std::string("macros of one tile meet those of the next");
  return first_finding(execution::check_program(*timed, repeated), options, known);
}

/// Inputs and results whose differences may be allowed: as many as a 16-bit format has NaNs and
/// denormals.
constexpr std::size_t kAllowedCases = 1024;

bool is_denormal(formats::Format format, std::uint32_t bits) {
  constexpr double kSmallestNormal = 1.17549435e-38;
  const double value = std::abs(formats::value_of_bits(format, bits));
  return value != 0 && value < kSmallestNormal;
}

bool is_allowed(const sweep::SweepCase& each, const ProofOptions& options) {
  const formats::Format input = options.format;
  const formats::Format output = options.output_format.value_or(input);
  const auto is_nan = [](formats::Format format, std::uint32_t bits) {
    return std::isnan(formats::value_of_bits(format, bits));
  };
  const bool pair = options.operands == 2;
  if (options.allow_nan &&
      (is_nan(input, each.x) || is_nan(output, each.expected) || (pair && is_nan(input, each.y))))
    return true;
  return options.allow_denormal &&
         (is_denormal(input, each.x) || is_denormal(output, each.expected) ||
          (pair && is_denormal(input, each.y)));
}

/// Whether every difference between the programs is one that the user allows.
bool is_allowed(const sweep::DiffStatistics& found, const ProofOptions& options) {
  if (found.changed == 0) return true;
  return found.changed <= found.worst.size() &&
         std::ranges::all_of(
             found.worst, [&](const sweep::SweepCase& each) { return is_allowed(each, options); });
}

/// Whether so many differences may still all be allowed.
bool may_be_allowed(std::uint64_t changed, const ProofOptions& options) {
  return changed == 0 ||
         ((options.allow_nan || options.allow_denormal) && changed <= kAllowedCases);
}

std::string difference_text(const sweep::SweepCase& each, const ProofOptions& options) {
  const std::string y = options.operands == 2 ? fmt::format(", y = 0x{:x}", each.y) : "";
  return fmt::format("x = 0x{:x}{}: 0x{:x} instead of 0x{:x}", each.x, y, each.found,
                     each.expected);
}

Proof result_of(const sweep::DiffResult& compared, const ProofOptions& options) {
  Proof proof{.inputs = compared.done};
  for (const sweep::DiffStatistics& chip : compared.chips) {
    proof.different += chip.changed;
    for (const sweep::SweepCase& each : chip.worst)
      proof.differences.push_back(difference_text(each, options));
    if (!sweep::leave_results_valid(chip.second.faults))
      return not_proved("the tuned program has faults: " + to_string(chip.second.faults.front()));
    if (!is_allowed(chip, options))
      return not_proved(fmt::format("{} of {} results differ, the first at {}", chip.changed,
                                    chip.inputs,
                                    proof.differences.empty() ? "?" : proof.differences.front()));
  }
  if (compared.done != compared.total)
    return not_proved(fmt::format("the comparison was stopped after {} of {} inputs", compared.done,
                                  compared.total));
  proof.holds = true;
  return proof;
}

/// Both programs as they are compared.
struct ProgramPair {
  sweep::SweepProgram first, second;
  sweep::SweepOptions sweep;

  ProgramPair(const Plain& plain, const Plain& tuned, const ProofOptions& options)
      : first{plain.arch, plain.program, plain.as_kernel},
        // A pass of both is the same part of a tile, however each of them starts.
        second{tuned.arch, tuned.program, tuned.as_kernel, first.is_tile},
        sweep{.format = options.format,
              .output_format = options.output_format,
              .output_tile = options.output_tile,
              .space = options.space,
              .threads = options.threads,
              .worst_cases = kAllowedCases,
              .distances = false} {}
};

/// Inputs and results as the user allows them to be compared. Ends as soon as a difference is there
/// that is not allowed.
Expected<Proof> compare(const Plain& plain, const Plain& tuned, const ProofOptions& options) {
  ProgramPair pair(plain, tuned, options);
  pair.sweep.progress = [&](const sweep::SweepProgress& progress) {
    return may_be_allowed(progress.changed, options) &&
           (!options.progress || options.progress(progress));
  };
  const auto compared = sweep::diff_programs(std::span(&pair.first, 1), std::span(&pair.second, 1),
                                             options.operands, nullptr, pair.sweep);
  if (!compared) return Unexpected(compared.error());
  return result_of(*compared, options);
}

/// The same on the inputs where differences show, which are few. Empty, or a difference that is not
/// allowed.
Expected<std::string> compare_edges(const Plain& plain, const Plain& tuned,
                                    const ProofOptions& options) {
  const ProgramPair pair(plain, tuned, options);
  const auto changes = sweep::find_changes(
      pair.first, pair.second, sweep::edge_inputs(options.format, options.operands), pair.sweep);
  if (!changes) return Unexpected(changes.error());
  for (const sweep::SweepCase& each : *changes) {
    if (!is_allowed(each, options)) return "results differ at " + difference_text(each, options);
  }
  return std::string();
}

/// Words of a program as those of a kernel that was tuned, and in front of them those of `entry`
/// where the program does not start as a kernel.
std::string first_other_word(const Tuned& tuned, const Plain& printed) {
  std::vector<TunedWord> words;
  if (!printed.as_kernel) words = tuned.entry;
  words.insert(words.end(), tuned.words.begin(), tuned.words.end());
  const std::vector<ProgramWord>& read = printed.program.words;
  for (std::size_t i = 0; i < std::min(words.size(), read.size()); ++i) {
    if (words[i].word != read[i].word)
      return fmt::format("word {} is printed as one that reads 0x{:08x} instead of 0x{:08x}", i,
                         read[i].word, words[i].word);
  }
  if (words.size() != read.size())
    return fmt::format("what is printed has {} words instead of {}", read.size(), words.size());
  return {};
}

Plain as_kernel(const Tuned& tuned) {
  return {tuned.arch, to_program(tuned, kTunedName), true};
}

/// Inputs of a comparison that comes before a proof.
constexpr std::uint64_t kSample = 1 << 20, kSampleSeed = 1;

ProofOptions sampled(ProofOptions options) {
  if (takes_long(options))
    options.space = {.range = std::nullopt, .sample = sweep::SweepSample{kSample, kSampleSeed}};
  return options;
}

/// The first of some inputs where results differ and may not; empty if there is none.
Expected<std::string> differ_at(const Plain& plain, const Plain& tuned,
                                const std::vector<std::uint32_t>& operands,
                                const ProofOptions& options) {
  if (options.operands > kOperandsOfSweep)
    return difference_on_tiles(plain, tuned, tiles_of(operands, options.format), options);
  const ProgramPair programs(plain, tuned, options);
  sweep::ChunkInputs inputs{.x = {operands.at(0)}, .y = {}, .positives = 0};
  if (options.operands == 2) inputs.y = {operands.at(1)};
  const auto changes = sweep::find_changes(programs.first, programs.second, inputs, programs.sweep);
  if (!changes) return Unexpected(changes.error());
  if (changes->empty() || is_allowed(changes->front(), options)) return std::string();
  return difference_text(changes->front(), options);
}

/// What z3 has found, run on both programs: whether results differ there decides.
Expected<Proof> check_operands(const Plain& plain, const Plain& tuned,
                               const std::vector<std::uint32_t>& operands,
                               const ProofOptions& options) {
  const auto found = differ_at(plain, tuned, operands, options);
  if (!found) return Unexpected(found.error());
  if (!found->empty())
    return not_proved(fmt::format("{} has found a pair where results differ: {}", kSolver, *found));
  Proof proof = not_proved(fmt::format(
      "{} knows no multiply-add, and finds no pair where results differ but one that would need "
      "another multiply-add than the chip's",
      kSolver));
  proof.is_undecided = true;
  return proof;
}

/// Inputs where differences show, then many others.
Expected<Proof> compare_sample(const Plain& plain, const Plain& tuned,
                               const ProofOptions& options) {
  if (options.operands > kOperandsOfSweep) {
    const std::vector<tensors::Tensor> tiles = sample_tiles(options);
    const auto found = difference_on_tiles(plain, tuned, tiles, options);
    if (!found) return Unexpected(found.error());
    if (!found->empty()) return not_proved("results differ at " + *found);
    Proof proof{.holds = true};
    proof.inputs = tiles.front().bits.size();
    return proof;
  }
  if (const auto edges = compare_edges(plain, tuned, options); !edges || !edges->empty())
    return edges ? Expected<Proof>(not_proved(*edges)) : Unexpected(edges.error());
  return compare(plain, tuned, sampled(options));
}

/// A sample, and then the programs' expressions, and z3. What is not decided stays a sample.
Expected<Proof> compare_expressions(const Plain& plain, const Plain& tuned,
                                    const ProofOptions& options) {
  auto sample = compare_sample(plain, tuned, options);
  if (!sample || !sample->holds) return sample;
  const auto answer = compare_all_pairs(plain, tuned, options);
  if (!answer) return Unexpected(answer.error());
  sample->kind = answer->questions == 0 ? ProofKind::Expressions : ProofKind::Solver;
  sample->leaves_out = options.allow_nan || options.allow_denormal;
  if (answer->verdict == SolverVerdict::Never) return sample;
  Proof proof = not_proved(answer->why);
  proof.is_undecided = true;
  if (answer->verdict == SolverVerdict::Sometimes) {
    auto checked = check_operands(plain, tuned, answer->operands, options);
    if (!checked || !checked->is_undecided) return checked;
    proof = std::move(*checked);
  }
  proof.inputs = sample->inputs;
  proof.failure += fmt::format("; {} {} of a sample agree, which is no proof", sample->inputs,
                               options.operands == 2 ? "pairs" : "inputs");
  return proof;
}

Expected<Proof> judge_all(const Plain& tuned, const ProofOptions& options) {
  const auto failure = options.judge(tuned);
  if (!failure) return Unexpected(failure.error());
  if (!failure->empty()) return not_proved(*failure);
  Proof proof{.holds = true};
  proof.inputs = inputs_of(options);
  return proof;
}

/// Whether inputs are not gone through.
bool goes_by_expressions(const ProofOptions& options) {
  return is_beyond_inputs(options) || (options.only_soon && takes_long(options));
}

/// Whether less than all inputs are compared.
bool is_part(const ProofOptions& options) {
  return !options.judge && (options.space.range || options.space.sample);
}

Expected<Proof> compare_as_asked(const Plain& plain, const Plain& tuned,
                                 const ProofOptions& options) {
  if (options.judge) return judge_all(tuned, options);
  if (goes_by_expressions(options) && !is_part(options))
    return compare_expressions(plain, tuned, options);
  return compare(plain, tuned, options);
}

/// All results of a program that was checked.
Expected<Proof> compare_all(const Plain& plain, const Plain& tuned, const Proof& checked,
                            const ProofOptions& options) {
  auto proof = compare_as_asked(plain, tuned, options);
  if (!proof) return proof;
  proof->cycles = checked.cycles;
  proof->findings = checked.findings;
  if (is_part(options)) {
    proof->holds = false;
    if (proof->failure.empty())
      proof->failure = fmt::format("{} of {} inputs were compared, and agree: no proof",
                                   proof->inputs, inputs_of(options));
  }
  return proof;
}

/// The checker on one tile and on two in a row, and the clock's cycles.
Expected<Proof> check_clock(const Plain& plain, const ProofOptions& options) {
  const execution::TileRunOptions tile = tile_options(options, plain.as_kernel);
  Proof proof{.holds = true};
  for (const std::size_t passes : {std::size_t{1}, std::size_t{2}}) {
    const auto finding = check_passes(plain, passes, options, proof.findings);
    if (!finding) return Unexpected(finding.error());
    if (!finding->empty()) return not_proved(*finding);
  }
  const auto checked = execution::check_and_cost(plain.arch, plain.program, tile);
  if (!checked) return Unexpected(checked.error());
  proof.cycles = static_cast<std::uint64_t>(std::lround(checked->cost->pass.cycles));
  return proof;
}

} // namespace

std::span<const std::string_view> rules_of_meaning() {
  return kRulesOfMeaning;
}

Expected<ProofOptions> with_known_findings(const Plain& plain, ProofOptions options) {
  options.known_findings.clear();
  const auto timed = execution::schedule_on_tile(plain.arch, plain.program,
                                                 tile_options(options, plain.as_kernel));
  if (!timed) return Unexpected(timed.error());
  const auto checked = execution::check_program(*timed, plain.program);
  for (const std::string_view rule : kRulesOfMeaning) {
    if (std::ranges::any_of(checked.hazards,
                            [&](const timing::Hazard& each) { return each.rule->id == rule; }))
      options.known_findings.emplace_back(rule);
  }
  return options;
}

std::uint64_t inputs_of(const ProofOptions& options) {
  const unsigned bits = (formats::is_32bit(options.format) ? 32 : 16) * options.operands;
  constexpr unsigned kMost = 63; // pairs of 32 bits cannot be gone through anyway
  return std::uint64_t{1} << std::min(bits, kMost);
}

bool is_beyond_inputs(const ProofOptions& options) {
  return options.operands > kOperandsOfSweep ||
         (options.operands == kOperandsOfSweep && formats::is_32bit(options.format));
}

bool takes_long(const ProofOptions& options) {
  constexpr std::uint64_t kSoon = std::uint64_t{1} << 20;
  return inputs_of(options) > kSoon;
}

std::string_view proof_kind_name(ProofKind kind) {
  return kProofNames.at(static_cast<std::size_t>(kind));
}

ProofKind proof_kind_of(std::string_view name) {
  const auto found = std::ranges::find(kProofNames, name);
  return found == kProofNames.end() ? ProofKind::Inputs
                                    : static_cast<ProofKind>(found - kProofNames.begin());
}

Expected<std::string> find_difference(const Plain& plain, const Tuned& tuned,
                                      const ProofOptions& options) {
  return find_difference(plain, as_kernel(tuned), options);
}

Expected<std::string> find_difference(const Plain& plain, const Plain& other,
                                      const ProofOptions& options) {
  if (options.judge) return options.judge(other);
  if (options.only_soon && takes_long(options)) {
    // What would not be proved is no candidate.
    const auto answer = compare_all_pairs(plain, other, options);
    if (!answer) return Unexpected(answer.error());
    if (answer->verdict != SolverVerdict::Never) return kNotProvedSoon.data() + answer->why;
  }
  if (options.operands > kOperandsOfSweep) {
    const auto compared = compare_sample(plain, other, options);
    if (!compared) return Unexpected(compared.error());
    return compared->failure;
  }
  ProofOptions sample = sampled(options);
  if (auto edges = compare_edges(plain, other, options); !edges || !edges->empty()) return edges;
  bool stopped = false;
  sample.progress = [&](const sweep::SweepProgress& progress) {
    stopped = stopped || (options.progress && !options.progress(progress));
    return !stopped;
  };
  const auto compared = compare(plain, other, sample);
  if (!compared) return Unexpected(compared.error());
  if (stopped) return std::string();
  return compared->failure;
}

Expected<Proof> check_timing(const Tuned& tuned, const ProofOptions& options) {
  auto proof = check_clock(as_kernel(tuned), options);
  if (!proof || !proof->holds) return proof;
  if (proof->cycles != tuned.predicted_cycles)
    return not_proved(fmt::format("the clock takes {} cycles for a tile, {} were predicted",
                                  proof->cycles, tuned.predicted_cycles));
  return proof;
}

Expected<Proof> prove_program(const Plain& plain, const Plain& other, const ProofOptions& options) {
  auto timing = check_clock(other, options);
  if (!timing || !timing->holds) return timing;
  return compare_all(plain, other, *timing, options);
}

Expected<Proof> prove(const Plain& plain, const Tuned& tuned, const ProofOptions& options) {
  auto timing = check_timing(tuned, options);
  if (!timing || !timing->holds) return timing;
  return compare_all(plain, as_kernel(tuned), *timing, options);
}

Expected<Proof> check_printed(const Tuned& tuned, const Plain& printed,
                              const ProofOptions& options) {
  auto timing = check_timing(tuned, options);
  if (!timing || !timing->holds) return timing;
  if (std::string other = first_other_word(tuned, printed); !other.empty())
    return not_proved(std::move(other));
  const auto finding = check_passes(printed, 1, options, timing->findings);
  if (!finding) return Unexpected(finding.error());
  if (!finding->empty()) return not_proved(*finding);
  return timing;
}

Expected<Proof> prove_printed(const Plain& plain, const Tuned& tuned, const Plain& printed,
                              const ProofOptions& options) {
  auto checked = check_printed(tuned, printed, options);
  if (!checked || !checked->holds) return checked;
  return compare_all(plain, printed, *checked, options);
}

} // namespace lanewise::tune
