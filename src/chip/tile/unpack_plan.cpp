#include "chip/tile/unpack_plan.h"

#include <algorithm>
#include <array>

#include "chip/isa/config.h"
#include "chip/tile/formats.h"

namespace lanewise::tile {

namespace {

using isa::ConfigField;
using isa::DataFormat;
using F = isa::ConfigField;

constexpr std::uint64_t kInputUnit = 128; // bits: 16 bytes of L1

constexpr Finding kIsCompressed{
    FaultKind::Unsupported, "reads compressed data, which is not executed; nothing was unpacked",
    "set Disable_zero_compress of the context, or IsUncompressed", "core.md 12.7"};
constexpr Finding kUpsampled{FaultKind::Unsupported,
                             "puts zeros between the data (Upsample_rate), on whose number sources "
                             "disagree; nothing was unpacked",
                             "set Upsample_rate to 0", "core.md 12.7, 27"};
constexpr Finding kRowSearch{FaultKind::Unsupported,
                             "looks rows up (RowSearch), which is not executed; nothing was "
                             "unpacked",
                             "leave the bit 0", "core.md 12.7"};
constexpr Finding kBroadcast{FaultKind::Unsupported,
                             "has bit 5 set, whose meaning no source gives; nothing was unpacked",
                             "leave the bit 0", "core.md 12.1"};
constexpr Finding kContextTooLarge{FaultKind::UndefinedBehavior,
                                   "uses a context that the unpacker does not have; its low bits "
                                   "were taken",
                                   "unpacker 0 has contexts 0 to 7, unpacker 1 has 0 and 1",
                                   "core.md 12.2"};
constexpr Finding kCountersOfNobody{FaultKind::UndefinedBehavior,
                                    "takes the address counters of thread 3, which does not "
                                    "exist; its own were taken",
                                    "set the ADC context to 0, 1 or 2", "core.md 12.2"};
constexpr Finding kUnaligned{FaultKind::UndefinedBehavior,
                             "begins at an output address that is no multiple of a datum; it was "
                             "rounded down",
                             "make the strides of channel 1 multiples of the datum's bytes",
                             "core.md 12.2"};
constexpr Finding kTransposesSrcB{FaultKind::NonContractual,
                                  "sets Haloize_mode of unpacker 1, which silicon ignores",
                                  "leave it 0", "core.md 12.2"};
constexpr Finding kNoData{FaultKind::UndefinedBehavior,
                          "ends before the first datum (channel 1's X is below channel 0's); "
                          "nothing was unpacked",
                          "set both with SETADCXX", "core.md 12.2"};
constexpr Finding kUnalignedInput{FaultKind::UndefinedBehavior,
                                  "reads from an address that is no multiple of 16, transposed or "
                                  "in tileize mode",
                                  "begin at a whole row", "core.md 12.2"};
constexpr Finding kShiftedDst{FaultKind::UndefinedBehavior,
                              "unpacks to Dst with a column shift or transposed; neither was done",
                              "clear Haloize_mode and the shift amount", "core.md 12.2"};

// Fields of unpacker 0 by context; those of unpacker 1 are one further.
constexpr std::array kUncompressed{
    F::THCON_SEC0_REG2_Disable_zero_compress_cntx0, F::THCON_SEC0_REG2_Disable_zero_compress_cntx1,
    F::THCON_SEC0_REG2_Disable_zero_compress_cntx2, F::THCON_SEC0_REG2_Disable_zero_compress_cntx3,
    F::THCON_SEC0_REG2_Disable_zero_compress_cntx4, F::THCON_SEC0_REG2_Disable_zero_compress_cntx5,
    F::THCON_SEC0_REG2_Disable_zero_compress_cntx6, F::THCON_SEC0_REG2_Disable_zero_compress_cntx7};
constexpr std::array kToDst{
    F::THCON_SEC0_REG2_Unpack_if_sel_cntx0, F::THCON_SEC0_REG2_Unpack_if_sel_cntx1,
    F::THCON_SEC0_REG2_Unpack_if_sel_cntx2, F::THCON_SEC0_REG2_Unpack_if_sel_cntx3,
    F::THCON_SEC0_REG2_Unpack_if_sel_cntx4, F::THCON_SEC0_REG2_Unpack_if_sel_cntx5,
    F::THCON_SEC0_REG2_Unpack_if_sel_cntx6, F::THCON_SEC0_REG2_Unpack_if_sel_cntx7};
constexpr std::array kInFormat{
    F::THCON_SEC0_REG7_Unpack_data_format_cntx0, F::THCON_SEC0_REG7_Unpack_data_format_cntx1,
    F::THCON_SEC0_REG7_Unpack_data_format_cntx2, F::THCON_SEC0_REG7_Unpack_data_format_cntx3,
    F::THCON_SEC0_REG7_Unpack_data_format_cntx4, F::THCON_SEC0_REG7_Unpack_data_format_cntx5,
    F::THCON_SEC0_REG7_Unpack_data_format_cntx6, F::THCON_SEC0_REG7_Unpack_data_format_cntx7};
constexpr std::array kOutFormat{F::THCON_SEC0_REG7_Unpack_out_data_format_cntx0,
                                F::THCON_SEC0_REG7_Unpack_out_data_format_cntx1,
                                F::THCON_SEC0_REG7_Unpack_out_data_format_cntx2,
                                F::THCON_SEC0_REG7_Unpack_out_data_format_cntx3,
                                F::THCON_SEC0_REG7_Unpack_out_data_format_cntx4,
                                F::THCON_SEC0_REG7_Unpack_out_data_format_cntx5,
                                F::THCON_SEC0_REG7_Unpack_out_data_format_cntx6,
                                F::THCON_SEC0_REG7_Unpack_out_data_format_cntx7};
constexpr std::array kBase{
    F::THCON_SEC0_REG3_Base_address,       F::THCON_SEC0_REG3_Base_cntx1_address,
    F::THCON_SEC0_REG3_Base_cntx2_address, F::THCON_SEC0_REG3_Base_cntx3_address,
    F::THCON_SEC0_REG4_Base_cntx4_address, F::THCON_SEC0_REG4_Base_cntx5_address,
    F::THCON_SEC0_REG4_Base_cntx6_address, F::THCON_SEC0_REG4_Base_cntx7_address};
// Of these there are four: contexts 4 to 7 use them, too.
constexpr std::array kOffset{
    F::THCON_SEC0_REG7_Offset_address, F::THCON_SEC0_REG7_Offset_cntx1_address,
    F::THCON_SEC0_REG7_Offset_cntx2_address, F::THCON_SEC0_REG7_Offset_cntx3_address};
constexpr std::array kXDim{F::THCON_SEC0_REG5_Tile_x_dim_cntx0, F::THCON_SEC0_REG5_Tile_x_dim_cntx1,
                           F::THCON_SEC0_REG5_Tile_x_dim_cntx2,
                           F::THCON_SEC0_REG5_Tile_x_dim_cntx3};
constexpr std::array kDestination{
    F::THCON_SEC0_REG5_Dest_cntx0_address, F::THCON_SEC0_REG5_Dest_cntx1_address,
    F::THCON_SEC0_REG5_Dest_cntx2_address, F::THCON_SEC0_REG5_Dest_cntx3_address};
constexpr std::array kShift{
    F::THCON_SEC0_REG2_Shift_amount_cntx0, F::THCON_SEC0_REG2_Shift_amount_cntx1,
    F::THCON_SEC0_REG2_Shift_amount_cntx2, F::THCON_SEC0_REG2_Shift_amount_cntx3};

constexpr std::uint64_t round_up_16(std::uint64_t bytes) {
  return (bytes + 15) & ~std::uint64_t{15};
}

/// The tile descriptor, four configuration words (core.md 12.8).
struct TileDescriptor {
  DataFormat in{};
  bool is_uncompressed = false, lacks_exponents = false;
  unsigned x = 0, y = 0, z = 0, w = 0; ///< dimensions in data
  unsigned digest_size = 0;            ///< 16-byte units before the data
};

/// Makes the plan of one instruction.
class Planner {
 public:
  Planner(TileState& tile, const Instruction& i) : tile_(tile), i_(i) {
    plan_.unpacker = unpacr_field<"WhichUnpacker">(tile, i);
    plan_.multi_context = unpacr_field<"MultiContextMode">(tile, i) != 0;
    plan_.zeros = unpacr_field<"AllDatumsAreZero">(tile, i) != 0;
  }

