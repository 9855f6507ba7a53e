#include "chip/tile/unpack_mover.h"

#include <algorithm>

#include "chip/isa/config.h"
#include "chip/machine/matrix/arithmetic.h"
#include "chip/tile/row_kernels.h"
#include "chip/tile/source_banks.h"

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
/// Rows of a destination address that come before the first row of SrcA and Dst.
constexpr unsigned kLeadingRows = 4;
constexpr unsigned kBitsOfByte = 8;
constexpr unsigned kDataOfExponent = 16; ///< data that share one
static_assert(kRowData == kSourceColumns && kRowData == kDstColumns && kRowData == kDataOfExponent);

/// Rows of SrcA that an instruction fills without SRCA_SET_SetOvrdWithAddr.
constexpr unsigned kRowsWithoutAddress = 16;

/// As many rows as are converted at once: those of SrcA and SrcB.
constexpr unsigned kMostRows = kSourceRows;

/// Moves the data of one instruction: by whole rows of 16 data, as long as nothing is to be said of
/// them, else one by one.
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
    steps_ = plan_.zeros ? semantics::UnpackSteps{} : semantics::unpack_steps(how_);
    for (std::uint32_t k = 0; k < plan_.count;) {
      const unsigned rows = whole_rows(plan_.destination + k, plan_.count - k);
      if (rows == 0) {
        write(plan_.destination + k, next_value());
        ++k;
      } else {
        move_rows(plan_.destination + k, rows);
        k += rows * kRowData;
      }
    }
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
    return is_32_bits && plan_.out == plan_.in && !plan_.to_dst &&
           unpacr_field<"FlipSrc">(tile_, i_) == 0 && plan_.count <= kSourceColumns;
  }

  /// The address that a computed one stands for: one subtraction, of where data begin, at the end
  /// of each row, and of exponents every 16 bytes (ISA UNPACR_Regular). `units`: of a byte.
  std::uint64_t wrapped(std::uint64_t address, unsigned units) const {
    return address > plan_.limit * units ? address - plan_.fifo * units : address;
  }

  void note_read(std::uint64_t address, std::uint64_t bytes) {
    if (tile_.log != nullptr)
      tile_.log->touch_l1(address, static_cast<std::uint32_t>(bytes), false);
  }

  std::uint32_t load(std::uint64_t address, unsigned bytes) {
    note_read(address, bytes);
    if (tile_.l1.holds(address, bytes))
      return tile_.l1.load(static_cast<std::uint32_t>(address), bytes);
    note(tile_, i_, kReadsOutsideL1);
    return 0;
  }

  /// Behind the last datum of a row of L1.
  void end_row() {
    const std::uint64_t row = std::uint64_t{plan_.row_data} * plan_.datum_bits;
    at_ = wrapped(at_ - row + plan_.row_stride, kBitsOfByte);
  }

  std::uint32_t next_datum() {
    const std::uint64_t address = at_ / kBitsOfByte, bit = at_ % kBitsOfByte;
    at_ += plan_.datum_bits;
    if (++taken_ % plan_.row_data == 0) end_row();
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
    if (semantics::leaves_exponent_5(steps_, bits, exponent)) note(tile_, i_, kExponentLost);
    return semantics::unpack_lanes<std::uint32_t>(steps_, bits, exponent);
  }

  // ------------------------------------------------------------ Whole rows

  /// How many rows from `place` on, of `left` data, can be moved together: they follow each other
  /// in L1, and there is nothing to say of them. 0 if the next datum is no beginning of such a row.
  unsigned whole_rows(std::uint32_t place, std::uint32_t left) const {
    if (place % kRowData != 0 || taken_ % kRowData != 0 || at_ % kBitsOfByte != 0) return 0;
    const std::uint64_t row_bits = std::uint64_t{kRowData} * plan_.datum_bits;
    const bool is_dense = plan_.row_stride == std::uint64_t{plan_.row_data} * plan_.datum_bits;
    unsigned rows = std::min({left / kRowData, kMostRows, rows_of_register(place / kRowData)});
    rows = std::min(rows, rows_before_wrap(at_, row_bits, kBitsOfByte));
    if (!is_dense) rows = std::min(rows, 1U);
    if (has_exponents()) return std::min(rows, rows_of_exponents(rows));
    return loses_nothing(plan_.forced_exponent) ? rows : 0;
  }

  /// Rows behind `row`, itself included, that nothing is to be said of.
  unsigned rows_of_register(unsigned row) const {
    if (plan_.to_dst) return kMostRows;
    if (plan_.unpacker == 0 && row < kLeadingRows) return kLeadingRows - row;
    if (plan_.unpacker == 1) return rows_until(row + tile_.unpacker[1].row[i_.thread], kSourceRows);
    return plan_.column_shift == 0 ? rows_until(row - kLeadingRows, end_of_rows_in_srca()) : 0;
  }

  static unsigned rows_until(unsigned row, unsigned end) { return row < end ? end - row : 0; }

  /// Rows from an address in L1 on, until one may go back to the beginning of the FIFO. The last of
  /// them, or a single one, may do so behind its end. `units`: of a byte.
  unsigned rows_before_wrap(std::uint64_t at, std::uint64_t row, unsigned units) const {
    const auto within = [&](std::uint64_t end) {
      return end < at ? 0
                      : static_cast<unsigned>(std::min<std::uint64_t>((end - at) / row, kMostRows));
    };
    const unsigned there = within(std::uint64_t{tile_.l1.size()} * units);
    if (plan_.fifo == 0) return there;
    return std::min(there, std::max(within(plan_.limit * units), 1U));
  }

  bool has_exponents() const { return plan_.has_exponents && !plan_.zeros; }

  /// Of `rows` rows, those whose data have an exponent each, in which none of them is lost.
  unsigned rows_of_exponents(unsigned rows) const {
    if (exponent_at_ % kDataOfExponent != 0) return 0;
    rows = std::min(rows, rows_before_wrap(exponent_at_, kDataOfExponent, kDataOfExponent));
    if (rows == 0) return 0;
    const std::uint8_t* exponent = &tile_.l1.bytes()[exponent_at_ / kDataOfExponent];
    unsigned safe = 0;
    while (safe < rows && loses_nothing(exponent[safe])) ++safe;
    return safe;
  }

  /// Whether no datum of a block with this exponent can leave the range of exponents.
  bool loses_nothing(std::uint8_t exponent) const {
    // The leading one of 7 bits of magnitude may be 6 places further down.
    constexpr unsigned kLeast = 6, kMost = 31;
    const bool has_5_bits = steps_.arrival == semantics::Arrival::Block && steps_.is_fp16;
    return !has_5_bits || (exponent >= kLeast && exponent <= kMost);
  }

  /// Precondition: whole_rows() has granted them.
  void move_rows(std::uint32_t place, unsigned rows) {
    const std::uint64_t row_bits = std::uint64_t{kRowData} * plan_.datum_bits;
    const std::uint64_t address = at_ / kBitsOfByte;
    note_read(address, rows * row_bits / kBitsOfByte);
    RowsOfL1 from{.data = &tile_.l1.bytes()[address], .datum_bits = plan_.datum_bits};
    from.exponents = &plan_.forced_exponent;
    from.exponent_step = 0;
    if (has_exponents()) {
      const std::uint64_t exponent = exponent_at_ / kDataOfExponent;
      note_read(exponent, rows);
      from.exponents = &tile_.l1.bytes()[exponent];
      from.exponent_step = 1;
      exponent_at_ += std::uint64_t{rows} * kDataOfExponent;
      if (exponent_at_ % (std::uint64_t{16} * kDataOfExponent) == 0)
        exponent_at_ = wrapped(exponent_at_, kDataOfExponent);
    }
    at_ += rows * row_bits;
    taken_ += rows * kRowData;
    if (taken_ % plan_.row_data == 0) end_row();
    alignas(64) std::uint32_t cells[kMostRows][kRowData];
    if (plan_.zeros) {
      std::fill_n(&cells[0][0], rows * kRowData, 0U);
    } else {
      row_kernels().unpack(steps_, from, rows, cells);
    }
    for (unsigned row = 0; row < rows; ++row) write_row(place / kRowData + row, cells[row]);
  }

  void write_row(unsigned row, const std::uint32_t* cells) {
    if (plan_.to_dst) return write_row_of_dst(row, cells);
    if (plan_.unpacker == 1) {
      row += tile_.unpacker[1].row[i_.thread];
      std::copy_n(cells, kRowData, file_.cell[file_.filling][row % kSourceRows]);
      return;
    }
    if (row < kLeadingRows) return;
    row = row_of_srca(row - kLeadingRows);
    auto* const bank = file_.cell[file_.filling];
    if (!plan_.transposes) {
      std::copy_n(cells, kRowData, bank[row % kSourceRows]);
      return;
    }
    const unsigned column = row % kSourceColumns, first = row - column;
    for (unsigned k = 0; k < kRowData; ++k) bank[(first + k) % kSourceRows][column] = cells[k];
  }

  void write_row_of_dst(unsigned row, const std::uint32_t* cells) {
    if (row < kLeadingRows) return;
    Dst& dst = tile_.machine.dst;
    const bool wide = semantics::fills_32_bits_of_dst(how_);
    const unsigned high = begin_row_of_dst((row - kLeadingRows) % kDstRows, wide);
    std::uint16_t* const upper = dst.cell[high];
    if (!wide) {
      for (unsigned k = 0; k < kRowData; ++k) upper[k] = static_cast<std::uint16_t>(cells[k]);
      return;
    }
    std::uint16_t* const lower = dst.cell[high + kDstLowHalf];
    for (unsigned k = 0; k < kRowData; ++k) {
      upper[k] = static_cast<std::uint16_t>(cells[k] >> 16);
      lower[k] = static_cast<std::uint16_t>(cells[k]);
    }
  }

  // ------------------------------------------------------------ Registers

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

  /// Rows that exist for the instruction, behind the leading ones.
  unsigned end_of_rows_in_srca() const {
    return sets_address_ ? end_of_srca_ : kRowsWithoutAddress;
  }

  /// The register's row that one of these is.
  unsigned row_of_srca(unsigned row) const {
    return sets_address_ ? row : row % kRowsWithoutAddress + tile_.unpacker[0].row[i_.thread];
  }

  void write_srca(unsigned row, unsigned column, std::uint32_t bits) {
    if (row < kLeadingRows || column < plan_.column_shift) return;
    row -= kLeadingRows;
    column -= plan_.column_shift;
    // LLK's counters stand behind the last face when it sends the row that nobody gets.
    if (row >= end_of_rows_in_srca() && !is_dummy()) note(tile_, i_, kBeyondSrcA);
    row = row_of_srca(row);
    if (plan_.transposes) {
      const unsigned low = row % kSourceColumns;
      row = row - low + column;
      column = low;
    }
    file_.cell[file_.filling][row % kSourceRows][column] = bits;
  }

  /// The row of cells for a row of Dst, the upper halves where data are wide; valid from here on.
  unsigned begin_row_of_dst(unsigned row, bool wide) {
    MachineState& s = tile_.machine;
    const unsigned high = matrix_dst_row(s.config, row, wide);
    touch_dst(tile_, high, true);
    s.dst.set_valid(high, true);
    return high;
  }

  void write_dst(unsigned row, unsigned column, std::uint32_t bits) {
    if (row < kLeadingRows) return;
    Dst& dst = tile_.machine.dst;
    const bool wide = semantics::fills_32_bits_of_dst(how_);
    const unsigned high = begin_row_of_dst((row - kLeadingRows) % kDstRows, wide);
    if (!wide) {
      dst.cell[high][column] = static_cast<std::uint16_t>(bits);
      return;
    }
    dst.cell[high][column] = static_cast<std::uint16_t>(bits >> 16);
    dst.cell[high + kDstLowHalf][column] = static_cast<std::uint16_t>(bits);
  }

  TileState& tile_;
  const Instruction& i_;
  const UnpackPlan& plan_;
  SourceFile& file_;
  semantics::Unpacking how_;
  semantics::UnpackSteps steps_; ///< of `how_`, where it is known
  bool sets_address_ = false;
  unsigned end_of_srca_ = kSourceRows;
  std::uint64_t at_ = 0;          ///< of the next datum, in bits
  std::uint64_t exponent_at_ = 0; ///< of its exponent, in sixteenths of a byte
  std::uint32_t taken_ = 0;       ///< data
};

} // namespace

void move_data(TileState& tile, const Instruction& i, const UnpackPlan& plan) {
  Mover(tile, i, plan).move();
}

} // namespace lanewise::tile
