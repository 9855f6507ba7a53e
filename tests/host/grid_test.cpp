// The device of host programs as their headers have it: a grid of cores, what lies on which of
// them, and the description of a program that is asked of the device.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <lanewise/run.hpp>
#include <nlohmann/json.hpp>

#include "chip/isa/noc_record.h"
#include "chip/noc/places.h"
#include "run/host/device_choice.h"
#include "sfpi/kernel_files.h"

namespace lanewise_host {
namespace {

using namespace tt::tt_metal;
using nlohmann::json;

/// The device of these tests is the default one, whatever the environment says.
const bool kIsDefault = [] {
  for (const char* name : {"LANEWISE_ARCH", "ARCH_NAME", "LANEWISE_GRID", kChannelVariable})
    ::unsetenv(name);
  return true;
}();

constexpr std::array kArchs{lanewise::Arch::Blackhole, lanewise::Arch::Wormhole};

/// What is refused, or wrong, or "". It begins with "here: " where that is the place of the call,
/// whose line is that of this one.
template <class Call>
std::string refusal(const Call& call, Location location = Location::current()) {
  try {
    call();
  } catch (const std::exception& error) {
    const std::string text = error.what(), place = origin_of(location) + ": ";
    return text.starts_with(place) ? "here: " + text.substr(place.size()) : text;
  }
  return "";
}

// A program that plays `lanewise device`, and tells the grid that it was given.
TEST(HostGrids, TheDeviceThatIsStartedTellsItsOwn) {
  const lanewise::sfpi::TemporaryFolder folder;
  const std::filesystem::path device = folder.path() / "device";
  std::ofstream(device)
      << "#!/bin/sh\n"
         "[ \"$1 $3 $4\" = 'device 3 --grid' ] || exit 3\n"
         "head -c 17 <&3 >/dev/null\n"
         "printf '\\000LW1\\001\\0\\0\\0\\003\\0\\0\\0\\0\\0\\0\\0%s' \"$5\" >&3\n";
  std::filesystem::permissions(device, std::filesystem::perms::owner_all);
  const auto exit_of = [&](const char* flags, CoreCoord expected) {
    ::setenv("LANEWISE", device.c_str(), 1);
    ::setenv("LANEWISE_GRID", "2x2", 1);
    ::setenv("LANEWISE_FLAGS", flags, 1);
    std::exit(grid() == expected ? 0 : 1);
  };
  EXPECT_EXIT(exit_of("--grid 4x3", {4, 3}), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exit_of("--map", {2, 2}), ::testing::ExitedWithCode(0), "");
}

TEST(HostChips, AreThoseOfTheDevice) {
  for (std::size_t i = 0; i < kChips.size(); ++i) {
    const Chip& chip = kChips[i];
    const lanewise::NocRecord& noc = *lanewise::noc_record(kArchs[i]);
    EXPECT_EQ(chip.name, lanewise::arch_params(kArchs[i]).names.id);
    EXPECT_EQ(chip.grid, CoreCoord(noc.compute_grid.x, noc.compute_grid.y));
    EXPECT_EQ(chip.noc_grid, CoreCoord(noc.grid.x, noc.grid.y));
    EXPECT_EQ(chip.dram_banks, noc.banks.size());
    EXPECT_EQ(chip.dram_alignment, noc.dram_alignment);
    EXPECT_EQ(chip.dram_begin, noc.dram_begin);
    EXPECT_EQ(chip.bank_bytes, noc.bank_bytes);
    EXPECT_EQ(chip.l1_begin, noc.l1_begin);
    for (const CoreCoord& core : CoreRange({0, 0}, {chip.grid.x - 1, chip.grid.y - 1})) {
      const auto place = lanewise::noc::worker_place(kArchs[i], static_cast<unsigned>(core.x),
                                                     static_cast<unsigned>(core.y));
      ASSERT_TRUE(place.has_value());
      EXPECT_EQ(place_of(chip, core), CoreCoord(place->x, place->y)) << core;
    }
  }
}

TEST(HostChips, HaveVirtualCoordinates) {
  const auto& [blackhole, wormhole] = kChips;
  EXPECT_EQ(place_of(blackhole, {0, 0}), CoreCoord(1, 2));
  EXPECT_EQ(place_of(blackhole, {6, 9}), CoreCoord(7, 11));
  EXPECT_EQ(place_of(blackhole, {7, 0}), CoreCoord(10, 2)) << "columns 8 and 9 are not of cores";
  EXPECT_EQ(place_of(wormhole, {0, 0}), CoreCoord(18, 18));
  EXPECT_EQ(place_of(wormhole, {7, 7}), CoreCoord(25, 25));
}

TEST(HostGrid, IsColumnsTimesRowsOfTheChip) {
  for (const std::string_view text : {"1x1", "4x2", "11x10", "8x8", "1x10"})
    EXPECT_TRUE(grid_of(kChips[0], text).has_value()) << text;
  EXPECT_EQ(grid_of(kChips[0], "4x2"), CoreCoord(4, 2));
  EXPECT_FALSE(grid_of(kChips[1], "11x10").has_value());
  for (const std::string_view text : {"", "4", "4x", "x2", "0x1", "1x0", "12x10", "11x11", "4x2x1",
                                      "4x2 ", " 4x2", "-1x2", "99999999999999999999x1"})
    EXPECT_FALSE(grid_of(kChips[0], text).has_value()) << text;
}

// What --grid takes is what the headers take.
TEST(HostGrid, IsCheckedBeforeAHostProgramRuns) {
  for (const std::size_t i : {0U, 1U})
    for (const char* text : {"1x1", "8x8", "9x8", "11x10", "12x1", "4", "4x", "0x1", "4x2x1"}) {
      const auto checked = lanewise::host::check_choice({.arch = kChips[i].name, .grid = text});
      EXPECT_EQ(checked.has_value(), grid_of(kChips[i], text).has_value()) << text;
    }
  const auto checked = lanewise::host::check_choice({.arch = "wh", .grid = "11x10"});
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().message,
            "'11x10' is no grid of cores of Wormhole: it has 8 columns and 8 rows");
  EXPECT_EQ(checked.error().remedy, "write COLUMNSxROWS, from 1x1 to 8x8, for --grid");
}

class HostPrograms : public ::testing::Test {
 protected:
  json described() const { return json::parse(Description(program, *device).text()); }
  KernelHandle kernel_on(const CoreSpec& cores) {
    return CreateKernelFromString(program, "x", cores, DataMovementConfig{});
  }