  std::optional<UnpackPlan> plan() {
    choose_context();
    read_descriptor();
    if (is_refused()) return std::nullopt;
    choose_formats();
    const std::uint64_t base = input_base();
    if (!count_data()) return std::nullopt;
    place_input(base);
    place_output();
    plan_.bytes_per_cycle = fetch_rate();
    return plan_;
  }

 private:
  /// A field of this unpacker, by its name for unpacker 0.
  std::uint32_t get(ConfigField field) const {
    return tile_.machine.config.get(isa::of_section(field, plan_.unpacker), i_.thread);
  }
  template <std::size_t Count>
  std::uint32_t by_context(const std::array<ConfigField, Count>& fields) const {
    return get(fields[plan_.context % Count]);
  }
  const Channel& channel(unsigned number, unsigned thread) const {
    return tile_.counters.of(thread, plan_.unpacker)[number];
  }

  void choose_context() {
    plan_.counters_of = i_.thread;
    if (!plan_.multi_context) return;
    const auto offset = plan_.unpacker == 0 ? F::UNPACK_MISC_CFG_CfgContextOffset_0
                                            : F::UNPACK_MISC_CFG_CfgContextOffset_1;
    plan_.context = (unpacr_field<"UseContextCounter">(tile_, i_) != 0
                         ? tile_.unpacker[plan_.unpacker].context[i_.thread]
                         : unpacr_field<"ContextNumber">(tile_, i_)) +
                    tile_.machine.config.get(offset, i_.thread);
    const unsigned contexts = plan_.unpacker == 0 ? 8 : 2;
    if (plan_.context >= contexts) note(tile_, i_, kContextTooLarge);
    plan_.context %= contexts;
    plan_.counters_of = unpacr_field<"ContextADC">(tile_, i_);
    if (plan_.counters_of < kThreads) return;
    note(tile_, i_, kCountersOfNobody);
    plan_.counters_of = i_.thread;
  }

