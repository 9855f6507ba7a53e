// Kernels for tests: files in a folder of their own, and the cache that all tests share.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {

/// A folder that lives as long as the object. It has the name of the running test, if no other
/// process runs that one now: what is compiled in it has the same paths in the next run, and under
/// the sanitizers, and is found in the cache.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const std::filesystem::path parent = std::filesystem::temp_directory_path();
    const std::string own = (parent / ("lanewise-test-" + name_of_test())).string();
    std::string other = (parent / "lanewise-test-XXXXXX").string();
    if (::mkdir(own.c_str(), S_IRWXU) == 0) {
      path_ = own;
    } else if (::mkdtemp(other.data()) != nullptr) {
      path_ = other;
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

  /// Writes a file into the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }

 private:
  /// Suite, test, and a number for each folder of it.
  static std::string name_of_test() {
    static int number = 0;
    static const ::testing::TestInfo* counted = nullptr;
    const ::testing::TestInfo* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    if (test == nullptr) return "none";
    number = test == counted ? number + 1 : 0;
    counted = test;
    std::string name =
        std::string(test->test_suite_name()) + "." + test->name() + "." + std::to_string(number);
    std::ranges::replace(name, '/', '-'); // of a suite with parameters
    return name;
  }

  std::filesystem::path path_;
};

/// A variable of the environment for a while.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    if (old_.empty()) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, old_.c_str(), 1);
    }
  }

 private:
  const char* name_;
  std::string old_;
};

/// Where tests keep precompiled headers and kernels: $LANEWISE_TEST_CACHE, which all tests of a run
/// share, or a folder beside the program.
inline std::string test_cache() {
  const char* shared = std::getenv("LANEWISE_TEST_CACHE");
  return shared != nullptr ? shared : (std::filesystem::current_path() / "kernel_cache").string();
}

/// A test that records kernels.
class KernelTest : public ::testing::Test {
 protected:
  /// Records a kernel whose text begins in line 1 of kernel.cpp.
  Expected<compiler::Recording> record_text(const std::string& text, Arch arch = Arch::Blackhole) {
    source_.file = folder_.write("kernel.cpp", text);
    return record_kernel(arch, source_);
  }
  /// The fault of such a kernel.
  Fault fault_of(const std::string& text, Arch arch = Arch::Blackhole) {
    const auto recording = record_text(text, arch);
    EXPECT_FALSE(recording.has_value());
    return recording ? Fault{} : recording.error();
  }

  TemporaryFolder folder_;
  Environment cache_{"LANEWISE_CACHE", test_cache()};
  KernelSource source_;
};

} // namespace lanewise::sfpi
