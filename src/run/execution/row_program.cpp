#include "run/execution/row_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "chip/isa/fields.h"
#include "chip/machine/control.h"
#include "chip/machine/executor.h"
#include "chip/machine/scheduled.h"
#include "chip/machine/simd_level.h"
#include "chip/machine/vector/predication.h"
#include "run/execution/footprint.h"

namespace lanewise::execution {

namespace {

using isa::Op;

/// Micro-ops of all bodies; g++ takes a second for some hundred.
constexpr std::size_t kMostMicroOps = 1200;
/// Of a loop; where there are none, a face of which only some rows are alike is better than
/// nothing.
constexpr std::size_t kFewestRows = 4, kFewestFaces = 2;

/// Nothing is left of it in generated code.
bool is_left_out(const MicroOp& op) {
  return only_moves_counters(op) || checks_configuration(op);
}

bool is_of_hold(const MicroOp& op) {
  return begins_hold(op) || ends_hold(op) || releases(op);
}

/// Whether generated code has the instruction (chip/machine/kernels/row.h), or leaves it to the
/// program that loads it.
bool has_step(Arch arch, const MicroOp& op) {
  if (is_of_hold(op)) return op.vd < kMostHeldResults;
  if (op.kernel != op.instruction && op.kernel != in_some_lanes) return false;
  if (op.op == Op::SFPCONFIG) return !may_configure(op);
  MicroOp executed = op;
  if (op.op == Op::SFPLOADMACRO) executed.op = Op::SFPLOAD;
  return op.instruction == level_kernels().lane(arch, executed) ||
         op.instruction == find_predication_kernel<MachineState>(arch, op.op);
}

Unexpected refuse(std::string_view why) {
  return bad_input(fmt::format("no generated code can run the loops over rows: {}", why),
                   "leave --generate out; docs/speed.md says what is generated");
}

/// Of an instruction that has no step.
Unexpected refuse(Arch arch, const MicroOp& op) {
  const isa::Row* row = isa::decode(arch, op.word).row;
  const bool is_matrix = row != nullptr && row->unit == isa::Unit::Matrix;
  Unexpected fault = refuse(may_configure(op) ? "it changes configuration there"
                            : is_matrix       ? "it is of the Matrix Unit"
                                              : "it is more than lanes can do");
  fault.value().instruction = row != nullptr ? row->mnemonic : "";
  fault.value().line = op.line;
  return fault;
}

/// What holds between two micro-ops, whatever the values are.
struct Boundary {
  bool has_switches, has_empty_stack;
  std::uint32_t use_flags;
  unsigned held; ///< results that are held back
  Rwc rwc;
  Addresses addresses;

  /// Whether generated code may begin there.
  bool can_begin() const { return held == 0 && !has_switches && has_empty_stack; }
};

/// A program, executed once: its micro-ops without those that are left out, and what holds around
/// them.
struct Trace {
  std::vector<MicroOp> ops;
  std::vector<std::size_t> place;     ///< of each in the program, and the program's end
  std::vector<Boundary> boundaries;   ///< before each, and at the program's end
  std::vector<RowAccess> accesses;    ///< all of them
  std::vector<std::size_t> access_of; ///< how many of them come before each, and in all

  Trace(const MachineState& start, std::span<const MicroOp> program) {
    MachineState state = start;
    unsigned held = 0;
    const auto note = [&](std::size_t at) {
      const VectorState& v = state.vector;
      place.push_back(at);
      boundaries.push_back({v.switches != LaneSwitches{}, v.stack.empty_lanes() == kAllLanes,
                            v.use_flags, held, state.rwc, state.clock.address});
      access_of.push_back(accesses.size());
    };
    for (std::size_t i = 0; i < program.size(); ++i) {
      const MicroOp& op = program[i];
      if (!is_left_out(op)) {
        note(i);
        ops.push_back(op);
        if (is_access(op)) accesses.push_back(execution::access_of(state, op));
        if (begins_hold(op)) ++held;
        if (releases(op)) --held;
      }
      execute(state, {&op, 1});
    }
    note(program.size());
  }

