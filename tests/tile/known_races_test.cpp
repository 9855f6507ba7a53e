// Races that were found on cards, as small programs of the same shape: found before their mends,
// and silent after them. What a wait alone mends stands in thread_hazards_test and
// core_hazards_test.
#include "chip/isa/config.h"
#include "chip/tile/races.h"
#include "tile/core_addresses.h"
#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

using tile::CoreAction;

class KnownRace : public Datacopy {
 protected:
  /// What a core does, in order.
  struct CoreCode {
    std::vector<CoreAction> actions;
    CoreCode& add(CoreAction action) {
      action.line = static_cast<std::uint32_t>(actions.size() + 1);
      actions.push_back(action);
      return *this;
    }
    CoreCode& store(std::uint32_t address, std::uint32_t value) {
      return add({.kind = CoreAction::Kind::Store, .address = address, .value = value});
    }
    CoreCode& load(std::uint32_t address, std::uint32_t answer) {
      return add({.kind = CoreAction::Kind::Load, .address = address, .value = answer});
    }
    CoreCode& sync() { return store(kIdle, 0).load(kIdle, 0); }
  };

  CoreCode& push(CoreCode& code, const std::string& text) {
    for (const ProgramWord& word : rig.assemble(text).words) code.add({.value = word.word});
    return code;
  }

  tile::RaceReport races_of(const CoreCode& unpack, const CoreCode& math = {},
                            tile::RaceScope scope = tile::RaceScope::Everything) {
    tile::RaceProgram program{.start = rig.state(), .script = {}, .scope = scope};
    program.script[0] = tile::CoreScript({.actions = unpack.actions, .ended = true});
    program.script[1] = tile::CoreScript({.actions = math.actions, .ended = true});
    program.script[2] = tile::CoreScript({.actions = {}, .ended = true});
    const auto races = tile::find_races(std::move(program), {.orders = 200});
    EXPECT_TRUE(races.has_value()) << (races ? "" : to_string(races.error()));
    return races ? *races : tile::RaceReport();
  }

  unsigned word_of(std::string_view field) const {
    return isa::config_place(*isa::find_config_field(GetParam(), field)).word_of(GetParam());
  }
  std::string wait(unsigned blocks, std::initializer_list<WaitFor> all) const {
    unsigned mask = 0;
    for (const WaitFor each : all) mask |= 1U << wait_condition(GetParam(), each);
    return fmt::format("STALLWAIT BlockMask={}, ConditionMask={}\n", blocks, mask);
  }
};
LANEWISE_ON_BOTH_CHIPS(KnownRace);

constexpr unsigned kBlockMatrix = 1U << 6;
constexpr const char* kUnpackFace =
    "SETADCXX U0=1, X0Val=0, X1Val=255\n"
    "SETADCZW U0=1, Z0=1, Z0Val=0\n"
    "UNPACR WhichUnpacker=0, FlipSrc=1, Last=1\n";

// tt-metal 53413: T1 hands banks back that T0 has not filled yet, and T0 waits for ever for
// another.
TEST_P(KnownRace, BanksAreHandedBackBeforeTheyAreFilled) {
  for (const bool waits : {false, true}) {
    CoreCode unpack, math;
    for (unsigned i = 0; i < 3; ++i) push(unpack, kUnpackFace);
    for (unsigned i = 0; i < 12; ++i) push(math, "NOP\n"); // so late that it mostly goes well
    for (unsigned i = 0; i < 3; ++i) {
      if (waits) push(math, wait(kBlockMatrix, {WaitFor::MatrixUnit, WaitFor::SrcAFilled}));
      push(math, "SETRWC FlipSrcA=1\n");
    }
    const tile::RaceReport races = races_of(unpack, math, tile::RaceScope::Results);
    EXPECT_EQ(races.differs.has_value(), !waits);
    EXPECT_EQ(races.differences,
              waits ? std::vector<std::string>() : std::vector<std::string>{"a deadlock"});
  }
}

