// The posts of cores and who carries out what stands in them, with threads in place of processes.
#include "run/grid/router.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <thread>

#include "run/grid/outpost.h"
#include "run/grid/post.h"

namespace lanewise::grid {
namespace {

using noc::Location;
using noc::Transaction;

constexpr std::size_t kBytes = 0x1000;

Location l1_of(unsigned x, unsigned y, std::uint64_t address) {
  return {.memory = Location::Memory::OtherL1, .bank = noc::core_number(x, y), .address = address};
}

/// What a core posts, epoch by epoch.
using Script = std::vector<std::vector<Transaction>>;

class Routers : public ::testing::Test {
 protected:
  Routers() : l1(3, std::vector<std::uint8_t>(kBytes)), bank(kBytes) {
    std::iota(bank.begin(), bank.end(), std::uint8_t{1});
  }

  /// Cores (0, 0), (1, 0), (2, 0) post their scripts, then nothing, until all is over.
  void run(const std::vector<Script>& scripts, const tile::ScheduleChoice& order = {},
           unsigned jobs = 2) {
    auto posts = Posts::make(3);
    ASSERT_TRUE(posts.has_value());
    AllMemories memories;
    for (unsigned x = 0; x < 3; ++x) memories.l1.emplace(noc::core_number(x, 0), l1[x]);
    memories.banks.emplace_back(bank);
    Router router(*posts, {{0, 0}, {1, 0}, {2, 0}}, memories, order, jobs);
    answers.assign(3, {});
    std::vector<std::thread> cores;
    for (std::size_t i = 0; i < 3; ++i)
      cores.emplace_back([&, i] { be_a_core(posts->of(i), scripts[i], answers[i]); });
    router.run({.has_ended = [](std::size_t) { return false; }, .is_watched = [] { return true; }});
    for (std::thread& core : cores) core.join();
    broken = router.broken();
    epochs = router.epochs();
  }

  static void be_a_core(Post& post, const Script& script, std::vector<std::uint64_t>& answers) {
    for (std::size_t epoch = 0;; ++epoch) {
      post.requests = 0;
      std::size_t data = 0, receivers = 0;
      if (epoch < script.size())
        for (const Transaction& t : script[epoch]) add_request(post, data, receivers, t);
      post.posted = epoch + 1 < script.size() ? Posted::Busy : Posted::Stuck;
      give_turn(post.turn, 1);
      while (!wait_for_turn(post.turn, 0, std::chrono::milliseconds(100))) {
      }
      for (std::uint32_t i = 0; i < post.answers; ++i) answers.push_back(post.answer[i].number);
      if (post.verdict == Verdict::End) break;
    }
    post.requests = 0;
    post.posted = Posted::Ended;
    give_turn(post.turn, 1);
  }

  static Transaction write(std::uint64_t number, const Location& to, std::uint8_t value,
                           unsigned channel = 1) {
    Transaction t{.kind = Transaction::Kind::Write, .number = number, .destination = to};
    t.bytes = 16;
    t.channel = channel;
    t.data.assign(16, value);
    return t;
  }
  static Transaction read(std::uint64_t number, const Location& from, std::uint64_t to) {
    Transaction t{.kind = Transaction::Kind::Read, .number = number, .source = from};
    t.destination.address = to;
    t.bytes = 16;
    return t;
  }
  static Transaction increment(std::uint64_t number, const Location& at) {
    Transaction t{.kind = Transaction::Kind::Increment, .number = number, .destination = at};
    t.bytes = 4;
    t.value = 1;
    return t;
  }

