// References in C++: what they compute, and that nothing they do reaches the program.
#include "number/references/source.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include "number/references/worker.h"
#include "references/reference_fixture.h"
#include "sfpi/kernel_files.h"

namespace lanewise::references {
namespace {

using std::chrono::milliseconds;

class ReferenceSource : public testing::Test {
 protected:
  std::string file(const std::string& text) { return folder_.write("reference.cpp", text); }

  std::unique_ptr<Reference> compiled(const std::string& text) {
    auto reference = compile_reference(file(text));
    EXPECT_TRUE(reference.has_value()) << to_string(reference.error());
    return reference ? std::move(*reference) : nullptr;
  }

  void expect_refused(const std::string& text, const std::string& fragment) {
    const auto reference = compile_reference(file(text));
    ASSERT_FALSE(reference.has_value());
    EXPECT_EQ(reference.error().kind, FaultKind::BadInput);
    EXPECT_NE(to_string(reference.error()).find(fragment), std::string::npos)
        << to_string(reference.error());
  }

  /// The function works at 1 and fails at 2.5, the third of three points.
  void expect_failure(const std::string& text, const std::string& fragment,
                      milliseconds patience = kReferencePatience) {
    const auto reference = compile_reference(file(text), patience);
    ASSERT_TRUE(reference.has_value()) << to_string(reference.error());
    const std::array<double, 3> x{1, 1, 2.5};
    std::array<ReferenceValue, 3> results;
    const auto evaluated = (*reference)->evaluate(formats::Format::FP32, x, {}, results);
    ASSERT_FALSE(evaluated.has_value());
    const std::string fault = to_string(evaluated.error());
    EXPECT_EQ(evaluated.error().kind, FaultKind::BadInput);
    EXPECT_NE(fault.find(fragment), std::string::npos) << fault;
    EXPECT_NE(fault.find("x = 2.5"), std::string::npos) << fault;
    // The next call has a process of its own.
    EXPECT_TRUE((*reference)
                    ->evaluate(formats::Format::FP32, std::span(x).first(2), {},
                               std::span(results).first(2)));
  }

