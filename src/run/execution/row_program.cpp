#include "run/execution/row_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "chip/isa/effects.h"
#include "chip/machine/control.h"
#include "chip/machine/executor.h"
#include "chip/machine/scheduled.h"
#include "chip/machine/simd_level.h"
#include "chip/machine/vector/predication.h"
#include "run/execution/footprint.h"

namespace lanewise::execution {

namespace {

using isa::Op;

/// Micro-ops of straight code; g++ takes a second for some hundred.
constexpr std::size_t kLongestBody = 600, kLongestEdge = 200;

/// Nothing is left of it in generated code.
bool is_left_out(const MicroOp& op) {
  return only_moves_counters(op) || checks_configuration(op);
}

/// Whether generated code has the instruction (chip/machine/kernels/row.h).
bool has_step(Arch arch, const MicroOp& op) {
  if (begins_hold(op) || ends_hold(op) || releases(op)) return op.vd < kMostHeldResults;
  if (op.kernel != op.instruction && op.kernel != in_some_lanes) return false;
  MicroOp executed = op;
  if (op.op == Op::SFPLOADMACRO) executed.op = Op::SFPLOAD;
  return op.instruction == level_kernels().lane(arch, executed) ||
         op.instruction == find_predication_kernel<MachineState>(arch, op.op);
}

Unexpected refuse(std::string what) {
  return bad_input(fmt::format("generated code cannot run the loop over rows: {}", what),
                   "leave --generate out; docs/speed.md says what is generated");
}

/// Of an instruction that has no step.
Unexpected refuse(Arch arch, const MicroOp& op) {
  const isa::Row* row = isa::decode(arch, op.word).row;
  Unexpected fault =
      refuse(may_configure(op)                                     ? "it changes configuration"
             : row != nullptr && row->unit == isa::Unit::Matrix ? "it needs the Matrix Unit"
                                                                   : "it has another instruction");
  fault.value().instruction = row != nullptr ? row->mnemonic : "";
  fault.value().line = op.line;
  return fault;
}

/// What holds between two micro-ops, whatever the values are.
struct Boundary {
  bool is_alike, uses_flags;
  unsigned held; ///< results that are held back
  Rwc rwc;
  Addresses addresses;
};

/// A program, executed once.
struct Trace {
  std::vector<Boundary> boundaries;  ///< before each micro-op, and behind the last one
  std::vector<RowAccess> accesses;   ///< all of them
  std::vector<std::size_t> access_of; ///< how many of them come before each micro-op, and in all

  Trace(const MachineState& start, std::span<const MicroOp> ops) {
    MachineState state = start;
    unsigned held = 0;
    const auto note = [&] {
      boundaries.push_back({are_rows_alike(state.vector), state.vector.use_flags != 0, held,
                            state.rwc, state.clock.address});
      access_of.push_back(accesses.size());
    };
    for (const MicroOp& op : ops) {
      note();
      if (is_access(op)) accesses.push_back(execution::access_of(state, op));
      if (begins_hold(op)) ++held;
      if (releases(op)) --held;
      execute(state, {&op, 1});
    }
    note();
  }

  std::span<const RowAccess> between(std::size_t begin, std::size_t end) const {
    return std::span(accesses).subspan(access_of[begin], access_of[end] - access_of[begin]);
  }

  /// Whether generated code may begin there, or end.
  bool can_begin(std::size_t at) const { return boundaries[at].is_alike && can_end(at); }
  bool can_end(std::size_t at) const { return boundaries[at].held == 0; }
};

/// Makes the program of its parts.
class Builder {
 public:
  Builder(Arch arch, std::span<const MicroOp> ops, const Trace& trace)
      : arch_(arch), ops_(ops), trace_(trace) {}

  Expected<RowProgram> build(LoopShape loop) {
    const auto rows_per_body =
        find_rows_per_body(trace_.between(loop.begin, loop.end()), loop.rows);
    if (!rows_per_body) return refuse("its rows reach cells of one another");
    if (loop.period * *rows_per_body > kLongestBody) return refuse("a row is too long");
    loop = {.begin = loop.begin,
            .period = loop.period * *rows_per_body,
            .rows = loop.rows / *rows_per_body};
    for (std::size_t i = 0; i < loop.rows; ++i) {
      if (!trace_.boundaries[loop.begin + i * loop.period].is_alike)
        return refuse("lanes are switched off, or flags are on their stack, from row to row");
    }
    const auto begin = find_begin(loop.begin);
    const auto end = find_end(loop.end());
    if (!begin || !end)
      return refuse("what is held back in front of it or behind it has more than it can run");
    program_.begin = *begin;
    program_.end = *end;
    add_body(*begin, loop.begin - *begin, 1);
    add_body(loop.begin, loop.period, loop.rows);
    add_body(loop.end(), *end - loop.end(), 1);
    finish();
    return std::move(program_);
  }

