// UNPACR: the data of a plan, from L1 to a register (core.md 12.2 to 12.5).
#include <algorithm>

#include "chip/isa/config.h"
#include "chip/machine/matrix/arithmetic.h"
#include "chip/semantics/unpack_values.h"
#include "chip/tile/formats.h"
#include "chip/tile/instruction.h"
#include "chip/tile/source_banks.h"
#include "chip/tile/unpack_plan.h"

namespace lanewise::tile {

namespace {

using isa::ConfigField;
using isa::DataFormat;
using semantics::Basis;

constexpr Finding kUnpacksUnknown{
    FaultKind::UnpredictableValue,
    "converts between formats of which no source says what comes out; the register was left as it "
    "was",
    "set InDataFormat and Out_data_format to a pair that docs/rules/core.md describes",
    "core.md 12.5"};
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
constexpr Finding kWithoutData{
    FaultKind::Unsupported,
    "flushes the cache of the decompression (bit 1), which is not there; "
    "nothing was done",
    "leave the bit 0", "core.md 12.1"};

/// Rows of a destination address that come before the first row of SrcA and Dst.
constexpr unsigned kLeadingRows = 4;
constexpr unsigned kBitsOfByte = 8;
constexpr unsigned kDataOfExponent = 16; ///< data that share one

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
    // An instruction may begin in any turn, but not go into the next.
    if (arch_params(tile.arch()).tile.srca_comes_around) {
      const unsigned row = std::max(plan.destination / kSourceColumns, kLeadingRows) - kLeadingRows;
      end_of_srca_ = (row / kSourceRows + 1) * kSourceRows;
    }
    at_ = wrapped(plan.first_bit, kBitsOfByte);
    exponent_at_ = wrapped(plan.first_exponent, kDataOfExponent);
  }

  void move() {
    if (!is_known()) return;
    if (plan_.to_dst && sets_address_) note(tile_, i_, kDstWithAddress);
    for (std::uint32_t k = 0; k < plan_.count; ++k) write(plan_.destination + k, next_value());
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

  /// The address that a computed one stands for: one subtraction, of where data begin, at the end
  /// of each row, and of exponents every 16 bytes (ISA UNPACR_Regular). `units`: of a byte.
  std::uint64_t wrapped(std::uint64_t address, unsigned units) const {
    return address > plan_.limit * units ? address - plan_.fifo * units : address;
  }

  std::uint32_t load(std::uint64_t address, unsigned bytes) {
    if (tile_.log != nullptr) tile_.log->touch_l1(address, bytes, false);
    if (tile_.l1.holds(address, bytes))
      return tile_.l1.load(static_cast<std::uint32_t>(address), bytes);
    note(tile_, i_, kReadsOutsideL1);
    return 0;
  }

  std::uint32_t next_datum() {
    const std::uint64_t address = at_ / kBitsOfByte, bit = at_ % kBitsOfByte;
    at_ += plan_.datum_bits;
    if (++taken_ % plan_.row_data == 0) {
      const std::uint64_t row = std::uint64_t{plan_.row_data} * plan_.datum_bits;
      at_ = wrapped(at_ - row + plan_.row_stride, kBitsOfByte);
    }
    if (plan_.datum_bits >= kBitsOfByte) return load(address, plan_.datum_bits / kBitsOfByte);
    return load(address, 1) >> bit & isa::low_ones(plan_.datum_bits);
  }

  std::uint32_t next_exponent() {
    if (!plan_.has_exponents) return plan_.forced_exponent;
    const std::uint64_t address = exponent_at_ / kDataOfExponent;
    if (++exponent_at_ % (std::uint64_t{16} * kDataOfExponent) == 0)
      exponent_at_ = wrapped(exponent_at_, kDataOfExponent);
    return load(address, 1);
  }

  std::uint32_t next_value() {
    const std::uint32_t bits = next_datum();
    if (plan_.zeros) return 0;
    const std::uint32_t exponent = next_exponent();
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
    const unsigned end = sets_address_ ? end_of_srca_ : kRowsWithoutAddress;
    // LLK's counters stand behind the last face when it sends the row that nobody gets.
    if (row >= end && !is_dummy()) note(tile_, i_, kBeyondSrcA);
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
    const unsigned high = matrix_dst_row(s.config, row, wide);
    touch_dst(tile_, high, true);
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
  unsigned end_of_srca_ = kSourceRows;
  std::uint64_t at_ = 0;          ///< of the next datum, in bits
  std::uint64_t exponent_at_ = 0; ///< of its exponent, in sixteenths of a byte
  std::uint32_t taken_ = 0;       ///< data
};

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
  if (i["CfgContextCntInc"] != 0) { // without data (ISA UNPACR_IncrementContextCounter)
    count_context(tile, i, unpacker, tile.unpacker[unpacker].context[i.thread]);
    return {};
  }
  const SourceFile& file = source_file(tile, unpacker);
  if (file.owned_by_matrix_unit[file.filling])
    return waits_for(unpacker == 0 ? WaitCause::SrcAToFill : WaitCause::SrcBToFill, i);
  if (i["SearchCacheFlush"] != 0) {
    note(tile, i, kWithoutData);
    return {};
  }
  touch_unit_config(tile, false);
  if (const auto plan = plan_unpack(tile, i)) {
    if (tile.log != nullptr && !plan->to_dst)
      tile.log->touch(bank_place(unpacker, file.filling), true);
    Mover(tile, i, *plan).move();
    count_traffic(tile, *plan);
    if (plan->multi_context && i["UseContextCounter"] != 0)
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