  std::span<const RowAccess> between(std::size_t begin, std::size_t end) const {
    return std::span(accesses).subspan(access_of[begin], access_of[end] - access_of[begin]);
  }
};

/// The longest run of micro-ops with steps, from where code may begin to where it may end.
std::pair<std::size_t, std::size_t> longest_range(Arch arch, const Trace& trace) {
  std::pair<std::size_t, std::size_t> best{0, 0};
  for (std::size_t begin = 0; begin < trace.ops.size(); ++begin) {
    std::size_t end = begin;
    while (end < trace.ops.size() && has_step(arch, trace.ops[end])) ++end;
    const std::size_t behind = end;
    while (begin < end && !trace.boundaries[begin].can_begin()) ++begin;
    while (begin < end && trace.boundaries[end].held != 0) --end;
    if (end - begin > best.second - best.first) best = {begin, end};
    begin = behind;
  }
  return best;
}

bool is_same_constant(const MicroOp& a, const MicroOp& b) {
  return a.kernel == b.kernel && a.instruction == b.instruction && a.word == b.word &&
         a.line == b.line && a.immediate == b.immediate && a.lanes == b.lanes && a.op == b.op &&
         a.va == b.va && a.vb == b.vb && a.vc == b.vc && a.vd == b.vd && a.mod == b.mod &&
         a.addr_mod == b.addr_mod && a.address_slot == b.address_slot;
}

/// Makes the program of its parts.
class Builder {
 public:
  explicit Builder(const Trace& trace) : trace_(trace) {}

  Expected<RowProgram> build(std::size_t begin, std::size_t end) {
    std::size_t straight = begin;
    const auto range = std::span(trace_.ops).subspan(begin, end - begin);
    std::vector<LoopShape> loops = find_loops(range, kFewestRows);
    if (loops.empty()) loops = find_loops(range, kFewestFaces);
    for (LoopShape loop : loops) {
      loop.begin += begin;
      const auto shape = find_body_shape(trace_.between(loop.begin, loop.end()), loop.rows);
      if (!shape) continue;
      add_straight(straight, loop.begin);
      loop.period *= shape->rows;
      loop.rows /= shape->rows;
      add_run(loop, shape->parts);
      straight = loop.end();
    }
    add_straight(straight, end);
    if (program_.ops.size() > kMostMicroOps)
      return refuse(fmt::format("they have {} micro-ops without repetitions, and g++ is given {}",
                                program_.ops.size(), kMostMicroOps));
    finish(begin, end);
    return std::move(program_);
  }

 private:
  void add_straight(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    add_run({.begin = begin, .period = end - begin, .rows = 1},
            cut_into_parts(trace_.between(begin, end)));
  }

  void add_run(const LoopShape& loop, const std::vector<std::size_t>& parts) {
    RowBody body;
    for (std::size_t i = 0; i < loop.rows; ++i) {
      const Boundary& before = trace_.boundaries[loop.begin + i * loop.period];
      body.uses_flags = body.uses_flags || before.use_flags != 0;
      body.has_empty_stack = body.has_empty_stack && before.has_empty_stack;
    }
    const std::size_t first = program_.ops.size();
    std::size_t at = loop.begin;
    const std::size_t end = loop.begin + loop.period;
    for (std::size_t i = 0; i < std::max<std::size_t>(parts.size(), 1); ++i)
      body.parts.push_back(add_part(at, i + 1 < parts.size() ? behind(at, parts[i]) : end));
    for (std::size_t i = 0; i < loop.rows; ++i)
      add_rows(trace_.between(loop.begin + i * loop.period, loop.begin + (i + 1) * loop.period),
               parts);
    add_body(std::move(body), first, loop.rows);
  }

  /// The place of the access behind so many.
  std::size_t behind(std::size_t at, std::size_t accesses) const {
    const std::size_t wanted = trace_.access_of[at] + accesses;
    while (trace_.access_of[at] < wanted || !is_access(trace_.ops[at])) ++at;
    return at;
  }

  RowPart add_part(std::size_t& begin, std::size_t end) {
    const auto accesses = trace_.between(begin, end);
    AccessGroups groups(accesses);
    RowPart part{.first = program_.ops.size(), .size = end - begin, .groups = {}};
    std::size_t next = 0;
    for (; begin < end; ++begin) {
      MicroOp op = trace_.ops[begin];
      if (!may_fault(op.op)) op.line = 0; // the same in other rows
      if (is_access(op)) {
        if (op.op == Op::SFPLOADMACRO) op.op = Op::SFPLOAD;
        op.word = 0;
        op.immediate = 0;
        op.mod = static_cast<std::uint8_t>(accesses[next].mode);
        op.addr_mod = accesses[next].is_odd ? 1 : 0;
        op.address_slot = groups.of_access[next++];
      }
      program_.ops.push_back(op);
    }
    part.groups = std::move(groups.uses);
    return part;
  }

