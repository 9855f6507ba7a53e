// Operations of tt-metal: their functions, and the figures that were published about them.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "checkouts/fake_checkout.h"
#include "number/references/reference.h"
#include "project.h"
#include "source/checkouts/op.h"
#include "study/corpus/llk/check.h"
#include "study/corpus/metal/functions.h"
#include "study/corpus/metal/kernels.h"
#include "study/corpus/metal/silicon.h"

namespace lanewise::corpus {
namespace {

TEST(MetalFunctions, AreThoseOfFloatOperationsWithAsManyOperands) {
  std::set<std::string_view> names;
  for (const OpFunction& function : op_functions()) {
    EXPECT_TRUE(names.insert(function.op).second) << function.op;
    const checkouts::SfpuOp* op = checkouts::find_op(function.op);
    ASSERT_NE(op, nullptr) << function.op;
    EXPECT_EQ(op->element, checkouts::OpElement::Float) << function.op;
    const auto reference = references::parse_reference(function.reference);
    ASSERT_TRUE(reference.has_value()) << function.op;
    EXPECT_LE((*reference)->operands(), op->operands) << function.op;
  }
}

TEST(Silicon, FiguresAreOfOperationsWithAFunctionOnce) {
  std::set<std::string> keys;
  for (const SiliconFigure& figure : silicon_figures()) {
    const std::string key = std::string(figure.op) + arch_params(figure.arch).names.id.data();
    EXPECT_TRUE(keys.insert(key).second) << key;
    EXPECT_NE(checkouts::find_op(figure.op), nullptr) << figure.op;
    EXPECT_EQ(find_silicon(figure.op, figure.format, figure.arch), &figure);
    EXPECT_EQ(figure.largest == 0, figure.mean == 0) << figure.op;
  }
  EXPECT_EQ(find_silicon("gelu", formats::Format::FP32, Arch::Blackhole), nullptr);
  EXPECT_EQ(silicon_number(1.14e36), "1.14e+36");
  EXPECT_EQ(silicon_number(0.856), "0.856");
}

/// The cells of a row of a table in Markdown, without blanks at their ends.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos
                        ? ""
                        : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

// The committed table was made with a checkout that is not here; what can be held is that it has
// the published figures, and that nothing in it differs from silicon without a reason.
TEST(Silicon, TheCommittedTableExplainsEveryDifference) {
  std::ifstream page(in_project("docs/silicon.md"));
  std::size_t rows = 0, same = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ") || line.starts_with("| operation") || line.starts_with("|--"))
      continue;
    const std::vector<std::string> cells = cells_of(line);
    ASSERT_EQ(cells.size(), 5U) << line;
    const auto arch = parse_arch(cells[1]);
    ASSERT_TRUE(arch.has_value()) << line;
    const SiliconFigure* figure = find_silicon(cells[0], formats::Format::BF16, *arch);
    ASSERT_NE(figure, nullptr) << line;
    EXPECT_TRUE(cells[2].starts_with(silicon_number(figure->largest) + " / ")) << line;
    const bool is_same = cells[2] == cells[3];
    EXPECT_EQ(cells[4].empty(), is_same) << line;
    EXPECT_NE(cells[4], "not explained") << line;
    ++rows;
    if (is_same) ++same;
  }
  EXPECT_GE(rows, 60U);
  EXPECT_GE(same, 58U) << "of the tree of June 2026";
}

TEST(MetalKernels, RunWithoutABoundAndShowTheirError) {
  checkouts::FakeCheckout fake;
  fake.add("square",
           "template <bool APPROXIMATION_MODE, int ITERATIONS = 8>\n"
           "void calculate_square() { for (int d = 0; d < ITERATIONS; d++) {\n"
           "  vFloat x = dst_reg[0]; dst_reg[0] = x * x; dst_reg++; } }\n");
  fake.add("gcd",
           "template <int ITERATIONS = 8>\n"
           "void calculate_sfpu_gcd(const uint dst_index_in0, const uint dst_index_in1, const uint "
           "dst_index_out) { for (int d = 0; d < ITERATIONS; d++) {\n"
           "  vInt x = dst_reg[0]; dst_reg[0] = x & 255; dst_reg++; } }\n");
  const auto checkout = checkouts::Checkout::open(fake.metal(), kArchs);
  ASSERT_TRUE(checkout.has_value());
  const std::vector<LlkKernel> kernels = metal_kernels(*checkout, kArchs);
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].chips.size(), 2U) << "both chips call it alike";
  for (const LlkKernel& kernel : kernels) {
    const bool is_square = kernel.name == "square";
    const auto results = check_llk_kernel(kernel, *checkout, {.chips = {Arch::Wormhole}});
    ASSERT_EQ(results.size(), is_square ? 2U : 1U) << "bf16 and fp32, or int32";
    for (const LlkResult& result : results) {
      EXPECT_EQ(result.verdict, LlkVerdict::Ran) << result.reason;
      EXPECT_EQ(result.compared > 0, is_square);
    }
    // A square is exact before it is stored: half a unit to nearest, a whole one if cut.
    if (is_square) {
      EXPECT_GT(results[0].error.ulp, 0.9);
      EXPECT_LT(results[0].error.ulp, 1);
      EXPECT_LE(results[1].error.ulp, 0.5);
    }
  }
}

// A chip whose kernel starts otherwise needs a specification of its own.
TEST(MetalKernels, AreOneForChipsThatCallAlikeOnly) {
  checkouts::FakeCheckout fake;
  const std::string init = "template <bool APPROXIMATION_MODE> void exp_init() {}\n";
  const std::string calculate =
      "template <bool APPROXIMATION_MODE, int ITERATIONS = 8>\n"
      "void calculate_exponential(const uint scale) {}\n";
  fake.write_metal("blackhole", "ckernel_sfpu_exp.h", init + calculate);
  fake.write_metal("wormhole_b0", "ckernel_sfpu_exp.h", calculate);
  const auto checkout = checkouts::Checkout::open(fake.metal(), kArchs);
  ASSERT_TRUE(checkout.has_value());
  std::vector<Arch> chips;
  for (const LlkKernel& kernel : metal_kernels(*checkout, kArchs)) {
    if (kernel.name != "exp") continue;
    ASSERT_EQ(kernel.chips.size(), 1U);
    chips.push_back(kernel.chips.front());
    EXPECT_EQ(kernel.init.empty(), kernel.chips.front() == Arch::Wormhole) << kernel.init;
  }
  EXPECT_EQ(std::set(chips.begin(), chips.end()), std::set(kArchs.begin(), kArchs.end()));
}

} // namespace
} // namespace lanewise::corpus
