// UNPACR: the data of a plan, from L1 to a register (core.md 12.2 to 12.5).
#include <algorithm>

#include "isa/config.h"
#include "machine/matrix/arithmetic.h"
#include "semantics/unpack_values.h"
#include "tile/instruction.h"
#include "tile/source_banks.h"
#include "tile/unpack_plan.h"

namespace lanewise::tile {

namespace {

using isa::ConfigField;
using isa::DataFormat;
using semantics::Basis;

constexpr Finding kUnpacksUnknown{
    FaultKind::UnpredictableValue,
    "converts between formats of which no source says what comes out; the register was left as it "
    "was",
    "set InDataFormat and Out_data_format to a pair that docs/tile.md lists", "core.md 12.5"};
constexpr Finding kDummyUnpack{
    FaultKind::NonContractual,
    "unpacks 32 bits to SrcA, which is undefined; as the last step of an unpack to Dst on Wormhole "
    "(TEN-3868) nobody reads it, and SrcA was left as it was",
    "read nothing of this bank of SrcA before it is unpacked again", "core.md 12.9"};
constexpr Finding kUnpacksAssumed{
    FaultKind::NonContractual,
    "converts between formats that the vendor's library permits and no document describes: the "
    "format in L1 was taken to decide alone",
    "compare with a board before you rely on it", "core.md 12.5, 27"};
constexpr Finding kExponentLost{FaultKind::UnpredictableValue,
                                "unpacks a block whose 5 bits of exponent leave their range; they "
                                "were wrapped",
                                "scale the data", "core.md 12.5"};
constexpr Finding kReadsOutsideL1{
    FaultKind::UndefinedBehavior, "reads data outside of L1; zeros were taken",
    "check base address, offset and dimensions of the tile", "core.md 12.2"};
constexpr Finding kBeyondSrcA{FaultKind::UndefinedBehavior,
                              "unpacks to rows of SrcA that do not exist; documents disagree on "
                              "what silicon does, and the row was wrapped",
                              "stay within 64 rows, or 16 without SRCA_SET_SetOvrdWithAddr",
                              "core.md 12.3, 27"};
constexpr Finding kBeyondSrcB{FaultKind::UndefinedBehavior,
                              "unpacks to rows of SrcB beyond 63; they were wrapped",
                              "stay within 64 rows", "core.md 12.3"};
constexpr Finding kDstWithAddress{FaultKind::UndefinedBehavior,
                                  "unpacks to Dst with SRCA_SET_SetOvrdWithAddr set; it was taken "
                                  "as clear",
                                  "clear it before an unpack to Dst", "core.md 12.3"};
constexpr Finding kWithoutData{FaultKind::Unsupported,
                               "is of a mode without data (bit 1 or bit 13) that no published page "
                               "describes in full; nothing was done",
                               "leave these bits 0", "core.md 12.1"};

/// Rows of a destination address that come before the first row of SrcA and Dst.
constexpr unsigned kLeadingRows = 4;

/// Moves the data of one instruction.
class Mover {
 public:
  Mover(TileState& tile, const Instruction& i, const UnpackPlan& plan)
      : tile_(tile), i_(i), plan_(plan), file_(source_file(tile, plan.unpacker)) {
    const ConfigState& config = tile.machine.config;
    how_.arch = tile.arch();
    how_.in = plan.in;
    how_.out = plan.out;
    how_.target =
        plan.to_dst ? semantics::UnpackTarget::Dst : semantics::UnpackTarget::SourceRegister;
    how_.is_unsigned =
        config.get(plan.unpacker == 0 ? ConfigField::ALU_FORMAT_SPEC_REG0_SrcAUnsigned
                                      : ConfigField::ALU_FORMAT_SPEC_REG0_SrcBUnsigned,
                   i.thread) != 0;
    how_.fp8_has_long_mantissa =
        config.get(isa::of_section(ConfigField::THCON_SEC0_REG1_Unp_LF8_4b_exp, plan.unpacker),
                   i.thread) != 0;
    sets_address_ = config.get(ConfigField::SRCA_SET_SetOvrdWithAddr, i.thread) != 0;
  }

