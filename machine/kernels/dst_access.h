// SFPLOAD, SFPSTORE and SFPLOADI (VU 1.4, 3.4).
//
// Four rows of Dst are 64 cells, or 32 pairs of an even and an odd column: pair l belongs to lane
// l. So a load is a vector load of pairs of which each lane keeps one half.
#pragma once

#include "isa/fields.h"
#include "machine/dst_address.h"
#include "machine/kernel_list.h"
#include "machine/kernels/lane_access.h"
#include "machine/micro_op.h"
#include "semantics/dst_format.h"

namespace lanewise::LANEWISE_LEVEL {

namespace sem = semantics;

/// Four rows as 32 pairs of cells.
LANEWISE_INLINE std::uint32_t* pairs_at(Dst& dst, unsigned row) {
  return reinterpret_cast<std::uint32_t*>(dst.cell[row]);
}

/// The half of each pair that its lane reads, as 16 bits.
LANEWISE_INLINE U cells(const std::uint32_t* pairs, std::uint32_t odd, unsigned chunk) {
  const U pair = load(pairs, chunk);
  return sem::select<U>(expand_mask(odd, chunk), pair >> 16, pair & 0xFFFF);
}

/// Lanes of those rows of a group whose bit is set: each of four bits becomes eight.
LANEWISE_INLINE std::uint32_t lanes_of_rows(unsigned rows) {
  constexpr std::uint32_t kBitsToBytes = 1U << 0 | 1U << 7 | 1U << 14 | 1U << 21;
  return ((rows * kBitsToBytes) & 0x01010101U) * 0xFFU;
}

/// What SFPLOAD makes of the stored bits of a lane; d is 32 bits wide in the 32-bit modes, else 16.
template <Arch A>
LANEWISE_INLINE U convert_load(DstMode mode, U d, U old, Mask fp16_infinity) {
  switch (mode) {
    case DstMode::Fp16: return sem::load_fp16(d, fp16_infinity);
    case DstMode::Bf16: return sem::unshuffle_16(d) << 16;
    case DstMode::Fp32:
    case DstMode::Int32:
    case DstMode::Int32All: return sem::unshuffle_32(d);
    case DstMode::Int32Sm: {
      const U value = sem::unshuffle_32(d);
      return kArch<A>.int_sm_converts ? sem::sign_magnitude_to_twos(value) : value;
    }
    case DstMode::Int8: return sem::load_int8(d, kArch<A>.int8_load_magnitude_bits);
    case DstMode::Int8Comp: {
      const U value = sem::load_int8(d, 10);
      return kArch<A>.int_sm_converts ? sem::sign_magnitude_to_twos(value) : value;
    }
    case DstMode::Hi16: return d << 16;
    case DstMode::Int16: return sem::load_int16(d);
    case DstMode::Uint16:
    case DstMode::Lo16: return d;
    case DstMode::Lo16Only: return (old & 0xFFFF0000U) | d;
    case DstMode::Hi16Only: return (old & 0xFFFF) | (d << 16);
    case DstMode::Zero:
    case DstMode::Srcb: break; // SRCB has been resolved to another mode
  }
  return U{};
}

/// VU C20: the Dst position of each loaded datum becomes its index.
inline void capture_index(VectorState& v, const MicroOp& op, const DstAddress& address,
                          std::uint32_t odd, std::uint32_t lanes) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1U) == 0) continue;
    const unsigned column = 2 * (lane % kColumns) + (odd >> lane & 1U);
    v.lreg[op.vd + 4][lane] = ((address.row + lane / kColumns) << 4) | column;
  }
}

/// What an access does, and where.
struct DstAccess {
  DstMode mode;
  DstAddress address;
  bool moves_counters; ///< finish_load() or finish_store() has something to do
};

