// The orders of a search for races (chip/tile/races.h) as items of work.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "chip/tile/races.h"
#include "study/parts/shared_work.h"

namespace lanewise::parts {

class SharedOrders {
 public:
  /// Orders of an item; the last one may have fewer. A search that is stopped loses what it has of
  /// one.
  static constexpr std::uint64_t kOrdersOfItem = 10;

  /// `work`, which must live as long, has not begun.
  explicit SharedOrders(SharedWork& work) : work_(work) {}

  /// For a search, to which this is bound. Its begin() fails as SharedWork::begin() does, and where
  /// a record is none.
  tile::SharedOrders bind();

  /// The orders of this run, and how many of them are kept.
  std::uint64_t count() const { return end_ - begin_; }
  std::uint64_t done() const;

 private:
  Expected<std::pair<std::uint64_t, std::uint64_t>> begin(const tile::RaceProgram& program,
                                                          std::uint64_t orders);
  std::uint64_t orders_of(std::uint64_t item) const;
  void keep(std::uint64_t order, tile::OrderEnd end);

  SharedWork& work_;
  std::uint64_t all_ = 0, begin_ = 0, end_ = 0;
  std::map<std::uint64_t, std::string> ends_; ///< by item, of each order a letter
};

/// A digest of all that decides about a search: what the tile holds at the start, and what its
/// cores do.
std::uint64_t race_digest(const tile::RaceProgram& program);

} // namespace lanewise::parts