  void move() {
    if (!is_known()) return;
    if (plan_.to_dst && sets_address_) note(tile_, i_, kDstWithAddress);
    for (std::uint32_t k = 0; k < plan_.count; ++k) write(plan_.destination + k, value(k));
  }

 private:
  /// Whether it is known what the data become; says it if not, or not surely.
  bool is_known() {
    const Basis basis = semantics::basis_of(how_);
    if (basis == Basis::Assumed) note(tile_, i_, kUnpacksAssumed);
    if (basis != Basis::Unknown || plan_.zeros) return true;
    note(tile_, i_, is_dummy() ? kDummyUnpack : kUnpacksUnknown);
    return false;
  }

  /// What LLK ends its unpacks to Dst with on Wormhole: one row, of the data's own format, that
  /// nobody gets.
  bool is_dummy() const {
    const bool is_32_bits = plan_.in == DataFormat::Fp32 || plan_.in == DataFormat::Int32;
    return is_32_bits && plan_.out == plan_.in && !plan_.to_dst && i_["FlipSrc"] == 0 &&
           plan_.count <= kSourceColumns;
  }

  std::uint64_t wrapped(std::uint64_t address) const {
    return address > plan_.limit ? address - plan_.fifo : address;
  }

  std::uint32_t load(std::uint64_t address, unsigned bytes) {
    if (tile_.l1.holds(address, bytes))
      return tile_.l1.load(static_cast<std::uint32_t>(address), bytes);
    note(tile_, i_, kReadsOutsideL1);
    return 0;
  }

  std::uint32_t datum(std::uint32_t k) {
    const std::uint64_t row = k / plan_.row_data;
    const std::uint64_t bit = plan_.first_bit + row * plan_.row_stride +
                              std::uint64_t{k % plan_.row_data} * plan_.datum_bits;
    const std::uint64_t address = wrapped(bit / 8);
    if (plan_.datum_bits >= 8) return load(address, plan_.datum_bits / 8);
    return load(address, 1) >> (bit % 8) & isa::low_ones(plan_.datum_bits);
  }

  std::uint32_t value(std::uint32_t k) {
    const std::uint32_t bits = datum(k);
    if (plan_.zeros) return 0;
    const std::uint32_t exponent = plan_.has_exponents
                                       ? load(wrapped((plan_.first_exponent + k) / 16), 1)
                                       : plan_.forced_exponent;
    if (semantics::loses_exponent(how_, bits, exponent)) note(tile_, i_, kExponentLost);
    return semantics::unpack_value(how_, bits, exponent);
  }

  void write(std::uint32_t place, std::uint32_t bits) {
    const unsigned row = place / kSourceColumns, column = place % kSourceColumns;
    if (plan_.to_dst) return write_dst(row, column, bits);
    if (plan_.unpacker == 1) return write_srcb(row, column, bits);
    write_srca(row, column, bits);
  }

  void write_srcb(unsigned row, unsigned column, std::uint32_t bits) {
    row += tile_.unpacker[1].row[i_.thread];
    if (row >= kSourceRows) note(tile_, i_, kBeyondSrcB);
    file_.cell[file_.filling][row % kSourceRows][column] = bits;
  }

  void write_srca(unsigned row, unsigned column, std::uint32_t bits) {
    if (row < kLeadingRows || column < plan_.column_shift) return;
    row -= kLeadingRows;
    column -= plan_.column_shift;
    constexpr unsigned kRowsWithoutAddress = 16;
    if (row >= (sets_address_ ? kSourceRows : kRowsWithoutAddress)) note(tile_, i_, kBeyondSrcA);
    if (!sets_address_) row = row % kRowsWithoutAddress + tile_.unpacker[0].row[i_.thread];
    if (plan_.transposes) {
      const unsigned low = row % kSourceColumns;
      row = row - low + column;
      column = low;
    }
    file_.cell[file_.filling][row % kSourceRows][column] = bits;
  }

