#include "study/parts/shared_work.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "study/parts/run_items.h"
#include "study/parts/source_digest.h"

namespace lanewise::parts {
namespace {

namespace fs = std::filesystem;
using Keeping = SharedWork::Keeping;

constexpr std::uint64_t kItems = 10;

/// A folder of its own for each test.
class SharedWorkTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              ("lanewise_work_" + std::to_string(::getpid()) + info->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name) const { return folder_ / name; }
  static std::string text_of(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  SharedWork part(std::uint64_t number, std::uint64_t of) const {
    return SharedWork::part({number, of}, {{"squares"}, {}}, file("p" + std::to_string(number)));
  }
  static Expected<void> begin(SharedWork& work, const char* inputs = "ten") {
    return work.begin("squaring", {{"inputs", inputs}}, kItems, Keeping::Lines);
  }

  fs::path folder_;
};

/// The squares of a run's items, `most` new ones; which were new are added to `done`.
std::vector<std::optional<Json>> squares(SharedWork& work, std::set<std::uint64_t>& done,
                                         std::size_t most = kItems) {
  std::vector<std::optional<Json>> values;
  const ItemRange range = work.range();
  for (std::uint64_t item = range.begin; item < range.end; ++item) {
    const Json* there = work.find(item);
    values.emplace_back();
    if (there == nullptr && most-- == 0) break;
    if (there == nullptr) {
      done.insert(item);
      work.keep(item, item * item);
    }
    values.back() = there != nullptr ? *there : Json(item * item);
  }
  return values;
}

TEST_F(SharedWorkTest, WithoutAFileAllIsDoneAndNothingKept) {
  SharedWork work;
  ASSERT_TRUE(begin(work));
  EXPECT_EQ(work.range(), (ItemRange{0, kItems}));
  EXPECT_FALSE(work.is_part() || work.is_merged() || work.keeps() || work.needs_key());
  std::set<std::uint64_t> done;
  squares(work, done);
  EXPECT_EQ(done.size(), kItems);
  EXPECT_EQ(work.find(3), nullptr);
  EXPECT_TRUE(work.end());
}

TEST_F(SharedWorkTest, PartsThatAreMergedHaveEveryItemOnce) {
  for (const std::uint64_t of : {1, 3, 10, 13}) {
    std::set<std::uint64_t> done;
    std::vector<PartFile> files;
    for (std::uint64_t number = of; number >= 1; --number) {
      SharedWork work = part(number, of);
      ASSERT_TRUE(begin(work));
      const std::size_t before = done.size();
      squares(work, done);
      EXPECT_EQ(done.size() - before, work.range().count()) << "none of another part";
      ASSERT_TRUE(work.end());
      const std::string text = text_of(work.path());
      EXPECT_EQ(text, work.text()) << "what is in the file is what the part says";
      files.push_back(parse_part_file(text, work.path().string()).value());
    }
    EXPECT_EQ(done.size(), kItems);
    auto gathered = gather_parts(std::move(files));
    ASSERT_TRUE(gathered.has_value());
    SharedWork merged = SharedWork::merged(*std::move(gathered));
    ASSERT_TRUE(begin(merged));
    std::set<std::uint64_t> none;
    const auto values = squares(merged, none);
    EXPECT_TRUE(none.empty());
    for (std::uint64_t item = 0; item < kItems; ++item) EXPECT_EQ(values[item], item * item);
    // Of more parts than items, the first are empty.
    EXPECT_TRUE(of > kItems || merged.name_of(0) == part(1, of).path().string());
    for (std::uint64_t number = 1; number <= of; ++number) fs::remove(part(number, of).path());
  }
}

TEST_F(SharedWorkTest, APartThatWasStoppedGoesOn) {
  std::set<std::uint64_t> first, second;
  {
    SharedWork work = part(2, 2);
    ASSERT_TRUE(begin(work));
    squares(work, first, 2);
    ASSERT_TRUE(work.stop());
  }
  // The process was ended while it wrote the next line.
  std::ofstream(part(2, 2).path(), std::ios::app) << record_line(7, 49).substr(0, 20);
  SharedWork work = part(2, 2);
  ASSERT_TRUE(begin(work));
  squares(work, second);
  EXPECT_EQ(first, (std::set<std::uint64_t>{5, 6}));
  EXPECT_EQ(second, (std::set<std::uint64_t>{7, 8, 9}));
  ASSERT_TRUE(work.end());
  const std::string whole = text_of(work.path());
  EXPECT_TRUE(parse_part_file(whole, "").value().ended);

  SharedWork again = part(2, 2);
  ASSERT_TRUE(begin(again));
  std::set<std::uint64_t> none;
  squares(again, none);
  ASSERT_TRUE(again.end());
  EXPECT_TRUE(none.empty()) << "it is done";
  EXPECT_EQ(text_of(again.path()), whole);
}

TEST_F(SharedWorkTest, ADiskThatWasFullForAWhileLosesNothing) {
  SharedWork work = part(1, 2);
  ASSERT_TRUE(begin(work));
  work.keep(0, 0);
  const fs::path away = file("away");
  fs::rename(work.path(), away); // nothing can be added to a file that is not there
  work.keep(1, 1);
  EXPECT_FALSE(fs::exists(work.path()));
  work.keep(2, 4);
  EXPECT_EQ(parse_part_file(text_of(work.path()), "").value().records.size(), 3U);
}

TEST_F(SharedWorkTest, WorkThatGoesOnRemovesItsFileAtTheEnd) {
  std::set<std::uint64_t> first, second;
  SharedWork begun = SharedWork::resumable(file("state"));
  ASSERT_TRUE(begin(begun));
  EXPECT_FALSE(begun.is_part());
  squares(begun, first, 4);
  ASSERT_TRUE(begun.stop());
  SharedWork rest = SharedWork::resumable(file("state"));
  ASSERT_TRUE(begin(rest));
  squares(rest, second);
  EXPECT_EQ(first.size() + second.size(), kItems);
  ASSERT_TRUE(rest.end());
  EXPECT_FALSE(fs::exists(file("state")));
}

TEST_F(SharedWorkTest, FilesOfOtherWorkAreRefusedAndStay) {
  SharedWork work = part(1, 2);
  ASSERT_TRUE(begin(work));
  const std::string before = text_of(work.path());
  const auto refusal = [&](SharedWork other, const char* inputs, std::uint64_t items) {
    const auto begun = other.begin("squaring", {{"inputs", inputs}}, items, Keeping::Lines);
    EXPECT_EQ(text_of(work.path()), before);
    return begun ? std::string("taken") : to_string(begun.error());
  };
  EXPECT_NE(refusal(part(1, 2), "others", kItems).find("inputs is \"ten\" there, \"others\" here"),
            std::string::npos);
  EXPECT_NE(refusal(part(1, 2), "ten", kItems + 1).find("10 items, and here there are 11"),
            std::string::npos);
  EXPECT_NE(refusal(part(1, 3), "ten", kItems).find("part 1 of 2, not part 1 of 3"),
            std::string::npos);
  EXPECT_NE(refusal(SharedWork::part({1, 2}, {{"cubes"}, {}}, file("p1")), "ten", kItems)
                .find("a part of 'lanewise squares'"),
            std::string::npos);
  std::ofstream(work.path()) << "notes\n";
  SharedWork over = part(1, 2);
  EXPECT_FALSE(begin(over));
  EXPECT_EQ(text_of(work.path()), "notes\n");
}

TEST_F(SharedWorkTest, AFileThatCannotBeWrittenIsAnErrorAtOnce) {
  SharedWork work = SharedWork::part({1, 2}, {}, folder_ / "no_such_folder" / "part");
  EXPECT_FALSE(begin(work));
}

TEST_F(SharedWorkTest, PartsOfOtherProgramsAreNotMerged) {
  std::vector<PartFile> files;
  for (const std::uint64_t number : {1, 2}) {
    SharedWork work = part(number, 2);
    ASSERT_TRUE(begin(work));
    std::set<std::uint64_t> done;
    squares(work, done);
    ASSERT_TRUE(work.end());
    files.push_back(parse_part_file(work.text(), work.path().string()).value());
  }
  SharedWork changed = SharedWork::merged(files);
  const auto refused = begin(changed, "nine");
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("another squaring: inputs is \"ten\" there"),
            std::string::npos);
  SharedWork larger = SharedWork::merged(files);
  EXPECT_FALSE(larger.begin("squaring", {{"inputs", "ten"}}, 11, Keeping::Lines));
  files[1].records.erase(7);
  SharedWork holed = SharedWork::merged(files);
  EXPECT_FALSE(begin(holed));
}

TEST_F(SharedWorkTest, ItemsInProcessesAreKeptOneByOne) {
  std::set<std::uint64_t> first;
  {
    SharedWork work = part(1, 1);
    ASSERT_TRUE(begin(work));
    squares(work, first, 3);
  }
  SharedWork work = part(1, 1);
  ASSERT_TRUE(begin(work));
  const auto values = run_items(work, {.jobs = 2,
                                       .run =
                                           [&](std::uint64_t item) {
                                             if (item == 8) ::_exit(1); // as if it was ended
                                             return Json(first.contains(item) ? 0 : item * item);
                                           },
                                       .progress =
                                           [](std::size_t done, std::size_t all) {
                                             EXPECT_LE(done, all);
                                             return all == kItems;
                                           }});
  ASSERT_TRUE(values.has_value());
  for (std::uint64_t item = 0; item < kItems; ++item) {
    if (item == 8) {
      EXPECT_FALSE((*values)[item].has_value());
    } else if ((*values)[item]) { // a process that ends takes no more of the work
      EXPECT_EQ((*values)[item], item * item) << "those that are there are not done again";
    }
  }
  const PartFile kept = parse_part_file(text_of(work.path()), "").value();
  EXPECT_GE(kept.records.size(), 4U);
  EXPECT_FALSE(kept.records.contains(8));
}

TEST_F(SharedWorkTest, TheDigestOfSourcesIsThatOfNamesAndBytes) {
  fs::create_directories(folder_ / "a" / "below");
  std::ofstream(folder_ / "a" / "below" / "x.h") << "one";
  const std::vector<fs::path> folders{folder_ / "a"};
  const std::string before = source_digest(folders);
  EXPECT_EQ(source_digest(folders), before);
  fs::create_directories(folder_ / "a" / ".git");
  std::ofstream(folder_ / "a" / ".git" / "HEAD") << "ref";
  EXPECT_EQ(source_digest(folders), before) << "no source";
  std::ofstream(folder_ / "a" / "below" / "x.h") << "two";
  EXPECT_NE(source_digest(folders), before);
  std::ofstream(folder_ / "a" / "below" / "x.h") << "one";
  EXPECT_EQ(source_digest(folders), before);
  fs::rename(folder_ / "a" / "below" / "x.h", folder_ / "a" / "below" / "y.h");
  EXPECT_NE(source_digest(folders), before);
}

} // namespace
} // namespace lanewise::parts
