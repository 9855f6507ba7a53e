// Kernels on integers: sums, products, bits and shifts.
#include <cmath>
#include <cstdlib>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

using formats::Format;

constexpr std::uint32_t kWidth = 32;
constexpr std::uint32_t kLow16 = 0xFFFF;

/// How integers lie in Dst, and how a kernel is told so. Two's complement is UINT32, whose bits the
/// kernel gets as they are. Sign and magnitude is INT32, of which the value bits are two's
/// complement.
struct Representation {
  const char* suffix; ///< of the row's name
  const char* mode;   ///< template arguments INSTRUCTION_MODE, SIGN_MAGNITUDE_FORMAT
  Format format;
  std::vector<Arch> chips{kArchs.begin(), kArchs.end()};
};

const Representation kTwosComplement{
    .suffix = "int32", .mode = "InstrModLoadStore::INT32, false", .format = Format::UINT32};
const Representation kUnsigned16{
    .suffix = "uint16", .mode = "InstrModLoadStore::LO16, false", .format = Format::UINT16};
const Representation kSignMagnitude{.suffix = "int32_sign_magnitude",
                                    .mode = "InstrModLoadStore::INT32, true",
                                    .format = Format::INT32};
/// Loads and stores that convert on Wormhole only (VU 3.4): there they take sign and magnitude, on
/// Blackhole two's complement, unless the kernel is told to convert.
const std::vector<Representation> kConvertingLoads{
    {.suffix = "int32_converting_load",
     .mode = "InstrModLoadStore::INT32_2S_COMP, false",
     .format = Format::UINT32,
     .chips = {Arch::Blackhole}},
    {.suffix = "int32_converting_load",
     .mode = "InstrModLoadStore::INT32_2S_COMP, false",
     .format = Format::INT32,
     .chips = {Arch::Wormhole}},
    {.suffix = "int32_converting_load_sign_magnitude",
     .mode = "InstrModLoadStore::INT32_2S_COMP, true",
     .format = Format::INT32}};

/// The tiles of a kernel with two inputs and one output.
struct Places {
  const char* suffix = "";
  const char* arguments = "0, 1, 2";
  unsigned out = 2;
};

LlkKernel integer_kernel(const char* name, const Representation& data, std::string header,
                         std::string call, LlkDomain domain, BitsOfTwo reference) {
  return {.name = std::string(name) + "_" + data.suffix,
          .header = std::move(header),
          .call = std::move(call),
          .chips = data.chips,
          .dst = {{.format = data.format}},
          .inputs = {{"every"}, {"shuffled"}},
          .outputs = {{.tile = 2}},
          .domain = std::move(domain),
          .reference = reference};
}

// -------------------------------------------------------------------- sums and differences

bool is_no_negative_zero(double x, double /*y*/ = 0) {
  return x != 0 || !std::signbit(x);
}
/// Results that sign and magnitude cannot hold are out of the domain; so is -0, which a converting
/// load takes for -2^31 (VU 3.4).
bool sum_fits(double x, double y) {
  return std::abs(x + y) < 0x1p31 && is_no_negative_zero(x) && is_no_negative_zero(y);
}
bool difference_fits(double x, double y) {
  return std::abs(x - y) < 0x1p31 && is_no_negative_zero(x) && is_no_negative_zero(y);
}

LlkDomain sums_of(const Representation& data, bool (*fits)(double, double)) {
  if (data.format == Format::INT32) return {.text = "results of 31 bits", .holds = fits};
  if (data.format == Format::UINT16) return {.text = "all, modulo 2^16"};
  return {.text = "all, modulo 2^32"};
}

LlkKernel add_int(const Representation& data) {
  const BitsOfTwo sum = [](std::uint32_t x, std::uint32_t y) { return x + y; };
  const BitsOfTwo low_sum = [](std::uint32_t x, std::uint32_t y) { return (x + y) & kLow16; };
  return integer_kernel("add", data, "add_int",
                        std::string("_add_int_<false, 8, ") + data.mode + ">(0, 1, 2)",
                        sums_of(data, sum_fits), data.format == Format::UINT16 ? low_sum : sum);
}

