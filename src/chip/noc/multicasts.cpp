// Multicasts: the way of one, a tree, is reserved before anything leaves, and held until all of it
// has left; of linked ones, until the last of them has.
//
// A reservation that meets a way of another core fails, and is tried again after a random time that
// grows with each failure (ISA NoC/README, "Performance"). So of those who wait for a way, the core
// that has just given it back comes first, if it has another multicast ready: the others are still
// waiting. Which times these are is not known, and none is added here.
#include <algorithm>

#include "chip/noc/network_model.h"

namespace lanewise::noc {

/// It is at its core's NIU, which sends one multicast after the other.
void Network::Model::come_many(std::uint32_t index, Tick now) {
  Packet& packet = packets_[index];
  packet.next = kNobody;
  const std::uint32_t number = sender_of(packet.shipment);
  Sender& sender = senders_[number];
  const bool is_alone = sender.first == kNobody;
  (is_alone ? sender.first : packets_[sender.last].next) = index;
  sender.last = index;
  if (is_alone) begin_many(number, now);
}

void Network::Model::begin_many(std::uint32_t number, Tick now) {
  const Sender& sender = senders_[number];
  const Packet& packet = packets_[sender.first];
  if (sender.way != kNobody || reserve(number)) {
    waiting_.erase(packet.number);
    send_many(number, now);
  } else {
    waiting_.emplace(packet.number, number);
  }
}

/// Whether nobody else has a link of the way of the sender's next multicast: then it has all.
bool Network::Model::reserve(std::uint32_t number) {
  Sender& sender = senders_[number];
  const Packet& packet = packets_[sender.first];
  const Tree& tree = trees_[packet.way];
  const unsigned noc = packet.shipment.noc;
  const auto is_taken = [&](const Tree::Step& step) { return reserved_[link(noc, step.link)]; };
  if (std::ranges::any_of(tree.steps, is_taken)) return false;
  for (const Tree::Step& step : tree.steps) reserved_[link(noc, step.link)] = true;
  sender.way = packet.way;
  sender.reserves = ticks(clock_.reserve + tree.depth() * clock_.reserve_hop);
  return true;
}

void Network::Model::send_many(std::uint32_t number, Tick now) {
  Sender& sender = senders_[number];
  const Packet& packet = packets_[sender.first];
  Tick& free = link_free_[out(packet.shipment.noc, packet.shipment.from)];
  Tick begin = std::max(now + sender.reserves, free);
  // What comes back to the sender leaves no faster than its NIU takes it in.
  if (trees_[packet.way].receivers[0] != 0)
    begin = std::max(begin, link_free_[in(packet.shipment.noc, packet.shipment.from)]);
  const Tick end = begin + packet.flits;
  sender.reserves = 0;
  free = end;
  tell(packet, end, Passage::Kind::Left);
  Event event{.kind = Event::Kind::Branch,
              .at = begin,
              .tail = end,
              .key = packet.number,
              .who = sender.first};
  post(event);
  event.kind = Event::Kind::Sent;
  event.at = end;
  event.who = number;
  post(event);
}

/// All of the sender's multicast has left.
void Network::Model::sent_many(std::uint32_t number, Tick now) {
  Sender& sender = senders_[number];
  const Packet& packet = packets_[sender.first];
  const bool keeps = packet.shipment.is_linked;
  sender.first = packet.next;
  if (!keeps) {
    for (const Tree::Step& step : trees_[sender.way].steps)
      reserved_[link(packet.shipment.noc, step.link)] = false;
    sender.way = kNobody;
  }
  if (sender.first != kNobody) begin_many(number, now);
  if (keeps) return;
  // Those that get their way leave the list.
  for (auto next = waiting_.begin(); next != waiting_.end();) begin_many((next++)->second, now);
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

} // namespace lanewise::noc
