#include "chip/machine/frontend/front_end.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "base/fault_list.h"
#include "base/source_line.h"
#include "chip/isa/limits.h"
#include "chip/isa/replay.h"
#include "chip/machine/control.h"
#include "chip/machine/frontend/static_faults.h"

namespace lanewise {

namespace {

constexpr std::uint8_t kMopOpcode = 0x01;
constexpr std::uint8_t kMopCfgOpcode = 0x03;
} // namespace

/// One run of expand().
class FrontEnd::Expansion {
 public:
  Expansion(FrontEnd& front_end, const Program& program)
      : front_end_(front_end), program_(program), known_records_(front_end.records_) {
    front_end_.mop_.forget_lines();
    front_end_.decoded_.use_level(simd_level());
  }

  MicroProgram run() {
    result_.ops.reserve(program_.words.size());
    result_.supply.reserve(program_.words.size());
    while (true) {
      issue_known_words();
      const std::optional<Incoming> incoming = pull();
      if (!incoming) break;
      if (has_expanders_ && is_replay(incoming->word)) {
        replay(*incoming, *isa::replay_command(incoming->word.word));
      } else {
        emit(incoming->word, incoming->supply.word, incoming->supply.expanded);
      }
    }
    result_.faults = faults_.take();
    return std::move(result_);
  }

 private:
  /// An instruction on its way to the replay expander.
  struct Incoming {
    ProgramWord word;
    Supply supply;
  };

  /// Words that no expander takes and that have been decoded, up to the next other one.
  void issue_known_words() {
    if (loop_next_ < loop_.size()) return;
    while (next_ < program_.words.size() && issued_ < isa::kMostWords) {
      const ProgramWord& word = program_.words[next_];
      const MicroOp* const known = word.computed ? nullptr : front_end_.decoded_.find(word.word);
      if (known == nullptr) return;
      ++issued_;
      issue(*known, word.line, static_cast<std::uint32_t>(next_++), false);
    }
  }

  /// The next instruction that leaves the MOP expander.
  std::optional<Incoming> pull() {
    for (;;) {
      if (loop_next_ < loop_.size()) return Incoming{loop_[loop_next_++], {loop_word_, true}};
      configure_mop();
      if (next_ == program_.words.size() || full_) return std::nullopt;
      const auto index = static_cast<std::uint32_t>(next_);
      const ProgramWord word = program_.words[next_++];
      if (word.computed) result_.computed.push_back(index);
      if (!has_expanders_) return Incoming{word, {index, false}};
      switch (isa::opcode_of(word.word)) {
        case kMopOpcode: expand_mop(word, index); break;
        case kMopCfgOpcode:
          front_end_.mop_.set_mask_high(static_cast<std::uint16_t>(word.word));
          break;
        default: return Incoming{word, {index, false}};
      }
    }
  }

  /// What the core has written to MopCfg up to the next word.
  void configure_mop() {
    for (; setting_ < program_.mop.size() && program_.mop[setting_].before <= next_; ++setting_) {
      const MopSetting& setting = program_.mop[setting_];
      front_end_.mop_.configure(setting.index, setting.value, setting.line);
    }
  }

  void expand_mop(ProgramWord command, std::uint32_t index) {
    MopExpansion expansion = front_end_.mop_.expand(command.word);
    if (expansion.unset != 0) {
      report({.kind = FaultKind::UnpredictableValue,
              .message = fmt::format("expands MopCfg[{}], which nothing has written; NOP or 0 was "
                                     "taken",
                                     std::countr_zero(expansion.unset)),
              .remedy = "write the words that the template uses with .mop",
              .rule = "ISA MOPExpander",
              .instruction = "MOP",
              .line = command.line});
    }
    loop_ = std::move(expansion.words);
    loop_next_ = 0;
    loop_word_ = index;
    for (ProgramWord& word : loop_) {
      if (word.line == 0) word.line = command.line;
    }
  }

  void replay(const Incoming& incoming, const isa::ReplayCommand& r) {
    if (r.load) {
      record(incoming.word, r);
    } else {
      play(incoming, r);
    }
  }

  void record(ProgramWord command, const isa::ReplayCommand& r) {
    if (r.count > front_end_.replay_.size()) {
      report(
          {.kind = FaultKind::Hazard,
           .message = fmt::format("records {} instructions into {} slots: the last overwrite the "
                                  "first",
                                  r.count, front_end_.replay_.size()),
           .remedy = "record at most 32 instructions",
           .rule = "timing.md, patterns",
           .instruction = "REPLAY",
           .line = command.line});
    }
    ++front_end_.records_;
    for (unsigned i = 0; i < r.count; ++i) {
      const std::optional<Incoming> incoming = pull();
      if (!incoming) {
        report({.kind = FaultKind::UndefinedBehavior,
                .message = fmt::format("records {} instructions, but only {} follow", r.count, i),
                .remedy = "make the count that of the recorded instructions",
                .rule = "ISA REPLAY",
                .instruction = "REPLAY",
                .line = command.line});
        return;
      }
      overwrite(slot(r, i), {incoming->word, true, front_end_.records_, command.line, 0});
      if (is_replay(incoming->word)) {
        report_swallowed(command, r, i, incoming->word);
      } else if (r.execute) {
        emit(incoming->word, incoming->supply.word, incoming->supply.expanded);
      }
    }
  }

