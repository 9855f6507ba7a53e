// An atlas in its folder: pages of all kernels, what is measured and what is kept, what has
// changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "checkouts/fake_checkout.h"
#include "report/atlas/make.h"
#include "report/xml_check.h"
#include "study/corpus/tune/tune_corpus.h"

namespace lanewise::report {
namespace {

namespace fs = std::filesystem;

std::string header_rows(const std::string& function, const std::string& statements) {
  return "template <bool APPROXIMATION_MODE, int ITERATIONS = 8>\nvoid " + function +
         "() { for (int d = 0; d < ITERATIONS; d++) {\n" + statements + " dst_reg++; } }\n";
}

bool always(const std::string&) {
  return true;
}

std::string bytes_at(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The files of a folder with their bytes, by their paths within it.
std::map<std::string, std::string> bytes_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file())
      files.emplace(fs::relative(entry.path(), folder).string(), bytes_at(entry.path()));
  }
  return files;
}

bool has_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Atlas : public testing::Test {
 protected:
  Atlas() {
    fake_.add("square",
              header_rows("calculate_square", "vFloat x = dst_reg[0]; dst_reg[0] = x * x;"));
    fake_.add("negative",
              header_rows("calculate_negative", "vFloat x = dst_reg[0]; dst_reg[0] = -x;"));
    fake_.add("add1", header_rows("calculate_add1", "no_such_function(d);"));
    fake_.add("bitwise_not",
              header_rows("calculate_bitwise_not", "vInt x = dst_reg[0]; dst_reg[0] = ~x;"));
  }

  AtlasOptions options(const std::string& name = "site") {
    return {.request = {.folder = fake_.metal(), .chips = {Arch::Blackhole, Arch::Wormhole}},
            .folder = folder(name)};
  }
  fs::path folder(const std::string& name = "site") { return fake_.folder().path() / name; }

  static MadeAtlas make(const AtlasOptions& options,
                        const std::function<bool(const std::string&)>& progress = always) {
    auto made = make_atlas(options, progress);
    EXPECT_TRUE(made.has_value()) << (made ? "" : to_string(made.error()));
    return made ? std::move(*made) : MadeAtlas{};
  }
  std::string page(const std::string& id) { return bytes_at(folder() / "op" / (id + ".html")); }

  checkouts::FakeCheckout fake_;
  sfpi::Environment cache_{"LANEWISE_CACHE", sfpi::test_cache()};
};

TEST_F(Atlas, HasAPageForEveryKernelWhateverBecomesOfIt) {
  const MadeAtlas made = make(options());
  EXPECT_TRUE(made.is_complete);
  EXPECT_EQ(made.items, 4U);
  EXPECT_EQ(made.measured, 4U);
  EXPECT_EQ(made.failed, 2U) << "add1, on both chips";
  EXPECT_TRUE(
      has_part(page("add1"), "bh: does not compile: there are no arguments to ‘no_such_function’"));
  EXPECT_TRUE(has_part(page("bitwise_not"), "no function of one or two floats is known"));
  EXPECT_TRUE(has_part(page("bitwise_not"), "<section id=\"uint32\"><h2>uint32</h2>"))
      << "it has no bf16";
  EXPECT_TRUE(has_part(page("square"), "<h2>bf16, every input</h2>"));
  EXPECT_TRUE(has_part(page("negative"), "65026 results, largest 0 ULP"));
  EXPECT_FALSE(has_part(page("bitwise_not"), "results, largest")) << "nothing was measured";
}

TEST_F(Atlas, PagesAndPicturesAreXmlWithoutPathsOrLinksThatLeadOut) {
  make(options());
  const auto files = bytes_of(folder());
  const std::regex link("(?:href|src|srcset)=\"([^\"#]*)[^\"]*\"");
  std::size_t links = 0;
  for (const auto& [name, text] : files) {
    EXPECT_FALSE(has_part(text, fake_.folder().path().string())) << name;
    if (!name.ends_with(".html") && !name.ends_with(".svg")) continue;
    EXPECT_EQ(test::XmlCheck(text).wrong(), "") << name;
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      if ((*at)[1].length() == 0) continue; // within the page
      const fs::path target = (fs::path(name).parent_path() / (*at)[1].str()).lexically_normal();
      EXPECT_TRUE(files.contains(target.string())) << name << " leads to " << target;
      ++links;
    }
  }
  EXPECT_GT(links, 20U);
}

TEST_F(Atlas, KeepsWhatHasNotChanged) {
  make(options());
  const auto before = bytes_of(folder());
  const MadeAtlas again = make(options());
  EXPECT_EQ(again.measured, 0U);
  EXPECT_EQ(again.kept, 4U);
  EXPECT_EQ(bytes_of(folder()), before);

  fake_.add("negative",
            "// The same words.\n\n" +
                header_rows("calculate_negative", "vFloat x = dst_reg[0]; dst_reg[0] = -x;"));
  EXPECT_EQ(make(options()).measured, 0U);
  fake_.add("negative",
            header_rows("calculate_negative", "vFloat x = dst_reg[0]; dst_reg[0] = -x + 1.0f;"));
  EXPECT_EQ(make(options()).measured, 1U);
  EXPECT_FALSE(has_part(page("negative"), "65026 results, largest 0 ULP"));
  EXPECT_EQ(page("square"), before.at("op/square.html"));
}

