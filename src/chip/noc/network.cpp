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
      reserved_(std::size_t{kNocs} * 4 * routers_),
      senders_(std::size_t{kNocs} * routers_),
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
    post({.kind = Event::Kind::ComeMany, .at = head, .key = packet.number, .who = index});
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
      case Event::Kind::ComeMany: come_many(event.who, event.at); break;
      case Event::Kind::Sent: sent_many(event.who, event.at); break;
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
