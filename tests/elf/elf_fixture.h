// ELF files that the tests make with Debian's compiler.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "binary/elf/image.h"
#include "project.h"
#include "riscv/tools.h"

namespace lanewise::elf {

/// The bytes of a linked program. `source`: C.
inline std::string compiled(const std::string& source, const std::string& options = "-O2") {
  const testing::Folder folder;
  folder.write("program.c", source);
  const bool done = folder.run(fmt::format(
      "riscv64-unknown-elf-gcc -march=rv32im_zicsr -mabi=ilp32 -nostdlib -ffreestanding -g {} "
      "-Wl,-Ttext=0x6000,-e,0x6000 -Wl,--build-id=none program.c -o program.elf",
      options));
  EXPECT_TRUE(done) << folder.read("log");
  return folder.read("program.elf");
}

/// The text of a file of tests/elf/programs/.
inline std::string source_file(const std::string& name) {
  std::ifstream in(in_project(fmt::format("tests/elf/programs/{}", name)));
  return {std::istreambuf_iterator<char>(in), {}};
}

inline Image image_of(const std::string& bytes) {
  auto image = read_image(bytes, "program.elf");
  EXPECT_TRUE(image) << to_string(image.error());
  return image ? *std::move(image) : Image{};
}

} // namespace lanewise::elf
