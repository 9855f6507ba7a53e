#include "run/execution/row_access.h"

#include <algorithm>

#include "chip/machine/control.h"
#include "chip/machine/dst_address.h"
#include "chip/machine/row.h"

namespace lanewise::execution {

namespace {

using isa::Op;

constexpr std::size_t kMostRowsPerBody = 4;

bool is_alike(const RowAccess& a, const RowAccess& b) {
  return a.is_odd == b.is_odd && a.is_wide == b.is_wide && a.is_store == b.is_store &&
         a.mode == b.mode;
}

/// Whether all bodies of `size` accesses access as the first one does.
bool are_alike(std::span<const RowAccess> accesses, std::size_t size) {
  for (std::size_t i = size; i < accesses.size(); ++i) {
    if (!is_alike(accesses[i], accesses[i - size])) return false;
  }
  return true;
}

/// Whether each part of every body names its groups as that of the first one does, and keeps them.
bool keep_groups(std::span<const RowAccess> accesses, std::size_t size,
                 const std::vector<std::size_t>& parts) {
  std::size_t first = 0;
  for (const std::size_t part : parts) {
    const AccessGroups groups(accesses.subspan(first, part));
    for (std::size_t at = first; at < accesses.size(); at += size) {
      const AccessGroups others(accesses.subspan(at, part));
      if (others.of_access != groups.of_access || !others.are_apart()) return false;
    }
    first += part;
  }
  return true;
}

} // namespace

bool is_access(const MicroOp& op) {
  return (op.op == Op::SFPLOAD || op.op == Op::SFPSTORE || op.op == Op::SFPLOADMACRO) &&
         op.instruction != no_effect;
}

RowAccess access_of(MachineState& state, const MicroOp& op) {
  const DstMode mode = resolve_dst_mode(state.config, static_cast<DstMode>(op.mod));
  const bool is_store = op.op == Op::SFPSTORE;
  const Rwc before = state.rwc; // a load from the stack moves it, but that is for the instruction
  const DstAddress address =
      is_store ? store_address(state, op, mode) : load_address(state, op, mode);
  state.rwc = before;
  return {.physical_row = static_cast<std::uint16_t>(address.physical_row),
          .is_odd = address.odd != 0,
          .is_wide = is_store ? store_is_32bit(mode) : is_32bit(mode),
          .is_store = is_store,
          .mode = mode};
}

AccessGroups::AccessGroups(std::span<const RowAccess> accesses) {
  for (const RowAccess& access : accesses) {
    const auto known = std::find(rows.begin(), rows.end(), access.physical_row);
    const auto group = static_cast<std::size_t>(known - rows.begin());
    if (known == rows.end()) {
      rows.push_back(access.physical_row);
      uses.emplace_back();
    }
    uses[group].is_wide = uses[group].is_wide || access.is_wide;
    uses[group].is_stored = uses[group].is_stored || access.is_store;
    of_access.push_back(static_cast<std::uint8_t>(group));
  }
}

bool AccessGroups::are_apart() const {
  if (rows.size() > kMostRowGroups) return false;
  std::vector<unsigned> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all.push_back(rows[i]);
    if (uses[i].is_wide) all.push_back(rows[i] + kDstLowHalf);
  }
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) == all.end();
}

std::vector<std::size_t> cut_into_parts(std::span<const RowAccess> accesses) {
  std::vector<std::size_t> parts;
  for (std::size_t first = 0; first < accesses.size(); first += parts.back()) {
    std::size_t size = 1; // a group of one access is apart
    while (first + size < accesses.size() &&
           AccessGroups(accesses.subspan(first, size + 1)).are_apart())
      ++size;
    parts.push_back(size);
  }
  return parts;
}

std::optional<BodyShape> find_body_shape(std::span<const RowAccess> accesses, std::size_t rows) {
  const std::size_t per_row = accesses.size() / rows;
  for (std::size_t count = 1; count <= kMostRowsPerBody && count <= rows; count *= 2) {
    const std::size_t size = count * per_row;
    const auto bodies = accesses.first(rows / count * size);
    if (!are_alike(bodies, size)) continue;
    BodyShape shape{.rows = count, .parts = cut_into_parts(bodies.first(size))};
    if (!keep_groups(bodies, size, shape.parts)) shape.parts.assign(size, 1);
    return shape;
  }
  return std::nullopt;
}

} // namespace lanewise::execution