  std::shared_ptr<distributed::MeshDevice> device = distributed::MeshDevice::create_unit_mesh(0);
  Program program = CreateProgram();
};

TEST_F(HostPrograms, HaveTheGridOfTheChip) {
  EXPECT_EQ(device->compute_with_storage_grid_size(), CoreCoord(11, 10));
  EXPECT_EQ(device->logical_grid_size(), CoreCoord(11, 10));
  EXPECT_EQ(device->worker_core_from_logical_core({10, 9}), CoreCoord(13, 11));
  EXPECT_EQ(described()["grid"], json({11, 10}));
}

TEST_F(HostPrograms, AreRefusedCoresOutsideOfTheGridAtTheirLine) {
  constexpr std::string_view kText =
      "here: asks for core (11, 9), which is outside of the grid of 11 x 10";
  const CoreRange cores({10, 9}, {11, 9});
  EXPECT_EQ(refusal([&] { device->worker_core_from_logical_core({11, 9}); }), kText);
  EXPECT_EQ(refusal([&] { CreateKernel(program, "k.cpp", cores, ComputeConfig{}); }), kText);
  EXPECT_EQ(refusal([&] { CreateSemaphore(program, cores, 0); }), kText);
  EXPECT_EQ(refusal([&] { CreateCircularBuffer(program, cores, CircularBufferConfig(64)); }),
            kText);
  EXPECT_EQ(refusal([&] { CreateSemaphore(program, CoreCoord(0, 10), 0); }),
            "here: asks for core (0, 10), which is outside of the grid of 11 x 10");
}

TEST_F(HostPrograms, HaveTheLowestSemaphoreThatIsFreeOnAllCores) {
  const CoreRange both({0, 0}, {1, 0});
  EXPECT_EQ(CreateSemaphore(program, CoreCoord(0, 0), 5), 0U);
  EXPECT_EQ(CreateSemaphore(program, CoreCoord(1, 0), 6), 0U);
  EXPECT_EQ(CreateSemaphore(program, CoreCoord(1, 0), 7), 1U);
  EXPECT_EQ(CreateSemaphore(program, both, 8), 2U);
  EXPECT_EQ(CreateSemaphore(program, CoreCoord(0, 0), 9), 1U);
  const json all = described()["semaphores"];
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[1]["cores"], json::parse("[[1,0]]"));
  EXPECT_EQ(all[3]["cores"], json::parse("[[0,0,1,0]]"));
  EXPECT_EQ(all[3]["id"], 2);
  EXPECT_EQ(all[3]["initial"], 8);
  for (unsigned id = 3; id < 16; ++id) EXPECT_EQ(CreateSemaphore(program, CoreCoord(0, 0), 0), id);
  EXPECT_EQ(refusal([&] { CreateSemaphore(program, both, 0); }),
            "here: none of the 16 semaphores is free on all of the 2 cores");
  EXPECT_EQ(CreateSemaphore(program, CoreCoord(1, 0), 0), 3U);
}

