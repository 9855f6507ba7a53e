// What a table's kernels were, and how a checkout shows that it is older.
#include "study/silicon/table_kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "checkouts/fake_checkout.h"

namespace lanewise::silicon {
namespace {

class TableKernels : public ::testing::Test {
 protected:
  BenchTree tree() {
    return {checkouts::Checkout::open(fake.metal(), std::array{kMeasuredChip}).value(),
            kMeasuredChip};
  }

  /// A header of LLK's own, below tt-metal's.
  void add_to_llk(const std::string& name, const std::string& text) {
    fake.folder().write(
        "metal/tt_metal/tt-llk/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_" + name + ".h",
        "#pragma once\n" + text);
  }

  static ClockCase case_of(std::string_view tile, bool wide = false) {
    ClockCase each{.benchmark = Benchmark::Unary, .wide = wide};
    for (const VectorRow& row : vector_rows()) {
      if (row.tile == tile && each.vector == nullptr) each.vector = &row;
    }
    return each;
  }

  checkouts::FakeCheckout fake;
};

// The table's own tree pinned 7.69 (tt-metal's pull requests of 13 and 24 August 2026).
TEST_F(TableKernels, OlderCheckoutsAreCompiledByTheTablesRelease) {
  const auto release_with = [&](const std::string& pinned) {
    fake.folder().write("metal/tt_metal/sfpi-version", "sfpi_version='" + pinned + "'\n");
    return tree().checkout.sfpi_release();
  };
  EXPECT_EQ(release_with("7.60.0"), 769);
  EXPECT_EQ(release_with("7.69.0"), 769);
  EXPECT_EQ(release_with("7.75.1"), 775);
}

// tt-metal issue 53912: tests called LLK's own kernels of silu, clamp, log and abs.
TEST_F(TableKernels, TestsCallLlksOwn) {
  fake.add("silu", "template <bool W, int N> void calculate_silu() {}\n");
  EXPECT_FALSE(test_kernel(case_of("silu_tile"), tree()).has_value());
  add_to_llk("silu", "template <bool A, int N> void _calculate_silu_() {}\n");
  const auto kernel = test_kernel(case_of("silu_tile"), tree());
  ASSERT_TRUE(kernel.has_value());
  EXPECT_EQ(kernel->calculate, "_calculate_silu_<false, 8>()");
  EXPECT_NE(kernel->header.find("tt-llk"), std::string::npos);
  EXPECT_FALSE(test_kernel(case_of("sign_tile"), tree()).has_value());
}

TEST_F(TableKernels, AnOlderKernelIsFoundByItsText) {
  fake.add("trigonometry", "vFloat sfpu_asin_range_reduced(vFloat);\n");
  const auto why = changed_since(case_of("asin_tile", true), tree());
  ASSERT_TRUE(why.has_value());
  EXPECT_NE(why->find("50112"), std::string::npos) << *why;
  EXPECT_FALSE(changed_since(case_of("sin_tile", true), tree()).has_value());
  fake.add("trigonometry", "vFloat another_asin(vFloat);\n");
  EXPECT_FALSE(changed_since(case_of("asin_tile", true), tree()).has_value());
}

// tanh was changed twice, once for each width of Dst.
TEST_F(TableKernels, AChangeOfOneWidthLeavesTheOther) {
  fake.add("tanh", "constexpr float POLYNOMIAL_THRESHOLD = 0.6f;\n");
  EXPECT_TRUE(changed_since(case_of("tanh_tile", true), tree()).has_value());
  EXPECT_FALSE(changed_since(case_of("tanh_tile", false), tree()).has_value());
}

// tt-metal 46069 took two instructions of the exact exponential for four, and both are in no other.
TEST_F(TableKernels, ALoopIsAnotherWhereItsInitialisationIsNot) {
  fake.add("exp", "vInt f(vSMag i_smag) { return sfpi::convert<sfpi::vInt>(i_smag); }\n");
  ClockCase each = case_of("exp_tile", true);
  each.choices = {{"APPROX_MODE", "false"}};
  const auto why = loop_changed_since(each, tree());
  ASSERT_TRUE(why.has_value());
  EXPECT_NE(why->find("46069"), std::string::npos) << *why;
  EXPECT_FALSE(changed_since(each, tree()).has_value());
  each.copy_only = true;
  EXPECT_FALSE(loop_changed_since(each, tree()).has_value());
  each.copy_only = false;
  each.choices = {{"APPROX_MODE", "true"}};
  EXPECT_FALSE(loop_changed_since(each, tree()).has_value());
  EXPECT_FALSE(loop_changed_since(case_of("exp_tile", false), tree()).has_value());
  EXPECT_FALSE(loop_changed_since(case_of("exp2_tile", true), tree()).has_value());
}

// Of another thread's initialisation it makes no difference, so that there is one program for both.
TEST_F(TableKernels, OnlyTheMeasuredThreadHasAnInitialisationThatIsLeft) {
  for (const Engine measured : {Engine::Unpack, Engine::Math, Engine::Pack}) {
    const ClockCase left{.benchmark = Benchmark::Copy,
                         .engine = measured,
                         .input = "Float16_b",
                         .output = "Float16_b",
                         .init_left = true};
    for (const Engine thread : {Engine::Unpack, Engine::Math, Engine::Pack}) {
      const auto header = bench_header(left, tree(), thread);
      ASSERT_TRUE(header.has_value()) << header.error().message;
      EXPECT_EQ(header->find("constexpr bool BENCH_INIT_LEFT = true;") != header->npos,
                thread == measured)
          << engine_name(measured) << ": " << engine_name(thread);
    }
  }
}

TEST_F(TableKernels, SuchARowIsLeftOutWithItsReason) {
  fake.add("tanh", "constexpr float POLYNOMIAL_THRESHOLD = 0.6f;\n");
  ClockCase each = case_of("tanh_tile", true);
  each.input = each.output = "Float16_b";
  const auto header = bench_header(each, tree(), Engine::Math);
  ASSERT_FALSE(header.has_value());
  EXPECT_EQ(header.error().kind, FaultKind::Unsupported);
  EXPECT_NE(header.error().message.find("48299"), std::string::npos) << header.error().message;
}

// The benchmark is compiled in another folder than the one from which a checkout was named.
TEST_F(TableKernels, AKernelIsIncludedByItsWholePath) {
  add_to_llk("silu", "template <bool A, int N> void _calculate_silu_() {}\n");
  const auto metal = std::filesystem::relative(fake.metal());
  ASSERT_TRUE(metal.is_relative());
  const BenchTree named(checkouts::Checkout::open(metal, std::array{kMeasuredChip}).value(),
                        kMeasuredChip);
  ClockCase each = case_of("silu_tile");
  each.input = each.output = "Float16_b";
  const auto header = bench_header(each, named, Engine::Math);
  ASSERT_TRUE(header.has_value()) << header.error().message;
  EXPECT_NE(header->find("#define BENCH_HEADER \"/"), std::string::npos) << *header;
  // It names all forms of initialisations in their order.
  std::string forms;
  for (unsigned form = 0; form <= static_cast<unsigned>(InitForm::ApartWithAll); ++form)
    forms += (form == 0 ? "" : ", ") + std::string(init_form_name(static_cast<InitForm>(form)));
  EXPECT_NE(header->find("enum class init_form { " + forms + " };"), std::string::npos) << *header;
}

} // namespace
} // namespace lanewise::silicon
