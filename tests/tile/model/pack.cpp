// PACR (core.md 14; ISA PACR of both chips, Packers/InputAddressGenerator, OutputAddressGenerator,
// EdgeMasking).
#include "tile/model/model.h"
#include "tile/model/values.h"

namespace lanewise::test::model {

namespace {

constexpr unsigned kDoesNotAccumulate = 16; ///< no format
constexpr std::size_t kBlockBits = 128;     ///< what is written to L1 at once

bool ends(std::uint32_t word) {
  return (word & 3) != 0; // Last, Flush
}
bool flushes(std::uint32_t word) {
  return (word & 2) != 0;
}
unsigned count_ones(unsigned mask) {
  unsigned count = 0;
  for (; mask != 0; mask &= mask - 1) ++count;
  return count;
}

} // namespace

/// The thread whose counters a packer takes.
unsigned Model::pack_counters(unsigned p, unsigned thread, std::uint32_t word) const {
  if ((word >> 7 & 1) == 0) return thread;
  const unsigned context = get(addr_cnt_context(p), thread);
  return context == 3 ? 0 : context;
}

void Model::write_out(StreamModel& stream, unsigned accumulates_as) {
  const bool sums = accumulates_as != kDoesNotAccumulate;
  const unsigned bits = sums ? bits_of(accumulates_as) : 8;
  for (unsigned from = 0; from < kBlockBits; from += bits) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bits; ++i)
      value |= static_cast<std::uint32_t>(stream.bits[from + i]) << i;
    const std::uint32_t address = stream.address + from / 8;
    if (address + bits / 8 > l1.size()) {
      undefined = true;
      return;
    }
    if (sums) value = accumulated(accumulates_as, load(address, bits / 8), value);
    store(address, bits / 8, value);
  }
  stream.bits.clear();
  stream.address += kBlockBits / 8;
}

void Model::append(StreamModel& stream, std::uint32_t value, unsigned bits,
                   unsigned accumulates_as) {
  for (unsigned i = 0; i < bits; ++i) stream.bits.push_back((value >> i & 1) != 0);
  if (stream.bits.size() == kBlockBits) write_out(stream, accumulates_as);
}

/// A datum behind the late conversion.
void Model::emit(unsigned p, unsigned thread, std::uint32_t value) {
  const unsigned out = get(pack_out_format(p), thread);
  const bool sums = get(pack_l1_acc(p), thread) != 0;
  PackerModel& to = packer[p];
  if (!shares_exponents(out)) {
    append(to.data, value, bits_of(out), sums ? out : kDoesNotAccumulate);
    return;
  }
  if (sums) undefined = true;
  to.block.push_back(value);
  if (to.block.size() < 16) return;
  std::array<std::uint32_t, 16> values{};
  for (unsigned i = 0; i < 16; ++i) values[i] = to.block[i];
  to.block.clear();
  const BlockModel made = block_of(values, bits_of(out));
  append(to.exponents, made.exponent, 8, kDoesNotAccumulate);
  for (const std::uint32_t code : made.code)
    append(to.data, code, bits_of(out), kDoesNotAccumulate);
}

void Model::end_streams(unsigned p, unsigned thread) {
  PackerModel& state = packer[p];
  if (!state.block.empty()) undefined = true; // a block that is not full
  const bool sums = get(pack_l1_acc(p), thread) != 0;
  if (sums && !state.data.bits.empty()) undefined = true;
  for (StreamModel* stream : {&state.data, &state.exponents}) {
    while (!stream->bits.empty()) append(*stream, 0, 1, kDoesNotAccumulate);
    stream->needs_new_address = true;
  }
}

