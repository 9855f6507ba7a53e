// Wormhole routing: a packet has a virtual channel of each link from when its head comes until its
// end has passed, also while it waits for the next one, stored along its way.
#include <algorithm>

#include "chip/noc/network_model.h"

namespace lanewise::noc {

namespace {

/// Bytes that a bank writes at once; of fewer it reads the others first.
constexpr std::uint32_t kBankUnit = 128;

/// Requests that a bank takes in before it has answered; assumed.
constexpr std::uint32_t kBankRequests = 16;

} // namespace

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

/// Its request is taken in: what it wants is fetched.
void Network::Model::take_desk(std::uint32_t index, Tick now) {
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
  take_desk(next, now);
}

std::uint32_t Network::Model::lane_of(const Packet& packet, Tick now) const {
  const Shipment& shipment = packet.shipment;
  const bool is_answer = shipment.kind == Transaction::Kind::Read && !packet.is_request;
  if (packet.step == 0)
    return is_answer ? out(shipment.noc, shipment.to) * kLanes + 2
                     : out(shipment.noc, shipment.from) * kLanes;
  const Hop& hop = ways_[packet.way][packet.step - 1];
  const std::uint32_t first = link(shipment.noc, hop.link) * kLanes;
  if (!is_answer) return first + (hop.is_across ? 1 : 0);
  const std::uint32_t either = first + (hop.is_across ? 4 : 2);
  const auto wait = [&](const Lane& lane) {
    return std::tuple(lane.waiting, lane.is_held, lane.free > now ? lane.free : 0);
  };
  return wait(lanes_[either + 1]) < wait(lanes_[either]) ? either + 1 : either;
}

void Network::Model::come(std::uint32_t index, Tick now) {
  Packet& packet = packets_[index];
  if (packet.step <= ways_[packet.way].size()) {
    queue_up(index, lane_of(packet, now), now);
    return;
  }
  if (!packet.is_request) {
    land(index, now);
    return;
  }
  Desk& desk = desks_[desk_of(packet)];
  if (desk.taken < (packet.shipment.bank ? kBankRequests : clock_.requests)) {
    take_desk(index, now);
    return;
  }
  packet.next = kNobody;
  (desk.first == kNobody ? desk.first : packets_[desk.last].next) = index;
  desk.last = index;
}

void Network::Model::queue_up(std::uint32_t index, std::uint32_t number, Tick now) {
  Lane& lane = lanes_[number];
  packets_[index].next = kNobody;
  (lane.first == kNobody ? lane.first : packets_[lane.last].next) = index;
  lane.last = index;
  ++lane.waiting;
  if (lane.first == index) try_lane(number, now);
}

void Network::Model::try_lane(std::uint32_t number, Tick now) {
  Lane& lane = lanes_[number];
  while (lane.first != kNobody) {
    const std::uint32_t index = lane.first;
    Packet& packet = packets_[index];
    if (lane.is_held) return;
    if (packet.step != 0 && lane.stored != 0 &&
        lane.stored + std::min(packet.flits, buffer_) > buffer_)
      return;
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
  const bool is_answer = packet.shipment.kind == Transaction::Kind::Read && !packet.is_request;
  packet.begun[step] = now;
  packet.lane[step] = number;
  const Tick takes = step == 0 ? packet.first : packet.flits;
  link_free_[number / kLanes] = now + takes;
  if (step != 0) lane.stored += std::min(packet.flits, buffer_);
  if (step == 0)
    tell(packet, now + takes, is_answer ? Passage::Kind::Reached : Passage::Kind::Left);
  leave_buffer(packet, step, now);
  const std::uint32_t behind = length_of(packet);
  if (behind == 0) {
    lane.free = now + takes;
  } else {
    lane.is_held = true;
    if (step >= behind) release(packet, step - behind, step, now);
  }
  if (step == 0 && is_answer) leave_desk(desk_of(packet), now);
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
    post({.kind = Event::Kind::Try,
          .at = std::max(end, now),
          .key = packet.number,
          .who = packet.lane[step]});
}

void Network::Model::land(std::uint32_t index, Tick now) {
  Packet& packet = packets_[index];
  const Shipment& shipment = packet.shipment;
  const bool is_read = shipment.kind == Transaction::Kind::Read;
  Tick& free = link_free_[in(shipment.noc, is_read ? shipment.from : shipment.to)];
  const Tick start = std::max(now, free);
  free = start + packet.flits;
  packet.begun[packet.step] = start;
  leave_buffer(packet, packet.step, start);
  const std::uint32_t behind = length_of(packet);
  if (behind != 0)
    for (std::uint32_t step = packet.step > behind ? packet.step - behind : 0; step < packet.step;
         ++step)
      release(packet, step, packet.step, now);
  const Tick hops = ticks(ways_[packet.way].size() * clock_.hop);
  Tick tail = std::max(free, packet.begun[0] + packet.first + hops);
  if (is_read) {
    tell(packet, tail + ticks(clock_.in), Passage::Kind::Answered);
  } else {
    if (shipment.bank) {
      Tick& bank = bank_free_[*shipment.bank];
      // A part of a unit is answered at once, and read and written again behind that.
      const Tick work = duration(shipment.bytes, record_.bank_write);
      const bool is_part = shipment.bytes < kBankUnit;
      const Tick begin = std::max(start, bank);
      bank = begin + std::max(work, is_part ? ticks(clock_.part_write) : 0);
      tail = std::max(tail, begin + work);
    }
    tail += ticks(shipment.bank ? clock_.at_bank_write : clock_.at_core);
    tell(packet, tail, Passage::Kind::Reached);
    tell(
        packet,
        tail + ticks(tori_[shipment.noc].hops(shipment.to, shipment.from) * clock_.hop + clock_.in),
        Passage::Kind::Answered);
  }
  unused_.push_back(index);
}

} // namespace lanewise::noc
