// Where kernels lie in a checkout of tt-metal or tt-llk.
#include "source/checkouts/checkout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include "checkouts/fake_checkout.h"

namespace lanewise::checkouts {
namespace {

using Names = std::vector<std::string>;

Checkout open(const std::string& folder) {
  auto checkout = Checkout::open(folder, kArchs);
  if (!checkout) throw std::runtime_error(to_string(checkout.error()));
  return *checkout;
}

TEST(Checkout, KnowsBothLayouts) {
  const FakeCheckout fake;
  EXPECT_TRUE(open(fake.metal()).is_metal());
  EXPECT_FALSE(open(fake.llk()).is_metal());
}

TEST(Checkout, EachPartOfTtMetalStandsForTheWhole) {
  const FakeCheckout fake;
  for (const char* part :
       {"", "/", "/tt_metal", "/tt_metal/", "/tt_metal/tt-llk", "/tt_metal/tt-llk/"}) {
    const Checkout checkout = open(fake.metal() + part);
    EXPECT_TRUE(checkout.is_metal()) << part;
    EXPECT_EQ(checkout.headers(Arch::Wormhole), (Names{"nothing"})) << part;
    EXPECT_EQ(checkout.llk(), std::filesystem::path(fake.metal()) / "tt_metal/tt-llk") << part;
  }
  // The folder's name alone does not make it one.
  std::filesystem::remove_all(fake.metal() + "/tt_metal/hw");
  EXPECT_FALSE(open(fake.metal() + "/tt_metal/tt-llk").is_metal());
}

TEST(Checkout, AFileOfLlkLeadsToIt) {
  FakeCheckout fake;
  const std::filesystem::path llk = fake.metal() + "/tt_metal/tt-llk";
  EXPECT_EQ(Checkout::llk_around(llk / "tests/sources/a_test.cpp"), "") << "no chip's llk_lib yet";
  fake.folder().write("metal/tt_metal/tt-llk/tt_llk_wormhole_b0/llk_lib/llk_pack.h", "");
  EXPECT_EQ(Checkout::llk_around(llk / "tests/sources/a_test.cpp"), llk);
  EXPECT_EQ(Checkout::llk_around(fake.metal() + "/tt_metal/hw/a_test.cpp"), "");
}

TEST(Checkout, TestsLookWhereTheirOwnBuildDoes) {
  FakeCheckout fake;
  const std::string metal = "metal/tt_metal";
  for (const char* file :
       {"/tt-llk/tests/helpers/include/params.h", "/tt-llk/tt_llk_wormhole_b0/llk_lib/llk_pack.h",
        "/tt-llk/common/llk_assert.h", "/hw/inc/api/debug.h", "/hostdevcommon/api/common.h",
        "/hw/inc/internal/tt-1xx/wormhole/tensix.h", "/hw/inc/internal/tt-1xx/blackhole/tensix.h",
        "/hw/inc/internal/tt-1xx/wormhole/wormhole_b0_defines/cfg_defines.h"})
    fake.folder().write(metal + file, "");
  const std::filesystem::path root = fake.metal() + "/tt_metal", llk = root / "tt-llk";
  EXPECT_EQ(open(fake.metal()).test_include_folders(Arch::Wormhole),
            (std::vector<std::filesystem::path>{
                llk / "tests/helpers/include", llk / "tt_llk_wormhole_b0/llk_lib",
                llk / "tt_llk_wormhole_b0/common/inc", llk / "tt_llk_wormhole_b0/common/inc/sfpu",
                llk / "common", llk / "tests", root / "hw/inc", root / "hostdevcommon/api",
                root / "hw/inc/internal/tt-1xx/wormhole",
                root / "hw/inc/internal/tt-1xx/wormhole/wormhole_b0_defines",
                root / "hw/ckernels/wormhole_b0/metal/llk_api"}));

  for (const char* file :
       {"tests/firmware/riscv/common/risc_attribs.h", "tests/firmware/riscv/wormhole/map.h",
        "tests/hw_specific/wormhole/inc/tensix.h", "tests/hw_specific/wormhole/metal_sfpu/exp.h",
        "tt_llk_wormhole_b0/hw_specific/inc/tensix.h"})
    fake.folder().write(std::string("llk/") + file, "");
  const std::filesystem::path alone = fake.llk();
  EXPECT_EQ(
      open(fake.llk()).test_include_folders(Arch::Wormhole),
      (std::vector<std::filesystem::path>{
          alone / "tt_llk_wormhole_b0/common/inc", alone / "tt_llk_wormhole_b0/common/inc/sfpu",
          alone / "tt_llk_wormhole_b0/hw_specific/inc", alone / "tests",
          alone / "tests/hw_specific/wormhole/inc", alone / "tests/hw_specific/wormhole",
          alone / "tests/hw_specific/wormhole/metal_sfpu", alone / "tests/firmware/riscv/common",
          alone / "tests/firmware/riscv/wormhole"}));
}

TEST(Checkout, TestsAreBuiltWithTheMacrosOfTheirTree) {
  const FakeCheckout fake;
  EXPECT_EQ(open(fake.llk()).test_defines(0), Names{});
  const Names defines = open(fake.metal()).test_defines(2);
  for (const char* define : {"KERNEL_BUILD", "PROCESSOR_INDEX=4"})
    EXPECT_EQ(std::ranges::count(defines, define), 1) << define;
}

TEST(Checkout, TellsTheReleaseOfSfpi) {
  FakeCheckout fake;
  EXPECT_EQ(open(fake.metal()).sfpi_release(), 760);
  EXPECT_EQ(open(fake.llk()).sfpi_release(), 738);
  const auto release = [&](const std::string& text) {
    fake.folder().write("metal/tt_metal/sfpi-version", text);
    return open(fake.metal()).sfpi_release();
  };
  EXPECT_EQ(release("sfpi_version='7.31.0'\n"), 738) << "the nearest that is told apart";
  EXPECT_EQ(release("sfpi_version=7.99.1\n"), 780);
  for (const char* text : {"", "sfpi_version=''\n", "sfpi_version='new'\n", "other='7.60'\n",
                           "sfpi_version='7'\n", "sfpi_version='7.'\n"})
    EXPECT_EQ(release(text), std::nullopt) << text;
  Checkout other = open(fake.metal());
  other.choose_sfpi_release(773);
  EXPECT_EQ(other.sfpi_release(), 773);
  EXPECT_EQ(other.tt_llk().sfpi_release(), 773);
  // In 2025 the file had another name, and releases began with a letter.
  std::filesystem::remove(fake.llk() + "/tests/sfpi-version");
  EXPECT_EQ(open(fake.llk()).sfpi_release(), std::nullopt);
  fake.folder().write("llk/tests/sfpi-version.sh", "sfpi_version=v7.60.0\n");
  EXPECT_EQ(open(fake.llk()).sfpi_release(), 760);
}

TEST(Checkout, HeadersOfBothFoldersAreListedOnce) {
  FakeCheckout fake;
  fake.add("gelu", "");
  fake.folder().write("metal/tt_metal/tt-llk/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_gelu.h",
                      "");
  fake.folder().write("metal/tt_metal/tt-llk/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_fill.h",
                      "");
  const Checkout checkout = open(fake.metal());
  EXPECT_EQ(checkout.headers(Arch::Blackhole), (Names{"fill", "gelu", "nothing"}));
  EXPECT_EQ(checkout.headers(Arch::Wormhole), (Names{"gelu", "nothing"}));
  const auto holds = [&](std::string_view name, const char* part) {
    const std::string file = checkout.header(Arch::Blackhole, name).string();
    return file.find(part) != std::string::npos && std::filesystem::exists(file);
  };
  EXPECT_TRUE(holds("gelu", "llk_api/llk_sfpu")) << "as tt-metal's own builds find it";
  EXPECT_TRUE(holds("fill", "common/inc/sfpu"));
}

TEST(Checkout, OlderTreesHaveLlkAmongTheThirdParties) {
  FakeCheckout fake;
  std::filesystem::create_directories(fake.metal() + "/tt_metal/third_party");
  std::filesystem::rename(fake.metal() + "/tt_metal/tt-llk",
                          fake.metal() + "/tt_metal/third_party/tt_llk");
  EXPECT_TRUE(open(fake.metal()).is_metal());
}

TEST(Checkout, SaysWhatIsMissing) {
  FakeCheckout fake;
  const auto message = [](const std::string& folder) {
    const auto checkout = Checkout::open(folder, kArchs);
    return checkout ? "" : to_string(checkout.error());
  };
  EXPECT_NE(message(fake.metal() + "/none").find("no such folder"), std::string::npos);
  EXPECT_NE(message(fake.folder().path()).find("tt_llk_blackhole/common/inc/sfpu is missing"),
            std::string::npos);
  std::filesystem::remove_all(fake.metal() + "/tt_metal/hw/ckernels/wormhole_b0");
  EXPECT_NE(message(fake.metal()).find("hw/ckernels/wormhole_b0/metal/llk_api/llk_sfpu is missing"),
            std::string::npos);
  EXPECT_TRUE(Checkout::open(fake.metal(), std::array{Arch::Blackhole}).has_value());
  std::filesystem::remove_all(fake.metal() + "/tt_metal/tt-llk");
  EXPECT_NE(message(fake.metal()).find("tt_metal/tt-llk is missing"), std::string::npos);
}

TEST(Checkout, SetsUpWhatABuildOfItHas) {
  const FakeCheckout fake;
  sfpi::KernelSource source;
  open(fake.metal()).set_up(source, Arch::Wormhole, true);
  EXPECT_EQ(source.epoch, 760);
  EXPECT_EQ(source.include_dirs.front(),
            fake.metal() + "/tt_metal/hw/ckernels/wormhole_b0/metal/llk_api");
  EXPECT_NE(source.prologue.find("DST_ACCUM_MODE = true"), std::string::npos);
  sfpi::KernelSource of_llk;
  open(fake.llk()).set_up(of_llk, Arch::Wormhole, true);
  EXPECT_EQ(of_llk.epoch, 738);
  EXPECT_EQ(of_llk.prologue, "");
}

} // namespace
} // namespace lanewise::checkouts
