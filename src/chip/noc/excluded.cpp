#include "chip/noc/excluded.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise::noc {

namespace {

// Fields of the register.
constexpr unsigned kStartX = 8, kStartY = 14;
constexpr std::uint32_t kCoordinate = 63, kRight = 1U << 20, kDown = 1U << 21, kEnabled = 1U << 22;
constexpr std::uint32_t kKnown =
    kCoordinate << kStartX | kCoordinate << kStartY | kRight | kDown | kEnabled;

/// Whether a coordinate lies from `start` on, up or down.
constexpr bool is_from(unsigned start, bool goes_up, unsigned at) {
  return goes_up ? at >= start : at <= start;
}

} // namespace

Expected<void> exclude(Arch arch, unsigned noc, const Standpoint& from, std::uint32_t word,
                       std::vector<unsigned>& cores) {
  if ((word & kEnabled) == 0) return {};
  const auto wrong = [](FaultKind kind, std::string message, std::string remedy,
                        std::string_view rule) {
    return Unexpected(Fault{.kind = kind,
                            .message = std::move(message),
                            .remedy = std::move(remedy),
                            .rule = std::string(rule)});
  };
  if ((word & ~kKnown) != 0)
    return wrong(FaultKind::Unsupported,
                 fmt::format("excludes a part of a rectangle by 0x{:08x}, of which bits are set "
                             "that nobody has described",
                             word),
                 "make it by get_noc_exclude_region()", "NoC");
  const NocPlace place{static_cast<std::uint8_t>(word >> kStartX & kCoordinate),
                       static_cast<std::uint8_t>(word >> kStartY & kCoordinate)};
  const auto start = worker_at(arch, place);
  if (!start || !from.grid || start->x >= from.grid->x || start->y >= from.grid->y)
    return wrong(FaultKind::UndefinedBehavior,
                 fmt::format("excludes a part of a rectangle that begins at ({}, {}), which is no "
                             "core of the grid",
                             place.x, place.y),
                 "take the core from the program's arguments", "programs 9");
  // NoC 1 counts from the other corner: what goes up there goes down here.
  const bool goes_right = ((word & kRight) != 0) == (noc == 0);
  const bool goes_down = ((word & kDown) != 0) == (noc == 0);
  const auto is_beside = [&](unsigned core) {
    return is_from(start->x, goes_right, core_of_number(core).x);
  };
  const auto is_above = [&](unsigned core) {
    return is_from(start->y, goes_down, core_of_number(core).y);
  };
  // An L is left if some columns and some rows of the rectangle are excluded, and some are not.
  const auto some = [&](const auto& test) {
    return std::ranges::any_of(cores, test) && !std::ranges::all_of(cores, test);
  };
  if (!some(is_beside) || !some(is_above))
    return wrong(
        FaultKind::UndefinedBehavior,
        fmt::format("excludes the part from ({}, {}) on, {} and {}, of a rectangle of "
                    "cores, which leaves no L",
                    place.x, place.y, goes_right ? "right" : "left", goes_down ? "down" : "up"),
        "let it begin at a core within the rectangle, and leave a row and a column; or "
        "send to a smaller rectangle",
        "programs 11");
  std::erase_if(cores, [&](unsigned core) { return is_beside(core) && is_above(core); });
  return {};
}

} // namespace lanewise::noc
