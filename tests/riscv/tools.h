// Debian's RISC-V compiler and objdump, which the tests hold the reader against. A machine without
// them skips these tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

namespace lanewise::testing {

inline bool has_riscv_tools() {
  return std::system("command -v riscv64-unknown-elf-gcc >/dev/null 2>&1") ==
         0; // NOLINT(cert-env33-c)
}

/// Skips a test by the name of the package that is missing.
#define SKIP_WITHOUT_RISCV_TOOLS()             \
  if (!::lanewise::testing::has_riscv_tools()) \
  GTEST_SKIP() << "the package gcc-riscv64-unknown-elf is not installed"

/// A folder that is gone at the end.
class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("lanewise-riscv-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream in(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// Runs a command in the folder; what it prints goes to the file `log`.
  bool run(const std::string& command) const {
    const std::string whole = "cd '" + path_.string() + "' && (" + command + ") >log 2>&1";
    return std::system(whole.c_str()) == 0; // NOLINT(cert-env33-c)
  }

 private:
  std::filesystem::path path_;
};

} // namespace lanewise::testing
