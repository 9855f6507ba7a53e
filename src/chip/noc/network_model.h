// The network's insides (chip/noc/network.h): packets, links and who waits for whom.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "chip/noc/network.h"
#include "chip/noc/routes.h"

namespace lanewise::noc {

/// Times are whole ticks, so that sums of parts of cycles are exact.
using Tick = std::uint64_t;
inline constexpr Tick kTicks = 64; ///< in a cycle

constexpr Tick ticks(std::uint64_t cycles) {
  return cycles * kTicks;
}
constexpr std::uint64_t cycle_of(Tick tick) {
  return (tick + kTicks - 1) / kTicks;
}

inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};
/// Steps of a packet: out of the first NIU, over links, into the last one.
inline constexpr std::size_t kSteps = 32;

class Network::Model {
 public:
  explicit Model(Arch arch);

  void ask(const Shipment& shipment, std::uint64_t cycle);
  std::uint64_t next() const;
  void advance(std::uint64_t cycle, std::vector<Passage>& passages);

 private:
  struct Packet {
    Shipment shipment;
    std::uint64_t number = 0;     ///< in the order in which they were asked for
    std::uint32_t way = 0;        ///< of ways_, or of trees_
    std::uint32_t next = kNobody; ///< that waits for the same lane
    std::uint32_t step = 0;       ///< that it comes to
    Tick flits = 0;               ///< that it takes at the rate of links
    Tick first = 0;               ///< that it takes to leave the first NIU
    Tick left = 0;                ///< the first NIU has begun
    Tick reached = 0, answered = 0;
    bool is_request = false; ///< of a read, on its way there
    std::uint32_t unreached = 0,
                  waited = 0; ///< receivers that it has not reached; have not answered
    std::array<Tick, kSteps> begun{};
    std::array<std::uint32_t, kSteps> lane{};
  };

  /// A virtual channel of a link: one packet has it until its end has passed.
  struct Lane {
    Tick free = 0;                                              ///< from when on, unless it is held
    bool is_held = false;                                       ///< until nobody knows when
    Tick stored = 0;                                            ///< in the buffer at its end
    std::uint32_t first = kNobody, last = kNobody, waiting = 0; ///< who waits
    Tick tries = 0; ///< when the first of them does next
  };

  /// Who answers requests, and who waits for a place there.
  struct Desk {
    std::uint32_t taken = 0, first = kNobody, last = kNobody;
  };

  /// A core's multicasts on one NoC: those that have not left, and the way that it has reserved.
  struct Sender {
    std::uint32_t first = kNobody, last = kNobody;
    std::uint32_t way = kNobody; ///< of trees_
    Tick reserves = 0;           ///< that the reservation takes before the first one leaves
  };

  struct Event {
    enum class Kind : std::uint8_t {
      Come,
      Fetch,
      Try,
      ComeMany,
      Sent,
      Branch,
      Acked
    } kind = Kind::Come;
    Tick at = 0, tail = 0;
    std::uint64_t key = 0;
    std::uint32_t who = 0, step = 0;

    auto order() const { return std::tuple(at, key, kind, who, step); }
    friend bool operator>(const Event& a, const Event& b) { return a.order() > b.order(); }
  };

  struct Later {
    bool operator()(const Passage& a, const Passage& b) const {
      return std::tuple(a.cycle, a.key, a.kind) > std::tuple(b.cycle, b.key, b.kind);
    }
  };

  struct Hop {
    Link link;
    bool is_across; ///< the edge of the chip lies behind it, in this direction
  };

  // Links by number: of each NoC those of its torus, then NIUs out of cores, then into them.
  std::uint32_t link(unsigned noc, Link link) const { return noc * 4 * routers_ + link; }
  std::uint32_t out(unsigned noc, NocPlace at) const {
    return (noc * 4 + 2) * routers_ + tori_[noc].router_number(at);
  }
  std::uint32_t in(unsigned noc, NocPlace at) const {
    return (noc * 4 + 3) * routers_ + tori_[noc].router_number(at);
  }
  // Lanes of a link: requests on both sides of the edge, answers with two each.
  static constexpr unsigned kLanes = 6;

  Tick duration(std::uint32_t bytes, std::uint16_t tenths) const {
    return (std::uint64_t{bytes} + clock_.flit) * 10 * kTicks / tenths;
  }

  std::uint32_t route(unsigned noc, NocPlace from, NocPlace to);
  std::uint32_t tree(const Shipment& shipment);
  void post(const Event& event) { events_.push(event); }
  void tell(const Packet& packet, Tick tick, Passage::Kind kind) {
    passages_.push({.cycle = cycle_of(tick), .key = packet.shipment.key, .kind = kind});
  }
  /// Where requests wait to be answered: a NIU of a core, or a bank.
  std::uint32_t desk_of(const Packet& packet) const {
    const Shipment& shipment = packet.shipment;
    return shipment.bank ? kNocs * routers_ + *shipment.bank
                         : shipment.noc * routers_ + tori_[0].router_number(shipment.to);
  }
  /// Hops behind which a packet's end is, when its head comes there, that has been held up.
  std::uint32_t length_of(const Packet& packet) const {
    return static_cast<std::uint32_t>((packet.flits + buffer_ - 1) / buffer_ - 1);
  }
  void take_desk(std::uint32_t index, Tick now);
  void leave_desk(std::uint32_t desk, Tick now);
  void queue_up(std::uint32_t index, std::uint32_t lane, Tick now);
  std::uint32_t lane_of(const Packet& packet, Tick now) const;
  std::uint32_t sender_of(const Shipment& shipment) const {
    return shipment.noc * routers_ + tori_[0].router_number(shipment.from);
  }
  void come_many(std::uint32_t index, Tick now);
  void begin_many(std::uint32_t sender, Tick now);
  bool reserve(std::uint32_t sender);
  void send_many(std::uint32_t sender, Tick now);
  void sent_many(std::uint32_t sender, Tick now);
  void fetch(std::uint32_t index, Tick now);
  void come(std::uint32_t index, Tick now);
  void try_lane(std::uint32_t lane, Tick now);
  void grant(std::uint32_t index, std::uint32_t lane, Tick now);
  void leave_buffer(const Packet& packet, std::uint32_t step, Tick now);
  void release(const Packet& packet, std::uint32_t step, std::uint32_t last, Tick now);
  void land(std::uint32_t index, Tick now);
  void branch(const Event& event);
  void acked(const Event& event);

  const NocRecord& record_;
  const NocClock& clock_;
  std::array<Torus, kNocs> tori_;
  unsigned routers_;
  Tick buffer_; ///< what is stored of a packet that waits, by hop
  std::vector<Tick> link_free_;
  std::vector<bool> reserved_; ///< for a multicast, by link
  std::vector<Sender> senders_;
  std::map<std::uint64_t, std::uint32_t> waiting_; ///< senders whose way others have, by number
  std::vector<Tick> bank_free_;
  std::vector<Lane> lanes_;
  std::vector<Desk> desks_;
  std::unordered_map<std::uint32_t, std::uint32_t> way_of_;
  std::vector<std::vector<Hop>> ways_;
  std::map<std::vector<std::uint16_t>, std::uint32_t> tree_of_;
  std::vector<Tree> trees_;
  std::vector<Packet> packets_;
  std::vector<std::uint32_t> unused_;
  std::uint64_t asked_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::priority_queue<Passage, std::vector<Passage>, Later> passages_;
};

} // namespace lanewise::noc