  static bool is_replay(ProgramWord word) { return isa::is_replay(word.word); }

  /// What is recorded is not looked at: a REPLAY among it comes out as it is, behind the expander.
  void report_swallowed(ProgramWord command, const isa::ReplayCommand& r, unsigned before,
                        ProgramWord lost) {
    report({.kind = FaultKind::UndefinedBehavior,
            .message = fmt::format("records {} instructions, and number {} of them is the REPLAY "
                                   "of line {}: that is recorded instead of replaying, and was "
                                   "left out",
                                   r.count, before + 1, lost.line),
            .remedy = fmt::format("make the count that of the instructions to record: {} {} before "
                                  "that REPLAY",
                                  before, before == 1 ? "stands" : "stand"),
            .rule = "ISA REPLAY",
            .instruction = "REPLAY",
            .line = command.line});
  }

  /// What is left of a recording that loses a slot remembers who took it.
  void overwrite(Slot& old, const Slot& by) {
    const std::uint32_t lost = old.recorded && old.record != by.record ? old.record : 0;
    const std::uint32_t before_line = lost != 0 ? old.record_line : 0;
    old = by;
    old.before_line = before_line;
    if (lost == 0) return;
    for (Slot& each : front_end_.replay_) {
      if (each.record == lost) each.overwritten_by = by.record_line;
    }
  }

  /// timing.md, patterns: slots overwritten by another user.
  void check_recordings(ProgramWord command, const isa::ReplayCommand& r) {
    for (unsigned i = 0; i < r.count; ++i) {
      const Slot& each = slot(r, i);
      if (!each.recorded || each.overwritten_by == 0) continue;
      report({.kind = FaultKind::Hazard,
              .message = fmt::format(
                  "replays slot {} of what {} recorded, of which {} has overwritten a part",
                  (r.index + i) % front_end_.replay_.size(), line_text(each.record_line),
                  line_text(each.overwritten_by)),
              .remedy = "record again, or use other slots",
              .rule = "timing.md, patterns",
              .instruction = "REPLAY",
              .line = command.line});
      return;
    }
  }

  /// A REPLAY of one file that plays what another has recorded over its own: a header's init has
  /// recorded, and the caller takes the slots for itself.
  void check_owner(ProgramWord command, const isa::ReplayCommand& r) {
    for (unsigned i = 0; i < r.count; ++i) {
      const Slot& each = slot(r, i);
      if (!each.recorded || each.before_line == 0) continue;
      const std::string player = source_place(command.line).file;
      if (source_place(each.record_line).file == player ||
          source_place(each.before_line).file != player)
        continue;
      report({.kind = FaultKind::Hazard,
              .message = fmt::format(
                  "replays slot {}, into which {} has recorded over what {} had recorded for it",
                  (r.index + i) % front_end_.replay_.size(), line_text(each.record_line),
                  line_text(each.before_line)),
              .remedy = "record again, or use other slots",
              .rule = "timing.md, patterns",
              .instruction = "REPLAY",
              .line = command.line});
      return;
    }
  }

  void play(const Incoming& incoming, const isa::ReplayCommand& r) {
    const ProgramWord command = incoming.word;
    check_recordings(command, r);
    check_owner(command, r);
    for (unsigned i = 0; i < r.count; ++i) {
      const Slot& each = slot(r, i);
      if (!each.recorded) {
        if (is_full(command)) return;
        report({.kind = FaultKind::UnpredictableValue,
                .message = fmt::format(
                    "replays slot {}, into which nothing has been recorded; it was left out",
                    (r.index + i) % front_end_.replay_.size()),
                .remedy = "record the slots before you replay them",
                .rule = "ISA REPLAY",
                .instruction = "REPLAY",
                .line = command.line});
        continue;
      }
      if (is_replay(each.word) && each.record > known_records_) continue; // has been reported
      emit(each.word, incoming.supply.word, true);
    }
  }

  Slot& slot(const isa::ReplayCommand& r, unsigned i) {
    return front_end_.replay_[(r.index + i) % front_end_.replay_.size()];
  }

