#include "run/oracle/kernel_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "chip/isa/def_use.h"
#include "chip/machine/executor.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/machine/kernel_entry.h"
#include "chip/machine/lane_groups.h"
#include "number/formats/format.h"
#include "run/oracle/interpreter.h"
#include "run/oracle/random_expression.h"

namespace lanewise::oracle {

namespace {

using compiler::Kind;
using compiler::Node;
using isa::ConfigField;

constexpr unsigned kFirstConstant = 11, kLastConstant = 14;

/// A number as kernels meet it: mostly near 1, some small integers, some of any bits.
std::uint32_t random_value(Dice& dice) {
  constexpr std::array<std::uint32_t, 10> kEdges{0,          0x80000000, 0x7F800000, 0xFF800000,
                                                 0x7FC00000, 0x00000001, 0x3F800000, 0x7F7FFFFF,
                                                 0x80000001, 0xFFFFFFFF};
  const std::uint32_t sign = dice.bits() & 0x80000000U;
  switch (dice.below(8)) {
    case 0: return dice.bits();
    case 1: return static_cast<std::uint32_t>(dice.between(-300, 300));
    case 2: return kEdges[dice.below(kEdges.size())];
    default: return sign | (0x3D000000U + (dice.bits() & 0x03FFFFFFU));
  }
}

void fill_dst(Dst& dst, Dice& dice, bool wide) {
  if (!wide) {
    for (auto& row : dst.cell) {
      for (std::uint16_t& cell : row) {
        cell = static_cast<std::uint16_t>(
            formats::from_value_bits(formats::Format::BF16, random_value(dice) >> 16));
      }
    }
    return;
  }
  for (unsigned row = 0; row < kDstRows / 2; ++row) {
    for (unsigned column = 0; column < kDstColumns; ++column) {
      dst.store_32(row, column,
                   formats::from_value_bits(formats::Format::FP32, random_value(dice)));
    }
  }
}

AddrModSection random_section(Dice& dice) {
  const auto word = [&] { return static_cast<std::uint16_t>(dice.bits()); };
  AddrModSection section = unpack_addr_mod({.ab = word(), .dst = word(), .bias = word()});
  section.bias_increment = 0; // would select other sections
  return section;
}

// -------------------------------------------------------------------- comparison

/// What differs first, if anything.
using Difference = std::optional<std::string>;

Difference dst_difference(const Dst& interpreted, const Dst& executed) {
  std::size_t count = 0;
  std::string first;
  for (unsigned row = 0; row < kDstRows; ++row) {
    for (unsigned column = 0; column < kDstColumns; ++column) {
      const unsigned a = interpreted.cell[row][column], b = executed.cell[row][column];
      if (a == b) continue;
      if (count++ == 0) {
        first = fmt::format("Dst row {}, column {} (lane {}): interpreter {:04X}, program {:04X}",
                            row, column, row % 4 * kColumns + column / 2, a, b);
      }
    }
  }
  if (count > 0) return fmt::format("{}; {} cells differ", first, count);
  if (interpreted.valid_bits != executed.valid_bits) return "Dst rows differ in their valid flags";
  return std::nullopt;
}

Difference lanes_difference(std::string_view name, const std::uint32_t* interpreted,
                            const std::uint32_t* executed) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (interpreted[lane] == executed[lane]) continue;
    return fmt::format("{} lane {}: interpreter {:08X}, program {:08X}", name, lane,
                       interpreted[lane], executed[lane]);
  }
  return std::nullopt;
}

Difference number_difference(std::string_view name, std::uint32_t interpreted,
                             std::uint32_t executed) {
  if (interpreted == executed) return std::nullopt;
  return fmt::format("{}: interpreter {:X}, program {:X}", name, interpreted, executed);
}

Difference vector_difference(const VectorState& a, const VectorState& b, std::uint32_t kept,
                             unsigned lregs) {
  for (unsigned lreg = 0; lreg <= kLastConstant; ++lreg) {
    const bool counts = lreg < lregs ? (kept >> lreg & 1U) != 0 : lreg >= kFirstConstant;
    if (!counts) continue;
    if (auto found = lanes_difference(fmt::format("LReg[{}]", lreg), a.lreg[lreg], b.lreg[lreg]))
      return found;
  }
  if (auto found = lanes_difference("PRNG", a.prng, b.prng)) return found;
  if (auto found = number_difference("enabled lanes", a.enabled(), b.enabled())) return found;
  return number_difference("lanes with an empty flag stack", a.stack.empty_lanes(),
                           b.stack.empty_lanes());
}

Difference counter_difference(const Rwc& a, const Rwc& b) {
  if (a == b) return std::nullopt;
  if (auto found = number_difference("Dst counter", a.dst, b.dst)) return found;
  if (auto found = number_difference("copy of the Dst counter", a.dst_cr, b.dst_cr)) return found;
  return "the SrcA, SrcB, fidelity or stack counters differ";
}

