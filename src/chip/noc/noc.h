// The NoC as one core sees it: its two NIUs, its own L1 and DRAM, and where there is a grid, other
// cores.
//
// What a core asks for happens later, when the NoC comes to its turn (Feeder::step): a transaction
// leaves the core, with the data that are there then, and lands. So a program that does not wait
// for what it has asked for sees what was there before. Who comes first where the ordering rules
// leave it open (docs/programs.md), the order of the run decides.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "chip/noc/places.h"
#include "chip/noc/transaction.h"
#include "chip/tile/feeder.h"
#include "chip/tile/noc_port.h"
#include "chip/tile/run.h"

namespace lanewise::noc {

/// Something that the NoC has seen, for those who watch.
struct NocEvent {
  enum class Kind : std::uint8_t {
    Asked,  ///< for `transaction`
    Sent,   ///< it has left the core
    Landed, ///< it is done, at its destination and here
    Seen    ///< a core has loaded status register `status` of an NIU, which is `value`
  };
  Kind kind = Kind::Asked;
  unsigned core = 0, noc = 0;
  const Transaction* transaction = nullptr;
  unsigned status = 0;
  std::uint32_t value = 0;
};

/// Status registers of an NIU, by number; those by transaction id are the first of 16.
enum Status : std::uint8_t {
  kAtomicsAnswered = 0x0,
  kWritesAcked = 0x1,
  kReadsAnswered = 0x2,
  kReadsSent = 0x5,
  kAtomicsSent = 0x6,
  kPostedAtomicsSent = 0x7,
  kWritesSent = 0xA,
  kPostedWritesSent = 0xB,
  kOutstandingOfTag = 0x10,
  kOutgoingOfTag = 0x20
};

/// Which counts that it has left, and its answers; nullopt: none come.
Status counter_of_sent(const Transaction& t);
std::optional<Status> counter_of_answers(const Transaction& t);

struct Memories {
  std::span<std::uint8_t> l1;
  std::vector<std::span<std::uint8_t>> dram; ///< by bank: the bytes that are used of it
};

class Noc final : public tile::NocPort, public tile::Feeder {
 public:
  /// As firmware leaves the NIUs of the core at `from`. Precondition: noc_record(arch).
  Noc(Arch arch, const Standpoint& from, Memories memories, const tile::ScheduleChoice& order = {});

  Expected<std::uint32_t> load(unsigned core, unsigned noc, std::uint32_t offset) override;
  Expected<void> store(unsigned core, unsigned noc, std::uint32_t offset, std::uint32_t value,
                       std::uint32_t line) override;

  /// Whether a store there sends what a command buffer has.
  bool sends(std::uint32_t offset) const {
    return (offset & ((1U << record_.buffer_bits) - 1)) == record_.send;
  }
  /// Whether there are transactions that have not landed.
  bool is_under_way() const { return !pending_.empty(); }
  /// As many transactions have been asked for.
  std::uint64_t asked() const { return asked_; }

  /// Whether a load from there can be answered at once: nothing is under way that changes it.
  bool is_settled(unsigned noc, std::uint32_t offset) const;

  /// Moves one transaction on.
  Expected<tile::FeederStep> step(tile::Tile& tile) override;
  /// Whether `t`, which was asked for after `before`, lands after it by the rules of ordering.
  static bool must_follow(const Transaction& before, const Transaction& t);
  std::string waits_for() const override;

  /// Where transactions come late (tile::Order::Adversarial), they move only once nobody else can
  /// go on: from now on one of them may. False if there is none.
  bool hurry();

  // --- In a grid

  /// The first transaction that has left for elsewhere and that nobody has taken; nullptr: there is
  /// none.
  const Transaction* first_sent() const;
  void take_sent() { sent_.pop_front(); }
  /// One of them is done, in all memories; `old` is what an atomic operation found. False if there
  /// is none of that number.
  bool arrive(std::uint64_t number, std::uint32_t old);

  // --- Where somebody else says when (timed_noc.h)

  /// A multicast keeps its command buffer until the one before it on that NoC has left: then it has
  /// a virtual channel (ISA NoC/MemoryMap, NOC_CMD_CTRL). Else buffers are free as soon as they
  /// have sent.
  void keep_buffers() { keeps_buffers_ = true; }
  bool is_kept(unsigned noc, unsigned buffer) const;