LANEWISE_INLINE DstAccess begin_load(MachineState& s, const MicroOp& op) {
  const DstMode mode = resolve_dst_mode(s.config, static_cast<DstMode>(op.mod));
  const DstAddress address = has_plain_address(s, op, mode) ? plain_address(s, op, is_32bit(mode))
                                                            : load_address(s, op, mode);
  return {mode, address, !counters_stay(s, op)};
}

LANEWISE_INLINE void end_load(MachineState& s, const MicroOp& op, const DstAccess& access) {
  if (access.moves_counters) finish_load(s, op);
}

template <Arch A, class S>
LANEWISE_KERNEL void sfpload(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const DstAccess access = begin_load(s, op);
  const auto [mode, address, moves] = access;
  if (op.vd < kWritableLRegs) {
    const bool all = mode == DstMode::Int32All;
    const std::uint32_t lanes = (all ? v.active : v.enabled()) & ~v.switches.block_load;
    const std::uint32_t odd = address.odd != 0 ? kAllLanes : v.switches.load_odd;
    const std::uint32_t valid = lanes_of_rows(s.dst.valid_group(address.physical_row));
    const std::uint32_t* high = pairs_at(s.dst, address.physical_row);
    const bool wide = is_32bit(mode);
    const std::uint32_t* low = pairs_at(s.dst, address.physical_row + (wide ? kDstLowHalf : 0));
    std::uint32_t* target = v.lreg[op.vd];
    write_lanes(target, lanes, [&](unsigned c) {
      U stored = cells(high, odd, c);
      if (wide) stored = (stored << 16) | cells(low, odd, c);
      stored = sem::keep_where<U>(expand_mask(valid, c),
                                  stored); // an invalid row reads as zero (VU C25)
      return convert_load<A>(mode, stored, load(target, c),
                             expand_mask(v.switches.fp16_infinity, c));
    });
    if (is_machine<S> && op.vd < 4) {
      const std::uint32_t captured = lanes & v.switches.dest_index & v.switches.capture_index;
      if (captured != 0) capture_index(v, op, address, odd, captured);
    }
  }
  end_load(s, op, access);
}

/// What SFPSTORE writes for an LReg value; 32 bits wide in the 32-bit modes, else 16.
template <Arch A>
LANEWISE_INLINE U convert_store(DstMode mode, U value) {
  switch (mode) {
    case DstMode::Fp16: return sem::store_fp16(value);
    case DstMode::Bf16: return sem::shuffle_16(sem::flush_denormal(value) >> 16);
    case DstMode::Fp32:
      return sem::shuffle_32(kArch<A>.fp32_store_flushes ? sem::flush_denormal(value) : value);
    case DstMode::Int32:
    case DstMode::Int32All: return sem::shuffle_32(value);
    case DstMode::Int32Sm:
      return sem::shuffle_32(kArch<A>.int_sm_converts ? sem::twos_to_sign_magnitude(value) : value);
    case DstMode::Int8: return sem::store_int8(value);
    case DstMode::Int8Comp:
      return sem::store_int8(kArch<A>.int_sm_converts ? sem::twos_to_sign_magnitude(value) : value);
    case DstMode::Hi16: return value;
    case DstMode::Int16: return sem::store_int16(value);
    case DstMode::Lo16: return (value << 16) | (value >> 16);
    case DstMode::Uint16:
    case DstMode::Lo16Only: return value & 0xFFFF;
    case DstMode::Hi16Only: return value >> 16;
    case DstMode::Zero:
    case DstMode::Srcb: break;
  }
  return U{};
}

/// Puts 16 bits of each of `lanes` into its half of its pair.
LANEWISE_INLINE void put_cells(std::uint32_t* pairs, std::uint32_t odd, std::uint32_t lanes,
                               unsigned chunk, U value) {
  const U before = load(pairs, chunk);
  const U after = sem::select(expand_mask(odd, chunk), (before & 0xFFFF) | (value << 16),
                              (before & 0xFFFF0000U) | (value & 0xFFFF));
  store(pairs, chunk, sem::select(expand_mask(lanes, chunk), after, before));
}

