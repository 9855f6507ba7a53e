// What an instruction that has issued leaves under way.
#include <bit>

#include "chip/clock/thread_issue.h"

namespace lanewise::clock {

namespace {

using isa::Unit;

tile::Instruction instruction(unsigned thread, const KnownWord& known) {
  return {.thread = thread, .word = {.word = known.word, .line = 0}, .decoded = known.decoded};
}

} // namespace

/// What an executed instruction leaves under way.
void ThreadIssue::work(unsigned thread, const KnownWord& known, const BankOwners& before) {
  const BankOwners after = SourceClock::owners(machine());
  const auto until = [&](WaitFor unit, std::uint64_t cycle) {
    units_.work_until(thread, unit, cycle);
  };
  switch (known.decoded.row->unit) {
    case Unit::Matrix: {
      const bool writes_dst = known.matrix.writes_block;
      enter(WorkUnit::Matrix, known);
      until(WaitFor::MatrixUnit, at_ + (writes_dst ? chip_.dst_drain : chip_.matrix_drain));
      sources_.change(before, after, at_ + chip_.hand_back);
      break;
    }
    case Unit::Vector:
      enter(WorkUnit::Vector, known);
      until(WaitFor::VectorUnit, vector_.busy_until() + chip_.vector_drain);
      break;
    case Unit::Unpacker: unpack(thread, known, before); break;
    case Unit::Packer: pack(thread); break;
    case Unit::Miscellaneous: sources_.change(before, after, at_ + chip_.set_valid); break;
    case Unit::Sync: synchronise(thread, known); break;
    case Unit::Scalar:
      until(WaitFor::ScalarMemory, at_ + known.occupies + chip_.scalar_done - 1);
      break;
    case Unit::Configuration:
      until(WaitFor::ConfigurationUnit, at_ + known.occupies + chip_.config_done - 1);
      break;
    case Unit::FrontEnd:
    case Unit::Mover: break;
  }
}

void ThreadIssue::unpack(unsigned thread, const KnownWord& known, const BankOwners& before) {
  const unsigned unpacker = known.unpacker;
  const BankOwners after = SourceClock::owners(machine());
  if (known.clears) {
    const std::uint64_t awaited = known.clears_after_math ? sources_.went_on(unpacker) : 0;
    return sources_.change(before, after, units_.clear(thread, unpacker, awaited, at_));
  }
  UnpackWork work = work_of(traffic_.unpacker[unpacker], tile_.state().traffic.unpacker[unpacker]);
  const SourceFile& file = unpacker == 0 ? machine().srca : machine().srcb;
  const bool hands_over = before.of_matrix_unit[unpacker] != after.of_matrix_unit[unpacker];
  work.bank_from = sources_.from(unpacker, hands_over ? file.filling ^ 1U : file.filling);
  sources_.change(before, after, units_.unpack(thread, unpacker, work, at_));
}

void ThreadIssue::pack(unsigned thread) {
  for (unsigned packer = 0; packer < traffic_.packer.size(); ++packer) {
    const tile::Traffic::OfPacker& now = tile_.state().traffic.packer[packer];
    if (now.instructions == traffic_.packer[packer].instructions) continue;
    units_.pack(thread, packer, work_of(traffic_.packer[packer], now), at_);
    if (now.ends <= ended_tiles_) continue;
    ended_tiles_ = now.ends;
    last_end_ = at_;
  }
}

void ThreadIssue::synchronise(unsigned thread, const KnownWord& known) {
  if (known.is_wait) {
    threads_[thread].gate = Gate{tile::wait_of(tile_.arch(), instruction(thread, known)), at_ + 1};
    return;
  }
  for (std::uint32_t left = known.semaphores; left != 0; left &= left - 1)
    semaphore_from_[static_cast<unsigned>(std::countr_zero(left))] = at_ + chip_.post_latency;
}

} // namespace lanewise::clock