  /// A transaction that has not left leaves now: what it is, with its data. Precondition: there is
  /// one of that number. Then it is done when it arrives, wherever its ends are.
  const Transaction& depart(std::uint64_t number);

  /// Transactions that have not landed, in the order in which they were asked for.
  const std::deque<Transaction>& pending() const { return pending_; }

  std::function<void(const NocEvent&)> watch;

  // --- To try what would become of what is asked for in another way

  enum class Change : std::uint8_t { CountReceivers, OtherCorners, NoLink };
  /// Whether what a core sends to many at a line is to be changed so; empty: nothing is.
  std::function<bool(Change, unsigned core, std::uint32_t line)> changes;

  /// Changes what a core asks for: its way, its kind, where it goes. Empty: nothing is changed. The
  /// core finds its answers where it would have counted them.
  std::function<void(Transaction&)> reroute;

  /// A core asks for an increment of a word, which its kernel does not have. Precondition: the word
  /// is there.
  void increment(unsigned core, unsigned noc, const Location& word, std::uint32_t by,
                 std::uint32_t line);

  /// The packet to many that a core has just sent on a NoC is said to have so many answers. As many
  /// as it is to have: where they are to be counted anew, the core finds those of its own count.
  std::uint32_t count_answers(unsigned core, unsigned noc, std::uint32_t counted);

  /// Who has last named corners in the order of the other NoC.
  struct Corners {
    unsigned core = 0;
    std::uint32_t line = 0;
  };
  const std::optional<Corners>& wrong_corners() const { return wrong_corners_; }

 private:
  static constexpr unsigned kBuffers = 4, kTags = 16, kStatusRegisters = 0x40;
  static constexpr std::uint32_t kBufferRegisters = 0x40; ///< bytes that are looked at of each

  struct Niu {
    std::array<std::array<std::uint32_t, 0x20>, kBuffers> buffer{}; ///< registers, by number
    std::array<std::uint32_t, kStatusRegisters> status{};
    std::array<std::uint32_t, kStatusRegisters> counted{}; ///< that the core counts beside these
  };

  Expected<void> send(unsigned core, unsigned noc, unsigned buffer, std::uint32_t line);
  Expected<Location> end_at(unsigned noc, unsigned buffer, bool is_return) const;
  Expected<void> address_many(Transaction& t, unsigned buffer, bool is_return);
  Expected<void> send_to_many(Transaction& t, std::uint32_t control);
  Expected<void> take_kind(Transaction& t, std::uint32_t control);
  static Expected<void> take_operation(Transaction& t);
  bool is_changed(Change change, unsigned core, std::uint32_t line) const {
    return changes && changes(change, core, line);
  }
  void begin(Transaction t);
  void recount(const Transaction& t, bool is_counted);
  bool is_beyond(const Transaction& t) const { return from_.grid && t.goes_beyond(); }
  Expected<void> check(const Transaction& t) const;
  Expected<void> check_range(const Location& location, std::uint64_t bytes) const;
  std::span<std::uint8_t> bytes_at(const Location& location, std::uint64_t bytes) const;
  bool may_go(std::size_t index) const;
  std::optional<std::size_t> choose();
  void move_on(std::size_t index);
  unsigned own_number() const;
  void leave(Transaction& t);
  void land(const Transaction& t);
  void answer(const Transaction& t, std::uint32_t old);
  void tell(NocEvent event) const {
    if (watch) watch(event);
  }

  Arch arch_;
  const NocRecord& record_;
  Standpoint from_;
  Memories memories_;
  bool in_order_;
  bool comes_late_;
  bool is_awaited_ = false;
  bool keeps_buffers_ = false;
  std::optional<Corners> wrong_corners_;
  std::mt19937_64 random_;
  std::array<Niu, kNocs> niu_;
  std::deque<Transaction> pending_;
  std::deque<std::uint64_t> sent_; ///< that nobody has taken
  std::uint64_t asked_ = 0;
  /// The last packet to many, by core and NoC.
  struct Last {
    std::uint32_t line = 0, answers = 0;
    bool is_atomic = false;
  };
  std::array<std::array<Last, kNocs>, tile::kTileCores> last_{};
};

/// What a transaction does to its destination: `to`, which has its bytes; `data` is what it
/// carries. What an atomic operation found there.
std::uint32_t carry_out(const Transaction& t, std::span<const std::uint8_t> data,
                        std::span<std::uint8_t> to);

} // namespace lanewise::noc
