#include "source/compiler/passes.h"

#include <utility>

#include "chip/isa/disassembler.h"
#include "source/compiler/arrangements.h"
#include "source/compiler/cc.h"
#include "source/compiler/coalesce.h"
#include "source/compiler/combine.h"
#include "source/compiler/cse.h"
#include "source/compiler/dead_code.h"
#include "source/compiler/first_values.h"
#include "source/compiler/fold.h"
#include "source/compiler/fold_flags.h"
#include "source/compiler/hazards.h"
#include "source/compiler/hoist.h"
#include "source/compiler/replayable.h"
#include "source/compiler/rows.h"
#include "source/compiler/schedule.h"
#include "source/compiler/select.h"

namespace lanewise::compiler {

namespace {

std::string text_of_recording(const Work& work) {
  return to_text(work.recording);
}
/// With all that was found.
std::string text_of_last(const Work& work) {
  return to_text(work.alternatives.empty() ? work.recording : work.alternatives.back());
}
std::string text_of_code(const Work& work) {
  return to_text(work.code);
}
std::string text_of_allocation(const Work& work) {
  return to_text(work.allocation.code);
}
std::string text_of_words(const Work& work) {
  std::string text;
  for (const ReplayWord& each : work.words)
    text += isa::disassemble(work.code.arch, each.word.word) + "\n";
  return text;
}

/// One more alternative, if `change` finds something in the recording.
void add_alternative(Work& work, Recording recording, bool (*change)(Recording&)) {
  if (!change(recording)) return;
  if (work.options.dce) remove_dead_code(recording);
  work.alternatives.push_back(std::move(recording));
}

/// The vendor's compiler computes such things in the kernel.
void fold(Work& work) {
  if (compiled_as(work.recording, work.options) == CompiledAs::Shipped) return;
  add_alternative(work, work.recording, fold_known);
}

/// Of the recording, and of what it is without what is known.
void find_common(Work& work) {
  const bool is_folded = !work.alternatives.empty();
  add_alternative(work, work.recording, merge_common);
  if (is_folded) add_alternative(work, work.alternatives.front(), merge_common);
}

void select_instructions(Work& work) {
  work.code = select(work.chosen_recording(), work.attempt.constants);
  find_executed_words(work.code);
}

bool is_vendors(const Work& work) {
  return work.attempt.constants == ConstantLoads::WhereMade;
}

void coalesce_results(Work& work) {
  coalesce(work.code, is_vendors(work));
}
void fold_tests(Work& work) {
  fold_flags(work.code, work.recording.epoch, is_vendors(work));
}

/// Also with no constant to spare: those of all rows are loaded before the first one.
void hoist(Work& work) {
  if (work.arrangement.lregs != 0) hoist_constants(work.code, work.arrangement.hoisted);
}
void join(Work& work) {
  if (work.arrangement.rows <= 1) return;
  join_rows(work.code, work.arrangement.rows);
  if (work.options.hoist) share_constants(work.code);
}
void reorder(Work& work) {
  if (work.arrangement.lregs != 0) schedule(work.code, work.arrangement.lregs);
}

void encode_instructions(Work& work) {
  work.words.clear();
  const std::vector<bool> free = replayable(work.code);
  for (std::size_t i = 0; i < work.code.instrs.size(); ++i) {
    const Instr& instr = work.code.instrs[i];
    const std::uint32_t line = work.recording.sites[instr.site].line;
    work.words.push_back(
        {{encode(work.code.arch, instr), line, instr.computed}, instr.site, free[i]});
  }
}

constexpr std::array kPasses{
    Pass{Phase::Values, "record", nullptr, [](Work&) {}, text_of_recording},
    Pass{Phase::Values, "combine", &Options::combine,
         [](Work& w) { combine(w.recording, w.fusion); }, text_of_recording},
    Pass{Phase::Values, "", nullptr, [](Work& w) { take_first_values(w.recording); }, nullptr},
    Pass{Phase::Values, "dce", &Options::dce, [](Work& w) { remove_dead_code(w.recording); },
         text_of_recording},
    Pass{Phase::Values, "fold", &Options::fold, fold, text_of_last},
    Pass{Phase::Values, "cse", &Options::cse, find_common, text_of_last},
    Pass{Phase::Instructions, "select", nullptr, select_instructions, text_of_code},
    Pass{Phase::Instructions, "coalesce", nullptr, coalesce_results, text_of_code},
    Pass{Phase::Instructions, "flags", &Options::cc, fold_tests, text_of_code},
    Pass{Phase::Instructions, "cc", &Options::cc, [](Work& w) { simplify_predicates(w.code); },
         text_of_code},
    Pass{Phase::Order, "hoist", &Options::hoist, hoist, text_of_code},
    Pass{Phase::Order, "rows", &Options::rows, join, text_of_code},
    Pass{Phase::Order, "schedule", &Options::schedule, reorder, text_of_code},
    Pass{Phase::Registers, "allocate", nullptr,
         [](Work& w) { w.allocation = allocate(w.code, w.attempt.keep_raw); }, text_of_allocation},
    Pass{Phase::Words, "hazards", nullptr, [](Work& w) { insert_nops(w.code); }, text_of_code},
    Pass{Phase::Words, "", nullptr, encode_instructions, nullptr},
    Pass{Phase::Replay, "replay", &Options::replay,
         [](Work& w) { w.words = compress(w.code.arch, std::move(w.words)); }, text_of_words},
};

/// Whether kPassNames names the passes as they stand here.
consteval bool are_named() {
  std::size_t named = 0;
  for (const Pass& pass : kPasses) {
    if (pass.name.empty()) continue;
    if (named == kPassNames.size() || pass.name != kPassNames[named]) return false;
    ++named;
  }
  return named == kPassNames.size();
}
static_assert(are_named(), "source/compiler/pass_names.h has other names");

} // namespace

std::span<const Pass> passes() {
  return kPasses;
}

} // namespace lanewise::compiler
