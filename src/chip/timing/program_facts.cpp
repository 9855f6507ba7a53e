#include "chip/timing/program_facts.h"

#include <algorithm>
#include <bit>

#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"

namespace lanewise::timing {

namespace {

using isa::Op;

/// Whether STALLWAIT waits for a unit to be idle.
bool stall_waits_for(Arch arch, const MicroOp& op, WaitFor what) {
  return op.op == Op::STALLWAIT &&
         (isa::decode(arch, op.word)["ConditionMask"] >> wait_condition(arch, what) & 1) != 0;
}

OpFacts op_facts(Arch arch, const MicroOp& op) {
  OpFacts facts;
  facts.word = known_word_facts(arch, op.word);
  facts.remainder = remainder_of(arch, op);
  facts.latency = facts.word.takes_two_cycles || facts.word.is_mad_class ? 2 : 1;
  facts.waits_vector = stall_waits_for(arch, op, WaitFor::VectorUnit);
  facts.waits_matrix = stall_waits_for(arch, op, WaitFor::MatrixUnit);
  if (facts.word.is_matrix) facts.matrix = matrix_facts(arch, op);
  facts.disables_lanes = isa::may_change_lanes(op.op) || op.op == Op::SFPLOADMACRO;
  facts.configures = op.op == Op::SFPCONFIG || facts.word.is_template_write;
  return facts;
}

/// Forms of words that were met last, each in its place.
class Places {
 public:
  /// For so many operations.
  explicit Places(std::size_t ops)
      : bits_(std::clamp<unsigned>(static_cast<unsigned>(std::bit_width(ops)), 1, kMostBits)),
        places_(std::size_t{1} << bits_) {}

  struct Place {
    std::uint32_t form = 0;
    std::uint32_t next = 0; ///< index into the distinct ones, from 1; 0 = empty
  };
  Place& operator[](std::uint32_t form) {
    constexpr std::uint32_t kSpread = 0x9E3779B1U;
    return places_[form * kSpread >> (32 - bits_)];
  }

 private:
  static constexpr unsigned kMostBits = 14;

  unsigned bits_;
  std::vector<Place> places_;
};

} // namespace

ProgramFacts::ProgramFacts(const MachineState& start, const MicroProgram& program) {
  const Arch arch = start.config.arch();
  // Flags that disable a lane in row 0 disable its column of SFPCONFIG.
  bool all_lanes = start.vector.use_flags == 0;
  Places places(program.ops.size());
  of_op_.reserve(program.ops.size());
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const MicroOp& op = program.ops[i];
    const std::uint32_t form = isa::form_of(arch, op.word);
    Places::Place& place = places[form];
    if (place.next == 0 || place.form != form) {
      distinct_.push_back(op_facts(arch, op));
      place = {form, static_cast<std::uint32_t>(distinct_.size())};
    }
    of_op_.push_back(place.next - 1);
    macros_ += op.op == Op::SFPLOADMACRO ? 1 : 0;
    if (op.op == Op::SFPCONFIG && configures_by_values(arch, op, all_lanes)) values_end_ = i + 1;
    all_lanes = all_lanes && !distinct_[of_op_.back()].disables_lanes;
  }
  if (!start.resting.empty()) values_end_ = kNever; // other lanes have their own
}

} // namespace lanewise::timing
