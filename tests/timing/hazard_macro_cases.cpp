// VU 5.5: SFPLOADMACRO.
#include "timing/hazard_cases.h"

namespace lanewise::test {

namespace {

using Setup = std::function<void(ClockRig&, bool)>;

const std::string kMacro(kLoadMacro);
const std::string kStoreIt = "SFPSTORE L0, FP32, 3, 0\n";
const std::string kAbs = "SFPABS L1, L1, 1\n";
const std::string kSixNops = "SFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\n";
const timing::CheckOptions kReplayed{.pushed = false};

/// One template and one sequence, the same for both programs.
Setup with(std::string_view line, std::uint32_t bytes) {
  return [=](ClockRig& rig, bool) {
    rig.set_template(0, line);
    rig.set_sequence(0, bytes);
  };
}

/// A sequence that breaks the rule, or one that does not.
Setup either(std::string_view line, std::uint32_t bad, std::uint32_t good) {
  return [=](ClockRig& rig, bool is_bad) {
    rig.set_template(0, line);
    rig.set_template(1, "SFPSTOCHRND 0, 0, L0, L0, L0, 1");
    rig.set_sequence(0, is_bad ? bad : good);
  };
}

HazardCase of_programs(std::string_view rule, const Setup& setup, std::string bad,
                       std::string good) {
  return {.rule = rule,
          .chips = "bh wh",
          .bad = std::move(bad),
          .good = std::move(good),
          .setup = setup,
          .check = kReplayed};
}

HazardCase of_sequences(std::string_view rule, std::string_view line, std::uint32_t bad,
                        std::uint32_t good) {
  return of_programs(rule, either(line, bad, good), kMacro, kMacro);
}

std::string replayed(const std::string& program, unsigned length) {
  return fmt::format("REPLAY 0, {}, 0, 1\n{}REPLAY 0, {}, 0, 0\n", length, program, length);
}

constexpr std::string_view kAbsTemplate = "SFPABS L0, L0, 1";
constexpr std::string_view kMadTemplate = "SFPMAD L0, L10, L9, L0, 0";
constexpr std::string_view kSwapTemplate = "SFPSWAP L4, L6, 1";
constexpr std::string_view kRotateTemplate = "SFPSHFT2 0, L4, L4, 3";

void cancelling_macros(ClockRig& rig, bool) {
  rig.set_template(0, kAbsTemplate);
  rig.set_sequence(0, sequence({4, 2}, {}, {}, {}));
  rig.set_sequence(1, sequence({4, 1}, {}, {}, {}));
}

void store_in_some_columns(ClockRig& rig, bool bad) {
  rig.set_sequence(0, sequence({}, {}, {}, {3}));
  if (bad) rig.vector().macro.sequence[0][5] = 0;
}

} // namespace

/// MAD writes L0 in cycles 1 and 2, Simple reads it in the cycle after; a store takes L0 later.
void copy_beside_product(ClockRig& rig, bool store_reads_copy) {
  rig.set_template(0, "SFPMOV L3, L0, 0");
  rig.set_template(1, kMadTemplate);
  rig.set_misc(3); // stores are FP32
  rig.set_sequence(0, sequence({4, 1, true}, {5, 0}, {}, {3, 3, store_reads_copy}));
}

/// A product in LReg[16], and a store of it two instructions later.
void product_and_store(ClockRig& rig, bool) {
  constexpr std::uint32_t kFp32 = 3, kAllCountInstructions = 0xF00;
  rig.set_template(0, kMadTemplate);
  rig.set_misc(kAllCountInstructions | kFp32);
  rig.set_sequence(0, sequence({}, {4, 0, true}, {}, {3, 2, true}));
}

/// VU 5.5: a store two cycles later, of what is in L0 then.
void store_of_l0(ClockRig& rig, bool) {
  rig.set_misc(3); // stores are FP32
  rig.set_sequence(0, sequence({}, {}, {}, {3, 2}));
}

/// The same after the longest delay.
void store_after_the_longest_delay(ClockRig& rig, bool) {
  rig.set_misc(3);
  rig.set_sequence(0, sequence({}, {}, {}, {3, 7}));
}

/// VU 5.5, patterns: macro 0 stores |L0| from LReg[16] once four more instructions have come; macro
/// 1 has a product there two cycles after the next one. On time the store takes LReg[16] a cycle
/// before the product lands.
void carried_in_macro_lreg(ClockRig& rig, bool) {
  constexpr std::uint32_t kFp32 = 3, kAllCountInstructions = 0xF00;
  rig.set_template(0, kAbsTemplate);
  rig.set_template(1, "SFPMAD L0, L0, L9, L0, 0");
  rig.set_misc(kAllCountInstructions | kFp32);
  rig.set_sequence(0, sequence({4, 0, true}, {}, {}, {3, 4, true}));
  rig.set_sequence(1, sequence({}, {5, 1, true}, {}, {}));
}

/// VU C5: the flags that a scheduled SFPSETCC writes in the next cycle are for later words.
void flags_of_l0(ClockRig& rig, bool) {
  rig.set_template(0, "SFPSETCC 0, L0, 0, 6");
  rig.set_sequence(0, sequence({4, 0}, {}, {}, {}));
}

HazardCase late(const Setup& setup, std::string bad, std::string good) {
  return {.rule = "late-push",
          .chips = "bh wh",
          .bad = std::move(bad),
          .good = std::move(good),
          .setup = setup,
          .finder = Finder::LatePushes};
}

std::vector<HazardCase> macro_cases() {
  const std::string second = "SFPLOADMACRO 1, 1, FP32, 3, 0, 0\n";
  const std::string two_macros = kMacro + "SFPLOADMACRO 0, 1, FP32, 3, 2, 0\n";
  std::vector<HazardCase> cases{
      of_programs("macro-collision", with(kAbsTemplate, sequence({4}, {}, {}, {})), kMacro + kAbs,
                  kMacro + "SFPNOP\n" + kAbs),
      of_programs("macro-collision", with(kAbsTemplate, sequence({4}, {}, {}, {})),
                  kMacro + "SFPSETCC 1, L1, 0, 1\nSFPNOP\n",
                  kMacro + "SFPLOADI L1, 2, 0\n"), // another sub-unit
      of_programs("macro-result", with(kMadTemplate, sequence({}, {4}, {}, {})),
                  kMacro + "SFPNOP\n" + kStoreIt, kMacro + "SFPNOP\nSFPNOP\n" + kStoreIt),
      // A regular writer and a scheduled reader: the store executes in cycle 2.
      of_programs(
          "macro-result",
          [](ClockRig& rig, bool bad) {
            rig.set_sequence(0, sequence({}, {}, {}, {3, bad ? 1U : 2U}));
          },
          kMacro + "SFPMAD L1, L1, L9, L0, 0\n", kMacro + "SFPMAD L1, L1, L9, L0, 0\n"),
      // Who reads the old value, and the result is read later, wants it so.
      of_programs("macro-result", copy_beside_product, kMacro + "SFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\n",
                  kMacro + "SFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\n"),
      // The store of the first macro executes while the product of the second is on its way.
      {.rule = "macro-old-value",
       .chips = "bh wh",
       .bad = two_macros + "SFPNOP\nSFPNOP\n",
       .good = replayed(two_macros + "SFPNOP\nSFPNOP\n", 4),
       .setup = product_and_store},
      // One cycle further from the next macro, the new value is not there yet by far.
      {.rule = "macro-old-value",
       .chips = "bh wh",
       .bad = two_macros + "SFPNOP\nSFPNOP\n",
       .good = kMacro + "SFPNOP\nSFPLOADMACRO 0, 1, FP32, 3, 2, 0\nSFPNOP\nSFPNOP\n",
       .setup = product_and_store},
      of_sequences("macro-write-port", kAbsTemplate, sequence({4}, {}, {5}, {}),
                   sequence({4}, {}, {5, 0, true}, {})),
      of_sequences("macro-write-port", kAbsTemplate, sequence({4, 0, true}, {}, {5, 0, true}, {}),
                   sequence({4, 0, true}, {}, {5}, {})),
      of_programs("macro-swap-mad", with(kSwapTemplate, sequence({4}, {}, {}, {})),
                  kMacro + "SFPMAD L1, L1, L9, L5, 0\n", kMacro + "SFPLOADI L5, 2, 0\n"),
      of_programs("macro-swap-busy", with(kSwapTemplate, sequence({4}, {}, {}, {})),
                  kMacro + "SFPNOP\n" + kAbs, kMacro + "SFPNOP\nSFPNOP\n" + kAbs),
      of_sequences("macro-swap-lreg16", kSwapTemplate, sequence({4, 0, true}, {}, {}, {}),
                   sequence({4}, {}, {}, {})),
      of_programs("macro-shft2-busy", with(kRotateTemplate, sequence({}, {}, {4}, {})),
                  kMacro + "SFPNOP\n" + kAbs, kMacro + "SFPNOP\nSFPNOP\n" + kAbs),
      of_sequences("macro-selector", kAbsTemplate, sequence({1}, {}, {}, {}),
                   sequence({2}, {}, {}, {})),
      of_sequences("macro-selector", kAbsTemplate, sequence({}, {}, {}, {2}),
                   sequence({}, {}, {}, {3})),
      of_sequences("macro-template", kAbsTemplate, sequence({}, {4}, {}, {}),
                   sequence({4}, {}, {}, {})),
      of_sequences("macro-store-template", kAbsTemplate, sequence({}, {}, {}, {4}),
                   sequence({}, {}, {}, {3})),
      of_programs("macro-store-lanes", store_in_some_columns, kMacro, kMacro),
      of_programs("macro-cancelled", cancelling_macros, kMacro + second,
                  kMacro + "SFPNOP\nSFPNOP\nSFPNOP\n" + second),
      of_sequences("macro-lreg16", kAbsTemplate, sequence({}, {}, {}, {3, 0, true}),
                   sequence({4, 0, true}, {}, {}, {3, 1, true})),
      of_programs(
          "macro-unprogrammed",
          [](ClockRig& rig, bool bad) {
            if (!bad) rig.set_sequence(0, sequence({2}, {}, {}, {}));
          },
          kMacro, kMacro),
      // The regular SFPABS executes before the scheduled one as long as the core pushes in time.
      {.rule = "macro-core-timing",
       .chips = "bh wh",
       .bad = kMacro + kAbs,
       .good = replayed(kMacro + kAbs, 2),
       .setup = with(kAbsTemplate, sequence({4, 3}, {}, {}, {}))},
      // The store takes L0 in the cycle in which the new value lands, which a late push changes: at
      // the shortest distance, and at the longest.
      {.rule = "macro-core-timing",
       .chips = "bh wh",
       .bad = kMacro + "SFPNOP\nSFPLOADI L0, 0, 0x3F80\n",
       .good = replayed(kMacro + "SFPNOP\nSFPLOADI L0, 0, 0x3F80\n", 3),
       .setup = store_of_l0},
      {.rule = "macro-core-timing",
       .chips = "bh wh",
       .bad = kMacro + kSixNops + "SFPLOADI L0, 0, 0x3F80\n",
       .good = replayed(kMacro + kSixNops + "SFPLOADI L0, 0, 0x3F80\n", 8),
       .setup = store_after_the_longest_delay},
      // What is loaded before the store is loaded behind it, if it comes late.
      {.rule = "macro-core-timing",
       .chips = "bh wh",
       .bad = kMacro + "SFPLOAD L1, FP32, 3, 0\n",
       .good = replayed(kMacro + "SFPLOAD L1, FP32, 3, 0\n", 2),
       .setup = store_of_l0},
      {.rule = "macro-pushed",
       .chips = "bh wh",
       .bad = kMacro,
       .good = replayed(kMacro, 1),
       .setup = with(kAbsTemplate, sequence({4, 3}, {}, {}, {}))},
      late(store_of_l0, kMacro + "SFPNOP\nSFPLOADI L0, 0, 0x3F80\n",
           kMacro + "SFPNOP\nSFPNOP\nSFPNOP\nSFPLOADI L0, 0, 0x3F80\n"),
      late(carried_in_macro_lreg,
           kMacro + "SFPNOP\nSFPLOADMACRO 1, 1, FP32, 3, 2, 0\nSFPNOP\nSFPNOP\nSFPNOP\n",
           replayed(kMacro + "SFPNOP\nSFPLOADMACRO 1, 1, FP32, 3, 2, 0\nSFPNOP\nSFPNOP\n", 5)),
      late(flags_of_l0,
           kMacro + "SFPLOAD L1, FP32, 3, 2\nSFPENCC Imm2=3, Mod1=10\nSFPSTORE L1, FP32, 3, 0\n",
           replayed(kMacro + "SFPLOAD L1, FP32, 3, 2\nSFPENCC Imm2=3, Mod1=10\n", 3) +
               "SFPSTORE L1, FP32, 3, 0\n"),
      // A kernel that ends so; what only initialises leaves it to those that follow.
      {.rule = "macro-misc-armed",
       .chips = "wh",
       .bad = kStoreIt + "SFPCONFIG 0x100, 8, 1\n",
       .good = "SFPCONFIG 0x100, 8, 1\n"},
      {.rule = "macro-misc-armed",
       .chips = "wh",
       .bad = "SFPCONFIG 0x100, 8, 1\nSFPNOP\n" + kAbs,
       .good = "SFPCONFIG 0x100, 8, 1\nSFPCONFIG 0, 8, 1\n" + kAbs},
      // Behind macros that have used it, and before them, plain code belongs to the kernel.
      {.rule = "macro-misc-armed",
       .chips = "wh",
       .bad = "SFPCONFIG 0x100, 8, 1\nSFPNOP\n" + kAbs + "SFPCONFIG 0, 8, 1\n",
       .good = "SFPCONFIG 0x100, 8, 1\nSFPNOP\n" + kAbs + kMacro + "SFPNOP\nSFPNOP\n" + kAbs,
       .setup = with(kAbsTemplate, sequence({4}, {}, {}, {}))},
      {.rule = "write-order",
       .chips = "bh wh",
       .bad = kMacro + "SFPLOADI L0, 2, 0\n", // Load and Simple write L0 in cycle 1
       .good = kMacro + "SFPNOP\nSFPLOADI L0, 2, 0\n",
       .setup = with(kAbsTemplate, sequence({4}, {}, {}, {})),
       .check = kReplayed},
  };
  return cases;
}

} // namespace lanewise::test
