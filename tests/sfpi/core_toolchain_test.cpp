// What programs of the cores begin with.
#include "source/sfpi/core_toolchain.h"

#include <gtest/gtest.h>

#include "source/sfpi/kernel_object.h"

namespace lanewise::sfpi {
namespace {

// tt-metal's firmware_common.h declares these symbols itself, as words that nobody else writes.
TEST(CoreStart, SymbolsOfDataAreDeclaredOnlyWhereDataAreLoaded) {
  EXPECT_EQ(core_start_text(DataOfCore::AreThere).find("__ldm_"), std::string::npos);
  const std::string loads = core_start_text(DataOfCore::AreLoaded);
  EXPECT_LT(loads.find("void lanewise_start()"), loads.find("__ldm_bss_start[]"));
}

TEST(CoreStart, BothBeginTheKernel) {
  for (const DataOfCore data : {DataOfCore::AreThere, DataOfCore::AreLoaded}) {
    const std::string text = core_start_text(data);
    EXPECT_NE(text.find("void _start()"), std::string::npos);
    EXPECT_NE(text.find(std::string(kEntryName) + "();"), std::string::npos);
  }
}

} // namespace
} // namespace lanewise::sfpi
