#include "chip/tile/dst_window.h"

#include <fmt/format.h>

#include <array>

#include "chip/isa/config.h"
#include "chip/machine/dst.h"
#include "chip/machine/matrix/arithmetic.h"
#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"

namespace lanewise::tile {
namespace {

using isa::ConfigField;

/// Values of RISC_DEST_ACCESS_CTRL_SECn_fmt.
enum class Element : std::uint8_t { Float32, Int32, Float16, Bfloat16, Int16, Int8 };
constexpr std::uint32_t kElements = 6;

struct Access {
  Element element{};
  bool is_raw = false;      ///< no_swizzle: bits as they are in Dst
  bool is_unsigned = false; ///< unsigned_int
  unsigned bytes = 0;       ///< of an element in the address space
};

constexpr unsigned bytes_of(Element element) {
  if (element == Element::Float32 || element == Element::Int32) return 4;
  return element == Element::Int8 ? 1 : 2;
}

constexpr bool is_wide(Element element) {
  return bytes_of(element) == 4;
}

Unexpected undefined(std::string message, std::string remedy) {
  return Unexpected(Fault{.kind = FaultKind::UndefinedBehavior,
                          .message = std::move(message),
                          .remedy = std::move(remedy),
                          .rule = "core.md 16.1"});
}

/// T0, T1 and T2 have settings of their own. T2 may access several elements at once.
Expected<Access> find_access(const TileState& tile, unsigned core, std::uint32_t offset,
                             unsigned bytes) {
  struct Fields {
    ConfigField format, is_raw, is_unsigned;
  };
  constexpr std::array kFields{Fields{ConfigField::RISC_DEST_ACCESS_CTRL_SEC0_fmt,
                                      ConfigField::RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle,
                                      ConfigField::RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int},
                               Fields{ConfigField::RISC_DEST_ACCESS_CTRL_SEC1_fmt,
                                      ConfigField::RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle,
                                      ConfigField::RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int},
                               Fields{ConfigField::RISC_DEST_ACCESS_CTRL_SEC2_fmt,
                                      ConfigField::RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle,
                                      ConfigField::RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int}};
  constexpr unsigned kPackCore = 2;
  const ConfigState& config = tile.machine.config;
  const std::uint32_t format = config.get(kFields[core].format, core);
  if (format >= kElements) {
    return undefined(
        fmt::format("RISC_DEST_ACCESS_CTRL_SEC{}_fmt is {}, which is reserved", core, format),
        "set it to a value from 0 to 5");
  }
  Access access{.element = static_cast<Element>(format),
                .is_raw = config.get(kFields[core].is_raw, core) != 0,
                .is_unsigned = config.get(kFields[core].is_unsigned, core) != 0};
  access.bytes = bytes_of(access.element);
  if (bytes < access.bytes || (bytes > access.bytes && core != kPackCore)) {
    return undefined(
        fmt::format("{} bytes of Dst at once, where RISC_DEST_ACCESS_CTRL_SEC{}_fmt says that an "
                    "element has {}",
                    bytes, core, access.bytes),
        "access one element, or set the format before");
  }
  if (offset % bytes != 0)
    return undefined("an access to Dst that its own size does not divide", "align it");
  const unsigned rows = is_wide(access.element) ? kDstRows / 2 : kDstRows;
  if (offset / access.bytes / kDstColumns >= rows)
    return undefined(fmt::format("row {} of Dst", offset / access.bytes / kDstColumns),
                     fmt::format("with elements of this format Dst has {} rows", rows));
  return access;
}

constexpr std::uint32_t kSign16 = 0x8000, kSign32 = 0x80000000;

/// Sign and magnitude of so many bits, as two's complement; -0 becomes 0.
constexpr std::uint32_t negated(std::uint32_t bits, std::uint32_t sign) {
  return (bits & sign) == 0 ? bits : (0 - (bits & (sign - 1))) & (2 * sign - 1);
}

/// And back; the most negative number becomes the one above it.
constexpr std::uint32_t with_sign(std::uint32_t bits, std::uint32_t sign) {
  if ((bits & sign) == 0) return bits;
  const std::uint32_t magnitude = (0 - bits) & (2 * sign - 1);
  return sign | (magnitude == sign ? sign - 1 : magnitude);
}

// An integer of 8 bits lies in Dst with 10 bits of magnitude above the exponent 16, or 0 of zero.
constexpr unsigned kMagnitudeShift = 5;
constexpr std::uint32_t kExponent = 16;

std::uint32_t loaded_int8(const Access& access, std::uint32_t stored) {
  const std::uint32_t magnitude = stored >> kMagnitudeShift;
  if (access.is_raw || access.is_unsigned) return magnitude & 0xFF;
  const std::uint32_t size = magnitude & 0x7F;
  return ((stored & kSign16) != 0 ? 0 - size : size) & 0xFF;
}

/// A negative number keeps bit 7 of its magnitude set: silicon converts it so.
std::uint32_t stored_int8(const Access& access, std::uint32_t value) {
  const bool is_negative = !access.is_raw && !access.is_unsigned && value >= 0x80;
  if (!is_negative) return value << kMagnitudeShift | (value != 0 ? kExponent : 0);
  const std::uint32_t magnitude = (0x180 - value - (value == 0x80 ? 1 : 0)) & 0xFF;
  return kSign16 | magnitude << kMagnitudeShift | kExponent;
}

/// What a core loads of what is stored.
std::uint32_t to_core(const Access& access, std::uint32_t stored) {
  switch (access.element) {
    case Element::Float32: return access.is_raw ? stored : semantics::unshuffle_32(stored);
    case Element::Int32:
      return access.is_raw ? stored : negated(semantics::unshuffle_32(stored), kSign32);
    case Element::Float16: return access.is_raw ? stored : semantics::unshuffle_fp16(stored);
    case Element::Bfloat16: return access.is_raw ? stored : semantics::unshuffle_16(stored);
    case Element::Int16:
      return access.is_raw || access.is_unsigned ? stored : negated(stored, kSign16);
    case Element::Int8: return loaded_int8(access, stored);
  }
  return 0;
}

/// What is stored of what a core has.
std::uint32_t to_dst(const Access& access, std::uint32_t value) {
  switch (access.element) {
    case Element::Float32: return access.is_raw ? value : semantics::shuffle_32(value);
    case Element::Int32:
      return access.is_raw ? value : semantics::shuffle_32(with_sign(value, kSign32));
    case Element::Float16: return access.is_raw ? value : semantics::shuffle_fp16(value);
    case Element::Bfloat16: return access.is_raw ? value : semantics::shuffle_16(value);
    case Element::Int16:
      return access.is_raw || access.is_unsigned ? value : with_sign(value, kSign16);
    case Element::Int8: return stored_int8(access, value);
  }
  return 0;
}

/// Where an element is, in cells.
struct Place {
  unsigned row = 0, column = 0;
};

Place place_of(const TileState& tile, const Access& access, std::uint32_t offset) {
  const std::uint32_t index = offset / access.bytes;
  return {.row = matrix_dst_row(tile.machine.config, index / kDstColumns, is_wide(access.element)),
          .column = index % kDstColumns};
}

std::uint32_t mask_of(unsigned bytes) {
  return bytes == sizeof(std::uint32_t) ? ~0U : (1U << 8 * bytes) - 1;
}

} // namespace

Expected<std::uint32_t> load_dst(const TileState& tile, unsigned core, std::uint32_t offset,
                                 unsigned bytes) {
  const auto access = find_access(tile, core, offset, bytes);
  if (!access) return Unexpected(access.error());
  const Dst& dst = tile.machine.dst;
  std::uint32_t value = 0;
  for (unsigned done = 0; done < bytes; done += access->bytes) {
    const Place place = place_of(tile, *access, offset + done);
    std::uint32_t stored = 0; // of an invalid row
    if (dst.valid(place.row)) {
      stored = dst.cell[place.row][place.column];
      if (is_wide(access->element))
        stored = stored << 16 | dst.cell[place.row + kDstLowHalf][place.column];
    }
    value |= to_core(*access, stored) << 8 * done;
  }
  return value;
}

Expected<void> store_dst(TileState& tile, unsigned core, std::uint32_t offset, unsigned bytes,
                         std::uint32_t value) {
  const auto access = find_access(tile, core, offset, bytes);
  if (!access) return Unexpected(access.error());
  Dst& dst = tile.machine.dst;
  for (unsigned done = 0; done < bytes; done += access->bytes) {
    const Place place = place_of(tile, *access, offset + done);
    const std::uint32_t stored = to_dst(*access, value >> 8 * done & mask_of(access->bytes));
    dst.set_valid(place.row, true);
    if (is_wide(access->element)) {
      dst.cell[place.row][place.column] = static_cast<std::uint16_t>(stored >> 16);
      dst.cell[place.row + kDstLowHalf][place.column] = static_cast<std::uint16_t>(stored);
    } else {
      dst.cell[place.row][place.column] = static_cast<std::uint16_t>(stored);
    }
  }
  return {};
}

} // namespace lanewise::tile
