// Reading the functions of a header.
#include "source/checkouts/declarations.h"

#include <gtest/gtest.h>

namespace lanewise::checkouts {
namespace {

using Parameters = std::vector<Parameter>;

Function only_function(std::string_view text) {
  const std::vector<Function> functions = functions_of(text);
  EXPECT_EQ(functions.size(), 1U) << text;
  return functions.empty() ? Function{} : functions.front();
}

TEST(Declarations, TemplateParametersHaveTypesNamesAndDefaults) {
  const Function function = only_function(
      "template <bool APPROXIMATION_MODE, int ITERATIONS = 8, typename T, DataFormat format = "
      "a::B>\n"
      "inline void calculate(const uint dst_index_in0, std::uint32_t value = 3) { }");
  EXPECT_EQ(function.name, "calculate");
  EXPECT_EQ(function.templates, (Parameters{{"bool", "APPROXIMATION_MODE", ""},
                                            {"int", "ITERATIONS", "8"},
                                            {"typename", "T", ""},
                                            {"DataFormat", "format", "a::B"}}));
  EXPECT_EQ(function.parameters,
            (Parameters{{"const uint", "dst_index_in0", ""}, {"std::uint32_t", "value", "3"}}));
}

TEST(Declarations, ParametersMayHaveNoName) {
  const Function function = only_function(
      "template <bool A, std::enable_if_t<(A > 1), int> = 0> void f(const uint, const int /* n */) "
      "{}");
  EXPECT_EQ(function.templates,
            (Parameters{{"bool", "A", ""}, {"std::enable_if_t<(A>1),int>", "", "0"}}));
  EXPECT_EQ(function.parameters, (Parameters{{"const uint", "", ""}, {"const int", "", ""}}));
}

TEST(Declarations, OnlyDefinitionsOfFunctionsWithoutAResultCount) {
  const auto functions = functions_of(
      "template <bool A> void declared(int x);\n"
      "int returns() { return 0; }\n"
      "template <> inline void special<3>(int x) { }\n"
      "void first() { second(); }\n"
      "// void commented() {}\n"
      "struct S { template <int N> struct T {}; };\n"
      "void last(S<1, 2> pair, int other) {}");
  ASSERT_EQ(functions.size(), 2U);
  EXPECT_EQ(functions[0], (Function{"first", {}, {}}));
  EXPECT_EQ(functions[1].parameters, (Parameters{{"S<1,2>", "pair", ""}, {"int", "other", ""}}));
}

TEST(Declarations, WhatIsNoCppEndsSomewhere) {
  for (const char* text : {"", "template <", "void f(", "template <bool A = (", "void f(int x",
                           "template <<<>>> void f(,,) {", "void 1f() {}"})
    EXPECT_LE(functions_of(text).size(), 1U) << text;
}

} // namespace
} // namespace lanewise::checkouts