  void write_dst(unsigned row, unsigned column, std::uint32_t bits) {
    if (row < kLeadingRows) return;
    row = (row - kLeadingRows) % kDstRows;
    MachineState& s = tile_.machine;
    const bool wide = semantics::fills_32_bits_of_dst(how_);
    const unsigned high = stored_dst_row(s.config, row, wide);
    s.dst.set_valid(high, true);
    if (!wide) {
      s.dst.cell[high][column] = static_cast<std::uint16_t>(bits);
      return;
    }
    s.dst.cell[high][column] = static_cast<std::uint16_t>(bits >> 16);
    s.dst.cell[high + kDstLowHalf][column] = static_cast<std::uint16_t>(bits);
  }

  TileState& tile_;
  const Instruction& i_;
  const UnpackPlan& plan_;
  SourceFile& file_;
  semantics::Unpacking how_;
  bool sets_address_ = false;
};

void count_traffic(TileState& tile, const UnpackPlan& plan) {
  Traffic::OfUnpacker& traffic = tile.traffic.unpacker[plan.unpacker];
  const std::uint64_t bytes = (std::uint64_t{plan.count} * plan.datum_bits + 7) / 8;
  ++traffic.instructions;
  traffic.bytes += bytes;
  traffic.fetch_cycles += (bytes + plan.bytes_per_cycle - 1) / plan.bytes_per_cycle;
}

/// The counter that UseContextCounter takes: the next context, of as many as there are.
void count_context(TileState& tile, const Instruction& i, const UnpackPlan& plan) {
  if (!plan.multi_context || i["UseContextCounter"] == 0) return;
  const auto get = [&](ConfigField field) {
    return tile.machine.config.get(isa::of_section(field, plan.unpacker), i.thread);
  };
  const unsigned contexts = get(ConfigField::THCON_SEC0_REG2_Context_count_non_log2_en) != 0
                                ? get(ConfigField::THCON_SEC0_REG2_Context_count_non_log2)
                                : 1U << get(ConfigField::THCON_SEC0_REG2_Context_count);
  const unsigned next = plan.context + 1;
  tile.unpacker[plan.unpacker].context[i.thread] =
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
    add(counters[0], Axis::Y, i["Ch0YInc"]);
    add(counters[0], Axis::Z, i["Ch0ZInc"]);
    add(counters[1], Axis::Y, i["Ch1YInc"]);
    add(counters[1], Axis::Z, i["Ch1ZInc"]);
  }
}

void hand_over(TileState& tile, const Instruction& i, const UnpackPlan& plan) {
  if (i["FlipSrc"] != 0) return hand_to_matrix_unit(tile, plan.unpacker, i.thread, plan.out);
  const ConfigField update =
      isa::of_section(ConfigField::THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd, plan.unpacker);
  if (tile.machine.config.get(update, i.thread) == 0) return;
  std::uint8_t& row = tile.unpacker[plan.unpacker].row[i.thread];
  row = static_cast<std::uint8_t>((row + 16 + first_row(tile, plan.unpacker, i.thread)) %
                                  kSourceRows);
}

} // namespace

Wait execute_unpacr(TileState& tile, const Instruction& i) {
  const unsigned unpacker = i["WhichUnpacker"];
  const SourceFile& file = source_file(tile, unpacker);
  if (file.owned_by_matrix_unit[file.filling])
    return waits_for(unpacker == 0 ? WaitCause::SrcAToFill : WaitCause::SrcBToFill, i);
  if (i["SearchCacheFlush"] != 0 || i["CfgContextCntInc"] != 0) {
    note(tile, i, kWithoutData);
    return {};
  }
  if (const auto plan = plan_unpack(tile, i)) {
    Mover(tile, i, *plan).move();
    count_traffic(tile, *plan);
    count_context(tile, i, *plan);
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
