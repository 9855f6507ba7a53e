#include "compiler/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/combine.h"
#include "compiler/diagnostics.h"
#include "compiler/hazards.h"
#include "compiler/passes.h"
#include "isa/replay.h"

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
  Compilation(const Recording& recording, const Options& options)
      : work_{.recording = recording, .options = options} {}

  Compiled run() {
    run_phase(Phase::Values);
    if (!make_code()) return std::move(result_);
    run_phase(Phase::Words);
    emit();
    result_.ok = true;
    return std::move(result_);
  }

 private:
  /// With and without what "cse" found: the shorter code stays. Keeping a value may cost more than
  /// making it again, where LRegs run out or an operation cannot overwrite its operand.
  bool make_code() {
    const Compiled values = result_;
    const bool made = allocate_code();
    if (!work_.merged) return made;
    Compiled plain = std::exchange(result_, values);
    Code plain_code = std::move(work_.code);
    work_.use_merged = true;
    if (allocate_code() && (!made || length(work_.code) < length(plain_code))) return true;
    result_ = std::move(plain);
    work_.code = std::move(plain_code);
    return made;
  }

  /// Number of instructions, with the SFPNOPs that they need.
  static std::size_t length(Code code) {
    insert_nops(code);
    return code.instrs.size();
  }

  /// From values to LRegs. What keeps values apart is given up step by step, until the LRegs do.
  bool allocate_code() {
    std::vector<Attempt> attempts{{true, true}, {true, false}};
    if (work_.options.rematerialize)
      attempts.insert(attempts.end(), {{false, true}, {false, false}});
    Allocation last;
    for (const Attempt& attempt : attempts) {
      work_.attempt = attempt;
      const std::size_t dumped = result_.dumps.size();
      run_phase(Phase::Instructions);
      if (auto faults = check_nesting(work_.recording, work_.code); !faults.empty()) {
        result_.dumps.resize(dumped);
        result_.diagnostics = std::move(faults);
        return false;
      }
      run_phase(Phase::Registers);
      if (work_.allocation.done) {
        if (work_.options.warn) result_.diagnostics = check_raw_words(work_.recording, work_.code);
        result_.lregs = work_.allocation.lregs_used;
        work_.code = std::move(work_.allocation.code);
        return true;
      }
      result_.dumps.resize(dumped);
      if (last.code.instrs.empty() || last.pressure.wanted) last = std::move(work_.allocation);
    }
    result_.diagnostics.push_back(out_of_registers(work_.recording, last.code, last.pressure));
    return false;
  }

  void emit() {
    result_.program.name = work_.recording.name;
    for (const ReplayWord& each : work_.words) {
      result_.program.words.push_back(each.word);
      result_.sites.push_back(each.site);
    }
    result_.executed = count_executed(work_.words);
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
  Compiled result_;
};

} // namespace

Recording combined(Recording recording, const Options& options) {
  if (options.combine) combine(recording);
  return recording;
}

Compiled compile(const Recording& recording, const Options& options) {
  return Compilation(recording, options).run();
}

} // namespace lanewise::compiler
