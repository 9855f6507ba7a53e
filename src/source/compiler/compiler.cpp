#include "source/compiler/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "chip/isa/replay.h"
#include "source/compiler/arrangements.h"
#include "source/compiler/combine.h"
#include "source/compiler/cost.h"
#include "source/compiler/diagnostics.h"
#include "source/compiler/passes.h"

namespace lanewise::compiler {

namespace {

unsigned count_executed(const std::vector<ReplayWord>& words) {
  unsigned executed = 0;
  for (const ReplayWord& each : words) {
    const auto command = isa::replay_command(each.word.word);
    if (!command) {
      ++executed;
    } else if (!command->load) {
      executed += command->count;
    }
  }
  return executed;
}

class Compilation {
 public:
  Compilation(const Recording& recording, const Options& options, Fusion fusion)
      : work_{.recording = recording, .options = options, .fusion = fusion} {}

  Compiled run() {
    run_phase(Phase::Values);
    if (!make_best()) return std::move(result_);
    emit();
    result_.ok = true;
    result_.fusion = work_.fusion;
    return std::move(result_);
  }

 private:
  /// A program, and what it takes.
  struct Outcome {
    std::vector<ReplayWord> words;
    unsigned lregs = 0;
    double cycles = 0;
    std::vector<std::pair<std::string, std::string>> dumps; ///< of the arrangement

    /// Cycles count; of two programs with about as many, the one with fewer words is better.
    double cost() const {
      constexpr double kPerWord = 0.125;
      return cycles + kPerWord * static_cast<double>(words.size());
    }
  };

  /// With and without what "fold" and "cse" found: the best program stays. Keeping a value may
  /// cost more than making it again, where LRegs run out or an operation cannot overwrite its
  /// operand.
  bool make_best() {
    const Compiled values = result_;
    bool made = make_program();
    for (work_.chosen = 1; work_.chosen <= work_.alternatives.size(); ++work_.chosen) {
      Compiled before = std::exchange(result_, values);
      Outcome best_before = std::exchange(best_, {});
      if (make_program() && (!made || best_.cost() < best_before.cost())) {
        made = true;
        continue;
      }
      result_ = std::move(before);
      best_ = std::move(best_before);
    }
    return made;
  }

  bool make_program() {
    if (!make_code()) return false;
    arrange();
    return true;
  }

  /// From values to LRegs. What keeps values apart is given up step by step, until the LRegs do.
  bool make_code() {
    std::vector<Attempt> attempts;
    if (compiled_as(work_.recording, work_.options) == CompiledAs::Shipped)
      attempts.push_back({ConstantLoads::WhereMade, true});
    for (const ConstantLoads each : {ConstantLoads::Once, ConstantLoads::Anew}) {
      if (each == ConstantLoads::Once || work_.options.rematerialize)
        attempts.insert(attempts.end(), {{each, true}, {each, false}});
    }
    Allocation last;
    bool last_keeps_raw = false;
    for (const Attempt& attempt : attempts) {
      work_.attempt = attempt;
      const std::size_t dumped = result_.dumps.size();
      run_phase(Phase::Instructions);
      if (auto faults = check_nesting(work_.recording, work_.code); !faults.empty()) {
        result_.dumps.resize(dumped);
        result_.diagnostics = std::move(faults);
        return false;
      }
      selected_ = work_.code;
      if (auto outcome = arranged({})) {
        best_ = std::move(*outcome);
        compress(best_);
        if (work_.options.warn) result_.diagnostics = check_raw_words(work_.recording, selected_);
        return true;
      }
      result_.dumps.resize(dumped);
      if (!last.code.instrs.empty() && !last.pressure.wanted) continue;
      last = std::move(work_.allocation);
      last_keeps_raw = attempt.keep_raw;
    }
    if (!last.pressure.wanted) last.pressure = highest_pressure(last.code, last_keeps_raw);
    result_.diagnostics.push_back(out_of_registers(work_.recording, last.code, last.pressure));
    return false;
  }

  /// Takes the best arrangement, if one is better than the order of the source. Looking for what
  /// repeats takes the most time: it is left out where nothing can come of it.
  void arrange() {
    if (compiled_as(work_.recording, work_.options) == CompiledAs::Shipped) return;
    const double most = best_.cycles;
    std::vector<Outcome> found = all_arranged();
    std::ranges::stable_sort(found, {}, &Outcome::cycles);
    for (Outcome& each : found) {
      if (each.cycles >= best_.cost()) return;
      compress(each);
      if (each.cycles <= most && each.cost() < best_.cost()) best_ = std::move(each);
    }
  }

