#include "run/goldens/conversions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include "number/tensors/l1_format.h"

namespace lanewise::goldens {

namespace {

using isa::DataFormat;
using semantics::Basis;

constexpr std::size_t kBlock = 16; ///< data that share an exponent
constexpr std::size_t kL1Line = 16;
constexpr unsigned kByteBits = 8;

std::size_t exponent_bytes(const GoldenFormat& format, std::size_t data) {
  return format.is_block() ? (data / kBlock + kL1Line - 1) / kL1Line * kL1Line : 0;
}

Expected<std::size_t> count_tiles(std::size_t size, std::size_t of_one, std::string_view what) {
  if (of_one != 0 && size % of_one == 0) return size / of_one;
  return bad_input(fmt::format("{} {} are no whole number of tiles of {}", size, what, of_one),
                   "check the format, and faces and face_rows of the tiles");
}

void put_datum(std::span<std::uint8_t> bytes, unsigned bits, std::size_t index,
               std::uint32_t datum) {
  const std::size_t first = index * bits;
  if (bits < kByteBits) {
    bytes[first / kByteBits] |=
        static_cast<std::uint8_t>((datum & isa::low_ones(bits)) << (first % kByteBits));
    return;
  }
  for (unsigned i = 0; i < bits / kByteBits; ++i)
    bytes[first / kByteBits + i] = static_cast<std::uint8_t>(datum >> (kByteBits * i));
}

/// Packs the data of one tile.
class TilePacker {
 public:
  TilePacker(const PackRequest& request, std::span<std::uint8_t> l1)
      : how_(request.how),
        out_(request.out),
        exponents_(l1.first(exponent_bytes(out_, request.tile_data))),
        data_(l1.subspan(exponents_.size())) {}

  void pack(std::span<const std::uint32_t> stored, std::span<const std::uint8_t> old) {
    if (out_.is_block()) return pack_blocks(stored);
    for (std::size_t i = 0; i < stored.size(); ++i) {
      std::uint32_t datum = converted(stored[i]);
      if (!old.empty())
        datum =
            semantics::accumulate_in_l1(how_.out, tensors::datum_at(old, out_.bits(), i), datum);
      put_datum(data_, out_.bits(), i, datum);
    }
  }

 private:
  std::uint32_t converted(std::uint32_t stored) const {
    const std::uint32_t early = semantics::pack_early(how_, stored);
    return semantics::pack_late(how_, semantics::apply_exponent_threshold(how_, early));
  }

  void pack_blocks(std::span<const std::uint32_t> stored) {
    for (std::size_t first = 0; first < stored.size(); first += kBlock) {
      std::array<std::uint32_t, kBlock> values{};
      for (std::size_t i = 0; i < kBlock; ++i) values[i] = converted(stored[first + i]);
      const semantics::PackedBlock block = semantics::pack_block(how_.out, values);
      exponents_[first / kBlock] = block.exponent;
      for (std::size_t i = 0; i < kBlock; ++i)
        put_datum(data_, out_.bits(), first + i, block.data[i]);
    }
  }

