// A kernel that a test writes, the machine that it is interpreted on, and what comes out.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "chip/isa/encoding.h"
#include "chip/machine/kernel_entry.h"
#include "machine/machine_fixture.h"
#include "run/oracle/interpreter.h"
#include "run/oracle/kernel_writer.h"

namespace lanewise::oracle {

using compiler::NumberType;
using compiler::Relation;
using isa::Op;
using test::all;
using test::blend;
using test::by_lane;

inline std::uint32_t bits(float number) {
  return std::bit_cast<std::uint32_t>(number);
}

inline constexpr unsigned kInt32 = 4; ///< mode of SFPLOAD and SFPSTORE

/// Lanes that lie at an address of Dst, as INT32.
inline test::Lanes lanes_in_dst(test::Rig& rig, unsigned address) {
  const std::uint32_t word = *isa::encode(
      rig.arch(), Op::SFPLOAD, {{"VD", 0}, {"Mod0", kInt32}, {"AddrMod", 3}, {"Imm10", address}});
  MachineState state = rig.state();
  state.vector.flags = state.vector.use_flags = kAllLanes;
  const auto op = decode_micro_op(rig.arch(), word, 0);
  op->kernel(state, *op);
  return by_lane([&](unsigned lane) { return state.vector.lreg[0][lane]; });
}

/// A kernel, the machine that it runs on, and what comes out.
class Bench {
 public:
  explicit Bench(Arch arch) : write(arch, "kernel.cpp"), rig(arch), front_end_(arch) {
    enter_kernel(rig.state());
    rig.configure("ALU_ACC_CTRL_SFPU_Fp32_enabled", 1);
  }

  std::vector<Fault> run() {
    recording_ = write.take(); // what Print shows points into it
    return interpret(recording_, rig.state(), front_end_, options);
  }
  void run_clean() {
    for (const Fault& fault : run()) ADD_FAILURE() << to_string(fault);
  }

  /// Lanes that lie at an address of Dst, as INT32.
  test::Lanes dst(unsigned address) { return lanes_in_dst(rig, address); }

  KernelWriter write;
  test::Rig rig;
  InterpretOptions options;

 private:
  FrontEnd front_end_;
  compiler::Recording recording_;
};

/// Tests of kernels that both chips run; each file instantiates its own suite.
class OnEveryChip : public ::testing::TestWithParam<Arch> {
 protected:
  Bench bench{GetParam()};
  KernelWriter& k = bench.write;

  /// 0, 1, .. 31: half of the lane numbers in LReg[15].
  KernelWriter::Value lane_number() {
    const auto doubled = k.const_register(15);
    const bool shifts_vc = arch_params(k.arch()).vector.shift_has_modes;
    return shifts_vc ? k.instruction(Op::SFPSHFT, 5, -1, {{2, doubled}})
                     : k.instruction(Op::SFPSHFT, 1, -1, {{3, doubled}});
  }
  KernelWriter::Value integer(std::int32_t number) {
    return k.constant(static_cast<std::uint32_t>(number));
  }
  /// Lane number < limit.
  KernelWriter::Value lane_below(std::int32_t limit) {
    return k.compare(lane_number(), Relation::LT, integer(limit), NumberType::Int);
  }
};
/// Lanes 0 .. count - 1.
inline std::uint32_t first_lanes(unsigned count) {
  return count == 0 ? 0 : kAllLanes >> (kLanes - count);
}

} // namespace lanewise::oracle
