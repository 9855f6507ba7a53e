// Just inside a rule and just outside: distances and values where it begins and ends.
#include "timing/hazard_cases.h"

namespace lanewise::test {

namespace {

const std::string kLoad = "SFPLOAD L0, FP32, 3, 0\n", kStore = "SFPSTORE L0, FP32, 3, 0\n";

std::string nops(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += "SFPNOP\n";
  return text;
}

/// `first`, some instructions that have nothing to do with it, `second`.
HazardCase apart(std::string_view rule, std::string_view chips, const std::string& first,
                 unsigned too_few, const std::string& second) {
  return {.rule = rule,
          .chips = chips,
          .bad = first + "\n" + nops(too_few) + second,
          .good = first + "\n" + nops(too_few + 1) + second};
}

HazardCase of_l0(std::string_view rule, std::string_view chips, const std::string& program,
                 std::uint32_t bad, std::uint32_t good) {
  HazardCase made{.rule = rule, .chips = chips, .bad = program, .good = program};
  made.setup = [=](ClockRig& rig, bool is_bad) {
    for (std::uint32_t& lane : rig.vector().lreg[0]) lane = is_bad ? bad : good;
  };
  return made;
}

/// VU 5.4: one cycle between the two is enough, and none is not.
void add_results(std::vector<HazardCase>& cases) {
  for (const char* writer : {"SFPADD L10, L1, L2, L4, 0", "SFPMUL L0, L1, L9, L4, 0",
                             "SFPADDI 0x3f80, L4, 0", "SFPMULI 0x3f80, L4, 0"})
    cases.push_back(apart("mad-result", "wh", writer, 0, "SFPMOV L4, L5, 0"));
}

/// VU 5.6, MU 8.
void add_dst(std::vector<HazardCase>& cases) {
  for (const char* write : {"MVMUL", "ELWMUL", "MOVB2D"})
    cases.push_back(apart("matrix-load", "bh wh", write, 2, kLoad));
  for (const char* sum : {"ELWADD AddDst=1, DstRow=8", "ELWSUB AddDst=1, DstRow=8"}) {
    cases.push_back(apart("matrix-move-add", "bh wh", "MOVA2D DstRow=8", 2, sum));
    cases.push_back(apart("matrix-move-add", "bh wh", "MOVB2D DstRow=8", 2, sum));
  }
  // Five cycles later a value may be loaded, four cycles later not (VU Q6).
  cases.push_back(apart("store-load", "bh wh", kStore, 3, kLoad));
}

/// VU 3.8: 600 cycles after the seed.
void add_configuration(std::vector<HazardCase>& cases) {
  constexpr unsigned kTooFew = 598; // the draw then comes 599 cycles later
  for (const auto& [chip, word] : {std::pair{"bh", 186}, std::pair{"wh", 164}}) {
    const std::string seed = fmt::format("RMWCIB0 Mask=0xFF, NewValue=0xFF, Index4={}\n", word);
    for (const char* draw : {"SFPMOV L9, L0, 8", "SFPCAST L0, L0, 1"})
      cases.push_back(apart("prng-seed", chip, seed, kTooFew, draw));
  }
}

/// VU 6.
void add_values(std::vector<HazardCase>& cases) {
  constexpr std::uint32_t kInfinity = 0x7F800000, kTwo = 0x40000000, kSign = 0x80000000;
  constexpr std::uint32_t kLowBits = 0x7F80FFFF; // the largest mantissa that BF16 loses whole
  const std::string fp16 = "SFPSTORE L0, FP16, 3, 0", bf16 = "SFPSTORE L0, BF16, 3, 0";
  cases.push_back(of_l0("store-fp16-nan", "bh wh", fp16, kInfinity + 1, kInfinity));
  cases.push_back(of_l0("store-bf16-nan", "bh wh", bf16, kLowBits, kLowBits + 1));
  cases.push_back(of_l0("store-bf16-nan", "bh wh", bf16, kInfinity + 1, kInfinity));
  for (const std::uint32_t two : {kTwo, kSign | kTwo})
    cases.push_back(of_l0("arecip-range", "bh", "SFPARECIP L0, L0, L1, 2", two, two - 1));
}

} // namespace

std::vector<HazardCase> edge_cases() {
  std::vector<HazardCase> cases;
  add_results(cases);
  add_dst(cases);
  add_configuration(cases);
  add_values(cases);
  return cases;
}

} // namespace lanewise::test