  const semantics::Packing& how_;
  const GoldenFormat& out_;
  std::span<std::uint8_t> exponents_, data_;
};

bool is_block_of_5_bits(const GoldenFormat& format) {
  return format.is_block() && format.has_5bit_exponent();
}

} // namespace

std::size_t tile_bytes(const GoldenFormat& format, std::size_t data) {
  return exponent_bytes(format, data) + data * format.bits() / kByteBits;
}

Expected<Unpacked> unpack_tiles(const UnpackRequest& request, std::span<const std::uint8_t> l1) {
  const semantics::Unpacking how{.arch = request.arch,
                                 .in = request.in.code,
                                 .out = request.out.code,
                                 .target = request.target,
                                 .is_unsigned = request.in.is_unsigned,
                                 .fp8_has_long_mantissa = request.in.fp8_has_long_mantissa};
  Unpacked result{.data = {}, .basis = semantics::basis_of(how)};
  if (result.basis == Basis::Unknown) {
    return bad_input(
        fmt::format("no source says what an unpacker of {} makes of {} as {} in {}",
                    arch_params(request.arch).names.family, request.in.name, request.out.name,
                    request.target == semantics::UnpackTarget::Dst ? "Dst" : "SrcA and SrcB"),
        "choose a pair that core.md 12.5 describes");
  }
  const std::size_t bytes = tile_bytes(request.in, request.tile_data);
  const auto tiles = count_tiles(l1.size(), bytes, "bytes");
  if (!tiles) return Unexpected(tiles.error());
  const std::size_t exponents = exponent_bytes(request.in, request.tile_data);
  const bool is_block = request.in.is_block();
  const unsigned bits = request.in.bits();
  result.data.reserve(*tiles * request.tile_data);
  for (std::size_t tile = 0; tile < *tiles; ++tile) {
    const auto section = l1.subspan(tile * bytes, bytes);
    const auto data = section.subspan(exponents);
    for (std::size_t i = 0; i < request.tile_data; ++i) {
      const std::uint32_t datum = tensors::datum_at(data, bits, i);
      const std::uint32_t exponent = is_block ? section[i / kBlock] : 0;
      if (is_block && semantics::loses_exponent(how, datum, exponent))
        result.loses_exponents = true;
      result.data.push_back(semantics::unpack_value(how, datum, exponent));
    }
  }
  return result;
}

semantics::Packing llk_packing(Arch arch, const GoldenFormat& src, const GoldenFormat& out,
                               bool is_wide) {
  constexpr std::uint8_t kLeastFp16Exponent = 113; ///< of an FP32
  const bool to_e4m3 = out.fp8_has_long_mantissa;
  const bool is_wide_format = src.code == DataFormat::Fp32 || src.code == DataFormat::Int32;
  semantics::Packing how;
  how.arch = arch;
  how.intermediate = src.code;
  how.out = out.code;
  how.reads_32_bits = is_wide || is_wide_format;
  how.is_unsigned = out.code == DataFormat::Int8 && out.is_unsigned;
  how.raw = !how.reads_32_bits && src.code == DataFormat::Int8;
  how.rounds_to_10_bits =
      (is_wide && src.code == DataFormat::Fp16) || (to_e4m3 && !src.has_5bit_exponent());
  how.fp8_has_long_mantissa = to_e4m3;
  how.in = to_e4m3 ? DataFormat::Fp16 : src.code;
  how.exponent_threshold = is_wide && is_block_of_5_bits(out) ? kLeastFp16Exponent : 0;
  return how;
}

Expected<GoldenFormat> packer_source(Arch arch, const GoldenFormat& arrived,
                                     const GoldenFormat& out, bool is_wide) {
  const auto named = [](std::string_view name) { return parse_golden_format(name); };
  const bool narrow_blocks = out.code == DataFormat::Bfp4 || out.code == DataFormat::Bfp2;
  // Only the packer itself makes FP16 of 32 bits on Wormhole.
  const bool has_late_fp16 = !arch_params(arch).tile.packs_bf16_as_fp16;
  if (is_wide) {
    if (narrow_blocks || (has_late_fp16 && out.code == DataFormat::Fp16)) return named("Float32");
    return out;
  }
  if (arrived.code == DataFormat::Fp16 && out.code == DataFormat::Bfp8) return named("Bfp8");
  if (!arrived.is_integer() && !arrived.has_5bit_exponent() && out.code == DataFormat::Fp16) {
    return bad_input(
        fmt::format("{} in 16 bits of Dst is packed as Float16 by no test of LLK", arrived.name),
        "set dest_acc=True, as they do");
  }
  if (narrow_blocks) return named("Float16_b");
  if (arrived.code == DataFormat::Fp32 || arrived.code == DataFormat::Tf32)
    return named("Float16_b");
  return arrived;
}

Expected<Packed> pack_tiles(const PackRequest& request, std::span<const std::uint32_t> stored,
                            std::span<const std::uint8_t> old) {
  Packed result{.l1 = {}, .basis = semantics::basis_of(request.how)};
  if (result.basis == Basis::Unknown) {
    return bad_input(fmt::format("no source says what a packer of {} makes of {} bits of Dst as {}",
                                 arch_params(request.how.arch).names.family,
                                 request.how.reads_32_bits ? 32 : 16, request.out.name),
                     "choose a way through the formats that core.md 14.5 to 14.8 describe");
  }
  if (!old.empty() && !semantics::can_accumulate(request.how.out)) {
    return bad_input(fmt::format("no source gives the sum of {} in L1", request.out.name),
                     "accumulate Float32, Float16_b or Float16");
  }
  const auto tiles = count_tiles(stored.size(), request.tile_data, "data of Dst");
  if (!tiles) return Unexpected(tiles.error());
  const std::size_t bytes = tile_bytes(request.out, request.tile_data);
  if (!old.empty() && old.size() != *tiles * bytes) {
    return bad_input(
        fmt::format("L1 has {} bytes, and {} are packed onto them", old.size(), *tiles * bytes),
        "give what L1 holds in the format that is packed");
  }
  result.l1.resize(*tiles * bytes);
  for (std::size_t tile = 0; tile < *tiles; ++tile) {
    TilePacker(request, std::span(result.l1).subspan(tile * bytes, bytes))
        .pack(stored.subspan(tile * request.tile_data, request.tile_data),
              old.empty() ? old : old.subspan(tile * bytes, bytes));
  }
  return result;
}

} // namespace lanewise::goldens
