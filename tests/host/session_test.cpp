// The device of a host program, asked by whatever bytes.
#include "run/host/session.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lanewise::host {
namespace {

/// A buffer of 64-byte pages, as host programs describe it.
std::string buffer(std::string_view memory, unsigned address, unsigned bytes,
                   std::string_view more = "") {
  return fmt::format(
      R"({{"arch":"bh","buffers":[{{"origin":"p.cpp:7","name":"b","memory":"{}","bytes":{},)"
      R"("page_bytes":64,"address":{}{}}}]}})",
      memory, bytes, address, more);
}

constexpr std::string_view kStream = R"(,"stream":true)";

std::string bytes(std::size_t count, std::uint8_t first) {
  std::string text(count, '\0');
  std::iota(text.begin(), text.end(), static_cast<char>(first));
  return text;
}

std::string text_of(const Reply& reply) {
  return {reply.bytes.begin(), reply.bytes.end()};
}

class Sessions : public ::testing::Test {
 protected:
  Reply write(const std::string& description, const std::string& contents) {
    return session.answer(Ask::Write, description + '\0' + contents);
  }
  Reply read(const std::string& description) {
    return session.answer(Ask::Read, description + '\0');
  }

  Session session{SessionSettings{}};
};

TEST_F(Sessions, TheGridIsToldAsItWasGiven) {
  for (const char* grid : {"", "4x2"}) {
    Session with_grid(SessionSettings{.grid = grid});
    const Reply reply = with_grid.answer(Ask::Grid, "");
    EXPECT_EQ(reply.answer, Answer::Done);
    EXPECT_EQ(text_of(reply), grid);
  }
}

TEST_F(Sessions, WhatIsWrittenIsRead) {
  for (const std::string_view memory : {"dram", "l1"}) {
    const std::string contents = bytes(64 * 20, 3);
    EXPECT_EQ(write(buffer(memory, 0x120000, 64 * 20, kStream), contents).answer, Answer::Done);
    const Reply reply = read(buffer(memory, 0x120000, 64 * 20));
    EXPECT_EQ(reply.answer, Answer::Done);
    EXPECT_EQ(text_of(reply), contents) << memory;
  }
  EXPECT_FALSE(session.refusal().has_value());
}

// A buffer that is made where another one lay has what that one had: page 8 of the first is the
// second page of bank 0, which is page 0 of the other.
TEST_F(Sessions, MemoryOutlivesItsBuffers) {
  const std::string contents = bytes(64 * 9, 1);
  write(buffer("dram", 0x100080, 64 * 9, kStream), contents);
  EXPECT_EQ(text_of(read(buffer("dram", 0x1000C0, 64))), contents.substr(64 * 8));
}

TEST_F(Sessions, WhatWasNeverWrittenIsZero) {
  EXPECT_EQ(text_of(read(buffer("dram", 0x100080, 64))), std::string(64, '\0'));
}

TEST_F(Sessions, FilesAreNoneOfItsBusiness) {
  const std::string path = ::testing::TempDir() + "lanewise_session_out";
  for (const std::string& more :
       {std::string(R"(,"input":"/etc/hostname")"), R"(,"output":")" + path + "\""}) {
    const Reply reply = write(buffer("dram", 0x100080, 64, more), "");
    EXPECT_EQ(reply.answer, Answer::Refused);
    EXPECT_NE(text_of(reply).find("cannot have files"), std::string::npos) << text_of(reply);
  }
}

TEST_F(Sessions, WhatLiesOutsideIsRefused) {
  // Behind the end of L1, of a bank, and of the memory that DRAM has here.
  EXPECT_EQ(write(buffer("l1", 0x180000 - 64, 128, kStream), bytes(128, 0)).answer,
            Answer::Refused);
  EXPECT_EQ(read(buffer("dram", 4278190080, 64)).answer, Answer::Refused);
  const Reply reply = read(buffer("dram", 0x20000000, 64));
  EXPECT_EQ(reply.answer, Answer::Refused);
  EXPECT_NE(text_of(reply).find("2048 MiB"), std::string::npos) << text_of(reply);
  EXPECT_EQ(read(buffer("l1", 0x180000 - 64, 64)).answer, Answer::Done);
}

