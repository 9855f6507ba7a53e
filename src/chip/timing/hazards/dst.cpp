// Who uses Dst too soon after whom (VU 5.6).
#include <fmt/format.h>

#include <optional>

#include "chip/isa/block_mask.h"
#include "chip/isa/encoding.h"
#include "chip/isa/matrix_ops.h"
#include "chip/timing/access.h"
#include "chip/timing/hazards/context.h"
#include "chip/timing/hazards/stallwait.h"
#include "chip/timing/hazards/values.h"
#include "chip/timing/matrix_clock.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

namespace {

using isa::Op;

/// Instructions that must stand between a Matrix Unit write and a load.
constexpr std::size_t kMatrixDistance = 3;
/// Cycles for which what was stored should not be loaded (VU Q6).
constexpr std::uint64_t kReloadCycles = 4;

bool is_access(Arch arch, const MicroOp& op) {
  return (is_load(op) || is_store(op)) && !known_word_facts(arch, op.word).is_template_write;
}

/// Matrix Unit instructions that read or write Dst, and the packer's.
bool uses_dst_elsewhere(Op op) {
  return isa::matrix_writes_dst(op) || isa::is_move_from_dst(op) || op == Op::PACR;
}

/// The Matrix Unit write that comes too shortly before ops[load]; a STALLWAIT between mends it,
/// whatever it is there for.
std::optional<std::size_t> matrix_write_before(std::span<const MicroOp> ops, std::size_t load) {
  for (std::size_t back = 1; back <= kMatrixDistance && back <= load; ++back) {
    const MicroOp& before = ops[load - back];
    if (before.op == Op::STALLWAIT) return std::nullopt;
    if (isa::matrix_writes_dst(before.op)) return load - back;
  }
  return std::nullopt;
}

void check_matrix_loads(const HazardContext& context) {
  const Arch arch = context.arch();
  for (const Issue& issue : context.schedule.issues) {
    const std::span<const MicroOp> ops = context.program.ops;
    const MicroOp& op = ops[issue.op];
    if (!is_load(op) || !is_access(arch, op)) continue;
    const auto write = matrix_write_before(ops, issue.op);
    if (!write) continue;
    context.findings.add(
        HazardId::MatrixLoad,
        {.op = &op, .cycle = issue.executes(), .other_line = ops[*write].line}, [&] {
          std::vector<ProposedChange> changes =
              nops_before(context, op.line, kMatrixDistance - (issue.op - *write - 1));
          for (ProposedChange& wait :
               wait_before(context, op.line, WaitFor::MatrixUnit, isa::block::kVector))
            changes.push_back(std::move(wait));
          return HazardText{
              fmt::format("may read what {} writes to Dst, which takes three more instructions",
                          context.findings.op_name(ops[*write], false)),
              {},
              std::move(changes)};
        });
  }
}

/// MU 8: of what reads Dst behind a move, hardware holds all but ELWADD and ELWSUB.
void check_moves_before_sums(const HazardContext& context) {
  constexpr std::uint64_t kMoveCycles = 3;
  for (std::size_t i = 0; i < context.events().size(); ++i) {
    const Event& sum = context.events()[i];
    if (sum.sub_unit != isa::SubUnit::None) continue;
    if (!isa::is_element_sum(sum.op.op) || !reads_dst_block(sum.op)) continue;
    for (std::size_t j = i; j-- > 0 && context.events()[j].cycle + kMoveCycles >= sum.cycle;) {
      const Event& move = context.events()[j];
      if (!isa::is_move_to_dst(move.op.op) || move.dst_row != sum.dst_row) continue;
      const std::uint64_t missing = kMoveCycles + 1 - (sum.cycle - move.cycle);
      context.findings.add(HazardId::MatrixMoveAdd, context.spot(i, move.op.line), [&] {
        return HazardText{fmt::format("adds to rows that {} is still writing", context.name(j)),
                          {},
                          nops_before(context, sum.op.line, missing)};
      });
      break;
    }
  }
}

/// A store, then a Matrix Unit instruction or a packer without waiting for the Vector Unit.
void check_store_before_matrix(const HazardContext& context) {
  const Arch arch = context.arch();
  const Event* store = nullptr;
  for (std::size_t i = 0; i < context.events().size(); ++i) {
    const Event& event = context.events()[i];
    if (is_store(event.op) && (event.scheduled || is_access(arch, event.op))) store = &event;
    if (event.op.op == Op::STALLWAIT && waits_for(event.op.word, WaitFor::VectorUnit))
      store = nullptr;
    if (store == nullptr || !uses_dst_elsewhere(event.op.op)) continue;
    context.findings.add(HazardId::StoreMatrix, context.spot(i, store->op.line), [&] {
      const auto blocked = event.op.op == Op::PACR ? isa::block::kPack : isa::block::kMatrix;
      return HazardText{fmt::format("uses Dst while {} may be on its way",
                                    context.findings.op_name(store->op, store->scheduled)),
                        {},
                        wait_before(context, event.op.line, WaitFor::VectorUnit, blocked)};
    });
    store = nullptr; // once is enough for this store
  }
}

void report_reload(const HazardContext& context, std::size_t store, std::size_t load) {
  const Event& s = context.events()[store];
  const Event& l = context.events()[load];
  const isa::Chips measured_on = hazard_rule(HazardId::MacroReload).chips;
  const bool measured = s.scheduled && isa::includes(measured_on, context.arch());
  const HazardId id = measured ? HazardId::MacroReload : HazardId::StoreReload;
  context.findings.add(id, context.spot(load, s.op.line), [&] {
    const std::uint64_t distance = l.cycle - s.cycle;
    return HazardText{fmt::format("loads what {} stores {}", context.name(store),
                                  distance == 0   ? std::string("in the same cycle")
                                  : distance == 1 ? std::string("one cycle before")
                                                  : fmt::format("{} cycles before", distance)),
                      {}};
  });
}

void check_reloads(const HazardContext& context) {
  const std::span<const Event> events = context.events();
  for (std::size_t store = 0; store < events.size(); ++store) {
    if (!is_store(events[store].op)) continue;
    for (std::size_t load = store; load < events.size(); ++load) {
      if (events[load].cycle > events[store].cycle + kReloadCycles) break;
      const bool follows = is_load(events[load].op) && events[load].issue > events[store].issue;
      if (!follows || !touches_same_elements(context.facts[store], context.facts[load])) continue;
      report_reload(context, store, load);
      break;
    }
  }
}

} // namespace

void check_dst(const HazardContext& context) {
  if (context.ops.any(isa::matrix_writes_dst)) check_matrix_loads(context);
  if (context.ops.any(isa::is_element_sum)) check_moves_before_sums(context);
  if (context.ops.any(uses_dst_elsewhere)) check_store_before_matrix(context);
  check_reloads(context);
}

} // namespace lanewise::timing
