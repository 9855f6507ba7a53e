// Which stores stay behind which loads: functions assembled by hand, for which the manual's chapter
// on RVWMO says so, and random ones against the axiomatic model.
#include "binary/paths/ordering.h"

#include <gtest/gtest.h>

#include <random>

#include "paths/rvwmo_model.h"

namespace lanewise::paths {
namespace {

// ---------------------------------------------------------------- Words of RISC-V

using Code = std::vector<std::uint32_t>;

constexpr unsigned x0 = 0, ra = 1, s0 = 8, s1 = 9, a0 = 10, a1 = 11, a2 = 12, a3 = 13, a4 = 14;

constexpr std::uint32_t itype(std::uint32_t code, unsigned rd, unsigned rs1, int imm) {
  return static_cast<std::uint32_t>(imm) << 20 | rs1 << 15 | rd << 7 | code;
}
constexpr std::uint32_t lw(unsigned rd, int offset, unsigned base) {
  return itype(0x2003, rd, base, offset);
}
constexpr std::uint32_t lb(unsigned rd, int offset, unsigned base) {
  return itype(0x0003, rd, base, offset);
}
constexpr std::uint32_t addi(unsigned rd, unsigned rs1, int imm) {
  return itype(0x0013, rd, rs1, imm);
}
constexpr std::uint32_t lui(unsigned rd, std::uint32_t upper) {
  return upper << 12 | rd << 7 | 0x37;
}
constexpr std::uint32_t rtype(std::uint32_t code, unsigned rd, unsigned rs1, unsigned rs2) {
  return rs2 << 20 | rs1 << 15 | rd << 7 | code;
}
constexpr std::uint32_t add(unsigned rd, unsigned rs1, unsigned rs2) {
  return rtype(0x0033, rd, rs1, rs2);
}
constexpr std::uint32_t exclusive_or(unsigned rd, unsigned rs1, unsigned rs2) {
  return rtype(0x4033, rd, rs1, rs2);
}
constexpr std::uint32_t store_word(std::uint32_t code, unsigned rs2, int offset, unsigned base) {
  const auto imm = static_cast<std::uint32_t>(offset);
  return (imm >> 5 & 127U) << 25 | rs2 << 20 | base << 15 | (imm & 31U) << 7 | code;
}
constexpr std::uint32_t sw(unsigned rs2, int offset, unsigned base) {
  return store_word(0x2023, rs2, offset, base);
}
constexpr std::uint32_t sb(unsigned rs2, int offset, unsigned base) {
  return store_word(0x0023, rs2, offset, base);
}
/// Branches by `words` words.
constexpr std::uint32_t branch(std::uint32_t code, unsigned rs1, unsigned rs2, int words) {
  const auto imm = static_cast<std::uint32_t>(words * 4);
  return (imm >> 12 & 1U) << 31 | (imm >> 5 & 63U) << 25 | rs2 << 20 | rs1 << 15 |
         (imm >> 1 & 15U) << 8 | (imm >> 11 & 1U) << 7 | code;
}
constexpr std::uint32_t beqz(unsigned rs1, int words) {
  return branch(0x0063, rs1, x0, words);
}
constexpr std::uint32_t bnez(unsigned rs1, int words) {
  return branch(0x1063, rs1, x0, words);
}
constexpr std::uint32_t fence(std::uint32_t before, std::uint32_t after) {
  return before << 24 | after << 20 | 0x0F;
}
constexpr std::uint32_t amoswap(unsigned rd, unsigned rs2, unsigned base, bool aq, bool rl) {
  return rtype(0x0800202F, rd, base, rs2) | (aq ? 1U << 26 : 0) | (rl ? 1U << 25 : 0);
}
constexpr std::uint32_t jalr(unsigned rd, unsigned base) {
  return itype(0x0067, rd, base, 0);
}
constexpr std::uint32_t kReturn = jalr(x0, ra), kFenceTso = 0x8330000F;
constexpr std::uint32_t kTtinsn = riscv::ttinsn(0x02000000);
/// Sets of a fence: input, output, reads, writes.
constexpr std::uint32_t kI = 8, kO = 4, kR = 2, kW = 1;
constexpr std::uint32_t kFifoUpper = 0xFFE40;

// ---------------------------------------------------------------- Functions of them

elf::Function function_of(const Code& code, Arch arch = Arch::Blackhole) {
  elf::Image image{.name = "test"};
  const auto size = static_cast<std::uint32_t>(4 * code.size());
  elf::Segment segment{.address = 0x1000, .size = size, .bytes = {}, .executable = true};
  for (const std::uint32_t word : code) {
    for (unsigned shift = 0; shift < 32; shift += 8)
      segment.bytes.push_back(static_cast<std::uint8_t>(word >> shift));
  }
  image.segments.push_back(segment);
  const elf::Symbol symbol{.name = "f", .readable = "f", .address = 0x1000, .size = size};
  return elf::code_of(image, symbol, arch);
}

Ordering ordering_of(const Code& code, Arch arch = Arch::Blackhole) {
  const elf::Function function = function_of(code, arch);
  return find_ordering(function, graph_of(function), arch);
}

const OrderedLoad* find_load(const Ordering& ordering, std::uint32_t load) {
  const auto found = std::ranges::find(ordering.loads, load, &OrderedLoad::load);
  return found == ordering.loads.end() ? nullptr : &*found;
}

std::vector<std::uint32_t> branches_of(const Code& code, std::uint32_t load) {
  const Ordering ordering = ordering_of(code);
  const OrderedLoad* found = find_load(ordering, load);
  return found == nullptr ? std::vector<std::uint32_t>{} : found->branches;
}

std::vector<std::uint32_t> stores_of(const Code& code, std::uint32_t load) {
  const Ordering ordering = ordering_of(code);
  const OrderedLoad* found = find_load(ordering, load);
  std::vector<std::uint32_t> stores;
  if (found == nullptr) return stores;
  for (const OrderedStore& each : found->stores) stores.push_back(each.store);
  return stores;
}

OrderSet orders_between(const Code& code, std::uint32_t load, std::uint32_t store) {
  const Ordering ordering = ordering_of(code);
  const OrderedLoad* found = find_load(ordering, load);
  if (found == nullptr) return {};
  const auto at = std::ranges::find(found->stores, store, &OrderedStore::store);
  return at == found->stores.end() ? OrderSet{} : at->orders;
}

using Indices = std::vector<std::uint32_t>;
constexpr OrderSet kControlOnly{Order::Control};

// ---------------------------------------------------------------- Dependencies

/// The manual: "all instructions following the original target in program order".
TEST(ControlDependency, ReachesStoresBehindTheTargetToo) {
  const Code skips{lw(a0, 0, s0), bnez(a0, 2), sw(a1, 0, s1), sw(a2, 4, s1), kReturn};
  EXPECT_EQ(stores_of(skips, 0), (Indices{2, 3}));
  const Code skips_nothing{lw(a0, 0, s0), bnez(a0, 1), sw(a1, 0, s1), kReturn};
  EXPECT_EQ(stores_of(skips_nothing, 0), (Indices{2}));
  EXPECT_EQ(orders_between(skips_nothing, 0, 2), kControlOnly);
}

TEST(ControlDependency, LeavesOutStoresBeforeTheBranch) {
  EXPECT_EQ(stores_of({lw(a0, 0, s0), sw(a1, 0, s1), bnez(a0, 1), sw(a2, 4, s1), kReturn}, 0),
            (Indices{3}));
}

/// In the next round of the loop, the store is behind the branch.
TEST(ControlDependency, ReachesStoresOfTheNextRound) {
  EXPECT_EQ(stores_of({lw(a0, 0, s0), sw(a1, 0, s1), bnez(a0, -2), kReturn}, 0), (Indices{1}));
}

TEST(Dependency, GoesThroughComputationAndJoins) {
  EXPECT_EQ(
      branches_of({lw(a0, 0, s0), addi(a1, a0, 1), exclusive_or(a1, a1, a1), bnez(a1, 1), kReturn},
                  0),
      (Indices{3}));
  const Code joins{lw(a0, 0, s0), beqz(a2, 2), addi(a0, x0, 7), bnez(a0, 1), kReturn};
  EXPECT_EQ(branches_of(joins, 0), (Indices{3}));
}

/// RVWMO: loads do not carry a dependency from the address to the result; x0 carries none.
TEST(Dependency, EndsAtOtherLoadsAndOverwrittenRegisters) {
  EXPECT_TRUE(branches_of({lw(a0, 0, s0), lw(a1, 0, a0), bnez(a1, 1), kReturn}, 0).empty());
  EXPECT_TRUE(branches_of({lw(a0, 0, s0), addi(a0, x0, 1), bnez(a0, 1), kReturn}, 0).empty());
  EXPECT_TRUE(branches_of({lw(x0, 0, s0), bnez(x0, 1), kReturn}, 0).empty());
}

TEST(Dependency, IndirectCallsAreBranches) {
  EXPECT_EQ(stores_of({lw(a0, 0, s0), jalr(ra, a0), sw(s1, 0, s1), kReturn}, 0), (Indices{2}));
}

TEST(Dependency, CallsOverwriteRegistersThatTheyNeedNotSave) {
  EXPECT_TRUE(branches_of({lw(a0, 0, s0), jalr(ra, a1), bnez(a0, 1), kReturn}, 0).empty());
  EXPECT_EQ(branches_of({lw(s1, 0, s0), jalr(ra, a1), bnez(s1, 1), kReturn}, 0), (Indices{2}));
}

// ---------------------------------------------------------------- What else keeps a store

Code with_between(std::uint32_t between) {
  return {lw(a0, 0, s0), beqz(a0, 0), between, sw(a1, 0, s1), kReturn};
}

TEST(OtherOrders, AddressAndData) {
  const Code address{lw(a0, 0, s0), beqz(a0, 1), sw(a1, 0, a0), sw(a1, 0, s1), kReturn};
  EXPECT_EQ(orders_between(address, 0, 2), (OrderSet{Order::Control, Order::Address}));
  EXPECT_EQ(orders_between(address, 0, 3), (OrderSet{Order::Control, Order::AddressBetween}));
  EXPECT_EQ(orders_between({lw(a0, 0, s0), beqz(a0, 1), sw(a0, 0, s1), kReturn}, 0, 2),
            (OrderSet{Order::Control, Order::Data}));
  EXPECT_EQ(orders_between(with_between(lw(a2, 0, a0)), 0, 3),
            (OrderSet{Order::Control, Order::AddressBetween}));
}

TEST(OtherOrders, FencesWithBothInTheirSets) {
  const OrderSet fenced{Order::Control, Order::Fence};
  EXPECT_EQ(orders_between(with_between(fence(kR, kW)), 0, 3), fenced);
  EXPECT_EQ(orders_between(with_between(fence(15, 15)), 0, 3), fenced);
  EXPECT_EQ(orders_between(with_between(kFenceTso), 0, 3), fenced);
  EXPECT_EQ(orders_between(with_between(fence(kW, kW)), 0, 3), kControlOnly);
  EXPECT_EQ(orders_between(with_between(fence(kR, kR)), 0, 3), kControlOnly);
  EXPECT_EQ(orders_between(with_between(fence(kI | kR, kI | kO)), 0, 3), kControlOnly);
}

TEST(OtherOrders, FenceCountsOnlyIfItIsOnEveryPath) {
  const Code code{lw(a0, 0, s0), beqz(a0, 1), beqz(a2, 2), fence(kR, kW), sw(a1, 0, s1), kReturn};
  EXPECT_EQ(orders_between(code, 0, 4), kControlOnly);
}

TEST(OtherOrders, OverlappingAddresses) {
  const auto orders = [](std::uint32_t store) {
    return orders_between({lw(a0, 8, s0), beqz(a0, 1), store, kReturn}, 0, 2);
  };
  const OrderSet same{Order::Control, Order::SameAddress};
  EXPECT_EQ(orders(sw(a1, 8, s0)), same);
  EXPECT_EQ(orders(sb(a1, 11, s0)), same);
  EXPECT_EQ(orders(sb(a1, 12, s0)), kControlOnly);
  EXPECT_EQ(orders(sw(a1, 4, s0)), kControlOnly);
  const Code moved{lw(a0, 8, s0), beqz(a0, 1), addi(s0, s0, 8), sw(a1, 8, s0), kReturn};
  EXPECT_EQ(orders_between(moved, 0, 3), kControlOnly);
  const Code constants{lui(a2, 1),      lui(a3, 1),    lb(a0, 4, a2), beqz(a0, 1),
                       addi(a3, a3, 4), sw(a1, 0, a3), kReturn};
  EXPECT_EQ(orders_between(constants, 2, 5), same);
}

TEST(OtherOrders, Annotations) {
  const OrderSet annotated{Order::Control, Order::Annotation};
  const auto behind = [](bool aq, bool rl) {
    return orders_between({amoswap(a0, a1, s0, aq, rl), beqz(a0, 0), sw(a1, 0, s1), kReturn}, 0, 2);
  };
  EXPECT_EQ(behind(true, false), annotated);
  EXPECT_EQ(behind(false, true), kControlOnly);
  const auto before = [](bool aq, bool rl) {
    return orders_between({lw(a0, 0, s0), beqz(a0, 0), amoswap(a2, a1, s1, aq, rl), kReturn}, 0, 2);
  };
  EXPECT_EQ(before(false, true), annotated);
  EXPECT_EQ(before(true, false), kControlOnly);
  EXPECT_EQ(orders_between(with_between(amoswap(a2, a3, a4, true, true)), 0, 3), annotated);
  EXPECT_EQ(orders_between(with_between(amoswap(a2, a3, a4, true, false)), 0, 3), kControlOnly);
}

// ---------------------------------------------------------------- Pushes to the coprocessor

/// A loop polls, then a Tensix instruction is pushed in both ways.
const Code kPolled{lui(s1, kFifoUpper), lw(a0, 0, s0), beqz(a0, -1),
                   sw(a1, 0, s1),       kTtinsn,       kReturn};

TEST(Pushes, AreStoresBehindAPolledLoad) {
  const Ordering ordering = ordering_of(kPolled);
  ASSERT_EQ(ordering.loads.size(), 1U);
  const OrderedLoad& load = ordering.loads.front();
  EXPECT_EQ(load.polled_by, (Indices{2}));
  ASSERT_EQ(load.stores.size(), 2U);
  for (const OrderedStore& store : load.stores) {
    EXPECT_TRUE(store.pushes);
    EXPECT_TRUE(store.by_control_only());
  }
}

TEST(Pushes, LoadOutsideOfALoopIsNotPolled) {
  const Ordering ordering = ordering_of({lw(a0, 0, s0), beqz(a0, 2), kTtinsn, kReturn});
  EXPECT_TRUE(ordering.loads.front().polled_by.empty());
}

/// The manual: a fence that orders a store to a device has "o" behind it; aq orders only accesses
/// of main memory behind accesses of main memory.
TEST(Pushes, AreStoresToADevice) {
  const auto behind_fence = [](std::uint32_t after) {
    return orders_between({lw(a0, 0, s0), beqz(a0, -1), fence(kR, after), kTtinsn, kReturn}, 0, 3);
  };
  EXPECT_EQ(behind_fence(kW), kControlOnly);
  EXPECT_EQ(behind_fence(kO), (OrderSet{Order::Control, Order::Fence}));
  EXPECT_EQ(orders_between({amoswap(a0, x0, s0, true, true), beqz(a0, -1), kTtinsn, kReturn}, 0, 2),
            kControlOnly);
}

TEST(Pushes, PolledDeviceIsInput) {
  const auto behind_fence = [](std::uint32_t before) {
    const Code code{lui(s0, 0xFFE80),  lw(a0, 0x20, s0), beqz(a0, -1),
                    fence(before, kW), sw(a1, 0, s1),    kReturn};
    return orders_between(code, 1, 4);
  };
  EXPECT_EQ(behind_fence(kR), kControlOnly);
  EXPECT_EQ(behind_fence(kI), (OrderSet{Order::Control, Order::Fence}));
}

TEST(Notes, NameLoadPushesAndBranch) {
  const auto notes = ordering_notes(function_of(kPolled), ordering_of(kPolled));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].word, 1U);
  EXPECT_EQ(notes[0].text,
            "a loop polls this load, and the pushes at 0x100c, 0x1010 stay behind it only by the "
            "control dependency through the branch at 0x1008");
}