TEST_F(HostPrograms, HaveArgumentsForEachCore) {
  const KernelHandle kernel = kernel_on(CoreRange({2, 1}, {4, 2}));
  SetRuntimeArgs(program, kernel, CoreRange({2, 1}, {4, 2}), {1, 2});
  SetRuntimeArgs(program, kernel, CoreCoord(3, 2), std::array<std::uint32_t, 1>{3});
  SetRuntimeArgs(program, kernel, {{2, 2}, {4, 2}}, {{4}, {}});
  GetRuntimeArgs(program, kernel, {4, 1})[1] = 9;
  EXPECT_EQ(GetRuntimeArgs(program, kernel)[4][1], std::vector<std::uint32_t>({1, 9}));
  const json described_kernel = described()["kernels"][0];
  EXPECT_EQ(described_kernel["cores"], json::parse("[[2,1,4,2]]"));
  EXPECT_EQ(described_kernel["runtime_args"], json::parse("[1,2]"));
  EXPECT_EQ(described_kernel["runtime_args_at"], json::parse(R"([
      {"core":[4,1],"args":[1,9]}, {"core":[2,2],"args":[4]},
      {"core":[3,2],"args":[3]}, {"core":[4,2],"args":[]}])"));
}

TEST_F(HostPrograms, SetArgumentsOnlyWhereTheKernelIs) {
  const KernelHandle kernel = kernel_on(CoreCoord(1, 1));
  const std::string text =
      fmt::format("here: the kernel of {} is not on core (1, 2)", program.kernels[0].origin);
  EXPECT_EQ(refusal([&] {
              SetRuntimeArgs(program, kernel, CoreRange({1, 1}, {1, 2}), {1});
            }),
            text);
  EXPECT_EQ(refusal([&] { GetRuntimeArgs(program, kernel, {1, 2}); }), text);
  EXPECT_EQ(refusal([&] {
              SetRuntimeArgs(program, kernel, {{1, 1}}, {{1}, {2}});
            }),
            "here: 2 lists of arguments for 1 cores");
}

// Of a group of cores that is empty, split_work_to_cores() gives a set without any.
TEST_F(HostPrograms, DescribeNothingOfNoCores) {
  kernel_on(CoreRangeSet());
  CreateCircularBuffer(program, CoreRangeSet(),
                       CircularBufferConfig(64, {{0, tt::DataFormat::Int32}}));
  EXPECT_TRUE(described()["kernels"].empty());
  EXPECT_TRUE(described()["circular_buffers"].empty());
}

class HostShards : public HostPrograms {
 protected:
  /// 4 x 6 pages of 64 bytes.
  std::shared_ptr<Buffer> sharded(TensorMemoryLayout layout, const CoreRangeSet& cores, Pages shard,
                                  ShardOrientation order = ShardOrientation::ROW_MAJOR,
                                  BufferType type = BufferType::L1, Pages tensor = {4, 6}) {
    const BufferShardingArgs args(ShardSpecBuffer(cores, shard, order, {1, 16}, tensor), layout);
    return Buffer::create(device.get(), 24 * 64, 64, type, args);
  }
  static std::vector<std::uint32_t> words(const std::shared_ptr<Buffer>& buffer) {
    return TensorAccessorArgs(*buffer).get_compile_time_args();
  }
};