 private:
  /// Whether [begin, end) can be straight code.
  bool is_edge(std::size_t begin, std::size_t end) const {
    return std::all_of(ops_.begin() + static_cast<std::ptrdiff_t>(begin),
                       ops_.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const MicroOp& op) { return is_left_out(op) || has_step(arch_, op); }) &&
           BodyGroups(trace_.between(begin, end)).are_apart();
  }

  /// The first place from which everything up to the loop can be generated; nothing if there is
  /// none.
  std::optional<std::size_t> find_begin(std::size_t loop) const {
    std::optional<std::size_t> found;
    for (std::size_t at = loop; loop - at <= kLongestEdge && is_edge(at, loop); --at) {
      if (trace_.can_begin(at)) found = at;
      if (at == 0) break;
    }
    return found;
  }

  /// The last place up to which everything behind the loop can be.
  std::optional<std::size_t> find_end(std::size_t loop) const {
    std::optional<std::size_t> found;
    for (std::size_t at = loop; at - loop <= kLongestEdge && is_edge(loop, at); ++at) {
      if (trace_.can_end(at)) found = at;
      if (at == ops_.size()) break;
    }
    return found;
  }

  void add_body(std::size_t begin, std::size_t size, std::size_t count) {
    if (size == 0) return;
    program_.uses_flags = program_.uses_flags || uses_flags(begin, size, count);
    const auto accesses = trace_.between(begin, begin + size * count);
    const std::size_t per_body = accesses.size() / count;
    const BodyGroups groups(accesses.first(per_body));
    const std::size_t first = program_.ops.size();
    append_ops(ops_.subspan(begin, size), accesses, groups);
    program_.bodies.push_back({.first = first,
                               .size = program_.ops.size() - first,
                               .count = count,
                               .groups = groups.uses});
    for (std::size_t i = 0; i < count; ++i) {
      const BodyGroups of_body(accesses.subspan(i * per_body, per_body));
      program_.rows.insert(program_.rows.end(), of_body.rows.begin(), of_body.rows.end());
    }
  }

  bool uses_flags(std::size_t begin, std::size_t size, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (trace_.boundaries[begin + i * size].uses_flags) return true;
    }
    return false;
  }

  void append_ops(std::span<const MicroOp> ops, std::span<const RowAccess> accesses,
                  const BodyGroups& groups) {
    std::size_t next = 0;
    for (MicroOp op : ops) {
      if (is_left_out(op)) continue;
      if (is_access(op)) {
        if (op.op == Op::SFPLOADMACRO) op.op = Op::SFPLOAD;
        op.mod = static_cast<std::uint8_t>(accesses[next].mode);
        op.addr_mod = accesses[next].is_odd ? 1 : 0;
        op.address_slot = groups.of_access[next++];
      }
      program_.ops.push_back(op);
    }
  }

  void finish() {
    const auto accesses = trace_.between(program_.begin, program_.end);
    std::copy_if(accesses.begin(), accesses.end(), std::back_inserter(program_.stores),
                 [](const RowAccess& access) { return access.is_store; });
    program_.counters_after = trace_.boundaries[program_.end].rwc;
    program_.addresses_after = trace_.boundaries[program_.end].addresses;
  }

  Arch arch_;
  std::span<const MicroOp> ops_;
  const Trace& trace_;
  RowProgram program_;
};

} // namespace

bool may_configure(const MicroOp& op) {
  return (isa::parts_written(op.op) & isa::part::kVectorConfig) != 0 || op.kernel == template_write;
}

Expected<RowProgram> find_row_program(const MachineState& start, std::span<const MicroOp> ops) {
  const auto loop = find_loop(ops);
  if (!loop) return refuse("there is none that is half of the program");
  const Arch arch = start.config.arch();
  const auto row = ops.subspan(loop->begin, loop->period);
  for (const MicroOp& op : row) {
    if (!is_left_out(op) && !has_step(arch, op)) return refuse(arch, op);
  }
  if (std::all_of(row.begin(), row.end(), is_left_out)) return refuse("it does nothing");
  const Trace trace(start, ops);
  return Builder(arch, ops, trace).build(*loop);
}

} // namespace lanewise::execution
