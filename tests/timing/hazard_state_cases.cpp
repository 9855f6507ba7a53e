// VU 5.6 and 6: Dst, configuration, values, and what a kernel leaves behind.
#include "timing/hazard_cases.h"

namespace lanewise::test {

namespace {

using Setup = std::function<void(ClockRig&, bool)>;

const std::string kStateMacro(kLoadMacro);

Setup value_of_l0(std::uint32_t bad, std::uint32_t good) {
  return [=](ClockRig& rig, bool is_bad) {
    for (std::uint32_t& lane : rig.vector().lreg[0]) lane = is_bad ? bad : good;
  };
}

HazardCase of_values(std::string_view rule, std::string_view chips, const std::string& program,
                     std::uint32_t bad, std::uint32_t good) {
  return {.rule = rule,
          .chips = chips,
          .bad = program,
          .good = program,
          .setup = value_of_l0(bad, good)};
}

HazardCase contract(std::string_view rule, std::string_view chips, std::string bad,
                    std::string good) {
  return {.rule = rule,
          .chips = chips,
          .bad = std::move(bad),
          .good = std::move(good),
          .finder = Finder::Contracts};
}

/// After reset all rows are valid (MU 1.1); ZEROACC clears them.
void first_rows_valid(ClockRig& rig, bool) {
  rig.state().dst.valid_bits.fill(0);
  rig.state().dst.set_valid_group(0, 15);
}

void base_of_dst(ClockRig& rig, bool bad) {
  rig.state().config.set(isa::ConfigField::DEST_TARGET_REG_CFG_MATH_Offset, bad ? 65 : 64);
}

void scheduled_store(ClockRig& rig, bool) {
  constexpr std::uint32_t kFp32 = 3;
  rig.set_misc(kFp32);
  rig.set_sequence(0, sequence({}, {}, {}, {3}));
}

void scheduled_after_instructions(ClockRig& rig, bool) {
  constexpr std::uint32_t kSimpleCountsInstructions = 1U << 8;
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4, 2}, {}, {}, {}));
  rig.set_misc(kSimpleCountsInstructions);
}

} // namespace

