// Traces of tt-metal's profiler, and what the model makes of them (docs/noc.md). The traces are
// written here.
#include "study/traffic/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace lanewise::traffic {
namespace {

std::string event(const std::string& type, unsigned time, const std::string& more = "",
                  const std::string& noc = "NOC_1") {
  return fmt::format(R"({{"proc": "NCRISC", "noc": "{}", "sx": 1, "sy": 1, "type": "{}", )"
                     R"("timestamp": {}{}}})",
                     noc, type, time, more.empty() ? "" : ", " + more);
}

std::string list(const std::vector<std::string>& events) {
  return fmt::format("[{}]", fmt::join(events, ",\n"));
}

constexpr const char* kFar = R"("dx": 2, "dy": 2, "num_bytes": 2048)";

Replayed replayed(const std::vector<std::string>& events, Arch arch = Arch::Wormhole) {
  const auto trace = parse_trace(list(events), arch);
  EXPECT_TRUE(trace) << trace.error().message;
  return trace ? replay(*trace) : Replayed{};
}

TEST(Replay, ABarrierEndsWhenTheModelHasAnswered) {
  const Replayed result = replayed({event("READ", 5000, kFar), event("READ_BARRIER_START", 5010),
                                    event("READ_BARRIER_END", 9000), event("SEMAPHORE_SET", 9100)});
  EXPECT_EQ(result.traced, 4100);
  EXPECT_EQ(result.transactions, 1);
  EXPECT_EQ(result.bytes, 2048);
  // noc_latencies.yaml: 366 cycles with the loop that asks, 25 for each further one.
  EXPECT_NEAR(static_cast<double>(result.modelled) - 100, 366 - 25, 15);
}

TEST(Replay, WhatIsThereAlreadyIsNotWaitedFor) {
  const Replayed result = replayed({event("READ", 0, kFar), event("READ_BARRIER_START", 3000),
                                    event("READ_BARRIER_END", 3020), event("SEMAPHORE_SET", 3050)});
  EXPECT_EQ(result.modelled, 3050);
}

TEST(Replay, OtherTimeGoesAsInTheTrace) {
  const Replayed result = replayed({event("SEMAPHORE_WAIT", 10), event("SEMAPHORE_SET", 7010)});
  EXPECT_EQ(result.traced, 7000);
  EXPECT_EQ(result.modelled, 7000);
}

TEST(Replay, AWriteBarrierWaitsForWritesAlone) {
  const Replayed result =
      replayed({event("READ", 0, R"("dx": 2, "dy": 2, "num_bytes": 65536)"),
                event("WRITE_", 10, R"("dx": 1, "dy": 2, "num_bytes": 32)", "NOC_0"),
                event("WRITE_BARRIER_START", 20, "", "NOC_0"),
                event("WRITE_BARRIER_END", 5000, "", "NOC_0")});
  EXPECT_LT(result.modelled, 300);
}

TEST(Replay, AStateIsUsedUntilTheNextOne) {
  const auto trace = parse_trace(
      list({event("READ_SET_STATE", 0, kFar), event("READ_WITH_STATE", 10, R"("num_bytes": 0)"),
            event("READ_WITH_STATE", 20, R"("num_bytes": 0)")}),
      Arch::Wormhole);
  ASSERT_TRUE(trace) << trace.error().message;
  const auto& events = trace->threads.at(0).events;
  EXPECT_EQ(events[0].kind, TraceEvent::Kind::Other);
  EXPECT_EQ(events[2].to, (NocPlace{2, 2}));
  EXPECT_EQ(events[2].bytes, 2048);
}

TEST(Replay, AMulticastReachesTheCoresOfItsRectangle) {
  const std::string corners =
      R"("mcast_start_x": 1, "mcast_start_y": 1, "mcast_end_x": 6, "mcast_end_y": 7, "num_bytes": 64)";
  const Replayed result = replayed({event("WRITE_MULTICAST", 0, corners, "NOC_0"),
                                    event("WRITE_BARRIER_START", 10, "", "NOC_0"),
                                    event("WRITE_BARRIER_END", 20, "", "NOC_0")});
  EXPECT_EQ(result.transactions, 1);
  EXPECT_GT(result.modelled, 8 + 16 * 11); // the way of 11 hops is reserved first
}

TEST(Trace, SaysWhatIsWrongInWhichEvent) {
  const auto wrong = [](const std::string& text) {
    const auto trace = parse_trace(text, Arch::Wormhole);
    EXPECT_FALSE(trace);
    if (trace) return std::string();
    EXPECT_FALSE(trace.error().remedy.empty());
    return trace.error().message;
  };
  EXPECT_EQ(wrong("{"), "this is no JSON");
  EXPECT_EQ(wrong("{}"), "the file is no list of events");
  EXPECT_EQ(wrong("[]"), "the file has no events");
  EXPECT_EQ(wrong("[1]"), "event 1 is none");
  EXPECT_EQ(wrong(list({event("READ", 1, kFar), event("READ", 2)})),
            "event 2 has no num_bytes that is a number below 16777216");
  EXPECT_EQ(wrong(list({event("READ", 1, R"("dx": 12, "dy": 2, "num_bytes": 64)")})),
            "event 1 has no dx that is a number below 10");
  EXPECT_EQ(wrong(list({event("SING", 1)})),
            "event 1 is of the type 'SING', which is not known here");
  EXPECT_EQ(wrong(list({event("FABRIC_UNICAST_WRITE", 1)})),
            "event 1 is of the type 'FABRIC_UNICAST_WRITE', which leaves the chip");
  EXPECT_EQ(wrong(list({event("READ_WITH_STATE", 1, R"("num_bytes": 0)")})),
            "event 1 uses a state that nobody has set");
  EXPECT_EQ(wrong(list({event("READ", 1, kFar, "NOC_2")})),
            "event 1 is of 'NOC_2', which is no NoC");
}

} // namespace
} // namespace lanewise::traffic
