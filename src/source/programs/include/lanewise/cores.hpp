// Cores by their logical coordinates: one, a rectangle, a set. Written for Lanewise after
// docs/programs.md; no text of tt-metal is in it.
#pragma once

#include <iterator>
#include <source_location>

#include "assert.hpp"

namespace lanewise_host {

using Location = std::source_location;

/// "prog.cpp:12", as messages name what the host program has made.
inline std::string origin_of(const Location& location) {
  return fmt::format("{}:{}", location.file_name(), location.line());
}
/// What the host program has done wrong by itself.
[[noreturn]] inline void throw_at(const Location& location, std::string_view text) {
  throw std::invalid_argument(fmt::format("{}: {}", origin_of(location), text));
}

} // namespace lanewise_host

namespace tt::tt_metal {

struct CoreCoord {
  std::size_t x = 0, y = 0;
  constexpr CoreCoord() = default;
  constexpr CoreCoord(std::size_t x_, std::size_t y_) : x(x_), y(y_) {}
  friend constexpr bool operator==(const CoreCoord&, const CoreCoord&) = default;
  friend constexpr auto operator<=>(const CoreCoord&, const CoreCoord&) = default;
  std::string str() const { return fmt::format("(x={},y={})", x, y); }
};
inline std::ostream& operator<<(std::ostream& stream, const CoreCoord& core) { return stream << core.str(); }

class CoreRangeSet;

/// Both corners belong to it.
struct CoreRange {
  CoreCoord start_coord, end_coord;
  CoreRange(const CoreCoord& core) : start_coord(core), end_coord(core) {}
  CoreRange(const CoreCoord& start, const CoreCoord& end,
            lanewise_host::Location location = lanewise_host::Location::current())
      : start_coord(start), end_coord(end) {
    if (end.x < start.x || end.y < start.y)
      lanewise_host::throw_at(location, fmt::format("a range of cores from {} ends at {}", start.str(), end.str()));
  }
  std::size_t size() const { return (end_coord.x - start_coord.x + 1) * (end_coord.y - start_coord.y + 1); }
  CoreCoord grid_size() const { return {end_coord.x - start_coord.x + 1, end_coord.y - start_coord.y + 1}; }
  bool contains(const CoreCoord& core) const {
    return core.x >= start_coord.x && core.x <= end_coord.x && core.y >= start_coord.y && core.y <= end_coord.y;
  }
  bool contains(const CoreRange& other) const { return contains(other.start_coord) && contains(other.end_coord); }
  inline bool contains(const CoreRangeSet& other) const;
  std::optional<CoreRange> intersection(const CoreRange& other) const {
    const CoreCoord first{std::max(start_coord.x, other.start_coord.x), std::max(start_coord.y, other.start_coord.y)};
    const CoreCoord last{std::min(end_coord.x, other.end_coord.x), std::min(end_coord.y, other.end_coord.y)};
    if (first.x > last.x || first.y > last.y) return std::nullopt;
    return CoreRange(first, last);
  }
  bool intersects(const CoreRange& other) const { return intersection(other).has_value(); }
  /// Side by side, or one above the other, with an edge in common.
  bool adjacent(const CoreRange& other) const {
    const auto meet = [](std::size_t a, std::size_t a_end, std::size_t b, std::size_t b_end) {
      return a_end + 1 == b || b_end + 1 == a;
    };
    const auto overlap = [](std::size_t a, std::size_t a_end, std::size_t b, std::size_t b_end) {
      return std::max(a, b) <= std::min(a_end, b_end);
    };
    const auto both = [&](const auto& in_x, const auto& in_y) {
      return in_x(start_coord.x, end_coord.x, other.start_coord.x, other.end_coord.x) &&
             in_y(start_coord.y, end_coord.y, other.start_coord.y, other.end_coord.y);
    };
    return both(meet, overlap) || both(overlap, meet);
  }
  /// The two as one rectangle, where they touch or overlap and are of the same width or height.
  std::optional<CoreRange> merge(const CoreRange& other) const {
    if (!intersects(other) && !adjacent(other)) return std::nullopt;
    const bool same_columns = start_coord.x == other.start_coord.x && end_coord.x == other.end_coord.x;
    const bool same_rows = start_coord.y == other.start_coord.y && end_coord.y == other.end_coord.y;
    if (!same_columns && !same_rows) return std::nullopt;
    return CoreRange({std::min(start_coord.x, other.start_coord.x), std::min(start_coord.y, other.start_coord.y)},
                     {std::max(end_coord.x, other.end_coord.x), std::max(end_coord.y, other.end_coord.y)});
  }
  std::string str() const { return fmt::format("[{} - {}]", start_coord.str(), end_coord.str()); }
  friend bool operator==(const CoreRange&, const CoreRange&) = default;
  friend auto operator<=>(const CoreRange&, const CoreRange&) = default;

