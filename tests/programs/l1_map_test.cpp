// What lies where in L1.
#include "source/programs/l1_map.h"

#include <gtest/gtest.h>

namespace lanewise::programs {
namespace {

Program program() {
  Program program;
  Kernel& kernel = program.kernels.emplace_back();
  kernel.origin = "p.cpp:9";
  kernel.text = "x";
  kernel.runtime_args = {1U, 2U, 3U};
  kernel.common_args = {4U};
  program.circular_buffers = {
      {.origin = "p.cpp:1",
       .bytes = 4096,
       .indices = {{.index = 0, .format = DataFormat::Float16_b, .page_bytes = 2048, .tile = {}},
                   {.index = 16, .format = DataFormat::Float16_b, .page_bytes = 2048, .tile = {}}},
       .buffer = {}}};
  program.semaphores = {{.origin = "p.cpp:4", .id = 2, .initial = 7}};
  Buffer buffer;
  buffer.origin = "p.cpp:5";
  buffer.name = "b";
  buffer.memory = BufferMemory::L1;
  buffer.bytes = buffer.page_bytes = 1024;
  program.buffers = {buffer};
  return program;
}

std::vector<std::string> lines_of(const Program& given) {
  const auto layout = place_all(given);
  EXPECT_TRUE(layout.has_value());
  std::vector<std::string> lines;
  for (const L1Range& each : l1_map(given, *layout))
    lines.push_back(fmt::format("{:x}+{} {} {} {}{}", each.address, each.bytes,
                                l1_use_name(each.use), each.name, each.origin,
                                each.clashes ? " clashes" : ""));
  return lines;
}

TEST(L1Map, HasEverythingByAddress) {
  EXPECT_EQ(lines_of(program()),
            (std::vector<std::string>{"10ff0+16 arguments riscv_0: 3 own, 1 common p.cpp:9",
                                      "16020+16 semaphore 2, from 7 on p.cpp:4",
                                      "1b300+4096 circular buffer c_0, c_16 p.cpp:1",
                                      "1c300+1456384 free  ", "17fc00+1024 buffer b p.cpp:5"}));
}

TEST(L1Map, ACircularBufferInABufferIsNoClashAndTakesNothing) {
  Program given = program();
  given.circular_buffers[0].buffer = "b";
  given.circular_buffers[0].bytes = 1024;
  for (CbIndex& index : given.circular_buffers[0].indices) index.page_bytes = 512;
  EXPECT_EQ(lines_of(given)[2], "1b300+1460480 free  ");
  EXPECT_EQ(lines_of(given)[3], "17fc00+1024 circular buffer c_0, c_16, in buffer b p.cpp:1");
}

TEST(L1Map, WhatClashesIsMarkedOnBothSides) {
  Program given = program();
  given.buffers[0].address = 0x1C000; // and ends within the circular buffer
  given.buffers[0].bytes = given.buffers[0].page_bytes = 256;
  const auto lines = lines_of(given);
  EXPECT_EQ(lines[2], "1b300+4096 circular buffer c_0, c_16 p.cpp:1 clashes");
  EXPECT_EQ(lines[3], "1c000+256 buffer b p.cpp:5 clashes");
  EXPECT_EQ(lines[4], "1c300+1457408 free  ") << "from the last end on";
}

} // namespace
} // namespace lanewise::programs
