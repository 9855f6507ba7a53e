// Generated code holds the lane kernels themselves, so that what is to be shown is that it puts
// them together rightly: everything that it leaves behind is what the interpretation of the same
// micro-ops leaves.
#include "run/execution/generated_loop.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "chip/machine/executor.h"
#include "chip/machine/scheduled.h"
#include "chip/machine/simd_level.h"
#include "chip/timing/schedule.h"
#include "execution/row_programs.h"
#include "number/tensors/pattern.h"
#include "run/execution/tile_machine.h"
#include "sweep/sweep_doubles.h"

namespace lanewise::execution {
namespace {

using isa::Op;

/// Numbers whose exponents lie close enough together to interact, and any pattern at times.
std::uint32_t number(tensors::SplitMix64& random) {
  const std::uint64_t r = random();
  const auto bits = static_cast<std::uint32_t>(r >> 32);
  if ((r & 7) == 0) return bits;
  return (bits & 0x807FFFFFU) | ((112 + (static_cast<std::uint32_t>(r) >> 8) % 32) << 23);
}

/// With the view in which accesses of 16 and of 32 bits find the same rows.
MachineState start_of(Arch arch) {
  MachineState start = Machine(arch).state();
  start.config.set(isa::ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, kHighHalfView);
  return start;
}

MachineState with_numbers(MachineState state, tensors::SplitMix64& random) {
  for (auto& row : state.dst.cell) {
    for (std::uint16_t& cell : row) cell = static_cast<std::uint16_t>(number(random) >> 8);
  }
  for (std::uint64_t& rows : state.dst.valid_bits) rows = random() | random();
  for (std::uint32_t& lane : state.vector.prng) lane = static_cast<std::uint32_t>(random());
  return state;
}

void expect_same(const MachineState& wanted, const MachineState& found) {
  EXPECT_EQ(std::memcmp(wanted.vector.lreg, found.vector.lreg, sizeof wanted.vector.lreg), 0);
  EXPECT_EQ(std::memcmp(wanted.vector.prng, found.vector.prng, sizeof wanted.vector.prng), 0);
  EXPECT_EQ(wanted.vector.flags, found.vector.flags);
  EXPECT_EQ(wanted.vector.use_flags, found.vector.use_flags);
  EXPECT_EQ(std::memcmp(wanted.dst.cell, found.dst.cell, sizeof wanted.dst.cell), 0);
  EXPECT_EQ(wanted.dst.valid_bits, found.dst.valid_bits);
  EXPECT_EQ(wanted.rwc, found.rwc);
  EXPECT_EQ(wanted.faults.records(), found.faults.records());
}

/// Some tiles of random numbers by generated code and by interpretation.
void expect_same_as_interpreted(Arch arch, const MachineState& start, std::span<const MicroOp> ops,
                                unsigned tiles) {
  auto program = find_row_program(start, ops);
  ASSERT_TRUE(program) << program.error().message;
  const auto loop = GeneratedLoop::compile(arch, *program);
  ASSERT_TRUE(loop) << loop.error().message;
  tensors::SplitMix64 random(20);
  for (unsigned tile = 0; tile < tiles && !testing::Test::HasFailure(); ++tile) {
    MachineState wanted = with_numbers(start, random);
    MachineState found = wanted;
    execute(wanted, ops);
    loop->execute(found, ops);
    expect_same(wanted, found);
  }
}

void expect_same_as_interpreted(Arch arch, std::span<const MicroOp> ops, unsigned tiles) {
  expect_same_as_interpreted(arch, start_of(arch), ops, tiles);
}

bool may_stand_in_row(Arch arch, std::uint32_t word, unsigned depth) {
  const auto op = decode_micro_op(arch, word, 1);
  if (!op || op->kernel != op->instruction) return false;
  switch (op->op) {
    case Op::SFPLOAD:
    case Op::SFPSTORE:
    case Op::SFPLOADMACRO:
    case Op::SFPCONFIG: return false;
    case Op::SFPPUSHC: return depth < 3 && op->mod == 0;
    case Op::SFPPOPC: return depth > 0 || op->mod != 0;
    default: return true;
  }
}

/// Rows of random instructions of the Vector Unit between loads of all registers and stores.
class RandomRows {
 public:
  RandomRows(Arch arch, std::uint64_t seed) : arch_(arch), random_(seed) {
    for (const isa::Row& row : isa::rows()) {
      if (row.unit == isa::Unit::Vector && includes(row.chips, arch))
        opcodes_.push_back(row.opcode);
    }
  }

