#include "binary/paths/load_orders.h"

#include <algorithm>

#include "binary/paths/dataflow.h"
#include "chip/riscv/address_map.h"

namespace lanewise::paths {

namespace {

bool is_memory(riscv::Region region) {
  return region == riscv::Region::L1 || region == riscv::Region::LocalRam ||
         region == riscv::Region::OtherRam;
}

bool share_bytes(std::uint32_t one, std::uint8_t one_bytes, std::uint32_t other,
                 std::uint8_t other_bytes) {
  return other - one < one_bytes || one - other < other_bytes;
}

/// Adds to what orders later accesses of both kinds.
void insert_all(OrderSet& memory, OrderSet& devices, Order order) {
  memory.insert(order);
  devices.insert(order);
}

} // namespace

graph::Node block_with(const std::vector<Block>& blocks, std::uint32_t word) {
  const auto after = std::ranges::upper_bound(blocks, word, {}, &Block::first);
  return static_cast<graph::Node>(after - blocks.begin() - 1);
}

AccessPlaces::AccessPlaces(const OrderModel& model, Arch arch)
    : model_(model), values_(model.steps, model.blocks, model.graph) {
  for (std::uint32_t word = 0; word < model.steps.size(); ++word) {
    const auto accessed = model.steps[word].accessed;
    const auto region = accessed ? riscv::find_region(arch, *accessed).region : riscv::Region::L1;
    pushes_.push_back(model.steps[word].pushes ||
                      (model.steps[word].stores && region == riscv::Region::Instructions));
    is_device_.push_back(pushes_.back() || !is_memory(region));
  }
}

bool AccessPlaces::overlap(std::uint32_t one, std::uint32_t other) const {
  const Step& first = model_.steps[one];
  const Step& second = model_.steps[other];
  return first.accessed && second.accessed &&
         share_bytes(*first.accessed, first.bytes, *second.accessed, second.bytes);
}

/// The graph has one node more than the blocks: the words behind the load in its block. It is the
/// entry; a path that comes back to the load ends there, since its next execution begins anew.
graph::Graph LoadOrders::graph_behind_load() const {
  const graph::Node behind = model_.graph.size();
  std::vector<graph::Edge> edges;
  for (const graph::Edge& edge : model_.graph.edges())
    edges.push_back({edge.from == block_ ? behind : edge.from, edge.to});
  return {behind + 1, behind, edges};
}

LoadOrders::LoadOrders(const OrderModel& model, const AccessPlaces& places, std::uint32_t load)
    : model_(model), places_(places), load_(load), block_(block_with(model.blocks, load)) {
  const auto transfer = [this](graph::Node node, Known& known) {
    const bool is_behind = node == model_.graph.size();
    const Block& block = model_.blocks[is_behind ? block_ : node];
    for (std::uint32_t word = is_behind ? load_ + 1 : block.first; word < block.end; ++word)
      pass(word, known);
  };
  states_ = forward(graph_behind_load(), after_load(), transfer, join);
}

bool LoadOrders::join(Known& into, const Known& from) {
  const Known before = into;
  into.dependent &= from.dependent;
  into.same_base &= from.same_base;
  into.memory &= from.memory;
  into.devices &= from.devices;
  into.annotated = into.annotated && from.annotated;
  return into.dependent != before.dependent || into.same_base != before.same_base ||
         into.memory != before.memory || into.devices != before.devices ||
         into.annotated != before.annotated;
}

LoadOrders::Known LoadOrders::after_load() const {
  const Step& step = model_.steps[load_];
  Known known{.dependent = step.written,
              .same_base = step.address & ~step.written,
              .annotated = step.acquires || step.releases};
  if (step.acquires && !places_.is_device(load_)) known.memory.insert(Order::Annotation);
  if (step.acquires && places_.is_device(load_)) known.devices.insert(Order::Annotation);
  return known;
}

void LoadOrders::pass(std::uint32_t word, Known& known) const {
  const Step& step = model_.steps[word];
  if (step.branches && (step.sources & known.dependent) != 0)
    insert_all(known.memory, known.devices, Order::Control);
  if ((step.address & known.dependent) != 0)
    insert_all(known.memory, known.devices, Order::AddressBetween);
  pass_fence(step, known);
  pass_atomic(word, known);
  pass_registers(step, known);
}

void LoadOrders::pass_fence(const Step& step, Known& known) const {
  const unsigned mine = places_.is_device(load_) ? fenced::kInput : fenced::kReads;
  if ((step.fenced_before & mine) == 0) return;
  if ((step.fenced_after & fenced::kWrites) != 0) known.memory.insert(Order::Fence);
  if ((step.fenced_after & fenced::kOutput) != 0) known.devices.insert(Order::Fence);
}

/// An AMO with rl stays behind the load, as does one with any annotation behind another that does
/// (rule 7); what comes behind an AMO with aq stays behind that.
void LoadOrders::pass_atomic(std::uint32_t word, Known& known) const {
  const Step& step = model_.steps[word];
  if (places_.is_device(load_) != places_.is_device(word)) return;
  known.annotated = known.annotated || step.releases;
  if (!step.acquires || !known.annotated) return;
  (places_.is_device(word) ? known.devices : known.memory).insert(Order::Annotation);
}

void LoadOrders::pass_registers(const Step& step, Known& known) const {
  const bool depends = step.carries() && (step.sources & known.dependent) != 0;
  known.dependent &= ~step.written;
  if (depends) known.dependent |= step.written;
  known.same_base &= ~step.written;
}

bool LoadOrders::same_address(std::uint32_t store, const Known& known) const {
  const Step& one = model_.steps[load_];
  const Step& other = model_.steps[store];
  const bool same_base = (other.address & known.same_base) != 0;
  return places_.overlap(load_, store) ||
         (same_base && share_bytes(static_cast<std::uint32_t>(one.offset), one.bytes,
                                   static_cast<std::uint32_t>(other.offset), other.bytes));
}

OrderSet LoadOrders::orders_at(std::uint32_t store, const Known& known) const {
  const Step& step = model_.steps[store];
  OrderSet orders = places_.is_device(store) ? known.devices : known.memory;
  if ((step.address & known.dependent) != 0) orders.insert(Order::Address);
  if ((step.data & known.dependent) != 0) orders.insert(Order::Data);
  if (same_address(store, known)) orders.insert(Order::SameAddress);
  const bool annotated = step.releases || (step.acquires && known.annotated);
  if (annotated && places_.is_device(load_) == places_.is_device(store))
    orders.insert(Order::Annotation);
  return orders;
}

OrderSet LoadOrders::orders_of(std::uint32_t store) const {
  const graph::Node node = block_with(model_.blocks, store);
  const bool is_behind = node == block_ && store > load_;
  const auto& state = states_[is_behind ? model_.graph.size() : node];
  if (!state) return {};
  Known known = *state;
  for (std::uint32_t word = is_behind ? load_ + 1 : model_.blocks[node].first; word < store; ++word)
    pass(word, known);
  return orders_at(store, known);
}

} // namespace lanewise::paths