std::vector<HazardCase> dst_cases() {
  const std::string load = "SFPLOAD L0, FP32, 3, 0\n", store = "SFPSTORE L0, FP32, 3, 0\n";
  const std::string nops = "SFPNOP\nSFPNOP\n";
  const timing::CheckOptions kReplayed{.pushed = false};
  return {
      {"matrix-load", "bh wh", "MVMUL\n" + nops + load,
       "MVMUL\n" + nops + "INCRWC DstInc=0\n" + load},
      {"matrix-load", "bh", "MVMUL\n" + load, "MVMUL\nSTALLWAIT 0x100, 0x10\n" + load},
      {"matrix-load", "wh", "ELWADD\n" + load, "ELWADD\nSTALLWAIT 0x100, 0x80\n" + load},
      {"matrix-load", "bh wh", "MOVA2D\n" + load,
       "SETRWC DstVal=0\n" + load}, // moves counters only
      {"matrix-move-add", "bh wh", "MOVA2D DstRow=8\nELWADD AddDst=1, DstRow=8\n",
       "MOVA2D DstRow=8\nSFPNOP\nSFPNOP\nSFPNOP\nELWADD AddDst=1, DstRow=8\n"},
      {"matrix-move-add", "bh wh", "MOVB2D DstRow=8\nSFPNOP\nELWSUB AddDst=1, DstRow=8\n",
       "MOVB2D DstRow=8\nELWSUB AddDst=1, DstRow=16\n"}, // other rows
      {"store-matrix", "bh", store + "MVMUL", store + "STALLWAIT 0x40, 0x800\nMVMUL"},
      {"store-matrix", "wh", store + "MVMUL", store + "STALLWAIT 0x40, 0x4000\nMVMUL"},
      {"store-matrix", "bh wh", store + "PACR Last=1", store + "INCRWC DstInc=0"},
      {.rule = "macro-store-load",
       .chips = "bh",
       .bad = kStateMacro + nops + "SFPLOAD L1, FP32, 3, 0",
       .good = kStateMacro + nops + "SFPLOAD L1, FP32, 3, 2", // the other columns
       .setup = scheduled_store,
       .check = kReplayed},
      {.rule = "macro-store-load",
       .chips = "bh",
       .bad = kStateMacro + nops + nops + "SFPLOAD L1, FP32, 3, 0", // four cycles behind the store
       .good = kStateMacro + nops + nops + "SFPNOP\nSFPLOAD L1, FP32, 3, 0",
       .setup = scheduled_store,
       .check = kReplayed},
      {"store-load", "bh wh", store + load, store + "SFPLOAD L0, FP32, 3, 4"},
      {"store-load", "bh wh", store + nops + "SFPNOP\n" + load, store + nops + nops + load},
      {.rule = "dst-unwritten",
       .chips = "bh wh",
       .bad = "SFPLOAD L0, BF16, 3, 64",
       .good = "SFPLOAD L0, BF16, 3, 0",
       .setup = first_rows_valid},
      // What the Matrix Unit has written need not be marked as valid.
      {.rule = "dst-unwritten",
       .chips = "bh wh",
       .bad = "SFPLOAD L0, BF16, 3, 64",
       .good = "MVMUL\nSFPNOP\nSFPNOP\nSFPNOP\nSFPLOAD L0, BF16, 3, 64",
       .setup = first_rows_valid},
      // The base is part of the address (VU C16).
      {.rule = "odd-address",
       .chips = "bh wh",
       .bad = "SFPLOAD L0, BF16, 3, 0",
       .good = "SFPLOAD L0, BF16, 3, 0",
       .setup = base_of_dst},
      {"odd-address", "bh wh", "SFPLOAD L0, BF16, 3, 1", "SFPLOAD L0, BF16, 3, 2"},
      {"odd-address", "bh wh", "INCRWC DstInc=1\nSFPSTORE L0, BF16, 3, 0",
       "INCRWC DstInc=2\nSFPSTORE L0, BF16, 3, 0"},
  };
}

