#include "run/execution/row_program.h"

#include <algorithm>
#include <iterator>

#include "chip/machine/control.h"
#include "chip/machine/dst_address.h"
#include "chip/machine/executor.h"
#include "chip/machine/simd_level.h"
#include "chip/machine/vector/predication.h"
#include "run/execution/footprint.h"

namespace lanewise::execution {

namespace {

using isa::Op;

constexpr std::size_t kFewestRows = 4, kLongestRow = 512, kLongestProgram = 1U << 16;
constexpr std::size_t kMostRowsPerBody = 4;
/// Micro-ops; g++ takes a second for some hundred.
constexpr std::size_t kLongestBody = 600;

bool is_same(const MicroOp& a, const MicroOp& b) {
  return a.word == b.word && a.line == b.line && a.kernel == b.kernel &&
         a.instruction == b.instruction && a.lanes == b.lanes && a.address_slot == b.address_slot;
}

/// The longest run of micro-ops of which each is the same as the one `period` behind it.
LoopShape longest_loop(std::span<const MicroOp> ops, std::size_t period) {
  LoopShape best{.begin = 0, .period = period, .rows = 0};
  std::size_t run = 0;
  for (std::size_t i = 0; i + period < ops.size(); ++i) {
    run = is_same(ops[i], ops[i + period]) ? run + 1 : 0;
    const std::size_t rows = run / period + 1;
    if (rows > best.rows) best = {.begin = i + 1 - run, .period = period, .rows = rows};
  }
  return best;
}

/// Undefined modes access nothing.
bool is_access(const MicroOp& op) {
  return (op.op == Op::SFPLOAD || op.op == Op::SFPSTORE) && op.kernel != no_effect;
}

/// Whether generated code has the instruction (chip/machine/kernels/row.h).
bool has_step(Arch arch, const MicroOp& op) {
  if (op.kernel != op.instruction || op.address_slot != 0) return false;
  return op.kernel == level_kernels().lane(arch, op) ||
         find_predication_kernel<MachineState>(arch, op.op) != nullptr;
}

/// The access of a micro-op that is about to execute.
RowAccess access_of(MachineState& state, const MicroOp& op) {
  const DstMode mode = resolve_dst_mode(state.config, static_cast<DstMode>(op.mod));
  const bool is_store = op.op == Op::SFPSTORE;
  const Rwc before = state.rwc; // a load from the stack moves it, but that is for the instruction
  const DstAddress address =
      is_store ? store_address(state, op, mode) : load_address(state, op, mode);
  state.rwc = before;
  return {.physical_row = static_cast<std::uint16_t>(address.physical_row),
          .is_odd = address.odd != 0,
          .is_wide = is_store ? store_is_32bit(mode) : is_32bit(mode),
          .is_store = is_store,
          .mode = mode};
}

/// Which groups the accesses of one body name: a number for each, in the order of their first use.
struct BodyGroups {
  std::vector<std::uint16_t> rows;
  std::vector<GroupUse> uses;
  std::vector<std::uint8_t> of_access;

  explicit BodyGroups(std::span<const RowAccess> accesses) {
    for (const RowAccess& access : accesses) {
      const auto known = std::find(rows.begin(), rows.end(), access.physical_row);
      const auto group = static_cast<std::size_t>(known - rows.begin());
      if (known == rows.end()) {
        rows.push_back(access.physical_row);
        uses.emplace_back();
      }
      uses[group].is_wide = uses[group].is_wide || access.is_wide;
      uses[group].is_stored = uses[group].is_stored || access.is_store;
      of_access.push_back(static_cast<std::uint8_t>(group));
    }
  }

