// Line numbers that stand for lines of other files.
#include "base/source_line.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

TEST(SourceLine, OwnLinesAreWhatTheyAre) {
  EXPECT_EQ(line_number({"", 12}), 12U);
  EXPECT_EQ(source_place(12), (SourcePlace{"", 12}));
  EXPECT_EQ(line_text(12), "line 12");
  EXPECT_EQ(line_label(12), "12");
  EXPECT_EQ(line_label(0), "");
  EXPECT_TRUE(has_line(12));
  EXPECT_FALSE(has_line(0));
  EXPECT_EQ(part_of_line(12), ProgramPart::Tile);
}

TEST(SourceLine, OtherFilesHaveANumberPerLine) {
  const std::uint32_t seven = line_number({"folder/one.h", 7});
  EXPECT_GE(seven, kFirstPlace);
  EXPECT_EQ(line_number({"folder/one.h", 7}), seven);
  EXPECT_NE(line_number({"folder/one.h", 8}), seven);
  EXPECT_NE(line_number({"folder/two.h", 7}), seven);
  EXPECT_EQ(source_place(seven), (SourcePlace{"folder/one.h", 7}));
  EXPECT_EQ(line_text(seven), "folder/one.h:7");
  EXPECT_EQ(line_label(seven), "one.h:7");
}

TEST(SourceLine, PartsAreKept) {
  const std::uint32_t init = line_number({"", 12, ProgramPart::Init});
  EXPECT_NE(init, 12U);
  EXPECT_EQ(part_of_line(init), ProgramPart::Init);
  EXPECT_EQ(line_text(init), "line 12");
  EXPECT_EQ(line_label(init), "12");
  const std::uint32_t nowhere = line_number({"", 0, ProgramPart::Around});
  EXPECT_EQ(part_of_line(nowhere), ProgramPart::Around);
  EXPECT_FALSE(has_line(nowhere));
  EXPECT_EQ(line_label(nowhere), "");
}

TEST(SourceLine, NumbersThatNobodyGaveOutHaveNoPlace) {
  EXPECT_EQ(source_place(~0U), SourcePlace{});
}

TEST(SourceLine, FaultsGetTheirPlace) {
  Fault fault{.message = "is wrong", .file = "kernel.cpp", .line = 3};
  settle_place(fault);
  EXPECT_EQ(fault.file, "kernel.cpp");
  fault.line = line_number({"", 5, ProgramPart::Init});
  settle_place(fault);
  EXPECT_EQ(fault.file, "kernel.cpp");
  EXPECT_EQ(fault.line, 5U);
  fault.line = line_number({"folder/one.h", 7});
  settle_place(fault);
  EXPECT_EQ(fault.file, "folder/one.h");
  EXPECT_EQ(fault.line, 7U);
}

/// Whoever has forgotten to settle a fault: no line that stands for a place is ever printed.
TEST(SourceLine, TextOfAFaultHasItsPlace) {
  Fault fault{.message = "wrong", .file = "kernel.cpp", .line = line_number({"--call", 1})};
  EXPECT_EQ(to_string(fault), "in the call: error: wrong");
  fault.line = line_number({"--call", 2});
  EXPECT_EQ(to_string(fault), "in the call, number 2: error: wrong");
  fault.line = line_number({"--init", 1});
  EXPECT_EQ(to_string(fault), "in --init: error: wrong");
  fault.line = line_number({"folder/one.h", 7});
  EXPECT_EQ(to_string(fault), "folder/one.h:7: error: wrong");
  fault.line = line_number({"", 12, ProgramPart::Init});
  EXPECT_EQ(to_string(fault), "kernel.cpp:12: error: wrong");
  fault.line = 3;
  fault.column = 4;
  EXPECT_EQ(to_string(fault), "kernel.cpp:3:4: error: wrong");
  fault.file.clear();
  EXPECT_EQ(to_string(fault), "3:4: error: wrong");
  fault.line = fault.column = 0;
  EXPECT_EQ(to_string(fault), "error: wrong");
}

} // namespace
} // namespace lanewise
