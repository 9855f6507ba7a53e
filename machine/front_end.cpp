#include "machine/front_end.h"

#include <fmt/format.h>

#include <algorithm>

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
        emit(word);
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
      slot(r, i) = {word, true};
      // What is recorded is not looked at: a REPLAY among it comes out as it is, behind the
      // expander.
      if (r.execute) emit(word);
    }
  }

  void play(ProgramWord command, const Replay& r) {
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
      emit(each.word);
    }
  }

  Slot& slot(const Replay& r, unsigned i) {
    return front_end_.replay_[(r.index + i) % front_end_.replay_.size()];
  }

  void emit(ProgramWord word) {
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
      return;
    }
    for (Fault& fault : static_faults(front_end_.arch_, word.word, word.line))
      report(std::move(fault));
    result_.ops.push_back(*op);
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
