// Mutated .npy files: whatever the bytes, parse_npy() gives an array that is whole or a fault that
// says where. The mutations are seeded, so that a failure comes again; fuzz/npy_fuzzer.cpp searches
// further.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "number/tensors/npy.h"
#include "number/tensors/pattern.h"

namespace lanewise::tensors {
namespace {

using Bytes = std::vector<std::byte>;

Bytes seed_file(std::string_view header, char major, std::size_t data_size) {
  std::string text = "\x93NUMPY";
  text += major;
  text += '\0';
  text += static_cast<char>(header.size());
  text.append(major == 1 ? 1 : 3, '\0');
  text += header;
  text.append(data_size, '\x3F');
  Bytes bytes;
  for (const char character : text) bytes.push_back(static_cast<std::byte>(character));
  return bytes;
}

std::vector<Bytes> seed_files() {
  return {seed_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 1, 24),
          seed_file("{'descr': '>i8', 'fortran_order': True, 'shape': (3, 2, 2), }\n", 2, 96),
          seed_file("{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", 3, 1),
          seed_file("{'descr': '<u2', 'fortran_order': True, 'shape': (0L, 7), }\n", 1, 0)};
}

/// Pieces that matter to the header's grammar and to sizes.
constexpr std::string_view kTokens[] = {"{",          "}",     "'",     "\"",
                                        "(",          ")",     ",",     ":",
                                        "True",       "<f8",   ">u4",   "|u1",
                                        "L",          "-",     "0",     "9999999999999999999",
                                        "4294967296", "shape", "descr", "\xFF\xFF\xFF\xFF",
                                        "\n"};

void mutate(Bytes& bytes, SplitMix64& random) {
  const auto below = [&random](std::size_t end) {
    return static_cast<std::size_t>(random() % end);
  };
  const auto place = [&] {
    return bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size() + 1));
  };
  switch (below(5)) {
    case 0: // flip a bit
      if (!bytes.empty()) bytes[below(bytes.size())] ^= static_cast<std::byte>(1u << below(8));
      return;
    case 1: // another byte
      if (!bytes.empty()) bytes[below(bytes.size())] = static_cast<std::byte>(random());
      return;
    case 2: // cut a piece out
      if (!bytes.empty()) {
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size()));
        const auto length = std::min<std::ptrdiff_t>(bytes.end() - first,
                                                     static_cast<std::ptrdiff_t>(below(8)) + 1);
        bytes.erase(first, first + length);
      }
      return;
    case 3: { // put a token in
      const std::string_view token = kTokens[below(std::size(kTokens))];
      const auto* const data = reinterpret_cast<const std::byte*>(token.data());
      bytes.insert(place(), data, data + token.size());
      return;
    }
    default: // cut the end off
      if (below(4) == 0) bytes.erase(place(), bytes.end());
      return;
  }
}

void check(const Bytes& bytes) {
  const auto array = parse_npy(bytes, "fuzz.npy");
  if (!array) {
    ASSERT_EQ(array.error().kind, FaultKind::BadInput);
    ASSERT_FALSE(array.error().message.empty());
    ASSERT_FALSE(array.error().remedy.empty());
    ASSERT_GE(array.error().column, 1u);
    ASSERT_LE(array.error().column, bytes.size() + 1);
    return;
  }
  ASSERT_EQ(element_count(array->shape), array->values.size());
  ASSERT_LE(array->values.size(), bytes.size());
  ASSERT_EQ(array->raw.size(), array->dtype.bytes <= 4 ? array->values.size() : 0);
  for (const formats::Format format : formats::kFormats) {
    const auto tensor = tensor_from_npy(*array, format);
    if (!tensor) continue;
    ASSERT_EQ(join_tiles(split_into_tiles(*tensor), tensor->shape, format), *tensor);
  }
}

TEST(NpyFuzz, MutatedFilesNeverCrash) {
  const auto seeds = seed_files();
  for (const Bytes& seed : seeds) ASSERT_TRUE(parse_npy(seed, "seed.npy"));
  SplitMix64 random(1);
  for (int round = 0; round < 100'000 && !testing::Test::HasFatalFailure(); ++round) {
    Bytes bytes = seeds[random() % seeds.size()];
    const std::uint64_t mutations = 1 + random() % 6;
    for (std::uint64_t i = 0; i < mutations; ++i) mutate(bytes, random);
    SCOPED_TRACE(round);
    check(bytes);
  }
}

TEST(NpyFuzz, HeaderLengthsBeyondTheFile) {
  for (const char major : {'\1', '\2', '\3'}) {
    Bytes bytes = seed_file("{}", major, 0);
    for (std::size_t i = 8; i < (major == '\1' ? 10u : 12u); ++i) bytes[i] = std::byte{0xFF};
    EXPECT_FALSE(parse_npy(bytes, "fuzz.npy"));
  }
}

} // namespace
} // namespace lanewise::tensors