  /// Row by row.
  class CoreIterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = CoreCoord;
    using difference_type = std::ptrdiff_t;
    using pointer = const CoreCoord*;
    using reference = const CoreCoord&;
    CoreIterator() = default;
    CoreIterator(const CoreCoord& at, const CoreRange& range)
        : at_(at), first_(range.start_coord.x), last_(range.end_coord.x) {}
    reference operator*() const { return at_; }
    pointer operator->() const { return &at_; }
    CoreIterator& operator++() {
      if (++at_.x > last_) at_ = {first_, at_.y + 1};
      return *this;
    }
    CoreIterator operator++(int) {
      CoreIterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const CoreIterator& a, const CoreIterator& b) { return a.at_ == b.at_; }

   private:
    CoreCoord at_;
    std::size_t first_ = 0, last_ = 0;
  };
  CoreIterator begin() const { return {start_coord, *this}; }
  CoreIterator end() const { return {{start_coord.x, end_coord.y + 1}, *this}; }
};
inline std::ostream& operator<<(std::ostream& stream, const CoreRange& range) { return stream << range.str(); }

/// Rectangles that do not overlap.
class CoreRangeSet {
 public:
  CoreRangeSet() = default;
  CoreRangeSet(const CoreRange& range) : ranges_{range} {}
  CoreRangeSet(const CoreCoord& core) : ranges_{CoreRange(core)} {}
  CoreRangeSet(std::vector<CoreRange> ranges, lanewise_host::Location location = lanewise_host::Location::current())
      : ranges_(std::move(ranges)) {
    check(location);
  }
  CoreRangeSet(const std::set<CoreRange>& ranges,
               lanewise_host::Location location = lanewise_host::Location::current())
      : ranges_(ranges.begin(), ranges.end()) {
    check(location);
  }
  /// Of single cores, as few rectangles.
  template <class Cores>
    requires std::same_as<std::remove_cvref_t<decltype(*std::begin(std::declval<const Cores&>()))>, CoreCoord> &&
             (!std::same_as<Cores, CoreRange>)
  explicit CoreRangeSet(const Cores& cores)
      : ranges_(merged(std::set<CoreCoord>(std::begin(cores), std::end(cores)))) {}