void Model::place_streams(unsigned p, unsigned thread, std::uint32_t word) {
  const auto own = [&](unsigned which) {
    return get(l1_dest_addr(which), thread) + (get(sub_tile_header(which), thread) != 0 ? 0U : 1U);
  };
  std::uint32_t address = own(p);
  if (p != 0 && (own(0) >> 31) != 0) address += own(0);
  const AdcChannel& at = adc[pack_counters(p, thread, word)][2][1];
  std::uint32_t yzw = get(pack_base(1), thread);
  for (unsigned axis = 1; axis < 4; ++axis)
    yzw += at.value[axis] * get(pack_stride(1, axis), thread);
  address += is_blackhole ? yzw >> 4 : yzw & ~15U;
  if (address > get(pack_limit(p), thread) * 2 + 1) address -= get(pack_fifo(p), thread) * 2;
  if (get(disable_zero_compress_of_packer(p), thread) == 0) undefined = true;
  PackerModel& state = packer[p];
  if (state.data.needs_new_address) state.x = state.y = state.z = 0;
  const auto place = [&](StreamModel& stream) {
    if (!stream.needs_new_address) return;
    stream.address = (address & 0x1FFFF) << 4;
    stream.needs_new_address = false;
  };
  if ((get(pack_out_format(p), thread) & 2) != 0) {
    place(state.exponents);
    address += get(exp_section_size(p), thread);
  }
  place(state.data);
}

/// One datum of Dst, or with an index that Dst does not have one of nowhere.
void Model::datum(unsigned p, unsigned thread, unsigned index, unsigned tile_y, unsigned tile_z) {
  const bool overridden = get(kDstaccOverride, thread) != 0;
  PackMode mode{.is_blackhole = is_blackhole,
                .intermediate = get(overridden ? kDstaccVal : kDstacc, thread),
                .out = get(pack_out_format(p), thread),
                .reads_32 = get(kRead32bData, thread) != 0,
                .is_unsigned = get(kReadUnsigned, thread) != 0,
                .round_10 = get(kRound10bMant, thread) != 0,
                .e4m3 = get(pack_fp8_e4m3(p), thread) != 0,
                .relu = get(kApplyRelu, thread),
                .threshold = get(kReluThreshold, thread),
                .raw = get(kReadRaw, thread) != 0};
  if (get(kDescaleEnable, thread) != 0) {
    mode.shift = get(kDescaleValue, thread) & 31;
    if (get(kDescaleMode, thread) != 0) undefined = true; // "some value z"
  }
  if (get(exponent_threshold_enable(p), thread) != 0)
    mode.exponent_threshold = get(exponent_threshold(p), thread);
  if (get(pack_in_format(p), thread) != mode.intermediate) undefined = true;
  unsigned b = get(kRowSetSelect, thread) >> (2 * p) & 3;
  if (get(kFaceSetEnable, thread) != 0) {
    const unsigned a = get(kFaceSetSelect, thread) >> (2 * p) & 3;
    b = get(face_set_mapping(a, (get(pack_z_offset(p), thread) + tile_z) & 15), thread);
  }
  const unsigned c = get(row_set_mapping(b, tile_y & 15), thread);
  const unsigned column = index % 16;
  std::uint32_t value = 0;
  if ((get(edge_mask(c), thread) >> column & 1) == 0) {
    const bool is_wide = mode.intermediate == kFp32;
    if (get(kEdgeMode, thread) != 0) value = is_wide ? 0xFF800000 : 0xFF80;
    if (get(kEdgeMode, thread) != 0 && !is_wide && mode.intermediate != kBf16) undefined = true;
  } else if (index < 1024 * 16) {
    // "Reduced from 10 bits to 9", or an index of 10 bits: the pages differ.
    if (mode.reads_32 && index / 16 >= 512) undefined = true;
    const unsigned row = dst_row(index / 16, mode.reads_32);
    if (traces) dst_read.insert({row, mode.reads_32 ? row + 8 : row});
    std::uint32_t stored = dst[row][column];
    if (mode.reads_32) stored = stored << 16 | dst[row + 8][column];
    if (!dst_valid[row]) stored = 0;
    value = early(mode, stored);
  }
  emit(p, thread, late(mode, above_threshold(mode, relu(mode, value))));
}

void Model::advance_tile_position(unsigned p, unsigned thread) {
  PackerModel& at = packer[p];
  if (++at.x < 16) return;
  at.x = 0;
  const bool transposed = get(yz_transposed(p), thread) != 0;
  unsigned& inner = transposed ? at.z : at.y;
  unsigned& outer = transposed ? at.y : at.z;
  if (++inner != get(reads_per_xy_plane(p), thread)) return;
  inner = 0;
  ++outer;
}

