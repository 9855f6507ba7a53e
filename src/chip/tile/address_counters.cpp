#include "chip/tile/address_counters.h"

#include "chip/isa/op.h"
#include "chip/tile/instruction.h"

namespace lanewise::tile {

namespace {

using isa::Op;

constexpr Finding kNoUnit{FaultKind::NonContractual,
                          "names neither an unpacker nor the packers, which newer documents call "
                          "unsupported; nothing was changed",
                          "set U0, U1 or PK", "core.md 10"};
constexpr Finding kNoThread{FaultKind::UndefinedBehavior,
                            "names the counters of a thread that does not exist; nothing was "
                            "changed",
                            "use 0 for the own thread, or 1 to 3 for thread 0 to 2", "core.md 10"};

/// Calls `change` for the counters of every unit that an instruction names.
template <class Change>
void for_each_unit(TileState& tile, const Instruction& i, unsigned thread, Change&& change) {
  const bool named[kCountedUnits] = {i["U0"] != 0, i["U1"] != 0, i["PK"] != 0};
  bool any = false;
  for (unsigned unit = 0; unit < kCountedUnits; ++unit) {
    if (!named[unit]) continue;
    any = true;
    change(tile.counters.of(thread, unit));
  }
  if (!any) note(tile, i, kNoUnit);
}

/// The thread that an override names: 0 is the own one, others count from 1.
unsigned thread_of(const Instruction& i, std::uint32_t selected) {
  return selected == 0 ? i.thread : selected - 1;
}

void set_counter(const TileState& tile, Channel& channel, Axis axis, std::uint32_t value) {
  channel[axis].value = channel[axis].cr = value & counter_mask(tile.arch(), axis);
}

/// SETADC: one counter, of 16 bits; the thread stands above them.
void set_one(TileState& tile, const Instruction& i) {
  const std::uint32_t value = i["NewValue"];
  const auto axis = static_cast<Axis>(i["XYZW"]);
  for_each_unit(tile, i, thread_of(i, value >> 16), [&](UnitCounters& counters) {
    set_counter(tile, counters[i["Channel"]], axis, value & 0xFFFF);
  });
}

/// SETADCXX: the first and the last datum.
void set_range(TileState& tile, const Instruction& i) {
  for_each_unit(tile, i, i.thread, [&](UnitCounters& counters) {
    set_counter(tile, counters[0], Axis::X, i["X0Val"]);
    set_counter(tile, counters[1], Axis::X, i["X1Val"]);
  });
}

enum class PairChange : std::uint8_t { Set, Increment, AddToCr };

/// One of the four counters of SETADCXY and its like.
struct OfPair {
  unsigned channel;
  Axis axis;
  std::string_view selects, sets, adds; ///< the fields' names
};

constexpr OfPair kXy[] = {{0, Axis::X, "X0", "X0Val", "X0Inc"},
                          {0, Axis::Y, "Y0", "Y0Val", "Y0Inc"},
                          {1, Axis::X, "X1", "X1Val", "X1Inc"},
                          {1, Axis::Y, "Y1", "Y1Val", "Y1Inc"}};
constexpr OfPair kZw[] = {{0, Axis::Z, "Z0", "Z0Val", "Z0Inc"},
                          {0, Axis::W, "W0", "W0Val", "W0Inc"},
                          {1, Axis::Z, "Z1", "Z1Val", "Z1Inc"},
                          {1, Axis::W, "W1", "W1Val", "W1Inc"}};

void change_pair(TileState& tile, const Instruction& i, const OfPair (&places)[4],
                 PairChange change) {
  for_each_unit(tile, i, thread_of(i, i["ThreadOverride"]), [&](UnitCounters& counters) {
    for (const OfPair& place : places) {
      AddressCounter& counter = counters[place.channel][place.axis];
      const std::uint32_t mask = counter_mask(tile.arch(), place.axis);
      if (change == PairChange::Increment) {
        counter.value = (counter.value + i[place.adds]) & mask;
      } else if (i[place.selects] != 0) {
        const bool sets = change == PairChange::Set;
        counter.cr = (sets ? i[place.sets] : counter.cr + i[place.adds]) & mask;
        counter.value = counter.cr;
      }
    }
  });
}

/// REG2FLOP's sizes (ISA REG2FLOP_ADC): which bits of the register count.
std::uint32_t selected_bits(std::uint32_t value, unsigned size, unsigned shift) {
  constexpr unsigned kWord = 1, kHalf = 2, kByte = 3;
  if (size == kWord) return shift == 0 ? value : 0;
  if (size == kHalf) return shift == 0 ? value & 0xFFFF : shift == 2 ? value >> 16 : 0;
  return size == kByte ? value >> (8 * shift) & 0xFF : 0;
}

} // namespace

void execute_counters(TileState& tile, const Instruction& i) {
  const Op op = i.decoded.row->op;
  if (op == Op::SETADC) return set_one(tile, i);
  if (op == Op::SETADCXX) return set_range(tile, i);
  struct PairOp {
    Op op;
    const OfPair (&places)[4];
    PairChange change;
  };
  static constexpr PairOp kPairOps[] = {
      {Op::SETADCXY, kXy, PairChange::Set},       {Op::SETADCZW, kZw, PairChange::Set},
      {Op::INCADCXY, kXy, PairChange::Increment}, {Op::INCADCZW, kZw, PairChange::Increment},
      {Op::ADDRCRXY, kXy, PairChange::AddToCr},   {Op::ADDRCRZW, kZw, PairChange::AddToCr},
  };
  for (const PairOp& each : kPairOps) {
    if (each.op == op) change_pair(tile, i, each.places, each.change);
  }
}

void set_counter_from_register(TileState& tile, const Instruction& i) {
  // The field FlopIndex: channel, unit, which copy, axis.
  const std::uint32_t index = i["FlopIndex"];
  const auto axis = static_cast<Axis>(index & 3);
  const bool sets_cr = (index >> 2 & 1U) != 0;
  const unsigned unit = index >> 3 & 3U;
  const bool other_thread = (i["TargetSel"] & 1) != 0;
  const unsigned thread = other_thread ? i["ContextId"] : i.thread;
  if (unit >= kCountedUnits || thread >= kThreads) return note(tile, i, kNoThread);
  const std::uint32_t value =
      selected_bits(tile.machine.gpr_of(i.thread)[i["InputReg"]], i["SizeSel"], i["ByteOffset"]);
  AddressCounter& counter = tile.counters.of(thread, unit)[index >> 5 & 1U][axis];
  (sets_cr ? counter.cr : counter.value) = value & counter_mask(tile.arch(), axis);
}

} // namespace lanewise::tile
