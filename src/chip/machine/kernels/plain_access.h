// SFPLOAD and SFPSTORE as most of them are: in a mode that is known when the instruction is
// decoded, of the columns that the address names, and with counters that stay. Whatever else there
// may be goes to the kernels of dst_access.h, which do the whole instruction.
#pragma once

#include <array>
#include <utility>

#include "chip/machine/kernels/dst_access.h"

namespace lanewise::LANEWISE_LEVEL {

/// The even or the odd columns of four rows: one half of each pair, the same one in all lanes.
template <bool Wide>
class PlainCells {
 public:
  LANEWISE_INLINE PlainCells(Dst& dst, const DstAddress& address)
      : dst_(dst), row_(address.physical_row), shift_(16 * address.odd) {}

  /// 32 bits if it is wide, else 16.
  LANEWISE_INLINE U read(unsigned chunk) const {
    const U high = half(row_, chunk);
    if constexpr (!Wide) return high;
    return (high << 16) | half(row_ + kDstLowHalf, chunk);
  }

  /// value(chunk), into `lanes`.
  template <class Value>
  LANEWISE_INLINE void write(std::uint32_t lanes, Value&& value) {
    if (are_all(lanes)) [[likely]] {
      for (unsigned c = 0; c < kChunks; ++c) write<true>(lanes, c, value(c));
    } else {
      for (unsigned c = 0; c < kChunks; ++c) write<false>(lanes, c, value(c));
    }
  }

 private:
  LANEWISE_INLINE std::uint32_t* pairs_at(unsigned row) const {
    return reinterpret_cast<std::uint32_t*>(dst_.cell[row]);
  }

  LANEWISE_INLINE U half(unsigned row, unsigned chunk) const {
    return (load(pairs_at(row), chunk) >> shift_) & 0xFFFF;
  }

  template <bool All>
  LANEWISE_INLINE void write(std::uint32_t lanes, unsigned chunk, U value) {
    put<All>(row_, lanes, chunk, Wide ? value >> 16 : value & 0xFFFF);
    if constexpr (Wide) put<All>(row_ + kDstLowHalf, lanes, chunk, value & 0xFFFF);
  }

  template <bool All>
  LANEWISE_INLINE void put(unsigned row, std::uint32_t lanes, unsigned chunk, U value) {
    std::uint32_t* pairs = pairs_at(row);
    const U before = load(pairs, chunk);
    const U after = (before & splat(0xFFFF0000U >> shift_)) | (value << shift_);
    store(pairs, chunk, All ? after : sem::select<U>(expand_mask(lanes, chunk), after, before));
  }

  Dst& dst_;
  unsigned row_, shift_;
};

/// Whether an access has a plain address, and ADDR_MOD moves nothing.
LANEWISE_INLINE bool stays_plain(const MachineState& s, const MicroOp& op, DstMode mode) {
  return has_plain_address(s, op, mode) && counters_stay(s, op);
}

template <Arch A, DstMode Mode>
void sfpload_in_mode(MachineState& s, const MicroOp& op) {
  VectorState& v = s.vector;
  constexpr bool kWide = is_32bit(Mode);
  const LaneSwitches& w = v.switches;
  const bool switches = (w.block_load | w.load_odd | (w.dest_index & w.capture_index)) != 0;
  if (switches || !stays_plain(s, op, Mode)) [[unlikely]]
    return sfpload<A>(s, op);
  const DstAddress address = plain_address(s, op, kWide);
  if (s.dst.valid_group(address.physical_row) != kAllRows) [[unlikely]]
    return sfpload<A>(s, op);
  const PlainCells<kWide> cells(s.dst, address);
  std::uint32_t* target = v.lreg[op.vd];
  write_lanes(target, v.enabled(), [&](unsigned c) {
    return lanewise::convert_load<A, U>(Mode, cells.read(c), load(target, c),
                                        expand_mask(w.fp16_infinity, c));
  });
}

template <Arch A, DstMode Mode>
void sfpstore_in_mode(MachineState& s, const MicroOp& op) {
  const VectorState& v = s.vector;
  constexpr bool kWide = store_is_32bit(Mode);
  const LaneSwitches& w = v.switches;
  if ((w.block_store | w.store_odd) != 0 || !stays_plain(s, op, Mode)) [[unlikely]]
    return sfpstore<A>(s, op);
  const DstAddress address = plain_address(s, op, kWide);
  PlainCells<kWide> cells(s.dst, address);
  const std::uint32_t* source = v.lreg[op.vd];
  const std::uint32_t lanes = v.enabled();
  cells.write(lanes, [&](unsigned c) { return lanewise::convert_store<A>(Mode, load(source, c)); });
  // Flags that are set already are left alone, so that the next access does not wait for them.
  if (s.dst.valid_group(address.physical_row) != kAllRows) [[unlikely]]
    s.dst.set_valid_group(address.physical_row, rows_of_lanes(lanes));
}

/// The kernel of an access by its mode: the general one where configuration says what the mode
/// means, or where it moves a stack.
template <Arch A, DstMode Mode>
constexpr Kernel load_kernel_of_mode() {
  if constexpr (Mode == DstMode::Srcb || Mode == DstMode::Int32All)
    return sfpload<A, MachineState>;
  else
    return sfpload_in_mode<A, Mode>;
}
template <Arch A, DstMode Mode>
constexpr Kernel store_kernel_of_mode() {
  if constexpr (Mode == DstMode::Srcb || Mode == DstMode::Int32All)
    return sfpstore<A, MachineState>;
  else
    return sfpstore_in_mode<A, Mode>;
}

using AccessModes = std::make_index_sequence<16>; ///< values of Mod0

template <Arch A, std::size_t... Modes>
constexpr Kernel find_plain_access_kernel(const MicroOp& op, std::index_sequence<Modes...>) {
  constexpr std::array kLoads{load_kernel_of_mode<A, static_cast<DstMode>(Modes)>()...};
  constexpr std::array kStores{store_kernel_of_mode<A, static_cast<DstMode>(Modes)>()...};
  if (op.op == isa::Op::SFPLOAD && op.vd < kWritableLRegs) return kLoads[op.mod];
  if (op.op == isa::Op::SFPSTORE) return kStores[op.mod];
  return nullptr;
}

/// The kernel of an SFPLOAD or SFPSTORE, or nullptr.
template <Arch A>
constexpr Kernel find_plain_access_kernel(const MicroOp& op) {
  return find_plain_access_kernel<A>(op, AccessModes{});
}

} // namespace lanewise::LANEWISE_LEVEL