Difference state_difference(const MachineState& interpreted, const MachineState& executed,
                            std::uint32_t kept) {
  if (auto found = dst_difference(interpreted.dst, executed.dst)) return found;
  const unsigned lregs = arch_params(interpreted.config.arch()).vector.lregs;
  if (auto found = vector_difference(interpreted.vector, executed.vector, kept, lregs))
    return found;
  for (std::size_t i = 0; i < interpreted.resting.size(); ++i) {
    auto found = vector_difference(interpreted.resting[i], executed.resting[i], kept, lregs);
    if (found) return found;
  }
  return counter_difference(interpreted.rwc, executed.rwc);
}

std::vector<Fault> run_program(const Program& program, MachineState& state) {
  FrontEnd front_end(state.config.arch());
  MicroProgram prepared = front_end.expand(program);
  execute(state, prepared.ops);
  std::vector<Fault> faults = std::move(prepared.faults);
  for (Fault& fault : state.faults.to_faults(state.config.arch())) {
    fault.file = program.name;
    faults.push_back(std::move(fault));
  }
  return faults;
}

} // namespace

namespace {

/// Of a chip that has no more than Dst and LRegs here.
MachineState narrow_kernel_state(Arch arch, Dice& dice) {
  MachineState state(arch);
  for_each_lane_group(state, [&] {
    for (unsigned lreg = 0; lreg < arch_params(arch).vector.lregs; ++lreg) {
      for (std::uint32_t& lane : state.vector.lreg[lreg])
        lane =
            dice.one_in(4) ? wrap_lane(arch, dice.bits()) : lane_of_float(arch, random_value(dice));
    }
  });
  for (auto& row : state.dst.cell) {
    for (std::uint16_t& cell : row) cell = static_cast<std::uint16_t>(random_value(dice) >> 16);
  }
  state.rwc.dst = state.rwc.dst_cr = 64 * dice.below(4);
  enter_kernel(state);
  return state;
}

} // namespace

MachineState random_kernel_state(Arch arch, std::uint64_t seed) {
  Dice dice(seed);
  if (has_narrow_lanes(arch)) return narrow_kernel_state(arch, dice);
  MachineState state(arch);
  VectorState& v = state.vector;
  for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg) {
    for (std::uint32_t& lane : v.lreg[lreg]) lane = random_value(dice);
  }
  for (unsigned lreg = kFirstConstant; lreg <= kLastConstant; ++lreg) {
    std::array<std::uint32_t, kColumns> columns{};
    for (std::uint32_t& column : columns) column = random_value(dice);
    for (unsigned lane = 0; lane < kLanes; ++lane) v.lreg[lreg][lane] = columns[lane % kColumns];
  }
  for (std::uint32_t& lane : v.prng) lane = dice.bits();
  const bool wide = dice.one_in(2);
  state.config.set(ConfigField::ALU_ACC_CTRL_SFPU_Fp32_enabled, wide ? 1 : 0);
  state.config.set(ConfigField::RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, wide ? kHighHalfView : 0);
  constexpr std::uint32_t kBf16Code = 5, kFp16Code = 1;
  state.config.set(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB, dice.one_in(3) ? kFp16Code : kBf16Code);
  fill_dst(state.dst, dice, wide);
  for (unsigned section = 0; section < arch_params(arch).front_end.addr_mod_sections; ++section) {
    const unsigned named = 1U << arch_params(arch).front_end.addr_mod_bits;
    const bool rests = section % named == named - 1;
    state.config.set_addr_mod(section, rests ? AddrModSection{} : random_section(dice));
  }
  constexpr unsigned kTileRows = 64;
  state.rwc.dst = state.rwc.dst_cr = kTileRows * dice.below(4);
  enter_kernel(state);
  return state;
}

std::uint32_t kept_lregs(const compiler::Recording& recording) {
  constexpr isa::LRegSet kUpperHalf = 0xF0;
  std::uint32_t kept = 0;
  for (const Node& node : recording.nodes) {
    if (node.dead) continue;
    if (node.kind == Kind::WriteLReg) kept |= 1U << node.imm;
    // What raw words or l_reg read has served its purpose (source/compiler/intervals.cpp).
    if (node.kind == Kind::ReadLReg) kept &= ~(1U << node.imm);
    if (node.kind == Kind::Raw) {
      const auto word = static_cast<std::uint32_t>(node.imm);
      kept &= ~(isa::lregs_written(recording.arch, word) | isa::lregs_read(recording.arch, word));
    }
    if (node.kind == Kind::Instruction && operation(recording, node) == isa::Op::SFPTRANSP)
      kept &= ~kUpperHalf;
  }
  return kept;
}

KernelCheck check_kernel(const compiler::Recording& recording, const Program& program,
                         std::uint64_t seed) {
  KernelCheck check;
  MachineState interpreted = random_kernel_state(recording.arch, seed);
  MachineState executed = interpreted;
  FrontEnd front_end(recording.arch);
  check.interpreter_faults = interpret(recording, interpreted, front_end);
  check.program_faults = run_program(program, executed);
  check.difference =
      state_difference(interpreted, executed, kept_lregs(recording)).value_or(std::string());
  return check;
}

} // namespace lanewise::oracle
