#include "chip/noc/network.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "chip/noc/network_model.h"

namespace lanewise::noc {

Network::Model::Model(Arch arch)
    : record_(*noc_record(arch)),
      clock_(record_.clock),
      tori_{Torus(arch, 0), Torus(arch, 1)},
      routers_(tori_[0].routers()),
      buffer_(ticks(clock_.hop)),
      link_free_(std::size_t{kNocs} * 4 * routers_),
      many_free_(std::size_t{kNocs} * 4 * routers_),
      bank_free_(record_.banks.size()),
      lanes_(link_free_.size() * kLanes),
      desks_(std::size_t{kNocs} * routers_ + record_.banks.size()) {}

std::uint32_t Network::Model::route(unsigned noc, NocPlace from, NocPlace to) {
  const std::uint32_t name =
      (noc * routers_ + tori_[noc].router_number(from)) * routers_ + tori_[noc].router_number(to);
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
    packet.waited = packet.unreached = static_cast<std::uint32_t>(shipment.many.size());
    packet.way = tree(shipment);
    ask_many(index, head);
  } else if (shipment.kind == Transaction::Kind::Read) {
    packet.way = route(noc, shipment.from, shipment.to);
    packet.is_request = true;
    packet.flits = packet.first = duration(0, clock_.rate);
    post({.kind = Event::Kind::Come, .at = head, .key = packet.number, .who = index});
  } else {
    packet.way = route(noc, shipment.from, shipment.to);
    post({.kind = Event::Kind::Come, .at = head, .key = packet.number, .who = index});
  }
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
  post({.kind = Event::Kind::Branch,
        .at = begins,
        .tail = end,
        .key = packet.number,
        .who = index,
        .step = 0});
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
  const NocPlace at =
      event.step == 0 ? shipment.from : tori_[shipment.noc].end_of(tree.steps[event.step - 1].link);
  Tick& free = link_free_[in(shipment.noc, at)];
  free = std::max(next.at, free) + packet.flits;
  const Tick there = std::max(free, next.tail) + ticks(clock_.at_core);
  packet.reached = std::max(packet.reached, there);
  packet.unreached -= tree.receivers[event.step];
  if (packet.unreached == 0) tell(packet, packet.reached, Passage::Kind::Reached);
  next.kind = Event::Kind::Acked;
  next.at = there + ticks(std::uint64_t{tori_[shipment.noc].hops(at, shipment.from)} * clock_.hop);
  for (unsigned each = tree.receivers[event.step]; each != 0; --each) post(next);
}

void Network::Model::acked(const Event& event) {
  Packet& packet = packets_[event.who];
  const Shipment& shipment = packet.shipment;
  Tick& free = link_free_[in(shipment.noc, shipment.from)];
  free = std::max(event.at, free) + duration(0, clock_.rate);
  packet.answered = std::max(packet.answered, free + ticks(clock_.in));
  if (--packet.waited != 0) return;
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
