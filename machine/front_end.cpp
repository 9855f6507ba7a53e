#include "machine/front_end.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/control.h"
#include "machine/static_faults.h"

namespace lanewise {

namespace {

constexpr std::uint8_t kReplayOpcode = 0x04;

/// REPLAY's fields (ISA REPLAY). A count of 0 means 64.
struct Replay {
  unsigned index, count;
  bool execute, load;
};

Replay decode_replay(Arch arch, std::uint32_t word) {
  const isa::Decoded d = isa::decode(arch, word);
  const unsigned count = d["Count"];
  return {.index = d["Index"],
          .count = count == 0 ? 64 : count,
          .execute = d["Exec"] != 0,
          .load = d["Load"] != 0};
}

} // namespace

/// One run of expand().
class FrontEnd::Expansion {
 public:
  Expansion(FrontEnd& front_end, const Program& program)
      : front_end_(front_end), program_(program) {}

  MicroProgram run() {
    for (next_ = 0; next_ < program_.words.size();) {
      const ProgramWord word = program_.words[next_++];
      if (isa::opcode_of(word.word) == kReplayOpcode) {
        replay(word);
      } else {
        emit(word, false);
      }
    }
    return std::move(result_);
  }

 private:
  void replay(ProgramWord command) {
    const Replay r = decode_replay(front_end_.arch_, command.word);
    if (r.load) {
      record(command, r);
    } else {
      play(command, r);
    }
  }

  void record(ProgramWord command, const Replay& r) {
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
      if (next_ == program_.words.size()) {
        report({.kind = FaultKind::UndefinedBehavior,
                .message = fmt::format("records {} instructions, but only {} follow", r.count, i),
                .remedy = "make the count that of the recorded instructions",
                .rule = "ISA REPLAY",
                .instruction = "REPLAY",
                .line = command.line});
        return;
      }
      const ProgramWord word = program_.words[next_++];
      overwrite(slot(r, i), {word, true, front_end_.records_, command.line, 0});
      // What is recorded is not looked at: a REPLAY among it comes out as it is, behind the
      // expander.
      if (r.execute) emit(word, false);
    }
  }

  /// What is left of a recording that loses a slot remembers who took it.
  void overwrite(Slot& old, const Slot& by) {
    const std::uint32_t lost = old.recorded && old.record != by.record ? old.record : 0;
    old = by;
    if (lost == 0) return;
    for (Slot& each : front_end_.replay_) {
      if (each.record == lost) each.overwritten_by = by.record_line;
    }
  }

  /// timing.md, patterns: slots overwritten by another user.
  void check_recordings(ProgramWord command, const Replay& r) {
    for (unsigned i = 0; i < r.count; ++i) {
      const Slot& each = slot(r, i);
      if (!each.recorded || each.overwritten_by == 0) continue;
      report({.kind = FaultKind::Hazard,
              .message = fmt::format(
                  "replays slot {} of what line {} recorded, of which line {} has "
                  "overwritten a part",
                  (r.index + i) % front_end_.replay_.size(), each.record_line, each.overwritten_by),
              .remedy = "record again, or use other slots",
              .rule = "timing.md, patterns",
              .instruction = "REPLAY",
              .line = command.line});
      return;
    }
  }

  void play(ProgramWord command, const Replay& r) {
    check_recordings(command, r);
    for (unsigned i = 0; i < r.count; ++i) {
      const Slot& each = slot(r, i);
      if (!each.recorded) {
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
      emit(each.word, true);
    }
  }

  Slot& slot(const Replay& r, unsigned i) {
    return front_end_.replay_[(r.index + i) % front_end_.replay_.size()];
  }

  void emit(ProgramWord word, bool expanded) {
    if (isa::opcode_of(word.word) == kReplayOpcode) {
      report(
          {.kind = FaultKind::UndefinedBehavior,
           .message = "is itself recorded, so it would reach the execution units; it was left out",
           .remedy = "do not nest REPLAY",
           .rule = "ISA REPLAY",
           .instruction = "REPLAY",
           .line = word.line});
      return;
    }
    auto op = decode_micro_op(front_end_.arch_, word.word, word.line);
    if (!op) {
      report(op.error());
      op = unexecuted(word);
      if (!op) return;
    }
    for (Fault& fault : static_faults(front_end_.arch_, word.word, word.line))
      report(std::move(fault));
    result_.ops.push_back(*op);
    result_.supply.push_back({static_cast<std::uint32_t>(next_ - 1), expanded});
  }

  /// An instruction that the chip has and this program does not execute takes its time all the
  /// same.
  Expected<MicroOp> unexecuted(ProgramWord word) const {
    const isa::Row* row = isa::decode(front_end_.arch_, word.word).row;
    if (row == nullptr) return bad_input("no instruction");
    MicroOp op;
    op.kernel = op.instruction = no_effect;
    op.word = word.word;
    op.line = word.line;
    op.op = row->op;
    return op;
  }

  /// One entry per kind, text and line, however often the line is expanded.
  void report(Fault fault) {
    fault.file = program_.name;
    if (std::find(result_.faults.begin(), result_.faults.end(), fault) == result_.faults.end() &&
        result_.faults.size() < kMaxFaults) {
      result_.faults.push_back(std::move(fault));
    }
  }

  static constexpr std::size_t kMaxFaults = 1000;

  FrontEnd& front_end_;
  const Program& program_;
  std::size_t next_ = 0;
  MicroProgram result_;
};

MicroProgram FrontEnd::expand(const Program& program) {
  return Expansion(*this, program).run();
}

} // namespace lanewise
