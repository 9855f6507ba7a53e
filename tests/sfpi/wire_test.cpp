// Recordings survive the way between processes, and damaged ones are recognised.
#include "source/sfpi/wire.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "sfpi/abi_kernel.h"

namespace lanewise::sfpi {
namespace {

using Kind = LanewiseKind;

RawRecording sample() {
  RawRecording raw = record([](AbiKernel& k) {
    const std::uint32_t a = k.constant(1);
    const std::uint32_t b = k.add(Kind::ConstRegister, {}, 15);
    k.text("label");
    k.add(Kind::If, {k.less(a, b)});
    k.add(Kind::Print, {k.assign(a, b, 0)}, 0);
    k.add(Kind::Else);
    k.add(Kind::Raw, {}, 0x12345678);
    k.add(Kind::EndIf, {}, 1);
  });
  raw.stacks.push_back({0x1000, 0x2000});
  raw.recording.nodes[2].site = static_cast<std::uint32_t>(raw.stacks.size() - 1);
  return raw;
}

std::optional<Message> decode_sample(std::span<const std::byte> bytes) {
  return decode(bytes, Arch::Blackhole, "test");
}

TEST(Wire, ARecordingComesBackAsItWas) {
  const RawRecording raw = sample();
  const auto message = decode_sample(encode(raw));
  ASSERT_TRUE(message.has_value());
  const auto& back = std::get<RawRecording>(*message);
  EXPECT_EQ(back.stacks, raw.stacks);
  EXPECT_EQ(back.failure, raw.failure);
  EXPECT_EQ(back.recording.texts, raw.recording.texts);
  EXPECT_EQ(back.recording.name, "test");
  ASSERT_EQ(back.recording.contexts.size(), raw.recording.contexts.size());
  ASSERT_EQ(back.recording.nodes.size(), raw.recording.nodes.size());
  for (std::size_t i = 0; i < raw.recording.nodes.size(); ++i) {
    EXPECT_EQ(back.recording.nodes[i].kind, raw.recording.nodes[i].kind);
    EXPECT_EQ(back.recording.nodes[i].imm, raw.recording.nodes[i].imm);
    EXPECT_EQ(back.recording.nodes[i].site, raw.recording.nodes[i].site);
    EXPECT_EQ(back.recording.nodes[i].context, raw.recording.nodes[i].context);
  }
}

TEST(Wire, AFailureComesBackAsItWas) {
  const RawRecording raw = record([](AbiKernel& k) { k.fail("what", "do"); });
  const auto message = decode_sample(encode(raw));
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(std::get<RawRecording>(*message).failure, raw.failure);
}

TEST(Wire, ADeathComesBackAsItWas) {
  const std::array<std::uint64_t, 2> stack{0x10, 0x20};
  std::array<std::byte, kLongestDeath> buffer{};
  const auto message = decode_sample(encode_death(11, true, stack, buffer));
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(std::get<Death>(*message), (Death{11, true, {0x10, 0x20}}));
}

TEST(Wire, ADeathTakesAtMostTheDeepestStack) {
  const std::vector<std::uint64_t> stack(kDeepestStack + 10, 1);
  std::array<std::byte, kLongestDeath> buffer{};
  const auto message = decode_sample(encode_death(11, true, stack, buffer));
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(std::get<Death>(*message).stack.size(), kDeepestStack);
}

TEST(Wire, WhatIsCutOffIsNoMessage) {
  const std::vector<std::byte> bytes = encode(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_sample(std::span(bytes).first(size)).has_value()) << size;
  }
}

TEST(Wire, NothingFollowsTheEnd) {
  std::vector<std::byte> bytes = encode(sample());
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(decode_sample(bytes).has_value());
}

TEST(Wire, DamagedBytesGiveARecordingThatIsWellFormedOrNone) {
  const std::vector<std::byte> bytes = encode(sample());
  std::mt19937 random(738);
  std::size_t accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::byte> damaged = bytes;
    for (std::size_t left = 1 + random() % 3; left != 0; --left) {
      damaged[random() % damaged.size()] = static_cast<std::byte>(random());
    }
    const auto message = decode_sample(damaged);
    if (!message || !std::holds_alternative<RawRecording>(*message)) continue;
    ++accepted;
    const auto& raw = std::get<RawRecording>(*message);
    for (const compiler::Node& node : raw.recording.nodes) {
      ASSERT_LT(node.site, raw.stacks.size());
      ASSERT_LT(node.context, raw.recording.contexts.size());
    }
  }
  EXPECT_GT(accepted, 0U); // bits that no rule covers, such as those of a constant
}

} // namespace
} // namespace lanewise::sfpi
