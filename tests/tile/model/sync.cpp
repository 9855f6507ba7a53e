// Semaphores, mutexes and the Wait Gate (core.md 6 and 7; ISA STALLWAIT, SEMWAIT, SyncUnit,
// ATGETM).
#include "tile/model/model.h"

namespace lanewise::test::model {

namespace {

/// Which bits of a block mask hold an instruction, by its opcode: the table of STALLWAIT's page.
unsigned block_bits(unsigned opcode) {
  constexpr unsigned kAny = 0x1FF;
  if (opcode == 0x02) return 0; // NOP: only if all are set
  if (opcode == 0xA2 || opcode == 0xA6 || opcode == 0xA7) return kAny;
  if (opcode >= 0xA0 && opcode <= 0xA5) return 1U << 1;
  if (opcode == 0x41 || opcode == 0x4A) return 1U << 0 | 1U << 2;
  if (opcode == 0x42 || opcode == 0x43) return 1U << 0 | 1U << 3;
  if (opcode == 0x40) return 1U << 0 | 1U << 4;
  if (opcode >= 0xB0 && opcode <= 0xB8) return 1U << 7;
  // ADC instructions, SETDVALID, RSTDMA
  if ((opcode >= 0x50 && opcode <= 0x57) || opcode == 0x5E || opcode == 0x44) return 1U << 0;
  if (opcode >= 0x45 && opcode <= 0x68) return 1U << 0 | 1U << 5;
  if (opcode >= 0x70) return 1U << 8;
  return 1U << 6;
}

} // namespace

/// With every instruction complete before the next, only banks and semaphores keep anybody waiting.
bool Model::keeps_waiting(const LatchModel& wait) const {
  if (wait.is_semwait) {
    for (unsigned i = 0; i < 8; ++i) {
      if ((wait.semaphores >> i & 1) == 0) continue;
      if ((wait.conditions & 1) != 0 && semaphore[i].value == 0) return true;
      if ((wait.conditions & 2) != 0 && semaphore[i].value >= semaphore[i].max) return true;
    }
    return false;
  }
  const unsigned first = is_blackhole ? 5 : 8; // of the four conditions about banks
  for (unsigned which = 0; which < 2; ++which) {
    const SourceModel& s = source[which];
    if ((wait.conditions >> (first + which) & 1) != 0 && s.with_matrix_unit[s.unpack_bank])
      return true;
    if ((wait.conditions >> (first + 2 + which) & 1) != 0 && !s.with_matrix_unit[s.matrix_bank])
      return true;
  }
  return false;
}

bool Model::is_held(unsigned thread, std::uint32_t word) {
  if (!latch[thread]) return false;
  constexpr unsigned kAll = 0x1FF;
  if (word >> 24 == 0x02) return latch[thread]->block == kAll;
  // A wait that is latched is not replaced, whatever it blocks (core.md 6).
  return (block_bits(word >> 24) & latch[thread]->block) != 0 || word >> 24 == 0xA2 ||
         word >> 24 == 0xA6;
}

bool Model::sync(unsigned thread, std::uint32_t word) {
  const unsigned opcode = word >> 24, index = word & 0xFFFF;
  if (opcode == 0xA0 || opcode == 0xA1) {
    const unsigned mutexes = is_blackhole ? 0b11101 : 0b11111101;
    if (index > 7 || (mutexes >> index & 1) == 0) {
      undefined = true;
      return true;
    }
    auto& owner = mutex[index];
    if (opcode == 0xA0 && owner && *owner != thread) return false;
    if (opcode == 0xA0) owner = thread;
    if (opcode == 0xA1 && owner == thread) owner.reset();
    return true;
  }
  const unsigned block = word >> 15 & 0x1FF, mask = word >> 2 & 0xFF;
  if (opcode == 0xA2) {
    const unsigned conditions = word & (is_blackhole ? 0x1FFF : 0x7FFF);
    if (is_blackhole && (word >> 13 & 3) != 0) undefined = true;
    latch[thread] = LatchModel{.conditions = conditions != 0 ? conditions
                                             : is_blackhole  ? 0x0FU
                                                             : 0x7FU,
                               .block = block != 0 ? block : 1U << 6};
    return true;
  }
  if (opcode == 0xA6) {
    if ((word & 3) == 0) undefined = true;
    latch[thread] = LatchModel{.is_semwait = true,
                               .conditions = word & 3,
                               .semaphores = mask,
                               .block = block != 0 ? block : 1U << 6};
    return true;
  }
  for (unsigned i = 0; i < 8; ++i) {
    if ((mask >> i & 1) == 0) continue;
    SemaphoreModel& at = semaphore[i];
    if (opcode == 0xA3) at = {word >> 16 & 15, word >> 20 & 15};
    if (opcode == 0xA4 && at.value < 15) ++at.value;
    if (opcode == 0xA5 && at.value > 0) --at.value;
  }
  return true;
}

} // namespace lanewise::test::model
