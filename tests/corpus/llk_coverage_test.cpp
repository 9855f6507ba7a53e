// What of a checkout of tt-llk has a reference.
#include "study/corpus/llk/coverage.h"

#include <gtest/gtest.h>

#include "report/llk/headers.h"
#include "sfpi/kernel_files.h"

namespace lanewise::corpus {
namespace {

class Coverage : public testing::Test {
 protected:
  static constexpr const char* kBlackhole = "tt_llk_blackhole";
  static constexpr const char* kWormhole = "tt_llk_wormhole_b0";

  Coverage() {
    add(kBlackhole, "abs", "inline void _calculate_abs_(int n) {}\n");
    add(kWormhole, "abs", "inline void _calculate_abs_(int n) {}\n");
  }
  void add(const std::string& chip, const std::string& name, const std::string& text) {
    folder_.write(chip + "/common/inc/sfpu/ckernel_sfpu_" + name + ".h", text);
  }
  std::vector<LlkHeader> headers() {
    const auto checkout = checkouts::Checkout::open(folder_.path(), kArchs);
    EXPECT_TRUE(checkout.has_value());
    return llk_headers(*checkout, kArchs, kernels_);
  }
  LlkHeader header(const std::string& name) {
    for (const LlkHeader& each : headers()) {
      if (each.name == name) return each;
    }
    ADD_FAILURE() << "no header " << name;
    return {};
  }

  static LlkKernel kernel(const std::string& name, std::vector<Arch> chips) {
    return {.name = name,
            .header = name,
            .call = "_calculate_" + name + "_(8)",
            .chips = std::move(chips),
            .reference = [](double x) { return x; }};
  }

  std::vector<LlkKernel> kernels_{kernel("abs", {kArchs.begin(), kArchs.end()})};
  sfpi::TemporaryFolder folder_;
};

using Names = std::vector<std::string>;

TEST_F(Coverage, EveryHeaderIsThere) {
  add(kWormhole, "new", "");
  add(kWormhole, "new.orig", "");
  folder_.write("tt_llk_wormhole_b0/common/inc/sfpu/ckernel_sfpu_notes.txt", "");
  const auto all = headers();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "abs");
  EXPECT_EQ(all[0].chips, std::vector<Arch>(kArchs.begin(), kArchs.end()));
  EXPECT_EQ(all[0].kernels, Names{"abs"});
  EXPECT_TRUE(all[0].unchecked.empty());
  EXPECT_EQ(all[1].name, "new");
  EXPECT_EQ(all[1].chips, std::vector<Arch>{Arch::Wormhole});
  EXPECT_FALSE(all[1].has_reference());
}

TEST_F(Coverage, KernelsCountOnTheirChipsOnly) {
  add(kWormhole, "recip", "");
  kernels_.push_back(kernel("recip", {Arch::Blackhole}));
  EXPECT_FALSE(header("recip").has_reference());
  add(kBlackhole, "recip", "");
  EXPECT_TRUE(header("recip").has_reference());
}

TEST_F(Coverage, EntryFunctionsWithoutAKernelAreNamed) {
  add(kBlackhole, "abs",
      "inline void _helper_() {}\n"
      "inline void _calculate_abs_(int n) { _helper_(); }\n"
      "// _calculate_abs_other_() is not called, nor in /* _f_ */ comments.\n"
      "template <> inline void _calculate_abs_other_(int n) {}\n"
      "inline float _value_(int n) { return 0; }\n");
  EXPECT_EQ(header("abs").unchecked, Names{"_calculate_abs_other_"});
}

TEST_F(Coverage, ASpecialisationIsNoCall) {
  add(kBlackhole, "abs",
      "inline void _calculate_abs_(int n) {}\n"
      "template <int N> inline void _calculate_abs_more_(int n) {}\n"
      "template <> inline void _calculate_abs_more_<3>(int n) {}\n");
  EXPECT_EQ(header("abs").unchecked, Names{"_calculate_abs_more_"});
}

TEST_F(Coverage, AHeaderThatIsCalledFromAnotherOneHasNoEntryThere) {
  add(kBlackhole, "load", "inline void _load_(int n) {}\n");
  add(kBlackhole, "abs", "inline void _calculate_abs_(int n) { _load_(n); }\n");
  EXPECT_TRUE(header("load").unchecked.empty());
  EXPECT_FALSE(header("load").has_reference());
}

TEST_F(Coverage, TextThatEndsInTheMiddleOfSomething) {
  for (const char* text : {"/* no end", "// no end", "void", "void f", "void f(", "/", "_"}) {
    add(kBlackhole, "odd", text);
    EXPECT_LE(header("odd").unchecked.size(), 1U) << text;
  }
}

TEST_F(Coverage, ReportShowsAllHeadersOrThoseWithRuns) {
  add(kWormhole, "new", "inline void _calculate_new_() {}");
  for (const bool shows_all : {true, false}) {
    report::LlkHeaderRows rows(headers(), shows_all);
    rows.count("abs", false);
    rows.count("abs", true);
    rows.count("unknown", true);
    EXPECT_EQ(rows.summary(), "1 of 2 headers");
    const std::string table = rows.table();
    EXPECT_NE(table.find("abs     bh,wh        1     2  FAIL\n"), std::string::npos) << table;
    EXPECT_EQ(table.find("new     wh           0     0  no reference for _calculate_new_\n") !=
                  std::string::npos,
              shows_all)
        << table;
    const auto json = rows.missing_json();
    ASSERT_EQ(json.size(), shows_all ? 1U : 0U);
    if (json.empty()) continue;
    EXPECT_EQ(json[0]["functions"], Names{"_calculate_new_"});
  }
}

} // namespace
} // namespace lanewise::corpus
