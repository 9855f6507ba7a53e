// The timeline of a schedule: what to draw for each instruction, for text and for pictures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/time/report.h"

namespace lanewise::report {

enum class MarkKind : std::uint8_t {
  Executes,
  SecondCycle, ///< still at work, or the result cannot be read yet
  Held,        ///< nothing is issued: the program loses this cycle
  Inside,      ///< the instruction waits inside the Vector Unit
  Discarded    ///< a scheduled instruction took the sub-unit; nothing happens
};

struct Mark {
  std::uint64_t cycle = 0;
  MarkKind kind = MarkKind::Executes;
  timing::StallCause cause = timing::StallCause::None; ///< of Held and Inside
};

/// An executed operation: an instruction, or what an SFPLOADMACRO has scheduled.
struct TimelineRow {
  std::uint32_t issue = 0; ///< index into Schedule::issues: the instruction, or the SFPLOADMACRO
  bool scheduled = false;
  isa::Op op = isa::Op::NOP;
  isa::SubUnit sub_unit = isa::SubUnit::None;
  std::uint32_t line = 0;       ///< source line
  std::string text;             ///< assembly; of what is scheduled, mnemonic and registers
  std::vector<Mark> marks = {}; ///< by cycle
};

/// Rows with a mark in the range, in program order; scheduled ones below their SFPLOADMACRO. Marks
/// outside of the range are left out.
std::vector<TimelineRow> timeline_rows(const TimeReport& timed, CycleRange range);

/// Events with their cycle in the range, by cycle.
std::span<const timing::Event> events_in(const timing::Schedule& schedule, CycleRange range);

/// "MAD L2", "STORE 12": mnemonic without SFP, and what is written.
std::string short_text(const timing::Event& event);

/// "L0 L3", registers of a mask.
std::string register_list(timing::LRegMask registers);

/// The assembly of an instruction; for a scheduled one mnemonic, "written <- read" registers.
std::string event_text(Arch arch, const timing::Event& event);

/// The letter of a sub-unit in text: L S M R W, o for other units.
char sub_unit_letter(isa::SubUnit sub_unit);

} // namespace lanewise::report