// ---------------------------------------------------------------- Selects

/// The example of docs/ordering.md.
const Code kWatcher{lw(a0, 0, s0), addi(a1, x0, 3), beqz(a0, 2), addi(a1, x0, 2),
                    sw(a1, 0, s1), sw(a2, 4, s1),   kReturn};

TEST(Selects, KeepOnlyStoresThatUseThem) {
  const Ordering ordering = ordering_of(kWatcher);
  ASSERT_EQ(ordering.selects.size(), 1U);
  EXPECT_EQ(ordering.selects[0].branch, 2U);
  EXPECT_EQ(ordering.selects[0].end, 4U);
  EXPECT_EQ(ordering.selects[0].lost, (std::vector<LostOrder>{{0, 5, false}}));
  const auto notes = ordering_notes(function_of(kWatcher), ordering);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].text,
            "as a select, this branch would no longer keep the store at 0x1014 "
            "behind the load at 0x1000");
}

TEST(Selects, LoseNothingBehindAFence) {
  Code fenced = kWatcher;
  fenced.insert(fenced.begin() + 4, fence(kR, kW));
  ASSERT_EQ(ordering_of(fenced).selects.size(), 1U);
  EXPECT_TRUE(ordering_of(fenced).selects[0].lost.empty());
}

/// The loop's own branch stays one.
TEST(Selects, LoseNothingBehindALoopThatPolls) {
  Code polling = kWatcher;
  polling.insert(polling.begin() + 1, beqz(a0, -1));
  const Ordering ordering = ordering_of(polling);
  ASSERT_EQ(ordering.selects.size(), 1U);
  EXPECT_TRUE(ordering.selects[0].lost.empty());
}

