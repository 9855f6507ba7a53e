// VU 5.2 to 5.4: results of two cycles.
#include "timing/hazard_cases.h"

namespace lanewise::test {

namespace {

/// A MAD-class instruction that writes L2, and its reader in the next cycle or the one after.
HazardCase after_mad(std::string_view rule, std::string_view chips, const std::string& reader,
                     const std::string& harmless = {}) {
  const std::string writer = "SFPMAD L0, L1, L9, L2, 0\n";
  return {.rule = rule,
          .chips = chips,
          .bad = writer + reader,
          .good = writer + (harmless.empty() ? "SFPNOP\n" + reader : harmless)};
}

HazardCase distance(std::string_view rule, std::string_view chips, const std::string& first,
                    const std::string& second) {
  return {.rule = rule,
          .chips = chips,
          .bad = first + "\n" + second,
          .good = first + "\nSFPNOP\n" + second};
}

} // namespace

std::vector<HazardCase> result_cases() {
  std::vector<HazardCase> cases{
      after_mad("mad-result", "wh", "SFPSTORE L2, FP32, 3, 0"),
      after_mad("mad-result", "wh", "SFPMAD L2, L1, L9, L3, 0"),
      after_mad("mad-result", "wh", "SFPSTOCHRND 0, 0, L0, L2, L3, 1"),
      // VU 5.4: mode 2 keeps the next cycle from L0..L3, modes 3 and 4 from VD.
      distance("shft2-result", "wh", "SFPSHFT2 0, L4, L4, 3", "SFPSTORE L4, FP32, 3, 0"),
      distance("shft2-result", "wh", "SFPSHFT2 0, L4, L5, 2", "SFPSTORE L0, FP32, 3, 0"),
      distance("shft2-result", "wh", "SFPSHFT2 0, L4, L5, 2", "SFPLOADI L1, 2, 0"),
      {"shft2-port", "wh", "SFPSHFT2 0, L4, L4, 3\nSFPABS L0, L0, 1",
       "SFPSHFT2 0, L4, L4, 3\nSFPLOADI L0, 2, 0"},
      distance("shft2-port", "wh", "SFPSHFT2 0, L4, L4, 3", "SFPSTOCHRND 0, 0, L0, L0, L0, 1"),
      // VU 5.3, row by row; what the stall logic sees is no hazard.
      after_mad("interlock-logic", "bh", "SFPAND L2, L3, L4, 1",
                "SFPAND L3, L2, L4, 1"), // VC is seen
      after_mad("interlock-logic", "bh", "SFPOR L2, L3, L4, 1"),
      after_mad("interlock-iadd", "bh", "SFPIADD 0, L3, L2, 4", "SFPIADD 0, L2, L3, 4"),
      after_mad("interlock-shft", "bh", "SFPSHFT 0, L3, L2, 0", "SFPSHFT 0, L2, L3, 0"),
      {"interlock-config", "bh", "SFPMAD L0, L1, L9, L0, 0\nSFPCONFIG 0, 12, 0",
       "SFPMAD L0, L1, L9, L0, 0\nSFPCONFIG 0, 12, 1"}, // an immediate reads nothing
      after_mad("interlock-swap", "bh", "SFPSWAP L2, L3, 1", "SFPSWAP L2, L3, 0"),
      after_mad("interlock-rotate", "bh", "SFPSHFT2 0, L2, L4, 3"),
      after_mad("interlock-rotate", "bh", "SFPSHFT2 0, L4, L5, 2"),
      after_mad("interlock-shft2", "bh", "SFPSHFT2 2, L3, L4, 5"), // VB = L2
      // Indirect VD: L7 says L2, the stall logic takes the encoded L5.
      {"interlock-lutfp32", "bh", "SFPLOADI L7, 2, 2\nSFPLUTFP32 L5, 10\nSFPSTORE L2, FP32, 3, 0",
       "SFPLOADI L7, 2, 2\nSFPLUTFP32 L5, 10\nSFPSTORE L5, FP32, 3, 0"},
      {"interlock-lutfp32", "bh", "SFPLOADI L7, 2, 2\nSFPLUTFP32 L5, 10\nSFPSTORE L2, FP32, 3, 0",
       "SFPLOADI L7, 2, 2\nSFPLUTFP32 L5, 10, Mod1Mirror=8\nSFPSTORE L2, FP32, 3, 0"},
      distance("write-order", "bh wh", "SFPMAD L0, L1, L9, L2, 0", "SFPLOADI L2, 2, 0"),
  };
  HazardCase off = after_mad("mad-result", "bh", "SFPSTORE L2, FP32, 3, 0");
  off.schedule.auto_stall = false;
  cases.push_back(off);
  HazardCase swaps =
      distance("two-cycle-follower", "bh wh", "SFPSWAP L0, L1, 1", "SFPLOADI L4, 2, 0");
  swaps.schedule.auto_stall = false;
  swaps.schedule.wormhole_swap_stalls = false;
  cases.push_back(swaps);
  return cases;
}

} // namespace lanewise::test
