// The numbers of a timed program in rows and sentences, for text and for the page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/time/report.h"

namespace lanewise::report {

/// One number: over the whole program, in a pass of the steady state, and per row of 32 lanes.
struct FigureRow {
  std::string label;
  double total = 0;
  double pass = 0;
  std::optional<double> row; ///< nothing if no row is stored
};

struct FigureGroup {
  std::string title;
  std::vector<FigureRow> rows;
};

/// Cycles, slots and stalls; work of the units; lower bounds. Rows that are 0 are left out where
/// nothing follows from that.
std::vector<FigureGroup> figure_groups(const TimeReport& timed);

/// What a source line costs because its instructions wait.
struct StalledLine {
  std::uint32_t line = 0; ///< as in ProgramWord::line
  timing::StallCause cause = timing::StallCause::None;
  double total = 0, pass = 0; ///< cycles without an issue
  double share = 0;           ///< of all cycles, 0..1
};

/// Lines that wait, and for what, by cycles. They add up to the stalls.
std::vector<StalledLine> stalled_lines(const TimeReport& timed);

/// Whether it computes with the Matrix Unit alone. Figures of the Vector Unit are all 0 then.
bool leaves_vector_unit_idle(const TimeReport& timed);

/// Of a kernel that LLK calls: what a tile takes in either order of its instructions.
/// `timed.other_cycles` is there.
std::string compiled_sentence(const TimeReport& timed);

/// What follows from them: what runs once, the tile in the steady state, k and its parts, the
/// bottleneck, Wormhole's push, the harness, the hazards. A sentence each.
std::vector<std::string> conclusions(const TimeReport& timed);

/// The rules that decided, as "T2, VU 5.2: ...".
std::vector<std::string> deciding_rules(const TimeReport& timed);

} // namespace lanewise::report