  std::vector<MicroOp> make(unsigned instructions) {
    std::vector<std::uint32_t> row;
    for (unsigned reg = 0; reg < kWritableLRegs; ++reg)
      row.push_back(access(Op::SFPLOAD, reg, reg % 4 == 0 ? any_mode() : DstMode::Fp32));
    unsigned depth = 0;
    while (row.size() < instructions || depth > 0) {
      const std::uint32_t word = instruction(row.size() >= instructions);
      if (!may_stand_in_row(arch_, word, depth)) continue;
      const MicroOp op = decode_micro_op(arch_, word, 1).value();
      if (op.op == Op::SFPPUSHC) ++depth;
      if (op.op == Op::SFPPOPC && op.mod == 0) --depth;
      row.push_back(word);
    }
    // Only lanes in which LReg[0] is negative store.
    row.push_back(*isa::encode(arch_, Op::SFPENCC, {{"Imm2", 3}, {"Mod1", 10}}));
    row.push_back(*isa::encode(arch_, Op::SFPSETCC, {}));
    for (unsigned reg = 0; reg < kWritableLRegs; ++reg)
      row.push_back(access(Op::SFPSTORE, reg, reg % 3 == 0 ? any_mode() : DstMode::Fp32));
    row.push_back(*isa::encode(arch_, Op::INCRWC, {{"DstInc", 4}}));
    return decoded(row);
  }

 private:
  static constexpr unsigned kRows = 6;

  std::uint32_t instruction(bool pops) {
    if (pops) return *isa::encode(arch_, Op::SFPPOPC, {});
    const std::uint64_t r = random_();
    return opcodes_[(r >> 40) % opcodes_.size()] << 24 | (static_cast<std::uint32_t>(r) & 0xFFFFFF);
  }

  /// All but INT32_ALL, whose address comes from the stack pointer and is the same in every row.
  DstMode any_mode() {
    const auto mode = static_cast<DstMode>(random_() % 16);
    return mode == DstMode::Int32All ? DstMode::Int32 : mode;
  }

  /// Of even or odd columns of the row's own group.
  std::uint32_t access(Op op, unsigned reg, DstMode mode) {
    return *isa::encode(arch_, op,
                        {{"VD", reg},
                         {"Mod0", static_cast<std::uint32_t>(mode)},
                         {"AddrMod", 3},
                         {"Imm10", reg % 2 * 2}});
  }

  std::vector<MicroOp> decoded(const std::vector<std::uint32_t>& row) const {
    std::vector<MicroOp> ops;
    for (unsigned i = 0; i < kRows; ++i) {
      for (std::size_t k = 0; k < row.size(); ++k)
        ops.push_back(decode_micro_op(arch_, row[k], static_cast<std::uint32_t>(k + 1)).value());
    }
    return ops;
  }

