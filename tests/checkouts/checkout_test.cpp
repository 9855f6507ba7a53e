// Where kernels lie in a checkout of tt-metal or tt-llk.
#include "source/checkouts/checkout.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <stdexcept>

#include "checkouts/fake_checkout.h"

namespace lanewise::trees {
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
} // namespace lanewise::trees
