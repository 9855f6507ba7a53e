// What a page says of its origin.
#include "report/page/record.h"

#include <gtest/gtest.h>

#include "base/version.h"
#include "chip/isa/program_digest.h"
#include "report/page/page.h"
#include "report/xml_check.h"
#include "source/assembly/assembly.h"

namespace lanewise {
namespace {

Program assembled(std::string_view text) {
  return assembly::assemble(Arch::Blackhole, text, "k.tt").value();
}

TEST(PageRecord, DigestIsOfTheWordsAndSettings) {
  const std::uint64_t digest = isa::program_digest(assembled("SFPMOV L0, L1, 0\n"));
  EXPECT_EQ(digest, isa::program_digest(assembled("# a comment\n\nSFPMOV L0, L1, 0\n")));
  EXPECT_NE(digest, isa::program_digest(assembled("SFPMOV L0, L2, 0\n")));
  EXPECT_NE(digest, isa::program_digest(assembled("SFPMOV L0, L1, 0\nSFPMOV L0, L1, 0\n")));
  Program configured = assembled("SFPMOV L0, L1, 0\n");
  configured.config.push_back({"ALU_FORMAT_SPEC_REG2_Dstacc", 5});
  EXPECT_NE(digest, isa::program_digest(configured));
  configured.config.clear();
  configured.mop.push_back({.index = 1, .value = 2});
  EXPECT_NE(digest, isa::program_digest(configured));
}

/// FNV-1a of no unit at all is its offset basis (RFC 9923, section 5).
TEST(PageRecord, DigestOfNothing) {
  EXPECT_EQ(isa::program_digest({}), 0xCBF29CE484222325U);
}

TEST(PageRecord, NamesVersionCommandChipAndWords) {
  report::Page page;
  page.title = "t";
  page.record = {"lanewise time 'a<b.tt'", {{"a<b.tt", Arch::Wormhole, 0x1234}}};
  const std::string html = report::html_page(page);
  EXPECT_EQ(test::XmlCheck(html).wrong(), "");
  EXPECT_NE(html.find(version()), std::string::npos);
  EXPECT_NE(html.find("lanewise time 'a&lt;b.tt'"), std::string::npos);
  EXPECT_NE(html.find("<dt>a&lt;b.tt</dt><dd>Wormhole B0, words <code>0000000000001234</code>"),
            std::string::npos);
}

TEST(PageRecord, WithoutACommandNamesNone) {
  EXPECT_EQ(report::record_html({}).find("Command"), std::string::npos);
}

} // namespace
} // namespace lanewise