  Arch arch_;
  tensors::SplitMix64 random_;
  std::vector<std::uint32_t> opcodes_;
};

/// Rows of SFPLOADMACROs among random instructions, as the clock puts them into sequence, and the
/// state whose configuration schedules.
class RandomMacroRows {
 public:
  RandomMacroRows(Arch arch, std::uint64_t seed) : random_(seed), start_(start_of(arch)) {
    for (const isa::Row& row : isa::rows()) {
      if (row.unit != isa::Unit::Vector || !includes(row.chips, arch)) continue;
      opcodes_[isa::SubUnit::None].push_back(row.opcode);
      opcodes_[row.sub_unit].push_back(row.opcode);
    }
    configure();
    for (unsigned reg = 0; reg < kLRegs; ++reg) {
      for (std::uint32_t& lane : start_.vector.lreg[reg]) lane = number(random_);
    }
    if (one_in(2)) {
      start_.vector.use_flags = static_cast<std::uint32_t>(random_());
      start_.vector.flags = static_cast<std::uint32_t>(random_());
    }
    MicroProgram program;
    std::vector<std::uint32_t> row;
    for (unsigned i = 0; i < 8; ++i) row.push_back(one_in(3) ? instruction(any()) : load_macro());
    row.push_back(*isa::encode(arch, Op::INCRWC, {{"DstInc", 4}}));
    std::vector<std::uint32_t> words;
    for (unsigned i = 0; i < kRows; ++i) words.insert(words.end(), row.begin(), row.end());
    words.push_back(*isa::encode(arch, Op::SFPCONFIG, {{"ConfigDest", 9}})); // not generated
    for (unsigned i = 0; i < 8; ++i) words.push_back(*isa::encode(arch, Op::SFPNOP, {}));
    std::uint32_t line = 0;
    for (const std::uint32_t word : words)
      program.ops.push_back(
          decode_micro_op(arch, word, 1 + line++ % static_cast<std::uint32_t>(row.size())).value());
    const timing::Schedule timed = timing::schedule(start_, program, {.auto_stall = !one_in(4)});
    const std::span<const MicroOp> ops = timed.ops(program);
    ops_.assign(ops.begin(), ops.end());
  }

  const MachineState& start() const { return start_; }
  const std::vector<MicroOp>& ops() const { return ops_; }

 private:
  static constexpr unsigned kRows = 14;

  bool one_in(unsigned n) { return random_() % n == 0; }
  const std::vector<std::uint32_t>& any() { return opcodes_[isa::SubUnit::None]; }

  std::uint32_t instruction(const std::vector<std::uint32_t>& opcodes) {
    while (true) {
      const std::uint64_t r = random_();
      const std::uint32_t word =
          opcodes[(r >> 40) % opcodes.size()] << 24 | (static_cast<std::uint32_t>(r) & 0xFFFFFF);
      const auto op = decode_micro_op(start_.config.arch(), word, 1);
      if (may_stand_in_row(start_.config.arch(), word, 0) && op->op != Op::SFPPUSHC &&
          op->op != Op::SFPPOPC)
        return word;
    }
  }

  std::uint32_t load_macro() {
    const auto r = static_cast<std::uint32_t>(random_());
    return *isa::encode(start_.config.arch(), Op::SFPLOADMACRO,
                        {{"MacroIndex", r & 3},
                         {"VDLo", r >> 2 & 3},
                         {"VDHi", r >> 4 & 1},
                         {"Mod0", (r >> 5 & 3) != 0 ? 3U : 2U}, // FP32 or BF16
                         {"AddrMod", 3},
                         {"Imm9", r >> 7 & 1}});
  }

  /// Templates of which each suits its sub-unit, mostly, and delays by which results meet.
  void configure() {
    constexpr std::array kUnits{isa::SubUnit::Simple, isa::SubUnit::Mad, isa::SubUnit::Round};
    LoadMacroConfig& macro = start_.vector.macro;
    for (unsigned i = 0; i < 3; ++i)
      macro.instruction_template[i].fill(instruction(opcodes_[kUnits[i]]));
    macro.instruction_template[3].fill(*isa::encode(
        start_.config.arch(), Op::SFPSTORE, {{"VD", static_cast<unsigned>(random_() % 8)}}));
    for (auto& columns : macro.sequence) {
      const std::uint32_t sequence = bytes();
      columns.fill(sequence);
      if (one_in(2)) columns[random_() % kColumns] = bytes();
    }
    macro.misc.fill(static_cast<std::uint32_t>(random_()) & (one_in(3) ? 0xFF0 : 0x0F0));
    for (std::uint32_t& misc : macro.misc) misc |= 3; // stores FP32
  }

  std::uint32_t bytes() {
    std::uint32_t all = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const auto r = static_cast<std::uint32_t>(random_());
      if ((r & 7) == 0) continue; // schedules nothing
      all |= ((r >> 3 & 0xC0) | (r >> 16 & 3) << 3 | (4 + i)) << (8 * i);
    }
    return all;
  }

