#include "number/tensors/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

#include "base/file.h"
#include "base/float_chars.h"
#include "base/in_quotes.h"
#include "number/tensors/npy.h"

namespace lanewise::tensors {
namespace {

using formats::Format;

using Arguments = std::span<const std::string_view>;

Tensor one_tile(Format format) {
  return {.shape = {kTileEdge, kTileEdge}, .bits = {}, .format = format};
}

Unexpected not_written_so(std::string_view text, std::string_view what) {
  return bad_input(fmt::format("{} is not {}", in_quotes(text), what),
                   "write it in digits, for instance 12");
}

template <class Number>
Expected<Number> parse_number(std::string_view text, std::string_view what, auto... base) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base...);
  if (error == std::errc{} && stop == end && !text.empty()) return number;
  return not_written_so(text, what);
}

Expected<double> parse_value(std::string_view text) {
  // std::from_chars() knows only the minus sign.
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = float_from_chars(text.data(), end, number);
  if (error == std::errc{} && stop == end && !text.empty()) return number;
  return not_written_so(text, "a number");
}

Expected<std::uint64_t> parse_seed(Arguments arguments) {
  if (arguments.empty()) return 0;
  const std::string_view text = arguments[0];
  constexpr std::string_view kSeed = "a seed, a whole number from 0 to 2^64 - 1";
  if (text.starts_with("0x")) return parse_number<std::uint64_t>(text.substr(2), kSeed, 16);
  return parse_number<std::uint64_t>(text, kSeed);
}

/// LO and HI from the two arguments, or the defaults of the format if there are none.
Expected<formats::ValueRange> parse_range(Arguments arguments, Format format) {
  const formats::ValueRange limits = formats::value_range(format);
  if (arguments.empty()) {
    if (!formats::is_integer(format)) return formats::ValueRange{-8, 8};
    return limits.lowest < 0 ? formats::ValueRange{-512, 511} : formats::ValueRange{0, 1023};
  }
  std::array<double, 2> ends{};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto end = parse_value(arguments[i]);
    if (!end) return Unexpected(end.error());
    if (const auto fits = formats::check_value(format, *end); !fits)
      return Unexpected(fits.error());
    if (!(*end >= limits.lowest && *end <= limits.highest)) {
      return bad_input(fmt::format("{} is not a finite number of {}", in_quotes(arguments[i]),
                                   formats::format_name(format)),
                       fmt::format("use one from {} to {}", limits.lowest, limits.highest));
    }
    ends[i] = *end;
  }
  return formats::ValueRange{ends[0], ends[1]};
}

Expected<Tensor> make_ramp(Arguments arguments, Format format) {
  const auto range = parse_range(arguments, format);
  if (!range) return Unexpected(range.error());
  const double span = range->highest - range->lowest;
  constexpr unsigned kSteps = kTileElements - 1;
  Tensor tensor = one_tile(format);
  for (unsigned i = 0; i < kSteps; ++i) {
    // Multiplied before divided: no compiler can fuse that with the addition, which would change
    // bits.
    tensor.bits.push_back(formats::round_to_bits(format, span * i / kSteps + range->lowest));
  }
  tensor.bits.push_back(formats::round_to_bits(format, range->highest));
  return tensor;
}

/// Uniform between two numbers, or two whole numbers, both included.
double random_number(std::uint64_t random, formats::ValueRange range, bool is_whole) {
  const double span = range.highest - range.lowest;
  if (is_whole) {
    const std::uint64_t choices = static_cast<std::uint64_t>(span) + 1;
    return range.lowest + static_cast<double>((random >> 32) * choices >> 32);
  }
  // As in make_ramp(): the scaling by 2^-53 is exact, so that fusing it would not change bits
  // either.
  return range.lowest + std::ldexp(span * static_cast<double>(random >> 11), -53);
}

Expected<Tensor> make_random(Arguments arguments, Format format) {
  const auto seed = parse_seed(arguments);
  if (!seed) return Unexpected(seed.error());
  const auto range = parse_range(arguments.empty() ? arguments : arguments.subspan(1), format);
  if (!range) return Unexpected(range.error());
  if (range->lowest > range->highest) {
    return bad_input(
        fmt::format("the lower end {} is above the upper end {}", range->lowest, range->highest),
        "swap the two");
  }
  SplitMix64 generator(*seed);
  Tensor tensor = one_tile(format);
  for (unsigned i = 0; i < kTileElements; ++i) {
    const double number = random_number(generator(), *range, formats::is_integer(format));
    tensor.bits.push_back(formats::round_to_bits(format, number));
  }
  return tensor;
}

