#include "study/parts/shared_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "chip/tile/state_fields.h"
#include "study/parts/kept_record.h"

namespace lanewise::parts {

namespace {

/// By tile::OrderEnd.
constexpr std::string_view kEndLetters = "sud-";

std::string read_ends(const Json& value, std::uint64_t orders) {
  auto ends = value.get<std::string>();
  if (ends.size() != orders || ends.find_first_not_of(kEndLetters) != std::string::npos)
    throw std::invalid_argument(fmt::format("'{}' is not how {} orders have ended", ends, orders));
  return ends;
}

/// Bytes of L1 by eight.
void add_bytes(Fnv1a& digest, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t unit = 0;
    std::memcpy(&unit, bytes.data() + i, std::min(sizeof unit, bytes.size() - i));
    digest.add(unit);
  }
}

void add_script(Fnv1a& digest, const tile::CoreScript& script) {
  digest.add(script.size());
  for (tile::CoreScript::Place place = 0; place < script.size(); ++place) {
    const tile::CoreAction& action = script.action(place);
    digest.add(static_cast<std::uint64_t>(action.kind) << 8U | action.bytes);
    digest.add(std::uint64_t{action.address} << 32U | action.value);
    digest.add(action.line);
  }
}

} // namespace

std::uint64_t race_digest(const tile::RaceProgram& program) {
  Fnv1a digest;
  digest.add(static_cast<std::uint64_t>(program.scope));
  const tile::TileState& start = program.start;
  add_bytes(digest, std::as_bytes(start.l1.bytes()));
  add_bytes(digest, std::as_bytes(std::span(start.machine.dst.cell)));
  add_bytes(digest, std::as_bytes(std::span(start.machine.srca.cell)));
  add_bytes(digest, std::as_bytes(std::span(start.machine.srcb.cell)));
  for (const tile::StateField& field : tile::state_fields(start)) digest.add(field.value);
  for (const tile::CoreScript& script : program.script) add_script(digest, script);
  return digest.value();
}

tile::SharedOrders SharedOrders::bind() {
  return {.begin = [this](const tile::RaceProgram& program,
                          std::uint64_t orders) { return begin(program, orders); },
          .find = [this](std::uint64_t order) -> std::optional<tile::OrderEnd> {
            const auto known = ends_.find(order / kOrdersOfItem);
            if (known == ends_.end()) return std::nullopt;
            const std::size_t place = order % kOrdersOfItem;
            if (place >= known->second.size()) return std::nullopt;
            return static_cast<tile::OrderEnd>(kEndLetters.find(known->second[place]));
          },
          .keep = [this](std::uint64_t order, tile::OrderEnd end) { keep(order, end); }};
}

std::uint64_t SharedOrders::done() const {
  std::uint64_t done = 0;
  for (const auto& [item, value] : work_.records()) done += orders_of(item);
  return done;
}

Expected<std::pair<std::uint64_t, std::uint64_t>> SharedOrders::begin(
    const tile::RaceProgram& program, std::uint64_t orders) {
  all_ = orders;
  const Json key{{"chip", arch_params(program.start.arch()).names.id},
                 {"program", fmt::format("{:016x}", race_digest(program))},
                 {"orders", orders}};
  const std::uint64_t items = (orders + kOrdersOfItem - 1) / kOrdersOfItem;
  if (auto begun = work_.begin("search for races", key, items, SharedWork::Keeping::Lines); !begun)
    return Unexpected(begun.error());
  for (const auto& record : work_.records()) {
    const std::uint64_t item = record.first;
    auto ends =
        kept_record(work_.name_of(item), [&] { return read_ends(record.second, orders_of(item)); });
    if (!ends) return Unexpected(ends.error());
    ends_[item] = *std::move(ends);
  }
  const ItemRange range = work_.range();
  begin_ = std::min(orders, range.begin * kOrdersOfItem);
  end_ = std::min(orders, range.end * kOrdersOfItem);
  return std::pair{begin_, end_};
}

std::uint64_t SharedOrders::orders_of(std::uint64_t item) const {
  return std::min(kOrdersOfItem, all_ - item * kOrdersOfItem);
}

void SharedOrders::keep(std::uint64_t order, tile::OrderEnd end) {
  const std::uint64_t item = order / kOrdersOfItem;
  std::string& ends = ends_[item];
  if (ends.size() != order % kOrdersOfItem) return; // it is kept already
  ends += kEndLetters[static_cast<std::size_t>(end)];
  if (ends.size() == orders_of(item)) work_.keep(item, ends);
}

} // namespace lanewise::parts
