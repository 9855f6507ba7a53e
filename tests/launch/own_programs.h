// Programs of the examples, and of kernels in a test, that need no checkout. Numbers are whole and
// small, so that every sum and product is exact.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "project.h"
#include "run/launch/buffer_files.h"
#include "run/launch/launch.h"
#include "sfpi/kernel_files.h"
#include "source/programs/description.h"

namespace lanewise::launch {

/// Rows of numbers.
struct Matrix {
  unsigned rows = 0, columns = 0;
  std::vector<float> numbers;

  Matrix(unsigned how_many, unsigned how_wide)
      : rows(how_many), columns(how_wide), numbers(std::size_t{how_many} * how_wide) {}
  float& at(unsigned row, unsigned column) { return numbers[std::size_t{row} * columns + column]; }
  float at(unsigned row, unsigned column) const {
    return numbers[std::size_t{row} * columns + column];
  }
};

/// Whole numbers from -range to range, which differ from tile to tile.
inline Matrix whole_numbers(unsigned rows, unsigned columns, unsigned seed, int range) {
  Matrix matrix(rows, columns);
  std::uint32_t state = seed;
  for (float& number : matrix.numbers) {
    state = state * 1664525 + 1013904223;
    number = static_cast<float>(static_cast<int>((state >> 16) % (2U * range + 1)) - range);
  }
  return matrix;
}

/// Where in a list of tiles of four faces a number of a matrix lies.
inline std::size_t place_in_tiles(const Matrix& matrix, unsigned row, unsigned column) {
  const std::size_t tile = std::size_t{row / 32} * (matrix.columns / 32) + column / 32;
  const unsigned face = row % 32 / 16 * 2 + column % 32 / 16;
  return tile * 1024 + std::size_t{face} * 256 + row % 16 * 16 + column % 16;
}

inline std::vector<std::uint8_t> tiles_of(const Matrix& matrix) {
  std::vector<std::uint8_t> bytes(matrix.numbers.size() * 2);
  for (unsigned row = 0; row < matrix.rows; ++row) {
    for (unsigned column = 0; column < matrix.columns; ++column) {
      const float number = matrix.at(row, column);
      std::uint32_t bits = 0;
      std::memcpy(&bits, &number, sizeof bits);
      const auto half = static_cast<std::uint16_t>(bits >> 16);
      std::memcpy(bytes.data() + 2 * place_in_tiles(matrix, row, column), &half, sizeof half);
    }
  }
  return bytes;
}

inline void read_tiles(Matrix& matrix, const std::vector<std::uint8_t>& bytes) {
  ASSERT_EQ(bytes.size(), matrix.numbers.size() * 2);
  for (unsigned row = 0; row < matrix.rows; ++row) {
    for (unsigned column = 0; column < matrix.columns; ++column) {
      std::uint16_t half = 0;
      std::memcpy(&half, bytes.data() + 2 * place_in_tiles(matrix, row, column), sizeof half);
      const std::uint32_t bits = std::uint32_t{half} << 16;
      std::memcpy(&matrix.at(row, column), &bits, sizeof bits);
    }
  }
}

inline std::string text_of(const LaunchOutcome& outcome) {
  std::string text;
  for (const Fault& fault : outcome.faults) text += to_string(fault) + "\n";
  if (outcome.failure) text += to_string(*outcome.failure) + "\n";
  for (const std::string& each : outcome.blocked) text += each + "\n";
  return text;
}

class OwnHeadersTest : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef LANEWISE_SANITIZED
    GTEST_SKIP() << "the address sanitizer keeps its own memory where a core has registers";
#endif
  }

  /// A file among the examples.
  static std::string text_of_example(const std::string& name) {
    std::ifstream file(in_project("examples/programs/" + name));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  /// An example, with its kernels by their full paths.
  void read_example(const std::string& name) {
    parse(text_of_example(name));
  }

  void parse(const std::string& text) {
    auto parsed = programs::parse_description(text);
    ASSERT_TRUE(parsed.has_value()) << to_string(parsed.error());
    description = std::move(*parsed);
    description.program.arch = arch;
    for (programs::Kernel& kernel : description.program.kernels)
      if (!kernel.file.empty()) kernel.file = in_project(kernel.file);
    if (auto read = read_buffers(description, {}); !read) FAIL() << to_string(read.error());
  }

  programs::Program& program() {
    return description.program;
  }

  Expected<programs::ProgramObjects> compile() {
    layout = *programs::lay_out(program());
    return programs::compile_program(program(), layout, {});
  }

  LaunchOutcome run(const LaunchSettings& how = {}) {
    const auto objects = compile();
    EXPECT_TRUE(objects.has_value()) << (objects ? "" : to_string(objects.error()));
    if (!objects) return {};
    auto outcome = launch_program(program(), layout, *objects, how);
    EXPECT_TRUE(outcome.has_value()) << (outcome ? "" : to_string(outcome.error()));
    return outcome ? std::move(*outcome) : LaunchOutcome();
  }

  /// A program of one tile each of a and b to c, whose compute kernel has this body between its
  /// headers and the packing of tile 0.
  void make_program(const std::string& body) {
    read_example("vector_add.json");
    for (programs::Buffer& buffer : program().buffers) buffer.bytes = 2048;
    for (programs::Kernel& kernel : program().kernels) {
      kernel.runtime_args.back() = 1U;
      if (kernel.processor != programs::Processor::Compute) continue;
      kernel.file.clear();
      kernel.text = R"(#include "compute_kernel_api/bcast.h"
#include "compute_kernel_api/eltwise_binary_sfpu.h"
#include "compute_kernel_api/eltwise_unary/eltwise_unary.h"
#include "compute_kernel_api/transpose_wh.h"
namespace NAMESPACE {
void MAIN {
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  cb_reserve_back(16, 1);
  init_bcast<EltwiseBinaryType::ELWADD, BroadcastType::ROW>(0, 1, 16);
  acquire_dst();
)" + body + R"(
  pack_tile(0, 16);
  release_dst();
  cb_push_back(16, 1);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
}
)";
    }
    program().buffers[0].contents = tiles_of(a);
    program().buffers[1].contents = tiles_of(b);
  }

  void expect_result(const LaunchOutcome& outcome, const Matrix& expected, std::size_t buffer = 2) {
    EXPECT_TRUE(outcome.is_done()) << text_of(outcome);
    EXPECT_EQ(text_of(outcome), "");
    EXPECT_EQ(outcome.traps, 0U);
    ASSERT_GT(outcome.buffers.size(), buffer);
    Matrix found(expected.rows, expected.columns);
    read_tiles(found, outcome.buffers[buffer]);
    for (unsigned row = 0; row < expected.rows; ++row)
      for (unsigned column = 0; column < expected.columns; ++column)
        ASSERT_EQ(found.at(row, column), expected.at(row, column)) << row << ", " << column;
  }

  Arch arch = kDefaultArch;
  programs::Description description;
  programs::Layout layout;
  Matrix a = whole_numbers(32, 32, 1, 7), b = whole_numbers(32, 32, 2, 7);
  sfpi::TemporaryFolder folder;
  sfpi::Environment cache{"LANEWISE_CACHE", std::getenv("LANEWISE_TEST_CACHE") != nullptr
                                                ? std::getenv("LANEWISE_TEST_CACHE")
                                                : folder.path().string() + "/cache"};
};
/// The same on each chip.
class OnEachChip : public OwnHeadersTest, public ::testing::WithParamInterface<Arch> {
 protected:
  OnEachChip() { arch = GetParam(); }
};

} // namespace lanewise::launch
