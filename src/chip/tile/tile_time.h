// What a tile that runs in time asks whoever keeps its time (chip/clock/timed_run.h).
#pragma once

#include <cstdint>

#include "chip/tile/expander.h"

namespace lanewise::tile {

class TileTime {
 public:
  TileTime() = default;
  TileTime(const TileTime&) = delete;
  TileTime& operator=(const TileTime&) = delete;
  virtual ~TileTime() = default;

  /// The cycle in which a core or a thread acts; 0 is the release of the cores.
  virtual std::uint64_t cycle() const = 0;

  /// Whether the first queue of a core's thread takes another word now.
  virtual bool has_room(unsigned core) = 0;

  /// Whether all that a core has pushed is done now: executed, and in the units as well.
  virtual bool is_done(unsigned core) = 0;

  /// Whether nothing of what a core has pushed still reads or writes registers and configuration by
  /// itself: what hardware lets the core's own accesses to these wait for, where it does.
  virtual bool is_done_with_registers(unsigned core) = 0;

  /// A core has loaded from L1 or stored into it.
  virtual void touched_l1(std::uint32_t address, bool stores) = 0;

  /// A core has pushed a word, and what it came to.
  virtual void pushed(unsigned core, const Expansion& expansion) = 0;

  /// A core has stored to a scalar register or configuration: a request that is under way.
  virtual void stored_register(unsigned core) = 0;

  /// A message has been put into a mailbox, or taken out; and whether the oldest one has come to
  /// where its reader sees it. Cores by their numbers in SyncUnit::mailbox.
  virtual void wrote_message(unsigned writer, unsigned reader) = 0;
  virtual void took_message(unsigned writer, unsigned reader) = 0;
  virtual bool has_message(unsigned writer, unsigned reader) = 0;
};

} // namespace lanewise::tile