TEST_F(Sessions, ContentsMustFollow) {
  const Reply reply = write(buffer("dram", 0x100080, 128, kStream), bytes(127, 0));
  EXPECT_NE(text_of(reply).find("are not there"), std::string::npos) << text_of(reply);
}

TEST_F(Sessions, OneDeviceIsOfOneChip) {
  read(buffer("dram", 0x100080, 64));
  std::string other = buffer("dram", 0x100080, 64);
  other.replace(other.find("bh"), 2, "wh");
  EXPECT_EQ(read(other).answer, Answer::Refused);
}

TEST_F(Sessions, OneBufferAtATime) {
  EXPECT_EQ(read(R"({"arch":"bh"})").answer, Answer::Refused);
}

TEST_F(Sessions, TheFirstRefusalIsKept) {
  session.answer(Ask::Refused, std::string("p.cpp:3: asks\x1B[31m for\n more") + '\0' + "x");
  session.answer(Ask::Refused, "p.cpp:4: another");
  ASSERT_TRUE(session.refusal().has_value());
  // Nothing that a terminal takes for more than letters.
  EXPECT_EQ(session.refusal()->message, "p.cpp:3: asks [31m for  more");
}

TEST_F(Sessions, NonsenseIsRefused) {
  for (const unsigned ask : {0U, 6U, 77U})
    EXPECT_EQ(session.answer(static_cast<Ask>(ask), "{}").answer, Answer::Refused);
  for (const std::string_view text : {"", "{", "[]", "{\"kernels\":[]}"})
    EXPECT_EQ(session.answer(Ask::Run, text).answer, Answer::Refused);
  EXPECT_FALSE(session.has_findings());
}

// A kernel that counts a word of L1 up: of what all orders do, one counts.
TEST(SessionInOrders, EachOrderFindsTheMemoriesAsTheyWere) {
  std::size_t told = 0;
  Session session{{.orders = launch::orders_to_compare(1),
                   .on_orders = [&told](const launch::ComparedOrders& compared) {
                     ++told;
                     EXPECT_FALSE(compared.differs);
                     EXPECT_EQ(compared.run.size(), 4U) << "round robin, two adversarial, one seed";
                   }}};
  const std::string word = buffer("l1", 0x120000, 64);
  session.answer(Ask::Write, buffer("l1", 0x120000, 64, kStream) + '\0' + bytes(64, 40));
  const std::string kernel =
      R"(,"kernels":[{"processor":"riscv_0","text":"#include \"dataflow_api.h\"\n)"
      R"(void kernel_main() { ++*reinterpret_cast<volatile uint32_t*>(0x120000); }"}]})";
  const std::string run = word.substr(0, word.size() - 1) + kernel;
  for (char runs = 1; runs <= 2; ++runs) {
    const Reply reply = session.answer(Ask::Run, run);
    ASSERT_EQ(reply.answer, Answer::Done) << text_of(reply);
    EXPECT_EQ(text_of(session.answer(Ask::Read, word)).front(), 40 + runs);
  }
  EXPECT_EQ(told, 2U);
}

// The map is wanted most where the program cannot run.
TEST(SessionMap, IsShownBeforeAClashIsTold) {
  unsigned shown = 0;
  Session session(SessionSettings{
      .on_program = [&shown](const programs::Program&, const programs::Layout&) { ++shown; }});
  const Reply reply = session.answer(Ask::Run, R"({"arch":"bh",
      "buffers":[{"origin":"p.cpp:2","name":"low","memory":"l1","bytes":64,"address":131072}],
      "circular_buffers":[{"origin":"p.cpp:3","index":4,"format":"Float16_b","pages":40}],
      "kernels":[{"text":"x","processor":"riscv_0"}]})");
  EXPECT_EQ(shown, 1U);
  EXPECT_NE(
      text_of(reply).find("p.cpp:3: circular buffer c_4 has L1 from 0x1b300 up to 0x2f300, and "
                          "buffer 'low' (p.cpp:2) begins at 0x20000"),
      std::string::npos)
      << text_of(reply);
}

} // namespace
} // namespace lanewise::host
