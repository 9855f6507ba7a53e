// The checker: what silicon may do otherwise than the program means, at the line that causes it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/source_line.h"
#include "chip/isa/program.h"
#include "chip/machine/state.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

/// One row per rule: docs/hazards.md lists them all, from this table.
struct HazardRule {
  std::string_view id;      ///< stable name: "mad-result", "macro-collision", ...
  FaultKind kind;           ///< Hazard, UnpredictableValue, UndefinedBehavior, Unsupported or
                            ///< NonContractual
  std::string_view summary; ///< one sentence, for the table of rules
  std::string_view silicon; ///< what silicon may do
  std::string_view mend;    ///< what to do about it, in general
  std::string_view source;  ///< "VU 5.3", "timing.md, patterns"
  isa::Chips chips;         ///< that it concerns
  bool warns_only;          ///< nothing is wrong for sure: exit status stays 0
};

/// Every rule, in the order of the documentation.
std::span<const HazardRule> hazard_rules();

/// The rule of an id, or nullptr.
const HazardRule* find_hazard_rule(std::string_view id);

/// A change of the program that mends a finding: of its words, in front of every word of a line, or
/// behind the last word.
struct ProposedChange {
  std::string text;                 ///< "insert SFPNOP before line 12"
  std::uint32_t before_line = 0;    ///< as ProgramWord::line; 0 = behind the last word
  std::vector<std::uint32_t> words; ///< to insert; empty = move the instruction of `moved_line`
  std::uint32_t moved_line = 0;
};

/// One finding.
struct Hazard {
  const HazardRule* rule = nullptr;
  Arch arch = kDefaultArch;
  std::uint64_t cycle = 0;      ///< in which it happens
  std::string instruction;      ///< disassembled
  std::uint32_t line = 0;       ///< source line of the instruction to blame, from 1; 0 = none
  std::uint32_t other_line = 0; ///< of the instruction that it is too close to; 0 = none
  std::string file;             ///< of `line`, if that is not the program's own; else empty
  std::string other_file;       ///< the same of `other_line`
  std::string message;          ///< this case in one sentence, with registers and lines
  /// For this case, if changes have been tried: "insert SFPNOP before line 12, or move line 14
  /// here"; else the rule's general advice.
  std::string mend;
  /// Not tried, or those that have held: see CheckOptions::source.
  std::vector<ProposedChange> changes = {};
  std::uint64_t count = 1; ///< how often it happened (a line that is replayed)

  /// "line 12, cycle 34: mad-result: ... [VU 5.4]"; in front the file of the line, which is
  /// `program` (may be empty) where it is the program's own.
  std::string text(std::string_view program) const;
  /// As a fault, for the reports that list faults.
  Fault to_fault() const;
};

/// How sentences call a line of the program: "line 12", "header.h:12".
using LineText = std::function<std::string(std::uint32_t line)>;

/// What the checker is told beside the schedule.
struct CheckOptions {
  /// The program's words are pushed by the core one by one, not replayed: macros that count cycles
  /// then depend on the core's timing (timing.md, patterns).
  bool pushed = true;
  /// The program's words, as the front end got them after a reset. With them, changes of the
  /// program are tried before a finding advises them (chip/timing/hazards/mend_trial.h).
  const Program* source = nullptr;
  /// Asked for each line that a sentence names.
  LineText line_text = lanewise::line_text;
  /// Whether findings are put into words: without, a finding is its rule, its places and its cycle.
  bool worded = true;
};

/// Hazards of a scheduled program, one per rule and pair of lines, in order of cycle. `program` is
/// what was scheduled, `start` the state it started from.
std::vector<Hazard> find_hazards(const Schedule& schedule, const MicroProgram& program,
                                 const MachineState& start, const CheckOptions& options = {});

/// What a kernel leaves behind that the next one does not expect: LReg[11] other than -1, flags or
/// LaneConfig changed, the flag stack not empty, an ADDR_MOD of the no-increment convention that
/// moves counters, macros armed or pending. `before` is the state that the kernel was entered with,
/// `after` the one it left.
std::vector<Hazard> find_contract_breaks(const MachineState& before, const MachineState& after,
                                         const Schedule& schedule);

} // namespace lanewise::timing
