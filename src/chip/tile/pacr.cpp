// PACR: rows of Dst through the conversions into the streams that go to L1 (core.md 14).
#include <algorithm>
#include <bit>

#include "chip/machine/matrix/arithmetic.h"
#include "chip/semantics/pack_values.h"
#include "chip/tile/formats.h"
#include "chip/tile/instruction.h"
#include "chip/tile/pack_plan.h"
#include "chip/tile/pack_stream.h"
#include "chip/tile/row_kernels.h"

namespace lanewise::tile {

namespace {

using semantics::Basis;
using F = isa::ConfigField;

constexpr Finding kPacksUnknown{
    FaultKind::UnpredictableValue,
    "converts between formats of which no source says what comes out; zeros were written",
    "choose a way through the formats that docs/rules/core.md describes",
    "core.md 14.5, 14.8, 14.12"};
constexpr Finding kPacksAssumed{
    FaultKind::NonContractual,
    "converts between formats in a way that no document describes in full; it was assumed",
    "compare with a board before you rely on it", "core.md 14.4"};
constexpr Finding kUndocumentedFields{
    FaultKind::Unsupported,
    "sets RowPadZero or a context, which nobody has documented yet; they were taken as 0",
    "leave RowPadZero, CtxtCtrl, AddrCntContext, CfgContext and OvrdThreadId 0",
    "core.md 14.1, 27"};
constexpr Finding kFromL1{FaultKind::Unsupported,
                          "packs from L1 (Source_interface_selection), which is not executed; Dst "
                          "was read",
                          "clear the field", "core.md 14.2"};
constexpr Finding kDownsamples{FaultKind::Unsupported,
                               "leaves data out (Downsample_mask, Downsample_rate), which is not "
                               "executed; all were packed",
                               "set the mask to FFFF or 0, and the rate to 0", "core.md 14.11"};
constexpr Finding kStochastic{FaultKind::UnpredictableValue,
                              "packs with stochastic rounding, which is not documented; rounded to "
                              "the nearest",
                              "clear ALU_ROUNDING_MODE_Packer_srnd_en", "core.md 14.11, 27"};
constexpr Finding kNoInfinity{FaultKind::UndefinedBehavior,
                              "masks data with -infinity in a format that has none; zeros were "
                              "written",
                              "clear PCK_EDGE_MODE", "core.md 14.6"};
constexpr Finding kShiftByPlace{
    FaultKind::Unsupported,
    "shifts integers by a value that depends on their place "
    "(INT_DESCALE_Mode), which no source describes; the first was taken",
    "clear INT_DESCALE_Mode", "core.md 14.5"};
constexpr Finding kLeavesGroup{FaultKind::UndefinedBehavior,
                               "reads rows of two groups of four at once; they were read as if "
                               "there were no groups",
                               "begin at a row from which the mask stays in its group of four",
                               "core.md 14.1"};
constexpr Finding kWideRow{FaultKind::UndefinedBehavior,
                           "asks each way to read Dst for more than a row; it was cut",
                           "set the counters X to 0 and 15", "core.md 14.1"};
constexpr Finding kStridesAlone{
    FaultKind::UnpredictableValue,
    "reads with DstAccessMode, but without both DEST_ACCESS_CFG_swizzle_32b and remap_addrs, for "
    "which it is meant; no source says how far apart the rows then are, 16 was taken",
    "set both", "core.md Q1"};
constexpr Finding kRemapsByHalf{
    FaultKind::UnpredictableValue,
    "reads Dst with one of DEST_ACCESS_CFG_swizzle_32b and remap_addrs and without the other, in "
    "which no source shows a packer; each was applied by itself, as the Matrix Unit does",
    "set both or none", "core.md Q1"};

/// A way through the formats and what follows from it, where the way is known.
struct KnownWay {
  semantics::Packing how;
  Basis basis = Basis::Unknown;
  semantics::PackSteps steps;
};

/// What the last PACR of this thread of the host had, as the next one mostly has it, too.
const KnownWay& way_of(const semantics::Packing& how) {
  const auto make = [](const semantics::Packing& packing) {
    const Basis basis = semantics::basis_of(packing);
    return KnownWay{
        .how = packing,
        .basis = basis,
        .steps = basis == Basis::Unknown ? semantics::PackSteps{} : semantics::pack_steps(packing)};
  };
  static thread_local KnownWay last = make({});
  if (last.how != how) last = make(how);
  return last;
}

static_assert(kRowData == kDstColumns);
constexpr std::uint16_t kAllColumns = 0xFFFF;

/// One PACR in one packer, whose lower end is `sink`. Whole rows of Dst are converted at once, what
/// is less or has something to be said of it datum by datum.
class Packing {
 public:
  Packing(TileState& tile, const PackerConfig& config, const semantics::Packing& how,
          const Instruction& i, PackSink& sink)
      : tile_(tile),
        i_(i),
        packer_(config.packer()),
        config_(config),
        how_(how),
        sink_(sink),
        bits_in_(bits_in_l1(how.in.value_or(how.intermediate))),
        bits_out_(bits_in_l1(how.out)),
        writes_zeros_(pacr_field<"ZeroWrite">(tile, i) != 0) {}

