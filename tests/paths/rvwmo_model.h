// An axiomatic model of RISC-V's memory model (RVWMO) for litmus tests: short threads of loads,
// stores, fences, branches and selects, of which it finds every execution.
//
// From the manual's chapter on RVWMO: preserved program order by rules 1, 2, 4 and 9 to 13, and the
// load value axiom. AMOs, LR and SC are left out, and with them rules 3 and 5 to 8 and the
// atomicity axiom; the progress axiom says nothing about finite executions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace lanewise::rvwmo {

using Register = unsigned; ///< 0 to kRegisters - 1; all are 0 at first
using Location = unsigned; ///< 0 to kLocations - 1; all hold 0 at first; none overlap
inline constexpr unsigned kRegisters = 32, kLocations = 8;

enum class Kind : std::uint8_t { Load, Store, Fence, Branch, Select, Compute };

inline constexpr unsigned kReads = 1, kWrites = 2; ///< sets of a fence

struct Instruction {
  Kind kind;
  Register rd = 0;
  Location location = 0;
  /// The address is computed with this register, without effect on it, as by xor and add.
  std::optional<Register> address = {};
  /// What a store writes, or Compute yields: the number, or the register's value.
  int number = 0;
  std::optional<Register> data = {};
  bool data_is_value = false;               ///< else the register is used without effect
  unsigned before = 0, after = 0;           ///< of a fence
  Register condition = 0;                   ///< of Branch and Select
  unsigned skipped = 0;                     ///< instructions that a taken branch skips
  bool either = false;                      ///< the branch may go both ways, whatever the condition
  std::optional<Register> if_not_zero = {}; ///< of Select; otherwise rd keeps its value
};

using Thread = std::vector<Instruction>;

// ---------------------------------------------------------------- Instructions

inline Instruction load(Register rd, Location location) {
  return {.kind = Kind::Load, .rd = rd, .location = location};
}
inline Instruction load_at(Register rd, Location location, Register address) {
  return {.kind = Kind::Load, .rd = rd, .location = location, .address = address};
}
inline Instruction store(Location location, int number) {
  return {.kind = Kind::Store, .location = location, .number = number};
}
inline Instruction store_at(Location location, int number, Register address) {
  return {.kind = Kind::Store, .location = location, .address = address, .number = number};
}
/// A number that is computed with the register, without effect on it.
inline Instruction store_with(Location location, int number, Register data) {
  return {.kind = Kind::Store, .location = location, .number = number, .data = data};
}
inline Instruction store_register(Location location, Register data) {
  return {.kind = Kind::Store, .location = location, .data = data, .data_is_value = true};
}
inline Instruction fence(unsigned before, unsigned after) {
  return {.kind = Kind::Fence, .before = before, .after = after};
}
inline Instruction fence() {
  return fence(kReads | kWrites, kReads | kWrites);
}
/// beqz condition, over `skipped` instructions.
inline Instruction branch_if_zero(Register condition, unsigned skipped = 0) {
  return {.kind = Kind::Branch, .condition = condition, .skipped = skipped};
}
inline Instruction branch_either_way(Register condition, unsigned skipped) {
  return {.kind = Kind::Branch, .condition = condition, .skipped = skipped, .either = true};
}
/// rd = condition != 0 ? value : rd, as two czero instructions and an or do it.
inline Instruction select(Register rd, Register condition, Register value) {
  return {.kind = Kind::Select, .rd = rd, .condition = condition, .if_not_zero = value};
}
inline Instruction constant(Register rd, int number) {
  return {.kind = Kind::Compute, .rd = rd, .number = number};
}
inline Instruction move(Register rd, Register source) {
  return {.kind = Kind::Compute, .rd = rd, .data = source, .data_is_value = true};
}

// ---------------------------------------------------------------- What a thread does alone

using EventSet = std::uint32_t; ///< of a thread, by their numbers in program order

struct Event {
  bool is_store;
  Location location;
  int value; ///< that the load returns, or the store writes
  EventSet address = 0, data = 0;
  /// Events of the thread that come before this one in every memory order.
  EventSet preserved = 0;
};

/// A path of a thread, with values that its loads might return.
struct Trace {
  std::vector<Event> events;
  std::array<int, kRegisters> registers{};
};

/// Executes a thread in every way in which loads return some of `values`.
class ThreadTraces {
 public:
  ThreadTraces(const Thread& thread, const std::set<int>& values)
      : thread_(thread), values_(values) {}

  std::vector<Trace> find() {
    execute(0, {});
    return std::move(traces_);
  }

 private:
  struct Fence {
    std::size_t events; ///< before it
    unsigned before, after;
  };
  struct State {
    Trace trace;
    std::array<EventSet, kRegisters> depends{}; ///< loads that a register depends on
    EventSet controlling = 0;                   ///< loads that a branch depended on
    EventSet addressing = 0;                    ///< loads that an address depended on
    std::vector<Fence> fences;
  };

