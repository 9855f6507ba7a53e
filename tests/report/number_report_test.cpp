// What 'lanewise fp16c' prints.
#include "report/number/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "report/number/facts.h"
#include "source/assembly/assembly.h"

namespace lanewise::report {
namespace {

NumberReport report_of(const std::string& text) {
  const auto argument = formats::parse_number_argument(text);
  if (!argument) ADD_FAILURE() << to_string(argument.error());
  return {text, "", argument.value_or(formats::NumberArgument{})};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The line that the tool's description promises: patterns in hexadecimal and decimal, the halves of
// the fp32. -1.5 is 1 01111111 1000... in fp32.
TEST(NumberReport, SaysWhatTheToolSays) {
  const std::string text = number_text(report_of("-1.5"));
  EXPECT_TRUE(has(text, "fp16a  0xBE00      48640"));
  EXPECT_TRUE(has(text, "fp16b  0xBFC0      49088"));
  EXPECT_TRUE(has(text, "fp8    0x88        136"));
  EXPECT_TRUE(has(text, "fp32   0xBFC00000  3217031168  halves 49088 and 0"));
}

TEST(NumberReport, PatternsAreNumbersWithTwelveDecimals) {
  const std::string text = number_text(report_of("0x0010"));
  EXPECT_TRUE(has(text, "fp8    0.500000000000"));       // exponent 1
  EXPECT_TRUE(has(text, "fp16a  0.000030994415"));       // 2^-15 (1 + 16/1024)
  EXPECT_TRUE(has(text, "! fp16a: SFPLOAD FP16 reads")); // which takes it for a denormal
  EXPECT_TRUE(has(number_text(report_of("0x100")), "fp8    nan"));
}

TEST(NumberReport, SaysWhereToolAndHardwareDisagree) {
  // FLOATA has no zero, denormals or infinity; Dst's FP16 has a zero.
  EXPECT_TRUE(has(number_text(report_of("0.0")), "! fp16a 0x0000: SFPLOADI FLOATA reads 3.05"));
  EXPECT_FALSE(has(number_text(report_of("0.0")), "! fp16a 0x0000: SFPLOAD FP16"));
  EXPECT_TRUE(has(number_text(report_of("inf")), "! fp16a 0x7FFF: SFPLOADI FLOATA reads 131008"));
  EXPECT_TRUE(has(number_text(report_of("1e-6")), "! fp16a 0x0011: SFPLOAD FP16 reads"));
  EXPECT_TRUE(has(number_text(report_of("2.0")), "! fp8 0xBAD"));
  EXPECT_FALSE(has(number_text(report_of("1.5")), "!"));
  // -2^-7 * 1.9375 would be FF, which is 0.
  EXPECT_TRUE(has(number_text(report_of("-0.01513671875")), "! fp8 0xFF: SFPLUT reads 0"));
  EXPECT_TRUE(has(number_text(report_of("0x7C00")), "binary16 means inf"));
}

TEST(NumberReport, NoLineEndsInBlanks) {
  for (const char* text : {"0.1", "nan", "0x3C00", "0.0"}) {
    std::istringstream lines(number_text(report_of(text)));
    for (std::string line; std::getline(lines, line);) EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

// Both spellings of a load are the same word, and FLOATA and FLOATB load what they say.
TEST(NumberReport, LoadsAssembleToWhatTheMacrosAre) {
  for (const char* text : {"0.1", "-1.5", "1e5", "0.0", "inf"}) {
    for (const LoadFact& load : load_facts(report_of(text).argument)) {
      ASSERT_EQ(load.assembly.size(), load.macros.size());
      for (std::size_t i = 0; i < load.assembly.size(); ++i) {
        const auto program = assembly::assemble(Arch::Wormhole, load.assembly[i], "load");
        ASSERT_TRUE(program) << load.assembly[i];
        ASSERT_EQ(program->words.size(), 1U);
        const std::uint32_t word = program->words[0].word;
        EXPECT_EQ(load.macros[i], "TTI_SFPLOADI(0, " + std::to_string(word >> 16 & 15) + ", " +
                                      std::to_string(word & 0xFFFF) + ");");
      }
    }
  }
}

TEST(NumberReport, TwoInstructionsLoadEveryBit) {
  const LoadFact both = load_facts(report_of("0.1").argument).back();
  EXPECT_EQ(both.modes, "UPPER, LOWER");
  EXPECT_EQ(both.loaded, 0x3DCCCCCDU);
  EXPECT_EQ(both.assembly[0], "SFPLOADI L0, UPPER, 0x3DCC");
  EXPECT_EQ(both.assembly[1], "SFPLOADI L0, LOWER, 0xCCCD");
}

// 1.5 by hand: sign 0, mantissa 1000..., exponent 127 or 15, in the order of a cell of Dst.
TEST(NumberReport, CellsOfDstAreInItsOrder) {
  const auto facts = dst_facts(1.5);
  ASSERT_EQ(facts.size(), formats::kFormats.size());
  const auto cells = [&](formats::Format format) {
    for (const DstFact& fact : facts) {
      if (fact.format == format) return fact.cells;
    }
    return std::string();
  };
  EXPECT_EQ(cells(formats::Format::FP32), "0 1000000 01111111 | 0000000000000000");
  EXPECT_EQ(cells(formats::Format::BF16), "0 1000000 01111111");
  EXPECT_EQ(cells(formats::Format::FP16), "0 1000000000 01111");
  EXPECT_EQ(cells(formats::Format::INT16), "0 000000000000010"); // 2: to nearest, to even
  EXPECT_EQ(cells(formats::Format::INT8), "0 0000000010 10000"); // its exponent field is 16
  for (const DstFact& fact : facts)
    EXPECT_EQ(fact.holds, formats::decode(fact.format, fact.stored));
}

TEST(NumberReport, JsonHasTheSame) {
  const auto json = number_json(report_of("0.1"));
  EXPECT_EQ(json["fp16c"]["fp16a"], 0x2E66);
  EXPECT_EQ(json["forms"]["bf16"]["nearest"]["bits"], 0x3DCD);
  EXPECT_EQ(json["forms"]["bf16"]["cut"]["bits"], 0x3DCC);
  EXPECT_EQ(json["forms"]["tf32"]["cut"]["power"], -4);
  EXPECT_EQ(json["loads"].size(), 3U);
  EXPECT_EQ(json["dst"]["bf16"]["stored"], 0x4D7B); // 0 1001101 01111011
  const auto nan = number_json(report_of("nan"));
  EXPECT_EQ(nan["number"], "nan");
  EXPECT_TRUE(nan["forms"]["fp8"]["nearest"].is_null());
  EXPECT_EQ(nan["warnings"].size(), 3U);
  const auto pattern = number_json(report_of("0x3C00"));
  EXPECT_EQ(pattern["fp16c"]["fp16a"], 1.0);
  EXPECT_EQ(pattern["fp16c"]["fp8"], "nan");
  EXPECT_EQ(pattern["reads"].size(), 4U); // not by SFPLUT, which has 8 bits
}

} // namespace
} // namespace lanewise::report