TEST_F(HostShards, AreBlocksOfPagesOnCores) {
  const auto buffer =
      sharded(TensorMemoryLayout::BLOCK_SHARDED, CoreRange({6, 0}, {7, 1}), {2, 48});
  EXPECT_EQ(words(buffer),
            std::vector<std::uint32_t>({1, 64, 2, 4, 4, 6, 2, 3, 0x0A02'0702, 0x0A03'0703}));
  EXPECT_EQ(described()["buffers"][0]["sharded"], true);
  EXPECT_EQ(described()["buffers"][0]["shards"],
            json::parse(R"({"cores":[[6,0],[7,0],[6,1],[7,1]],"tensor":[4,6],"shard":[2,3]})"));
  const Shards& shards = *buffer->lanewise_shards();
  EXPECT_EQ(shards.core_of(2), CoreCoord(6, 0));
  EXPECT_EQ(shards.core_of(3), CoreCoord(7, 0));
  EXPECT_EQ(shards.core_of(6 * 2 + 2), CoreCoord(6, 1));
}

TEST_F(HostShards, LieInTheOrderOfTheirOrientation) {
  const auto buffer = sharded(TensorMemoryLayout::WIDTH_SHARDED, CoreRange({0, 0}, {1, 2}), {4, 16},
                              ShardOrientation::COL_MAJOR);
  EXPECT_EQ(described()["buffers"][0]["shards"]["cores"],
            json::parse("[[0,0],[0,1],[0,2],[1,0],[1,1],[1,2]]"));
  EXPECT_EQ(buffer->num_cores(), 6U);
}

TEST_F(HostShards, OfHeightAreRunsOfPages) {
  sharded(TensorMemoryLayout::HEIGHT_SHARDED, CoreRange({0, 0}, {0, 3}), {6, 16});
  EXPECT_EQ(described()["buffers"].size(), 0U) << "it went out of its scope";
  const auto whole =
      sharded(TensorMemoryLayout::HEIGHT_SHARDED, CoreRange({0, 0}, {0, 3}), {1, 96});
  const auto runs = sharded(TensorMemoryLayout::HEIGHT_SHARDED, CoreRange({0, 0}, {0, 3}), {6, 16});
  for (std::uint64_t page = 0; page < 24; ++page)
    EXPECT_EQ(whole->lanewise_shards()->core_of(page), runs->lanewise_shards()->core_of(page));
  EXPECT_EQ(words(runs)[4], 24U);
  EXPECT_EQ(words(runs)[6], 6U);
}

// A core has room for the largest shard, at the same address on all: three pages and their part of
// one that is cut short, from the top down.
TEST_F(HostShards, TakeTheSameAddressOnAllCores) {
  const auto first =
      sharded(TensorMemoryLayout::HEIGHT_SHARDED, CoreRange({0, 0}, {1, 1}), {7, 16});
  EXPECT_EQ(first->address(), 1536 * 1024 - 7 * 64);
  const auto other =
      sharded(TensorMemoryLayout::HEIGHT_SHARDED, CoreRange({5, 5}, {6, 6}), {7, 16});
  EXPECT_EQ(other->address(), 1536 * 1024 - 14 * 64);
}

// A bank goes by its number, x of its place, whatever the coordinates of cores are.
TEST_F(HostShards, MayLieInBanksOfDram) {
  const auto buffer = sharded(TensorMemoryLayout::BLOCK_SHARDED, CoreRange({4, 0}, {7, 0}), {2, 48},
                              ShardOrientation::ROW_MAJOR, BufferType::DRAM);
  EXPECT_EQ(words(buffer),
            std::vector<std::uint32_t>({3, 64, 2, 4, 4, 6, 2, 3, 0x0500'0400, 0x0700'0600}));
  EXPECT_EQ(described()["buffers"][0]["memory"], "dram");
  EXPECT_EQ(described()["buffers"][0]["interleaved"], false);
  EXPECT_EQ(described()["buffers"][0]["shards"]["cores"], json::parse("[[4,0],[5,0],[6,0],[7,0]]"));
  const auto next = Buffer::create(device.get(), 64, 64, BufferType::DRAM);
  EXPECT_EQ(next->address() - buffer->address(), 6 * 64U) << "a shard in each bank";
}

// All cores are banks of what has no shards: one page of 110 in each, on all of them.
TEST_F(HostPrograms, BuffersInL1AreInterleaved) {
  EXPECT_EQ(device->allocator()->get_num_banks(BufferType::L1), 110U);
  const auto buffer = Buffer::create(device.get(), 111 * 64, 64, BufferType::L1);
  EXPECT_EQ(buffer->address(), 1536 * 1024 - 2 * 64);
  EXPECT_EQ(TensorAccessorArgs(*buffer).get_compile_time_args(),
            (std::vector<std::uint32_t>{0, 64}));
  EXPECT_EQ(described()["buffers"][0]["interleaved"], true);
  EXPECT_EQ(described()["buffers"][0]["sharded"], false);
}