  /// Whether no cell is in two groups.
  bool are_apart() const {
    std::vector<unsigned> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      all.push_back(rows[i]);
      if (uses[i].is_wide) all.push_back(rows[i] + kDstLowHalf);
    }
    std::sort(all.begin(), all.end());
    return std::adjacent_find(all.begin(), all.end()) == all.end();
  }
};

/// The fewest rows that make a body, so that all bodies access their groups alike; 0 if there are
/// none.
std::size_t find_rows_per_body(std::span<const RowAccess> accesses, std::size_t rows) {
  const std::size_t per_row = accesses.size() / rows;
  for (std::size_t count = 1; count <= kMostRowsPerBody; count *= 2) {
    if (rows % count != 0) continue;
    const std::size_t size = count * per_row;
    const auto first = accesses.first(size);
    const BodyGroups groups(first);
    if (groups.rows.size() > kMostRowGroups) return 0;
    bool alike = true;
    for (std::size_t at = 0; alike && at < accesses.size(); at += size) {
      const auto body = accesses.subspan(at, size);
      const BodyGroups of_body(body);
      alike =
          of_body.of_access == groups.of_access && of_body.are_apart() &&
          std::equal(first.begin(), first.end(), body.begin(),
                     [](const RowAccess& a, const RowAccess& b) { return a.is_odd == b.is_odd; });
    }
    if (alike) return count;
  }
  return 0;
}

/// Appends a row to the body; `access` are its accesses, `group` the groups of these.
void append_row(std::span<const MicroOp> row, const RowAccess* access, const std::uint8_t* group,
                std::vector<MicroOp>& body) {
  for (MicroOp op : row) {
    if (only_moves_counters(op)) continue;
    if (is_access(op)) {
      op.mod = static_cast<std::uint8_t>(access->mode);
      op.addr_mod = access++->is_odd ? 1 : 0;
      op.address_slot = *group++;
    }
    body.push_back(op);
  }
}

} // namespace

std::optional<LoopShape> find_loop(std::span<const MicroOp> ops) {
  if (ops.size() > kLongestProgram) return std::nullopt;
  LoopShape best;
  const std::size_t longest = std::min(kLongestRow, ops.size() / kFewestRows);
  for (std::size_t period = 1; period <= longest; ++period) {
    const LoopShape loop = longest_loop(ops, period);
    if (loop.rows < kFewestRows || 2 * loop.period * loop.rows < ops.size()) continue;
    if (loop.period * loop.rows > best.period * best.rows) best = loop;
  }
  if (best.rows == 0) return std::nullopt;
  return best;
}

std::optional<RowProgram> find_row_program(const MachineState& start,
                                           std::span<const MicroOp> ops) {
  const auto loop = find_loop(ops);
  if (!loop) return std::nullopt;
  const auto row = ops.subspan(loop->begin, loop->period);
  const bool has_steps = std::all_of(row.begin(), row.end(), [&](const MicroOp& op) {
    return only_moves_counters(op) || has_step(start.config.arch(), op);
  });
  if (!has_steps || std::all_of(row.begin(), row.end(), only_moves_counters)) return std::nullopt;

  RowProgram program;
  program.loop = *loop;
  std::vector<RowAccess> accesses;
  MachineState state = start;
  execute(state, ops.first(loop->begin));
  for (std::size_t i = 0; i < loop->rows; ++i) {
    if (!are_rows_alike(state.vector)) return std::nullopt;
    program.uses_flags = program.uses_flags || state.vector.use_flags != 0;
    for (const MicroOp& op : row) {
      if (is_access(op)) accesses.push_back(access_of(state, op));
      execute(state, {&op, 1});
    }
  }
  program.counters_after = state.rwc;
  program.rows_per_body = find_rows_per_body(accesses, loop->rows);
  if (program.rows_per_body == 0 || program.rows_per_body * row.size() > kLongestBody)
    return std::nullopt;

  const std::size_t per_row = accesses.size() / loop->rows;
  const std::size_t per_body = per_row * program.rows_per_body;
  const std::span<const RowAccess> all(accesses);
  const BodyGroups groups(all.first(per_body));
  program.groups = groups.uses;
  for (std::size_t i = 0; i < program.rows_per_body; ++i)
    append_row(row, &accesses[i * per_row], &groups.of_access[i * per_row], program.body);
  for (std::size_t at = 0; at < accesses.size(); at += per_body) {
    const BodyGroups of_body(all.subspan(at, per_body));
    program.rows.insert(program.rows.end(), of_body.rows.begin(), of_body.rows.end());
  }
  std::copy_if(accesses.begin(), accesses.end(), std::back_inserter(program.stores),
               [](const RowAccess& access) { return access.is_store; });
  return program;
}

} // namespace lanewise::execution
