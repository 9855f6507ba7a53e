#include "chip/tile/source_banks.h"

#include <algorithm>

#include "chip/isa/config.h"
#include "chip/tile/instruction.h"

namespace lanewise::tile {

namespace {

using isa::ConfigField;
using isa::DataFormat;

constexpr Finding kFormatKept{
    FaultKind::NonContractual,
    "hands a bank over without a format, which leaves the one that goes with it unpredictable; it "
    "was taken to stay as it was",
    "use UNPACR or UNPACR_NOP with a dvalid bit", "core.md 13.2, 27"};
constexpr Finding kBothBanks{FaultKind::Unsupported,
                             "clears both banks, which races with the Matrix Unit and is not "
                             "supported; the unpacker's was cleared",
                             "clear one bank", "core.md 13.1"};
constexpr Finding kClearsToOther{
    FaultKind::Unsupported,
    "clears to a value other than 0 or -infinity, of which no source gives the cells; they were "
    "left as they were",
    "clear to 0 or to -infinity", "core.md 13.1"};
constexpr Finding kOtherForm{FaultKind::Unsupported,
                             "is of a form that sets a register or clears a message of the NoC "
                             "overlay; nothing was done",
                             "clear a source, or hand it over", "core.md 13.1"};
constexpr Finding kNegativeInfinitySrcB{FaultKind::NonContractual,
                                        "clears SrcB to -infinity, which is 0 there on Wormhole",
                                        "clear SrcA to -infinity instead", "core.md 13.1"};

/// What a UNPACR_NOP asks for, in whichever of the two encodings.
struct ClearRequest {
  bool clears = false, hands_over = false, both_banks = false;
  bool waits_like_unpacr = false; ///< for the unpacker's bank, not the Matrix Unit's
  bool negative_infinity = false, other_value = false, other_form = false;
};

/// Blackhole's fields.
ClearRequest request_of_fields(const Instruction& i) {
  constexpr std::uint32_t kClear = 1, kZero = 0, kNegativeInfinity = 1;
  const std::uint32_t value = i["SrcClrValCtrl"];
  return {.clears = i["UnpackPop"] == kClear,
          .hands_over = i["SetDvalid"] != 0,
          .both_banks = i["BankClrCtrl"] != 0,
          .waits_like_unpacr = i["StallClrCtrl"] != 0,
          .negative_infinity = value == kNegativeInfinity,
          .other_value = value != kZero && value != kNegativeInfinity,
          .other_form = i["UnpackPop"] > kClear || i["MsgClrCnt"] != 0};
}

/// Wormhole's number: its low three bits say which of several things it is.
ClearRequest request_of_number(const Instruction& i) {
  const std::uint32_t number = i["NoOp"];
  constexpr std::uint32_t kNothing = 2, kDvalid = 7;
  constexpr std::uint32_t kNegativeInfinity = 1U << 2, kBoth = 1U << 3, kWaits = 1U << 4;
  if (number == kNothing) return {};
  if (number == kDvalid) return {.hands_over = true};
  if ((number & 3) != 1 || number >= kWaits << 1) return {.other_form = true};
  return {.clears = true,
          .both_banks = (number & kBoth) != 0,
          .waits_like_unpacr = (number & kWaits) != 0,
          .negative_infinity = (number & kNegativeInfinity) != 0};
}

ClearRequest request_of(Arch arch, const Instruction& i) {
  return arch_params(arch).tile.unpacr_nop_has_fields ? request_of_fields(i) : request_of_number(i);
}

void clear(TileState& tile, const Instruction& i, unsigned unpacker, const ClearRequest& request) {
  constexpr std::uint32_t kAllOnes = 0xFFFFE000U;
  if (request.both_banks) note(tile, i, kBothBanks);
  if (request.other_value) return note(tile, i, kClearsToOther);
  std::uint32_t cell = request.negative_infinity ? kAllOnes : 0;
  if (cell != 0 && unpacker == 1 && !arch_params(tile.arch()).tile.unpacr_nop_has_fields) {
    note(tile, i, kNegativeInfinitySrcB);
    cell = 0;
  }
  SourceFile& file = source_file(tile, unpacker);
  if (tile.log != nullptr) tile.log->touch(bank_place(unpacker, file.filling), true);
  std::fill_n(&file.cell[file.filling][0][0], kSourceRows * kSourceColumns, cell);
}

} // namespace

unsigned first_row(const TileState& tile, unsigned unpacker, unsigned thread) {
  const ConfigField field = unpacker == 0 ? ConfigField::SRCA_SET_Base : ConfigField::SRCB_SET_Base;
  return tile.machine.config.get(field, thread) << 4;
}

void hand_to_matrix_unit(TileState& tile, unsigned unpacker, unsigned thread, DataFormat format) {
  SourceFile& file = source_file(tile, unpacker);
  if (arch_params(tile.arch()).matrix.has_implied_formats)
    file.format[file.filling] = static_cast<std::uint8_t>(format);
  hand_to_matrix_unit(tile, unpacker, thread);
}

void hand_to_matrix_unit(TileState& tile, unsigned unpacker, unsigned thread) {
  SourceFile& file = source_file(tile, unpacker);
  file.owned_by_matrix_unit[file.filling] = true;
  file.filling ^= 1;
  tile.unpacker[unpacker].row[thread] =
      static_cast<std::uint8_t>(first_row(tile, unpacker, thread));
}

std::optional<unsigned> bank_that_unpacr_nop_awaits(const TileState& tile, const Instruction& i) {
  const ClearRequest request = request_of(tile.arch(), i);
  if (!request.clears) return std::nullopt;
  const MachineState& machine = tile.machine;
  const SourceFile& file = i["WhichUnpacker"] == 0 ? machine.srca : machine.srcb;
  return request.waits_like_unpacr ? file.filling : file.current;
}

Wait execute_unpacr_nop(TileState& tile, const Instruction& i) {
  const unsigned unpacker = i["WhichUnpacker"];
  const ClearRequest request = request_of(tile.arch(), i);
  if (request.other_form) {
    note(tile, i, kOtherForm);
    return {};
  }
  const auto awaited = bank_that_unpacr_nop_awaits(tile, i);
  if (awaited && source_file(tile, unpacker).owned_by_matrix_unit[*awaited])
    return waits_for(unpacker == 0 ? WaitCause::SrcAToFill : WaitCause::SrcBToFill, i);
  if (request.clears) clear(tile, i, unpacker, request);
  if (request.hands_over) {
    const ConfigField out = isa::of_section(ConfigField::THCON_SEC0_REG2_Out_data_format, unpacker);
    hand_to_matrix_unit(tile, unpacker, i.thread,
                        static_cast<DataFormat>(tile.machine.config.get(out, i.thread)));
  }
  return {};
}

void execute_setdvalid(TileState& tile, const Instruction& i) {
  const bool flips[] = {i["FlipSrcA"] != 0, i["FlipSrcB"] != 0};
  for (unsigned unpacker = 0; unpacker < 2; ++unpacker) {
    if (flips[unpacker]) hand_to_matrix_unit(tile, unpacker, i.thread);
  }
  const bool any = flips[0] || flips[1];
  if (any && arch_params(tile.arch()).matrix.has_implied_formats) note(tile, i, kFormatKept);
}

} // namespace lanewise::tile