TEST_F(Atlas, TellsWhatAnotherReleaseOfSfpiChanges) {
  // From 7.79 on a multiplication and a sum become one SFPMAD (docs/kernels.md).
  fake_.add("square",
            header_rows("calculate_square", "vFloat x = dst_reg[0]; dst_reg[0] = x * 2.0f + x;"));
  AtlasOptions before = options("before");
  before.request.sfpi_release = 778;
  make(before);
  AtlasOptions after = options();
  after.request.sfpi_release = 779;
  after.against = folder("before");
  make(after);
  EXPECT_TRUE(has_part(page("square"), "bh: cycles ") || has_part(page("square"), "other words"));
  EXPECT_TRUE(has_part(bytes_at(folder() / "index.html"), "--sfpi 7.79"));
  EXPECT_TRUE(has_part(page("negative"), "<p>Nothing has changed.</p>"));
}

TEST_F(Atlas, MeasuresAnewWhatIsDamagedOrGone) {
  make(options());
  const auto before = bytes_of(folder());
  const fs::path data = folder() / "data" / "square.bf16.json";
  std::string text = bytes_at(data);
  text[text.find("65026")] = '7';
  std::ofstream(data, std::ios::binary) << text;
  EXPECT_EQ(make(options()).measured, 1U) << "a digit";
  std::ofstream(data, std::ios::binary) << "";
  EXPECT_EQ(make(options()).measured, 1U) << "empty";
  fs::remove(folder() / "picture" / "square.bf16.narrow.svg");
  EXPECT_EQ(make(options()).measured, 1U) << "a picture";
  EXPECT_EQ(bytes_of(folder()), before);
}

TEST_F(Atlas, GoesOnBehindAStop) {
  std::size_t done = 0;
  const MadeAtlas stopped = make(options(), [&](const std::string& text) {
    done = std::stoul(text);
    return done < 2;
  });
  EXPECT_FALSE(stopped.is_complete);
  EXPECT_EQ(stopped.measured, 2U);
  EXPECT_FALSE(fs::exists(folder() / "index.html"));
  const MadeAtlas made = make(options());
  EXPECT_EQ(made.kept, 2U);
  EXPECT_EQ(made.measured, 2U);
  make(options("whole"));
  EXPECT_EQ(bytes_of(folder()), bytes_of(folder("whole")));
}

TEST_F(Atlas, KeepsNothingOfASweepThatWasStopped) {
  AtlasOptions one = options("whole");
  one.request.kernels = {"square"};
  std::size_t asked = 0;
  make(one, [&](const std::string&) { return ++asked != 0; });
  ASSERT_GT(asked, 2U) << "a sweep asks, too";
  const auto whole = bytes_of(folder("whole"));
  for (std::size_t stop = 1; stop <= asked; ++stop) {
    one.folder = folder("stopped" + std::to_string(stop));
    std::size_t calls = 0;
    const MadeAtlas stopped = make(one, [&](const std::string&) { return ++calls < stop; });
    if (!stopped.is_complete) {
      EXPECT_EQ(stopped.measured, 0U);
    }
    make(one);
    EXPECT_EQ(bytes_of(one.folder), whole) << "stopped at " << stop << " of " << asked;
  }
}

TEST_F(Atlas, HasTheKernelsOfTheTtLlkWithinFromTheirOwnHeaders) {
  for (const char* chip : {"blackhole", "wormhole_b0"}) {
    fake_.folder().write(
        "metal/tt_metal/tt-llk/tt_llk_" + std::string(chip) +
            "/common/inc/sfpu/ckernel_sfpu_square.h",
        "#pragma once\n#include <sfpi.h>\nusing namespace sfpi;\n" +
            header_rows("_calculate_square_", "vFloat x = dst_reg[0]; dst_reg[0] = x * x * x;"));
  }
  EXPECT_EQ(make(options()).items, 6U) << "square and square_limits";
  const std::string own = page("square"), llk = page("llk.square");
  EXPECT_TRUE(has_part(own, "65026 results, largest 1 ULP")) << "rounded before the store";
  EXPECT_FALSE(has_part(llk, "does not compile")) << llk;
  EXPECT_TRUE(has_part(llk, "lost")) << "another function than that of the specification";
}

TEST_F(Atlas, IsTheSameForAnyNumberOfJobs) {
  make(options());
  AtlasOptions many = options("many");
  many.jobs = 4;
  make(many);
  EXPECT_EQ(bytes_of(folder()), bytes_of(folder("many")));
}