  const std::vector<CoreRange>& ranges() const { return ranges_; }
  std::size_t size() const { return ranges_.size(); }
  bool empty() const { return ranges_.empty(); }
  std::uint32_t num_cores() const {
    std::size_t count = 0;
    for (const CoreRange& range : ranges_) count += range.size();
    return static_cast<std::uint32_t>(count);
  }
  bool contains(const CoreCoord& core) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const CoreRange& r) { return r.contains(core); });
  }
  bool contains(const CoreRange& range) const {
    return std::all_of(range.begin(), range.end(), [&](const CoreCoord& core) { return contains(core); });
  }
  bool contains(const CoreRangeSet& other) const {
    return std::all_of(other.ranges_.begin(), other.ranges_.end(), [&](const CoreRange& r) { return contains(r); });
  }
  bool intersects(const CoreCoord& core) const { return contains(core); }
  bool intersects(const CoreRange& range) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const CoreRange& r) { return r.intersects(range); });
  }
  bool intersects(const CoreRangeSet& other) const {
    return std::any_of(other.ranges_.begin(), other.ranges_.end(), [&](const CoreRange& r) { return intersects(r); });
  }
  CoreRangeSet intersection(const CoreRangeSet& other) const {
    std::vector<CoreRange> common;
    for (const CoreRange& own : ranges_)
      for (const CoreRange& each : other.ranges_)
        if (const auto part = own.intersection(each)) common.push_back(*part);
    return CoreRangeSet(std::move(common));
  }
  /// All cores of both, as few rectangles. `other`: a set or a list of ranges.
  template <class Ranges>
  CoreRangeSet merge(const Ranges& other) const {
    std::set<CoreCoord> cores = cores_of(ranges_);
    if constexpr (std::same_as<Ranges, CoreRangeSet>) cores.merge(cores_of(other.ranges_));
    else cores.merge(cores_of(other));
    return from(cores);
  }
  CoreRangeSet merge_ranges() const { return ranges_.size() < 2 ? *this : from(cores_of(ranges_)); }
  CoreRangeSet subtract(const CoreRangeSet& other) const {
    std::set<CoreCoord> cores = cores_of(ranges_);
    std::erase_if(cores, [&](const CoreCoord& core) { return other.contains(core); });
    return from(cores);
  }
  CoreRange bounding_box(lanewise_host::Location location = lanewise_host::Location::current()) const {
    if (empty()) lanewise_host::throw_at(location, "no cores have no bounding box");
    CoreRange box = ranges_.front();
    for (const CoreRange& range : ranges_) {
      box.start_coord = {std::min(box.start_coord.x, range.start_coord.x), std::min(box.start_coord.y, range.start_coord.y)};
      box.end_coord = {std::max(box.end_coord.x, range.end_coord.x), std::max(box.end_coord.y, range.end_coord.y)};
    }
    return box;
  }
  std::string str() const {
    std::string text;
    for (const CoreRange& range : ranges_) text += (text.empty() ? "" : ", ") + range.str();
    return "{" + text + "}";
  }
  friend bool operator==(const CoreRangeSet&, const CoreRangeSet&) = default;

 private:
  template <class Ranges>
  static std::set<CoreCoord> cores_of(const Ranges& ranges) {
    std::set<CoreCoord> cores;
    for (const CoreRange& range : ranges) cores.insert(range.begin(), range.end());
    return cores;
  }
  static CoreRangeSet from(const std::set<CoreCoord>& cores) {
    CoreRangeSet set;
    set.ranges_ = merged(cores);
    return set;
  }
  /// The runs of each row, those of the same columns one below the other as one.
  static std::vector<CoreRange> merged(const std::set<CoreCoord>& cores) {
    std::set<std::pair<std::size_t, std::size_t>> by_rows;
    for (const CoreCoord& core : cores) by_rows.emplace(core.y, core.x);
    std::vector<CoreRange> runs, whole;
    for (const auto& [y, x] : by_rows) {
      const bool goes_on = !runs.empty() && runs.back().end_coord.y == y && runs.back().end_coord.x + 1 == x;
      if (goes_on) runs.back().end_coord.x = x;
      else runs.emplace_back(CoreCoord(x, y));
    }
    for (const CoreRange& run : runs) {
      const auto above = std::find_if(whole.begin(), whole.end(), [&](const CoreRange& each) {
        return each.start_coord.x == run.start_coord.x && each.end_coord.x == run.end_coord.x &&
               each.end_coord.y + 1 == run.start_coord.y;
      });
      if (above == whole.end()) whole.push_back(run);
      else above->end_coord.y = run.end_coord.y;
    }
    std::sort(whole.begin(), whole.end());
    return whole;
  }
  void check(const lanewise_host::Location& location) const {
    for (std::size_t i = 0; i < ranges_.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (ranges_[i].intersects(ranges_[k]))
          lanewise_host::throw_at(location, fmt::format("the ranges of cores {} and {} overlap", ranges_[k].str(),
                                                        ranges_[i].str()));
  }
  std::vector<CoreRange> ranges_;
};
inline bool CoreRange::contains(const CoreRangeSet& other) const {
  return std::all_of(other.ranges().begin(), other.ranges().end(), [&](const CoreRange& r) { return contains(r); });
}
inline std::ostream& operator<<(std::ostream& stream, const CoreRangeSet& set) { return stream << set.str(); }

using CoreSpec = std::variant<CoreCoord, CoreRange, CoreRangeSet>;

} // namespace tt::tt_metal

using CoreCoord = tt::tt_metal::CoreCoord;
using tt_xy_pair = tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;

template <>
struct std::hash<tt::tt_metal::CoreCoord> {
  std::size_t operator()(const tt::tt_metal::CoreCoord& core) const noexcept { return core.x * 8191 + core.y; }
};
template <>
struct std::hash<tt::tt_metal::CoreRange> {
  std::size_t operator()(const tt::tt_metal::CoreRange& range) const noexcept {
    const std::hash<tt::tt_metal::CoreCoord> of;
    return of(range.start_coord) * 1000003 + of(range.end_coord);
  }
};
template <>
struct std::hash<tt::tt_metal::CoreRangeSet> {
  std::size_t operator()(const tt::tt_metal::CoreRangeSet& set) const noexcept {
    std::size_t all = 0;
    for (const auto& range : set.ranges()) all = all * 1000003 + std::hash<tt::tt_metal::CoreRange>()(range);
    return all;
  }
};
template <>
struct fmt::formatter<tt::tt_metal::CoreCoord> : fmt::ostream_formatter {};
template <>
struct fmt::formatter<tt::tt_metal::CoreRange> : fmt::ostream_formatter {};
template <>
struct fmt::formatter<tt::tt_metal::CoreRangeSet> : fmt::ostream_formatter {};