std::vector<HazardCase> configuration_cases() {
  const std::string abs = "SFPABS L0, L0, 1", store = "SFPSTORE L0, SRCB, 3, 0\n";
  // ALU_ACC_CTRL_SFPU_Fp32_enabled is bit 30 of word 1 (VU C21).
  const std::string enable = "RMWCIB3 Mask=0x40, NewValue=0x40, Index4=1";
  // tt-llk issues 600 SFPNOPs behind a seed (VU 3.8).
  const std::string draw = "\nSFPMOV L9, L0, 8", wait = "\n.repeat 600\nSFPNOP\n.endr",
                    too_short = "\n.repeat 598\nSFPNOP\n.endr";
  const auto seed = [](unsigned word, unsigned bytes) {
    std::string text;
    for (unsigned i = 0; i < bytes; ++i)
      text += fmt::format("RMWCIB{} Mask=0xFF, NewValue=0xFF, Index4={}\n", i, word);
    return text;
  };
  constexpr unsigned kBlackholeSeed = 186, kWormholeSeed = 164; // VU 3.8
  return {
      {"config-backdoor", "bh wh", "SFPCONFIG 0x2, 15, 1\n" + abs,
       "SFPCONFIG 0x2, 15, 1\nSFPNOP\n" + abs},
      {"config-backdoor", "bh wh", "SFPCONFIG 0x2, 15, 1\n" + abs,
       "SFPCONFIG 0, 15, 1\n" + abs}, // the bit does not change
      {"config-latency", "bh wh", "SFPCONFIG 0x10, 15, 1\n" + store,
       "SFPCONFIG 0x10, 15, 1\n" + abs},
      // EXCHANGE_SRCB_SRCC: of SFPSWAP all modes but 0 depend on it (VU C39).
      {"config-latency", "bh wh", "SFPCONFIG 0x100, 15, 1\nSFPSWAP L0, L1, 1",
       "SFPCONFIG 0x100, 15, 1\nSFPSWAP L0, L1, 0"},
      {"config-latency", "bh wh", "SFPCONFIG 0x2, 4, 1\n" + kStateMacro,
       "SFPCONFIG 0x2, 4, 1\nSFPNOP\n" + kStateMacro},
      {"config-latency", "bh wh", "SFPCONFIG 0x3, 8, 1\nSFPCONFIG 0xC, 8, 3",
       "SFPCONFIG 0x3, 8, 1\nSFPCONFIG 0xC, 8, 1"}, // only OR reads what was there
      {"config-in-flight", "bh", store + enable, store + "STALLWAIT 0x80, 0x800\n" + enable},
      {"config-in-flight", "wh", store + enable, store + "STALLWAIT 0x80, 0x4000\n" + enable},
      {"config-in-flight", "bh wh", store + enable,
       "SFPSTORE L0, BF16, 3, 0\n" + enable}, // a mode of its own (VU C63)
      {"stallwait-condition", "bh", "STALLWAIT 0x100, 0x80", "STALLWAIT 0x100, 0x10"},
      {"stallwait-condition", "bh", "STALLWAIT 0x80, 0x4000", "STALLWAIT 0x80, 0x800"},
      {"stallwait-condition", "bh", "STALLWAIT 0x100, 0x80",
       "STALLWAIT 0x40, 0x80"}, // the Matrix Unit waits for SrcA
      {"stallwait-condition", "wh", "STALLWAIT 0x100, 0x10", "STALLWAIT 0x100, 0x80"},
      {"stallwait-condition", "wh", "STALLWAIT 0x80, 0x800", "STALLWAIT 0x80, 0x4000"},
      {"config-mask", "bh wh", "SFPCONFIG 0x55, 8, 9", "SFPCONFIG 0x55, 8, 1"},
      {"prng-seed", "bh", seed(kBlackholeSeed, 1) + draw, seed(kBlackholeSeed, 1) + wait + draw},
      {"prng-seed", "wh", seed(kWormholeSeed, 1) + draw, seed(kWormholeSeed, 1) + wait + draw},
      {"prng-seed", "bh", seed(kBlackholeSeed, 1) + too_short + draw,
       seed(kBlackholeSeed, 1) + wait + draw},
      {"prng-seed", "wh", seed(kWormholeSeed, 1) + too_short + draw,
       seed(kWormholeSeed, 1) + wait + draw},
      {"prng-seed", "bh", seed(kBlackholeSeed, 1) + "SFPSTOCHRND 1, 0, L0, L0, L0, 1",
       seed(kBlackholeSeed, 1) + "SFPSTOCHRND 0, 0, L0, L0, L0, 1"}, // to nearest
      {"prng-ones", "bh", seed(kBlackholeSeed, 4), seed(kBlackholeSeed, 3)},
      {"prng-ones", "wh", seed(kWormholeSeed, 4), seed(kWormholeSeed, 3)},
  };
}

/// VU C5: flags that no lane uses.
std::vector<HazardCase> unused_flag_cases() {
  const std::string out_of_use = "SFPENCC Imm2=0, Mod1=2\n";
  std::vector<HazardCase> cases;
  for (const char* test : {"SFPSETCC 0, L0, 0, 6\n", "SFPSETCC 1, L0, 0, 1\n"})
    cases.push_back({"flags-unused", "bh wh", out_of_use + test, test});
  for (const char* test : {"SFPGT L0, L1, SET_CC\n", "SFPLE L0, L1, SET_CC\n"})
    cases.push_back({"flags-unused", "bh", out_of_use + test, test});
  // What does not decide about lanes needs no flags.
  cases.push_back({"flags-unused", "bh", out_of_use + "SFPGT L0, L1, SET_CC | SET_VD\n",
                   out_of_use + "SFPGT L0, L1, SET_VD\n"});
  return cases;
}