  sfpi::TemporaryFolder folder_;
};

TEST_F(ReferenceSource, OfOneNumber) {
  const auto reference =
      compiled("#include <cmath>\ndouble reference(double x) { return std::exp(x); }\n");
  ASSERT_NE(reference, nullptr);
  EXPECT_EQ(reference->operands(), 1u);
  for (const formats::Format format :
       {formats::Format::FP32, formats::Format::BF16, formats::Format::INT16}) {
    for (double x = -20; x < 20; x += 0.25) {
      const ReferenceValue value = value_at(*reference, format, x);
      EXPECT_EQ(value,
                (ReferenceValue{std::exp(x), formats::round_to_bits(format, std::exp(x)), true}));
    }
  }
}

TEST_F(ReferenceSource, OfTwoNumbersAndManyBlocks) {
  const auto reference = compiled("double reference(double x, double y) { return x * y + 1; }\n");
  ASSERT_NE(reference, nullptr);
  EXPECT_EQ(reference->operands(), 2u);
  const std::size_t count = 2 * kWorkerBlock + 1;
  std::vector<double> x(count), y(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = static_cast<double>(i) / 3;
    y[i] = static_cast<double>(i) + 0.1;
  }
  std::vector<ReferenceValue> results(count);
  ASSERT_TRUE(reference->evaluate(formats::Format::FP32, x, y, results));
  for (std::size_t i = 0; i < count; ++i) {
    // Two roundings: volatile keeps this from being contracted.
    volatile const double product = x[i] * y[i];
    ASSERT_EQ(results[i].exact, product + 1) << i;
  }
}

TEST_F(ReferenceSource, OverloadsAndFloats) {
  EXPECT_EQ(compiled("float reference(float x) { return x; }\n")->operands(), 1u);
  EXPECT_EQ(compiled("template <class T> T reference(T x, T y) { return x + y; }\n")->operands(),
            2u);
}

TEST_F(ReferenceSource, InManyThreads) {
  const auto reference = compiled("double reference(double x) { return 2 * x; }\n");
  ASSERT_NE(reference, nullptr);
  std::vector<std::thread> threads;
  std::array<bool, 4> is_right{};
  for (std::size_t t = 0; t < is_right.size(); ++t) {
    threads.emplace_back([&, t] {
      bool all = true;
      for (int i = 0; i < 50; ++i) {
        all = all && value_at(*reference, formats::Format::FP32, static_cast<double>(t)).exact ==
                         2 * static_cast<double>(t);
      }
      is_right[t] = all;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(is_right, (std::array<bool, 4>{true, true, true, true}));
}

TEST_F(ReferenceSource, IdentityFollowsWhatIsCompiled) {
  folder_.write("part.h", "constexpr double kFactor = 2;\n");
  const std::string text =
      "#include \"part.h\"\ndouble reference(double x) { return kFactor * x; }\n";
  const std::string first = compiled(text)->identity();
  EXPECT_EQ(compiled("// a comment\n" + text)->identity(), first);
  folder_.write("part.h", "constexpr double kFactor = 3;\n");
  EXPECT_NE(compiled(text)->identity(), first);
}

TEST_F(ReferenceSource, IsRefused) {
  expect_refused("double referenz(double x) { return x; }\n", "no function 'reference'");
  expect_refused("double reference(const char* x) { return *x; }\n", "no function 'reference'");
  expect_refused("double reference(double x) { return x }\n", "expected");
  expect_refused(
      "#include <cstdlib>\nint crash = (std::abort(), 1);\n"
      "double reference(double x) { return x; }\n",
      "was ended by SIGABRT before the function was called");
  EXPECT_FALSE(compile_reference((folder_.path() / "nothing.cpp").string()));
  EXPECT_FALSE(compile_reference(folder_.path().string()));
}

TEST_F(ReferenceSource, ACrash) {
  expect_failure("double reference(double x) { return x > 2 ? *(volatile double*)8 : x; }\n",
                 "SIGSEGV");
}

TEST_F(ReferenceSource, AnException) {
  expect_failure("double reference(double x) { if (x > 2) throw 1; return x; }\n", "SIGABRT");
}

TEST_F(ReferenceSource, AnExit) {
  expect_failure(
      "#include <cstdlib>\ndouble reference(double x) { if (x > 2) std::exit(7); return x; }\n",
      "exit status 7");
}

TEST_F(ReferenceSource, AnEndlessLoop) {
  expect_failure(
      "double reference(double x) { volatile bool on = x > 2; while (on) {} return x; }\n",
      "did not come back within 300 ms", milliseconds(300));
}

TEST_F(ReferenceSource, MemoryWithoutEnd) {
  expect_failure(R"(#include <vector>
double reference(double x) {
  static char* volatile block;
  while (x > 2) block = new char[64 << 20];
  return x;
}
)",
                 "needs more than 2048 MiB of memory");
  expect_refused(R"(#include <vector>
std::vector<char> all(std::size_t{1} << 40);
double reference(double x) { return x; }
)",
                 "needs more than 2048 MiB of memory before the function was called");
}

TEST_F(ReferenceSource, LeavesNoProcessesAndNoFiles) {
  const auto files_before = std::distance(
      std::filesystem::directory_iterator(std::filesystem::temp_directory_path()), {});
  {
    const auto reference = compiled("double reference(double x) { return x; }\n");
    EXPECT_EQ(value_at(*reference, formats::Format::FP32, 3).exact, 3);
    unsigned left = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
      if (entry.path().filename().string().starts_with("lanewise-reference-")) ++left;
    }
    EXPECT_LE(left, static_cast<unsigned>(files_before));
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

/// Ctrl-C goes to the process group of the terminal: the worker is not in it.
TEST_F(ReferenceSource, DoesNotGetCtrlC) {
  const auto reference = compiled(
      "#include <unistd.h>\ndouble reference(double) { return getpgrp() == getpid() ? 1 : 0; }\n");
  EXPECT_EQ(value_at(*reference, formats::Format::FP32, 0).exact, 1);
}

} // namespace
} // namespace lanewise::references
