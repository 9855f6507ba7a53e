#include "study/tune/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "run/execution/tile_cost.h"
#include "study/tune/side_by_side.h"

namespace lanewise::tune {

namespace {

/// SFPNOPs behind a program at which its macros have ended in any case.
constexpr unsigned kMostPads = 10;
/// Of the limit of time, for the fused row; the kernels share the rest.
constexpr double kShareOfFused = 0.5;

class Chain {
 public:
  Chain(std::vector<ChainLink> links, const TuneOptions& options)
      : links_(std::move(links)), options_(options) {
    result_.arch = links_.front().kernel.plain.arch;
    result_.rows = links_.front().rows.addresses.size();
  }

  Expected<ChainResult> run() {
    if (auto done = prepare(); !done) return Unexpected(done.error());
    if (auto done = try_fused(); !done) return Unexpected(done.error());
    if (auto done = tune_each(); !done) return Unexpected(done.error());
    if (auto done = place(); !done) return Unexpected(done.error());
    choose();
    return std::move(result_);
  }

 private:
  Expected<void> prepare() {
    const auto conflicts = find_conflicts(links_, {.format = options_.proof.format});
    if (!conflicts) return Unexpected(conflicts.error());
    for (const Conflict& each : *conflicts)
      result_.conflicts.push_back(conflict_text(each, links_));
    result_.plain = plain_chain(links_, conflicts->empty() ? InitPlace::First : InitPlace::Each);
    auto proof = with_known_findings(result_.plain, std::move(options_.proof));
    if (!proof) return Unexpected(proof.error());
    options_.proof = std::move(*proof);
    for (const ChainLink& link : links_) {
      const auto cost = execution::tile_cost_of(
          result_.arch, link.kernel.plain.program,
          {.format = options_.proof.format, .as_kernel = link.kernel.plain.as_kernel});
      if (!cost) return Unexpected(cost.error());
      result_.kernels.push_back({link.kernel.name, cost->pass.cycles, std::nullopt});
      result_.plain_cycles += cost->pass.cycles;
    }
    return {};
  }

  Expected<void> try_fused() {
    const auto fusion = fuse(links_, options_.proof);
    if (!fusion) return Unexpected(fusion.error());
    result_.roundings = fusion->roundings;
    result_.fused.refusal = fusion->refusal;
    if (!fusion->row) return {};
    TuneOptions options = options_;
    options.seconds = options_.seconds * kShareOfFused;
    options.row = fusion->row;
    auto tuned = tune(result_.plain, options);
    if (!tuned && tuned.error().kind != FaultKind::Unsupported) return Unexpected(tuned.error());
    if (!tuned) {
      result_.fused.refusal = tuned.error().message;
      return {};
    }
    result_.stopped = tuned->stopped;
    take_fused(std::move(*tuned));
    return {};
  }

  void take_fused(TuneResult tuned) {
    ChainForm& fused = result_.fused;
    fused.proof = tuned.proof;
    fused.tuned = std::move(tuned.tuned);
    fused.cycles = fused.tuned ? tuned.proof.cycles : 0;
    fused.text = std::move(tuned.text);
    if (!fused.tuned)
      fused.refusal = tuned.proof.failure.empty() ? "no faster program was found"
                                                  : "it is not proved: " + tuned.proof.failure;
  }

  /// Kernels by themselves. All of them is proved in the end, so that 2^32 inputs are not gone
  /// through for each.
  Expected<void> tune_each() {
    TuneOptions options = options_;
    options.form = Form::Assembly;
    options.blocks = false; // a block leaves no room for its neighbours
    options.seconds = options_.seconds * (1 - kShareOfFused) / static_cast<double>(links_.size());
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const ChainKernel& kernel = links_[i].kernel;
      if (takes_long(options.proof)) {
        options.proof.judge = [&, proof = options_.proof](const Plain& other) {
          return find_difference(kernel.plain, other, proof);
        };
      }
      const auto tuned = tune(kernel.plain, options);
      if (!tuned && tuned.error().kind != FaultKind::Unsupported) return Unexpected(tuned.error());
      if (tuned && tuned->stopped) result_.stopped = true;
      if (tuned && tuned->tuned) {
        result_.kernels[i].tuned_cycles = tuned->proof.cycles;
        parts_.push_back({kernel.name, *tuned->tuned});
      } else if (result_.placed.refusal.empty()) {
        result_.placed.refusal = fmt::format(
            "{}: {}", kernel.name, tuned ? "no faster program was found" : tuned.error().message);
      }
    }
    return {};
  }

  /// With as few SFPNOPs between kernels as the checker and the clock let through.
  Expected<void> place() {
    if (!result_.placed.refusal.empty()) return {};
    for (unsigned pads = 0; pads <= kMostPads; ++pads) {
      Tuned tuned = side_by_side(parts_, pads);
      const Plain program{tuned.arch, to_program(tuned, "placed"), true};
      const auto cost = execution::tile_cost_of(
          tuned.arch, program.program, {.format = options_.proof.format, .as_kernel = true});
      if (!cost) return Unexpected(cost.error());
      tuned.predicted_cycles = static_cast<std::uint64_t>(std::lround(cost->pass.cycles));
      const auto timing = check_timing(tuned, options_.proof);
      if (!timing) return Unexpected(timing.error());
      if (timing->holds) return prove_placed(std::move(tuned));
      result_.placed.refusal = timing->failure;
    }
    return {};
  }

  Expected<void> prove_placed(Tuned tuned) {
    ChainForm& placed = result_.placed;
    placed.refusal.clear();
    placed.cycles = tuned.predicted_cycles;
    // What is slower is not printed, and needs no proof.
    const bool is_slower = result_.fused.tuned && result_.fused.cycles <= placed.cycles;
    if (!is_slower) {
      placed.text = text_of(tuned, options_.form, options_.name);
      const auto printed = read_printed(tuned.arch, options_.form, placed.text, options_.name);
      if (!printed) return Unexpected(printed.error());
      auto proof = prove_printed(result_.plain, tuned, *printed, options_.proof);
      if (!proof) return Unexpected(proof.error());
      placed.proof = std::move(*proof);
      if (!placed.proof.holds) {
        placed.refusal = "it is not proved: " + placed.proof.failure;
        return {};
      }
    }
    placed.tuned = std::move(tuned);
    return {};
  }

  void choose() {
    const ChainForm &fused = result_.fused, &placed = result_.placed;
    if (placed.tuned && placed.proof.holds &&
        static_cast<double>(placed.cycles) < result_.plain_cycles)
      result_.taken = ChainWay::Placed;
    else if (fused.tuned && fused.proof.holds)
      result_.taken = ChainWay::Fused;
  }

  std::vector<ChainLink> links_;
  TuneOptions options_;
  ChainResult result_;
  std::vector<SidePart> parts_;
};

} // namespace

const ChainForm* ChainResult::best() const {
  if (taken == ChainWay::Plain) return nullptr;
  return taken == ChainWay::Fused ? &fused : &placed;
}

Expected<ChainResult> tune_chain(std::span<const ChainKernel> kernels, const TuneOptions& options) {
  if (options.proof.operands != 1)
    return bad_input("a chain has one operand: each kernel takes what the one before it leaves",
                     "leave --operands out, or tune the kernels apart");
  if (options.proof.output_format)
    return bad_input("a chain leaves its results in the format in which it finds its tile",
                     "leave --out-format out, or tune the kernels apart");
  auto links = links_of(kernels, {.format = options.proof.format});
  if (!links) return Unexpected(links.error());
  return Chain(std::move(*links), options).run();
}

} // namespace lanewise::tune
