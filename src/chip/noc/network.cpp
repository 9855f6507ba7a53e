#include "chip/noc/network.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "chip/noc/routes.h"

namespace lanewise::noc {

namespace {

/// Times are whole ticks, so that sums of parts of cycles are exact.
using Tick = std::uint64_t;
constexpr Tick kTicks = 64; ///< in a cycle

Tick ticks(std::uint64_t cycles) {
  return cycles * kTicks;
}
std::uint64_t cycle_of(Tick tick) {
  return (tick + kTicks - 1) / kTicks;
}

constexpr std::uint32_t kNobody = ~std::uint32_t{0};
/// Steps of a packet: out of the first NIU, over links, into the last one.
constexpr std::size_t kSteps = 32;

using Kind = Transaction::Kind;

} // namespace

class Network::Model {
 public:
  explicit Model(Arch arch);

  void ask(const Shipment& shipment, std::uint64_t cycle);
  std::uint64_t next() const;
  void advance(std::uint64_t cycle, std::vector<Passage>& passages);

 private:
  struct Packet {
    Shipment shipment;
    std::uint64_t number = 0; ///< in the order in which they were asked for
    std::uint32_t way = 0;  ///< of ways_, or of trees_
    std::uint32_t next = kNobody; ///< that waits for the same lane
    std::uint32_t step = 0; ///< that it comes to
    Tick flits = 0;         ///< that it takes at the rate of links
    Tick first = 0;         ///< that it takes to leave the first NIU
    Tick left = 0;          ///< the first NIU has begun
    Tick reached = 0, answered = 0;
    bool is_request = false;
    std::uint32_t waited = 0; ///< receivers that have not answered
    std::array<Tick, kSteps> begun{};
    std::array<std::uint32_t, kSteps> lane{};
  };

  /// A virtual channel of a link: one packet has it until its end has passed.
  struct Lane {
    Tick free = 0;        ///< from when on, unless it is held
    bool is_held = false; ///< until nobody knows when
    Tick stored = 0;      ///< in the buffer at its end
    std::uint32_t first = kNobody, last = kNobody; ///< who waits
    std::uint32_t waiting = 0;
    Tick tries = 0;
  };

