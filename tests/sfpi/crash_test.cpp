// Whatever a kernel does, it does not take the program with it, and the message says where it was.
#include <gtest/gtest.h>

#include "sfpi/kernel_files.h"

namespace lanewise::sfpi {
namespace {

class CrashTest : public KernelTest {
 protected:
  void expect_fault(const std::string& text, std::uint32_t line, const std::string& fragment) {
    const Fault fault = fault_of("#include <cstdlib>\n#include \"sfpi.h\"\n" + text);
    EXPECT_EQ(fault.kind, FaultKind::BadInput);
    EXPECT_EQ(fault.file, source_.file);
    EXPECT_EQ(fault.line, line) << to_string(fault);
    EXPECT_NE(to_string(fault).find(fragment), std::string::npos) << to_string(fault);
  }
};

TEST_F(CrashTest, AWildPointer) {
  expect_fault("void kernel() {\n  *reinterpret_cast<volatile int*>(8) = 1;\n}\n", 4, "SIGSEGV");
}

TEST_F(CrashTest, AWildPointerInALibraryFunction) {
  expect_fault(
      "#include <cstring>\nvoid kernel() {\n"
      "  char* volatile p = reinterpret_cast<char*>(8);\n  std::memset(p, 1, 100);\n}\n",
      6, "SIGSEGV");
}

TEST_F(CrashTest, AFunctionThatIsNotThere) {
  expect_fault("void (*volatile nothing)();\nvoid kernel() {\n  nothing();\n}\n", 5, "SIGSEGV");
}

TEST_F(CrashTest, EndlessRecursion) {
  expect_fault(
      "int deeper(int n) { return n + deeper(n + 1); }\nvoid kernel() {\n  deeper(0);\n}\n", 3,
      "SIGSEGV");
}

TEST_F(CrashTest, Abort) {
  expect_fault("void kernel() {\n  sfpi::dst_reg[0] = 1.0f;\n  std::abort();\n}\n", 4, "SIGABRT");
}

TEST_F(CrashTest, Exit) {
  expect_fault("void kernel() {\n  sfpi::dst_reg[0] = 1.0f;\n  std::exit(0);\n}\n", 4, "exit()");
}

TEST_F(CrashTest, AnEndWithoutATrace) {
  const Fault fault = fault_of("#include <unistd.h>\nvoid kernel() { _exit(5); }\n");
  EXPECT_NE(fault.message.find("exit status 5"), std::string::npos) << to_string(fault);
}

TEST_F(CrashTest, CtrlC) {
  const Fault fault = fault_of("#include <csignal>\nvoid kernel() { std::raise(SIGINT); }\n");
  EXPECT_NE(fault.message.find("interrupted"), std::string::npos) << to_string(fault);
}

TEST_F(CrashTest, AnException) {
  expect_fault(
      "#include <stdexcept>\nvoid kernel() {\n  sfpi::dst_reg[0] = 1.0f;\n"
      "  throw std::runtime_error(\"oops\");\n}\n",
      5, "oops");
}

TEST_F(CrashTest, AnEndlessLoop) {
  expect_fault("void kernel() {\n  for (;;) {\n    sfpi::dst_reg[0] = 1.0f;\n  }\n}\n", 5, "loop");
}

TEST_F(CrashTest, AVariableWithoutAValue) {
  expect_fault("void kernel() {\n  sfpi::vFloat x;\n  sfpi::dst_reg[0] = x + 1.0f;\n}\n", 5,
               "before it has a value");
}

TEST_F(CrashTest, StaticVariablesStartAnew) {
  const std::string text = R"(#include "sfpi.h"
static int runs = 0;
void kernel() { for (int i = 0; i <= runs; ++i) sfpi::dst_reg[0] = 1.0f; ++runs; }
)";
  const auto first = record_text(text);
  const auto second = record_text(text);
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_EQ(first->nodes.size(), second->nodes.size());
}

TEST_F(CrashTest, InThisProcessTheRecordingIsTheSame) {
  const std::string text =
      "#include \"sfpi.h\"\nvoid kernel() {\n  sfpi::dst_reg[0] = sfpi::dst_reg[1] * 2.0f;\n}\n";
  const auto isolated = record_text(text);
  const Environment in_process("LANEWISE_IN_PROCESS", "1");
  const auto here = record_text(text);
  ASSERT_TRUE(isolated.has_value() && here.has_value());
  EXPECT_EQ(to_text(*isolated), to_text(*here));
  EXPECT_EQ(isolated->sites, here->sites);
}

} // namespace
} // namespace lanewise::sfpi
