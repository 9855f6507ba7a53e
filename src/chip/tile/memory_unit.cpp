// The Scalar Unit's way to L1: loads, stores and atomic operations by scalar registers, and what
// moves registers to configuration and counters (core.md 8; ISA ScalarUnit).
#include <algorithm>
#include <array>
#include <optional>

#include "chip/isa/config.h"
#include "chip/isa/op.h"
#include "chip/machine/config_effects.h"
#include "chip/riscv/address_map.h"
#include "chip/tile/instruction.h"

namespace lanewise::tile {

namespace {

using isa::ConfigField;
using isa::Op;

constexpr Finding kNotL1{
    FaultKind::Unsupported,
    "accesses registers of the cores by address, of which only the form for L1 "
    "is executed; nothing was done",
    "set MemHierSel", "core.md 8"};
constexpr Finding kAccessOutsideL1{
    FaultKind::UndefinedBehavior, "accesses an address outside of L1; nothing was done",
    "check the address register, which counts 16 bytes", "core.md 8"};
constexpr Finding kRegisterUnknown{FaultKind::Unsupported,
                                   "loads a register of the cores that is not there; the scalar "
                                   "register was left as it was",
                                   "leave it out", "core.md 8"};
constexpr Finding kThconOnly{FaultKind::UndefinedBehavior,
                             "writes a word behind those of THCON; nothing was written",
                             "use WRCFG", "core.md 8"};
constexpr Finding kNoReg2Flop{FaultKind::Unsupported,
                              "is not known to write configuration on Blackhole; nothing was done",
                              "use WRCFG", "core.md 8"};

/// One access of a thread, by its registers.
class AtomicAccess {
 public:
  AtomicAccess(TileState& tile, const Instruction& i)
      : tile_(tile), i_(i), gpr_(tile.machine.gpr_of(i.thread)) {}

  /// LOADIND and STOREIND: 16, 4, 2 or 1 bytes at a register in units of 16 bytes plus half a
  /// register, which then counts on.
  Wait indirect(bool stores, std::string_view data_field) {
    const unsigned size = stores ? i_["SizeSel"] << 1 | i_["RegSizeSel"] : i_["Size"];
    constexpr unsigned kBytes[] = {16, 4, 2, 1};
    const unsigned bytes = kBytes[size];
    const std::uint32_t place = gpr_[i_["AddrReg"]] * 16 + offset();
    count_offset();
    const std::uint32_t address = place & ~(bytes - 1);
    if (!is_there(address, bytes)) return {};
    const std::uint32_t first = i_[data_field] & (size == 0 ? 0x3CU : 0x3FU);
    const unsigned each = std::min(bytes, 4U);
    for (unsigned k = 0; k * each < bytes; ++k) {
      if (stores) {
        tile_.l1.store(address + 4 * k, each, gpr_[first + k]);
      } else {
        const std::uint32_t kept = each == 4 ? 0 : ~0U << (8 * each);
        gpr_[first + k] = (gpr_[first + k] & kept) | tile_.l1.load(address + 4 * k, each);
      }
    }
    return {};
  }

  Wait increment() {
    const std::uint32_t address = word_address();
    if (!is_there(address, 4)) return {};
    const std::uint32_t mask = (2U << i_["IntWidth"]) - 1;
    const std::uint32_t old = tile_.l1.load(address, 4);
    std::uint32_t& result = gpr_[i_["InOutReg"]];
    tile_.l1.store(address, 4, ((old + result) & mask) | (old & ~mask));
    result = old;
    return {};
  }

  /// A queue of two counters, read and written pointer, side by side.
  Wait increment_pointer() {
    const std::uint32_t address = gpr_[i_["AddrReg"]] * 16;
    if (!is_there(address, 16)) return {};
    const std::uint32_t read = tile_.l1.load(address, 4);
    const std::uint32_t written = tile_.l1.load(address + 4, 4);
    const unsigned width = i_["IntWidth"];
    const std::uint32_t size = written - read;
    const std::uint32_t capacity = width == 0 ? 0x8000U : 1U << (width - 1);
    const bool is_empty = size == 0;
    const bool is_full = !is_empty && size % capacity == 0;
    const std::uint32_t which = i_["Ofs"];
    if ((which & 1) != 0 ? is_full : is_empty) return waits_for(WaitCause::Memory, i_, address);
    const std::uint32_t increment = i_["NoIncr"] != 0 ? 0 : 1U << i_["IncrLog2"];
    const std::uint32_t mask = (1U << width) - 1;
    const std::uint32_t old = tile_.l1.load(address + 4 * which, 4);
    tile_.l1.store(address + 4 * which, 4, ((old + increment) & mask) | (old & ~mask));
    gpr_[i_["ResultReg"]] = old;
    return {};
  }

  /// Halves of 16 bits of up to four registers. Despite its name, nothing comes back.
  Wait swap() {
    const std::uint32_t address = gpr_[i_["AddrReg"]] * 16;
    if (!is_there(address, 16)) return {};
    const std::uint32_t data = i_["DataReg"];
    std::array<std::uint32_t, 4> words{};
    if (i_["SingleDataReg"] != 0) {
      words[data & 3] = gpr_[data];
    } else {
      for (unsigned k = 0; k < words.size(); ++k) words[k] = gpr_[(data & 0x3C) + k];
    }
    for (unsigned k = 0; k < 2 * words.size(); ++k) {
      if ((i_["Mask"] >> k & 1U) != 0)
        tile_.l1.store(address + 2 * k, 2, words[k / 2] >> (16 * (k % 2)));
    }
    return {};
  }

