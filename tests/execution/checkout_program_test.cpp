// Operations of a checkout as programs: formats of their tiles, files and calls.
#include "run/execution/checkout_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "checkouts/fake_checkout.h"

namespace lanewise::execution {
namespace {

using formats::Format;

std::vector<Format> formats(std::string_view op) {
  return op_formats(*checkouts::find_op(op));
}
std::optional<Format> result(std::string_view op) {
  return op_result_format(*checkouts::find_op(op));
}

// docs/metal.md, "Running an operation".
TEST(OpFormats, IntegersAreTwosComplementAndThoseOf32BitsNeedAWideDst) {
  EXPECT_EQ(formats("gelu"), (std::vector{Format::BF16, Format::FP32}));
  EXPECT_EQ(formats("add_int32"), std::vector{Format::UINT32});
  EXPECT_EQ(formats("typecast_fp32_to_int32"), std::vector{Format::FP32});
  EXPECT_EQ(formats("typecast_fp32_to_uint16"), (std::vector{Format::BF16, Format::FP32}));
}

TEST(OpFormats, ResultsHaveOneOfTheirOwnWhereTheTypeChanges) {
  EXPECT_EQ(result("gelu"), std::nullopt);
  EXPECT_EQ(result("add_int32"), std::nullopt);
  EXPECT_EQ(result("typecast_fp32_to_int32"), Format::UINT32);
  EXPECT_EQ(result("typecast_int32_to_uint16"), Format::UINT16);
  EXPECT_EQ(result("typecast_int32_to_fp16b"), Format::BF16);
  // They store 32 bits, whatever they load.
  for (const std::string_view from : {"int32", "uint32", "uint16"})
    EXPECT_EQ(result(fmt::format("typecast_{}_to_fp32", from)), Format::FP32) << from;
  // In tiles of 32 bits, they load as many of a number of 16.
  EXPECT_EQ(formats("typecast_uint16_to_fp32"), std::vector{Format::UINT32});
  EXPECT_EQ(formats("typecast_uint16_to_uint32"), std::vector{Format::UINT32});
}

TEST(OpFormats, AreThoseOfTheUserWhereTheseAreOthersThanTheUsual) {
  const auto chosen = [](std::string_view op, std::string format, std::string result) {
    choose_formats(*checkouts::find_op(op), format, &result);
    return format + " to " + result;
  };
  EXPECT_EQ(chosen("gelu", "bf16", ""), "bf16 to ");
  EXPECT_EQ(chosen("typecast_fp32_to_int32", "bf16", ""), "fp32 to uint32");
  EXPECT_EQ(chosen("add_int32", "int32", "fp32"), "int32 to fp32");
  std::string alone = "bf16";
  choose_formats(*checkouts::find_op("add_int32"), alone, nullptr);
  EXPECT_EQ(alone, "uint32");
}

class CheckoutPrograms : public testing::Test {
 protected:
  CheckoutPrograms() {
    fake_.add("elu",
              "template <bool APPROXIMATION_MODE, bool is_fp32_dest_acc_en, int ITERATIONS>\n"
              "void calculate_elu(unsigned slope) {}");
    file_.kernel.limits.memory = 1 << 20;
    file_.kernel.defines = {"MINE"};
    file_.kernel.include_dirs = {"mine"};
  }

  checkouts::FakeCheckout fake_;
  ProgramFile file_{.name = "mine.cpp"};
};

TEST_F(CheckoutPrograms, AnOperationHasItsFileAndItsCallAndKeepsWhatTheUserAdds) {
  const CheckoutChoice choice{fake_.metal(), "elu", {{"alpha", "0.5"}}, true};
  ASSERT_TRUE(add_checkout(file_, choice, Arch::Wormhole).has_value());
  EXPECT_NE(file_.name.find("wormhole_b0/metal/llk_api/llk_sfpu/ckernel_sfpu_elu.h"),
            std::string::npos)
      << file_.name;
  EXPECT_EQ(file_.kernel.calls,
            std::vector<std::string>{"calculate_elu<false, true, 8>(0x3F000000u)"});
  EXPECT_EQ(file_.kernel.faces, sfpi::Faces::RC);
  EXPECT_EQ(file_.kernel.limits.memory, 1u << 20);
  EXPECT_EQ(file_.kernel.defines.back(), "MINE");
  EXPECT_EQ(file_.kernel.include_dirs.back(), "mine");
}

TEST_F(CheckoutPrograms, AFileOfTheUsersKeepsItsNameAndFindsTheHeaders) {
  ASSERT_TRUE(add_checkout(file_, {fake_.metal(), ""}, Arch::Blackhole).has_value());
  EXPECT_EQ(file_.name, "mine.cpp");
  EXPECT_GT(file_.kernel.include_dirs.size(), 1u);
}

TEST_F(CheckoutPrograms, WithoutACheckoutNothingIsAdded) {
  ASSERT_TRUE(add_checkout(file_, {}, Arch::Blackhole).has_value());
  EXPECT_EQ(file_.kernel.include_dirs, std::vector<std::string>{"mine"});
}

TEST_F(CheckoutPrograms, WhatTheCheckoutHasNotIsAnError) {
  EXPECT_FALSE(add_checkout(file_, {fake_.metal(), "elo"}, Arch::Blackhole).has_value());
  EXPECT_FALSE(add_checkout(file_, {fake_.metal() + "/none", "elu"}, Arch::Blackhole).has_value());
}

} // namespace
} // namespace lanewise::execution