TEST(Selects, BranchOverNothingCouldGo) {
  const Ordering ordering =
      ordering_of({lw(a0, 0, s0), bnez(a0, 1), sw(a1, 0, s1), kTtinsn, kReturn});
  ASSERT_EQ(ordering.selects.size(), 1U);
  EXPECT_EQ(ordering.selects[0].lost, (std::vector<LostOrder>{{0, 2, false}, {0, 3, true}}));
}

/// A branch on a select's result depends on what decided the select.
TEST(Selects, HandTheDependencyOnToLaterBranches) {
  Code code = kWatcher;
  code.insert(code.begin() + 5, beqz(a1, 2));
  ASSERT_EQ(ordering_of(code).selects.size(), 1U);
  EXPECT_TRUE(ordering_of(code).selects[0].lost.empty());
}

TEST(Selects, AreShortForwardBranchesOverComputations) {
  const auto count = [](const Code& code) { return ordering_of(code).selects.size(); };
  const auto skipping = [&](Code skipped) {
    skipped.insert(skipped.begin(), beqz(a0, static_cast<int>(skipped.size()) + 1));
    skipped.push_back(kReturn);
    return count(skipped);
  };
  const std::uint32_t computes = addi(a1, a1, 1);
  EXPECT_EQ(skipping({computes, computes, computes}), 1U);
  EXPECT_EQ(skipping({computes, computes, computes, computes}), 0U);
  EXPECT_EQ(skipping({computes, lw(a1, 0, s0)}), 0U);
  EXPECT_EQ(skipping({computes, sw(a1, 0, s0)}), 0U);
  EXPECT_EQ(skipping({computes, kTtinsn}), 0U);
  EXPECT_EQ(skipping({jalr(ra, a2)}), 0U);
  EXPECT_EQ(skipping({fence(15, 15)}), 0U);
  EXPECT_EQ(count({computes, beqz(a0, -1), kReturn}), 0U); // backward
  // Another branch goes into what is skipped.
  EXPECT_EQ(count({bnez(a2, 3), beqz(a0, 3), computes, computes, kReturn}), 0U);
}

