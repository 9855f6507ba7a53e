// Tests with three sections, compiled and run as those of tt-llk are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "checkouts/fake_checkout.h"
#include "chip/isa/encoding.h"
#include "chip/tile/script_mend.h"
#include "confinement/attacks.h"
#include "project.h"
#include "run/section/build_header.h"
#include "run/section/run_sections.h"
#include "sfpi/kernel_files.h"

namespace lanewise::section {
namespace {

constexpr std::uint32_t kIn = 0x21000, kOut = 0x41000;
constexpr unsigned kTiles = 3, kData = 1024 * kTiles;

/// A BF16 of a size from 1 to 2 and either sign.
std::uint16_t datum(unsigned k) {
  return static_cast<std::uint16_t>(0x3F80 + k * 7 % 0x7F + (k % 3 == 0 ? 0x8000 : 0));
}

tile::L1Input tiles_of_bf16() {
  tile::L1Input input{.address = kIn, .bytes = {}};
  for (unsigned k = 0; k < kData; ++k) {
    input.bytes.push_back(static_cast<std::byte>(datum(k) & 0xFF));
    input.bytes.push_back(static_cast<std::byte>(datum(k) >> 8));
  }
  return input;
}

Expected<SectionsOutcome> run_test(const TestSource& source,
                                   const tile::ScheduleChoice& schedule = {}) {
  const auto objects = compile_sections(source);
  if (!objects) return Unexpected(objects.error());
  return run_sections(source, *objects,
                      {.inputs = {tiles_of_bf16()}, .config = {}, .schedule = schedule});
}

class Sections : public ::testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
#ifdef LANEWISE_SANITIZED
    GTEST_SKIP() << "the address sanitizer keeps its own memory where a core has registers";
#endif
  }

  /// A test whose sections have these bodies.
  Expected<SectionsOutcome> run_bodies(const std::string& unpack, const std::string& math = "",
                                       const std::string& pack = "") {
    return run_test(source_of(unpack, math, pack));
  }

  TestSource source_of(const std::string& unpack, const std::string& math = "",
                       const std::string& pack = "") {
    TestSource source;
    source.arch = GetParam();
    source.limits = limits;
    source.file = folder.write("test.cpp",
                               "#include <cstdint>\n#include \"build.h\"\n#include "
                               "\"ckernel_ops.h\"\n#include \"tensix.h\"\n"
                               "#include \"sfpi.h\"\n"
                               "volatile std::uint32_t* at(std::uint64_t a) {\n"
                               "  return reinterpret_cast<volatile std::uint32_t*>(a);\n}\n"
                               "void run_kernel(RUNTIME_PARAMETERS) {\n#line 1\n"
                               "#if defined(LLK_TRISC_UNPACK)\n" +
                                   unpack + "\n#elif defined(LLK_TRISC_MATH)\n" + math +
                                   "\n#else\n" + pack + "\n#endif\n}\n");
    return source;
  }

