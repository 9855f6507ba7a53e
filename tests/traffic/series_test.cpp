// Measured series, the programs behind them, and how near the model is to them (docs/noc.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "project.h"
#include "study/traffic/accuracy.h"
#include "study/traffic/bounds.h"
#include "study/traffic/loops.h"
#include "study/traffic/series_file.h"

namespace lanewise::traffic {
namespace {

std::string table(const std::string& rows) {
  return std::string(kSeriesColumns) + "\n" + rows;
}

TEST(SeriesTable, ReadsARowAndLeavesPaddingOut) {
  const auto all =
      parse_series_table(table("x,Blackhole,ONE_TO_ALL,MULTICAST_LINKED,L1,16,25,true,false,true,1,"
                               "2,3,4,5,6,7,8,9,9,9,cycles total\r\n"
                               "y,Wormhole,DRAM read onechan "
                               "readers=1,UNICAST,DRAM,256,1,,,,,,,,,,22.1,,,,,bytes per cycle\n"));
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 1);
  const Series& series = all->front();
  EXPECT_EQ(series.arch, Arch::Blackhole);
  EXPECT_EQ(series.pattern, Pattern::OneToAll);
  EXPECT_EQ(series.mechanism, Mechanism::MulticastLinked);
  EXPECT_EQ(series.transactions, 16);
  EXPECT_EQ(series.others, 25);
  EXPECT_TRUE(series.is_loopback);
  EXPECT_EQ(series.cycles.size(), 9);
}

TEST(SeriesTable, SaysWhatIsWrongAndWhere) {
  const auto wrong = [](const std::string& rows) {
    const auto all = parse_series_table(table(rows));
    return all ? "" : fmt::format("{}: {}", all.error().line, all.error().message);
  };
  EXPECT_EQ(wrong("x,Blackhole\n"), "2: the line has 2 columns, and 22 are expected");
  EXPECT_EQ(wrong("x,Grayskull,ONE_TO_ONE,UNICAST,L1,1,0,,,,1,2,3,4,5,6,7,8,9,9,9,cycles total\n"),
            "2: 'Grayskull' is no chip that was measured");
  EXPECT_EQ(wrong("x,Wormhole,ONE_TO_ONE,UNICAST,L1,1,0,,,,1,2,3,4,5,6,7,8,9,0,9,cycles total\n"),
            "2: '0' is no number of cycles");
  EXPECT_EQ(wrong(""), "1: the table has no series");
  EXPECT_EQ(parse_series_table("a,b\n").error().line, 1);
}

constexpr const char* kSizesText =
    "transaction_sizes: [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536]\n";

TEST(SeriesYaml, ReadsKeysAndWhatTheyLeaveOut) {
  const auto all =
      parse_series_yaml(std::string(kSizesText) +
                        "num_entries: 2\nentries:\n"
                        "  - key: {pattern: 0, num_subordinates: 0, same_axis: true}\n"
                        "    latencies: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.5]\n"
                        "  - key: {arch: 3, memory: 2, num_transactions: 4, stateful: true}\n"
                        "    latencies: [1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6]\n");
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 2);
  EXPECT_EQ((*all)[0].arch, Arch::Wormhole);
  EXPECT_EQ((*all)[0].pattern, Pattern::OneFromOne);
  EXPECT_TRUE((*all)[0].is_same_axis);
  EXPECT_EQ((*all)[0].cycles.back(), 11.5);
  EXPECT_EQ((*all)[1].arch, Arch::Blackhole);
  EXPECT_EQ((*all)[1].pattern, Pattern::OneToOne);
  EXPECT_EQ((*all)[1].memory, Memory::DramSharded);
  EXPECT_EQ((*all)[1].transactions, 4);
  EXPECT_EQ((*all)[1].cycles.size(), 6);
}

TEST(SeriesYaml, RefusesAnythingElse) {
  const auto refused = [](const std::string& text) {
    const auto all = parse_series_yaml(text);
    return !all && all.error().line != 0 && !all.error().remedy.empty();
  };
  EXPECT_TRUE(refused("[1, 2]"));
  EXPECT_TRUE(refused("entries: []\n"));
  EXPECT_TRUE(refused(std::string(kSizesText) + "entries: [{key: {pattern: 10}, latencies: [1]}]"));
  EXPECT_TRUE(refused(std::string(kSizesText) + "entries: [{key: {colour: 1}, latencies: [1]}]"));
  EXPECT_TRUE(refused(std::string(kSizesText) + "entries: [{key: {pattern: 1}, latencies: [1]}]"));
  EXPECT_TRUE(refused("a: [\n"));
}