  void pack() {
    const KnownWay& way = way_of(how_);
    report_way(way.basis);
    unknown_ = way.basis == Basis::Unknown;
    steps_ = way.steps;
    const unsigned place = input_place(tile_, config_, i_);
    const std::uint32_t count = input_count(tile_, config_, i_);
    if (arch_params(tile_.arch()).tile.shared_pack_masks) {
      pack_rows(place, count);
    } else {
      pack_run(place, count);
    }
    sink_.finish(pacr_field<"Last">(tile_, i_) != 0 || pacr_field<"Flush">(tile_, i_) != 0);
  }

 private:
  void report_way(Basis basis) {
    if (basis == Basis::Assumed) note(tile_, i_, kPacksAssumed);
    if (basis == Basis::Unknown && pacr_field<"Flush">(tile_, i_) == 0 && !writes_zeros_)
      note(tile_, i_, kPacksUnknown);
  }

  /// Wormhole: data side by side, each of which moves the tile position.
  void pack_run(unsigned place, std::uint32_t count) {
    Packer& state = tile_.packer[packer_];
    while (count != 0) {
      const unsigned row = place / kDstColumns % kDstRows, column = place % kDstColumns;
      const unsigned together =
          std::min({count, kDstColumns - column, kDstColumns - unsigned{state.tile_x}});
      put(row, column, column + together, edge_mask(config_, packer_, state.tile_y, state.tile_z));
      place += together;
      count -= together;
      state.tile_x += together;
      if (state.tile_x < kDstColumns) continue;
      state.tile_x = 0;
      advance_position(1);
    }
  }

  /// Blackhole: a row from each way to read Dst that the mask names.
  void pack_rows(unsigned place, std::uint32_t count) {
    const unsigned named = pacr_field<"ReadIntfSel">(tile_, i_);
    const unsigned mask = named == 0 ? 15U : named;
    const unsigned first = place / kDstColumns, column = place % kDstColumns;
    const bool strides = pacr_field<"DstAccessMode">(tile_, i_) != 0;
    if (!strides && mask << first % 4 > 15) note(tile_, i_, kLeavesGroup);
    const bool swizzles = config_.get(F::DEST_ACCESS_CFG_swizzle_32b) != 0;
    const bool remaps = config_.get(F::DEST_ACCESS_CFG_remap_addrs) != 0;
    if (strides && !(swizzles && remaps)) note(tile_, i_, kStridesAlone);
    if (!strides && swizzles != remaps && count != 0) note(tile_, i_, kRemapsByHalf);
    if (column + count > kDstColumns) note(tile_, i_, kWideRow);
    const unsigned last = std::min(column + count, kDstColumns);
    const Packer& state = tile_.packer[packer_];
    unsigned enabled = 0;
    for (unsigned way = 0; way < 4 && count != 0; ++way) {
      if ((mask >> way & 1U) == 0) continue;
      const std::uint16_t kept = edge_mask(config_, packer_, state.tile_y + enabled, state.tile_z);
      const unsigned row = (first + (strides ? 16 * way : way)) % kDstRows;
      put(row, column, last, kept);
      ++enabled;
    }
    if (count != 0) advance_position(static_cast<unsigned>(std::popcount(mask)));
  }