  sfpi::TemporaryFolder folder;
  sfpi::Environment cache{"LANEWISE_CACHE", std::getenv("LANEWISE_TEST_CACHE") != nullptr
                                                ? std::getenv("LANEWISE_TEST_CACHE")
                                                : folder.path().string() + "/cache"};
  ProcessLimits limits = kKernelLimits;
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, Sections, ::testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

TEST_P(Sections, ATileComesBackDoubledUnderAllOrders) {
  TestSource source;
  source.arch = GetParam();
  source.file = in_project("tests/section/kernels/double_test.cpp");
  source.parameters = {{"TILES", "3"}, {"IN", "0x21000"}, {"OUT", "0x41000"}};
  for (const tile::Order order :
       {tile::Order::RoundRobin, tile::Order::Random, tile::Order::Adversarial}) {
    const auto outcome = run_test(source, {.order = order, .seed = 7});
    ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
    EXPECT_TRUE(outcome->is_done());
    for (const Fault& fault : outcome->faults) ADD_FAILURE() << to_string(fault);
    for (unsigned k = 0; k < kData; ++k) {
      std::uint16_t found = 0;
      std::memcpy(&found, outcome->l1.data() + kOut + 2 * k, sizeof found);
      ASSERT_EQ(found, datum(k) + 0x80) << "datum " << k; // one more in the exponent
    }
  }
}

// Up to release 7.74, the compiler of SFPI compared floats by their difference; then by SFPGT on
// Blackhole. A test is compiled by the release of its checkout.
TEST_P(Sections, VectorCodeIsThatOfTheCheckoutsRelease) {
  const auto math_words = [&](const std::string& checkout) {
    TestSource source =
        source_of("",
                  "sfpi::vFloat x = sfpi::dst_reg[0];\nv_if(x > 1.5f) { x = 0.0f; }\nv_endif;\n"
                  "sfpi::dst_reg[0] = x;");
    if (!checkout.empty())
      source.checkout = checkouts::Checkout::open(checkout, std::array{GetParam()}).value();
    const auto objects = compile_sections(source);
    EXPECT_TRUE(objects.has_value()) << to_string(objects.error());
    SectionsRun how;
    how.keeps_stretches = true;
    const auto outcome = run_sections(source, *objects, how);
    EXPECT_TRUE(outcome.has_value() && outcome->is_done());
    std::set<isa::Op> ops;
    for (const auto& text : outcome->stretches[1].texts) {
      for (const std::uint32_t word : text) ops.insert(isa::decode(GetParam(), word).row->op);
    }
    return ops;
  };
  checkouts::FakeCheckout fake; // of 7.60
  const auto old = math_words(fake.metal()), now = math_words("");
  EXPECT_TRUE(old.contains(isa::Op::SFPMAD) && old.contains(isa::Op::SFPSETCC));
  if (GetParam() != Arch::Blackhole) return;
  EXPECT_TRUE(now.contains(isa::Op::SFPGT) && !now.contains(isa::Op::SFPSETCC));
  EXPECT_FALSE(old.contains(isa::Op::SFPGT));
}

/// What --races finds in a test, of L1 or of all that a tile holds.
tile::RaceReport races_of(const TestSource& source, bool compares_all = false) {
  const auto objects = compile_sections(source);
  EXPECT_TRUE(objects.has_value());
  SectionsRun how{.inputs = {tiles_of_bf16()}, .config = {}, .schedule = {}, .traces_cores = true};
  const auto outcome = run_sections(source, *objects, how);
  EXPECT_TRUE(outcome.has_value() && outcome->is_done());
  auto program = race_program(source, how, *outcome);
  EXPECT_TRUE(program.has_value()) << (program ? "" : to_string(program.error()));
  if (!program) return {};
  if (compares_all) program->scope = tile::RaceScope::Everything;
  const auto follow = [&](const tile::ScheduleChoice& choice) -> Expected<tile::CoreTraces> {
    SectionsRun other = how;
    other.schedule = choice;
    auto again = run_sections(source, *objects, other);
    if (!again) return Unexpected(again.error());
    return std::move(again->traces);
  };
  const auto races = tile::find_races(
      std::move(*program), {.orders = 100, .follow = follow, .propose = tile::script_mends});
  EXPECT_TRUE(races.has_value());
  return races ? *races : tile::RaceReport();
}

TEST_P(Sections, TheExampleHasNoRaceInAnyOrder) {
  TestSource source;
  source.arch = GetParam();
  source.file = in_project("tests/section/kernels/double_test.cpp");
  source.parameters = {{"TILES", "3"}, {"IN", "0x21000"}, {"OUT", "0x41000"}};
  const tile::RaceReport races = races_of(source);
  EXPECT_FALSE(races.differs.has_value());
  EXPECT_EQ(races.unknown, 0U);
  EXPECT_EQ(races.schedules, 101U);
}

// T1 stores what it finds where T0 stores, and does more if that is there: code of its own, which
// has to be followed.
constexpr const char* kLooksOnce =
    "if (at(0x30000)[0] == 1) { at(0x30008)[0] = 7; at(0x3000C)[0] = 8; }";

TEST_P(Sections, CoresThatRaceInL1AreNamed) {
  const tile::RaceReport races = races_of(source_of("at(0x30000)[0] = 1;", kLooksOnce));
  ASSERT_TRUE(races.differs.has_value());
  ASSERT_TRUE(races.race.has_value());
  EXPECT_EQ(races.race->place, (tile::PlaceId{tile::SharedPlace::L1, 0x3000}));
  for (const tile::Touch* touch : {&races.race->first, &races.race->second}) {
    EXPECT_TRUE(touch->agent.is_core);
    EXPECT_EQ(touch->word.line, touch->agent.thread == 0 ? 2U : 4U) << "each body stands in one";
  }
  EXPECT_NE(races.race->first.writes, races.race->second.writes);
}

TEST_P(Sections, ASemaphoreBetweenThemIsFollowed) {
  const tile::RaceReport races =
      races_of(source_of("at(0x30000)[0] = 1; at(0xFFE80020)[3] = 0;",
                         std::string("while (at(0xFFE80020)[3] == 0) {}\n") + kLooksOnce));
  EXPECT_FALSE(races.differs.has_value());
  EXPECT_EQ(races.unknown, 0U);
}

// tt-metal 53412: MOVD2A writes a bank that the unpacker has not cleared and handed over yet.
TEST_P(Sections, AMoveWithoutItsWaitIsMended) {
  using isa::Op;
  const auto push = [](std::optional<std::uint32_t> word) {
    return fmt::format("at(0xFFE40000)[0] = 0x{:x}u;\n", word.value());
  };
  const Arch arch = GetParam();
  const bool has_fields = arch_params(arch).tile.unpacr_nop_has_fields;
  constexpr std::uint32_t kClearsToNegativeInfinity = 5, kHandsOver = 7; // Wormhole's numbers
  const std::string unpack =
      has_fields ? push(isa::encode(arch, Op::UNPACR_NOP,
                                    {{"UnpackPop", 1}, {"SetDvalid", 1}, {"SrcClrValCtrl", 1}}))
                 : push(isa::encode(arch, Op::UNPACR_NOP, {{"NoOp", kClearsToNegativeInfinity}})) +
                       push(isa::encode(arch, Op::UNPACR_NOP, {{"NoOp", kHandsOver}}));
  // So late that round robin has it behind the unpacker, as a card had.
  std::string late;
  for (int i = 0; i < 4; ++i) late += push(isa::encode(arch, Op::NOP, {}));
  const std::string move = push(isa::encode(arch, Op::MOVD2A, {}));
  const tile::RaceReport races = races_of(source_of(unpack, late + move), true);
  ASSERT_TRUE(races.differs.has_value());
  ASSERT_TRUE(races.race.has_value());
  EXPECT_EQ(races.race->place, (tile::PlaceId{tile::SharedPlace::SrcA, 0}));
  ASSERT_EQ(races.mends.size(), 1U);
  EXPECT_EQ(races.mends[0].thread, 1U);
  EXPECT_FALSE(races.mends[0].behind);
  ASSERT_EQ(races.mends[0].words.size(), 1U);
  // What is printed, applied.
  const std::string wait = push(races.mends[0].words[0]);
  EXPECT_FALSE(races_of(source_of(unpack, late + wait + move), true).differs.has_value());
}

TEST_P(Sections, SayThatTheyHaveEnded) {
  const auto outcome = run_bodies("");
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  EXPECT_TRUE(outcome->is_done());
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    std::uint32_t word = 0;
    std::memcpy(&word, outcome->l1.data() + kEndWords + 4 * thread, sizeof word);
    EXPECT_EQ(word, kEndValue);
  }
}