  tensors::SplitMix64 random_;
  MachineState start_;
  std::map<isa::SubUnit, std::vector<std::uint32_t>> opcodes_;
  std::vector<MicroOp> ops_;
};

class GeneratedLoopOnLevels : public testing::Test {
 protected:
  void TearDown() override { set_simd_level(usual_); }

  template <class Check>
  void on_all_levels(Check&& check) {
    for (const SimdLevel level : available_simd_levels()) {
      SCOPED_TRACE(simd_level_name(level));
      set_simd_level(level);
      check();
    }
  }

 private:
  SimdLevel usual_ = simd_level();
};

TEST_F(GeneratedLoopOnLevels, RandomInstructionsOfBlackhole) {
  on_all_levels([] {
    expect_same_as_interpreted(Arch::Blackhole, RandomRows(Arch::Blackhole, 1).make(60), 30);
  });
}

TEST_F(GeneratedLoopOnLevels, RandomInstructionsOfWormhole) {
  on_all_levels([] {
    expect_same_as_interpreted(Arch::Wormhole, RandomRows(Arch::Wormhole, 2).make(60), 30);
  });
}

/// LANEWISE_GENERATED_LOOPS: how many programs; the nightly run has more.
TEST(GeneratedLoop, RandomInstructions) {
  const char* wished = std::getenv("LANEWISE_GENERATED_LOOPS");
  const unsigned programs = wished != nullptr ? static_cast<unsigned>(std::atoi(wished)) : 1;
  for (unsigned i = 0; i < programs && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    for (const Arch arch : kArchs)
      expect_same_as_interpreted(arch, RandomRows(arch, 100 + i).make(120), 30);
  }
}

/// As many programs with macros, among which some hold back results, store what was scheduled for
/// some lanes, and end with stores that are still to come.
TEST(GeneratedLoop, RandomMacros) {
  const char* wished = std::getenv("LANEWISE_GENERATED_LOOPS");
  const unsigned programs = wished != nullptr ? static_cast<unsigned>(std::atoi(wished)) : 2;
  for (const Arch arch : kArchs) {
    std::size_t holds = 0, partial = 0, pending = 0;
    std::uint64_t seed = 1000;
    for (unsigned made = 0; made < programs && !HasFailure(); ++seed) {
      const RandomMacroRows rows(arch, seed);
      const auto program = find_row_program(rows.start(), rows.ops());
      if (!program) continue;
      SCOPED_TRACE(seed);
      ++made;
      holds += std::ranges::count_if(program->ops, begins_hold);
      partial += std::ranges::count_if(
          program->ops, [](const MicroOp& op) { return op.kernel == in_some_lanes; });
      const std::span<const MicroOp> rest(rows.ops().begin() + program->end, rows.ops().end());
      pending += std::ranges::count_if(rest, is_access);
      expect_same_as_interpreted(arch, rows.start(), rows.ops(), 20);
    }
    EXPECT_GT(holds, 0u);
    EXPECT_GT(partial, 0u);
    EXPECT_GT(pending, 0u);
  }
}

TEST(GeneratedLoop, StateThatDoesNotSuitIsInterpreted) {
  const auto ops = micro_ops(Arch::Blackhole, sweep::tile_kernel(kSquare));
  MachineState start = Machine(Arch::Blackhole).state();
  const auto loop = GeneratedLoop::compile(Arch::Blackhole, find_row_program(start, ops).value());
  ASSERT_TRUE(loop) << loop.error().message;
  tensors::SplitMix64 random(3);
  start = with_numbers(start, random);
  start.vector.use_flags = kAllLanes;
  start.vector.flags = 0x0F0F'3333;
  MachineState untouched = start, wanted = start, found = start;
  EXPECT_FALSE(loop->run(untouched, nullptr));
  expect_same(start, untouched);
  execute(wanted, ops);
  loop->execute(found, ops);
  expect_same(wanted, found);
}

/// x + 1 where x is below 1; other lanes do not store.
constexpr std::string_view kPredicated = R"(
.repeat 32
SFPENCC Imm2=3, Mod1=10
SFPLOAD L0, SRCB, ADDR_MOD_3, 0
SFPLOADI L1, FLOATB, bf16(-1)
SFPADD L10, L0, L1, L2, 0
SFPNOP
SFPADD L10, L0, L10, L0, 0
SFPNOP
SFPSETCC 0, L2, 0, LREG_LT0
SFPSTORE L0, SRCB, ADDR_MOD_3, 0
INCRWC DstInc=2
.endr
)";