/// Blackhole's packer: a row from each of the ways to read Dst that the mask names.
void Model::read_interfaces(unsigned thread, std::uint32_t word, unsigned first, unsigned count) {
  unsigned mask = word >> 8 & 15;
  if (mask == 0) mask = 15;
  const bool strided = (word >> 17 & 1) != 0;
  const unsigned start = first / 16, column = first % 16;
  if (!strided && mask << (start & 3) > 15) undefined = true;
  if (column + count > 16) undefined = true;
  PackerModel& at = packer[0];
  unsigned taken = 0;
  for (unsigned i = 0; i < 4 && count != 0; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const unsigned row = start + (strided ? 16 * i : i);
    const bool from_nowhere = (word >> 12 & 1) != 0; // ZeroWrite
    for (unsigned k = 0; k < count; ++k)
      datum(0, thread, (from_nowhere ? 1024 * 16 : (row & 0x3FF) * 16) + column + k, at.y + taken,
            at.z);
    ++taken;
  }
  if (count == 0) return;
  at.y = (at.y + count_ones(mask)) & 0xFF;
  if (at.y == get(reads_per_xy_plane(0), thread)) {
    at.y = 0;
    ++at.z;
  }
}

void Model::read_dst(unsigned p, unsigned thread, std::uint32_t word) {
  const auto& counters = adc[pack_counters(p, thread, word)][2];
  const AdcChannel& at = counters[0];
  std::uint32_t address = get(pack_base(0), thread);
  for (unsigned axis = 0; axis < 4; ++axis) {
    const std::uint32_t stride = get(pack_stride(0, axis), thread);
    address += at.value[axis] * (axis == 0 ? stride & 15 : stride);
  }
  const unsigned in = get(pack_in_format(p), thread) & 3;
  const std::uint32_t bytes = in == 0 ? 4 : in == 1 ? 2 : 1;
  const std::uint32_t x_mask = in == 0 ? 3 : in == 1 ? 7 : 15;
  address = ((address / bytes) & ~x_mask) + (at.value[0] & x_mask);
  address = (address + (get(pack_dst_offset(p), thread) << 4)) & 0x3FFF;
  const std::uint32_t count = flushes(word) ? 0 : counters[1].value[0] - at.value[0] + 1;
  if (is_blackhole) {
    read_interfaces(thread, word, address, count);
    return;
  }
  if (address + count > 1024 * 16) undefined = true;
  const bool from_nowhere = (word >> 12 & 1) != 0;
  for (std::uint32_t k = 0; k < count && !undefined; ++k) {
    datum(p, thread, from_nowhere ? 1024 * 16 + (address + k) % 16 : address + k, packer[p].y,
          packer[p].z);
    advance_tile_position(p, thread);
  }
}

void Model::advance_pack_counters(unsigned thread, std::uint32_t word, unsigned threads) {
  const unsigned section = word >> 15 & 3;
  const auto field = [&](unsigned low, unsigned bits) {
    return get_thread(addr_mod_pack(section, low, bits), thread);
  };
  for (unsigned t = 0; t < kThreadCount; ++t) {
    if ((threads >> t & 1) == 0) continue;
    for (unsigned channel = 0; channel < 2; ++channel) {
      AdcChannel& at = adc[t][2][channel];
      const unsigned y = 6 * channel, z = 12 + 2 * channel;
      if (field(y + 5, 1) != 0) {
        set_counter(at, 1, 0);
      } else if (field(y + 4, 1) != 0) {
        set_counter(at, 1, at.cr[1] + field(y, 4));
      } else {
        increment(at, 1, field(y, 4));
      }
      if (field(z + 1, 1) != 0) {
        set_counter(at, 2, 0);
      } else {
        increment(at, 2, field(z, 1));
      }
    }
  }
}

bool Model::pack(unsigned thread, std::uint32_t word) {
  unsigned mask = is_blackhole ? 1 : word >> 8 & 15;
  if (mask == 0) mask = 1;
  if (mask != 1 && mask != 2 && mask != 4 && mask != 8 && mask != 3 && mask != 12 && mask != 15)
    undefined = true;
  unsigned threads = 0;
  for (unsigned p = 0; p < 4; ++p) {
    if ((mask >> p & 1) == 0) continue;
    place_streams(p, thread, word);
    read_dst(p, thread, word);
    if (ends(word)) end_streams(p, thread);
    threads |= 1U << pack_counters(p, thread, word);
  }
  advance_pack_counters(thread, word, threads);
  return true;
}

} // namespace lanewise::test::model
