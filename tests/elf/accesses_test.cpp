// Which stores go to the instruction FIFO: what is known along all paths of a function.
#include "binary/elf/accesses.h"

#include <algorithm>
#include <map>
#include <set>

#include "binary/elf/call.h"
#include "elf/elf_fixture.h"

namespace lanewise::elf {
namespace {

std::vector<CodeWord> stores_of(const Function& function) {
  std::vector<CodeWord> stores;
  std::ranges::copy_if(function.words, std::back_inserter(stores), &CodeWord::stores_to_fifo);
  return stores;
}

// ---------------------------------------------------------------- Compiled code

/// tests/elf/programs/paths.c, in which the compiler does not see the address.
class FifoPaths : public ::testing::TestWithParam<const char*> {
 public:
  using Pushes = std::map<std::uint32_t, std::set<std::uint32_t>>;

 protected:
  void SetUp() override {
    SKIP_WITHOUT_RISCV_TOOLS();
    image_ = image_of(compiled(source_file("paths.c"), GetParam()));
  }
  Symbol symbol(const std::string& name) const {
    const auto found = find_function(image_, name);
    EXPECT_TRUE(found) << name;
    return found ? *found : Symbol{};
  }
  std::vector<CodeWord> stores(const std::string& name) const {
    return stores_of(code_of(image_, symbol(name), Arch::Blackhole));
  }
  /// Which words these calls store to the FIFO, by the place of the store.
  Pushes pushed(const std::string& name,
                const std::vector<std::vector<std::uint32_t>>& calls) const {
    Pushes pushes;
    for (const auto& arguments : calls) {
      const auto result = call(image_, symbol(name), arguments, Arch::Blackhole);
      EXPECT_TRUE(result) << to_string(result.error());
      if (!result) continue;
      for (std::size_t i = 0; i < result->pushed_at.size(); ++i)
        pushes[result->pushed_at[i]].insert(result->program.words[i].word);
    }
    return pushes;
  }