LlkKernel sub_int(const Representation& data) {
  const BitsOfTwo difference = [](std::uint32_t x, std::uint32_t y) { return x - y; };
  const BitsOfTwo low = [](std::uint32_t x, std::uint32_t y) { return (x - y) & kLow16; };
  return integer_kernel(
      "sub", data, "sub_int", std::string("_sub_int_<false, 8, ") + data.mode + ">(0, 1, 2)",
      sums_of(data, difference_fits), data.format == Format::UINT16 ? low : difference);
}

std::vector<LlkKernel> sums() {
  std::vector<LlkKernel> all;
  for (const auto& kernel : {add_int, sub_int}) {
    for (const Representation& data : {kTwosComplement, kSignMagnitude, kUnsigned16}) {
      all.push_back(kernel(data));
    }
    for (const Representation& data : kConvertingLoads) all.push_back(kernel(data));
  }
  return all;
}

// -------------------------------------------------------------------- products and bits

/// Where the result may go: a macro of its own for each on Blackhole.
std::vector<LlkKernel> products() {
  const auto product = [](const Places& places, BitsOfTwo reference) {
    return LlkKernel{.name = std::string("mul_uint16") + places.suffix,
                     .header = "mul_int",
                     .init = "_init_mul_int_<true>()",
                     .call = std::string("_mul_int_<true, 8>(") + places.arguments + ")",
                     .dst = {{.format = Format::UINT16}},
                     .inputs = {{"every"}, {"shuffled"}},
                     .outputs = {{.tile = places.out}},
                     .domain = {.text = "all, modulo 2^16"},
                     .has_twin = true,
                     .reference = reference};
  };
  const BitsOfTwo times = [](std::uint32_t x, std::uint32_t y) { return (x * y) & kLow16; };
  return {product({}, times),
          product({.suffix = "_to_first", .arguments = "0, 1, 0", .out = 0}, times),
          product({.suffix = "_to_second", .arguments = "0, 1, 1", .out = 1}, times),
          product({.suffix = "_square", .arguments = "0, 0, 0", .out = 0},
                  [](std::uint32_t x, std::uint32_t) { return (x * x) & kLow16; })};
}

std::vector<LlkKernel> bits() {
  std::vector<LlkKernel> all;
  const auto add = [&](const char* name, const char* operation, BitsOfTwo reference) {
    for (const auto& [suffix, mode, format] :
         {std::tuple{"int32", "INT32", Format::UINT32}, {"uint16", "LO16", Format::UINT16}}) {
      all.push_back(
          {.name = std::string("bitwise_") + name + "_" + suffix,
           .header = "binary_bitwise",
           .call = std::string("_calculate_sfpu_binary_bitwise_<true, BinaryBitwiseOp::") +
                   operation + ", InstrModLoadStore::" + mode + ", 8>(0, 1, 2)",
           .dst = {{.format = format}},
           .inputs = {{"every"}, {"shuffled"}},
           .outputs = {{.tile = 2}},
           .domain = {.text = "all"},
           .reference = reference});
    }
  };
  add("and", "AND", [](std::uint32_t x, std::uint32_t y) { return x & y; });
  add("or", "OR", [](std::uint32_t x, std::uint32_t y) { return x | y; });
  add("xor", "XOR", [](std::uint32_t x, std::uint32_t y) { return x ^ y; });
  return all;
}

// -------------------------------------------------------------------- shifts

/// Amounts below 0 or above 31 give 0.
std::uint32_t shifted_left(std::uint32_t x, std::uint32_t amount) {
  return amount < kWidth ? x << amount : 0;
}
std::uint32_t shifted_left_16(std::uint32_t x, std::uint32_t amount) {
  return shifted_left(x, amount) & kLow16;
}
std::uint32_t shifted_right(std::uint32_t x, std::uint32_t amount) {
  return amount < kWidth ? x >> amount : 0;
}
/// Of a negative number, ones come in at the top.
std::uint32_t shifted_right_signed(std::uint32_t x, std::uint32_t amount) {
  if (amount >= kWidth) return 0;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> amount);
}