TEST_F(HostShards, ThatDoNotFitAreRefused) {
  const CoreRange four({0, 0}, {3, 0});
  const auto refused = [&](auto... of) { return refusal([&] { sharded(of...); }); };
  const auto says = [](const std::string& said, std::string_view text) {
    return said.find(text) != std::string::npos ? "" : "refused is: " + said;
  };
  const auto block = TensorMemoryLayout::BLOCK_SHARDED;
  const auto rows = ShardOrientation::ROW_MAJOR;
  EXPECT_EQ(says(refused(block, CoreRangeSet(four), Pages{1, 48}),
                 "8 shards of 1 x 3 pages do not lie on 4 cores, one on each"),
            "");
  EXPECT_EQ(says(refused(block, CoreRangeSet(four), Pages{2, 40}),
                 "a shard of 2 x 40 numbers has no whole pages of 1 x 16"),
            "");
  EXPECT_EQ(says(refused(block, CoreRangeSet(CoreRange({9, 0}, {12, 0})), Pages{2, 48}),
                 "asks for core (12, 0), which is outside of the grid of 11 x 10"),
            "");
  EXPECT_EQ(says(refused(block, CoreRangeSet(CoreRange({6, 0}, {9, 0})), Pages{2, 48}, rows,
                         BufferType::DRAM),
                 "asks for a shard in bank (9, 0) of DRAM, of which there are 8"),
            "");
  EXPECT_EQ(says(refused(block, CoreRangeSet(CoreRange({0, 0}, {1, 1})), Pages{2, 48}, rows,
                         BufferType::DRAM),
                 "asks for a shard in bank (1, 1) of DRAM"),
            "");
  EXPECT_EQ(
      says(refused(block, CoreRangeSet(four), Pages{2, 48}, rows, BufferType::L1, Pages{4, 5}),
           "a tensor of 4 x 5 pages is no buffer of 24"),
      "");
  EXPECT_EQ(says(refused(TensorMemoryLayout::INTERLEAVED, CoreRangeSet(four), Pages{2, 48}),
                 "its layout and its shards differ"),
            "");
}

TEST(HostMeshes, HaveOneDevice) {
  using namespace distributed;
  EXPECT_EQ(refusal([] { MeshDevice::create(MeshDeviceConfig(MeshShape(2, 4))); }),
            "here: asks for a mesh of 2 x 4 devices, and there is one");
  EXPECT_EQ(MeshDevice::create(MeshDeviceConfig(SystemMesh::instance().shape()))->num_devices(),
            1U);
}

TEST(CoreRanges, AreOneOrSeveralRectangles) {
  const CoreRange wide({0, 0}, {3, 1}), below({0, 2}, {3, 2}), far({5, 5});
  EXPECT_TRUE(wide.adjacent(below));
  EXPECT_FALSE(wide.intersects(below));
  EXPECT_EQ(wide.merge(below), CoreRange({0, 0}, {3, 2}));
  EXPECT_EQ(wide.merge(far), std::nullopt);
  EXPECT_FALSE(CoreRange({0, 0}).adjacent(CoreRange({1, 1}))) << "they have a corner in common";
  const CoreRangeSet set(std::vector{below, far, wide});
  EXPECT_EQ(set.num_cores(), 13U);
  EXPECT_EQ(set.bounding_box(), CoreRange({0, 0}, {5, 5}));
  EXPECT_EQ(set.merge_ranges().ranges(), std::vector({CoreRange({0, 0}, {3, 2}), far}));
  EXPECT_EQ(set.merge_ranges().str(), "{[(x=0,y=0) - (x=3,y=2)], [(x=5,y=5) - (x=5,y=5)]}");
  EXPECT_TRUE(set.contains(CoreRange({1, 1}, {2, 2})));
  EXPECT_FALSE(set.contains(CoreRange({3, 1}, {4, 1})));
  EXPECT_TRUE(set.intersects(CoreRange({3, 1}, {4, 1})));
  EXPECT_EQ(set.subtract(CoreRangeSet(wide)).num_cores(), 5U);
  EXPECT_EQ(set.intersection(CoreRangeSet(CoreRange({3, 1}, {5, 5}))).num_cores(), 3U);
  EXPECT_EQ(CoreRangeSet(std::vector<CoreCoord>{{1, 1}, {0, 0}, {1, 0}, {0, 1}}),
            CoreRangeSet(CoreRange({0, 0}, {1, 1})));
  EXPECT_EQ(
      refusal([&] {
        CoreRangeSet(std::vector{wide, CoreRange({3, 1}, {3, 2})});
      }),
      "here: the ranges of cores [(x=0,y=0) - (x=3,y=1)] and [(x=3,y=1) - (x=3,y=2)] overlap");
  EXPECT_EQ(refusal([&] {
              CoreRange({1, 0}, {0, 0});
            }),
            "here: a range of cores from (x=1,y=0) ends at (x=0,y=0)");
}

