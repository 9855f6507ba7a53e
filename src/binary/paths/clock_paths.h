// Hazards of the clock along every path: what the checker says of words that different blocks push
// one after the other.
//
// Words are taken back to back, however many RISC-V instructions stand between them: instructions
// wait in FIFOs in front of the coprocessor (ISA BabyRISCV, PushTensixInstruction), so that words
// that were pushed with a pause may still execute in consecutive cycles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "binary/paths/program_graph.h"
#include "chip/isa/arch.h"
#include "chip/timing/hazards/hazards.h"

namespace lanewise::paths {

/// Words behind a block with macros or replays up to which what it pushed may still do harm. The
/// longest way is that of an SFPLOADMACRO: what it schedules with the largest delay, 7, executes 8
/// cycles later (VU 5.5), and the elements that it stores there should not be loaded for 4 more (VU
/// 5.6, Q6). A word takes a cycle at least.
inline constexpr std::size_t kClockReach = 12;

/// Behind other blocks: no other rule reaches further (VU 5.2 to 5.6, MU 8), but for those that
/// only STALLWAIT ends, whose paths are followed as far as they have none, and that on seeding the
/// PRNG, which looks 600 cycles ahead and is seen here only where seed and use are as near as this.
inline constexpr std::size_t kShortClockReach = 4;

/// Where a macro may count instructions, only those of the Vector Unit bring it nearer (VU C57), so
/// that ways with macros go on until there have been kClockReach of these, or this many words.
inline constexpr std::size_t kLongestClockReach = 64;

/// Ways that are followed from one block. Where a block with macros has more, those that are
/// kShortClockReach long are followed, as many of them.
inline constexpr std::size_t kMostWays = 512;

/// A hazard between two words.
struct ClockFinding {
  const timing::HazardRule* rule = nullptr;
  std::uint32_t word = 0; ///< index in the function
  std::string text;       ///< what is wrong, with the instructions and their places
  std::string mend;
  /// Blocks from that of the first word to that of the second, where they are not pushed in one
  /// execution of one block; else empty.
  std::vector<Place> path = {};
};

struct ClockPaths {
  /// By index of the function; by word. Each rule once for the same two words, with a way on which
  /// it happens.
  std::vector<std::vector<ClockFinding>> findings;
  std::size_t cut_short = 0; ///< blocks with more ways than kMostWays
};

/// What timing::find_hazards() says about two words of `graph` anywhere, along all ways that are
/// long enough. Macros and replay slots are those of StraightCode::before().
ClockPaths find_clock_hazards(const ProgramGraph& graph, Arch arch);

} // namespace lanewise::paths