struct Shift {
  const char* name;
  const char* function; ///< in _calculate_<function>_
  const Representation& data;
  const char* amounts; ///< pattern of the second input
  LlkDomain domain;
  BitsOfTwo reference;
  const char* defect = "";
};

LlkKernel shift(const Shift& what) {
  LlkKernel kernel = integer_kernel(
      what.name, what.data, "shift",
      std::string("_calculate_") + what.function + "_<true, 8, " + what.data.mode + ">(0, 1, 2)",
      what.domain, what.reference);
  kernel.inputs[1].pattern = what.amounts;
  kernel.defect = what.defect;
  return kernel;
}

bool product_fits(double x, double amount) {
  return std::abs(x) * std::exp2(amount) < 0x1p31 && is_no_negative_zero(x, amount);
}
std::vector<LlkKernel> shifts() {
  const LlkDomain all{.text = "all; 0 if the amount is not from 0 to 31"};
  const char *const kAny = "shuffled", *const kSmall = "random:1:0:40",
                    *const kValid = "random:1:0:31";
  const char *const kLeft = "binary_left_shift", *const kRight = "binary_right_shift",
                    *const kLogical = "logical_right_shift";
  const LlkDomain fits{.text = "results of 31 bits", .holds = product_fits};
  const LlkDomain valid{.text = "all but -0, by 0 to 31", .holds = is_no_negative_zero};
  const Representation on_blackhole{.suffix = "int32_sign_magnitude",
                                    .mode = "InstrModLoadStore::INT32, true",
                                    .format = Format::INT32,
                                    .chips = {Arch::Blackhole}};
  Representation on_wormhole = on_blackhole, out_of_range = kTwosComplement;
  on_wormhole.chips = {Arch::Wormhole};
  out_of_range.suffix = "int32_out_of_range";
  const char* const kNoConversion =
      "Blackhole's loads convert no sign and magnitude, so that the sign is shifted as well";
  const char* const kNotZero =
      "an amount below 0 shifts to the left, and one above 31 leaves ones of a negative number, "
      "where the header says 0";
  return {
      shift({"left_shift", kLeft, kTwosComplement, kSmall, all, shifted_left}),
      shift({"left_shift_any", kLeft, kTwosComplement, kAny, all, shifted_left}),
      shift({"left_shift", kLeft, kUnsigned16, kSmall, all, shifted_left_16}),
      shift({"left_shift", kLeft, on_wormhole, kSmall, fits, shifted_left}),
      shift({"left_shift", kLeft, on_blackhole, kSmall, fits, shifted_left, kNoConversion}),
      shift({"logical_right_shift", kLogical, kTwosComplement, kSmall, all, shifted_right}),
      shift({"logical_right_shift_any", kLogical, kTwosComplement, kAny, all, shifted_right}),
      shift({"logical_right_shift", kLogical, kUnsigned16, kSmall, all, shifted_right}),
      shift({"right_shift", kRight, kTwosComplement, kValid, valid, shifted_right_signed}),
      shift({"right_shift", kRight, out_of_range, kAny, all, shifted_right_signed, kNotZero}),
      shift({"right_shift", kRight, kUnsigned16, kSmall, all, shifted_right}),
      shift({"right_shift", kRight, on_wormhole, kValid, valid, shifted_right_signed}),
      shift({"right_shift", kRight, on_blackhole, kValid, valid, shifted_right_signed,
             kNoConversion}),
  };
}

std::vector<LlkKernel> negations() {
  return {{.name = "negative_int",
           .header = "negative",
           .call = "_calculate_negative_int_<true, 8>()",
           // Wormhole's kernel flips the sign bit between two conversions from and to sign and
           // magnitude, which comes to the same.
           .dst = {{.format = Format::UINT32}},
           .domain = {.text = "all, two's complement"},
           .reference = [](std::uint32_t x) { return 0U - x; }}};
}

} // namespace

std::vector<LlkKernel> llk_integers() {
  return joined(sums(), negations(), products(), bits(), shifts());
}

} // namespace lanewise::corpus