  Wait compare_and_set() {
    const std::uint32_t address = word_address();
    if (!is_there(address, 4)) return {};
    if (tile_.l1.load(address, 4) != i_["CmpVal"]) return waits_for(WaitCause::Memory, i_, address);
    tile_.l1.store(address, 4, i_["SetVal"]);
    return {};
  }

  bool is_of_l1() {
    const bool is_l1_always = i_.decoded.row->field("MemHierSel") == nullptr;
    const bool selected = i_["MemHierSel"] != 0;
    // STOREIND has L1 at 1; the atomic operations, which know nothing else, at 0.
    const bool is_l1 = i_.decoded.row->op == Op::STOREIND ? selected : !selected;
    if (!is_l1_always && !is_l1) note(tile_, i_, kNotL1);
    return is_l1_always || is_l1;
  }

 private:
  std::uint32_t word_address() const { return gpr_[i_["AddrReg"]] * 16 + i_["Ofs"] * 4; }

  std::uint32_t offset() const {
    const std::uint32_t half = i_["OffsetHalfReg"];
    return gpr_[half / 2] >> (16 * (half % 2)) & 0xFFFF;
  }

  void count_offset() {
    constexpr std::uint32_t kSteps[] = {0, 2, 4, 16};
    const std::uint32_t half = i_["OffsetHalfReg"];
    const unsigned shift = 16 * (half % 2);
    const std::uint32_t next = (offset() + kSteps[i_["OffsetIncrement"]]) & 0xFFFF;
    gpr_[half / 2] = (gpr_[half / 2] & ~(0xFFFFU << shift)) | next << shift;
  }

  bool is_there(std::uint32_t address, unsigned bytes) {
    const bool there = tile_.l1.holds(address, bytes);
    // Loads count as writes here, too: the unit's instructions are few, and most do both.
    if (tile_.log != nullptr) tile_.log->touch_l1(address, bytes, true);
    if (!there) note(tile_, i_, kAccessOutsideL1);
    return there;
  }

  TileState& tile_;
  const Instruction& i_;
  std::array<std::uint32_t, 64>& gpr_;
};

/// The register that LOADREG and STOREREG name (ISA STOREREG).
std::uint32_t register_address(const Instruction& i) {
  constexpr std::uint32_t kRegisterBase = 0xFFB00000;
  return kRegisterBase + (i["AddrLo"] << 2);
}

/// Where it lies in the NoC overlay, if it is a register of that which keeps what is stored.
std::optional<std::uint32_t> overlay_offset(const TileState& tile, std::uint32_t address) {
  const riscv::AddressRange range = riscv::find_region(tile.arch(), address);
  if (range.region != riscv::Region::NocOverlay) return std::nullopt;
  const std::uint32_t offset = address - range.first;
  return Overlay::has(tile.arch(), offset) ? std::optional(offset) : std::nullopt;
}

Wait load_register(TileState& tile, const Instruction& i) {
  const std::uint32_t address = register_address(i);
  if (const auto offset = overlay_offset(tile, address)) {
    tile.machine.gpr_of(i.thread)[i["ResultReg"]] = tile.overlay.load(*offset);
    return {};
  }
  const ConfigField known = ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE;
  if (address == isa::debug_address(tile.arch(), isa::config_place(known))) {
    tile.machine.gpr_of(i.thread)[i["ResultReg"]] = tile.machine.config.get(known);
  } else {
    note(tile, i, kRegisterUnknown);
  }
  return {};
}

/// REG2FLOP: a register, or four of them, to configuration; or one to an address counter.
Wait move_to_flop(TileState& tile, const Instruction& i) {
  constexpr std::uint32_t kCounter = 2; // of TargetSel
  if ((i["TargetSel"] & kCounter) != 0) {
    set_counter_from_register(tile, i);
    return {};
  }
  if (!arch_params(tile.arch()).tile.reg2flop_writes_config) {
    note(tile, i, kNoReg2Flop);
    return {};
  }
  const unsigned first =
      isa::config_place(ConfigField::THCON_SEC0_REG0_TileDescriptor).word_of(tile.arch());
  const bool four = i["SizeSel"] == 0;
  const unsigned index = four ? i["FlopIndex"] & ~3U : i["FlopIndex"];
  const unsigned source = four ? i["InputReg"] & ~3U : i["InputReg"];
  for (unsigned k = 0; k < (four ? 4U : 1U); ++k) {
    const unsigned word = first + index + k;
    if (word >= arch_params(tile.arch()).config.global_base) {
      note(tile, i, kThconOnly);
      break;
    }
    tile.machine.config.write_shared(word, tile.machine.gpr_of(i.thread)[source + k], ~0U,
                                     i.thread);
    after_config_write(tile.machine, isa::ConfigScope::Shared, word, i.word.word, i.word.line);
  }
  return {};
}

} // namespace

bool store_to_overlay(TileState& tile, const Instruction& i) {
  const auto offset = overlay_offset(tile, register_address(i));
  if (!offset) return false;
  tile.overlay.store(*offset, tile.machine.gpr_of(i.thread)[i["DataReg"]]);
  return true;
}

Wait execute_memory(TileState& tile, const Instruction& i) {
  const Op op = i.decoded.row->op;
  if (op == Op::FLUSHDMA) return {}; // everything is done already
  if (op == Op::LOADREG) return load_register(tile, i);
  if (op == Op::REG2FLOP) return move_to_flop(tile, i);
  AtomicAccess access(tile, i);
  if (!access.is_of_l1()) return {};
  if (op == Op::LOADIND) return access.indirect(false, "ResultReg");
  if (op == Op::STOREIND) return access.indirect(true, "DataReg");
  if (op == Op::ATINCGET) return access.increment();
  if (op == Op::ATINCGETPTR) return access.increment_pointer();
  if (op == Op::ATSWAP) return access.swap();
  return access.compare_and_set();
}

} // namespace lanewise::tile