  /// What only an expander understands, and what none of them has taken.
  bool is_misplaced(ProgramWord word) {
    const std::uint8_t opcode = isa::opcode_of(word.word);
    if (is_replay(word)) {
      report(
          {.kind = FaultKind::UndefinedBehavior,
           .message = "is itself recorded, so it would reach the execution units; it was left out",
           .remedy = "do not nest REPLAY",
           .rule = "ISA REPLAY",
           .instruction = "REPLAY",
           .line = word.line});
      return true;
    }
    if (opcode == kMopOpcode || opcode == kMopCfgOpcode) {
      report({.kind = FaultKind::UndefinedBehavior,
              .message = "comes out of the MOP expander, so it would reach the execution units; it "
                         "was left out",
              .remedy = "do not nest MOP",
              .rule = "ISA MOPExpander",
              .instruction = opcode == kMopOpcode ? "MOP" : "MOP_CFG",
              .line = word.line});
      return true;
    }
    return false;
  }

  /// Counts an instruction, whether or not it can be executed. True if there is no room for it.
  bool is_full(ProgramWord word) {
    if (full_) return true;
    full_ = issued_++ == isa::kMostWords;
    if (full_) {
      report({.kind = FaultKind::Unsupported,
              .message = fmt::format("the program expands to more than {} instructions here; the "
                                     "rest was left out",
                                     isa::kMostWords),
              .remedy = "run it in parts",
              .line = word.line});
    }
    return full_;
  }

  /// `by` and `expanded` as in Supply: apart, since a processor is slow to read what it has just
  /// written in two pieces.
  void emit(ProgramWord word, std::uint32_t by, bool expanded) {
    if (is_full(word)) return;
    if (const MicroOp* known = front_end_.decoded_.find(word.word)) {
      issue(*known, word.line, by, expanded);
    } else if (!has_expanders_ || !is_misplaced(word)) {
      decode(isa::decode(front_end_.arch_, word.word), word.line, by, expanded);
    }
  }

  void issue(const MicroOp& op, std::uint32_t line, std::uint32_t by, bool expanded) {
    result_.ops.push_back(op);
    result_.ops.back().line = line;
    result_.supply.push_back({by, expanded});
  }

  void decode(const isa::Decoded& decoded, std::uint32_t line, std::uint32_t by, bool expanded) {
    const auto op = find_micro_op(front_end_.arch_, decoded, line);
    // What is not taken any more need not be found.
    const bool is_flawless = !faults_.is_full() && report_faults(decoded, op.has_value(), line);
    if (is_flawless) front_end_.decoded_.remember(*op);
    if (op) {
      issue(*op, line, by, expanded);
    } else if (decoded.row != nullptr) {
      issue(unexecuted(decoded), line, by, expanded);
    }
  }

  /// False if there was something to report.
  bool report_faults(const isa::Decoded& decoded, bool is_executed, std::uint32_t line) {
    if (!is_executed) report(decode_micro_op(front_end_.arch_, decoded.word, line).error());
    std::vector<Fault> faults = static_faults(front_end_.arch_, decoded.word, line);
    const bool is_flawless = is_executed && faults.empty();
    for (Fault& fault : faults) report(std::move(fault));
    return is_flawless;
  }

  /// An instruction that the chip has and this program does not execute takes its time all the
  /// same.
  static MicroOp unexecuted(const isa::Decoded& decoded) {
    MicroOp op;
    op.kernel = op.instruction = no_effect;
    op.word = decoded.word;
    op.op = decoded.row->op;
    return op;
  }

  /// One entry per kind, text and line, however often the line is expanded.
  void report(Fault fault) {
    fault.file = program_.name;
    settle_place(fault);
    faults_.add(std::move(fault));
  }

  static constexpr std::size_t kMaxFaults = 1000;

  FrontEnd& front_end_;
  const Program& program_;
  /// MOP and REPLAY are known of the chip; else they are opcodes that it lacks.
  const bool has_expanders_ = arch_params(front_end_.arch_).front_end.replay_slots != 0;
  std::uint32_t known_records_;   ///< REPLAYs that have recorded before this program
  std::size_t next_ = 0;          ///< of the program's words
  std::size_t setting_ = 0;       ///< next of its MOP settings
  std::vector<ProgramWord> loop_; ///< what the last MOP has expanded to
  std::size_t loop_next_ = 0;     ///< next of those
  std::uint32_t loop_word_ = 0;   ///< index of that MOP
  std::size_t issued_ = 0;        ///< instructions that have come out of the replay expander
  bool full_ = false;             ///< there were more than a program may have
  MicroProgram result_;
  FaultList faults_{kMaxFaults};
};

MicroProgram FrontEnd::expand(const Program& program) {
  return Expansion(*this, program).run();
}

} // namespace lanewise