/// SFPI 3: mode 12 converts on Wormhole only.
std::vector<HazardCase> raw_load_cases() {
  const std::string raw = "SFPLOAD L0, INT32_SM, 3, 0\n", as_it_is = "SFPLOAD L0, INT32, 3, 0\n";
  const std::string converted = raw + "SFPCAST L0, L0, INT32_SM32\n";
  std::vector<HazardCase> cases;
  for (const char* use : {"SFPSHFT 1, L0, L0, 1\n", "SFPSHFT 0, L0, L1, 0\n",
                          "SFPSHFT2 L0, L1, L2, 5\n", "SFPSHFT2 16, L1, L2, 6\n"}) {
    cases.push_back({"raw-load", "bh", raw + use, converted + use});
    cases.push_back({"raw-load", "bh", raw + use, as_it_is + use});
  }
  // Copied, it is the same; a sign that is put on a converted number is not.
  cases.push_back({"raw-load", "bh", raw + "SFPMOV L0, L1, 0\nSFPSHFT 1, L1, L1, 1\n",
                   raw + "SFPCAST L0, L1, INT32_SM32\nSFPSETSGN 0, L0, L1, 0\n"
                         "SFPSHFT 1, L1, L1, 1\n"});
  // In another lane, it is the same (VU C36).
  cases.push_back(
      {"raw-load", "bh",
       raw + "SFPSHFT2 0, L0, L1, SUBVEC_SHFLROR1\nSFPNOP\nSFPSHFT 1, L1, L1, 1\n",
       converted + "SFPSHFT2 0, L0, L1, SUBVEC_SHFLROR1\nSFPNOP\nSFPSHFT 1, L1, L1, 1\n"});
  // Tests know sign and magnitude; sums are as often of two's complement that Dst holds.
  cases.push_back({"raw-load", "bh", raw + "SFPSHFT 1, L0, L0, 1\n",
                   raw + "SFPSETCC 0, L0, 0, 0\nSFPENCC Imm2=3, Mod1=10\nSFPIADD 1, L0, L1, 5\n"});
  return cases;
}

std::vector<HazardCase> value_cases() {
  constexpr std::uint32_t kOne = 0x3F800000, kTwo = 0x40000000, kMinusZero = 0x80000000;
  constexpr std::uint32_t kNan = 0x7FC00000, kLowNan = 0x7F800001;
  return {
      {"mul24-addend", "bh", "SFPMUL24 L0, L1, L2, L3, 0", "SFPMUL24 L0, L1, L9, L3, 0"},
      of_values("store-fp16-nan", "bh wh", "SFPSTORE L0, FP16, 3, 0", kNan, kOne),
      of_values("store-bf16-nan", "bh wh", "SFPSTORE L0, BF16, 3, 0", kLowNan, kNan),
      {"setcc-special", "bh wh", "SFPLOADI L0, 0, 0x8000\nSFPSETCC 0, L0, 0, 0",
       "SFPLOADI L0, 0, 0x3F80\nSFPSETCC 0, L0, 0, 0"},
      // A NaN in a lane that is not stored: LReg[15] is the lane's number.
      {.rule = "store-bf16-nan",
       .chips = "bh wh",
       .bad = "SFPSETCC VC=L15, Mod1=6\nSFPSTORE L0, BF16, 3, 0\nSFPENCC Imm2=3, Mod1=10",
       .good = "SFPSETCC VC=L15, Mod1=2\nSFPSTORE L0, BF16, 3, 0\nSFPENCC Imm2=3, Mod1=10",
       .setup = [](ClockRig& rig, bool) { rig.vector().lreg[0][0] = kLowNan; }},
      // The same bits as an integer are the smallest one, and in order.
      {"setcc-special", "bh wh", "SFPLOADI L0, 0, 0x8000\nSFPSETCC 0, L0, 0, 0",
       "SFPLOADI L0, 2, 0\nSFPLOADI L0, 8, 0x8000\nSFPSETCC 0, L0, 0, 0"},
      of_values("cast-edge", "bh", "SFPCAST L0, L1, 3", kMinusZero, kMinusZero + 1),
      of_values("arecip-range", "bh", "SFPARECIP L0, L0, L1, 2", kTwo, kOne),
  };
}

