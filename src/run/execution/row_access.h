// What the loads and stores of a loop over rows access, and the groups of rows that generated code
// keeps of Dst.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chip/machine/dst_mode.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"

namespace lanewise::execution {

/// What an SFPLOAD or SFPSTORE accesses.
struct RowAccess {
  std::uint16_t physical_row;
  bool is_odd;  ///< columns
  bool is_wide; ///< 32 bits
  bool is_store;
  DstMode mode; ///< not SRCB
  friend bool operator==(const RowAccess&, const RowAccess&) = default;
};

/// Whether a micro-op loads or stores: an SFPLOADMACRO as its load. Undefined modes access nothing.
bool is_access(const MicroOp& op);

/// The access of a micro-op that is about to execute on `state`, which stays as it is but for what
/// the micro-op itself will do once more.
RowAccess access_of(MachineState& state, const MicroOp& op);

/// Four rows of Dst, or eight with those of the low halves, that straight code keeps in registers.
struct GroupUse {
  bool is_wide = false, is_stored = false;
  friend bool operator==(const GroupUse&, const GroupUse&) = default;
};

/// Which groups the accesses of straight code name: a number for each, in the order of their first
/// use.
struct AccessGroups {
  std::vector<std::uint16_t> rows; ///< the first physical row of each
  std::vector<GroupUse> uses;
  std::vector<std::uint8_t> of_access;

  explicit AccessGroups(std::span<const RowAccess> accesses);

  /// Whether registers can keep them: not too many, and no cell in two of them.
  bool are_apart() const;
};

/// How a loop is cut into bodies, all of which do the same.
struct BodyShape {
  std::size_t rows = 1; ///< of the loop, in a body
  /// Accesses of each part of a body that keeps its groups.
  std::vector<std::size_t> parts;
};

/// `accesses` are those of all rows; what is left behind the last body is not looked at. Nothing if
/// rows access in too many ways.
std::optional<BodyShape> find_body_shape(std::span<const RowAccess> accesses, std::size_t rows);

/// The longest parts into which straight code can be cut.
std::vector<std::size_t> cut_into_parts(std::span<const RowAccess> accesses);

} // namespace lanewise::execution