TEST_P(Sections, MailboxesAndSemaphoresTakeThemThroughEachOther) {
  // T0 sends to T1, T1 the double to T2, which answers through a semaphore and L1.
  const auto outcome =
      run_bodies("at(0xFFEC2000)[0] = 21; while (at(0xFFE80020)[3] == 0) {} at(0x30000)[0] = 1;",
                 "at(0xFFEC3000)[0] = 2 * at(0xFFEC1000)[0];",
                 "at(0x30000)[1] = at(0xFFEC2000)[0]; at(0xFFE80020)[3] = 0;");
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  EXPECT_TRUE(outcome->is_done()) << (outcome->failure ? to_string(*outcome->failure) : "");
  std::uint32_t words[2] = {};
  std::memcpy(words, outcome->l1.data() + 0x30000, sizeof words);
  EXPECT_EQ(words[0], 1U);
  EXPECT_EQ(words[1], 42U);
}

// A push is a call from the middle of any code: registers, flags and the 128 bytes below the stack
// pointer are the code's. Each that is not what it was adds one to the word at 0x30000.
TEST_P(Sections, APushChangesNothingThatTheCodeHas) {
  std::string set, compare;
  const char* const kGeneral[] = {"eax", "ecx",  "edx",  "esi",  "edi",  "r8d",
                                  "r9d", "r10d", "r11d", "r13d", "r14d", "r15d"};
  unsigned value = 1000;
  for (const char* const name : kGeneral) {
    set += fmt::format("movl ${}, %%{}\\n", ++value, name);
    compare += fmt::format("cmpl ${}, %%{}\\nsetne %%bl\\naddl %%ebx, %%r12d\\n", value, name);
  }
  for (unsigned i = 0; i < 16; ++i) {
    set = fmt::format("movl ${0}, %%eax\\nmovd %%eax, %%xmm{0}\\n", i) + set;
    compare += fmt::format(
        "movd %%xmm{0}, %%eax\\ncmpl ${0}, %%eax\\nsetne %%bl\\naddl %%ebx, %%r12d\\n", i);
  }
  const auto outcome = run_bodies(fmt::format(
      "const auto go = [] {{ volatile std::uint32_t below[16]; std::uint32_t wrong;\n"
      "for (unsigned i = 0; i < 16; ++i) below[i] = 77 + i;\n"
      "asm volatile(\"{}xorl %%ebx, %%ebx\\nmovl $0, %%r12d\\nstc\\n.ttinsn $0x02000000\\n"
      "setnc %%r12b\\n{}movl %%r12d, %0\\n\" : \"=m\"(wrong) : : \"eax\", \"ecx\", \"edx\", "
      "\"esi\", \"edi\", \"r8\", \"r9\", \"r10\", \"r11\", \"r12\", \"r13\", \"r14\", "
      "\"r15\", \"ebx\", \"xmm0\", \"xmm1\", \"xmm2\", \"xmm3\", \"xmm4\", \"xmm5\", "
      "\"xmm6\", \"xmm7\", \"xmm8\", \"xmm9\", \"xmm10\", \"xmm11\", \"xmm12\", "
      "\"xmm13\", \"xmm14\", \"xmm15\", \"cc\");\n"
      "for (unsigned i = 0; i < 16; ++i) wrong += below[i] != 77 + i;\n"
      "return wrong; }};\nat(0x30000)[0] = 1 + go();",
      set, compare));
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  EXPECT_TRUE(outcome->is_done()) << (outcome->failure ? to_string(*outcome->failure) : "");
  std::uint32_t word = 0;
  std::memcpy(&word, outcome->l1.data() + 0x30000, sizeof word);
  EXPECT_EQ(word, 1U);
}