  std::vector<std::vector<std::uint8_t>> l1;
  std::vector<std::uint8_t> bank;
  std::vector<std::vector<std::uint64_t>> answers;
  std::vector<std::size_t> broken;
  std::uint64_t epochs = 0;
};

TEST_F(Routers, ReadsWritesAndIncrementsGoWhereTheyAreSent) {
  const Location dram{.memory = Location::Memory::Dram, .bank = 0, .address = 32};
  run({{{read(1, dram, 0x40), write(2, l1_of(1, 0, 0x80), 7)}},
       {{increment(1, l1_of(2, 0, 0x10)), increment(2, l1_of(2, 0, 0x10))}},
       {{increment(1, l1_of(2, 0, 0x10))}}});
  EXPECT_EQ(l1[0][0x40], 33);
  EXPECT_EQ(l1[1][0x8F], 7);
  EXPECT_EQ(l1[2][0x10], 3);
  EXPECT_EQ(answers[0], (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(answers[1], (std::vector<std::uint64_t>{1, 2}));
  EXPECT_TRUE(broken.empty());
}

// The destination of a read is the L1 of the core that asks, whichever that is.
TEST_F(Routers, ACoreReadsIntoItsOwnL1) {
  l1[0][0x20] = 55;
  run({{}, {{read(1, l1_of(0, 0, 0x20), 0x60)}}, {{read(1, l1_of(1, 0, 0x20), 0x60)}}});
  EXPECT_EQ(l1[1][0x60], 55);
  EXPECT_EQ(l1[0][0x60], 0);
  EXPECT_EQ(l1[2][0x60], 0);
}

TEST_F(Routers, AMulticastReachesItsReceiversOnly) {
  Transaction many = write(1, {.memory = Location::Memory::Many, .bank = 0, .address = 0x100}, 9);
  many.receivers = {noc::core_number(0, 0), noc::core_number(2, 0)};
  run({{}, {{many}}, {}});
  EXPECT_EQ(l1[0][0x100], 9);
  EXPECT_EQ(l1[1][0x100], 0);
  EXPECT_EQ(l1[2][0x100], 9);
}

/// Writes of three cores to one place, in several epochs; who is last depends on the order alone.
TEST_F(Routers, TheSameOrderGivesTheSameBytesWhateverRunsAtATime) {
  Script script;
  for (unsigned epoch = 0; epoch < 6; ++epoch)
    script.push_back({write(2 * epoch, l1_of(1, 0, 0x200), static_cast<std::uint8_t>(epoch)),
                      increment(2 * epoch + 1, l1_of(1, 0, 0x300))});
  for (const tile::Order order :
       {tile::Order::RoundRobin, tile::Order::Random, tile::Order::Adversarial}) {
    std::optional<std::pair<std::vector<std::uint8_t>, std::uint64_t>> first;
    for (const unsigned jobs : {1U, 2U, 3U}) {
      l1[1].assign(kBytes, 0);
      run({script, script, script}, {.order = order, .seed = 3}, jobs);
      EXPECT_EQ(l1[1][0x300], 18) << "no increment is lost";
      if (!first) first = {l1[1], epochs};
      EXPECT_EQ(l1[1], first->first);
      EXPECT_EQ(epochs, first->second);
    }
  }
}

// Writes of one core, NoC and channel to one memory stay in order, however late they come.
TEST_F(Routers, WritesOfOneChannelStayInOrder) {
  std::vector<Transaction> all;
  for (std::uint64_t i = 0; i < 40; ++i)
    all.push_back(write(i, l1_of(1, 0, 0x200), static_cast<std::uint8_t>(i)));
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    run({{all}, {}, {}}, {.order = tile::Order::Adversarial, .seed = seed});
    EXPECT_EQ(l1[1][0x200], 39);
    EXPECT_TRUE(std::ranges::is_sorted(answers[0]));
  }
}

TEST_F(Routers, WhatNoCoreAsksForBreaksItOff) {
  run({{{write(1, l1_of(1, 0, kBytes - 8), 1)}},
       {{write(1, l1_of(9, 9, 0), 1)}},
       {{increment(1, l1_of(0, 0, 0x10))}}});
  EXPECT_EQ(broken, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(l1[0][0x10], 1) << "the others go on";
}

// Notes have no end: where there is no room for more, they are taken at once.
TEST_F(Routers, NotesOfAnyNumberComeInTheirOrder) {
  constexpr std::uint32_t kNotes = 3 * Post::kNotes + 5;
  auto posts = Posts::make(2);
  ASSERT_TRUE(posts.has_value());
  Races races({.cores = {0, 1}, .group = {0, 1}, .l1_bytes = kBytes, .bank_bytes = {}});
  Router router(*posts, {{0, 0}, {1, 0}}, {}, {}, 1);
  router.tell(races);
  std::vector<std::thread> cores;
  for (std::size_t i = 0; i < 2; ++i) {
    cores.emplace_back([&posts, i] {
      Outpost outpost(posts->of(i));
      for (std::uint32_t line = 1; line <= kNotes; ++line) {
        launch::Note note{};
        note.kind = launch::Note::Kind::Names;
        note.line = line % 3000;
        note.text = {static_cast<char>('a' + line / 3000)};
        outpost.tell({&note, 1});
      }
      outpost.end();
    });
  }
  router.run({.has_ended = [](std::size_t) { return false; }, .is_watched = [] { return true; }});
  for (std::thread& core : cores) core.join();
  for (const std::size_t core : {0U, 1U}) {
    EXPECT_EQ(races.name_of(core, 1), "a") << "the first name stays";
    EXPECT_EQ(races.name_of(core, 0), "b");
    EXPECT_EQ(races.name_of(core, 2999), "a");
  }
  EXPECT_TRUE(router.broken().empty());
}

// A note that no core tells ends the core that has posted it.
TEST_F(Routers, ANoteThatNoCoreTellsBreaksItOff) {
  auto posts = Posts::make(1);
  ASSERT_TRUE(posts.has_value());
  Races races({.cores = {0}, .group = {0}, .l1_bytes = kBytes, .bank_bytes = {}});
  Router router(*posts, {{0, 0}}, {}, {}, 1);
  router.tell(races);
  std::thread core([&posts] {
    Outpost outpost(posts->of(0));
    launch::Note note{};
    note.kind = launch::Note::Kind::Accesses;
    note.source.address = kBytes - 4;
    note.bytes = 8;
    outpost.tell({&note, 1});
    outpost.end();
  });
  router.run({.has_ended = [](std::size_t) { return false; }, .is_watched = [] { return true; }});
  core.join();
  EXPECT_EQ(router.broken(), std::vector<std::size_t>{0});
}

// A post is memory that a user's kernel can write to: any bytes are read without harm.
TEST(Posts, AnyBytesAreARequestOrNone) {
  auto posts = Posts::make(1);
  ASSERT_TRUE(posts.has_value());
  Post& post = posts->of(0);
  std::mt19937_64 random(7);
  unsigned taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::array<std::uint32_t, sizeof(Request) / 4> words{};
    for (std::uint32_t& word : words)
      word = random() % 2 == 0 ? static_cast<std::uint32_t>(random() % 5)
                               : static_cast<std::uint32_t>(random());
    std::memcpy(&post.request[0], words.data(), sizeof words);
    const auto request = read_request(post, 0);
    if (!request) continue;
    ++taken;
    EXPECT_LE(request->data.size(), Post::kDataBytes);
    EXPECT_LE(request->receivers.size(), Post::kReceivers);
  }
  EXPECT_GT(taken, 100U);
}

TEST(Posts, ARequestIsWhatWasPosted) {
  auto posts = Posts::make(1);
  ASSERT_TRUE(posts.has_value());
  Post& post = posts->of(0);
  Transaction t{.kind = Transaction::Kind::Write, .number = 77, .core = 3, .noc = 1, .line = 12};
  t.source = {.memory = Location::Memory::L1, .bank = 0, .address = 0x30000};
  t.destination = {.memory = Location::Memory::Many, .bank = 0, .address = 0x40000};
  t.bytes = 3;
  t.data = {1, 2, 3};
  t.receivers = {5, 70};
  t.channel = 4;
  t.is_posted = true;
  std::size_t data = 0, receivers = 0;
  Transaction before = t; // that carries something else, to others
  before.bytes = 4;
  before.data = {9, 9, 9, 9};
  before.receivers = {1, 2, 3};
  ASSERT_TRUE(add_request(post, data, receivers, before));
  ASSERT_TRUE(add_request(post, data, receivers, t));
  EXPECT_EQ(read_request(post, 0)->data, before.data);
  EXPECT_EQ(read_request(post, 0)->receivers, before.receivers);
  const auto got = read_request(post, 1);
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->data, t.data);
  EXPECT_EQ(got->receivers, t.receivers);
  EXPECT_EQ(got->destination, t.destination);
  EXPECT_EQ(transaction_text(*got), transaction_text(t));
  EXPECT_TRUE(got->is_posted);
  EXPECT_EQ(got->channel, 4U);
  t.data.resize(Post::kDataBytes);
  EXPECT_FALSE(add_request(post, data, receivers, t)) << "there is no room for it now";
}

} // namespace
} // namespace lanewise::grid
