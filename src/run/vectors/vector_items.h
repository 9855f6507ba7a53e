// What the kinds of lines in a vector file are: one row for each VectorItem, with how its operands
// are read, how they become initial state, and how they are held against what came out.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "chip/tile/tile_state.h"
#include "run/vectors/difference.h"
#include "run/vectors/vector_file.h"
#include "run/vectors/vector_words.h"

namespace lanewise::vectors {

/// Operands of an item, in the order of the line.
using ItemValues = std::vector<std::uint32_t>;

/// What its operands may be.
struct ItemScope {
  Arch arch;
  std::uint32_t last_lreg; ///< that can be named
};

/// What came out.
struct VectorOutcome {
  MachineState& machine;
  tile::TileState* tile = nullptr; ///< of a case about a tile
};

struct VectorItemRow {
  VectorItem item;
  std::string_view keyword;
  /// Reads the operands.
  void (*take)(Words& words, const ItemScope& scope, ItemValues& values);
  /// Puts the item of initial state in place; the values have been checked. nullptr: it can be
  /// expected only.
  void (*apply)(VectorCase& target, const ItemValues& values);
  std::optional<Difference> (*compare)(const VectorCase& test, const ItemValues& values,
                                       const VectorOutcome& outcome);
};

/// Items of a case about one machine, which one about a tile has as well (machine_items.cpp).
std::span<const VectorItemRow> machine_items();
/// Items that only a case about a tile has (tile_items.cpp).
std::span<const VectorItemRow> tile_items();

/// The row of a keyword, in a case that is about a tile or not; nullptr if there is none.
const VectorItemRow* find_item(std::string_view keyword, bool of_tile);
const VectorItemRow& row_of(VectorItem item);

/// Whether what a tile has beside its machine, of `files`, is unchanged.
std::optional<Difference> compare_unchanged_tile(const VectorCase& test, const ItemValues& files,
                                                 const tile::TileState& tile);

/// `use FLAGS`: 0 or 1, and a mask of lanes.
void take_flags(Words& words, ItemValues& values);
/// `count` numbers, each at most `largest`.
void take_numbers(Words& words, ItemValues& values, unsigned count, std::string_view what,
                  std::uint32_t largest);
void take_hex(Words& words, ItemValues& values, unsigned count, std::string_view what,
              std::uint32_t largest = 0xFFFFFFFFU);

} // namespace lanewise::vectors