TEST(CoreRanges, AreListed) {
  EXPECT_EQ(corerange_to_cores(CoreRange({1, 0}, {2, 1})),
            std::vector<CoreCoord>({{1, 0}, {1, 1}, {2, 0}, {2, 1}}));
  EXPECT_EQ(corerange_to_cores(CoreRange({1, 0}, {2, 1}), 3, true),
            std::vector<CoreCoord>({{1, 0}, {2, 0}, {1, 1}}));
  EXPECT_EQ(grid_to_cores(3, 2, 2), std::vector<CoreCoord>({{0, 0}, {0, 1}, {1, 0}}));
  EXPECT_EQ(grid_to_cores(3, 2, 2, true), std::vector<CoreCoord>({{0, 0}, {1, 0}, {0, 1}}));
  std::vector<CoreCoord> in_turn;
  for (const CoreCoord& core : CoreRange({1, 0}, {2, 1})) in_turn.push_back(core);
  EXPECT_EQ(in_turn, std::vector<CoreCoord>({{1, 0}, {2, 0}, {1, 1}, {2, 1}}));
}

TEST(WorkSplit, GivesTheFirstCoresOneUnitMore) {
  const auto [cores, all, more, less, each, each_less] = split_work_to_cores(CoreCoord(3, 2), 8);
  EXPECT_EQ(cores, 6U);
  EXPECT_EQ(all, CoreRangeSet(CoreRange({0, 0}, {2, 1})));
  EXPECT_EQ(more, CoreRangeSet(CoreRange({0, 0}, {0, 1}))) << "column by column";
  EXPECT_EQ(less, CoreRangeSet(CoreRange({1, 0}, {2, 1})));
  EXPECT_EQ(each, 2U);
  EXPECT_EQ(each_less, 1U);
  const auto by_rows = split_work_to_cores(CoreCoord(3, 2), 8, true);
  EXPECT_EQ(std::get<2>(by_rows), CoreRangeSet(CoreRange({0, 0}, {1, 0})));
  EXPECT_EQ(std::get<3>(by_rows),
            CoreRangeSet(std::vector{CoreRange({2, 0}), CoreRange({0, 1}, {2, 1})}));
  const auto few = split_work_to_cores(CoreCoord(3, 2), 3);
  EXPECT_EQ(std::get<0>(few), 3U);
  EXPECT_TRUE(std::get<3>(few).empty());
  EXPECT_EQ(std::get<0>(split_work_to_cores(CoreCoord(3, 2), 0)), 0U);
  const CoreRangeSet two(std::vector{CoreRange({4, 4}), CoreRange({0, 0}, {0, 1})});
  EXPECT_EQ(std::get<2>(split_work_to_cores(two, 4)), CoreRangeSet(CoreCoord(4, 4)));
}

TEST(WorkSplit, ChoosesCoresFromOneOn) {
  EXPECT_EQ(num_cores_to_corerangeset({1, 1}, 5, {3, 3}),
            CoreRangeSet(std::vector{CoreRange({1, 1}, {1, 2}), CoreRange({2, 0}, {2, 2})}));
  EXPECT_EQ(refusal([] {
              num_cores_to_corerangeset({1, 1}, 6, {3, 3});
            }),
            "here: 6 cores from (x=1,y=1) on, where 5 are left");
  const CoreRangeSet from(std::vector{CoreRange({0, 0}, {1, 1}), CoreRange({4, 0}, {4, 3})});
  EXPECT_EQ(num_cores_to_corerangeset_in_subcoregrids({1, 0}, 4, from, true).ranges(),
            std::vector({CoreRange({1, 0}), CoreRange({0, 1}, {1, 1}), CoreRange({4, 0})}));
}

} // namespace
} // namespace lanewise_host
