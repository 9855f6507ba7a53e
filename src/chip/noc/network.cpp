#include "chip/noc/network.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "chip/noc/routes.h"

namespace lanewise::noc {

namespace {

using Kind = Transaction::Kind;

/// Times are whole ticks, so that sums of parts of cycles are exact.
using Tick = std::uint64_t;
constexpr Tick kTicks = 64; ///< in a cycle

Tick ticks(std::uint64_t cycles) {
  return cycles * kTicks;
}
std::uint64_t cycle_of(Tick tick) {
  return (tick + kTicks - 1) / kTicks;
}

} // namespace

class Network::Model {
 public:
  explicit Model(Arch arch)
      : record_(*noc_record(arch)),
        clock_(record_.clock),
        tori_{Torus(arch, 0), Torus(arch, 1)},
        routers_(tori_[0].routers()),
        free_(kNocs * 4 * routers_ + record_.banks.size()) {}

  void ask(const Shipment& shipment, std::uint64_t cycle);
  std::uint64_t next() const;
  void advance(std::uint64_t cycle, std::vector<Passage>& passages);

 private:
  struct Packet {
    std::uint64_t key = 0;
    Kind kind = Kind::Read;
    std::uint8_t noc = 0;
    bool is_own = false; ///< to and from the same core
    std::uint32_t bytes = 0;
    std::uint32_t source = 0, sink = 0; ///< servers; of a multicast no sink
    std::uint32_t way = 0;              ///< links: ways_[way], or trees_[way] of a multicast
    bool is_many = false;
    std::uint32_t waited = 0; ///< receivers that have not answered
    Tick back = 0;            ///< from where data are until the core that asked has its answer
    Tick reached = 0, answered = 0;
  };

  /// The head of a packet comes to a server.
  struct Arrival {
    Tick head = 0, tail = 0;
    std::uint64_t key = 0;
    std::uint32_t packet = 0;
    std::uint32_t step = 0; ///< 0: the source; from 1: links; behind them the sink

    auto order() const { return std::tuple(head, key, step); }
    friend bool operator>(const Arrival& a, const Arrival& b) { return a.order() > b.order(); }
  };

  struct Later {
    bool operator()(const Passage& a, const Passage& b) const {
      return std::tuple(a.cycle, a.key, a.kind) > std::tuple(b.cycle, b.key, b.kind);
    }
  };

  // Servers, by number: of each NoC its links, then NIUs out of cores, then into them; then banks.
  std::uint32_t link(unsigned noc, Link link) const { return noc * 4 * routers_ + link; }
  std::uint32_t out(unsigned noc, NocPlace at) const {
    return (noc * 4 + 2) * routers_ + tori_[noc].router_number(at);
  }
  std::uint32_t in(unsigned noc, NocPlace at) const {
    return (noc * 4 + 3) * routers_ + tori_[noc].router_number(at);
  }
  std::uint32_t bank(unsigned index) const { return kNocs * 4 * routers_ + index; }

  Tick duration(std::uint32_t bytes, std::uint16_t tenths) const {
    return (std::uint64_t{bytes} + clock_.flit) * 10 * kTicks / tenths;
  }

  std::uint32_t route(unsigned noc, NocPlace from, NocPlace to);
  std::uint32_t tree(const Shipment& shipment);
  void come(const Arrival& arrival) { arrivals_.push(arrival); }
  void tell(const Packet& packet, Tick tick, Passage::Kind kind) {
    passages_.push({.cycle = cycle_of(tick), .key = packet.key, .kind = kind});
  }
  void arrive(const Arrival& arrival);
  void go_on(const Arrival& arrival, Packet& packet, Tick head, Tick tail);
  void land(std::uint32_t index, Packet& packet, Tick tail, Tick back);