  struct Event {
    enum class Kind : std::uint8_t { Come, Fetch, Try, Branch, Acked } kind = Kind::Come;
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
  void ask_many(std::uint32_t index, Tick now);
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
  Tick buffer_;
  std::uint32_t room_, bank_room_;
  std::vector<Tick> link_free_;
  std::vector<Tick> many_free_;
  std::vector<Tick> bank_free_;
  std::vector<Lane> lanes_;
  struct Desk { std::uint32_t taken = 0, first = kNobody, last = kNobody; };
  std::vector<Desk> desks_;
  std::uint32_t desk_of(const Packet& p) const { return p.shipment.bank ? kNocs*routers_ + *p.shipment.bank : p.shipment.noc*routers_ + tori_[0].router_number(p.shipment.to); }
  void admit(std::uint32_t index, Tick now);
  void leave_desk(std::uint32_t desk, Tick now);
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

Network::Model::Model(Arch arch)
    : record_(*noc_record(arch)),
      clock_(record_.clock),
      tori_{Torus(arch, 0), Torus(arch, 1)},
      routers_(tori_[0].routers()),
      buffer_(ticks(clock_.hop)),
      room_(getenv("ROOM") ? atoi(getenv("ROOM")) : 4),
      bank_room_(getenv("BROOM") ? atoi(getenv("BROOM")) : 16),
      link_free_(kNocs * 4 * routers_),
      many_free_(kNocs * 4 * routers_),
      bank_free_(record_.banks.size()),
      lanes_(link_free_.size() * kLanes),
      desks_(kNocs * routers_ + record_.banks.size()) {}

std::uint32_t Network::Model::route(unsigned noc, NocPlace from, NocPlace to) {
  const std::uint32_t name = (noc * routers_ + tori_[noc].router_number(from)) * routers_ +
                             tori_[noc].router_number(to);
  const auto [found, is_new] = way_of_.try_emplace(name, static_cast<std::uint32_t>(ways_.size()));
  if (is_new) {
    std::vector<Link> links;
    tori_[noc].append_route(from, to, links);
    std::vector<Hop>& way = ways_.emplace_back();
    bool across_x = false, across_y = false;
    for (const Link each : links) {
      const bool is_row = each < routers_;
      const NocPlace begin = tori_[noc].begin_of(each), end = tori_[noc].end_of(each);
      way.push_back({each, is_row ? across_x : across_y});
      const int step = is_row ? end.x - begin.x : end.y - begin.y;
      if (std::abs(step) > 1) (is_row ? across_x : across_y) = true;
    }
  }
  return found->second;
}

std::uint32_t Network::Model::tree(const Shipment& shipment) {
  std::vector<std::uint16_t> name{static_cast<std::uint16_t>(shipment.noc)};
  name.push_back(static_cast<std::uint16_t>(tori_[0].router_number(shipment.from)));
  for (const NocPlace each : shipment.many)
    name.push_back(static_cast<std::uint16_t>(tori_[0].router_number(each)));
  const auto [found, is_new] =
      tree_of_.try_emplace(std::move(name), static_cast<std::uint32_t>(trees_.size()));
  if (is_new) trees_.push_back(tree_of(tori_[shipment.noc], shipment.from, shipment.many));
  return found->second;
}

void Network::Model::ask(const Shipment& shipment, std::uint64_t cycle) {
  std::uint32_t index = 0;
  if (unused_.empty()) {
    index = static_cast<std::uint32_t>(packets_.size());
    packets_.emplace_back();
  } else {
    index = unused_.back();
    unused_.pop_back();
  }
  Packet& packet = packets_[index];
  packet.shipment = shipment;
  packet.number = asked_++;
  packet.step = 0;
  packet.is_request = false;
  packet.next = kNobody;
  packet.reached = packet.answered = 0;
  packet.flits = packet.first = duration(shipment.bytes, clock_.rate);
  const Tick head = ticks(cycle + clock_.out);
  const unsigned noc = shipment.noc;
  if (!shipment.many.empty()) {
    packet.waited = static_cast<std::uint32_t>(shipment.many.size());
    packet.way = tree(shipment);
    ask_many(index, head);
  } else if (shipment.kind == Kind::Read) {
    packet.way = route(noc, shipment.from, shipment.to);
    packet.is_request = true;
    packet.flits = packet.first = duration(0, clock_.rate);
    post({.kind = Event::Kind::Come, .at = head, .key = packet.number, .who = index});
  } else {
    packet.way = route(noc, shipment.from, shipment.to);
    post({.kind = Event::Kind::Come, .at = head, .key = packet.number, .who = index});
  }
}

/// What is read is there to leave.
void Network::Model::fetch(std::uint32_t index, Tick now) {
  Packet& packet = packets_[index];
  Tick head = now;
  if (packet.shipment.bank) {
    Tick& free = bank_free_[*packet.shipment.bank];
    const Tick work = duration(packet.shipment.bytes, record_.bank_read);
    const Tick start = std::max(now, free);
    free = start + work;
    head = work > packet.flits ? free - packet.flits : start;
    packet.first = packet.flits;
  }
  post({.kind = Event::Kind::Come, .at = head, .key = packet.number, .who = index});
}

void Network::Model::admit(std::uint32_t index, Tick now) {
  Packet& packet = packets_[index];
  const Shipment& shipment = packet.shipment;
  ++desks_[desk_of(packet)].taken;
  leave_buffer(packet, packet.step, now);
  packet.is_request = false;
  packet.step = 0;
  packet.way = route(shipment.noc, shipment.to, shipment.from);
  packet.flits = duration(shipment.bytes, clock_.rate);
  packet.first = duration(shipment.bytes, clock_.answer_rate);
  post({.kind = Event::Kind::Fetch,
        .at = now + ticks(shipment.bank ? clock_.at_bank_read : clock_.at_core),
        .key = packet.number,
        .who = index});
}

void Network::Model::leave_desk(std::uint32_t number, Tick now) {
  Desk& desk = desks_[number];
  --desk.taken;
  if (desk.first == kNobody) return;
  const std::uint32_t next = desk.first;
  desk.first = packets_[next].next;
  admit(next, now);
}

void Network::Model::come(std::uint32_t index, Tick now) {
  Packet& packet = packets_[index];
  const Shipment& shipment = packet.shipment;
  const bool is_read = shipment.kind == Kind::Read && !packet.is_request;
  const std::vector<Hop>& way = ways_[packet.way];
  std::uint32_t lane = 0;
  if (packet.step == 0) {
    lane = out(shipment.noc, is_read && !shipment.bank ? shipment.to
                             : is_read ? shipment.to : shipment.from) * kLanes + (is_read ? 2 : 0);
  } else if (packet.step <= way.size()) {
    const Hop& hop = way[packet.step - 1];
    lane = link(shipment.noc, hop.link) * kLanes;
    if (!is_read) {
      lane += hop.is_across ? 1 : 0;
    } else {
      lane += hop.is_across ? 4 : 2;
      const auto cost = [&](const Lane& l) { return std::tuple(l.waiting, l.is_held, l.free > now ? l.free : 0); };
      if (cost(lanes_[lane + 1]) < cost(lanes_[lane])) ++lane;
    }
  } else if (packet.is_request) {
    Desk& desk = desks_[desk_of(packet)];
    if (desk.taken < (shipment.bank ? bank_room_ : room_)) {
      admit(index, now);
    } else {
      packet.next = kNobody;
      (desk.first == kNobody ? desk.first : packets_[desk.last].next) = index;
      desk.last = index;
    }
    return;
  } else {
    land(index, now);
    return;
  }
  Lane& wanted = lanes_[lane];
  packet.next = kNobody;
  (wanted.first == kNobody ? wanted.first : packets_[wanted.last].next) = index;
  wanted.last = index;
  ++wanted.waiting;
  if (wanted.first == index) try_lane(lane, now);
}

void Network::Model::try_lane(std::uint32_t number, Tick now) {
  Lane& lane = lanes_[number];
  while (lane.first != kNobody) {
    const std::uint32_t index = lane.first;
    Packet& packet = packets_[index];
    if (lane.is_held) return;
    if (packet.step != 0 && lane.stored != 0 && lane.stored + std::min(packet.flits, buffer_) > buffer_) return;
    const Tick at = std::max({now, lane.free, link_free_[number / kLanes]});
    if (at > now) {
      if (lane.tries != at)
        post({.kind = Event::Kind::Try, .at = at, .key = packet.number, .who = number});
      lane.tries = at;
      return;
    }
    lane.first = packet.next;
    --lane.waiting;
    grant(index, number, now);
  }
}

void Network::Model::grant(std::uint32_t index, std::uint32_t number, Tick now) {
  Packet& packet = packets_[index];
  Lane& lane = lanes_[number];
  const std::uint32_t step = packet.step;
  packet.begun[step] = now;
  packet.lane[step] = number;
  const Tick takes = step == 0 ? packet.first : packet.flits;
  link_free_[number / kLanes] = now + takes;
  if (step != 0) lane.stored += std::min(packet.flits, buffer_);
  if (step == 0)
    tell(packet, now + takes, packet.shipment.kind == Kind::Read && !packet.is_request ? Passage::Kind::Reached : Passage::Kind::Left);
  leave_buffer(packet, step, now);
  const std::uint32_t behind = static_cast<std::uint32_t>((packet.flits + buffer_ - 1) / buffer_ - 1);
  if (behind == 0) {
    lane.free = now + takes;
  } else {
    lane.is_held = true;
    if (step >= behind) release(packet, step - behind, step, now);
  }
  if (step == 0 && packet.shipment.kind == Kind::Read && !packet.is_request)
    leave_desk(desk_of(packet), now);
  ++packets_[index].step;
  post({.kind = Event::Kind::Come,
        .at = now + (step == 0 ? 0 : ticks(clock_.hop)),
        .key = packet.number,
        .who = index});
}

void Network::Model::leave_buffer(const Packet& packet, std::uint32_t step, Tick now) {
  if (step < 2) return;
  const std::uint32_t before = packet.lane[step - 1];
  Lane& lane = lanes_[before];
  lane.stored -= std::min(packet.flits, buffer_);
  if (lane.first != kNobody)
    post({.kind = Event::Kind::Try, .at = now, .key = packet.number, .who = before});
}

void Network::Model::release(const Packet& packet, std::uint32_t step, std::uint32_t last,
                             Tick now) {
  Lane& lane = lanes_[packet.lane[step]];
  Tick end = packet.begun[step] + (step == 0 ? packet.first : packet.flits);
  for (std::uint32_t each = step + 1; each <= last; ++each) {
    const Tick stored = (each - step) * buffer_;
    if (packet.flits > stored) end = std::max(end, packet.begun[each] + packet.flits - stored);
  }
  lane.is_held = false;
  lane.free = end;
  if (lane.first != kNobody)
    post({.kind = Event::Kind::Try, .at = std::max(end, now), .key = packet.number,
          .who = packet.lane[step]});
}

void Network::Model::land(std::uint32_t index, Tick now) {
  Packet& packet = packets_[index];
  const Shipment& shipment = packet.shipment;
  const bool is_read = shipment.kind == Kind::Read;
  Tick& free = link_free_[in(shipment.noc, is_read ? shipment.from : shipment.to)];
  const Tick start = std::max(now, free);
  free = start + packet.flits;
  packet.begun[packet.step] = start;
  leave_buffer(packet, packet.step, start);
  const std::uint32_t behind = static_cast<std::uint32_t>((packet.flits + buffer_ - 1) / buffer_ - 1);
  if (behind != 0)
    for (std::uint32_t step = packet.step > behind ? packet.step - behind : 0; step < packet.step; ++step)
      release(packet, step, packet.step, now);
  const Tick hops = ticks(ways_[packet.way].size() * clock_.hop);
  Tick tail = std::max(free, packet.begun[0] + packet.first + hops);
  if (is_read) {
    tell(packet, tail + ticks(clock_.in), Passage::Kind::Answered);
  } else {
    if (shipment.bank) {
      Tick& bank = bank_free_[*shipment.bank];
      const Tick work = duration(shipment.bytes, record_.bank_write);
      bank = std::max(start, bank) + work;
      tail = std::max(tail, bank);
    }
    tail += ticks(shipment.bank ? clock_.at_bank_write : clock_.at_core);
    tell(packet, tail, Passage::Kind::Reached);
    tell(packet, tail + ticks(tori_[shipment.noc].hops(shipment.to, shipment.from) * clock_.hop + clock_.in),
         Passage::Kind::Answered);
  }
  unused_.push_back(index);
}

void Network::Model::ask_many(std::uint32_t index, Tick now) {
  Packet& packet = packets_[index];
  const Shipment& shipment = packet.shipment;
  const Tree& tree = trees_[packet.way];
  // The way is reserved, and its end reports back, before anything leaves.
  const Tick reserve = ticks(clock_.reserve + tree.depth() * clock_.reserve_hop);
  Tick& own = many_free_[out(shipment.noc, shipment.from)];
  Tick start = std::max(now, own);
  Tick begins = 0;
  if (shipment.goes_on) {
    begins = std::max(start, link_free_[out(shipment.noc, shipment.from)]);
  } else {
    for (const Tree::Step& step : tree.steps)
      start = std::max(start, many_free_[link(shipment.noc, step.link)]);
    begins = std::max(start + reserve, link_free_[out(shipment.noc, shipment.from)]);
  }
  const Tick end = begins + packet.flits;
  own = end;
  for (const Tree::Step& step : tree.steps) many_free_[link(shipment.noc, step.link)] = end;
  link_free_[out(shipment.noc, shipment.from)] = end;
  tell(packet, end, Passage::Kind::Left);
  post({.kind = Event::Kind::Branch, .at = begins, .tail = end, .key = packet.number, .who = index, .step = 0});
}

void Network::Model::branch(const Event& event) {
  Packet& packet = packets_[event.who];
  const Shipment& shipment = packet.shipment;
  const Tree& tree = trees_[packet.way];
  Event next = event;
  if (event.step != 0) {
    Tick& free = link_free_[link(shipment.noc, tree.steps[event.step - 1].link)];
    const Tick start = std::max(event.at, free);
    free = start + packet.flits;
    next.at = start + ticks(clock_.hop);
    next.tail = std::max(free, event.tail) + ticks(clock_.hop);
  }
  for (const std::uint16_t step : tree.after(event.step)) {
    next.step = step;
    post(next);
  }
  if (tree.receivers[event.step] == 0) return;
  const NocPlace at = event.step == 0 ? shipment.from
                                      : tori_[shipment.noc].end_of(tree.steps[event.step - 1].link);
  Tick& free = link_free_[in(shipment.noc, at)];
  free = std::max(next.at, free) + packet.flits;
  const Tick there = std::max(free, next.tail) + ticks(clock_.at_core);
  packet.reached = std::max(packet.reached, there);
  next.kind = Event::Kind::Acked;
  next.at = there + ticks(tori_[shipment.noc].hops(at, shipment.from) * clock_.hop);
  post(next);
}

void Network::Model::acked(const Event& event) {
  Packet& packet = packets_[event.who];
  const Shipment& shipment = packet.shipment;
  Tick& free = link_free_[in(shipment.noc, shipment.from)];
  free = std::max(event.at, free) + duration(0, clock_.rate);
  packet.answered = std::max(packet.answered, free + ticks(clock_.in));
  if (--packet.waited != 0) return;
  tell(packet, packet.reached, Passage::Kind::Reached);
  tell(packet, packet.answered, Passage::Kind::Answered);
  unused_.push_back(event.who);
}

std::uint64_t Network::Model::next() const {
  std::uint64_t cycle = kNever;
  if (!events_.empty()) cycle = events_.top().at / kTicks;
  if (!passages_.empty()) cycle = std::min(cycle, passages_.top().cycle);
  return cycle;
}

void Network::Model::advance(std::uint64_t cycle, std::vector<Passage>& passages) {
  while (!events_.empty() && events_.top().at / kTicks < cycle) {
    const Event event = events_.top();
    events_.pop();
    switch (event.kind) {
      case Event::Kind::Come: come(event.who, event.at); break;
      case Event::Kind::Fetch: fetch(event.who, event.at); break;
      case Event::Kind::Try: try_lane(event.who, event.at); break;
      case Event::Kind::Branch: branch(event); break;
      case Event::Kind::Acked: acked(event); break;
    }
  }
  while (!passages_.empty() && passages_.top().cycle < cycle) {
    passages.push_back(passages_.top());
    passages_.pop();
  }
}

Network::Network(Arch arch) : model_(std::make_unique<Model>(arch)) {}
Network::~Network() = default;

void Network::ask(const Shipment& shipment, std::uint64_t cycle) {
  model_->ask(shipment, cycle);
}
std::uint64_t Network::next() const {
  return model_->next();
}
void Network::advance(std::uint64_t cycle, std::vector<Passage>& passages) {
  model_->advance(cycle, passages);
}

} // namespace lanewise::noc