  void read_descriptor() {
    const ConfigState& config = tile_.machine.config;
    const unsigned first =
        isa::config_place(isa::of_section(F::THCON_SEC0_REG0_TileDescriptor, plan_.unpacker))
            .word_of(tile_.arch());
    std::array<std::uint32_t, 4> word{};
    for (unsigned k = 0; k < word.size(); ++k)
      word[k] = config.shared_word(config.bank_of(i_.thread), first + k);
    tile_descriptor_.in = static_cast<DataFormat>(word[0] & 15);
    tile_descriptor_.is_uncompressed = (word[0] >> 4 & 1U) != 0;
    tile_descriptor_.lacks_exponents = (word[0] >> 5 & 1U) != 0;
    tile_descriptor_.x = word[0] >> 16;
    tile_descriptor_.y = word[1] & 0xFF;
    tile_descriptor_.z = std::max(word[1] >> 16 & 0xFFU, 1U);
    tile_descriptor_.w = std::max(word[2] & 0xFFU, 1U);
    tile_descriptor_.digest_size = word[3] >> 24;
  }

  bool is_refused() {
    const bool uncompressed =
        plan_.multi_context ? by_context(kUncompressed) != 0 : tile_descriptor_.is_uncompressed;
    const Finding* reason = nullptr;
    if (!uncompressed) reason = &kIsCompressed;
    if (get(F::THCON_SEC0_REG2_Upsample_rate) != 0) reason = &kUpsampled;
    if (unpacr_field<"RowSearch">(tile_, i_) != 0) reason = &kRowSearch;
    if (unpacr_field<"SrcBBroadcast">(tile_, i_) != 0 || unpacr_field<"RareBEn">(tile_, i_) != 0)
      reason = &kBroadcast;
    if (reason != nullptr) note(tile_, i_, *reason);
    return reason != nullptr;
  }