TEST(GeneratedLoop, SweepsFindTheSame) {
  const auto reference = references::parse_reference("x + 1").value();
  for (const formats::Format format :
       {formats::Format::BF16, formats::Format::FP16, formats::Format::FP32}) {
    SCOPED_TRACE(formats::format_name(format));
    sweep::SweepOptions options{.format = format,
                                .space = {.range = sweep::SweepRange{0.99, 1.03}}};
    const auto programs = sweep::on_both_chips(kPredicated);
    options.generation = sweep::Generation::Never;
    const sweep::SweepResult wanted = sweep::swept(programs, *reference, options);
    options.generation = sweep::Generation::Always;
    EXPECT_EQ(sweep::swept(programs, *reference, options), wanted);
    EXPECT_GT(wanted.chips[0].error.rows.back(), 0u) << "the kernel does not what it should";
  }
}

/// 1 - |x| by macros, which are configured first (examples/macros.tt).
std::string macro_kernel(std::string_view before = "") {
  std::string text(before);
  text += R"(
SFPSETSGN 1, L0, L12, ARG_IMM
SFPMAD L10, L10, L0, L13, 0
SFPSTOCHRND RND_NEAREST, 0, L0, L0, L14, FP32_TO_FP16B
SFPLOADI L0, LOWER, 0x0D04
SFPLOADI L0, UPPER, 0x635E
SFPCONFIG 0, 4, 0
SFPCONFIG 0x010, 8, 1
SFPNOP
)";
  for (unsigned row = 0; row < 32; ++row)
    text += fmt::format("SFPLOADMACRO 0, {}, SRCB, ADDR_MOD_3, {}, 0\n", row % 4, row);
  return text + ".repeat 5\nSFPNOP\n.endr\n";
}

TEST(GeneratedLoop, SweepsOfMacrosFindTheSame) {
  const auto reference = references::parse_reference("1 - abs(x)").value();
  sweep::SweepOptions options{.format = formats::Format::BF16,
                              .space = {.range = sweep::SweepRange{-3, 2}}};
  const auto programs = sweep::on_both_chips(macro_kernel());
  options.generation = sweep::Generation::Never;
  const sweep::SweepResult wanted = sweep::swept(programs, *reference, options);
  options.generation = sweep::Generation::Always;
  EXPECT_EQ(sweep::swept(programs, *reference, options), wanted);
  for (const auto& chip : wanted.chips)
    EXPECT_LE(chip.error.largest, 1.0) << "the kernel does not what it should";
}

TEST(GeneratedLoop, MacrosThatATileMayConfigureAreRefused) {
  const auto program =
      sweep::assembled(Arch::Blackhole, macro_kernel("SFPLOAD L0, SRCB, ADDR_MOD_3, 0\n"));
  const auto machine = TileMachine::prepare(Arch::Blackhole, program, {});
  ASSERT_TRUE(machine);
  const auto found = (*machine)->row_program();
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("behind the first access"), std::string::npos);
  EXPECT_EQ(found.error().line, 3u);
}

TEST(GeneratedLoop, WhatCannotBeGeneratedIsSaid) {
  const auto reference = references::parse_reference("x").value();
  const std::vector programs{
      sweep::sweep_program(Arch::Blackhole, sweep::tile_kernel("SFPCONFIG 0, 4, 0"))};
  sweep::SweepOptions options{.format = formats::Format::BF16};
  options.generation = sweep::Generation::Always;
  const auto result = sweep::sweep(programs, *reference, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, FaultKind::BadInput);
  EXPECT_EQ(result.error().file, "test.tt");
}

} // namespace
} // namespace lanewise::execution
