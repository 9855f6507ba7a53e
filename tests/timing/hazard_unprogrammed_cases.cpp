// State that a program uses, and whether somebody has put a value there.
#include "timing/hazard_cases.h"

namespace lanewise::test {

namespace {

const std::string kSomeMacro(kLoadMacro);

HazardCase unprogrammed(std::string_view rule, std::string bad, std::string good,
                        std::string_view chips = "bh wh") {
  return {.rule = rule,
          .chips = chips,
          .bad = std::move(bad),
          .good = std::move(good),
          .finder = Finder::Unprogrammed};
}

/// SFPCONFIG of L0 to a destination, with a number in L0.
std::string configure(unsigned destination, unsigned number = 0) {
  return fmt::format("SFPLOADI L0, 2, {}\nSFPCONFIG 0, {}, 0\nSFPNOP\n", number, destination);
}

/// A macro that loads L2 in a mode, and a template that then makes L2 of L1.
std::string l2_of_l1(std::string_view mode) {
  return configure(4, 0x84) + "SFPCONFIG 0, 8, 1\nSFPABS L1, L12, 1\n" +
         fmt::format("SFPLOADMACRO 0, 2, {}, 3, 0, 0\n", mode);
}

/// Section 2 has been programmed; with the bias counter the same field means section 6 (MU 2.1).
HazardCase biased_section() {
  const unsigned word = arch_params(Arch::Wormhole).config.addr_mod_dst_word + 2U;
  const std::string program = fmt::format("SETC16 {}, 0\nSFPLOAD L0, BF16, 2, 0", word);
  HazardCase made = unprogrammed("unprogrammed-addr-mod", program, program, "wh");
  made.setup = [](ClockRig& rig, bool bad) { rig.state().rwc.bias = bad ? 1 : 0; };
  return made;
}

} // namespace

std::vector<HazardCase> unprogrammed_cases() {
  const std::string one = "SFPLOADI L0, 0, 0x3F80\n", two = "SFPLOADI L1, 0, 0x4000\n";
  const std::string store_l0 = "SFPSTORE L0, BF16, 3, 0", store_l1 = "SFPSTORE L1, BF16, 3, 0",
                    store_l2 = "SFPSTORE L2, BF16, 3, 0";
  // Lanes whose number of the tile (LReg[15]) is 0: lane 0.
  const std::string some_lanes = "SFPENCC Imm2=3, Mod1=10\nSFPSETCC VC=L15, Mod1=6\n";
  const std::string all_lanes = "SFPENCC Imm2=3, Mod1=10\n";
  const std::string draw = "SFPMOV L9, L0, 8\nSFPSTORE L0, INT32, 3, 0\n";
  // Simple: template 0, one cycle after the load.
  const std::string simple_0 = configure(4, 4);
  return {
      // Lanes that two instructions write between them.
      unprogrammed("unprogrammed-lreg", some_lanes + one + all_lanes + store_l0,
                   some_lanes + one + "SFPCOMPC\n" + one + all_lanes + store_l0),
      // The class: each of the three, as any operand, and as a copy.
      unprogrammed("unprogrammed-constant", "SFPADD L10, L9, L12, L0, 0",
                   configure(12) + "SFPADD L10, L9, L12, L0, 0"),
      unprogrammed("unprogrammed-constant", one + "SFPMUL L13, L0, L9, L1, 0",
                   configure(13) + "SFPMUL L13, L0, L9, L1, 0"),
      unprogrammed("unprogrammed-constant", "SFPMOV L14, L0, 0", "SFPMOV L11, L0, 0"),
      unprogrammed("unprogrammed-constant", "SFPADD L10, L9, L12, L0, 0",
                   "SFPCONFIG 0, 12, 1\nSFPADD L10, L9, L12, L0, 0"), // the register's own value

      unprogrammed("unprogrammed-lreg", "SFPABS L0, L1, 1\n" + store_l1,
                   one + "SFPABS L0, L1, 1\n" + store_l1),
      // Computing alone does no harm: kernels compute in lanes of which they use nothing.
      unprogrammed("unprogrammed-lreg", "SFPABS L0, L1, 1\nSFPABS L1, L2, 1\n" + store_l2,
                   "SFPABS L0, L1, 1\n" + one + store_l0),
      unprogrammed("unprogrammed-lreg", "SFPSETCC 0, L0, 0", one + "SFPSETCC 0, L0, 0"),
      // Lane by lane.
      unprogrammed("unprogrammed-lreg", some_lanes + one + all_lanes + store_l0,
                   all_lanes + one + some_lanes + one + all_lanes + store_l0),
      unprogrammed("unprogrammed-lreg",
                   some_lanes + one + all_lanes + "SFPABS L0, L1, 1\n" + store_l1,
                   some_lanes + one + all_lanes + "SFPABS L0, L1, 1\n" + some_lanes + store_l1),
      unprogrammed("unprogrammed-lreg", "SFPSTORE L7, BF16, 3, 0",
                   "SFPLOAD L7, BF16, 3, 0\nSFPSTORE L7, BF16, 3, 0"),
      // What an instruction reads without naming it.
      unprogrammed("unprogrammed-lreg",
                   "SFPLOADI L3, 0, 0x3F80\nSFPLUT L3, 4\nSFPSTORE L3, BF16, 3, 0",
                   "SFPLOADI L3, 0, 0x3F80\n" + one + two +
                       "SFPLOADI L2, 0, 0\nSFPLUT L3, 4\nSFPNOP\nSFPSTORE L3, BF16, 3, 0"),
      unprogrammed("unprogrammed-lreg", "SFPCONFIG 0, 12, 0", configure(12)),
      // A half is not the whole.
      unprogrammed("unprogrammed-lreg", "SFPLOADI L0, 8, 0x3F80\n" + store_l0,
                   "SFPLOADI L0, 10, 1\nSFPLOADI L0, 8, 0x3F80\n" + store_l0),
      // A copy brings it along, and does no harm by itself.
      unprogrammed("unprogrammed-lreg", "SFPMOV L1, L0, 0\n" + store_l0, "SFPMOV L1, L0, 0"),
      unprogrammed("unprogrammed-lreg", one + "SFPTRANSP\nSFPSTORE L0, BF16, 3, 0",
                   "SFPLOADI L4, 0, 0\nSFPLOADI L5, 0, 0\nSFPLOADI L6, 0, 0\nSFPLOADI L7, 0, 0\n"
                   "SFPTRANSP\nSFPSTORE L4, BF16, 3, 0"),
      unprogrammed("unprogrammed-lreg", one + "SFPSWAP L0, L1, 0\nSFPNOP\n" + store_l0,
                   one + "SFPSWAP L0, L1, 0\nSFPNOP\n" + store_l1),

      unprogrammed("unprogrammed-addr-mod", "SFPLOAD L0, BF16, 6, 0", "SFPLOAD L0, BF16, 7, 0",
                   "bh"),
      unprogrammed("unprogrammed-addr-mod", "SFPLOAD L0, BF16, 2, 0", "SFPLOAD L0, BF16, 3, 0"),
      unprogrammed("unprogrammed-addr-mod", one + "SFPSTORE L0, BF16, 2, 0",
                   one + "SETC16 CfgIndex=30, NewValue=2\nSFPSTORE L0, BF16, 2, 0", "bh"),

      biased_section(),

      unprogrammed("unprogrammed-macro", kSomeMacro, configure(4) + kSomeMacro),
      unprogrammed("unprogrammed-macro", simple_0 + "SFPCONFIG 0, 8, 1\n" + kSomeMacro,
                   simple_0 + "SFPCONFIG 0, 8, 1\nSFPABS L0, L12, 1\n" + kSomeMacro),
      unprogrammed("unprogrammed-misc", simple_0 + "SFPABS L0, L12, 1\n" + kSomeMacro,
                   simple_0 + "SFPABS L0, L12, 1\nSFPCONFIG 0, 8, 1\n" + kSomeMacro),

      // Each template has its own word: VD = 13 writes template 1, selector 5.
      unprogrammed("unprogrammed-macro",
                   configure(4, 5) + "SFPCONFIG 0, 8, 1\nSFPABS L0, L12, 1\n" + kSomeMacro,
                   configure(4, 5) + "SFPCONFIG 0, 8, 1\nSFPABS L0, L13, 1\n" + kSomeMacro),

      // All of a cycle read before any writes: a template computes L2 while the instruction behind
      // the macro stores it, with the half that was loaded; or writes L1, which the template reads.
      unprogrammed("unprogrammed-lreg", two + l2_of_l1("HI16_ONLY") + store_l2,
                   two + l2_of_l1("HI16_ONLY") + "SFPNOP\n" + store_l2),
      unprogrammed("unprogrammed-lreg", l2_of_l1("FP32") + two + "SFPNOP\n" + store_l2,
                   two + l2_of_l1("FP32") + two + "SFPNOP\n" + store_l2),

      // What is written over before anybody reads it was never there.
      unprogrammed(
          "unprogrammed-lreg",
          "SFPSTORE L1, BF16, 3, 0\nSFPLOAD L2, BF16, 3, 0\n" + one + "SFPSTORE L0, BF16, 3, 0",
          "SFPSTORE L1, BF16, 3, 0\n" + one + "SFPSTORE L0, BF16, 3, 0"),
      unprogrammed("unprogrammed-lreg",
                   "SFPSTORE L1, BF16, 3, 0\n" + one + "SFPSTORE L0, BF16, 3, 2", // other columns
                   "SFPSTORE L1, BF16, 3, 2\n" + one + "SFPSTORE L0, BF16, 3, 2"),
      unprogrammed("unprogrammed-lreg",
                   "SFPSTORE L1, FP32, 3, 0\n" + one + "SFPSTORE L0, BF16, 3, 0", // the low half
                   "SFPSTORE L1, BF16, 3, 0\n" + one + "SFPSTORE L0, FP32, 3, 0"),
      unprogrammed("unprogrammed-lreg",
                   "SFPSTORE L1, BF16, 3, 0\nPACR Last=1\n" + one + "SFPSTORE L0, BF16, 3, 0",
                   "SFPSTORE L1, BF16, 3, 0\n" + one + "SFPSTORE L0, BF16, 3, 0\nPACR Last=1"),

      // The fixture fills tile 0.
      unprogrammed("unprogrammed-dst", "SFPLOAD L0, BF16, 3, 64", "SFPLOAD L0, BF16, 3, 62"),
      unprogrammed("unprogrammed-dst", one + "SFPSTORE L0, BF16, 3, 64\nSFPLOAD L0, BF16, 3, 66",
                   one + "SFPSTORE L0, BF16, 3, 64\nSFPLOAD L0, BF16, 3, 64"),

      // Of the Matrix Unit it is not known which rows it writes.
      unprogrammed("unprogrammed-dst", "SFPLOAD L0, BF16, 3, 64",
                   "MVMUL\nSFPNOP\nSFPNOP\nSFPNOP\nSFPLOAD L0, BF16, 3, 64"),

      unprogrammed("unprogrammed-prng", draw, one + "SFPSTORE L0, INT32, 3, 0"),
      unprogrammed("unprogrammed-prng", one + "SFPSTOCHRND VC=L0, VD=L1, Mod1=1, RoundingMode=1",
                   one + "SFPSTOCHRND VC=L0, VD=L1, Mod1=1, RoundingMode=0", "bh"),
      unprogrammed("unprogrammed-prng", one + "SFPSTOCHRND VC=L0, VD=L1, Mod1=1, Stochastic=1",
                   one + "SFPSTOCHRND VC=L0, VD=L1, Mod1=1, Stochastic=0", "wh"),
  };
}

} // namespace lanewise::test