  void choose_formats() {
    const bool by_context_fields =
        plan_.multi_context && get(F::THCON_SEC0_REG2_Ovrd_data_format) != 0;
    plan_.in =
        by_context_fields ? static_cast<DataFormat>(by_context(kInFormat)) : tile_descriptor_.in;
    plan_.out = static_cast<DataFormat>(
        by_context_fields ? by_context(kOutFormat) : get(F::THCON_SEC0_REG2_Out_data_format));
    plan_.datum_bits = bits_in_l1(plan_.in);
  }

  /// The byte at which the tile begins: the address counts units of 16 bytes and lies one below,
  /// for a header (core.md 11).
  std::uint64_t input_base() const {
    constexpr std::uint32_t kOffsetMask = 0xFFFF;
    const unsigned context = plan_.multi_context ? plan_.context : 0;
    const std::uint32_t address =
        get(kBase[context]) + (get(kOffset[context % kOffset.size()]) & kOffsetMask);
    return (std::uint64_t{address} + 1 + tile_descriptor_.digest_size) * 16;
  }

  unsigned x_dim() const {
    return plan_.multi_context && plan_.unpacker == 0 ? by_context(kXDim) : tile_descriptor_.x;
  }

  bool count_data() {
    const std::uint32_t first = channel(0, plan_.counters_of)[Axis::X].value;
    const std::uint32_t last = channel(1, plan_.counters_of)[Axis::X].value;
    if (last + 1 <= first) {
      note(tile_, i_, kNoData);
      return false;
    }
    plan_.count = last + 1 - first;
    return true;
  }

  void place_input(std::uint64_t address) {
    const bool forced = get(F::THCON_SEC0_REG2_Force_shared_exp) != 0;
    plan_.has_exponents = is_block_format(plan_.in) && !forced;
    plan_.forced_exponent = static_cast<std::uint8_t>(tile_.machine.config.get(
        isa::of_section(F::UNP0_FORCED_SHARED_EXP_shared_exp, plan_.unpacker), i_.thread));
    const Channel& xy = channel(0, plan_.counters_of);
    const Channel& zw = channel(0, i_.thread);
    // The unpackers see the low 8 bits of Z and W (core.md 10).
    const std::uint64_t z = zw[Axis::Z].value & 0xFF, w = zw[Axis::W].value & 0xFF;
    const std::uint64_t first =
        ((w * tile_descriptor_.z + z) * tile_descriptor_.y + xy[Axis::Y].value) * x_dim() +
        xy[Axis::X].value;
    plan_.first_exponent = address * 16 + first;
    if (plan_.has_exponents && (plan_.datum_bits == 8 || !tile_descriptor_.lacks_exponents)) {
      const std::uint64_t data =
          std::uint64_t{x_dim()} * tile_descriptor_.y * tile_descriptor_.z * tile_descriptor_.w;
      address += round_up_16((data + 15) / 16);
    }
    plan_.first_bit = address * 8 + first * plan_.datum_bits;
    plan_.limit = std::uint64_t{get(F::THCON_SEC0_REG2_Unpack_limit_address)} * 16;
    plan_.fifo = std::uint64_t{get(F::THCON_SEC0_REG2_Unpack_fifo_size)} * 16;
    constexpr unsigned kRow = 16, kWideRow = 32;
    plan_.row_data =
        arch_params(tile_.arch()).tile.unpack_rows_of_32 && plan_.datum_bits > 8 ? kWideRow : kRow;
    plan_.row_stride = std::uint64_t{plan_.row_data} * plan_.datum_bits;
    if (tileizes()) plan_.row_stride = tileize_stride() * 8;
  }

  static constexpr unsigned kModeX4 = 2, kModeX8 = 3;

  bool tileizes() const { return get(F::THCON_SEC0_REG2_Tileize_mode) != 0; }