// ---------------------------------------------------------------- Against the axiomatic model

/// A straight piece of code with a short branch in it, as words and for the model: a load from each
/// of two locations, computations, and stores to locations of their own.
class RandomThread {
 public:
  explicit RandomThread(std::uint32_t seed) : random_(seed) {
    add_load();
    add_anything();
    add_branch();
    add_anything();
    add_load();
    for (int i = 0; i < 3; ++i) add_anything();
    add_store();
    code_.push_back(kReturn);
  }

  struct Access {
    std::uint32_t word;
    rvwmo::Location location;
  };

  const Code& code() const { return code_; }
  const std::vector<Access>& loads() const { return loads_; }
  const std::vector<Access>& stores() const { return stores_; }
  std::uint32_t branch() const { return branch_; }
  const rvwmo::Thread& with_branch() const { return with_branch_; }
  const rvwmo::Thread& with_select() const { return with_select_; }

 private:
  /// a0 to a4, and register n of the model is a-register n; location n is where register s(n+2)
  /// points to.
  static constexpr unsigned kData = 5, kFirstBase = 18, kScratch = 5, kScratchBase = 6;

  unsigned any_register() { return static_cast<unsigned>(random_() % kData); }
  bool maybe() { return random_() % 2 == 0; }

  void add_to_both(const rvwmo::Instruction& instruction) {
    with_branch_.push_back(instruction);
    with_select_.push_back(instruction);
  }

