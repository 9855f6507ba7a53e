// Transactions of a core that moves data: what is stored to a command buffer of its NIU, and what
// its status registers count (NoC/MemoryMap of the ISA documentation). Buffer 0 writes, 1 reads, 2
// writes single words, 3 does atomic operations, as programs have them.
#pragma once

#include "lanewise_metal.h"

inline std::uint8_t noc_index = NOC_INDEX;

/// Coordinates of this core, by NoC.
inline std::uint8_t my_x[2], my_y[2];

namespace lanewise_metal {

inline constexpr u32 kNiu = 0xFFB20000, kNextNiu = 0x10000;
inline constexpr u32 kWriteBuffer = 0, kReadBuffer = 1, kWordBuffer = 2, kAtomicBuffer = 3;
/// Registers of a command buffer that all chips have at the same place.
inline constexpr u32 kTargetLow = 0x00, kReturnLow = 0x0C, kTag = 0x18, kControl = 0x1C,
                     kLength = 0x20;
inline constexpr u32 kStatus = 0x200;
/// Bits of the control register.
inline constexpr u32 kIsAtomic = 1 << 0, kIsWrite = 1 << 1, kIsInline = 1 << 3,
                     kIsAnswered = 1 << 4, kIsToMany = 1 << 5, kReservesPath = 1 << 8,
                     kHasChannel = 1 << 7;
inline constexpr u32 kChannelBit = 13, kWriteChannel = 1, kManyChannel = 4;
/// Status registers.
inline constexpr u32 kAtomicsAnswered = 0, kWritesAcked = 1, kReadsAnswered = 2, kWritesSent = 10,
                     kPostedWritesSent = 11, kOutstandingOfTag = 0x10, kOutgoingOfTag = 0x20;

/// What this core has asked for, by NoC; the registers count from the card's start.
struct Asked {
  u32 reads, writes, writes_acked, posted, atomics;
};
inline Asked asked[2];

FORCE_INLINE lanewise_register niu(u32 noc, u32 buffer, u32 offset) {
  return lanewise_register(kNiu + noc * kNextNiu + (buffer << kBufferBits) + offset);
}
FORCE_INLINE u32 status(u32 noc, u32 number) {
  return *niu(noc, 0, kStatus + 4 * number);
}

inline void count_from_here() {
  for (u32 noc = 0; noc < 2; ++noc)
    asked[noc] = {status(noc, kReadsAnswered), status(noc, kWritesSent), status(noc, kWritesAcked),
                  status(noc, kPostedWritesSent), status(noc, kAtomicsAnswered)};
}

/// A place on the NoC and an address there, as one number: 36 bits of address, six of x, six of y,
/// of a rectangle's last core; and the same of its first.
inline constexpr u32 kPlaceBit = 36, kYBit = 6;
constexpr std::uint64_t noc_address(u32 place, std::uint64_t address) {
  return std::uint64_t{place} << kPlaceBit | address;
}
FORCE_INLINE u32 own_place() {
  return u32{lanewise_launch_data.y} << kYBit | lanewise_launch_data.x;
}
FORCE_INLINE u32 bank_place(u32 noc, u32 bank) {
  return lanewise_launch_data.dram_place[noc][bank];
}

FORCE_INLINE u32 l1_bank_place(u32 bank) {
  return lanewise_launch_data.l1_place[bank];
}

/// One end of a transaction: where it is, and the address there.
FORCE_INLINE void set_place(u32 noc, u32 buffer, bool is_return, std::uint64_t address) {
  const u32 place = static_cast<u32>(address >> kPlaceBit) & 0xFFFFFF;
  const u32 middle = static_cast<u32>(address >> 32) & 0xF;
  *niu(noc, buffer, is_return ? kReturnPlace : kTargetPlace) =
      place << kPlaceShift | (kPlaceShift != 0 ? middle : 0);
}
FORCE_INLINE void set_end(u32 noc, u32 buffer, bool is_return, std::uint64_t address) {
  *niu(noc, buffer, is_return ? kReturnLow : kTargetLow) = static_cast<u32>(address);
  set_place(noc, buffer, is_return, address);
}

FORCE_INLINE void send(u32 noc, u32 buffer, u32 control, u32 length) {
  *niu(noc, buffer, kControl) = control;
  *niu(noc, buffer, kLength) = length;
  *niu(noc, buffer, kSend) = 1;
}

/// In packets that are no longer than the NoC has them; an empty one is one, too.
inline void read(std::uint64_t from, u32 to, u32 bytes, u32 noc) {
  do {
    const u32 now = bytes < kPacketBytes ? bytes : kPacketBytes;
    set_end(noc, kReadBuffer, false, from);
    set_end(noc, kReadBuffer, true, noc_address(own_place(), to));
    send(noc, kReadBuffer, kIsAnswered, now);
    ++asked[noc].reads;
    from += now;
    to += now;
    bytes -= now;
  } while (bytes != 0);
}

constexpr u32 write_control(bool posted, u32 channel) {
  return kIsWrite | (posted ? 0 : kIsAnswered) | kHasChannel | channel << kChannelBit;
}
FORCE_INLINE void count_write(u32 noc, bool posted, u32 receivers = 1) {
  if (posted) {
    ++asked[noc].posted;
  } else {
    ++asked[noc].writes;
    asked[noc].writes_acked += receivers;
  }
}

inline void write(u32 from, std::uint64_t to, u32 bytes, u32 noc, bool posted = false,
                  u32 channel = kWriteChannel) {
  do {
    const u32 now = bytes < kPacketBytes ? bytes : kPacketBytes;
    set_end(noc, kWriteBuffer, false, noc_address(own_place(), from));
    set_end(noc, kWriteBuffer, true, to);
    send(noc, kWriteBuffer, write_control(posted, channel), now);
    count_write(noc, posted);
    from += now;
    to += now;
    bytes -= now;
  } while (bytes != 0);
}

/// Adds to a word of an L1, or of each of many; the old value goes nowhere that anybody looks at.
/// `more` is what else the control register has.
FORCE_INLINE void increment(std::uint64_t address, u32 by, u32 noc, u32 channel, u32 more) {
  constexpr u32 kIncrement = 1 << 12, kAllBits = 31 << 2;
  set_end(noc, kAtomicBuffer, false, address);
  *niu(noc, kAtomicBuffer, kData) = by;
  send(noc, kAtomicBuffer, kIsAtomic | kHasChannel | channel << kChannelBit | more,
       kIncrement | kAllBits | (static_cast<u32>(address) >> 2 & 3));
}
/// An answer comes also to what is posted where the NoC might hang without.
inline void increment_one(std::uint64_t address, u32 by, u32 noc, bool posted, u32 channel) {
  posted = posted && kTakesPostedAtomics != 0;
  increment(address, by, noc, channel, posted ? 0 : kIsAnswered);
  asked[noc].atomics += posted ? 0 : 1;
}

/// A word from a register of the core, to an L1.
inline void write_word(std::uint64_t address, u32 value, u32 noc) {
  set_end(noc, kWordBuffer, false, address);
  *niu(noc, kWordBuffer, kData) = value;
  send(noc, kWordBuffer,
       kIsWrite | kIsInline | kIsAnswered | kHasChannel | kWriteChannel << kChannelBit, 0xF);
  count_write(noc, false);
}

FORCE_INLINE void wait_for_reads(u32 noc) {
  while (status(noc, kReadsAnswered) != asked[noc].reads) {
  }
}
FORCE_INLINE void wait_for_acks(u32 noc) {
  while (status(noc, kWritesAcked) != asked[noc].writes_acked) {
  }
}
FORCE_INLINE void wait_until_sent(u32 noc) {
  while (status(noc, kWritesSent) != asked[noc].writes) {
  }
}
FORCE_INLINE void wait_until_posted(u32 noc) {
  while (status(noc, kPostedWritesSent) != asked[noc].posted) {
  }
}
FORCE_INLINE void wait_for_atomics(u32 noc) {
  while (status(noc, kAtomicsAnswered) != asked[noc].atomics) {
  }
}

} // namespace lanewise_metal
