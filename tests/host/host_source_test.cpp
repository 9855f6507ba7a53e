// What g++ says of host programs, in one sentence.
#include "run/host/host_source.h"

#include <gtest/gtest.h>

namespace lanewise::host {
namespace {

Fault fault_of(std::string_view messages) {
  return compile_fault(messages, "prog.cpp", "/opt/lanewise/include");
}

TEST(CompileFault, NamesFileAndLine) {
  const Fault fault = fault_of(
      "prog.cpp: In function ‘int main()’:\n"
      "prog.cpp:12:5: error: ‘CreateGlobalSemaphore’ was not declared in this scope\n");
  EXPECT_EQ(to_string(fault),
            "prog.cpp:12: error: g++ says: ‘CreateGlobalSemaphore’ was not declared in this scope; "
            "docs/programs.md lists what a host program can use");
}

TEST(CompileFault, AHeaderThatIsNotThereIsNamed) {
  const Fault fault = fault_of(
      "prog.cpp:3:10: fatal error: tt-metalium/sub_device.hpp: No such file or directory\n"
      "compilation terminated.\n");
  EXPECT_EQ(fault.line, 3U);
  EXPECT_EQ(fault.message, "there is no 'tt-metalium/sub_device.hpp' here");
}

// The error stands in a header, which is no place for the user to mend; the line that leads there
// is.
TEST(CompileFault, AnErrorInATemplateIsTheCallers) {
  const Fault fault = fault_of(
      "In file included from /opt/lanewise/include/tt-metalium/host_api.hpp:3,\n"
      "                 from prog.cpp:1:\n"
      "/opt/lanewise/include/lanewise/run.hpp: In instantiation of ‘void f(T) [with T = int]’:\n"
      "prog.cpp:20:8:   required from here\n"
      "/opt/lanewise/include/lanewise/run.hpp:7:3: error: no match for ‘operator*’\n");
  EXPECT_EQ(fault.file, "prog.cpp");
  EXPECT_EQ(fault.line, 20U);
}

TEST(CompileFault, OfSeveralTheFirstIsToldAndTheOthersCounted) {
  const Fault fault = fault_of("prog.cpp:1:2: error: one\nprog.cpp:2:2: error: two\n");
  EXPECT_EQ(fault.line, 1U);
  EXPECT_EQ(fault.message, "g++ says: one (the first of 2 errors)");
}

TEST(CompileFault, ColoursAndLongTypesAreLeftOut) {
  const Fault fault =
      fault_of("\033[01m\033[Kprog.cpp:5:1:\033[m\033[K \033[01;31m\033[Kerror: \033[m\033[K" +
               std::string(5000, 'x') + "\n");
  EXPECT_EQ(fault.line, 5U);
  EXPECT_LT(fault.message.size(), 200U);
  EXPECT_EQ(fault.message.find('\033'), std::string::npos);
}

TEST(CompileFault, WhatTheLinkerMissesIsNamed) {
  const Fault fault = fault_of(
      "/usr/bin/ld: /tmp/ccA.o: in function `main':\n"
      "prog.cpp:9: undefined reference to `helper()'\n"
      "collect2: error: ld returned 1 exit status\n");
  EXPECT_EQ(fault.line, 9U);
  EXPECT_NE(fault.message.find("undefined reference to `helper()'"), std::string::npos);
}

TEST(CompileFault, AnyTextIsAnAnswer) {
  for (const std::string_view text : {"", "\n\n", ":", "a:b:c", "x:1", "x:99999999999:1: error: y",
                                      "\033", "error: ", "prog.cpp:1:1: error: "}) {
    const Fault fault = fault_of(text);
    EXPECT_FALSE(fault.message.empty()) << text;
    EXPECT_FALSE(fault.file.empty()) << text;
  }
}

} // namespace
} // namespace lanewise::host