  /// The register with the address of a location, after a computation with register `number`.
  unsigned add_address(unsigned location, unsigned number) {
    code_.push_back(exclusive_or(kScratch, a0 + number, a0 + number));
    code_.push_back(add(kScratchBase, kFirstBase + location, kScratch));
    return kScratchBase;
  }

  void add_load() {
    const unsigned rd = any_register(), address = any_register(), location = location_++;
    const bool depends = random_() % 4 == 0;
    const unsigned base = depends ? add_address(location, address) : kFirstBase + location;
    loads_.push_back({static_cast<std::uint32_t>(code_.size()), location});
    code_.push_back(lw(a0 + rd, 0, base));
    add_to_both(depends ? rvwmo::load_at(rd, location, address) : rvwmo::load(rd, location));
  }

  void add_store() {
    const unsigned data = any_register(), address = any_register(), location = location_++;
    const bool depends = random_() % 4 == 0;
    const unsigned base = depends ? add_address(location, address) : kFirstBase + location;
    stores_.push_back({static_cast<std::uint32_t>(code_.size()), location});
    code_.push_back(sw(a0 + data, 0, base));
    rvwmo::Instruction store = rvwmo::store_with(location, 1, data);
    if (depends) store.address = address;
    add_to_both(store);
  }

  void add_move() {
    const unsigned rd = any_register(), source = any_register();
    code_.push_back(addi(a0 + rd, a0 + source, 0));
    add_to_both(rvwmo::move(rd, source));
  }

