// Calls of operations, made from the names that headers give to parameters.
#include "source/checkouts/op_table.h"

#include <gtest/gtest.h>

#include <set>

#include "checkouts/fake_checkout.h"

namespace lanewise::checkouts {
namespace {

class Ops : public testing::Test {
 protected:
  OpTable table() {
    const auto checkout = Checkout::open(fake_.metal(), kArchs);
    return {*checkout, Arch::Blackhole};
  }
  /// "init; calculate".
  std::string call(std::string_view op, const OpChoice& choice = {}) {
    const auto made = table().call(*find_op(op), choice);
    if (!made) return "error: " + to_string(made.error());
    return made->init + "; " + made->calculate;
  }
  bool has(std::string_view op) {
    for (const SfpuOp* each : table().ops()) {
      if (each->name == op) return true;
    }
    return false;
  }

  FakeCheckout fake_;
};

TEST_F(Ops, TemplateArgumentsFollowTheOrderOfTheHeader) {
  fake_.add("gelu",
            "template <bool APPROXIMATION_MODE, bool is_fp32_dest_acc_en> void gelu_init() {}\n"
            "template <bool APPROXIMATION_MODE, bool is_fp32_dest_acc_en, int ITERATIONS = 8>\n"
            "void calculate_gelu() {}");
  EXPECT_EQ(call("gelu"), "gelu_init<false, false>(); calculate_gelu<false, false, 8>()");
  EXPECT_EQ(call("gelu", {.dst_width = "true"}),
            "gelu_init<false, true>(); calculate_gelu<false, true, 8>()");
  EXPECT_EQ(call("gelu_fast"), "gelu_init<true, false>(); calculate_gelu<true, false, 8>()");
  fake_.add("gelu", "template <int ITERATIONS, bool is_fp32_dest_acc_en> void calculate_gelu() {}");
  EXPECT_EQ(call("gelu"), "; calculate_gelu<8, false>()") << "another release, without an init";
}

TEST_F(Ops, DefaultsOfTheHeaderStayWhereNothingIsKnown) {
  fake_.add(
      "exp",
      "template <bool APPROXIMATION_MODE, bool CLAMP = true, int ITERATIONS = 8, int LAST = 7>\n"
      "void calculate_exponential(const uint scale = 3) {}");
  EXPECT_EQ(call("exp"), "; calculate_exponential<false, true, 8>(0x3F80u)");
  EXPECT_EQ(call("exp", {.parameters = {{"LAST", "9"}}}),
            "; calculate_exponential<false, true, 8, 9>(0x3F80u)");
}

TEST_F(Ops, ArgumentsAreNumbersByName) {
  fake_.add(
      "softplus",
      "template <bool APPROXIMATION_MODE> void calculate_softplus(uint a, uint b, uint c) {}");
  EXPECT_EQ(call("softplus"), "; calculate_softplus<false>(0x3F800000u, 0x3F800000u, 0x41A00000u)");
  EXPECT_EQ(call("softplus", {.parameters = {{"beta", "0.5"}, {"threshold", "-1e2"}}}),
            "; calculate_softplus<false>(0x3F000000u, 0x40000000u, 0xC2C80000u)")
      << "the reciprocal of beta follows it";
  for (const auto& [name, value] : {std::pair{"beta", "half"}, {"beta", ""}, {"gamma", "1"}}) {
    const std::string message = call("softplus", {.parameters = {{name, value}}});
    EXPECT_NE(message.find(name), std::string::npos) << message;
  }
}

TEST_F(Ops, TilesOfBinaryOperationsAreBoundByName) {
  fake_.add("atan2",
            "template <bool APPROXIMATION_MODE, int ITERATIONS, bool is_fp32_dest_acc_en>\n"
            "void calculate_sfpu_atan2(const uint dst_index_in0, const uint dst_index_in1, const "
            "uint dst_index_out) {}");
  EXPECT_EQ(call("atan2"), "; calculate_sfpu_atan2<false, 8, false>(0, 1, 0)");
}

TEST_F(Ops, TheFirstOfSeveralNamesIsTaken) {
  fake_.add("fill", "template <bool APPROXIMATION_MODE> void _calculate_fill_(float value) {}");
  EXPECT_EQ(call("fill"), "; _calculate_fill_<false>(__builtin_bit_cast(float, 0x3FC00000u))");
}

TEST_F(Ops, UnknownParametersOfAHeaderAreNamed) {
  fake_.add("mish", "template <bool APPROXIMATION_MODE, Colour paint> void calculate_mish() {}");
  EXPECT_NE(call("mish").find("'Colour paint' of calculate_mish"), std::string::npos);
  EXPECT_EQ(call("mish", {.parameters = {{"paint", "Colour::Red"}}}),
            "; calculate_mish<false, Colour::Red>()");
  fake_.add("mish", "template <bool APPROXIMATION_MODE> void calculate_mish(float shade) {}");
  EXPECT_NE(call("mish").find("'float shade'"), std::string::npos);
}

TEST_F(Ops, OnlyThoseOfTheCheckoutAreThere) {
  fake_.add("mish", "template <bool APPROXIMATION_MODE> void calculate_mish() {}");
  EXPECT_TRUE(has("mish"));
  EXPECT_FALSE(has("gelu"));
  const auto wrong = chosen_op(table(), "mihs");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().remedy, "did you mean mish?");
}

TEST(OpRows, HaveNamesOfTheirOwnAndArgumentsThatAreNumbers) {
  std::set<std::string_view> names;
  for (const SfpuOp& op : sfpu_ops()) {
    EXPECT_TRUE(names.insert(op.name).second) << op.name;
    EXPECT_FALSE(op.header.empty() || op.calculate.empty()) << op.name;
    EXPECT_GE(op.operands, 1U) << op.name;
    for (std::size_t i = 0; i < op.arguments.size(); ++i) {
      const OpArgument& argument = op.arguments[i];
      if (argument.form != ArgumentForm::Fp32Reciprocal) {
        EXPECT_FALSE(argument.value.empty()) << op.name;
        continue;
      }
      ASSERT_GT(i, 0U) << op.name;
      EXPECT_EQ(argument.name, op.arguments[i - 1].name) << op.name << ": of the argument before";
    }
  }
  EXPECT_GE(names.size(), 200U);
}

} // namespace
} // namespace lanewise::checkouts