/// The upper bits of a random number as a pattern of the format.
std::uint32_t random_bits(std::uint64_t random, Format format) {
  if (formats::is_32bit(format)) return static_cast<std::uint32_t>(random >> 32);
  // Through the cell, so that an INT8 gets a sign and a magnitude of ten bits.
  return formats::value_bits(format, static_cast<std::uint32_t>(random >> 48));
}

Expected<Tensor> make_bits(Arguments arguments, Format format) {
  const auto seed = parse_seed(arguments);
  if (!seed) return Unexpected(seed.error());
  SplitMix64 generator(*seed);
  Tensor tensor = one_tile(format);
  for (unsigned i = 0; i < kTileElements; ++i) {
    tensor.bits.push_back(random_bits(generator(), format));
  }
  return tensor;
}

Expected<Tensor> make_every_bf16(Arguments, Format format) {
  constexpr std::uint32_t kPatterns = 1 << 16;
  Tensor tensor{
      .shape = {kPatterns / kTileElements, kTileEdge, kTileEdge}, .bits = {}, .format = format};
  for (std::uint32_t bits = 0; bits < kPatterns; ++bits) {
    // BF16 itself is not rounded: that would flush its denormals.
    tensor.bits.push_back(
        format == Format::BF16
            ? bits
            : formats::round_to_bits(format, formats::value_of_bits(Format::BF16, bits)));
  }
  return tensor;
}

/// Collects patterns in the order of their first mention.
class PatternList {
 public:
  void add(std::uint32_t bits) {
    if (std::ranges::find(bits_, bits) == bits_.end()) bits_.push_back(bits);
  }
  std::vector<std::uint32_t> take() { return std::move(bits_); }

 private:
  std::vector<std::uint32_t> bits_;
};

/// With either sign: zero, the ends of the denormals and of the normals, 1 and its neighbours, the
/// patterns of the top exponent (Inf and NaNs, where the format has them), all powers of two.
std::vector<std::uint32_t> special_floats(Format format) {
  const std::uint32_t one = formats::round_to_bits(format, 1.0);
  const std::uint32_t smallest_normal =
      one & (~one + 1); // 1.0 has the exponent 01..1 and no mantissa
  const std::uint32_t sign = formats::round_to_bits(format, -0.0);
  const std::uint32_t top = sign - smallest_normal; // the top exponent, mantissa 0
  const std::uint32_t quiet = smallest_normal >> 1;
  PatternList list;
  const auto add_both = [&](std::uint32_t magnitude) {
    list.add(magnitude);
    list.add(sign | magnitude);
  };
  for (const std::uint32_t magnitude :
       {0u, 1u, smallest_normal - 1, smallest_normal, smallest_normal + 1, one - 1, one, one + 1,
        top - 1, top, top | 1, top | (quiet - 1), top | quiet, top | quiet | 1, sign - 1}) {
    add_both(magnitude);
  }
  for (std::uint32_t power = smallest_normal; power < top; power += smallest_normal)
    add_both(power);
  return list.take();
}