  /// The tile position generator: `rows` further (core.md 14.6).
  void advance_position(unsigned rows) {
    Packer& state = tile_.packer[packer_];
    const std::uint32_t plane = config_.of_section(F::PACK_COUNTERS_SEC0_pack_reads_per_xy_plane);
    const bool swaps = config_.of_section(F::PACK_COUNTERS_SEC0_pack_yz_transposed) != 0;
    constexpr std::uint32_t kCounterMask = 0xFF;
    std::uint32_t& inner = swaps ? state.tile_z : state.tile_y;
    std::uint32_t& outer = swaps ? state.tile_y : state.tile_z;
    inner = (inner + rows) & kCounterMask;
    if (inner != plane) return;
    inner = 0;
    outer = (outer + 1) & kCounterMask;
  }

  /// Data of a row of Dst, from one column to before another. `kept`: the mask of the edges.
  void put(unsigned row, unsigned column, unsigned end, std::uint16_t kept) {
    if (column >= end) return;
    Traffic::OfPacker& traffic = tile_.traffic.packer[packer_];
    traffic.read_bits += std::uint64_t{bits_in_} * (end - column);
    traffic.packed_bits += std::uint64_t{bits_out_} * (end - column);
    if (end - column == kRowData && sink_.takes_rows() && put_row(row, kept)) return;
    if (unknown_ || writes_zeros_) {
      for (; column < end; ++column) sink_.put(0);
      return;
    }
    const bool reads = (kept >> column & isa::low_ones(end - column)) != 0;
    const DstRow from = reads ? row_of(row) : DstRow{};
    for (; column < end; ++column) {
      const bool keeps = (kept >> column & 1U) != 0;
      using semantics::Lane;
      const Lane value =
          keeps ? semantics::pack_early_lanes<Lane>(steps_, stored(from, column)) : masked();
      sink_.put(
          semantics::pack_late_lanes<Lane>(steps_, semantics::threshold_lanes(steps_, value)));
    }
  }

  /// All 16 data of a row at once; false, and nothing is done, if there is something to say of
  /// them.
  bool put_row(unsigned row, std::uint16_t kept) {
    PackedRow packed;
    if (!unknown_ && !writes_zeros_) {
      static constexpr std::uint16_t kClear[kRowData]{};
      RowOfDst from{.upper = kClear, .kept = kept};
      if (kept != kAllColumns) {
        if (!is_masked_known()) return false;
        from.masked = masked();
      }
      if (kept != 0) {
        const auto& cell = tile_.machine.dst.cell;
        const DstRow place = row_of(row);
        from.upper = place.is_defined ? cell[place.high] : kClear;
        if (how_.reads_32_bits)
          from.lower = place.is_defined ? cell[place.high + kDstLowHalf] : kClear;
      }
      row_kernels().pack(steps_, from, bits_out_, packed);
    }
    sink_.put_row(packed);
    return true;
  }

  /// In place of a datum that the mask of the edges leaves out.
  std::uint32_t masked() {
    if (is_masked_known()) return semantics::pack_masked(how_, edge_mode());
    note(tile_, i_, kNoInfinity);
    return 0;
  }

  bool is_masked_known() const {
    return semantics::basis_of_masked(how_, edge_mode()) != Basis::Unknown;
  }

  semantics::EdgeMode edge_mode() const {
    return static_cast<semantics::EdgeMode>(config_.get(F::PCK_EDGE_MODE_mode));
  }

  struct DstRow {
    unsigned high;   ///< of cells: those that 16 bits have, or the upper half of 32
    bool is_defined; ///< not cleared
  };

