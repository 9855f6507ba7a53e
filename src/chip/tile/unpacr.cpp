// UNPACR: what it waits for, its data, and what it leaves behind (core.md 12).
#include <algorithm>

#include "chip/isa/config.h"
#include "chip/isa/fields.h"
#include "chip/tile/formats.h"
#include "chip/tile/instruction.h"
#include "chip/tile/source_banks.h"
#include "chip/tile/unpack_mover.h"
#include "chip/tile/unpack_plan.h"

namespace lanewise::tile {

namespace {

using isa::ConfigField;

constexpr Finding kWithoutData{
    FaultKind::Unsupported,
    "flushes the cache of the decompression (bit 1), which is not there; "
    "nothing was done",
    "leave the bit 0", "core.md 12.1"};

void count_traffic(TileState& tile, const UnpackPlan& plan) {
  Traffic::OfUnpacker& traffic = tile.traffic.unpacker[plan.unpacker];
  const std::uint64_t bytes = (std::uint64_t{plan.count} * plan.datum_bits + 7) / 8;
  ++traffic.instructions;
  traffic.bytes += bytes;
  traffic.data += plan.count;
  const bool narrows = plan.datum_bits == 32 && !plan.to_dst && bits_in_l1(plan.out) == 16;
  if (narrows) traffic.narrowed += plan.count;
  const std::uint64_t row_bytes = (std::uint64_t{plan.row_data} * plan.datum_bits + 7) / 8;
  traffic.rows = {.first = plan.first_bit / 8,
                  .bytes = std::min(bytes, row_bytes),
                  .stride = plan.row_stride / 8,
                  .rows = (plan.count + plan.row_data - 1) / plan.row_data};
  traffic.bytes_per_cycle = plan.bytes_per_cycle;
  traffic.format = plan.in;
  traffic.takes_values = !plan.zeros;
  traffic.fetch_cycles += (bytes + plan.bytes_per_cycle - 1) / plan.bytes_per_cycle;
}

/// The context counter goes on behind `context`, to 0 after as many as there are.
void count_context(TileState& tile, const Instruction& i, unsigned unpacker, unsigned context) {
  const auto get = [&](ConfigField field) {
    return tile.machine.config.get(isa::of_section(field, unpacker), i.thread);
  };
  const unsigned contexts = get(ConfigField::THCON_SEC0_REG2_Context_count_non_log2_en) != 0
                                ? get(ConfigField::THCON_SEC0_REG2_Context_count_non_log2)
                                : 1U << get(ConfigField::THCON_SEC0_REG2_Context_count);
  const unsigned next = context + 1;
  tile.unpacker[unpacker].context[i.thread] =
      static_cast<std::uint8_t>(next >= contexts ? 0 : next);
}

/// The counters of the instruction's thread and of the context's, each once (core.md 12.4).
void advance_counters(TileState& tile, const Instruction& i, unsigned unpacker,
                      unsigned counters_of) {
  const auto add = [&](Channel& channel, Axis axis, std::uint32_t increment) {
    std::uint32_t& value = channel[axis].value;
    value = (value + increment) & counter_mask(tile.arch(), axis);
  };
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if (thread != i.thread && thread != counters_of) continue;
    UnitCounters& counters = tile.counters.of(thread, unpacker);
    add(counters[0], Axis::Y, unpacr_field<"Ch0YInc">(tile, i));
    add(counters[0], Axis::Z, unpacr_field<"Ch0ZInc">(tile, i));
    add(counters[1], Axis::Y, unpacr_field<"Ch1YInc">(tile, i));
    add(counters[1], Axis::Z, unpacr_field<"Ch1ZInc">(tile, i));
  }
}

void hand_over(TileState& tile, const Instruction& i, const UnpackPlan& plan) {
  if (unpacr_field<"FlipSrc">(tile, i) != 0)
    return hand_to_matrix_unit(tile, plan.unpacker, i.thread, plan.out);
  const ConfigField update =
      isa::of_section(ConfigField::THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd, plan.unpacker);
  if (tile.machine.config.get(update, i.thread) == 0) return;
  std::uint8_t& row = tile.unpacker[plan.unpacker].row[i.thread];
  row = static_cast<std::uint8_t>((row + 16 + first_row(tile, plan.unpacker, i.thread)) %
                                  kSourceRows);
}

} // namespace

Wait execute_unpacr(TileState& tile, const Instruction& i) {
  // Not by their names: an instruction that waits comes here each time that it looks again.
  const std::uint32_t word = i.word.word;
  const unsigned unpacker = isa::field<"WhichUnpacker", isa::Op::UNPACR>(word);
  if (isa::field<"CfgContextCntInc", isa::Op::UNPACR>(word) !=
      0) { // without data (ISA UNPACR_IncrementContextCounter)
    count_context(tile, i, unpacker, tile.unpacker[unpacker].context[i.thread]);
    return {};
  }
  const SourceFile& file = source_file(tile, unpacker);
  if (file.owned_by_matrix_unit[file.filling])
    return waits_for(unpacker == 0 ? WaitCause::SrcAToFill : WaitCause::SrcBToFill, i);
  if (unpacr_field<"SearchCacheFlush">(tile, i) != 0) {
    note(tile, i, kWithoutData);
    return {};
  }
  touch_unit_config(tile, false);
  if (const auto plan = plan_unpack(tile, i)) {
    if (tile.log != nullptr && !plan->to_dst)
      tile.log->touch(bank_place(unpacker, file.filling), true);
    move_data(tile, i, *plan);
    count_traffic(tile, *plan);
    if (plan->multi_context && unpacr_field<"UseContextCounter">(tile, i) != 0)
      count_context(tile, i, unpacker, plan->context);
    advance_counters(tile, i, unpacker, plan->counters_of);
    hand_over(tile, i, *plan);
    return {};
  }
  // What was refused still takes its part in the conversation of the threads.
  advance_counters(tile, i, unpacker, i.thread);
  hand_over(tile, i, {.unpacker = unpacker});
  return {};
}

} // namespace lanewise::tile
