// What the process of a core and the one that has all memories give each other, in memory that both
// see: what has left the core, and what has happened to it.
//
// A post is one side's at a time (`turn`). The core's process runs a user's code, which may write
// whatever it likes here: who reads a post copies each record first and then checks it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "base/shared_memory.h"
#include "chip/noc/transaction.h"
#include "run/launch/note.h"

namespace lanewise::grid {

/// Plain data of a noc::Location.
struct Place {
  std::uint32_t memory, bank;
  std::uint64_t address;
};

/// A transaction that has left its core.
struct Request {
  std::uint64_t number;
  std::uint32_t kind, core, noc, channel, line;
  std::uint32_t bytes, value, mask, is_posted;
  std::uint32_t
      receivers; ///< as many, behind each other in Post::receivers from `first_receiver` on
  std::uint32_t first_receiver;
  std::uint32_t first_byte; ///< of what a write carries, in Post::data
  Place source, destination;
};

/// One that is done.
struct Answer {
  std::uint64_t number;
  std::uint32_t old;
  std::uint32_t padding;
};

/// Bytes of the core's L1 that another one, or itself, has had written.
struct Arrival {
  std::uint32_t address, bytes;
};

/// Why a core has posted.
enum class Posted : std::uint32_t {
  Busy,  ///< it can go on
  Stuck, ///< nobody on it can, before something comes
  Ended, ///< it has left its outcome
  Notes  ///< it goes on at once: there was no more room for notes
};

/// What the core is told.
enum class Verdict : std::uint32_t {
  GoOn,
  End ///< nobody on any core can go on, or all is to end
};

struct Post {
  static constexpr std::size_t kRequests = 512, kReceivers = 8192, kAnswers = 4096,
                               kArrivals = 8192, kNotes = 1024;
  static constexpr std::size_t kDataBytes = std::size_t{1} << 20;

  std::atomic<std::uint32_t> turn; ///< 0: the core's; 1: of who has all memories
  Posted posted;
  Verdict verdict;
  std::uint32_t requests, answers, arrivals, notes;
  std::array<Request, kRequests> request;
  std::array<std::uint16_t, kReceivers> receivers;
  std::array<Answer, kAnswers> answer;
  std::array<Arrival, kArrivals> arrival;
  std::array<launch::Note, kNotes> note;
  std::array<std::uint8_t, kDataBytes> data;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// The posts of all cores.
class Posts {
 public:
  /// Error: BadInput if there is no memory.
  static Expected<Posts> make(std::size_t cores);

  Post& of(std::size_t core) const { return reinterpret_cast<Post*>(memory_.bytes().data())[core]; }
  int file() const { return memory_.file(); }

 private:
  explicit Posts(SharedMemory memory) : memory_(std::move(memory)) {}

  SharedMemory memory_;
};

/// Waits until it is somebody's turn, no longer than `patience`; whether it is. Ends early where a
/// signal comes.
bool wait_for_turn(std::atomic<std::uint32_t>& turn, std::uint32_t whose,
                   std::chrono::milliseconds patience);
void give_turn(std::atomic<std::uint32_t>& turn, std::uint32_t whose);

/// A transaction and what it carries, as a record of a post. False: there is no room for it now.
bool add_request(Post& post, std::size_t& data_used, std::size_t& receivers_used,
                 const noc::Transaction& transaction);

/// A transaction of a post, with what it carries. Nothing if it is none.
std::optional<noc::Transaction> read_request(const Post& post, std::uint32_t index);

} // namespace lanewise::grid
