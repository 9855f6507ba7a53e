// A case as a test of LLK: the text of the benchmark, its build.h, and its parameters in L1.
#pragma once

#include <string>
#include <vector>

#include "chip/tile/l1_image.h"
#include "run/section/test_source.h"
#include "source/checkouts/op_table.h"
#include "study/silicon/case.h"

namespace lanewise::silicon {

/// The benchmarks, in one file. Compiled in (benchmark_text.cpp).
std::string_view benchmark_text();

/// A case that compile_sections() takes, and what lies in L1 before it runs.
struct BenchTest {
  section::TestSource source;
  std::vector<tile::L1Input> inputs;
};

/// The release of SFPI that compiled what the table measured: tt-metal pinned it from 13 to
/// 24 August 2026, and the table's tree is of the 20th.
inline constexpr int kTableRelease = 769;

/// A checkout with its operations for a chip. An older one is compiled by the table's release.
struct BenchTree {
  checkouts::Checkout checkout;
  checkouts::OpTable operations;
  Arch arch;

  BenchTree(const checkouts::Checkout& tree, Arch chip);
};

/// The text of build.h for one of the threads: what another thread has makes no difference to it.
/// Error: Unsupported for an operation that the checkout has not.
Expected<std::string> bench_header(const ClockCase& each, const BenchTree& tree, Engine thread);

/// Error: as of bench_header(); BadInput if the cache cannot be written.
Expected<BenchTest> bench_test(const ClockCase& each, const BenchTree& tree);

} // namespace lanewise::silicon