/// Zero, also as the stored -0 where the format has a sign; the ends of the range; the powers of
/// two and their neighbours, with either sign.
std::vector<std::uint32_t> special_integers(Format format) {
  const auto [lowest, highest] = formats::value_range(format);
  PatternList list;
  const auto add_if_in_range = [&, low = lowest, high = highest](double value) {
    if (value >= low && value <= high) list.add(formats::round_to_bits(format, value));
  };
  add_if_in_range(0);
  if (lowest < 0)
    list.add(formats::value_bits(format, formats::is_32bit(format) ? 0x8000'0000 : 0x8000));
  add_if_in_range(lowest);
  add_if_in_range(highest);
  for (int exponent = 0; exponent < (formats::is_32bit(format) ? 32 : 16); ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    for (const double magnitude : {power - 1, power, power + 1}) {
      add_if_in_range(magnitude);
      add_if_in_range(-magnitude);
    }
  }
  return list.take();
}

Expected<Tensor> make_special(Arguments, Format format) {
  auto bits = formats::is_integer(format) ? special_integers(format) : special_floats(format);
  const std::size_t count = bits.size();
  return Tensor{.shape = {count}, .bits = std::move(bits), .format = format};
}

Expected<Tensor> make_value(Arguments arguments, Format format) {
  const auto value = parse_value(arguments[0]);
  if (!value) return Unexpected(value.error());
  if (const auto fits = formats::check_value(format, *value); !fits)
    return Unexpected(fits.error());
  Tensor tensor = one_tile(format);
  tensor.bits.assign(kTileElements, formats::round_to_bits(format, *value));
  return tensor;
}

Expected<Tensor> make_zero(Arguments, Format format) {
  Tensor tensor = one_tile(format);
  tensor.bits.assign(kTileElements, 0);
  return tensor;
}

struct PatternKind {
  std::string_view name;
  std::string_view usage;
  std::string_view help;
  std::array<bool, 4> takes; ///< takes[n]: may have n arguments
  Expected<Tensor> (*make)(Arguments, Format);
};

constexpr std::array kPatternKinds{
    PatternKind{"ramp",
                "ramp[:LO:HI]",
                "equal steps; -8 to 8, integers -512 to 511, unsigned 0 to 1023",
                {true, false, true, false},
                make_ramp},
    PatternKind{"random",
                "random[:SEED[:LO:HI]]",
                "uniform between the same ends; the seed is 0 unless given",
                {true, true, false, true},
                make_random},
    PatternKind{"bits",
                "bits[:SEED]",
                "uniform over the bit patterns of the format",
                {true, true, false, false},
                make_bits},
    PatternKind{"every-bf16",
                "every-bf16",
                "all 65,536 bf16 patterns in order, 64 tiles",
                {true, false, false, false},
                make_every_bf16},
    PatternKind{"special",
                "special",
                "zeros, denormals, limits, Inf, NaN, powers of two",
                {true, false, false, false},
                make_special},
    PatternKind{
        "value", "value:X", "the number X everywhere", {false, true, false, false}, make_value},
    PatternKind{"zero", "zero", "0 everywhere", {true, false, false, false}, make_zero}};

constexpr std::string_view kFileUsage = "FILE.npy";

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Expected<Tensor> read_tensor(const std::string& path, Format format) {
  const auto bytes = read_file(path);
  if (!bytes) return Unexpected(bytes.error());
  const auto array = parse_npy(*bytes, path);
  if (!array) return Unexpected(array.error());
  return tensor_from_npy(*array, format);
}

Unexpected unknown_pattern(std::string_view specification) {
  std::string usages;
  for (const PatternKind& kind : kPatternKinds) usages += fmt::format("{}, ", kind.usage);
  return bad_input(
      fmt::format("{} is neither an input pattern nor a file", in_quotes(specification)),
      fmt::format("use one of {}{}", usages, kFileUsage));
}

} // namespace

Expected<Tensor> make_input(std::string_view specification, Format format) {
  const std::string path(specification);
  if (specification.ends_with(".npy")) return read_tensor(path, format);
  const auto parts = split(specification, ':');
  const Arguments arguments = Arguments(parts).subspan(1);
  const auto* const kind = std::ranges::find(kPatternKinds, parts[0], &PatternKind::name);
  if (kind != kPatternKinds.end()) {
    if (arguments.size() < kind->takes.size() && kind->takes[arguments.size()]) {
      return kind->make(arguments, format);
    }
    return bad_input(
        fmt::format("the input {} has {} arguments", in_quotes(specification), arguments.size()),
        fmt::format("write {}", kind->usage));
  }
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return read_tensor(path, format);
  return unknown_pattern(specification);
}

std::string pattern_help() {
  std::string text;
  const auto add = [&text](std::string_view usage, std::string_view help) {
    text += fmt::format("{:<23}{}\n", usage, help);
  };
  for (const PatternKind& kind : kPatternKinds) add(kind.usage, kind.help);
  add(kFileUsage, "a NumPy array; matrices of 32x32 blocks are tiled, others fill tile after tile");
  return text;
}

} // namespace lanewise::tensors
