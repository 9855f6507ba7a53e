#include "compiler/compiler.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/allocate.h"
#include "compiler/cc.h"
#include "compiler/coalesce.h"
#include "compiler/combine.h"
#include "compiler/dead_code.h"
#include "compiler/diagnostics.h"
#include "compiler/first_values.h"
#include "compiler/fold_flags.h"
#include "compiler/hazards.h"
#include "compiler/replay.h"
#include "compiler/replayable.h"
#include "compiler/select.h"
#include "isa/assembly/assembly.h"
#include "isa/encoding.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

unsigned count_executed(Arch arch, const std::vector<ReplayWord>& words) {
  unsigned executed = 0;
  for (const ReplayWord& each : words) {
    const isa::Decoded d = isa::decode(arch, each.word.word);
    const bool is_replay = d.row != nullptr && d.row->op == Op::REPLAY;
    if (!is_replay) {
      ++executed;
    } else if (d["Load"] == 0) {
      executed += d["Count"];
    }
  }
  return executed;
}

class Compilation {
 public:
  Compilation(const Recording& recording, const Options& options)
      : recording_(recording), options_(options) {}

  Compiled run() {
    dump_ir("record");
    if (options_.combine) combine(recording_);
    dump_ir("combine");
    take_first_values(recording_);
    if (options_.dce) remove_dead_code(recording_);
    dump_ir("dce");
    if (!make_code()) return std::move(result_);
    insert_nops(code_);
    dump_code("hazards");
    emit();
    result_.ok = true;
    return std::move(result_);
  }

 private:
  /// From values to LRegs. What keeps values apart is given up step by step, until the LRegs do.
  bool make_code() {
    struct Attempt {
      bool keep_constants, keep_raw;
    };
    std::vector<Attempt> attempts{{true, true}, {true, false}};
    if (options_.rematerialize) attempts.insert(attempts.end(), {{false, true}, {false, false}});
    Allocation last;
    for (const Attempt& attempt : attempts) {
      code_ = select(recording_, attempt.keep_constants);
      find_executed_words(code_);
      const std::string selected = wanted("select") ? to_text(code_) : "";
      coalesce(code_);
      const std::string coalesced = wanted("coalesce") ? to_text(code_) : "";
      if (options_.cc) fold_flags(code_);
      const std::string folded = wanted("flags") ? to_text(code_) : "";
      if (options_.cc) simplify_predicates(code_);
      if (auto faults = check_nesting(recording_, code_); !faults.empty()) {
        result_.diagnostics = std::move(faults);
        return false;
      }
      const std::string simplified = wanted("cc") ? to_text(code_) : "";
      Allocation allocation = allocate(code_, attempt.keep_raw);
      if (!allocation.done) {
        if (last.code.instrs.empty() || last.pressure.wanted) last = std::move(allocation);
        continue;
      }
      if (wanted("select")) result_.dumps.emplace_back("select", selected);
      if (wanted("coalesce")) result_.dumps.emplace_back("coalesce", coalesced);
      if (wanted("flags")) result_.dumps.emplace_back("flags", folded);
      if (wanted("cc")) result_.dumps.emplace_back("cc", simplified);
      if (options_.warn) result_.diagnostics = check_raw_words(recording_, code_);
      result_.lregs = allocation.lregs_used;
      code_ = std::move(allocation.code);
      dump_code("allocate");
      return true;
    }
    result_.diagnostics.push_back(out_of_registers(recording_, last.code, last.pressure));
    return false;
  }

  void emit() {
    const std::vector<bool> free = replayable(code_);
    std::vector<ReplayWord> words;
    for (std::size_t i = 0; i < code_.instrs.size(); ++i) {
      const Instr& instr = code_.instrs[i];
      words.push_back(
          {{encode(code_.arch, instr), recording_.sites[instr.site].line}, instr.site, free[i]});
    }
    if (options_.replay) words = compress(code_.arch, std::move(words));
    result_.program.name = recording_.name;
    for (const ReplayWord& each : words) {
      result_.program.words.push_back(each.word);
      result_.sites.push_back(each.site);
    }
    result_.executed = count_executed(code_.arch, words);
    if (!wanted("replay")) return;
    std::string text;
    for (const ReplayWord& each : words)
      text += isa::disassemble(code_.arch, each.word.word) + "\n";
    result_.dumps.emplace_back("replay", std::move(text));
  }

  bool wanted(const std::string& pass) const {
    return std::any_of(options_.dump.begin(), options_.dump.end(),
                       [&](const std::string& name) { return name == pass || name == "all"; });
  }
  void dump_ir(const std::string& pass) {
    if (wanted(pass)) result_.dumps.emplace_back(pass, to_text(recording_));
  }
  void dump_code(const std::string& pass) {
    if (wanted(pass)) result_.dumps.emplace_back(pass, to_text(code_));
  }

  Recording recording_;
  const Options& options_;
  Code code_;
  Compiled result_;
};

} // namespace

const std::vector<std::string>& pass_names() {
  static const std::vector<std::string> kNames{"record",   "combine", "dce", "select",
                                               "coalesce", "flags",   "cc",  "allocate",
                                               "hazards",  "replay"};
  return kNames;
}

Recording combined(Recording recording, const Options& options) {
  if (options.combine) combine(recording);
  return recording;
}

Compiled compile(const Recording& recording, const Options& options) {
  return Compilation(recording, options).run();
}

} // namespace lanewise::compiler