  void add_fence() {
    code_.push_back(fence(kR | kW, kR | kW));
    add_to_both(rvwmo::fence());
  }

  void add_anything() {
    const std::uint32_t choice = random_() % 8;
    if (choice == 0) return add_fence();
    if (choice < 4 && stores_.size() < 2) return add_store();
    add_move();
  }

  /// Over one move, or nothing.
  void add_branch() {
    const unsigned condition = any_register(), rd = any_register(), source = any_register();
    const bool skips = maybe();
    branch_ = static_cast<std::uint32_t>(code_.size());
    code_.push_back(beqz(a0 + condition, skips ? 2 : 1));
    with_branch_.push_back(rvwmo::branch_either_way(condition, skips ? 1 : 0));
    if (!skips) return;
    code_.push_back(addi(a0 + rd, a0 + source, 0));
    with_branch_.push_back(rvwmo::move(rd, source));
    with_select_.push_back(rvwmo::select(rd, condition, source));
  }

  std::mt19937 random_;
  Code code_;
  rvwmo::Thread with_branch_, with_select_;
  std::vector<Access> loads_, stores_;
  std::uint32_t branch_ = 0;
  unsigned location_ = 0;
};

/// Whether the store may come before the load: another thread sees what the store has written, and
/// writes behind a fence what the load returns.
bool may_be_reordered(rvwmo::Thread thread, const RandomThread::Access& load,
                      const RandomThread::Access& store) {
  constexpr rvwmo::Register kSeen = 20;
  for (rvwmo::Instruction& each : thread) {
    if (each.kind == rvwmo::Kind::Load && each.location == load.location) {
      const rvwmo::Thread other{rvwmo::load(0, store.location), rvwmo::fence(),
                                rvwmo::store(load.location, 1)};
      thread.insert(thread.begin() + (&each - thread.data()) + 1, rvwmo::move(kSeen, each.rd));
      return rvwmo::allows({thread, other}, [](const rvwmo::Outcome& end) {
        return end.registers[0][kSeen] == 1 && end.registers[1][0] == 1;
      });
    }
  }
  return false;
}

