// The folder of the cache as 'lanewise cache' sees it: what is damaged is named, and nothing goes
// that the cache has not written.
#include "base/cache_contents.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/cache.h"
#include "base/remembered.h"
#include "sfpi/kernel_files.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;
using sfpi::TemporaryFolder;

const std::string kName(32, 'a'), kOther(32, 'b');

std::vector<std::string> names_of(const Expected<std::vector<CacheEntry>>& entries) {
  std::vector<std::string> names;
  if (entries)
    for (const CacheEntry& each : *entries) names.push_back(each.path.filename().string());
  return names;
}

void age(const fs::path& path, int days) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
}

TEST(CacheContents, HasKindsAndTheirEntries) {
  const TemporaryFolder folder;
  folder.write("objects/" + kName + ".so", "12345");
  folder.write("build/" + kName + "/build.h", "123");
  folder.write("build/" + kName + "/more/deep.h", "1234");
  folder.write("build/" + kOther + ".77.0.tmp/build.h", "1");
  const CacheContents contents = read_cache(folder.path());
  EXPECT_TRUE(contents.foreign.empty());
  ASSERT_EQ(contents.kinds.size(), 2U);
  EXPECT_EQ(contents.kinds[0].kind->name, "objects");
  EXPECT_EQ(contents.kinds[0].entries.at(0).bytes, 5U);
  ASSERT_EQ(contents.kinds[1].entries.size(), 2U);
  EXPECT_EQ(contents.kinds[1].entries[0].bytes, 7U);
  EXPECT_FALSE(contents.kinds[1].entries[0].is_unfinished);
  EXPECT_TRUE(contents.kinds[1].entries[1].is_unfinished);
}

TEST(CacheContents, WhatACompilerHasLeftIsUnfinished) {
  const TemporaryFolder folder;
  folder.write("objects/lanewise-compiling-aB3xY9/kernel.cpp", "1");
  folder.write("objects/" + kName + ".so", "12");
  const CacheContents contents = read_cache(folder.path());
  EXPECT_TRUE(contents.foreign.empty()) << "a process was ended there";
  ASSERT_EQ(contents.kinds.at(0).entries.size(), 2U);
  EXPECT_FALSE(contents.kinds[0].entries[0].is_unfinished);
  EXPECT_TRUE(contents.kinds[0].entries[1].is_unfinished);
}

TEST(CacheContents, WhatTheCacheHasNotWrittenStopsAPrune) {
  for (const std::string& path :
       {std::string("notes.txt"), std::string("objects/thesis.doc"), "src/" + kName,
        "objects/" + kName + "x", std::string("objects/abc"), std::string("build"),
        std::string("objects/lanewise-notes"), std::string("objects/lanewise-compiling-aB3xY9")}) {
    const TemporaryFolder folder;
    folder.write("libraries/" + kName + ".so", "1");
    folder.write(path, "mine");
    const CacheContents contents = read_cache(folder.path());
    EXPECT_FALSE(contents.foreign.empty()) << path;
    EXPECT_FALSE(entries_to_prune(contents, {.all = true})) << path;
  }
}

TEST(CacheContents, LinksAreNotFollowed) {
  const TemporaryFolder folder, elsewhere;
  elsewhere.write(kName, "mine");
  fs::create_directory_symlink(elsewhere.path(), folder.path() / "objects");
  EXPECT_FALSE(entries_to_prune(read_cache(folder.path()), {.all = true}));
  fs::remove(folder.path() / "objects");
  fs::create_directory(folder.path() / "objects");
  fs::create_symlink(elsewhere.path() / kName, folder.path() / "objects" / kName);
  EXPECT_FALSE(entries_to_prune(read_cache(folder.path()), {.all = true}));
}

TEST(CacheContents, PrunesByAgeSizeAndKind) {
  const TemporaryFolder folder;
  const std::string old(32, '1'), middle(32, '2'), young(32, '3');
  age(folder.write("objects/" + old, "1234"), 9);
  age(folder.write("notes/" + middle, "1234"), 5);
  age(folder.write("objects/" + young, "1234"), 1);
  const CacheContents contents = read_cache(folder.path());
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(entries_to_prune(contents, {})), Names{});
  EXPECT_EQ(names_of(entries_to_prune(contents, {.all = true})), (Names{young, middle, old}));
  EXPECT_EQ(names_of(entries_to_prune(contents, {.older_than = 3})), (Names{middle, old}));
  EXPECT_EQ(names_of(entries_to_prune(contents, {.older_than = 7})), Names{old});
  EXPECT_EQ(names_of(entries_to_prune(contents, {.most_bytes = 12})), Names{});
  EXPECT_EQ(names_of(entries_to_prune(contents, {.most_bytes = 11})), Names{old});
  EXPECT_EQ(names_of(entries_to_prune(contents, {.most_bytes = 4})), (Names{middle, old}));
  EXPECT_EQ(names_of(entries_to_prune(contents, {.older_than = 7, .most_bytes = 4})),
            (Names{middle, old}));
  EXPECT_EQ(names_of(entries_to_prune(contents, {.all = true, .kinds = {"notes"}})), Names{middle});
  EXPECT_FALSE(entries_to_prune(contents, {.all = true, .kinds = {"nothing"}}));
}

TEST(CacheContents, TheStateOfAnEntryIsThatOfItsForm) {
  const TemporaryFolder folder;
  const Remembered results(folder.path(), "this");
  ASSERT_TRUE(results.keep("sweeps", "key", "value"));
  const fs::path result = results.file_of("sweeps", "key");
  const CacheKind& sweeps = *find_cache_kind("sweeps");
  EXPECT_EQ(entry_state(sweeps, result, "this"), EntryState::Whole);
  EXPECT_EQ(entry_state(sweeps, result, "other"), EntryState::OtherProgram);
  fs::resize_file(result, 20);
  EXPECT_EQ(entry_state(sweeps, result, "this"), EntryState::Damaged);

  const fs::path object = folder.write("objects/" + kName, "code");
  const CacheKind& objects = *find_cache_kind("objects");
  EXPECT_EQ(entry_state(objects, object, ""), EntryState::Damaged);
  ASSERT_TRUE(seal(object, kName));
  EXPECT_EQ(entry_state(objects, object, ""), EntryState::Whole);

  const fs::path header = folder.path() / "headers" / kName;
  folder.write("headers/" + kName + "/a.h.gch", "compiled");
  const CacheKind& headers = *find_cache_kind("headers");
  EXPECT_EQ(entry_state(headers, header, ""), EntryState::Damaged) << "no digest";
  folder.write("headers/" + kName + "/precompiled.digest",
               file_digest(header / "a.h.gch", "a.h.gch"));
  EXPECT_EQ(entry_state(headers, header, ""), EntryState::Whole);
  folder.write("headers/" + kName + "/a.h.gch", "Compiled");
  EXPECT_EQ(entry_state(headers, header, ""), EntryState::Damaged);

  EXPECT_EQ(entry_state(*find_cache_kind("notes"), object, ""), EntryState::Unknown);
}

} // namespace
} // namespace lanewise