// tt-metal 55184, tt-llk 602: a core writes the address of the next tile while its thread has not
// unpacked the tile before. Blackhole's cores wait by themselves.
TEST_P(KnownRace, AnAddressIsRewrittenUnderTheUnpacker) {
  const std::uint32_t address = kConfig + 4 * word_of("THCON_SEC0_REG3_Base_address");
  for (const bool waits : {false, true}) {
    CoreCode unpack;
    for (const std::uint32_t tile : {kIn, kIn + 0x200}) {
      if (waits) unpack.sync();
      unpack.store(address, tile / 16 - 1);
      push(unpack, wait(1U << 3, {WaitFor::CoreRequest}) + kUnpackFace);
    }
    const tile::RaceReport races = races_of(unpack);
    const bool is_found = !waits && !is_blackhole();
    ASSERT_EQ(races.differs.has_value(), is_found);
    if (is_found) {
      ASSERT_TRUE(races.race.has_value());
      EXPECT_EQ(races.race->place.place, tile::SharedPlace::Config);
      EXPECT_NE(races.race->first.agent.is_core, races.race->second.agent.is_core);
    }
  }
}

// tt-metal 55664: a mailbox tells another core to go on, before the thread has done what was
// pushed.
TEST_P(KnownRace, AMailboxOvertakesThePushes) {
  const unsigned word = word_of("THCON_SEC0_REG3_Base_address");
  const std::uint32_t to_unpack = kMailboxes + 0x1000, from_math = kMailboxes + 0x2000;
  for (const bool waits : {false, true}) {
    CoreCode unpack, math;
    push(math, fmt::format("RMWCIB0 Mask=255, NewValue={}, Index4={}\n", 0x1F, word));
    if (waits) math.sync();
    math.store(to_unpack, 1);
    unpack.load(from_math, 1);
    push(unpack, kUnpackFace);
    const tile::RaceReport races = races_of(unpack, math);
    ASSERT_EQ(races.differs.has_value(), !waits);
    if (!waits) {
      ASSERT_TRUE(races.race.has_value());
      EXPECT_EQ(races.race->place, (tile::PlaceId{tile::SharedPlace::Config, word}));
    }
  }
}

// tt-metal 53412, tt-llk 1664: Dst is moved into a bank that is not filled yet, into SrcA or SrcB.
TEST_P(KnownRace, AMoveIntoASourceGoesBeforeTheUnpacker) {
  for (const bool waits : {false, true}) {
    CoreCode unpack, math;
    push(unpack, kUnpackFace);
    for (unsigned i = 0; i < 12; ++i) push(math, "NOP\n");
    if (waits) push(math, wait(kBlockMatrix, {WaitFor::MatrixUnit, WaitFor::SrcAFilled}));
    push(math, "MOVD2A\n");
    const tile::RaceReport races = races_of(unpack, math);
    ASSERT_EQ(races.differs.has_value(), !waits);
    if (!waits) {
      ASSERT_TRUE(races.race.has_value());
      EXPECT_EQ(races.race->place.place, tile::SharedPlace::SrcA);
    }
  }
}

// tt-metal 15713: T1 clears rows of Dst from which another thread has not taken the result before.
TEST_P(KnownRace, DstIsClearedBeforeItIsMoved) {
  for (const bool waits : {false, true}) {
    rig.state().sync.semaphore[1].max = 1;
    CoreCode unpack, math;
    push(unpack, "SFPLOAD L0, 2, 0, 0\nSFPSTORE L0, 2, 0, 512\n");
    if (waits) push(unpack, wait(1U << 1, {WaitFor::VectorUnit}));
    push(unpack, "SEMPOST SemaphoreMask=2\n");
    if (waits) push(math, "SEMWAIT BlockMask=64, SemaphoreMask=2, ConditionMask=1\n");
    for (unsigned i = 0; i < 12; ++i) push(math, "NOP\n");
    push(math, "ZEROACC Mode=1\n");
    for (auto& cell : rig.machine().dst.cell[0]) cell = 0x3F80;
    rig.machine().dst.set_valid(0, true);
    const tile::RaceReport races = races_of(unpack, math);
    ASSERT_EQ(races.differs.has_value(), !waits);
    if (!waits) {
      ASSERT_TRUE(races.race.has_value());
      EXPECT_EQ(races.race->place.place, tile::SharedPlace::Dst);
    }
  }
}

} // namespace
} // namespace lanewise::test