/// Behind a load on which the branch depends, a store is ordered if the model says so; and it is
/// lost if the model says that it may be reordered once the branch is a select.
void expect_as_in_model(std::uint32_t seed, std::size_t& ordered, std::size_t& lost_ones) {
  const RandomThread thread(seed);
  const Ordering ordering = ordering_of(thread.code());
  ASSERT_EQ(ordering.selects.size(), 1U);
  for (const auto& load : thread.loads()) {
    const OrderedLoad* found = find_load(ordering, load.word);
    if (found == nullptr) continue;
    for (const auto& store : thread.stores()) {
      const auto at = std::ranges::find(found->stores, store.word, &OrderedStore::store);
      if (at == found->stores.end()) continue;
      EXPECT_EQ(at->orders.empty(), may_be_reordered(thread.with_branch(), load, store)) << seed;
      const LostOrder lost{load.word, store.word, false};
      const auto& all_lost = ordering.selects[0].lost;
      const bool is_lost = std::ranges::find(all_lost, lost) != all_lost.end();
      EXPECT_EQ(is_lost, may_be_reordered(thread.with_select(), load, store)) << seed;
      ++ordered;
      lost_ones += is_lost;
    }
  }
}

TEST(OrderingAgainstModel, RandomThreads) {
  std::size_t ordered = 0, lost = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) expect_as_in_model(seed, ordered, lost);
  EXPECT_GT(ordered, 500U);
  EXPECT_GT(lost, 50U);
}

} // namespace
} // namespace lanewise::paths
