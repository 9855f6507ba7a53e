// Who has touched which bytes of a memory last, range by range: of those who have changed them, and
// of those who have read them since, all that no later one has known of.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "run/grid/vector_time.h"

namespace lanewise::grid {

/// How bytes are touched: by a core's code, by its units, or by what it has asked of the NoC.
enum class How : std::uint8_t {
  Load,
  Store,
  Unpack,
  Pack,
  TakenByWrite, ///< the source of a write
  TakenByRead,  ///< the source of a read
  FilledByRead, ///< where a read goes
  Written,
  Incremented ///< or swapped
};

constexpr bool changes(How how) {
  return how == How::Store || how == How::Pack || how >= How::FilledByRead;
}

/// What comes from the NoC to its destination.
constexpr bool comes_by_noc(How how) {
  return how >= How::Written;
}

/// A word, by which cores tell each other something.
inline constexpr std::uint64_t kWordBytes = 4;
/// A read that only looks at a word somewhere else has no more bytes.
inline constexpr std::uint64_t kLookBytes = 16;

struct Access {
  How how = How::Load;
  std::uint8_t risc = 0; ///< the core of the tile that does it or has asked for it
  std::uint8_t noc = 0, channel = 0;
  bool is_word = false; ///< no longer than a word, of a core's code: each, and volatile
  bool is_many = false, is_posted = false;
  bool is_update = false; ///< a store of who has loaded what was there
  std::uint16_t core = 0; ///< its index
  std::uint32_t line = 0;
  std::uint32_t bytes = 0;
  std::uint64_t address = 0;
  std::uint64_t number = 0; ///< of the transaction

  /// It is over for who knows that this counter has come to this time,
  Counter counter = 0;
  std::uint32_t time = 0;
  /// or that what its core has sent by one way has come so far.
  Counter way = 0;
  std::uint32_t way_time = 0;

  Counter asker = 0; ///< who has done it or asked for it, at which of his steps
  std::uint32_t step = 0;
};

/// Whether what goes by both ways stays in order, if one core sends it to one other.
constexpr bool is_same_way(const Access& a, const Access& b) {
  return a.noc == b.noc && a.channel == b.channel && a.is_many == b.is_many;
}

class Accesses {
 public:
  struct Cell {
    std::uint64_t end = 0;
    std::vector<Access> changes, reads;
    std::optional<Access> before; ///< the change before the last
  };
  using Visit = std::function<void(Cell&)>;

  /// Visits all of a range, in cells that lie within it.
  void visit(std::uint64_t begin, std::uint64_t end, const Visit& each);
  /// All of a range is alike from now on. Precondition: visit() was called with the same.
  void unite(std::uint64_t begin, std::uint64_t end);
  const Cell* at(std::uint64_t address) const;
  /// Whether somebody has changed one of the bytes.
  bool was_changed(std::uint64_t begin, std::uint64_t end) const;
  std::size_t cells() const { return cells_.size(); }

 private:
  void split(std::uint64_t at);

  std::map<std::uint64_t, Cell> cells_; ///< by begin
};

} // namespace lanewise::grid