  void add_rows(std::span<const RowAccess> accesses, const std::vector<std::size_t>& parts) {
    for (const std::size_t part : parts) {
      const AccessGroups groups(accesses.first(part));
      program_.rows.insert(program_.rows.end(), groups.rows.begin(), groups.rows.end());
      accesses = accesses.subspan(part);
    }
  }

  /// A body that is there already is executed once more.
  void add_body(RowBody body, std::size_t first, std::size_t count) {
    const auto known = std::ranges::find_if(
        program_.bodies, [&](const RowBody& other) { return is_same_body(body, other); });
    program_.runs.push_back(
        {.body = static_cast<std::size_t>(known - program_.bodies.begin()), .count = count});
    if (known == program_.bodies.end()) {
      program_.bodies.push_back(std::move(body));
    } else {
      program_.ops.resize(first);
    }
  }

  bool is_same_body(const RowBody& a, const RowBody& b) const {
    const auto is_same_part = [&](const RowPart& one, const RowPart& other) {
      const auto ops = [&](const RowPart& part) {
        return std::span(program_.ops).subspan(part.first, part.size);
      };
      return one.groups == other.groups &&
             std::ranges::equal(ops(one), ops(other), is_same_constant);
    };
    return a.uses_flags == b.uses_flags && a.has_empty_stack == b.has_empty_stack &&
           std::ranges::equal(a.parts, b.parts, is_same_part);
  }

  void finish(std::size_t begin, std::size_t end) {
    program_.begin = trace_.place[begin];
    program_.end = trace_.place[end];
    program_.use_flags = trace_.boundaries[begin].use_flags;
    const auto accesses = trace_.between(begin, end);
    std::copy_if(accesses.begin(), accesses.end(), std::back_inserter(program_.stores),
                 [](const RowAccess& access) { return access.is_store; });
    program_.counters_after = trace_.boundaries[end].rwc;
    program_.addresses_after = trace_.boundaries[end].addresses;
  }

  const Trace& trace_;
  RowProgram program_;
};

/// Why most of a program cannot be generated: the instruction without a step in one of the loops
/// that there are, or else the first.
Unexpected refuse_most(Arch arch, const Trace& trace) {
  for (const LoopShape& loop : find_loops(trace.ops, kFewestRows)) {
    for (std::size_t i = loop.begin; i < loop.begin + loop.period; ++i) {
      if (!has_step(arch, trace.ops[i])) return refuse(arch, trace.ops[i]);
    }
  }
  for (const MicroOp& op : trace.ops) {
    if (!has_step(arch, op)) return refuse(arch, op);
  }
  return refuse("lanes are switched off by LaneConfig, or flags are on their stack");
}

} // namespace

bool may_configure(const MicroOp& op) {
  constexpr unsigned kFirstConstant = 11, kLastConstant = 14; // VU C38
  if (op.kernel == template_write) return true;
  return op.op == Op::SFPCONFIG && (op.vd < kFirstConstant || op.vd > kLastConstant);
}

bool is_left_to_host(const MicroOp& op) {
  switch (op.op) {
    case Op::SFPARECIP:
    case Op::SFPCONFIG:
    case Op::SFPTRANSP: return true;
    case Op::SFPMOV: return isa::has_mode<Op::SFPMOV, "FROM_SPECIAL">(op.mod);
    case Op::SFPSHFT2:
      return op.mod != isa::kMode<Op::SFPSHFT2, "SHFT_LREG"> &&
             op.mod != isa::kMode<Op::SFPSHFT2, "SHFT_IMM">;
    default: return false; // of any other instruction that has a step
  }
}

Expected<RowProgram> find_row_program(const MachineState& start, std::span<const MicroOp> ops) {
  const Arch arch = start.config.arch();
  const Trace trace(start, ops);
  const auto [begin, end] = longest_range(arch, trace);
  if (trace.accesses.empty()) return refuse("it accesses nothing");
  // The most of the program, or it is hardly worth it.
  if (2 * (end - begin) < trace.ops.size()) return refuse_most(arch, trace);
  return Builder(trace).build(begin, end);
}

} // namespace lanewise::execution