// Two times three loops, of which the last of each has a word of its own: all of the nine words
// count.
TEST_P(Sections, AMopIsConfiguredByItsWords) { // core.md 2
  const auto outcome =
      run_bodies("",
                 "const std::uint32_t nop = 0x02000000, post = 0xA4000020;\n"
                 "const std::uint32_t words[9] = {2, 3, nop, nop, nop, post, nop, post, post};\n"
                 "for (int i = 0; i < 9; ++i) at(0xFFB80000)[i] = words[i];\n"
                 "TTI_MOP(1, 0, 0);\n"
                 "at(0xFFE80000)[1] = 0; at(0xFFE80000)[1];\n" // until the thread has done it
                 "at(0x30000)[0] = at(0xFFE80020)[3];");
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  EXPECT_TRUE(outcome->is_done()) << (outcome->failure ? to_string(*outcome->failure) : "");
  std::uint32_t posts = 0;
  std::memcpy(&posts, outcome->l1.data() + 0x30000, sizeof posts);
  EXPECT_EQ(posts, 6U);
}

// Where LLK has a pointer to registers, there is a call in its place, and no access that traps.
TEST_P(Sections, RegistersBehindPointersOfLlkAreCalled) {
  const TestSource source = source_of(
      "volatile std::uint32_t* regfile = at(REGFILE_BASE);\n"
      " regfile[5] = 77;\n regfile[6] = 78;\n"
      "at(0x30000)[1] = regfile[5] + regfile[6];",
      "volatile std::uint32_t* mop_cfg = at(0xFFB80000);\n"
      "volatile std::uint32_t* pc_buf_base = at(PC_BUF_BASE);\n"
      "const std::uint32_t nop = 0x02000000, post = 0xA4000020;\n"
      "const std::uint32_t words[9] = {2, 3, nop, nop, nop, post, nop, post, post};\n"
      "for (int i = 0; i < 9; ++i) mop_cfg[i] = words[i];\n"
      "TTI_MOP(1, 0, 0);\n"
      "store_blocking(&pc_buf_base[1], 0);\n" // until the thread has done it
      "at(0x30000)[0] = pc_buf_base[8 + 3];");
  const auto prepared = prepare_sections(source, [](std::string_view text) -> std::string {
    for (const char* const name : {" regfile[", " mop_cfg[", " pc_buf_base["})
      if (text.find(name) != text.npos) return name;
    return "calls";
  });
  ASSERT_TRUE(prepared.has_value()) << to_string(prepared.error());
  for (const PreparedSection& section : *prepared) EXPECT_EQ(section.source.seen, "calls");
  const auto outcome = run_test(source);
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  EXPECT_TRUE(outcome->is_done()) << (outcome->failure ? to_string(*outcome->failure) : "");
  std::uint32_t words[2] = {};
  std::memcpy(words, outcome->l1.data() + 0x30000, sizeof words);
  EXPECT_EQ(words[0], 6U);
  EXPECT_EQ(words[1], 155U);
  EXPECT_EQ(outcome->traps, 0U);
}

