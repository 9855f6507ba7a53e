#include "study/tune/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "study/tune/demand.h"
#include "study/tune/follow.h"

namespace lanewise::tune {

namespace {

/// The part of the graph that one store needs, with addresses from its own.
class Slice {
 public:
  Slice(const std::vector<Node>& nodes, std::uint32_t address) : nodes_(nodes), address_(address) {}

  std::vector<Node> of(NodeId value) {
    number(value);
    return std::move(row_);
  }

 private:
  NodeId number(NodeId id) {
    if (const auto found = numbers_.find(id); found != numbers_.end()) return found->second;
    Node node = nodes_[id];
    for (NodeId& operand : node.operands) operand = number(operand);
    if (node.kind == NodeKind::Load) {
      const std::uint32_t away =
          (static_cast<std::uint32_t>(node.offset) - address_) & kDstAddressMask;
      node.offset =
          away >= 512 ? static_cast<std::int32_t>(away) - 1024 : static_cast<std::int32_t>(away);
    }
    row_.push_back(std::move(node));
    return numbers_[id] = static_cast<NodeId>(row_.size() - 1);
  }

  const std::vector<Node>& nodes_;
  std::uint32_t address_;
  std::map<NodeId, NodeId> numbers_;
  std::vector<Node> row_;
};

Expected<Rows> rows_of(Arch arch, const Followed& followed) {
  Rows rows;
  for (const FollowedStore& store : followed.stores) {
    const RowGraph row =
        without_unseen_choices({.arch = arch,
                                .nodes = Slice(followed.nodes, store.address).of(store.value),
                                .store_mode = store.mode});
    if (rows.addresses.empty()) rows.row = row;
    if (!(row == rows.row))
      return refuse(
          fmt::format("row {} computes something else than row 0: {} operations instead of {}",
                      rows.addresses.size(), row.nodes.size(), rows.row.nodes.size()),
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
  const bool has_macros = std::ranges::any_of(
      timed->program.ops, [](const MicroOp& op) { return op.op == isa::Op::SFPLOADMACRO; });
  const auto followed =
      follow(arch, timed->start, has_macros ? timed->schedule.ops : timed->program.ops);
  if (!followed) return Unexpected(followed.error());
  auto rows = rows_of(arch, *followed);
  if (!rows) return rows;
  if (auto done = find_stride(*rows); !done) return Unexpected(done.error());
  rows->dst_counter = (followed->dst_counter - timed->start.rwc.dst) & kDstAddressMask;
  return rows;
}

} // namespace lanewise::tune
