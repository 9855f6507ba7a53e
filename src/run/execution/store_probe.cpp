#include "run/execution/store_probe.h"

#include <algorithm>

#include "chip/machine/executor.h"
#include "chip/machine/scheduled.h"
#include "chip/semantics/dst_format.h"

namespace lanewise::execution {

namespace {

constexpr std::uint32_t kFp32Sign = 1U << 31, kFp32Infinity = 0x7F80'0000U;

/// Without branches, so that loops of it become vector instructions.
std::uint32_t round_to_bf16(std::uint32_t fp32) {
  constexpr std::uint32_t kBf16Sign = 0x8000, kBf16Exponent = 0x7F80, kQuiet = 0x40;
  const std::uint32_t upper = fp32 >> 16;
  const std::uint32_t nan = (upper & ~(kBf16Sign | kBf16Exponent)) != 0 ? upper : upper | kQuiet;
  const std::uint32_t rounded = (fp32 + 0x7FFF + (upper & 1)) >> 16;
  const std::uint32_t number = (rounded & kBf16Exponent) != 0 ? rounded : rounded & kBf16Sign;
  // Magnitudes are below 2^31, so that the comparison may be a signed one, which SSE2 has.
  const auto magnitude = static_cast<std::int32_t>(fp32 & ~kFp32Sign);
  return magnitude > static_cast<std::int32_t>(kFp32Infinity) ? nan : number;
}

/// The lanes that a store writes (VU 3.4).
std::uint32_t stored_lanes(const MachineState& state, const MicroOp& store, DstMode mode) {
  const VectorState& v = state.vector;
  std::uint32_t lanes = mode == DstMode::Int32All ? v.active : v.enabled();
  if (store.kernel == in_some_lanes) lanes &= store.lanes;
  return lanes & ~v.switches.block_store;
}

/// The cell of a lane in four rows: two columns for each lane, from row 0 on.
unsigned cell_of_lane(unsigned lane, std::uint32_t odd) {
  return 2 * lane + (odd >> lane & 1U);
}

} // namespace

std::uint32_t round_register(formats::Format format, std::uint32_t fp32) {
  return format == formats::Format::BF16
             ? round_to_bf16(fp32)
             : formats::round_to_bits(format, formats::value_of_bits(formats::Format::FP32, fp32));
}

StoreProbe::StoreProbe(formats::Format format, unsigned tile, Dst16View view)
    : format_(format),
      mode_(format == formats::Format::BF16 ? DstMode::Bf16 : DstMode::Fp16),
      first_row_(tile * tensors::kTileDstRows),
      view_(view) {}

unsigned StoreProbe::row_of_tile(unsigned physical_row) const {
  unsigned row = physical_row;
  if (view_ == Dst16View::HighHalves) {
    if ((physical_row & kDstLowHalf) != 0) return tensors::kTileDstRows; // a low half
    row = row_of_high_half(physical_row);
  }
  return std::min(row - first_row_, tensors::kTileDstRows); // wraps in front of the tile
}

void StoreProbe::execute(MachineState& state, std::span<const MicroOp> ops) {
  is_noted_.fill(0);
  execute_noting(state, ops);
}

void StoreProbe::execute(MachineState& state, std::span<const MicroOp> ops,
                         const GeneratedLoop& generated) {
  is_noted_.fill(0);
  const RowProgram& program = generated.program();
  const std::vector<RowAccess>& stores = program.stores;
  execute_noting(state, ops.first(program.begin));
  notes_.resize(stores.size());
  if (!generated.run(state, notes_.data()))
    return execute_noting(state, ops.subspan(program.begin));
  for (std::size_t i = 0; i < stores.size(); ++i)
    note({.mode = stores[i].mode,
          .physical_row = stores[i].physical_row,
          .odd = stores[i].is_odd ? kAllLanes : 0,
          .lanes = notes_[i].lanes,
          .value = notes_[i].value});
  execute_noting(state, ops.subspan(program.end));
}

void StoreProbe::execute_noting(MachineState& state, std::span<const MicroOp> ops) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].op != isa::Op::SFPSTORE) continue;
    lanewise::execute(state, ops.subspan(first, i - first));
    const MicroOp& store = ops[i];
    const DstMode mode = resolve_dst_mode(state.config, static_cast<DstMode>(store.mod));
    const DstAddress address = store_address(state, store, mode);
    note({.mode = mode,
          .physical_row = address.physical_row,
          .odd = address.odd != 0 ? kAllLanes : state.vector.switches.store_odd,
          .lanes = stored_lanes(state, store, mode),
          .value = state.vector.lreg[store.vd]});
    first = i;
  }
  lanewise::execute(state, ops.subspan(first));
}

void StoreProbe::note(const Store& store) {
  if (store.mode == mode_) return note_cells(store);
  forget_cells(store.physical_row, store);
  if (store_is_32bit(store.mode)) forget_cells(store.physical_row + kDstLowHalf, store);
}

void StoreProbe::note_cells(const Store& store) {
  const unsigned row = row_of_tile(store.physical_row);
  if (row >= tensors::kTileDstRows) return;
  const bool is_odd = store.odd == kAllLanes;
  if (store.lanes == kAllLanes && (is_odd || store.odd == 0)) { // as nearly always
    const unsigned first = row * kDstColumns + (is_odd ? 1 : 0);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      value_[first + 2 * lane] = store.value[lane];
      is_noted_[first + 2 * lane] = 1;
    }
    return;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((store.lanes >> lane & 1U) == 0) continue;
    const unsigned cell = row * kDstColumns + cell_of_lane(lane, store.odd);
    value_[cell] = store.value[lane];
    is_noted_[cell] = 1;
  }
}

void StoreProbe::forget_cells(unsigned physical_row, const Store& store) {
  const unsigned row = row_of_tile(physical_row);
  if (row >= tensors::kTileDstRows) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((store.lanes >> lane & 1U) != 0)
      is_noted_[row * kDstColumns + cell_of_lane(lane, store.odd)] = 0;
  }
}

void StoreProbe::round_before_store(
    std::span<const std::uint32_t, tensors::kTileElements> found,
    std::span<std::uint32_t, tensors::kTileElements> rounded) const {
  // `stored`: the value bits that SFPSTORE leaves of a register.
  const auto fill = [&](auto&& stored, auto&& round) {
    for (unsigned i = 0; i < tensors::kTileElements; ++i) {
      const std::uint32_t value = round(value_[i]);
      const std::uint32_t differs = (is_noted_[i] ^ 1U) | (stored(value_[i]) ^ found[i]);
      rounded[i] = differs == 0 ? value : found[i];
    }
  };
  if (format_ == formats::Format::BF16) {
    fill([](std::uint32_t fp32) { return semantics::flush_denormal(fp32) >> 16; }, round_to_bf16);
  } else {
    fill(
        [&](std::uint32_t fp32) {
          return formats::value_bits(format_, semantics::store_fp16(fp32));
        },
        [&](std::uint32_t fp32) { return round_register(format_, fp32); });
  }
}

} // namespace lanewise::execution
