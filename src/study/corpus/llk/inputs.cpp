#include "study/corpus/llk/inputs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "number/tensors/pattern.h"

namespace lanewise::corpus {

namespace {

using formats::Format;
using tensors::Tensor;

constexpr std::uint32_t kPatterns = 0x10000;
constexpr unsigned kHalf = 16;

/// The n-th pattern: n itself in 16 bits; with random bits behind it in 32, or with zeros behind
/// those that end with six zeros, so that zeros, infinities and powers of 2 are there as well.
std::uint32_t pattern_bits(std::uint32_t n, Format format) {
  constexpr std::uint32_t kExactEnd = 0x3F;
  if (!formats::is_32bit(format)) return n;
  if ((n & kExactEnd) == 0) return n << kHalf;
  return n << kHalf | static_cast<std::uint32_t>(tensors::SplitMix64(n)() >> 48);
}

/// One element for each pattern; `order` gives the pattern of a place.
template <class Order>
Tensor all_patterns(Format format, Order order) {
  Tensor tensor{
      .shape = {kPatterns / tensors::kTileElements, tensors::kTileEdge, tensors::kTileEdge},
      .bits = {},
      .format = format};
  tensor.bits.reserve(kPatterns);
  for (std::uint32_t n = 0; n < kPatterns; ++n) {
    tensor.bits.push_back(pattern_bits(order(n) % kPatterns, format));
  }
  return tensor;
}

/// `every`, where each second place has the next of the integers from -2^14 instead.
Tensor many_integers(Format format) {
  constexpr std::int32_t kFirst = -0x4000;
  Tensor tensor = all_patterns(format, [](std::uint32_t n) { return n; });
  for (std::uint32_t n = 1; n < kPatterns; n += 2) {
    const auto integer = static_cast<std::uint32_t>(kFirst + static_cast<std::int32_t>(n / 2));
    tensor.bits[n] = formats::is_32bit(format) ? integer : integer % kPatterns;
  }
  return tensor;
}

/// Multiples of 1/2 from -8 to 7.5 in a random order, on and on.
Tensor many_halves(Format format) {
  constexpr std::uint64_t kHalves = 32;
  Tensor tensor = all_patterns(format, [](std::uint32_t n) { return n; });
  tensors::SplitMix64 random(0);
  for (std::uint32_t& bits : tensor.bits) {
    const auto half = static_cast<double>(random() % kHalves);
    bits = formats::round_to_bits(format, half / 2 - 8);
  }
  return tensor;
}

/// `every`, each second one of them shifted down to 16 bits.
Tensor short_patterns(Format format) {
  Tensor tensor = all_patterns(format, [](std::uint32_t n) { return n; });
  if (!formats::is_32bit(format)) return tensor;
  for (std::size_t i = 1; i < tensor.bits.size(); i += 2) tensor.bits[i] >>= kHalf;
  return tensor;
}

/// The magnitudes of bf16 from 2^-5 to 8, which are 8 * 128 in number, in a random order. Every
/// second one is negative; which of them depends on the seed, even or odd.
Tensor distinct_numbers(std::uint64_t seed, Format format) {
  constexpr std::uint32_t kFirst = 0x3D00; // 2^-5
  Tensor tensor{.shape = {tensors::kTileEdge, tensors::kTileEdge}, .bits = {}, .format = format};
  tensors::SplitMix64 random(seed);
  for (std::uint32_t i = 0; i < tensors::kTileElements; ++i) {
    const std::uint32_t sign = static_cast<std::uint32_t>((i + seed) % 2) << (kHalf - 1);
    const double number = formats::value_of_bits(Format::BF16, sign | (kFirst + i));
    tensor.bits.push_back(formats::round_to_bits(format, number));
  }
  for (std::size_t i = tensors::kTileElements - 1; i > 0; --i) {
    std::swap(tensor.bits[i], tensor.bits[random() % (i + 1)]);
  }
  return tensor;
}

/// The digit behind the colon, if there is one.
std::uint64_t seed_of(std::string_view pattern) {
  const std::size_t colon = pattern.find(':');
  return colon + 1 < pattern.size() ? static_cast<std::uint64_t>(pattern[colon + 1]) : '0';
}

/// Halves from -4 to 3.5.
Tensor numbers_with_ties(std::uint64_t seed, Format format) {
  constexpr int kNumbers = 16;
  Tensor tensor{.shape = {tensors::kTileEdge, tensors::kTileEdge}, .bits = {}, .format = format};
  tensors::SplitMix64 random(seed);
  for (std::uint32_t i = 0; i < tensors::kTileElements; ++i) {
    const int step = static_cast<int>(random() % kNumbers) - kNumbers / 2;
    tensor.bits.push_back(formats::round_to_bits(format, step / 2.0));
  }
  return tensor;
}

/// Value bits of a signed integer are two's complement (number/formats/format.h); here they are as
/// well those of another format of 32 bits.
Expected<Tensor> twos_complement(std::string_view range, Format format) {
  auto tensor = tensors::make_input("random:" + std::string(range), Format::INT32);
  if (tensor) tensor->format = format;
  return tensor;
}

} // namespace

Expected<Tensor> make_llk_input(std::string_view pattern, Format format) {
  if (pattern == "every") return all_patterns(format, [](std::uint32_t n) { return n; });
  if (pattern == "shuffled") {
    // One to one, since the factor is odd.
    return all_patterns(format, [](std::uint32_t n) { return n * 47845 + 12345; });
  }
  if (pattern == "integers") return many_integers(format);
  if (pattern == "halves") return many_halves(format);
  if (pattern == "short") return short_patterns(format);
  if (pattern.starts_with("distinct")) {
    return distinct_numbers(seed_of(pattern), format);
  }
  if (pattern.starts_with("ties")) return numbers_with_ties(seed_of(pattern), format);
  constexpr std::string_view kSigned = "signed:";
  if (pattern.starts_with(kSigned)) return twos_complement(pattern.substr(kSigned.size()), format);
  if (pattern == "index") {
    Tensor tensor{.shape = {tensors::kTileEdge, tensors::kTileEdge}, .bits = {}, .format = format};
    tensor.bits.resize(tensors::kTileElements);
    std::iota(tensor.bits.begin(), tensor.bits.end(), 0U);
    return tensor;
  }
  return tensors::make_input(pattern, format);
}

} // namespace lanewise::corpus
