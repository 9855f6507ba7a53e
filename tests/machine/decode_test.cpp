// Decoding by tables and from memory against decoding anew.
#include "chip/isa/encoding.h"
#include "chip/machine/control.h"
#include "chip/machine/frontend/kernel_table.h"
#include "chip/machine/frontend/static_faults.h"
#include "chip/machine/simd_level.h"
#include "machine/machine_fixture.h"
#include "machine/random_state.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kWords = 20'000;
class Decoding : public ::testing::TestWithParam<Arch> {};
LANEWISE_ON_BOTH_CHIPS(Decoding);

/// Takes the best level again, whatever a test does.
struct LevelGuard {
  SimdLevel before = simd_level();
  ~LevelGuard() { set_simd_level(before); }
};

TEST_P(Decoding, TablesHaveTheKernelsOfTheLists) {
  const LevelGuard guard;
  RandomMachine random(GetParam(), 4);
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::uint32_t word = random.word();
      const auto op = decode_micro_op(GetParam(), word, 1);
      if (!op || op->instruction == no_effect) continue;
      EXPECT_EQ(op->instruction, search_kernel(kernels_of(level), GetParam(), *op))
          << fmt::format("{:08X}", word);
    }
  }
}

/// Random words, many of which come again.
Program random_program(RandomMachine& random) {
  constexpr std::uint32_t kLines = 200;
  std::vector<std::uint32_t> words;
  for (unsigned i = 0; i < 40; ++i)
    words.push_back(random.one_in(10) ? random.bits() : random.word());
  Program program;
  for (std::uint32_t line = 1; line <= kLines; ++line) {
    const std::uint32_t word = words[random.bits() % words.size()];
    program.words.push_back({random.one_in(2) ? word : random.of_same_form(word), line});
  }
  return program;
}

bool is_expanded(std::uint32_t word) {
  const std::uint8_t opcode = isa::opcode_of(word);
  return opcode == 0x01 || opcode == 0x03 || opcode == 0x04; // MOP, MOP_CFG, REPLAY
}

void expect_same(const MicroOp& found, const MicroOp& expected) {
  EXPECT_EQ(found.kernel, expected.kernel) << fmt::format("{:08X}", expected.word);
  EXPECT_EQ(found.instruction, expected.instruction);
  EXPECT_EQ(found.word, expected.word);
  EXPECT_EQ(found.line, expected.line);
  EXPECT_EQ(found.immediate, expected.immediate);
  EXPECT_EQ(found.op, expected.op);
  EXPECT_EQ(std::tie(found.va, found.vb, found.vc, found.vd, found.mod, found.addr_mod),
            std::tie(expected.va, expected.vb, expected.vc, expected.vd, expected.mod,
                     expected.addr_mod));
}

// A front end remembers what it has decoded, at one level; nobody can tell.
TEST_P(Decoding, MemoryChangesNothing) {
  const LevelGuard guard;
  RandomMachine random(GetParam(), 5);
  FrontEnd front_end(GetParam());
  const std::vector<SimdLevel> levels = available_simd_levels();
  for (unsigned round = 0; round < 200; ++round) {
    set_simd_level(levels[random.bits() % levels.size()]);
    Program program = random_program(random);
    std::erase_if(program.words, [](const ProgramWord& word) { return is_expanded(word.word); });
    const MicroProgram prepared = front_end.expand(program);
    std::size_t next = 0;
    std::vector<std::string> faults;
    for (const ProgramWord& word : program.words) {
      const auto op = decode_micro_op(GetParam(), word.word, word.line);
      if (!op) faults.push_back(op.error().message);
      if (op || isa::decode(GetParam(), word.word).row != nullptr) {
        ASSERT_LT(next, prepared.ops.size());
        if (op) expect_same(prepared.ops[next], *op);
        ++next;
      }
      for (const Fault& fault : static_faults(GetParam(), word.word, word.line))
        faults.push_back(fault.message);
    }
    EXPECT_EQ(next, prepared.ops.size());
    std::vector<std::string> reported;
    for (const Fault& fault : prepared.faults) reported.push_back(fault.message);
    EXPECT_EQ(reported, faults);
  }
}

// Words of one form differ in what an instruction computes with alone; some of each kind do.
TEST_P(Decoding, WordsOfOneFormHaveTheSameKernelRegistersAndFaults) {
  RandomMachine random(GetParam(), 6);
  std::size_t different = 0;
  for (std::size_t i = 0; i < kWords && !HasFailure(); ++i) {
    const std::uint32_t word = random.word(), other = random.of_same_form(word);
    different += word != other ? 1 : 0;
    const auto op = decode_micro_op(GetParam(), word, 1),
               same = decode_micro_op(GetParam(), other, 1);
    ASSERT_EQ(op.has_value(), same.has_value());
    EXPECT_EQ(static_faults(GetParam(), word, 1), static_faults(GetParam(), other, 1));
    if (!op) continue;
    MicroOp expected = *op;
    expected.word = other;
    expected.immediate = same->immediate;
    expected.addr_mod = same->addr_mod;
    expect_same(*same, expected);
  }
  EXPECT_GT(different, kWords / 10);
}

// Behind the thousandth fault nobody asks what is wrong with a word: it executes as any other, and
// is not taken for one without faults later.
TEST_P(Decoding, WordsBehindTheLastFaultThatIsKept) {
  constexpr std::uint32_t kFaults = 1000, kMore = 50;
  const std::uint32_t faulty = *isa::encode(GetParam(), isa::Op::SFPADD, {{"VA", 1}, {"VB", 2}});
  Program program, next;
  for (std::uint32_t line = 1; line <= kFaults + kMore; ++line)
    program.words.push_back({faulty, line});
  constexpr std::uint32_t kNoInstruction = 0;
  program.words.push_back({kNoInstruction, kFaults + kMore + 1});
  next.words.push_back({faulty, 1});
  FrontEnd front_end(GetParam());
  const MicroProgram expanded = front_end.expand(program);
  EXPECT_EQ(expanded.faults.size(), kFaults);
  ASSERT_EQ(expanded.ops.size(), kFaults + kMore);
  expect_same(expanded.ops.back(), *decode_micro_op(GetParam(), faulty, kFaults + kMore));
  EXPECT_EQ(front_end.expand(next).faults.size(), 1U);
}

// A word whose fault has been reported is reported again at its next line.
TEST_P(Decoding, FaultsOfRepeatedWordsComeAtEachLine) {
  Rig rig(GetParam());
  const std::vector<Fault> faults = rig.run("SFPADD L1, L2, L3, L4, 0\nSFPADD L1, L2, L3, L4, 0\n");
  ASSERT_EQ(faults.size(), 2U); // neither VA nor VB is L10 (VU C40)
  EXPECT_EQ(faults[0].line, 1U);
  EXPECT_EQ(faults[1].line, 2U);
}

} // namespace
} // namespace lanewise::test
