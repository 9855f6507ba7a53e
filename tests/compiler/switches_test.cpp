// The compiler's options as a user writes them (docs/compiler.md).
#include "source/compiler/switches.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "source/compiler/passes.h"

namespace lanewise::compiler {
namespace {

using Texts = std::vector<std::string>;

TEST(Switches, EachTurnsItsOwnOptionOffAndOnAgain) {
  for (const Switch& each : kSwitches) {
    for (const std::string_view name : {each.name, each.vendor_name}) {
      const auto off = parse_options(Texts{"no-" + std::string(name)});
      ASSERT_TRUE(off.has_value()) << name;
      for (const Switch& other : kSwitches)
        EXPECT_EQ((*off).*other.option, other.option != each.option) << name << ' ' << other.name;
      const auto on = parse_options(Texts{"no-" + std::string(name), std::string(name)});
      EXPECT_TRUE((*on).*each.option) << "the last one counts: " << name;
    }
    EXPECT_NE(switch_names().find(each.name), std::string::npos);
  }
}

TEST(Switches, WhatDoesNotExistIsNamed) {
  for (const char* text : {"", "no-", "combined", "no-no-combine", "Combine"}) {
    const auto options = parse_options(Texts{text});
    ASSERT_FALSE(options.has_value()) << text;
    EXPECT_NE(options.error().message.find(std::string("-f") + text), std::string::npos);
    EXPECT_NE(options.error().remedy.find("replay"), std::string::npos);
  }
}

TEST(Switches, DumpsAreOfPasses) {
  EXPECT_EQ(parse_options(Texts{}, pass_names())->dump, pass_names());
  EXPECT_EQ(parse_options(Texts{}, Texts{"all"})->dump, Texts{"all"});
  const auto options = parse_options(Texts{}, Texts{"every"});
  ASSERT_FALSE(options.has_value());
  EXPECT_NE(options.error().remedy.find(pass_names().front()), std::string::npos);
}

} // namespace
} // namespace lanewise::compiler
