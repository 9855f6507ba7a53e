#include "source/programs/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/in_quotes.h"
#include "base/near_names.h"

namespace lanewise::programs {

namespace {

enum class FormatKind : std::uint8_t { Float, Block, Integer, Raw };
enum class Exponent : std::uint8_t { None, A, B };

struct FormatRow {
  std::string_view name;
  DataFormat format;
  FormatKind kind;
  Exponent exponent;
  unsigned bits;
  std::string_view file;
};

constexpr auto kFormats = std::to_array<FormatRow>({
#define FORMAT(name, number, kind, exponent, bits, file) \
  {#name, DataFormat::name, FormatKind::kind, Exponent::exponent, bits, file},
#include "source/programs/formats.def"
#undef FORMAT
});

const FormatRow* row_of(DataFormat format) {
  const auto found = std::ranges::find(kFormats, format, &FormatRow::format);
  return found == kFormats.end() ? nullptr : found;
}

bool is_block(DataFormat format) {
  const FormatRow* const row = row_of(format);
  return row != nullptr && row->kind == FormatKind::Block;
}

Exponent exponent_of(DataFormat format) {
  const FormatRow* const row = row_of(format);
  return row == nullptr ? Exponent::None : row->exponent;
}

/// What bits of any kind are taken for.
DataFormat without_raw(DataFormat format) {
  switch (format) {
    case DataFormat::RawUInt32: return DataFormat::Float32;
    case DataFormat::RawUInt16: return DataFormat::Float16;
    case DataFormat::RawUInt8: return DataFormat::Lf8;
    default: return format;
  }
}

/// The kind of exponent that all formats of a kernel have, where they have one; of 8 bits if none
/// has.
Expected<Exponent> common_exponent(std::span<const DataFormat> formats) {
  DataFormat first = DataFormat::Invalid;
  for (const DataFormat format : formats) {
    const Exponent exponent = exponent_of(format);
    if (exponent == Exponent::None || format == DataFormat::Fp8_e4m3) continue;
    if (first != DataFormat::Invalid && exponent_of(first) != exponent) {
      return bad_input(fmt::format("circular buffers of {} and of {} have exponents of different "
                                   "width, which one kernel cannot have",
                                   format_name(first), format_name(format)),
                       "choose formats with _b, or formats without it, for all of them");
    }
    if (first == DataFormat::Invalid) first = format;
  }
  return first == DataFormat::Invalid ? Exponent::B : exponent_of(first);
}

/// What a packer of blocks reads from Dst: the widest blocks of the same exponent.
DataFormat packed_block(DataFormat format, bool is_precise) {
  const bool is_b = exponent_of(format) == Exponent::B;
  if (is_precise) return is_b ? DataFormat::Float16_b : DataFormat::Float16;
  return is_b ? DataFormat::Bfp8_b : DataFormat::Bfp8;
}

DataFormat pack_source(DataFormat format, DataFormat of_float32, const FormatRules& rules) {
  const FormatRow* const row = row_of(format);
  if (row == nullptr) return DataFormat::Invalid;
  if (row->kind == FormatKind::Raw) return without_raw(format);
  if (row->kind == FormatKind::Integer) return format;
  if (format == DataFormat::Fp8_e4m3)
    return exponent_of(of_float32) == Exponent::B ? DataFormat::Float16_b : DataFormat::Float16;
  if (rules.fp32_dest) {
    if (is_block(format))
      return rules.packs_bfp8_precisely ? DataFormat::Float32 : packed_block(format, false);
    return format == DataFormat::Float16 ? DataFormat::Float16_b : format;
  }
  if (format == DataFormat::Float32) return of_float32;
  return is_block(format) ? packed_block(format, rules.packs_bfp8_precisely) : format;
}

/// With FP8 among the inputs Dst has exponents of 5 bits, unless it has 32 bits.
DataFormat with_short_exponent(DataFormat format) {
  switch (format) {
    case DataFormat::Float16_b: return DataFormat::Float16;
    case DataFormat::Bfp8_b: return DataFormat::Bfp8;
    case DataFormat::Bfp4_b: return DataFormat::Bfp4;
    case DataFormat::Bfp2_b: return DataFormat::Bfp2;
    default: return format;
  }
}

} // namespace

std::string_view format_name(DataFormat format) {
  const FormatRow* const row = row_of(format);
  return row == nullptr ? "Invalid" : row->name;
}

std::string_view file_format(DataFormat format) {
  const FormatRow* const row = row_of(format);
  return row == nullptr ? "" : row->file;
}

Expected<DataFormat> parse_data_format(std::string_view name) {
  std::vector<std::string_view> names;
  for (const FormatRow& row : kFormats) {
    if (row.name == name) return row.format;
    names.push_back(row.name);
  }
  const auto near = near_names(name, names);
  return bad_input(fmt::format("{} is no format", in_quotes(name)),
                   fmt::format("choose {}", fmt::join(near.empty() ? names : near, ", ")));
}

std::uint32_t format_bytes(DataFormat format, std::uint32_t data) {
  const FormatRow* const row = row_of(format);
  if (row == nullptr) return 0;
  constexpr unsigned kBlock = 16; ///< data that share an exponent of one byte
  return data / 8 * row->bits + (row->kind == FormatKind::Block ? data / kBlock : 0);
}

Expected<KernelFormats> kernel_formats(std::span<const DataFormat> formats,
                                       const FormatRules& rules) {
  const auto exponent = common_exponent(formats);
  if (!exponent) return Unexpected(exponent.error());
  const bool all_fp32 = std::ranges::all_of(formats, [](DataFormat format) {
    return format == DataFormat::Invalid || format == DataFormat::Float32;
  });
  const bool has_fp8 = std::ranges::find(formats, DataFormat::Fp8_e4m3) != formats.end();
  DataFormat of_float32 = *exponent == Exponent::A ? DataFormat::Float16 : DataFormat::Float16_b;
  if (rules.fp32_dest && (all_fp32 || *exponent == Exponent::B)) of_float32 = DataFormat::Tf32;
  KernelFormats found;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const DataFormat format = formats[i], own = without_raw(format);
    found.unpack_source.push_back(own);
    found.pack_destination.push_back(own);
    const bool to_dest = i < rules.unpacks_to_dest.size() && rules.unpacks_to_dest[i];
    found.unpack_destination.push_back(format == DataFormat::Float32 && !to_dest ? of_float32
                                                                                 : own);
    const DataFormat source = pack_source(format, of_float32, rules);
    const bool shortens = has_fp8 && !rules.fp32_dest && format != DataFormat::Fp8_e4m3;
    found.pack_source.push_back(shortens ? with_short_exponent(source) : source);
  }
  return found;
}

} // namespace lanewise::programs