  void execute(std::size_t at, State state) {
    if (at == thread_.size()) {
      traces_.push_back(std::move(state.trace));
      return;
    }
    const Instruction& instruction = thread_[at];
    switch (instruction.kind) {
      case Kind::Load: return execute_load(at, state);
      case Kind::Store: execute_store(instruction, state); break;
      case Kind::Fence:
        state.fences.push_back({state.trace.events.size(), instruction.before, instruction.after});
        break;
      case Kind::Branch: return execute_branch(at, state);
      case Kind::Select: execute_select(instruction, state); break;
      case Kind::Compute: execute_compute(instruction, state); break;
    }
    execute(at + 1, std::move(state));
  }

  void execute_load(std::size_t at, const State& state) {
    const Instruction& instruction = thread_[at];
    for (const int value : values_) {
      State next = state;
      const EventSet itself = EventSet{1} << state.trace.events.size();
      add_event(instruction, {.is_store = false, .location = instruction.location, .value = value},
                next);
      next.trace.registers[instruction.rd] = value;
      next.depends[instruction.rd] = itself;
      execute(at + 1, std::move(next));
    }
  }

  static void execute_store(const Instruction& instruction, State& state) {
    Event event{
        .is_store = true, .location = instruction.location, .value = value_of(instruction, state)};
    if (instruction.data) event.data = state.depends[*instruction.data];
    add_event(instruction, event, state);
  }

  static int value_of(const Instruction& instruction, const State& state) {
    return instruction.data_is_value ? state.trace.registers[*instruction.data]
                                     : instruction.number;
  }

  void execute_branch(std::size_t at, State state) {
    const Instruction& branch = thread_[at];
    const bool is_zero = state.trace.registers[branch.condition] == 0;
    state.controlling |= state.depends[branch.condition];
    if (branch.either || is_zero) execute(at + 1 + branch.skipped, state);
    if (branch.either || !is_zero) execute(at + 1, state);
  }

  static void execute_select(const Instruction& instruction, State& state) {
    auto& registers = state.trace.registers;
    if (registers[instruction.condition] != 0)
      registers[instruction.rd] = registers[*instruction.if_not_zero];
    state.depends[instruction.rd] |=
        state.depends[instruction.condition] | state.depends[*instruction.if_not_zero];
  }

  static void execute_compute(const Instruction& instruction, State& state) {
    state.trace.registers[instruction.rd] = value_of(instruction, state);
    state.depends[instruction.rd] = instruction.data ? state.depends[*instruction.data] : 0;
  }

  static void add_event(const Instruction& instruction, Event event, State& state) {
    if (instruction.address) event.address = state.depends[*instruction.address];
    event.preserved = event.address | event.data | fenced_before(event, state); // 9, 10, 4
    if (event.is_store)
      event.preserved |=
          same_location(event, state) | state.controlling | state.addressing; // 1, 11, 13
    state.addressing |= event.address;
    state.trace.events.push_back(event);
  }

  static EventSet same_location(const Event& event, const State& state) {
    EventSet found = 0;
    for (std::size_t i = 0; i < state.trace.events.size(); ++i)
      found |= EventSet{state.trace.events[i].location == event.location} << i;
    return found;
  }

  static bool is_in(unsigned set, const Event& event) {
    return (set & (event.is_store ? kWrites : kReads)) != 0;
  }

  static EventSet fenced_before(const Event& event, const State& state) {
    EventSet found = 0;
    for (const Fence& fence : state.fences) {
      for (std::size_t i = 0; is_in(fence.after, event) && i < fence.events; ++i)
        found |= EventSet{is_in(fence.before, state.trace.events[i])} << i;
    }
    return found;
  }

  const Thread& thread_;
  const std::set<int>& values_;
  std::vector<Trace> traces_;
};

// ---------------------------------------------------------------- What they do together

struct Outcome {
  std::vector<std::array<int, kRegisters>> registers; ///< of each thread
  std::array<int, kLocations> memory{};

  friend auto operator<=>(const Outcome&, const Outcome&) = default;
};

/// Goes through all global memory orders of one trace per thread.
class Executions {
 public:
  Executions(std::vector<const Trace*> traces, std::set<Outcome>& outcomes)
      : traces_(std::move(traces)), done_(traces_.size(), 0), outcomes_(outcomes) {
    for (const Trace* trace : traces_) total_ += trace->events.size();
  }

  void find() {
    if (order_.size() == total_) return finish();
    for (std::size_t thread = 0; thread < traces_.size(); ++thread) {
      const auto& events = traces_[thread]->events;
      for (std::size_t i = 0; i < events.size(); ++i) {
        const bool is_done = (done_[thread] >> i & 1U) != 0;
        if (is_done || (events[i].preserved & ~done_[thread]) != 0) continue;
        done_[thread] |= EventSet{1} << i;
        order_.push_back({thread, i});
        if (may_read_right(order_.size() - 1)) find();
        order_.pop_back();
        done_[thread] &= ~(EventSet{1} << i);
      }
    }
  }

 private:
  struct Place {
    std::size_t thread, event;

