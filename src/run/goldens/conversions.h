// Many tiles through an unpacker or a packer: the conversions of chip/semantics/, which the tile
// runs datum by datum, on arrays.
//
// A tile here is a run of data as they lie in L1, face by face; of block formats the exponents come
// first, in whole lines of 16 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/semantics/pack_values.h"
#include "chip/semantics/unpack_values.h"
#include "run/goldens/golden_format.h"

namespace lanewise::goldens {

/// Bytes of a tile of so many data in L1.
std::size_t tile_bytes(const GoldenFormat& format, std::size_t data);

struct UnpackRequest {
  Arch arch = kDefaultArch;
  GoldenFormat in, out;
  semantics::UnpackTarget target = semantics::UnpackTarget::SourceRegister;
  std::size_t tile_data = 1024; ///< a multiple of 16
};

struct Unpacked {
  /// Cells of a source register as the upper 19 bits of 32, or what Dst stores.
  std::vector<std::uint32_t> data;
  semantics::Basis basis = semantics::Basis::Compared;
  bool loses_exponents = false; ///< of blocks with 5 bits of exponent: they were wrapped
};

/// Error: BadInput for a pair of formats of which no source says what comes out, and where the
/// bytes are no whole number of tiles.
Expected<Unpacked> unpack_tiles(const UnpackRequest& request, std::span<const std::uint8_t> l1);

/// What the configuration of LLK's packers comes to. `src`: the packer's input format, `out`: that
/// in L1.
semantics::Packing llk_packing(Arch arch, const GoldenFormat& src, const GoldenFormat& out,
                               bool is_wide);

/// The packer's input format that LLK's tests choose for what is in Dst, where it has arrived as
/// `arrived`. Error: BadInput where they choose another Dst.
Expected<GoldenFormat> packer_source(Arch arch, const GoldenFormat& arrived,
                                     const GoldenFormat& out, bool is_wide);

struct PackRequest {
  semantics::Packing how;
  GoldenFormat out;
  std::size_t tile_data = 1024; ///< a multiple of 16
};

struct Packed {
  std::vector<std::uint8_t> l1;
  semantics::Basis basis = semantics::Basis::Compared;
};

/// `stored`: what Dst stores. `old`: what L1 holds before, where the packer adds to it; else empty.
/// Error: BadInput for a way through the formats of which no source says what comes out, for sums
/// of a format that no source gives, and where the data are no whole number of tiles.
Expected<Packed> pack_tiles(const PackRequest& request, std::span<const std::uint32_t> stored,
                            std::span<const std::uint8_t> old);

} // namespace lanewise::goldens