// By pointers of other names, each access traps, and comes to the same.
TEST_P(Sections, RegistersAreReachedByTrapsWhereTheirPointersAreUnknown) {
  const auto body = [](const std::string& configuration, const std::string& read,
                       const std::string& first) {
    return "volatile std::uint32_t* " + configuration +
           " = at(TENSIX_CFG_BASE);\n"
           "const std::uint32_t old = " +
           configuration + "[12];\n " + configuration +
           "[12] = old ^ 0x15;\n"
           "at(0x30000)[0] = " +
           configuration + "[12] ^ old ^ " + first + "(at(TENSIX_CFG_BASE)) ^ " + first +
           "(at(TENSIX_CFG_BASE));\n"
           "at(0x30000)[1] = " +
           read + "(PC_BUF_BASE + 0x2C);";
  };
  const std::string reads =
      "struct Of { static\ninline std::uint32_t reg_read(std::uint32_t addr)\n{ return "
      "*at(addr); }\n static std::uint32_t other(std::uint32_t a) { return *at(a); }\n"
      "static std::uint32_t first(const volatile std::uint32_t* cfg)\n{ return cfg[12]; }\n"
      "static std::uint32_t one(const volatile std::uint32_t* all) { return all[12]; } };\n";
  const auto by_calls = run_bodies(reads + body("cfg_regs", "Of::reg_read", "Of::first"));
  const auto by_traps = run_bodies(reads + body("registers", "Of::other", "Of::one"));
  ASSERT_TRUE(by_calls.has_value()) << to_string(by_calls.error());
  ASSERT_TRUE(by_traps.has_value()) << to_string(by_traps.error());
  EXPECT_TRUE(by_calls->is_done());
  EXPECT_EQ(by_calls->traps, 0U);
  EXPECT_EQ(by_traps->traps, 6U);
  EXPECT_EQ(std::to_integer<unsigned>(by_calls->l1[0x30000]), 0x15U);
  EXPECT_EQ(by_calls->l1, by_traps->l1);
}

TEST_P(Sections, AnInputMayReachUpToTheEndOfL1) {
  TestSource source;
  source.arch = GetParam();
  source.file = folder.write("idle.cpp",
                             "#include <cstdint>\n#include \"build.h\"\n"
                             "void run_kernel(RUNTIME_PARAMETERS) {}\n");
  const auto objects = compile_sections(source);
  ASSERT_TRUE(objects.has_value()) << to_string(objects.error());
  const std::uint32_t last = arch_params(GetParam()).tile.l1_bytes - 4;
  const auto run_with = [&](std::uint32_t address) {
    const tile::L1Input input{.address = address, .bytes = std::vector(4, std::byte{0xA5})};
    return run_sections(source, *objects, {.inputs = {input}, .config = {}, .schedule = {}});
  };
  const auto outcome = run_with(last);
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  EXPECT_EQ(outcome->l1[last + 3], std::byte{0xA5});
  EXPECT_FALSE(run_with(last + 1).has_value());
}

