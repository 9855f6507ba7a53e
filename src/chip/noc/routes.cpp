#include "chip/noc/routes.h"

#include <algorithm>
#include <utility>

namespace lanewise::noc {

namespace {

std::uint8_t small(unsigned value) {
  return static_cast<std::uint8_t>(value);
}

} // namespace

NocPlace worker_router(Arch arch, unsigned x, unsigned y) {
  const NocRecord& record = *noc_record(arch);
  const auto place = [](std::span<const std::uint8_t> skipped, unsigned index) {
    unsigned at = index;
    for (const std::uint8_t each : skipped)
      if (each <= at) ++at;
    return small(at);
  };
  return {place(record.other_columns, x), place(record.other_rows, y)};
}

NocPlace bank_router(Arch arch, unsigned noc, unsigned bank) {
  const NocRecord& record = *noc_record(arch);
  const DramBank& row = record.banks[bank];
  return record.channel_routers[row.channel][row.port[noc]];
}

Torus::Torus(Arch arch, unsigned noc)
    : columns_(noc_record(arch)->grid.x), rows_(noc_record(arch)->grid.y), is_back_(noc == 1) {}

unsigned Torus::hops(NocPlace from, NocPlace to) const {
  if (is_back_) std::swap(from, to);
  return (to.x + columns_ - from.x) % columns_ + (to.y + rows_ - from.y) % rows_;
}

void Torus::append_route(NocPlace from, NocPlace to, std::vector<Link>& links) const {
  const auto along_row = [&] {
    while (from.x != to.x) {
      links.push_back(static_cast<Link>(router_number(from)));
      from.x = small((from.x + (is_back_ ? columns_ - 1 : 1)) % columns_);
    }
  };
  const auto along_column = [&] {
    while (from.y != to.y) {
      links.push_back(static_cast<Link>(routers() + router_number(from)));
      from.y = small((from.y + (is_back_ ? rows_ - 1 : 1)) % rows_);
    }
  };
  if (is_back_) {
    along_column();
    along_row();
  } else {
    along_row();
    along_column();
  }
}

NocPlace Torus::begin_of(Link link) const {
  const unsigned router = link % routers();
  return {small(router % columns_), small(router / columns_)};
}

NocPlace Torus::end_of(Link link) const {
  NocPlace place = begin_of(link);
  if (link < routers()) {
    place.x = small((place.x + (is_back_ ? columns_ - 1 : 1)) % columns_);
  } else {
    place.y = small((place.y + (is_back_ ? rows_ - 1 : 1)) % rows_);
  }
  return place;
}

unsigned Tree::depth() const {
  std::vector<unsigned> depths{0};
  for (const Step& step : steps) depths.push_back(depths[step.before] + 1);
  return *std::ranges::max_element(depths);
}

namespace {

/// Where a multicast turns from the sender's row into columns: at once, or where its rectangle
/// begins.
NocPlace turn_of(const Torus& torus, NocPlace from, std::span<const NocPlace> to) {
  const auto [left, right] = std::ranges::minmax(to, {}, &NocPlace::x);
  if (left.x <= from.x && from.x <= right.x) return from;
  return {torus.is_back() ? right.x : left.x, from.y};
}

} // namespace

Tree tree_of(const Torus& torus, NocPlace from, std::span<const NocPlace> to) {
  Tree tree;
  const NocPlace turn = turn_of(torus, from, to);
  tree.receivers.push_back(0);
  std::vector<std::uint16_t> step_at(torus.links(), 0); // by link
  std::vector<Link> route;
  for (const NocPlace each : to) {
    route.clear();
    torus.append_route(from, turn, route);
    torus.append_route(turn, {turn.x, each.y}, route);
    torus.append_route({turn.x, each.y}, each, route);
    std::uint16_t before = 0;
    for (const Link link : route) {
      if (step_at[link] == 0) {
        tree.steps.push_back({.link = link, .before = before});
        tree.receivers.push_back(0);
        step_at[link] = static_cast<std::uint16_t>(tree.steps.size());
      }
      before = step_at[link];
    }
    ++tree.receivers[before];
  }
  for (std::size_t step = 0; step <= tree.steps.size(); ++step) {
    tree.begin.push_back(static_cast<std::uint16_t>(tree.next.size()));
    for (std::size_t other = 0; other < tree.steps.size(); ++other)
      if (tree.steps[other].before == step)
        tree.next.push_back(static_cast<std::uint16_t>(other + 1));
  }
  tree.begin.push_back(static_cast<std::uint16_t>(tree.next.size()));
  return tree;
}

} // namespace lanewise::noc