  /// Throttle modes x1, x2, x4 and x8 are 16, 32, 64 and 128 bytes; some data have a mode of their
  /// own (core.md 17). Blackhole fetches data of 16 bits and more twice as fast in x4: so it
  /// tilizes a tile of BF16 in 25 cycles (tt-llk 130), where 64 bytes a cycle would need 32.
  unsigned fetch_rate() const {
    constexpr unsigned kX1 = 16, kX8 = 128;
    const bool doubles = arch_params(tile_.arch()).tile.unpack_rows_of_32 && plan_.datum_bits >= 16;
    const unsigned mode = throttle_mode();
    return mode == kModeX4 && doubles ? kX8 : kX1 << mode;
  }

  unsigned throttle_mode() const {
    if (tileizes()) return kModeX4;
    if (plan_.datum_bits == 2) return 0;
    const bool is_set = !arch_params(tile_.arch()).tile.unpack_rows_of_32 ||
                        get(F::THCON_SEC0_REG1_ovrd_default_throttle_mode) != 0;
    if (is_set) return std::min(get(F::THCON_SEC0_REG2_Throttle_mode), kModeX4);
    return plan_.datum_bits == 8 ? kModeX8 : kModeX4;
  }

  /// In bytes: the shift amounts of three contexts in a row.
  std::uint64_t tileize_stride() const {
    return std::uint64_t{get(kShift[0])} << 4 | std::uint64_t{get(kShift[1])} << 8 |
           std::uint64_t{get(kShift[2])} << 12;
  }

  void place_output() {
    plan_.to_dst =
        plan_.unpacker == 0 &&
        (plan_.multi_context ? by_context(kToDst) : get(F::THCON_SEC0_REG2_Unpack_If_Sel)) != 0;
    plan_.transposes = get(F::THCON_SEC0_REG2_Haloize_mode) != 0;
    if (plan_.unpacker == 1 && plan_.transposes) {
      note(tile_, i_, kTransposesSrcB);
      plan_.transposes = false;
    }
    if (plan_.unpacker == 0 && !tileizes())
      plan_.column_shift = get(kShift[plan_.context % kShift.size()]);
    if (plan_.to_dst && (plan_.column_shift != 0 || plan_.transposes)) {
      note(tile_, i_, kShiftedDst);
      plan_.column_shift = 0;
      plan_.transposes = false;
    }
    if ((plan_.transposes || tileizes()) && plan_.first_bit % kInputUnit != 0)
      note(tile_, i_, kUnalignedInput);
    plan_.destination = output_address();
  }

  std::uint32_t output_address() {
    const ConfigState& config = tile_.machine.config;
    const auto own = [&](ConfigField field) {
      return config.get(isa::of_section(field, plan_.unpacker), i_.thread);
    };
    const Channel& to = channel(1, i_.thread);
    std::uint32_t address = own(F::UNP0_ADDR_BASE_REG_1_Base) +
                            to[Axis::Y].value * own(F::UNP0_ADDR_CTRL_XY_REG_1_Ystride) +
                            to[Axis::Z].value * own(F::UNP0_ADDR_CTRL_ZW_REG_1_Zstride) +
                            to[Axis::W].value * own(F::UNP0_ADDR_CTRL_ZW_REG_1_Wstride);
    const unsigned bytes = std::max(bits_in_l1(plan_.out) / 8, 1U);
    if (address % bytes != 0) note(tile_, i_, kUnaligned);
    address /= bytes;
    if (plan_.multi_context && plan_.unpacker == 0) {
      const std::uint32_t of_context = by_context(kDestination);
      const bool adds = plan_.to_dst || own(F::UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr) != 0;
      address = adds ? address + of_context : of_context;
    }
    return address;
  }

  TileState& tile_;
  const Instruction& i_;
  UnpackPlan plan_;
  TileDescriptor tile_descriptor_;
};

} // namespace

std::optional<UnpackPlan> plan_unpack(TileState& tile, const Instruction& i) {
  return Planner(tile, i).plan();
}

} // namespace lanewise::tile
