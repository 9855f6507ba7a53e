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

/// Whether bodies of `size` accesses each are alike and keep their groups.
bool are_bodies(std::span<const RowAccess> accesses, std::size_t size) {
  const auto first = accesses.first(size);
  const BodyGroups groups(first);
  for (std::size_t at = 0; at + size <= accesses.size(); at += size) {
    const auto body = accesses.subspan(at, size);
    const BodyGroups of_body(body);
    if (of_body.of_access != groups.of_access || !of_body.are_apart() ||
        !std::equal(first.begin(), first.end(), body.begin(), is_alike))
      return false;
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

BodyGroups::BodyGroups(std::span<const RowAccess> accesses) {
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

bool BodyGroups::are_apart() const {
  if (rows.size() > kMostRowGroups) return false;
  std::vector<unsigned> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all.push_back(rows[i]);
    if (uses[i].is_wide) all.push_back(rows[i] + kDstLowHalf);
  }
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) == all.end();
}

std::optional<std::size_t> find_rows_per_body(std::span<const RowAccess> accesses,
                                              std::size_t rows) {
  const std::size_t per_row = accesses.size() / rows;
  if (per_row == 0) return 1;
  for (std::size_t count = 1; count <= kMostRowsPerBody && count <= rows; count *= 2) {
    if (are_bodies(accesses, count * per_row)) return count;
  }
  return std::nullopt;
}

} // namespace lanewise::execution