  const NocRecord& record_;
  const NocClock& clock_;
  std::array<Torus, kNocs> tori_;
  unsigned routers_;
  std::vector<Tick> free_; ///< from when on, by server
  std::unordered_map<std::uint32_t, std::uint32_t> way_of_;
  std::vector<std::vector<Link>> ways_;
  std::vector<Packet> packets_;
  std::vector<std::uint32_t> unused_;
  std::map<std::vector<std::uint16_t>, std::uint32_t> tree_of_;
  std::vector<Tree> trees_;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
  std::priority_queue<Passage, std::vector<Passage>, Later> passages_;
};

std::uint32_t Network::Model::route(unsigned noc, NocPlace from, NocPlace to) {
  const std::uint32_t name =
      (noc * routers_ + tori_[noc].router_number(from)) * routers_ + tori_[noc].router_number(to);
  const auto [found, is_new] = way_of_.try_emplace(name, static_cast<std::uint32_t>(ways_.size()));
  if (is_new) tori_[noc].append_route(from, to, ways_.emplace_back());
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
  const bool is_read = shipment.kind == Kind::Read;
  const Torus& torus = tori_[shipment.noc];
  Packet packet{.key = shipment.key,
                .kind = shipment.kind,
                .noc = static_cast<std::uint8_t>(shipment.noc),
                .is_own = !shipment.bank && shipment.from == shipment.to,
                .bytes = shipment.bytes};
  Tick head = ticks(cycle + clock_.out);
  if (!shipment.many.empty()) {
    packet.is_many = true;
    packet.way = tree(shipment);
    packet.source = out(shipment.noc, shipment.from);
    packet.waited = static_cast<std::uint32_t>(shipment.many.size());
  } else if (is_read) {
    tell(packet, head, Passage::Kind::Left);
    head += ticks(torus.hops(shipment.from, shipment.to) * clock_.hop +
                  (shipment.bank ? clock_.at_bank_read : clock_.at_core));
    packet.way = route(shipment.noc, shipment.to, shipment.from);
    packet.source = shipment.bank ? bank(*shipment.bank) : out(shipment.noc, shipment.to);
    packet.sink = in(shipment.noc, shipment.from);
    packet.back = ticks(clock_.in);
  } else {
    packet.way = route(shipment.noc, shipment.from, shipment.to);
    packet.source = out(shipment.noc, shipment.from);
    packet.sink = shipment.bank ? bank(*shipment.bank) : in(shipment.noc, shipment.to);
    packet.back = ticks(torus.hops(shipment.to, shipment.from) * clock_.hop + clock_.in);
  }
  std::uint32_t index = 0;
  if (unused_.empty()) {
    index = static_cast<std::uint32_t>(packets_.size());
    packets_.push_back(packet);
  } else {
    index = unused_.back();
    unused_.pop_back();
    packets_[index] = packet;
  }
  come({.head = head, .tail = head, .key = shipment.key, .packet = index, .step = 0});
}

void Network::Model::land(std::uint32_t index, Packet& packet, Tick tail, Tick back) {
  packet.reached = std::max(packet.reached, tail);
  packet.answered = std::max(packet.answered, tail + back);
  if (packet.is_many && --packet.waited != 0) return;
  if (packet.kind != Kind::Read) tell(packet, packet.reached, Passage::Kind::Reached);
  tell(packet, packet.answered, Passage::Kind::Answered);
  unused_.push_back(index);
}

void Network::Model::arrive(const Arrival& arrival) {
  Packet& packet = packets_[arrival.packet];
  const bool is_read = packet.kind == Kind::Read;
  const auto pass = [&](std::uint32_t server, std::uint16_t rate, Tick hop) {
    Tick& free = free_[server];
    const Tick start = std::max(arrival.head, free);
    free = start + duration(packet.bytes, rate);
    return std::pair(start + hop, std::max(free, arrival.tail) + hop);
  };
  const bool is_bank_source = packet.source >= bank(0), is_bank_sink = packet.sink >= bank(0);
  if (arrival.step == 0) {
    const std::uint16_t rate =
        is_read ? (is_bank_source ? record_.bank_read : clock_.answer_rate) : clock_.rate;
    const auto [head, tail] = pass(packet.source, rate, 0);
    tell(packet, tail, is_read ? Passage::Kind::Reached : Passage::Kind::Left);
    go_on(arrival, packet, head, tail);
    return;
  }
  if (packet.is_many) {
    const Tree& tree = trees_[packet.way];
    if (arrival.step <= tree.steps.size()) {
      const auto [head, tail] =
          pass(link(packet.noc, tree.steps[arrival.step - 1].link), clock_.rate, ticks(clock_.hop));
      go_on(arrival, packet, head, tail);
    } else {
      land(arrival.packet, packet, arrival.tail + ticks(clock_.at_core), ticks(clock_.in));
    }
    return;
  }
  const std::vector<Link>& way = ways_[packet.way];
  if (arrival.step <= way.size()) {
    const auto [head, tail] =
        pass(link(packet.noc, way[arrival.step - 1]), clock_.rate, ticks(clock_.hop));
    go_on(arrival, packet, head, tail);
    return;
  }
  const auto [head, tail] = pass(packet.sink, is_bank_sink ? record_.bank_write : clock_.rate, 0);
  const Tick there = is_read ? 0 : ticks(is_bank_sink ? clock_.at_bank_write : clock_.at_core);
  land(arrival.packet, packet, tail + there, packet.back);
}

void Network::Model::go_on(const Arrival& arrival, Packet& packet, Tick head, Tick tail) {
  Arrival next = arrival;
  next.head = head;
  next.tail = tail;
  if (!packet.is_many) {
    ++next.step;
    come(next);
    return;
  }
  const Tree& tree = trees_[packet.way];
  for (const std::uint16_t step : tree.after(arrival.step)) {
    next.step = step;
    come(next);
  }
  next.step = static_cast<std::uint32_t>(tree.steps.size() + 1);
  for (unsigned left = tree.receivers[arrival.step]; left != 0; --left) come(next);
}

std::uint64_t Network::Model::next() const {
  std::uint64_t cycle = kNever;
  if (!arrivals_.empty()) cycle = arrivals_.top().head / kTicks;
  if (!passages_.empty()) cycle = std::min(cycle, passages_.top().cycle);
  return cycle;
}

void Network::Model::advance(std::uint64_t cycle, std::vector<Passage>& passages) {
  while (!arrivals_.empty() && arrivals_.top().head < ticks(cycle)) {
    const Arrival arrival = arrivals_.top();
    arrivals_.pop();
    arrive(arrival);
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
