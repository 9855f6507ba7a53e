// The socket between a host program and its device.
#include "run/host/channel.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "base/file_descriptor.h"

namespace lanewise::host {
namespace {

using lanewise_host::WireHeader;

class Channels : public ::testing::Test {
 protected:
  void SetUp() override {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    host = FileDescriptor(ends[0]);
    device = FileDescriptor(ends[1]);
  }

  void send(const void* bytes, std::size_t count) {
    ASSERT_EQ(::write(host.number(), bytes, count), static_cast<ssize_t>(count));
  }
  void send(std::uint32_t magic, std::uint64_t promised, std::string_view payload) {
    const WireHeader header{.magic = magic, .what = 2, .bytes = promised};
    send(&header, sizeof header);
    send(payload.data(), payload.size());
    ::shutdown(host.number(), SHUT_WR);
  }

  FileDescriptor host, device;
  static constexpr std::uint64_t kMost = 1 << 20;
};

TEST_F(Channels, ARequestIsReceived) {
  send(lanewise_host::kWireMagic, 3, "abc");
  const auto request = receive_request(device.number(), kMost);
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->ask, Ask::Write);
  EXPECT_EQ(request->payload, "abc");
  EXPECT_FALSE(receive_request(device.number(), kMost).has_value());
}

TEST_F(Channels, WhatIsNoRequestIsNone) {
  send(lanewise_host::kWireMagic + 1, 3, "abc");
  EXPECT_FALSE(receive_request(device.number(), kMost).has_value());
}

TEST_F(Channels, LessThanWasPromisedIsNone) {
  send(lanewise_host::kWireMagic, 4, "abc");
  EXPECT_FALSE(receive_request(device.number(), kMost).has_value());
}

TEST_F(Channels, MoreThanMayComeIsNone) {
  send(lanewise_host::kWireMagic, 3, "abc");
  EXPECT_FALSE(receive_request(device.number(), 2).has_value());
}

TEST_F(Channels, RequestsAreAnsweredInTurnUntilTheEnd) {
  for (const char each : {'a', 'b'}) {
    const WireHeader header{.what = 3, .bytes = 1};
    send(&header, sizeof header);
    send(&each, 1);
  }
  ::shutdown(host.number(), SHUT_WR);
  serve(device.number(), kMost, [](const Request& request) {
    return Reply{.answer = Answer::Found,
                 .bytes = {request.payload.begin(), request.payload.end()}};
  });
  for (const char each : {'a', 'b'}) {
    std::array<char, sizeof(WireHeader) + 1> answer{};
    ASSERT_EQ(::read(host.number(), answer.data(), answer.size()), ssize_t{answer.size()});
    WireHeader header;
    std::memcpy(&header, answer.data(), sizeof header);
    EXPECT_EQ(header.what, static_cast<std::uint32_t>(Answer::Found));
    EXPECT_EQ(header.bytes, 1U);
    EXPECT_EQ(answer.back(), each);
  }
}

TEST_F(Channels, NobodyNeedTakeAnAnswer) {
  host.close();
  EXPECT_FALSE(send_reply(device.number(), {.answer = Answer::Done}));
}

} // namespace
} // namespace lanewise::host
