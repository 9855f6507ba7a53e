#include "chip/tile/sync_unit.h"

#include <bit>

#include "chip/isa/op.h"
#include "chip/tile/instruction.h"

namespace lanewise::tile {

namespace {

using isa::Op;

constexpr Finding kOverflow{FaultKind::NonContractual,
                            "posts a semaphore that is at its maximum already: it counts on, since "
                            "only waits look at the maximum",
                            "wait for it with SEMWAIT before you post", "core.md 7, 27"};
constexpr Finding kSaturated{FaultKind::Hazard,
                             "posts a semaphore that is 15: it stays so, and the post is lost",
                             "wait for it with SEMWAIT before you post", "core.md 7"};
constexpr Finding kUnderflow{FaultKind::Hazard,
                             "takes from a semaphore that is 0: it stays so, and nothing was taken",
                             "wait for it with SEMWAIT before you take", "core.md 7"};
constexpr Finding kValueAboveMax{
    FaultKind::NonContractual, "sets a semaphore to more than its maximum",
    "make the maximum the largest value that it shall have", "core.md 7"};
constexpr Finding kNoMutex{FaultKind::UndefinedBehavior,
                           "names a mutex that the chip does not have; nothing was done",
                           "docs/tile.md lists those that there are", "core.md 7"};
constexpr Finding kHasMutex{FaultKind::NonContractual, "takes a mutex that its thread has already",
                            "take every mutex once", "core.md 7"};
constexpr Finding kForeignMutex{
    FaultKind::NonContractual, "gives back a mutex that its thread does not have; nothing was done",
    "take it first", "core.md 7"};

void init_semaphore(TileState& tile, const Instruction& i, Semaphore& semaphore) {
  semaphore.max = static_cast<std::uint8_t>(i["NewMax"]);
  semaphore.value = static_cast<std::uint8_t>(i["NewValue"]);
  if (semaphore.value > semaphore.max) note(tile, i, kValueAboveMax);
}

void post_semaphore(TileState& tile, const Instruction& i, Semaphore& semaphore) {
  if (semaphore.value == kLargestSemaphore) return note(tile, i, kSaturated);
  // One whose maximum nobody has set counts without one.
  if (semaphore.max != 0 && semaphore.value >= semaphore.max) note(tile, i, kOverflow);
  ++semaphore.value;
}

void get_semaphore(TileState& tile, const Instruction& i, Semaphore& semaphore) {
  if (semaphore.value == 0) return note(tile, i, kUnderflow);
  --semaphore.value;
}

/// SEMINIT, SEMPOST and SEMGET, of every semaphore in the mask.
template <class Change>
Wait change_semaphores(TileState& tile, const Instruction& i, Change&& change) {
  for (std::uint32_t left = i["SemaphoreMask"]; left != 0; left &= left - 1)
    change(tile, i, tile.sync.semaphore[static_cast<unsigned>(std::countr_zero(left))]);
  return {};
}

bool has_mutex(const TileState& tile, std::uint32_t index) {
  return index < kMutexes && (arch_params(tile.arch()).tile.mutexes >> index & 1U) != 0;
}

/// Whether another thread waits for the mutex whose turn is before this one's (core.md 7).
bool has_to_stand_back(const TileState& tile, unsigned thread, std::uint32_t index) {
  const unsigned first = (tile.sync.mutex[index].last_owner + 1) % kThreads;
  const auto turn = [&](unsigned each) { return (each + kThreads - first) % kThreads; };
  for (unsigned other = 0; other < kThreads; ++other) {
    const Wait& wait = tile.thread[other].wait;
    if (other != thread && wait.cause == WaitCause::Mutex && wait.what == index &&
        turn(other) < turn(thread))
      return true;
  }
  return false;
}

Wait take_mutex(TileState& tile, const Instruction& i) {
  const std::uint32_t index = i["Index"];
  if (!has_mutex(tile, index)) {
    note(tile, i, kNoMutex);
    return {};
  }
  Mutex& mutex = tile.sync.mutex[index];
  if (mutex.owner == i.thread) {
    note(tile, i, kHasMutex);
    return {};
  }
  if (mutex.owner || has_to_stand_back(tile, i.thread, index))
    return waits_for(WaitCause::Mutex, i, index);
  mutex.owner = mutex.last_owner = static_cast<std::uint8_t>(i.thread);
  return {};
}

Wait give_mutex(TileState& tile, const Instruction& i) {
  const std::uint32_t index = i["Index"];
  if (!has_mutex(tile, index)) {
    note(tile, i, kNoMutex);
  } else if (tile.sync.mutex[index].owner != i.thread) {
    note(tile, i, kForeignMutex);
  } else {
    tile.sync.mutex[index].owner.reset();
  }
  return {};
}

} // namespace

Wait execute_sync(TileState& tile, const Instruction& i) {
  const Op op = i.decoded.row->op;
  if (op == Op::SEMINIT) return change_semaphores(tile, i, init_semaphore);
  if (op == Op::SEMPOST) return change_semaphores(tile, i, post_semaphore);
  if (op == Op::SEMGET) return change_semaphores(tile, i, get_semaphore);
  if (op == Op::ATGETM) return take_mutex(tile, i);
  return give_mutex(tile, i);
}

} // namespace lanewise::tile
