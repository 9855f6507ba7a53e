// Where the kernels of host programs are looked for.
#include "source/programs/kernel_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/private_folder.h"

namespace lanewise::programs {
namespace {

namespace fs = std::filesystem;

class KernelFiles : public ::testing::Test {
 protected:
  std::string put(const fs::path& name) {
    const fs::path path = folder.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "void kernel_main() {}\n";
    return path.string();
  }
  std::string in(const fs::path& name) const { return (folder.path() / name).string(); }

  PrivateFolder folder{"kernel-files"};
};

TEST_F(KernelFiles, BesideTheHostProgramAndAboveIt) {
  const std::string beside = put("a/b/kernels/one.cpp"), above = put("a/kernels/two.cpp");
  EXPECT_EQ(find_kernel_file("kernels/one.cpp", in("a/b/host.cpp"), ""), beside);
  EXPECT_EQ(find_kernel_file("kernels/two.cpp", in("a/b/host.cpp"), ""), above);
}

TEST_F(KernelFiles, TheNearestIsTaken) {
  put("kernels/one.cpp");
  const std::string near = put("a/kernels/one.cpp");
  EXPECT_EQ(find_kernel_file("kernels/one.cpp", in("a/b/host.cpp"), in("")), near);
}

TEST_F(KernelFiles, InTheCheckoutAndAmongItsExamples) {
  const std::string root = put("metal/tt_metal/kernels/k.cpp");
  const std::string example = put("metal/tt_metal/programming_examples/loop/kernels/k.cpp");
  EXPECT_EQ(find_kernel_file("tt_metal/kernels/k.cpp", in("other/host.cpp"), in("metal")), root);
  EXPECT_EQ(find_kernel_file("loop/kernels/k.cpp", in("other/host.cpp"), in("metal")), example);
}

TEST_F(KernelFiles, WhatIsNowhereKeepsItsName) {
  EXPECT_EQ(find_kernel_file("no/such.cpp", in("host.cpp"), in("metal")), "no/such.cpp");
  EXPECT_EQ(find_kernel_file("no/such.cpp", "", ""), "no/such.cpp");
}

} // namespace
} // namespace lanewise::programs
