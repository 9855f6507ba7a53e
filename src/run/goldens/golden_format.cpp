#include "run/goldens/golden_format.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "base/in_quotes.h"

namespace lanewise::goldens {

namespace {

using isa::DataFormat;

constexpr std::array<GoldenFormat, 18> kFormats{{
    {"Float32", "fp32", DataFormat::Fp32},
    {"Tf32", "tf32", DataFormat::Tf32},
    {"Float16", "fp16", DataFormat::Fp16},
    {"Float16_b", "bf16", DataFormat::Bf16},
    {"Bfp8", "bfp8a", DataFormat::Bfp8a},
    {"Bfp8_b", "bfp8", DataFormat::Bfp8},
    {"Bfp4", "bfp4a", DataFormat::Bfp4a},
    {"Bfp4_b", "bfp4", DataFormat::Bfp4},
    {"Bfp2", "bfp2a", DataFormat::Bfp2a},
    {"Bfp2_b", "bfp2", DataFormat::Bfp2},
    {"Lf8", "fp8", DataFormat::Fp8},
    {"Fp8_e4m3", "fp8_e4m3", DataFormat::Fp8, false, true},
    {"Int32", "int32", DataFormat::Int32},
    {"UInt32", "uint32", DataFormat::Int32, true},
    {"Int16", "int16", DataFormat::Int16},
    {"UInt16", "uint16", DataFormat::Int16, true},
    {"Int8", "int8", DataFormat::Int8},
    {"UInt8", "uint8", DataFormat::Int8, true},
}};

const isa::NumberFormat& row_of(const GoldenFormat& format) {
  return *isa::format_of_code(format.code);
}

} // namespace

unsigned GoldenFormat::bits() const {
  return row_of(*this).l1->bits;
}

bool GoldenFormat::is_block() const {
  return row_of(*this).l1->is_block();
}

bool GoldenFormat::is_integer() const {
  return code == DataFormat::Int32 || code == DataFormat::Int16 || code == DataFormat::Int8;
}

bool GoldenFormat::has_5bit_exponent() const {
  return row_of(*this).operand->exponent_bits == 5;
}

Expected<GoldenFormat> parse_golden_format(std::string_view name) {
  std::string names;
  for (const GoldenFormat& format : kFormats) {
    if (name == format.name || name == format.own_name) return format;
    names += fmt::format("{}{}", names.empty() ? "" : " ", format.name);
  }
  if (name.starts_with("Mx"))
    return bad_input(fmt::format("{} is a format of Quasar, which is not here", in_quotes(name)),
                     "use one of " + names);
  return bad_input(fmt::format("{} is not a format", in_quotes(name)), "use one of " + names);
}

Expected<formats::Format> dst_format(const GoldenFormat& format, bool is_wide) {
  using formats::Format;
  const auto refused = [&](std::string_view why) {
    return bad_input(fmt::format("Dst of {} bits has no {}", is_wide ? 32 : 16, format.name),
                     std::string(why));
  };
  switch (format.code) {
    case DataFormat::Int32:
      if (!is_wide) return refused("set dest_acc=True");
      return format.is_unsigned ? Format::UINT32 : Format::INT32;
    case DataFormat::Int16:
      if (is_wide) return refused("set dest_acc=False");
      return format.is_unsigned ? Format::UINT16 : Format::INT16;
    case DataFormat::Int8: return is_wide ? Format::INT32 : Format::INT8;
    default: break;
  }
  if (is_wide) return Format::FP32;
  return format.has_5bit_exponent() ? Format::FP16 : Format::BF16;
}

} // namespace lanewise::goldens
