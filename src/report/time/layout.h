// Where things stand in the picture of a schedule: lanes from top to bottom, cycles from left to
// right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/time/report.h"

namespace lanewise::report {

/// What a lane shows.
enum class Lane : std::uint8_t {
  FrontEnd,
  Waiting,
  Load,
  Simple,
  Mad,
  Round,
  Store,
  Matrix,
  Other
};

std::string_view lane_name(Lane lane);
/// The class that colours its boxes.
std::string_view lane_class(Lane lane);
Lane lane_of(Arch arch, const timing::Event& event);

/// Lanes of a schedule: the front end; waiting and units other than the Vector Unit where something
/// happens in them. The Vector Unit's sub-units come all together, so that one that idles is seen,
/// but beside the Matrix Unit only those that work.
std::vector<Lane> lanes_of(const timing::Schedule& schedule);

/// Down, sizes are pixels. From left to right they are shares of the picture, so that its width
/// alone decides how wide a cycle is.
struct PictureLayout {
  static constexpr std::size_t kLaneHeight = 44;
  static constexpr std::size_t kBoxTop = 1, kBoxHeight = 38; ///< within the lane, with its margin
  static constexpr std::size_t kTailTop = 39, kTailHeight = 4;

  CycleRange range = {};
  std::vector<Lane> lanes = {};

  std::size_t height() const { return kLaneHeight * lanes.size(); }
  /// Of a lane of `lanes`.
  std::size_t top(Lane lane) const;
  /// Where a cycle begins: "12.5%".
  std::string left(std::uint64_t cycle) const { return percent(cycles_from_left(cycle)); }
  std::string middle(std::uint64_t cycle) const { return percent(cycles_from_left(cycle) + 0.5); }
  /// How much so many cycles are.
  std::string share(std::uint64_t cycles) const { return percent(static_cast<double>(cycles)); }

 private:
  std::string percent(double cycles) const;
  double cycles_from_left(std::uint64_t cycle) const {
    return static_cast<double>(cycle - range.first);
  }
};

} // namespace lanewise::report