    friend bool operator==(const Place&, const Place&) = default;
  };
  using Source = std::optional<Place>; ///< the store that a load reads; nothing: the first value

  const Event& event(Place place) const { return traces_[place.thread]->events[place.event]; }

  void finish() {
    for (std::size_t at = 0; at < order_.size(); ++at) {
      if (!event(order_[at]).is_store && !reads_right(at)) return;
    }
    for (std::size_t thread = 0; thread < traces_.size(); ++thread) {
      if (!keeps_rules_of_values(thread)) return;
    }
    outcomes_.insert(outcome());
  }

  std::size_t position(Place place) const {
    return static_cast<std::size_t>(std::ranges::find(order_, place) - order_.begin());
  }

  /// Load value axiom: the last in memory order of the stores to the location that come before the
  /// load in memory order or in program order.
  Source source_of(std::size_t load_position) const {
    const Place load = order_[load_position];
    Source last;
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const Place place = order_[at];
      const bool fits = event(place).is_store && event(place).location == event(load).location;
      const bool in_program = place.thread == load.thread && place.event < load.event;
      if (fits && (at < load_position || in_program)) last = place;
    }
    return last;
  }

  /// Of the last event so far: stores that come later in memory order are seen only if they come
  /// before it in program order.
  bool may_read_right(std::size_t at) const {
    const Place place = order_[at];
    if (event(place).is_store) return true;
    const auto& events = traces_[place.thread]->events;
    for (std::size_t i = 0; i < place.event; ++i) {
      if (events[i].is_store && (done_[place.thread] >> i & 1U) == 0) return true;
    }
    return reads_right(at);
  }

  bool reads_right(std::size_t at) const {
    const Source source = source_of(at);
    return event(order_[at]).value == (source ? event(*source).value : 0);
  }

  /// Rules 2 and 12, which depend on who reads what.
  bool keeps_rules_of_values(std::size_t thread) const {
    const auto& events = traces_[thread]->events;
    for (std::size_t b = 0; b < events.size(); ++b) {
      if (events[b].is_store) continue;
      const std::size_t b_position = position({thread, b});
      const Source source = source_of(b_position);
      for (std::size_t a = 0; a < b; ++a) {
        const std::size_t a_position = position({thread, a});
        const bool ordered =
            rule_2(thread, a, a_position, b, source) || rule_12(thread, a, b, source);
        if (ordered && a_position > b_position) return false;
      }
    }
    return true;
  }

  bool rule_2(std::size_t thread, std::size_t a, std::size_t a_position, std::size_t b,
              const Source& b_source) const {
    const auto& events = traces_[thread]->events;
    if (events[a].is_store || events[a].location != events[b].location) return false;
    for (std::size_t i = a + 1; i < b; ++i) {
      if (events[i].is_store && events[i].location == events[b].location) return false;
    }
    return source_of(a_position) != b_source;
  }

  bool rule_12(std::size_t thread, std::size_t a, std::size_t b, const Source& b_source) const {
    if (!b_source || b_source->thread != thread || b_source->event >= b) return false;
    const Event& between = event(*b_source);
    return a < b_source->event && ((between.address | between.data) >> a & 1U) != 0;
  }

  Outcome outcome() const {
    Outcome result;
    for (const Trace* trace : traces_) result.registers.push_back(trace->registers);
    for (const Place& place : order_) {
      if (event(place).is_store) result.memory[event(place).location] = event(place).value;
    }
    return result;
  }

  std::vector<const Trace*> traces_;
  std::vector<EventSet> done_; ///< events of each thread that are in the order
  std::vector<Place> order_;
  std::size_t total_ = 0;
  std::set<Outcome>& outcomes_;
};

/// Numbers that threads write, and 0: loads return no others.
inline std::set<int> values_in(const std::vector<Thread>& threads) {
  std::set<int> values{0};
  for (const Thread& thread : threads) {
    for (const Instruction& each : thread) values.insert(each.number);
  }
  return values;
}

/// All that can be seen in the end.
inline std::set<Outcome> outcomes_of(const std::vector<Thread>& threads) {
  const std::set<int> values = values_in(threads);
  std::vector<std::vector<Trace>> traces;
  for (const Thread& thread : threads) traces.push_back(ThreadTraces(thread, values).find());
  std::set<Outcome> outcomes;
  const std::function<void(std::vector<const Trace*>)> choose =
      [&](std::vector<const Trace*> chosen) {
        if (chosen.size() == traces.size()) return Executions(std::move(chosen), outcomes).find();
        for (const Trace& trace : traces[chosen.size()]) {
          std::vector<const Trace*> more = chosen;
          more.push_back(&trace);
          choose(std::move(more));
        }
      };
  choose({});
  return outcomes;
}

/// Whether some execution ends as the condition says.
template <class Condition>
bool allows(const std::vector<Thread>& threads, Condition&& condition) {
  return std::ranges::any_of(outcomes_of(threads), condition);
}

} // namespace lanewise::rvwmo
