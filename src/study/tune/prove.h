// The proof of a tuned program: every input, no hazard, the clock as predicted.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/program.h"
#include "run/execution/tile_runner.h"
#include "study/sweep/sweep.h"
#include "study/tune/emit.h"

namespace lanewise::tune {

/// The program that a tuned one must equal.
struct Plain {
  Arch arch = kDefaultArch;
  Program program;
  bool as_kernel = true;
};

struct ProofOptions {
  formats::Format format = formats::Format::BF16;
  std::optional<formats::Format> output_format =
      std::nullopt;         ///< of the results, if it is another one
  unsigned operands = 1;    ///< tiles 0, 1, ... of Dst
  unsigned output_tile = 0; ///< the tile of Dst that is compared
  /// Results are more than that tile, or tiles have other formats: a proof over inputs does not see
  /// all of it, but that of a block does (block_proof.h).
  bool only_as_block = false;
  /// Rules of which the tuned program may have findings: see with_known_findings().
  std::vector<std::string> known_findings = {};
  bool allow_nan = false;      ///< NaN may come out as another result where the plain one is a NaN
                               ///< or the input is one
  bool allow_denormal = false; ///< the same for denormal inputs and results
  sweep::SweepSpace space = {};
  unsigned threads = 0;
  /// Processor time of z3 for a question, where all pairs are too many (prove_pairs.h).
  std::chrono::milliseconds solver_time = std::chrono::minutes(1);
  /// Where all inputs take minutes, only what both programs' expressions say is proved: z3 is not
  /// asked, and inputs are not gone through.
  bool only_soon = false;
  std::function<bool(const sweep::SweepProgress&)> progress = {};
  /// Instead of a comparison with the plain program: whether a program's results will do (front.h).
  /// Empty, or a sentence why not.
  std::function<Expected<std::string>(const Plain&)> judge = {};
};

/// Who says that the results are equal.
enum class ProofKind : std::uint8_t {
  Inputs,      ///< each of them was compared
  Expressions, ///< both programs' results are the same expressions of them; `inputs` are a sample
  Solver,      ///< z3, of all pairs; `inputs` are a sample
  DataFlow     ///< both programs' instructions compute the same of the same (block_proof.h)
};

/// As JSON has it: "all inputs", "expressions", "z3", "data flow".
std::string_view proof_kind_name(ProofKind kind);
/// ProofKind::Inputs, where there is none of this name.
ProofKind proof_kind_of(std::string_view name);

/// What was proved, or why it was not.
struct Proof {
  bool holds = false;
  ProofKind kind = ProofKind::Inputs;
  bool is_undecided = false;   ///< a sample agrees, but nobody says whether all inputs do
  std::string failure = {};    ///< a sentence, if it does not hold
  std::uint64_t inputs = 0;    ///< that were compared
  bool leaves_out = false;     ///< Solver, Expressions: pairs that the user allows to differ
  std::uint64_t different = 0; ///< results with other bits, all allowed
  std::vector<std::string> differences = {}; ///< some of them
  std::uint64_t cycles = 0;                  ///< of a tile, by the clock
  /// Rules of which something is found, all of ProofOptions::known_findings.
  std::vector<std::string> findings = {};
};

/// How find_difference() begins where a program may be right, but would not be proved soon.
inline constexpr std::string_view kNotProvedSoon = "not proved soon: ";

/// Inputs that a proof goes through: all there are.
std::uint64_t inputs_of(const ProofOptions& options);

/// Whether all inputs take minutes: numbers of 32 bits, or pairs.
bool takes_long(const ProofOptions& options);

/// Whether inputs are too many to be gone through at all: pairs of 32 bits, and more than two
/// operands. Such proofs are those of the programs' expressions (prove_pairs.h).
bool is_beyond_inputs(const ProofOptions& options);

/// Clock and checker, on one tile and on two in a row; then all inputs, or where these are pairs of
/// 32 bits or more operands, a sample, the programs' expressions and z3. Equal results on a part of
/// them (`options.space`) are no proof: then it does not hold, and `failure` says so. Error:
/// BadInput as diff_programs() has it.
Expected<Proof> prove(const Plain& plain, const Tuned& tuned, const ProofOptions& options);

/// The same for a program as it was read from what is printed of `tuned`: it must be its words,
/// and everything but the clock is looked at in the way in which this form starts.
Expected<Proof> prove_printed(const Plain& plain, const Tuned& tuned, const Plain& printed,
                              const ProofOptions& options);

/// Rules about what words and values mean, and not when anything happens (docs/hazards.md), and
/// that of LaneConfig at the end.
std::span<const std::string_view> rules_of_meaning();

/// The same options, for programs that replace `plain`: with the rules of which the checker finds
/// something in it, too, as far as they are rules_of_meaning().
Expected<ProofOptions> with_known_findings(const Plain& plain, ProofOptions options);

/// The first part of it: the clock, the checker, and that `printed` is the words of `tuned`.
Expected<Proof> check_printed(const Tuned& tuned, const Plain& printed,
                              const ProofOptions& options);

/// Whether both programs agree on all inputs, or on a sample where these take long: worth a proof,
/// and none. Empty, or the first difference as a sentence. A comparison that `options.progress`
/// ends has found nothing.
Expected<std::string> find_difference(const Plain& plain, const Tuned& tuned,
                                      const ProofOptions& options);

/// The same between any two programs of which `other` is to replace `plain`.
Expected<std::string> find_difference(const Plain& plain, const Plain& other,
                                      const ProofOptions& options);

/// prove() of any program, whose cycles nobody has predicted: they are in the result.
Expected<Proof> prove_program(const Plain& plain, const Plain& other, const ProofOptions& options);

/// Only the first part: whether the clock takes as many cycles as predicted and the checker finds
/// nothing.
Expected<Proof> check_timing(const Tuned& tuned, const ProofOptions& options);

} // namespace lanewise::tune
