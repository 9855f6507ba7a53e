#include "study/parts/part_file.h"

#include <gtest/gtest.h>

#include <string>

#include "base/version.h"

namespace lanewise::parts {
namespace {

/// Part `number` of three of ten items, done, each with its own number as its value.
PartFile part_of_three(std::uint64_t number) {
  PartFile file{.name = "p" + std::to_string(number),
                .header = {.command = {{"sweep", "k.cpp"}, {"--arch", "bh"}},
                           .arithmetic = "v3",
                           .part = {number, 3},
                           .items = 10,
                           .key = {{"programs", "a"}, {"inputs", "every"}}},
                .records = {},
                .ended = true};
  const ItemRange range = range_of(file.header.part, file.header.items);
  for (std::uint64_t item = range.begin; item < range.end; ++item) file.records[item] = item;
  return file;
}

std::string message(const Expected<PartFile>& file) {
  return file ? "taken" : file.error().message;
}
std::string message(const Expected<std::vector<PartFile>>& files) {
  return files ? "taken" : to_string(files.error());
}
bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// The text with something replaced, each line sealed anew.
std::string sealed_anew(const std::string& text, std::string_view from, std::string_view to) {
  std::string changed;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    std::string line = text.substr(begin, end - begin);
    begin = end;
    line.resize(line.find(",\"digest\""));
    line += "}";
    if (const std::size_t place = line.find(from); place != std::string::npos)
      line.replace(place, from.size(), to);
    changed += sealed_line(Json::parse(line));
  }
  return changed;
}

TEST(PartFile, ComesBackFromItsText) {
  const PartFile file = part_of_three(2);
  const auto read = parse_part_file(part_file_text(file), "p2");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->header.command, file.header.command);
  EXPECT_EQ(read->header.part, file.header.part);
  EXPECT_EQ(read->header.items, 10U);
  EXPECT_EQ(read->header.key, file.header.key);
  EXPECT_EQ(read->records, file.records);
  EXPECT_TRUE(read->ended);
  EXPECT_FALSE(read->torn);
}

TEST(PartFile, EveryDamagedByteIsSeen) {
  const std::string whole = part_file_text(part_of_three(1));
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string text = whole;
    text[place] = static_cast<char>(text[place] ^ 1);
    const auto read = parse_part_file(text, "p1");
    // A line's end that is none any more makes one line of two, or leaves the last one cut off.
    EXPECT_TRUE(!read || (read->torn && !read->ended)) << place;
  }
}

TEST(PartFile, ALastLineThatIsCutOffIsLeftOut) {
  const std::string whole = part_file_text(part_of_three(1));
  const std::size_t end = whole.rfind("{\"end\""), last = whole.rfind("{\"item\"");
  auto cut = parse_part_file(whole.substr(0, end), "p1");
  ASSERT_TRUE(cut.has_value());
  EXPECT_FALSE(cut->ended || cut->torn);
  cut = parse_part_file(whole.substr(0, last + 9), "p1");
  ASSERT_TRUE(cut.has_value());
  EXPECT_TRUE(cut->torn);
  EXPECT_EQ(cut->records.size(), 2U) << "of three";
  EXPECT_TRUE(has(message(parse_part_file(whole.substr(0, 30), "p1")), "no part of any work"));
  EXPECT_TRUE(has(message(parse_part_file("", "p1")), "no part of any work"));
  EXPECT_TRUE(has(message(parse_part_file("{}\n", "p1")), "no part of any work"));
}

TEST(PartFile, OfTwoLinesForAnItemTheLaterOneCounts) {
  PartFile file = part_of_three(1);
  file.ended = false;
  const auto read = parse_part_file(part_file_text(file) + record_line(1, "new"), "p1");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->records.at(1), "new");
}

TEST(PartFile, WhatASealDoesNotSeeIsStillLookedAt) {
  const std::string whole = part_file_text(part_of_three(2));
  const auto with = [&](std::string_view from, std::string_view to) {
    return message(parse_part_file(sealed_anew(whole, from, to), "p2"));
  };
  EXPECT_EQ(with("", ""), "taken");
  EXPECT_TRUE(has(with("\"version\":\"", "\"version\":\"9."), "another version"));
  EXPECT_TRUE(has(with("\"lanewise part\":1", "\"lanewise part\":2"), "another version"));
  EXPECT_TRUE(has(with("\"of\":3", "\"of\":1"), "makes no sense")) << "part 2 of 1";
  EXPECT_TRUE(has(with("\"part\":2", "\"part\":-2"), "makes no sense"));
  EXPECT_TRUE(has(with("[\"sweep\"", "[7"), "makes no sense"));
  EXPECT_TRUE(has(with("\"item\":4", "\"item\":9"), "line 3")) << "another part's item";
  EXPECT_TRUE(has(with("\"item\":4", "\"item\":\"4\""), "line 3"));
  EXPECT_TRUE(has(with("\"end\":3", "\"end\":4"), "line 5"));
}

TEST(PartFile, PartsOfOneWorkAreGatheredInTheirOrder) {
  const auto all = gather_parts({part_of_three(3), part_of_three(1), part_of_three(2)});
  ASSERT_TRUE(all.has_value()) << message(all);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ((*all)[i].header.part.number, i + 1);
}

TEST(PartFile, PartsThatDoNotBelongTogetherAreNamed) {
  const auto gathered = [](auto change) {
    std::vector<PartFile> files{part_of_three(1), part_of_three(2), part_of_three(3)};
    change(files);
    return message(gather_parts(std::move(files)));
  };
  const auto other = [&](auto change) {
    return gathered([&](std::vector<PartFile>& files) { change(files[1].header); });
  };
  EXPECT_TRUE(has(gathered([](auto& files) { files.clear(); }), "no parts"));
  EXPECT_TRUE(has(gathered([](auto& files) { files.erase(files.begin() + 1); }), "missing: 2"));
  EXPECT_TRUE(has(gathered([](auto& files) { files.resize(1); }), "missing: 2, 3"));
  const std::string twice = gathered([](auto& files) {
    files.push_back(part_of_three(2));
    files.back().name = "again";
  });
  EXPECT_TRUE(has(twice, "again") && has(twice, "part 2 of 3 is there twice, also as p2")) << twice;
  const std::string open = gathered([](auto& files) { files[2].ended = false; });
  EXPECT_TRUE(has(open, "p3: error: part 3 of 3 has not come to its end")) << open;

  const std::string of = other([](PartHeader& header) { header.part.of = 4; });
  EXPECT_TRUE(has(of, "p2: error: this is part 2 of 4, and p1 is part 1 of 3")) << of;
  const std::string command =
      other([](PartHeader& header) { header.command.typed.emplace_back("--json"); });
  EXPECT_TRUE(has(command, "a part of 'lanewise sweep k.cpp --json'")) << command;
  EXPECT_NE(other([](PartHeader& header) { header.command.added.clear(); }), "taken");
  EXPECT_TRUE(has(other([](PartHeader& header) { header.items = 11; }), "11 items, and p1 of 10"));
  const std::string work = other([](PartHeader& header) { header.key["programs"] = "b"; });
  EXPECT_TRUE(has(work, "programs is \"a\" there, \"b\" here")) << work;
}

TEST(PartFile, OfManyMissingPartsTheFirstAreNamed) {
  PartFile file = part_of_three(1);
  file.header.part = {1, 100};
  file.header.items = 0;
  EXPECT_TRUE(has(message(gather_parts({file})), "missing: 2, 3, 4, 5, 6, 7, 8, 9 and 91 more"));
}

} // namespace
} // namespace lanewise::parts