TEST_F(Atlas, PartsThatAreCopiedTogetherAreTheWhole) {
  make(options("whole"));
  std::size_t measured = 0;
  for (const std::uint64_t number : {2U, 3U, 1U}) {
    AtlasOptions part = options("part" + std::to_string(number));
    part.part = {number, 3};
    const MadeAtlas made = make(part);
    EXPECT_TRUE(made.is_complete);
    EXPECT_EQ(made.items, made.measured);
    EXPECT_FALSE(fs::exists(part.folder / "index.html")) << "a part has no pages";
    measured += made.measured;
    fs::copy(part.folder, folder(),
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
  const MadeAtlas all = make(options());
  EXPECT_EQ(measured, all.items) << "each once";
  EXPECT_EQ(all.measured, 0U);
  EXPECT_EQ(bytes_of(folder()), bytes_of(folder("whole")));
}

TEST_F(Atlas, SaysWhatHasChanged) {
  make(options("earlier"));
  fake_.add("negative",
            header_rows("calculate_negative", "vFloat x = dst_reg[0]; dst_reg[0] = -x + 1.0f;"));
  fake_.add("abs", header_rows("calculate_abs", "vFloat x = dst_reg[0]; dst_reg[0] = abs(x);"));
  fs::remove(fs::path(fake_.metal()) / "tt_metal/hw/ckernels/wormhole_b0/metal/llk_api/llk_sfpu" /
             "ckernel_sfpu_add1.h");
  fs::remove(fs::path(fake_.metal()) / "tt_metal/hw/ckernels/blackhole/metal/llk_api/llk_sfpu" /
             "ckernel_sfpu_add1.h");
  AtlasOptions changed = options();
  changed.against = folder("earlier");
  make(changed);
  EXPECT_TRUE(has_part(page("negative"), "<li>bh: largest error 0 → "));
  EXPECT_TRUE(has_part(page("negative"), "<li>wh: cycles "));
  EXPECT_TRUE(has_part(page("square"), "Nothing has changed."));
  EXPECT_TRUE(has_part(page("abs"), "<li>new</li>"));
  const std::string index = bytes_at(folder() / "index.html");
  EXPECT_TRUE(has_part(index, "2 of the items are not as in the earlier atlas"));
  EXPECT_TRUE(has_part(index, "<li>add1.bf16</li>"));

  // In the folder of the earlier one, pages of kernels that are gone go as well.
  make(options("earlier"));
  EXPECT_FALSE(fs::exists(folder("earlier") / "op/add1.html"));
  EXPECT_TRUE(fs::exists(folder("earlier") / "op/square.html"));

  changed.against = folder() / "style.css";
  const auto refused = make_atlas(changed, always);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "this is no atlas of this version");
}

TEST_F(Atlas, HasTheTunersResultsOfTheSameWords) {
  corpus::CorpusTuning tuning{.folder = fake_.metal(), .chips = {Arch::Blackhole}};
  tuning.kernels = {"square"};
  tuning.tune.steps_per_interval = 1000;
  tuning.resume_file = fake_.folder().path() / "tuned.ndjson";
  const auto tuned = corpus::tune_corpus(tuning, always);
  ASSERT_TRUE(tuned.has_value());
  ASSERT_TRUE(tuned->cases.front().outcome.is_faster());
  AtlasOptions with_tuned = options();
  with_tuned.tuned = tuning.resume_file;
  make(with_tuned);
  const auto& outcome = tuned->cases.front().outcome;
  EXPECT_TRUE(has_part(page("square"), fmt::format("<td class=\"n\">{} (-", outcome.cycles)));
  EXPECT_TRUE(has_part(page("square"), "not tuned")) << "on Wormhole";

  fake_.add("square",
            header_rows("calculate_square", "vFloat x = dst_reg[0]; dst_reg[0] = x * x + 1.0f;"));
  EXPECT_EQ(make(with_tuned).measured, 1U);
  EXPECT_FALSE(has_part(page("square"), fmt::format("{} (-", outcome.cycles))) << "other words";

  with_tuned.tuned = folder() / "style.css";
  EXPECT_FALSE(make_atlas(with_tuned, always).has_value());
}

TEST_F(Atlas, HasASectionForEachFormat) {
  AtlasOptions both = options();
  both.request.formats = {formats::Format::BF16, formats::Format::FP32};
  both.request.kernels = {"square"};
  EXPECT_EQ(make(both).items, 2U);
  EXPECT_TRUE(has_part(page("square"), "<section id=\"bf16\"><h2>bf16, every input</h2>"));
  EXPECT_TRUE(has_part(page("square"), "<section id=\"fp32\"><h2>fp32, sample:1048576:1</h2>"));
  both.request.kernels = {"no_such"};
  EXPECT_FALSE(make_atlas(both, always).has_value());
}

} // namespace
} // namespace lanewise::report