TEST_P(Sections, ADeadlockSaysWhoWaitsForWhatAndWhere) {
  const auto outcome = run_bodies("while (at(0xFFE80020)[3] == 0) {}", "at(0xFFEC1000)[0];",
                                  "TTI_SEMWAIT(2, 1 << 4, 1); TTI_SEMGET(1 << 4);");
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  ASSERT_EQ(outcome->blocked.size(), 4U);
  EXPECT_EQ(outcome->blocked[0],
            "the core of unpack waits for line 2: a change at address 0xFFE8002C, where it finds 0 "
            "again and again");
  EXPECT_EQ(outcome->blocked[1].find("the core of math waits for line 4: "), 0U)
      << outcome->blocked[1];
  EXPECT_EQ(outcome->blocked[2].find("the thread of pack waits for semaphore 4 to be above 0"), 0U)
      << outcome->blocked[2];
}

TEST_P(Sections, ACrashIsAFailureWithItsLine) {
  const auto outcome = run_bodies("at(0)[0] = 1;");
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  ASSERT_TRUE(outcome->failure.has_value());
  EXPECT_EQ(outcome->failure->line, 2U);
  EXPECT_NE(outcome->failure->message.find("SIGSEGV at address 0x0"), std::string::npos)
      << outcome->failure->message;
}

TEST_P(Sections, AnAssertionOfLlkIsAFailureWithItsLine) {
  const auto outcome = run_bodies("\n\nasm volatile(\"ebreak\");");
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  ASSERT_TRUE(outcome->failure.has_value());
  EXPECT_EQ(outcome->failure->line, 4U);
  EXPECT_EQ(outcome->failure->message, "an LLK_ASSERT does not hold");
}

TEST_P(Sections, AnEndlessLoopEnds) {
  limits.time = std::chrono::seconds(1);
  const auto outcome = run_bodies("for (volatile int i = 0;; i = i + 1) {}");
  if (outcome) {
    ASSERT_TRUE(outcome->failure.has_value());
    EXPECT_EQ(outcome->failure->line, 2U);
  } else {
    EXPECT_NE(outcome.error().message.find("did not end within"), std::string::npos);
  }
}

/// The table is that of kernels (tests/sfpi/confinement_test.cpp); here some of each kind.
TEST_P(Sections, AreConfined) {
  const std::string kept = folder.write("home/lanewise-hostile", "kept");
  const sfpi::Environment home("HOME", folder.path().string() + "/home");
  TestSource source;
  source.arch = GetParam();
  source.includes = {in_project("tests")};
  source.file =
      folder.write("test.cpp",
                   "#include <cstdint>\n#include \"build.h\"\n#include \"ckernel_ops.h\"\n"
                   "#include \"tensix.h\"\n#include \"confinement/hostile.h\"\n"
                   "void run_kernel(RUNTIME_PARAMETERS) {\n#if defined(LLK_TRISC_MATH)\n"
                   "  attack(std::getenv(\"LANEWISE_TEST_ATTACK\"));\n#endif\n}\n");
  const auto objects = compile_sections(source);
  ASSERT_TRUE(objects.has_value()) << to_string(objects.error());
  const std::set<std::string> some{"kill-group", "fork-bomb", "thread",     "system",
                                   "exec",       "socket",    "write-home", "unlink",
                                   "close-all",  "setsid",    "quiet-end",  "set-mask-and-fork"};
  std::size_t tried = 0;
  for (const Attack& each : attacks()) {
    if (!some.contains(each.name)) continue;
    SCOPED_TRACE(each.name);
    ++tried;
    const sfpi::Environment attack("LANEWISE_TEST_ATTACK", each.name);
    const auto outcome = run_sections(source, *objects, {});
    ASSERT_TRUE(!outcome || outcome->failure.has_value());
    const Fault fault = outcome ? *outcome->failure : outcome.error();
    EXPECT_NE(fault.message.find(each.told), std::string::npos) << to_string(fault);
    const bool ends_at_once = each.told.find("start a process") != std::string::npos;
    EXPECT_EQ(fault.line != 0, each.place == '=' && !ends_at_once) << to_string(fault);
    EXPECT_FALSE(fault.remedy.empty());
  }
  EXPECT_EQ(tried, some.size());
  EXPECT_TRUE(std::filesystem::exists(kept));
  const sfpi::Environment attack("LANEWISE_TEST_STATIC_ATTACK", "socket");
  const auto early = run_sections(source, *objects, {});
  ASSERT_FALSE(early.has_value());
  EXPECT_EQ(early.error().message, "a section tried to open a socket");
}