LANEWISE_INLINE DstAccess begin_store(MachineState& s, const MicroOp& op) {
  const DstMode mode = resolve_dst_mode(s.config, static_cast<DstMode>(op.mod));
  const bool is_plain = has_plain_address(s, op, mode);
  const DstAddress address =
      is_plain ? plain_address(s, op, store_is_32bit(mode)) : store_address(s, op, mode);
  return {mode, address, !is_plain || !counters_stay(s, op)};
}

LANEWISE_INLINE void end_store(MachineState& s, const MicroOp& op, const DstAccess& access) {
  if (access.moves_counters) finish_store(s, op, access.mode);
}

template <Arch A, class S>
LANEWISE_KERNEL void sfpstore(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const DstAccess access = begin_store(s, op);
  const auto [mode, address, moves] = access;
  const bool all = mode == DstMode::Int32All;
  const std::uint32_t lanes = (all ? v.active : v.enabled()) & ~v.switches.block_store;
  const std::uint32_t odd = address.odd != 0 ? kAllLanes : v.switches.store_odd;
  const bool wide = store_is_32bit(mode);
  std::uint32_t* high = pairs_at(s.dst, address.physical_row);
  std::uint32_t* low = pairs_at(s.dst, address.physical_row + (wide ? kDstLowHalf : 0));
  const std::uint32_t* source = v.lreg[op.vd];
  for (unsigned c = 0; c < kChunks; ++c) {
    const U value = convert_store<A>(mode, load(source, c));
    put_cells(high, odd, lanes, c, wide ? value >> 16 : value);
    if (wide) put_cells(low, odd, lanes, c, value);
  }
  unsigned rows = 0;
  for (unsigned row = 0; row < 4; ++row)
    rows |= static_cast<unsigned>((lanes >> (8 * row) & 0xFF) != 0) << row;
  s.dst.set_valid_group(address.physical_row, rows);
  end_store(s, op, access);
}

/// SFPLOADI. Undefined Mod0 values have not come here.
template <class S>
LANEWISE_KERNEL void sfploadi(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const auto imm = static_cast<std::uint32_t>(op.immediate);
  std::uint32_t kept = 0; ///< bits of VD that stay
  std::uint32_t value = 0;
  switch (op.mod) {
    case isa::kMode<isa::Op::SFPLOADI, "FLOATB">: value = imm << 16; break;
    case isa::kMode<isa::Op::SFPLOADI, "FLOATA">: value = sem::immediate_fp16(imm); break;
    case isa::kMode<isa::Op::SFPLOADI, "USHORT">: value = imm; break;
    case isa::kMode<isa::Op::SFPLOADI, "SHORT">:
      value = static_cast<std::uint32_t>(static_cast<std::int16_t>(imm));
      break;
    case isa::kMode<isa::Op::SFPLOADI, "UPPER">: kept = 0xFFFF, value = imm << 16; break;
    case isa::kMode<isa::Op::SFPLOADI, "LOWER">: kept = 0xFFFF0000U, value = imm; break;
  }
  std::uint32_t* target = v.lreg[op.vd];
  const U constant = splat(value);
  if (kept == 0) {
    write_lanes(target, v.enabled(), [&](unsigned) { return constant; });
  } else {
    write_lanes(target, v.enabled(),
                [&](unsigned c) { return (load(target, c) & kept) | constant; });
  }
}

template <Arch A, class S>
inline constexpr KernelOfOn<S> kAccessKernels[] = {
    {isa::Op::SFPLOAD, sfpload<A>},
    {isa::Op::SFPLOADI, sfploadi},
    {isa::Op::SFPSTORE, sfpstore<A>},
};

/// The kernel of an instruction that this file has, or nullptr.
template <Arch A, class S>
constexpr KernelOn<S> find_access_kernel(const MicroOp& op) {
  return kernel_in(kAccessKernels<A, S>, op.op);
}

} // namespace lanewise::LANEWISE_LEVEL