  std::vector<Outcome> all_arranged() {
    std::vector<Outcome> found;
    for (const ArrangementGroup& group : arrangements(selected_, work_.options)) {
      constexpr std::size_t kEnough = 4; // keeping still fewer constants would not help
      const std::size_t before = found.size();
      for (const Arrangement& each : group) {
        if (found.size() == before + kEnough) break;
        if (auto outcome = with_fewer_registers(each)) found.push_back(std::move(*outcome));
      }
      if (found.size() == before) break; // more rows need more
    }
    return found;
  }

  /// Where lives of registers do not fit together, fewer at once may.
  std::optional<Outcome> with_fewer_registers(Arrangement arrangement) {
    constexpr unsigned kFewest = 6, kStep = 2;
    for (; arrangement.lregs >= kFewest; arrangement.lregs -= kStep) {
      if (auto outcome = arranged(arrangement)) return outcome;
    }
    return std::nullopt;
  }

  /// The selected instructions arranged that way, before REPLAY; nothing if LRegs run out.
  std::optional<Outcome> arranged(const Arrangement& arrangement) {
    const std::size_t dumped = result_.dumps.size();
    work_.arrangement = arrangement;
    work_.code = selected_;
    run_phase(Phase::Order);
    run_phase(Phase::Registers);
    std::optional<Outcome> outcome;
    if (work_.allocation.done) {
      work_.code = std::move(work_.allocation.code);
      run_phase(Phase::Words);
      outcome = Outcome{.words = std::move(work_.words),
                        .lregs = work_.allocation.lregs_used,
                        .cycles = 0,
                        .dumps = {}};
      outcome->cycles = cycles_of(work_.code.arch, outcome->words, Pushes::Free);
      take_dumps(dumped, *outcome);
    }
    result_.dumps.resize(dumped);
    return outcome;
  }

  void compress(Outcome& outcome) {
    const std::size_t dumped = result_.dumps.size();
    work_.words = std::move(outcome.words);
    run_phase(Phase::Replay);
    outcome.words = std::move(work_.words);
    outcome.cycles = cycles_of(work_.code.arch, outcome.words, Pushes::TakeTime);
    take_dumps(dumped, outcome);
  }

  /// Moves what was printed since then.
  void take_dumps(std::size_t first, Outcome& outcome) {
    for (std::size_t i = first; i < result_.dumps.size(); ++i)
      outcome.dumps.push_back(std::move(result_.dumps[i]));
    result_.dumps.resize(first);
  }

  void emit() {
    result_.program.name = work_.recording.name;
    for (const ReplayWord& each : best_.words) {
      result_.program.words.push_back(each.word);
      result_.sites.push_back(each.site);
    }
    result_.lregs = best_.lregs;
    result_.executed = count_executed(best_.words);
    result_.dumps.insert(result_.dumps.end(), best_.dumps.begin(), best_.dumps.end());
  }

  void run_phase(Phase phase) {
    for (const Pass& pass : passes()) {
      if (pass.phase != phase) continue;
      if (pass.option == nullptr || work_.options.*pass.option) pass.run(work_);
      if (wanted(pass.name)) result_.dumps.emplace_back(pass.name, pass.text(work_));
    }
  }

  bool wanted(std::string_view pass) const {
    return !pass.empty() && std::ranges::any_of(work_.options.dump, [&](const std::string& name) {
      return name == pass || name == "all";
    });
  }

  Work work_;
  Code selected_; ///< on virtual registers, in the order of the source
  Outcome best_;
  Compiled result_;
};

} // namespace

namespace {

/// Where every sum and product is followed by NOPs, one of both is worth an LReg, and where there
/// are few of those it may cost too many.
constexpr std::array kFusions{Fusion::OfLiterals, Fusion::AsRelease, Fusion::None};

bool tries_fusions(const Recording& recording, const Options& options) {
  return options.combine && arch_params(recording.arch).vector.settles_by_nops;
}

} // namespace

Recording combined(Recording recording, const Options& options) {
  if (!options.combine) return recording;
  const bool tries = tries_fusions(recording, options);
  combine(recording, tries ? compile(recording, options).fusion : Fusion::AsRelease);
  return recording;
}

Compiled compile(const Recording& recording, const Options& options) {
  if (!tries_fusions(recording, options))
    return Compilation(recording, options, Fusion::AsRelease).run();
  std::optional<Compiled> best;
  for (const Fusion fusion : kFusions) {
    Compiled made = Compilation(recording, options, fusion).run();
    const bool is_first = !best || !best->ok;
    if (is_first || (made.ok && made.program.words.size() < best->program.words.size()))
      best = std::move(made);
  }
  return std::move(*best);
}

} // namespace lanewise::compiler
