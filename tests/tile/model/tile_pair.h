// A tile and the model of one (model.h) side by side: the same state, the same instructions, and
// what differs then.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "chip/tile/tile.h"
#include "machine/random_state.h"
#include "tile/model/model.h"
#include "tile/model/values.h"

namespace lanewise::test::model {

class TilePair {
 public:
  TilePair(Arch arch, std::uint32_t seed);

  Model model;
  tile::Tile tile;

  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }
  std::uint32_t below(std::uint32_t n) { return bits() % n; }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  const T& any_of(const T (&list)[N]) {
    return list[below(N)];
  }

  /// Zeros in all configuration, fresh packers, nothing latched, all banks with the unpackers.
  void reset();
  /// Anything in the bank of configuration that a thread does not use.
  void disturb_other_bank(unsigned thread);
  void randomise_sources();
  void randomise_dst();
  void randomise_l1(std::uint32_t first, std::uint32_t count);
  void randomise_counters();

  /// Gives the tile the model's state.
  void publish();

  /// Executes an instruction of both. False: both wait. A difference in that is one of the test's
  /// failures.
  bool run(unsigned thread, std::uint32_t word);

  /// The first thing in which both differ; empty: they are equal.
  std::string difference() const;
  /// What the tile has to say, a line each; findings that leave results valid do not count, nor do
  /// posts that are lost.
  std::string faults() const;

 private:
  std::string counter_difference() const;
  std::string source_difference() const;
  std::string dst_difference() const;
  std::string config_difference() const;
  std::string sync_difference() const;

  std::mt19937 random_;
};

} // namespace lanewise::test::model
