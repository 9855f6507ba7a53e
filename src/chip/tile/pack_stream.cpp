#include "chip/tile/pack_stream.h"

#include <algorithm>

#include "chip/tile/formats.h"
#include "chip/tile/pack_plan.h"

namespace lanewise::tile {

namespace {

using F = isa::ConfigField;

constexpr Finding kPacksOutsideL1{
    FaultKind::UndefinedBehavior, "packs to an address outside of L1; nothing was written",
    "check L1_Dest_addr, which counts units of 16 bytes", "core.md 14.3"};
constexpr Finding kCannotAccumulate{
    FaultKind::Unsupported,
    "adds to data of a format whose sum no source gives; it was written instead",
    "accumulate FP32, BF16 or FP16", "core.md 14.10"};

constexpr Finding kBlockOfOtherFormat{
    FaultKind::UndefinedBehavior,
    "goes on in another format before a block of 16 data is full; those data were lost",
    "set Last or Flush before Out_data_format changes", "core.md 14.9"};

constexpr Finding kExponentsInData{
    FaultKind::UnpredictableValue,
    "writes exponents where its data are: Exp_section_size leaves too little room, and no source "
    "says which of them stays; here what filled its 16 bytes later",
    "set Exp_section_size to a unit of 16 bytes for every 256 data", "core.md Q2"};

constexpr unsigned kChunk = 16; ///< bytes that go to L1 at once

} // namespace

PackSink::PackSink(TileState& tile, unsigned packer, const Instruction& i,
                   const semantics::Packing& how)
    : tile_(tile),
      i_(i),
      state_(tile.packer[packer]),
      traffic_(tile.traffic.packer[packer]),
      out_(how.out),
      bits_(bits_in_l1(how.out)),
      is_block_(is_block_format(how.out)) {
  traffic_.begin = traffic_.end = 0;
  traffic_.format = out_;
  const PackerConfig config(tile, packer, i.thread);
  if (!is_block_ && state_.block_size != 0) {
    note(tile, i, kBlockOfOtherFormat);
    state_.block_size = 0;
  }
  accumulates_ = config.thcon(F::THCON_SEC0_REG1_Pack_L1_Acc, F::THCON_SEC0_REG8_Pack_L1_Acc) != 0;
  if (!accumulates_ || semantics::can_accumulate(out_)) return;
  note(tile, i, kCannotAccumulate);
  accumulates_ = false;
}

void PackSink::put(std::uint32_t datum) {
  if (!is_block_) return append(state_.data, datum, bits_);
  state_.block[state_.block_size++] = datum;
  if (state_.block_size == state_.block.size()) assemble_block();
}

void PackSink::put_row(const PackedRow& row) {
  if (is_block_) append(state_.exponents, row.exponent, 8);
  append_bytes(state_.data, std::span(row.bytes).first(std::size_t{kRowData} * bits_ / 8));
}

void PackSink::append_bytes(PackStream& stream, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::size_t there = stream.bits / 8;
    const std::size_t count = std::min(bytes.size(), kChunk - there);
    std::ranges::copy(bytes.first(count),
                      stream.bytes.begin() + static_cast<std::ptrdiff_t>(there));
    stream.bits = static_cast<std::uint16_t>(stream.bits + 8 * count);
    bytes = bytes.subspan(count);
    if (stream.bits == 8 * kChunk) write(stream);
  }
}

void PackSink::assemble_block() {
  std::fill(state_.block.begin() + state_.block_size, state_.block.end(), 0U);
  const semantics::PackedBlock packed = semantics::pack_block(out_, state_.block);
  append(state_.exponents, packed.exponent, 8);
  for (unsigned k = 0; k < state_.block_size; ++k) append(state_.data, packed.data[k], bits_);
  state_.block_size = 0;
}

void PackSink::append(PackStream& stream, std::uint32_t datum, unsigned bits) {
  // Data lie at multiples of their own size: none is spread over bytes that another shares.
  for (unsigned done = 0; done < bits; done += 8) {
    const unsigned at = stream.bits + done;
    stream.bytes[at / 8] |= static_cast<std::uint8_t>((datum >> done & 0xFF) << at % 8);
  }
  stream.bits = static_cast<std::uint16_t>(stream.bits + bits);
  if (stream.bits == 8 * kChunk) write(stream);
}

void PackSink::write(PackStream& stream) {
  if (&stream == &state_.exponents && stream.address >= state_.first_data)
    note(tile_, i_, kExponentsInData);
  ++traffic_.writes;
  traffic_.last_write = stream.address;
  const bool is_first = traffic_.begin == traffic_.end;
  traffic_.begin =
      is_first ? stream.address : std::min<std::uint64_t>(traffic_.begin, stream.address);
  traffic_.end = std::max<std::uint64_t>(traffic_.end, stream.address + kChunk);
  traffic_.accumulated += accumulates_ ? 1 : 0;
  if (tile_.log != nullptr) tile_.log->touch_l1(stream.address, kChunk, true);
  if (!tile_.l1.holds(stream.address, kChunk)) {
    note(tile_, i_, kPacksOutsideL1);
  } else if (accumulates_) {
    // What fills the 16 bytes up is no datum: it is written (compared with the vendor's simulator).
    const unsigned bytes = bits_ / 8;
    for (unsigned k = 0; k < kChunk; k += bytes) {
      std::uint32_t packed = 0;
      for (unsigned b = 0; b < bytes; ++b)
        packed |= static_cast<std::uint32_t>(stream.bytes[k + b]) << (8 * b);
      if (8 * k < stream.bits) {
        const std::uint32_t old = tile_.l1.load(stream.address + k, bytes);
        packed = semantics::accumulate_in_l1(out_, old, packed);
      }
      tile_.l1.store(stream.address + k, bytes, packed);
    }
  } else {
    std::ranges::copy(stream.bytes, tile_.l1.bytes().begin() + stream.address);
  }
  stream.address += kChunk;
  stream.bytes = {};
  stream.bits = 0;
}

void PackSink::finish(bool ends) {
  if (!ends) return;
  if (state_.block_size != 0) assemble_block();
  end(state_.data);
  end(state_.exponents);
}

void PackSink::end(PackStream& stream) {
  if (stream.bits != 0) write(stream);
  stream.needs_address = true;
}

} // namespace lanewise::tile