/// What a call finds changed the second time.
std::vector<HazardCase> changed_init_cases() {
  const auto second_call = [](std::string bad, std::string good) {
    return HazardCase{.rule = "contract-init",
                      .chips = "bh wh",
                      .bad = std::move(bad),
                      .good = std::move(good),
                      .finder = Finder::ChangedInit};
  };
  const std::string load = "SFPLOAD L0, FP32, 3, 0\n", store = "SFPSTORE L1, FP32, 3, 0\n";
  std::vector<HazardCase> cases;
  for (const unsigned lreg : {11U, 12U, 13U, 14U}) {
    const std::string use =
        load + fmt::format("SFPADD L10, L0, L{}, L1, 0\nSFPNOP\n", lreg) + store;
    const std::string two = fmt::format("SFPLOADI L0, 0, 0x4000\nSFPCONFIG 0, {}, 0\n", lreg);
    cases.push_back(second_call(use + two, two + use));
  }
  const std::string masked = "SFPCONFIG 0x1000, 15, 1\n"; // ROW_MASK: row 0 is off
  cases.push_back(second_call(load + "SFPMOV L0, L1, 1\n" + store + masked + "SFPNOP\n",
                              masked + "SFPNOP\n" + load + "SFPMOV L0, L1, 1\n" + store));
  return cases;
}

std::vector<HazardCase> contract_cases() {
  const std::string push = "SFPPUSHC\n", all_on = "\nSFPENCC Imm2=3, Mod1=10";
  std::vector<HazardCase> cases{
      contract("contract-lreg11", "bh wh", "SFPCONFIG 0, 11, 0", "SFPCONFIG 0, 11, 1"),
      contract("contract-flags", "bh wh", "SFPSETCC 0, L0, 0, 2", "SFPSETCC 0, L0, 0, 2" + all_on),
      contract("contract-flags", "bh wh", "SFPENCC Imm2=2, Mod1=10", "SFPENCC Imm2=3, Mod1=10"),
      contract("contract-stack", "bh wh", push, push + "SFPPOPC"),
      contract("contract-lane-config", "bh wh", "SFPCONFIG 0x4, 15, 1",
               "SFPCONFIG 0x4, 15, 1\nSFPCONFIG 0, 15, 1"),
      // Increments of 2 in ADDR_MOD_DST: words 28 + section and 23 + section (MU 2.1).
      contract("contract-addr-mod", "bh", "SETC16 35, 2", "SETC16 34, 2"),
      contract("contract-addr-mod", "wh", "SETC16 26, 2", "SETC16 25, 2"),
      contract("contract-addr-mod", "wh", "SETC16 30, 2", "SETC16 29, 2"),
      // Wormhole's bias counter, whose increments are words 48 + section.
      contract("contract-addr-mod", "wh", "SETC16 51, 1", "SETC16 50, 1"),
      contract("macro-left-armed", "bh wh", "SFPCONFIG 0x100, 8, 1", "SFPCONFIG 0xF, 8, 1"),
      contract("macro-pending", "bh wh", kStateMacro + "SFPNOP", kStateMacro + "SFPNOP\nSFPNOP"),
  };
  cases.back().setup = scheduled_after_instructions;
  return cases;
}

} // namespace lanewise::test
