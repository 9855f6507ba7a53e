// What the placement search knows of a row and of the machine: operations, units, latencies and
// carriers. Nothing here is of Tensix' text; tests hold the search against an exhaustive one.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace lanewise::tune {

/// What executes an operation. Each takes one operation per cycle. Immediate: the Load sub-unit
/// with an SFPLOADI, which no macro carries.
enum class Unit : std::uint8_t { Load, Simple, Mad, Round, Store, Immediate };
inline constexpr unsigned kUnits = 6;

/// "Load", ...
std::string unit_name(Unit unit);

inline constexpr unsigned kNone = std::numeric_limits<unsigned>::max();

/// Where the result of a carried operation goes (VU C55).
enum class Destination : std::uint8_t {
  Carrier,  ///< the register that its SFPLOADMACRO names
  Hidden,   ///< LReg[16], which only a carried store can read
  Indirect, ///< the register that LReg[7] names
};

/// An operation as an instruction of its own. Of its operands' registers, the result takes over
/// that of `tied`, and that of `clobbered` is lost.
struct IssuedForm {
  unsigned tied = kNone;
  unsigned clobbered = kNone;
};

/// An operation that an SFPLOADMACRO schedules: one operand is in the macro's register (kNone: no
/// operand is), all others in registers that are the same for every row.
struct CarriedForm {
  unsigned macro_operand = kNone;
  Destination destination = Destination::Carrier;
  /// Of a store: the operand is LReg[16], or in LReg[0].
  bool from_hidden = false, from_first = false;
};

struct Operation {
  Unit unit = Unit::Simple;
  unsigned latency = 1; ///< cycles until the result can be read
  unsigned busy = 1;    ///< cycles for which the unit, and a regular instruction's slot, is taken
  bool blocks_mad = false;             ///< Mad executes nothing in the cycle in which it starts
  std::vector<unsigned> operands = {}; ///< operations; kNone: a constant
  std::vector<IssuedForm> issued = {};
  std::vector<CarriedForm> carried = {};
  /// Operations with equal keys and no value operand but the macro's have one template in common.
  unsigned template_key = kNone;
  /// Of loads and stores: accesses of the same address may share a macro.
  unsigned address = 0;
  /// It is issued in the cycle behind the operation before it, which is issued, too.
  bool follows = false;
  /// No other operation executes in its cycle: lanes are disabled, or about to be.
  bool alone = false;
  bool has_result = true; ///< false: only flags
  /// Its operand is in the first register for values: what is looked up in a table.
  bool reads_first = false;
  /// A constant that the row loads, or the first half of one: it has no operands but such ones.
  bool is_constant = false;
};

/// Whether it is neither a load nor a store.
bool computes(const Operation& operation);

/// Operations in an order in which operands come first; the last one is the store.
struct Row {
  std::vector<Operation> operations;
};

/// Of the replay buffer. A body that does not fit is pushed by the core, word by word.
inline constexpr unsigned kReplaySlots = 32, kLongestBody = 128;

struct MachineModel {
  unsigned registers = 8; ///< for values
  unsigned macros = 4;    ///< sequences: 0 = none
  unsigned templates = 4;
  unsigned longest_delay = 8; ///< cycles from a macro to what it carries, 1..longest_delay
  /// Of the body: copies of the row times the interval.
  unsigned slots = kReplaySlots;
  bool indirect = true; ///< LReg[7] may be given up for Destination::Indirect
};

/// A macro of the row: when it is issued, and whose load it is.
struct Macro {
  unsigned load = kNone; ///< operation; kNone: what it loads is not used
  unsigned time = 0;
  std::vector<unsigned> registers = {}; ///< of each copy
};

/// A modulo schedule with registers. Row k executes operation i in cycle k * interval + time[i], in
/// the registers of copy k modulo copies.
struct Placement {
  unsigned interval = 0, copies = 1;
  std::vector<unsigned> time;
  std::vector<unsigned> carrier; ///< macro, kNone: an instruction of its own
  std::vector<unsigned> form;    ///< index into Operation::issued or carried
  std::vector<Macro> macros;
  std::vector<std::vector<unsigned>>
      registers;             ///< of each operation's result, per copy; kNone: none
  unsigned indirect = kNone; ///< the register that LReg[7] names
  unsigned registers_used = 0;
};

/// The cycle of a row's last instruction. What macros carry is none.
unsigned last_issue(const Row& row, const Placement& placement);

/// What is wrong with a placement, checked rule by rule without the search's tables; "" if nothing.
std::string find_mistake(const Row& row, const MachineModel& machine, const Placement& placement);

} // namespace lanewise::tune
