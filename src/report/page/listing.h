// The assembly of a program beside its source and what the clock says of it, for pages.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "chip/isa/program.h"
#include "chip/timing/schedule.h"

namespace lanewise::report {

/// A program with its schedule. The parts outlive the call.
struct ListedProgram {
  Arch arch = kDefaultArch;
  const Program& program;
  const MicroProgram& prepared;        ///< what was scheduled
  const timing::Schedule& schedule;    ///< of `prepared`
  std::span<const std::string> source; ///< lines of the file; empty where there is none
};

/// A table with a row for each word of each line: source, assembly, how often and when it was
/// issued, cycles that it waited.
std::string program_listing(const ListedProgram& listed);

/// The class that colours a sub-unit: "load", "simple", "mad", "round", "store", "other".
std::string_view unit_class(isa::SubUnit unit);

} // namespace lanewise::report