TEST(Loops, AskWhomTheProgramsAskColumnByColumn) {
  const auto loops = loops_of(
      {.arch = Arch::Wormhole, .pattern = Pattern::AllToAll, .transactions = 8, .others = 4},
      16384);
  ASSERT_EQ(loops.size(), 4);
  ASSERT_EQ(loops[3].calls.size(), 4 * 2 * 2); // each twice, in two packets
  EXPECT_EQ(loops[3].calls[0].shipment.from, (NocPlace{2, 2}));
  EXPECT_EQ(loops[3].calls[0].shipment.to, (NocPlace{1, 1}));
  EXPECT_EQ(loops[3].calls[4].shipment.to, (NocPlace{1, 2}));
  EXPECT_EQ(loops[3].calls[8].shipment.to, (NocPlace{2, 1}));
  EXPECT_EQ(packets_of(loops), 64);
}

// A core goes on once its packet has a virtual channel, which is when the one before has left.
TEST(Loops, ACoreWhoseMulticastWaitsForItsWayDoesNotCallForMore) {
  // From columns 2 and 3 of Wormhole down to a row and around it: 8 + 16 x 10 cycles for the way,
  // and 100 for each of five linked packets of 3088 bytes and 32 in front; a call each 200 cycles.
  const auto loop = [](std::uint8_t column) {
    Loop made;
    for (unsigned i = 0; i < 5; ++i)
      made.calls.push_back({.shipment = {.kind = noc::Transaction::Kind::Write,
                                         .from = {column, 1},
                                         .many = {{1, 2}, {2, 2}, {3, 2}, {4, 2}},
                                         .bytes = 3088,
                                         .is_linked = i != 4},
                            .gap = 200});
    return made;
  };
  const double one = cycles_of(Arch::Wormhole, {loop(2)});
  // The first one's last packet is called for in cycle 1000, and has left in 1000 + 20 + 100. Then
  // the other's first two leave, 168 + 100 and 100 later; the third is called for one cycle after
  // the first has left, and the others 200 and 400 after it.
  constexpr double kFirst = 1000 + 20 + 100, kSecond = kFirst + 168 + 100 + 1 + 400 + 20 + 100;
  EXPECT_EQ(cycles_of(Arch::Wormhole, {loop(2), loop(3)}), one + (kSecond - kFirst) / 2);
}

TEST(Bounds, TheModelHasTheBandwidthsThatSiliconIsTestedFor) {
  const auto all = bounds();
  EXPECT_EQ(all.size(), 12);
  for (const Bound& each : all) EXPECT_TRUE(each.holds()) << each.name << " " << each.modelled;
}

// The open table, where it lies beside the project.
TEST(Accuracy, IsHeldOnTheOpenTable) {
  const std::string file = in_project("../shared/reference/clock/noc.csv");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  const auto series = read_series(file);
  ASSERT_TRUE(series) << series.error().message;
  const Accuracy accuracy = compare(*series, 3000, [](std::size_t, std::size_t) { return true; });
  EXPECT_GT(accuracy.points.size(), 900);
  for (const Group& group : groups_of(accuracy.points)) {
    const bool is_single = group.memory == Memory::L1 && (group.pattern == Pattern::OneFromOne ||
                                                          group.pattern == Pattern::OneToOne);
    if (is_single) {
      EXPECT_LT(group.mean, 0.03) << pattern_name(group.pattern);
    }
    const bool are_many_multicasts =
        group.mechanism != Mechanism::Unicast &&
        (group.pattern == Pattern::RowToRow || group.pattern == Pattern::ColumnToColumn);
    EXPECT_LT(group.mean, are_many_multicasts ? 0.5 : 0.15)
        << pattern_name(group.pattern) << " " << memory_name(group.memory);
  }
  EXPECT_LT(mean_error(accuracy.points), 0.07);
}

} // namespace
} // namespace lanewise::traffic