TEST_P(Sections, ARecursionWithoutEndHurtsNobody) {
  const auto outcome = run_bodies(
      "struct Deep { static int down(volatile int* p) { volatile int q = *p; return down(&q) + q; "
      "} };"
      " volatile int one = 1; Deep::down(&one);");
  EXPECT_TRUE(!outcome || outcome->failure.has_value());
}

TEST_P(Sections, AVectorThatLivesAcrossARegisterIsRefused) {
  const auto outcome = run_bodies("",
                                  "sfpi::vFloat x = sfpi::dst_reg[0];\n"
                                  "(void)at(0xFFE80020)[3];\n"
                                  "sfpi::dst_reg[0] = x + 1.0F;");
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  ASSERT_TRUE(outcome->failure.has_value());
  EXPECT_EQ(outcome->failure->line, 6U);
}

TEST(BuildHeader, HasWhatIsGivenAndTheRest) {
  const std::vector<TestParameter> given{{"unpack_to_dest", "true"}, {"NUM_BLOCKS", "2"}};
  const std::string text = build_header_text(given, false);
  EXPECT_NE(text.find("constexpr auto unpack_to_dest = true;"), std::string::npos);
  EXPECT_EQ(text.find("unpack_to_dest = false"), std::string::npos);
  EXPECT_NE(text.find("constexpr auto NUM_BLOCKS = ::NUM_BLOCKS;"), std::string::npos);
  EXPECT_NE(text.find("is_fp32_dest_acc_en = false;"), std::string::npos);
}

TEST(BuildHeader, LeavesFormatsToTestsThatMakeThemThemselves) {
  const std::string text = build_header_text({}, true);
  const std::size_t condition = text.find("#if !__has_include(\"data_format_inference.h\")");
  ASSERT_NE(condition, std::string::npos);
  EXPECT_GT(text.find("struct FormatConfig"), condition);
  EXPECT_GT(text.find("constexpr auto formats ="), condition);
}

TEST(TestParameters, NeedANameAndAValue) {
  EXPECT_TRUE(parse_test_parameter("NUM_BLOCKS=2").has_value());
  EXPECT_TRUE(parse_test_parameter("a=b=c").has_value());
  for (const char* text : {"", "=2", "NUM", "NUM=", "2x=3", "a b=3"})
    EXPECT_FALSE(parse_test_parameter(text).has_value()) << text;
}

TEST(TestSources, WhatIsNotThereIsSaid) {
  TestSource source;
  source.file = "missing.cpp";
  const auto missing = compile_sections(source);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message, "there is no such test");
}

TEST(TestSources, TheirCheckoutIsTheOneTheyLieIn) {
  const sfpi::TemporaryFolder folder;
  const std::string test = folder.write("tt_metal/tt-llk/tests/sources/a_test.cpp", "");
  const auto none = test_checkout("", test, Arch::Wormhole);
  ASSERT_TRUE(none.has_value());
  EXPECT_FALSE(none->has_value()) << "there is no LLK yet";
  const auto other = test_checkout(folder.path().string(), test, Arch::Wormhole);
  ASSERT_FALSE(other.has_value());
  EXPECT_NE(other.error().message.find("is missing"), std::string::npos);

  folder.write("tt_metal/tt-llk/tt_llk_wormhole_b0/llk_lib/llk_pack.h", "");
  folder.write("tt_metal/tt-llk/tt_llk_wormhole_b0/common/inc/sfpu/.keep", "");
  folder.write("tt_metal/hw/ckernels/wormhole_b0/metal/llk_api/llk_sfpu/.keep", "");
  const auto found = test_checkout("", test, Arch::Wormhole);
  ASSERT_TRUE(found.has_value() && found->has_value());
  EXPECT_EQ((*found)->folder(), folder.path());

  TestSource quasar;
  quasar.file = folder.write("tt_metal/tt-llk/tests/sources/quasar/b_test.cpp", "");
  quasar.checkout = *found;
  const auto refused = compile_sections(quasar);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "this is a test for Quasar, which is not there");
}

} // namespace
} // namespace lanewise::section