  Image image_;
};

/// All of these, and each with its word where it always pushes the same.
void expect_stores(const std::vector<CodeWord>& stores, const FifoPaths::Pushes& pushes) {
  ASSERT_EQ(stores.size(), pushes.size());
  for (const CodeWord& store : stores) {
    const auto pushed = pushes.find(store.address);
    ASSERT_NE(pushed, pushes.end()) << fmt::format("{:x}", store.address);
    const auto word = pushed->second.size() == 1 ? std::optional(*pushed->second.begin())
                                                 : std::optional<std::uint32_t>();
    EXPECT_EQ(store.tensix, word) << fmt::format("{:x}", store.address);
  }
}

TEST_P(FifoPaths, AddressFromBeforeALoopIsFollowed) {
  const auto pushes = pushed("before_loop", {{2}});
  EXPECT_EQ(pushes.size(), 1U);
  expect_stores(stores("before_loop"), pushes);
}

/// A called function leaves s0 to s11 as they were.
TEST_P(FifoPaths, AddressFromBeforeACallIsFollowed) {
  const auto pushes = pushed("before_call", {{2}});
  EXPECT_EQ(pushes.size(), 1U);
  expect_stores(stores("before_call"), pushes);
}

TEST_P(FifoPaths, PathsThatAgreeInDifferentWaysAreFollowed) {
  const auto pushes = pushed("paths_agree", {{0, 2}, {1, 2}});
  EXPECT_FALSE(pushes.empty());
  expect_stores(stores("paths_agree"), pushes);
}

/// One path pushes, the other one stores to the local RAM.
TEST_P(FifoPaths, PathsThatDisagreeAreNot) {
  EXPECT_TRUE(stores("paths_disagree").empty());
  EXPECT_EQ(pushed("paths_disagree", {{1, 2}}).size(), 1U);
  EXPECT_TRUE(pushed("paths_disagree", {{0, 2}}).empty());
}

TEST_P(FifoPaths, CasesOfASwitchKnowWhatWasBefore) {
  const auto pushes = pushed("before_switch", {{0}, {1}, {2}, {3}, {4}, {5}, {6}});
  EXPECT_FALSE(pushes.empty());
  expect_stores(stores("before_switch"), pushes);
}

INSTANTIATE_TEST_SUITE_P(Optimised, FifoPaths, ::testing::Values("-O1", "-O2", "-Os"));

// ---------------------------------------------------------------- Words

constexpr std::uint32_t kFifoInA4 = 0xFFE40737;      // lui a4,0xffe40
constexpr std::uint32_t kLocalInA4 = 0xFFB00737;     // lui a4,0xffb00
constexpr std::uint32_t kStoreA5 = 0x00F72023;       // sw a5,0(a4)
constexpr std::uint32_t kSixInA5 = 0x00600793;       // li a5,6
constexpr std::uint32_t kSevenInA5 = 0x00700793;     // li a5,7
constexpr std::uint32_t kIfZeroBy2 = 0x00050463;     // beqz a0, two words on
constexpr std::uint32_t kIfZeroBack = 0xFE050EE3;    // beqz a0, one word back
constexpr std::uint32_t kIfZeroBackBy2 = 0xFE050CE3; // beqz a0, two words back
constexpr std::uint32_t kCallBackBy2 = 0xFF9FF0EF;   // jal, two words back
constexpr std::uint32_t kCallAway = 0x100000EF;      // jal, to another function
constexpr std::uint32_t kJumpBy2 = 0x0080006F;       // j, two words on
constexpr std::uint32_t kJumpToA0 = 0x00050067;      // jr a0
constexpr std::uint32_t kReturn = 0x00008067, kNothing = 0x00000013;
constexpr std::uint32_t kFloatToA4 = 0xE0000753; // fmv.x.w a4,ft0: none of the known instructions
constexpr std::uint32_t kFloatToA0 = 0xE0000553; // fmv.x.w a0,ft0

Function written(const std::vector<std::uint32_t>& words) {
  const auto size = static_cast<std::uint32_t>(4 * words.size());
  Segment segment{.address = 0x6000, .size = size, .bytes = {}, .executable = true};
  for (const std::uint32_t word : words) {
    for (unsigned shift = 0; shift < 32; shift += 8)
      segment.bytes.push_back(static_cast<std::uint8_t>(word >> shift));
  }
  const Image image{.name = "test", .segments = {segment}};
  return code_of(image, {.name = "f", .readable = "f", .address = 0x6000, .size = size},
                 Arch::Blackhole);
}

std::size_t stores_in(const std::vector<std::uint32_t>& words) {
  return stores_of(written(words)).size();
}

TEST(FifoStores, AreKnownInStraightCode) {
  const auto stores = stores_of(written({kFifoInA4, kSixInA5, kStoreA5, kReturn}));
  ASSERT_EQ(stores.size(), 1U);
  EXPECT_EQ(stores[0].accessed, 0xFFE40000U);
  EXPECT_EQ(stores[0].tensix, 6U);
}

/// Where paths agree on the address, they may yet push different words.
TEST(FifoStores, MayPushWhatPathsDisagreeOn) {
  const auto stores =
      stores_of(written({kFifoInA4, kSixInA5, kIfZeroBy2, kSevenInA5, kStoreA5, kReturn}));
  ASSERT_EQ(stores.size(), 1U);
  EXPECT_EQ(stores[0].accessed, 0xFFE40000U);
  EXPECT_FALSE(stores[0].tensix);
}

TEST(FifoStores, AreUnknownWhereOnePathGoesElsewhere) {
  EXPECT_EQ(stores_in({kFifoInA4, kIfZeroBy2, kLocalInA4, kStoreA5, kReturn}), 0U);
  EXPECT_EQ(stores_in({kFifoInA4, kIfZeroBy2, kFifoInA4, kStoreA5, kReturn}), 1U);
}

/// What a loop changes on its way back holds at its head, too.
TEST(FifoStores, AreUnknownWhereTheLoopChangesTheAddress) {
  EXPECT_EQ(stores_in({kFifoInA4, kStoreA5, kIfZeroBack, kReturn}), 1U);
  EXPECT_EQ(stores_in({kFifoInA4, kJumpBy2, kLocalInA4, kStoreA5, kIfZeroBackBy2, kReturn}), 0U);
}

TEST(FifoStores, AreUnknownBehindACallThatMayChangeTheRegister) {
  EXPECT_EQ(stores_in({kFifoInA4, kCallAway, kStoreA5, kReturn}), 0U);
}

/// Hand-written code calls into the middle of what stands as one function.
TEST(FifoStores, AreUnknownWhereCodeIsCalled) {
  EXPECT_EQ(stores_in({kFifoInA4, kNothing, kStoreA5, kReturn}), 1U);
  EXPECT_EQ(stores_in({kFifoInA4, kNothing, kStoreA5, kReturn, kCallBackBy2, kReturn}), 0U);
}

TEST(FifoStores, CasesBehindAnIndirectJumpHaveWhatAllJumpsAgreeOn) {
  EXPECT_EQ(stores_in({kFifoInA4, kJumpToA0, kStoreA5, kReturn}), 1U);
  EXPECT_EQ(stores_in({kFifoInA4, kJumpToA0, kStoreA5, kReturn, kStoreA5, kReturn}), 2U);
  EXPECT_EQ(stores_in({kFifoInA4, kIfZeroBy2, kJumpToA0, kLocalInA4, kJumpToA0, kStoreA5, kReturn}),
            0U);
}

TEST(FifoStores, AreUnknownInCodeThatNothingReaches) {
  EXPECT_EQ(stores_in({kFifoInA4, kReturn, kStoreA5, kReturn}), 0U);
}

/// fmv.x.w writes the register in its bits 11 to 7, as every instruction of RISC-V that writes one.
TEST(FifoStores, WordsThatAreNotKnownChangeOneRegister) {
  EXPECT_EQ(stores_in({kFifoInA4, kFloatToA0, kStoreA5, kReturn}), 1U);
  EXPECT_EQ(stores_in({kFifoInA4, kFloatToA4, kStoreA5, kReturn}), 0U);
}

} // namespace
} // namespace lanewise::elf