  /// A row of 32 bits keeps its 10 bits: from 512 on it names cells that another one names, too
  /// (ISA Dst, "Adj32").
  DstRow row_of(unsigned row) {
    const unsigned high = matrix_dst_row(tile_.machine.config, row, how_.reads_32_bits);
    touch_dst(tile_, high, false);
    const bool is_defined = tile_.machine.dst.valid(high);
    Traffic::OfPacker& traffic = tile_.traffic.packer[packer_];
    ++traffic.dst_rows;
    traffic.clear_rows += is_defined ? 0 : 1;
    return {high, is_defined};
  }

  /// What Dst holds; a row that has been cleared reads as zeros.
  std::uint32_t stored(const DstRow& row, unsigned column) const {
    if (!row.is_defined) return 0;
    const auto& cell = tile_.machine.dst.cell;
    const std::uint32_t upper = cell[row.high][column];
    return how_.reads_32_bits ? upper << 16 | cell[row.high + kDstLowHalf][column] : upper;
  }

  TileState& tile_;
  const Instruction& i_;
  unsigned packer_;
  const PackerConfig& config_;
  const semantics::Packing& how_;
  semantics::PackSteps steps_; ///< of `how_`, where it is known
  PackSink& sink_;
  unsigned bits_in_, bits_out_; ///< of a datum, as the packer takes it in and writes it
  bool writes_zeros_;
  bool unknown_ = false;
};

void check_fields(TileState& tile, const Instruction& i) {
  if (pacr_field<"RowPadZero">(tile, i) != 0 || pacr_field<"CtxtCtrl">(tile, i) != 0 ||
      pacr_field<"AddrCntContext">(tile, i) != 0 || pacr_field<"CfgContext">(tile, i) != 0 ||
      (pacr_field<"OvrdThreadId">(tile, i) != 0 && arch_params(tile.arch()).tile.shared_pack_masks))
    note(tile, i, kUndocumentedFields);
}

void check_config(TileState& tile, const PackerConfig& config, const Instruction& i) {
  constexpr std::uint32_t kAllData = 0xFFFF;
  if (config.thcon(F::THCON_SEC0_REG1_Source_interface_selection,
                   F::THCON_SEC0_REG8_Source_interface_selection) != 0)
    note(tile, i, kFromL1);
  const std::uint32_t mask =
      config.thcon(F::THCON_SEC0_REG1_Downsample_mask, F::THCON_SEC0_REG8_Downsample_mask);
  if ((mask != 0 && mask != kAllData) ||
      config.thcon(F::THCON_SEC0_REG1_Downsample_rate, F::THCON_SEC0_REG8_Downsample_rate) != 0)
    note(tile, i, kDownsamples);
  if (config.get(F::ALU_ROUNDING_MODE_Packer_srnd_en) != 0) note(tile, i, kStochastic);
  if (config.get(F::INT_DESCALE_Enable) != 0 && config.get(F::INT_DESCALE_Mode) != 0)
    note(tile, i, kShiftByPlace);
}

} // namespace

Wait execute_pacr(TileState& tile, const Instruction& i) {
  touch_unit_config(tile, true);
  check_fields(tile, i);
  unsigned threads = 0;
  for (unsigned left = packers_of(tile, i); left != 0; left &= left - 1) {
    const auto packer = static_cast<unsigned>(std::countr_zero(left));
    const PackerConfig config(tile, packer, i.thread);
    check_config(tile, config, i);
    threads |= 1U << counters_of(config, i);
    place_output(tile, packer, i);
    const semantics::Packing how = packing_of(tile, config);
    PackSink sink(tile, packer, i, how);
    Packing(tile, config, how, i, sink).pack();
    ++tile.traffic.packer[packer].instructions;
    tile.traffic.packer[packer].ends += pacr_field<"Last">(tile, i);
  }
  advance_pack_counters(tile, i, threads);
  return {};
}

} // namespace lanewise::tile
