// SFPLOAD, SFPSTORE and SFPLOADI (VU 1.4, 3.4).
//
// Four rows of Dst are 64 cells, or 32 pairs of an even and an odd column: pair l belongs to lane
// l. So a load is a vector load of pairs of which each lane keeps one half.
#pragma once

#include "chip/isa/fields.h"
#include "chip/machine/dst_address.h"
#include "chip/machine/dst_convert.h"
#include "chip/machine/kernel_list.h"
#include "chip/machine/kernels/lane_access.h"
#include "chip/machine/micro_op.h"
#include "chip/semantics/dst_format.h"

namespace lanewise::LANEWISE_LEVEL {

namespace sem = semantics;

inline constexpr unsigned kAllRows = 15; ///< of a group of four

/// Lanes of those rows of a group whose bit is set: each of four bits becomes eight.
LANEWISE_INLINE std::uint32_t lanes_of_rows(unsigned rows) {
  constexpr std::uint32_t kBitsToBytes = 1U << 0 | 1U << 7 | 1U << 14 | 1U << 21;
  return ((rows * kBitsToBytes) & 0x01010101U) * 0xFFU;
}

/// The cells of 32 lanes in the Dst of a machine: of each pair in four rows one half; in 32-bit
/// modes also of the rows of the low halves.
class MachineCells {
 public:
  /// `odd`: the lanes that use odd columns.
  LANEWISE_INLINE MachineCells(MachineState& s, unsigned physical_row, std::uint32_t odd, bool wide)
      : dst_(s.dst),
        row_(physical_row),
        odd_(odd),
        valid_(lanes_of_rows(s.dst.valid_group(physical_row))),
        wide_(wide) {}

  /// 32 bits if it is wide, else 16; an invalid row reads as zero (VU C25).
  LANEWISE_INLINE U read(unsigned chunk) const {
    U stored = halves(row_, chunk);
    if (wide_) stored = (stored << 16) | halves(row_ + kDstLowHalf, chunk);
    return sem::keep_where<U>(expand_mask(valid_, chunk), stored);
  }

  LANEWISE_INLINE void write(std::uint32_t lanes, unsigned chunk, U value) {
    put(row_, lanes, chunk, wide_ ? value >> 16 : value);
    if (wide_) put(row_ + kDstLowHalf, lanes, chunk, value);
  }

  /// Bit i: row i of the four has data now.
  LANEWISE_INLINE void set_valid(unsigned rows) { dst_.set_valid_group(row_, rows); }

 private:
  /// Four rows as 32 pairs of cells.
  LANEWISE_INLINE std::uint32_t* pairs_at(unsigned row) const {
    return reinterpret_cast<std::uint32_t*>(dst_.cell[row]);
  }

  LANEWISE_INLINE U halves(unsigned row, unsigned chunk) const {
    const U pair = load(pairs_at(row), chunk);
    return sem::select<U>(expand_mask(odd_, chunk), pair >> 16, pair & 0xFFFF);
  }

  LANEWISE_INLINE void put(unsigned row, std::uint32_t lanes, unsigned chunk, U value) {
    std::uint32_t* pairs = pairs_at(row);
    const U before = load(pairs, chunk);
    const U after = sem::select(expand_mask(odd_, chunk), (before & 0xFFFF) | (value << 16),
                                (before & 0xFFFF0000U) | (value & 0xFFFF));
    store(pairs, chunk, sem::select(expand_mask(lanes, chunk), after, before));
  }

  Dst& dst_;
  unsigned row_;
  std::uint32_t odd_, valid_;
  bool wide_;
};

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
  std::uint32_t odd;   ///< lanes that use odd columns
  bool moves_counters; ///< finish_load() or finish_store() has something to do
};

LANEWISE_INLINE DstAccess begin_load(MachineState& s, const MicroOp& op) {
  const DstMode mode = resolve_dst_mode(s.config, static_cast<DstMode>(op.mod));
  const DstAddress address = has_plain_address(s, op, mode) ? plain_address(s, op, is_32bit(mode))
                                                            : load_address(s, op, mode);
  const std::uint32_t odd = address.odd != 0 ? kAllLanes : s.vector.switches.load_odd;
  return {mode, address, odd, !counters_stay(s, op)};
}

LANEWISE_INLINE void end_load(MachineState& s, const MicroOp& op, const DstAccess& access,
                              std::uint32_t lanes) {
  VectorState& v = s.vector;
  if (op.vd < 4) {
    const std::uint32_t captured = lanes & v.switches.dest_index & v.switches.capture_index;
    if (captured != 0) capture_index(v, op, access.address, access.odd, captured);
  }
  if (access.moves_counters) finish_load(s, op);
}

LANEWISE_INLINE MachineCells cells_of(MachineState& s, const MicroOp&, const DstAccess& access,
                                      bool wide) {
  return {s, access.address.physical_row, access.odd, wide};
}

template <Arch A, class S>
LANEWISE_KERNEL void sfpload(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const DstAccess access = begin_load(s, op);
  const DstMode mode = access.mode;
  std::uint32_t lanes = 0;
  if (op.vd < kWritableLRegs) {
    lanes = (mode == DstMode::Int32All ? v.active : v.enabled()) & ~v.switches.block_load;
    const auto cells = cells_of(s, op, access, is_32bit(mode));
    std::uint32_t* target = v.lreg[op.vd];
    write_lanes(target, lanes, [&](unsigned c) {
      return lanewise::convert_load<A, U>(mode, cells.read(c), load(target, c),
                                          expand_mask(v.switches.fp16_infinity, c));
    });
  }
  end_load(s, op, access, lanes);
}

LANEWISE_INLINE DstAccess begin_store(MachineState& s, const MicroOp& op) {
  const DstMode mode = resolve_dst_mode(s.config, static_cast<DstMode>(op.mod));
  const bool is_plain = has_plain_address(s, op, mode);
  const DstAddress address =
      is_plain ? plain_address(s, op, store_is_32bit(mode)) : store_address(s, op, mode);
  const std::uint32_t odd = address.odd != 0 ? kAllLanes : s.vector.switches.store_odd;
  return {mode, address, odd, !is_plain || !counters_stay(s, op)};
}

LANEWISE_INLINE void end_store(MachineState& s, const MicroOp& op, const DstAccess& access,
                               std::uint32_t) {
  if (access.moves_counters) finish_store(s, op, access.mode);
}

/// Bit i: a lane of row i of the four is among `lanes`.
LANEWISE_INLINE unsigned rows_of_lanes(std::uint32_t lanes) {
  unsigned rows = 0;
  for (unsigned row = 0; row < 4; ++row)
    rows |= static_cast<unsigned>((lanes >> (8 * row) & 0xFF) != 0) << row;
  return rows;
}

template <Arch A, class S>
LANEWISE_KERNEL void sfpstore(S& s, const MicroOp& op) {
  VectorState& v = s.vector;
  const DstAccess access = begin_store(s, op);
  const DstMode mode = access.mode;
  const std::uint32_t lanes =
      (mode == DstMode::Int32All ? v.active : v.enabled()) & ~v.switches.block_store;
  auto cells = cells_of(s, op, access, store_is_32bit(mode));
  const std::uint32_t* source = v.lreg[op.vd];
  for (unsigned c = 0; c < kChunks; ++c)
    cells.write(lanes, c, lanewise::convert_store<A>(mode, load(source, c)));
  cells.set_valid(rows_of_lanes(lanes));
  end_store(s, op, access, lanes);
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
