#include "study/tune/rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "study/tune/demand.h"
#include "study/tune/follow.h"

namespace lanewise::tune {

namespace {

/// The part of the graph that one store needs, in the order of the program, with addresses from its
/// own.
std::vector<Node> slice_of(const std::vector<Node>& nodes, const FollowedStore& store) {
  std::vector<bool> is_needed(std::size_t{store.value} + 1);
  is_needed[store.value] = true;
  for (std::size_t id = is_needed.size(); id-- > 0;) { // operands come first
    for (const NodeId operand : nodes[id].operands)
      if (is_needed[id]) is_needed[operand] = true;
  }
  std::vector<Node> row;
  std::vector<NodeId> numbers(is_needed.size());
  for (NodeId id = 0; id < is_needed.size(); ++id) {
    if (!is_needed[id]) continue;
    Node node = nodes[id];
    for (NodeId& operand : node.operands) operand = numbers[operand];
    if (node.kind == NodeKind::Load) {
      const std::uint32_t away =
          (static_cast<std::uint32_t>(node.offset) - store.address) & kDstAddressMask;
      node.offset =
          away >= 512 ? static_cast<std::int32_t>(away) - 1024 : static_cast<std::int32_t>(away);
    }
    numbers[id] = static_cast<NodeId>(row.size());
    row.push_back(std::move(node));
  }
  return row;
}

Expected<Rows> rows_of(Arch arch, const Followed& followed) {
  Rows rows;
  RowGraph first;
  for (const FollowedStore& store : followed.stores) {
    const RowGraph written = without_unseen_choices(
        {.arch = arch, .nodes = slice_of(followed.nodes, store), .store_mode = store.mode});
    const RowGraph row = in_order_of_need(written);
    if (rows.addresses.empty()) {
      first = row;
      // The order of a long row's author fits into the registers.
      rows.row = row.nodes.size() > kShortRow ? written : row;
    }
    if (!(row == first))
      return refuse(
          fmt::format("row {} computes something else than row 0: {} operations instead of {}",
                      rows.addresses.size(), row.nodes.size(), first.nodes.size()),
          "a value is carried from row to row, or rows differ: tune them apart", store.line);
    if (std::ranges::find(rows.addresses, store.address) != rows.addresses.end())
      return refuse("a place of Dst is stored twice", "store every row once", store.line);
    rows.addresses.push_back(store.address);
  }
  if (rows.addresses.empty())
    return refuse("the kernel stores nothing in Dst", "there is no row to tune", 0);
  return rows;
}

Expected<void> find_stride(Rows& rows) {
  if (rows.addresses.size() < 2) return {};
  rows.stride = (rows.addresses[1] - rows.addresses[0]) & kDstAddressMask;
  for (std::size_t i = 1; i < rows.addresses.size(); ++i) {
    if (((rows.addresses[i] - rows.addresses[i - 1]) & kDstAddressMask) != rows.stride)
      return refuse(fmt::format("row {} lies at another distance than the rows before it", i),
                    "let rows follow each other at one distance", 0);
  }
  return {};
}

} // namespace

Expected<Rows> find_rows(Arch arch, const Program& program,
                         const execution::TileRunOptions& options) {
  const auto timed = execution::schedule_on_tile(arch, program, options);
  if (!timed) return Unexpected(timed.error());
  const auto followed = follow(arch, timed->start, timed->ops());
  if (!followed) return Unexpected(followed.error());
  auto rows = rows_of(arch, *followed);
  if (!rows) return rows;
  if (auto done = find_stride(*rows); !done) return Unexpected(done.error());
  rows->dst_counter = (followed->dst_counter - timed->start.rwc.dst) & kDstAddressMask;
  return rows;
}

} // namespace lanewise::tune
