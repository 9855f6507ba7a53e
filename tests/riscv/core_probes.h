// The programs by which cores were measured on silicon, as code, run by the interpreter and timed
// by the clock: bursts of an instruction in a counted loop, for four numbers of turns; what one
// costs is the slope, without that of an empty loop (tests/riscv/core_costs.csv names the source).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "chip/riscv/core.h"
#include "chip/riscv/core_clock.h"

namespace lanewise::test {

/// Code that is written down instruction by instruction.
class RiscvCode {
 public:
  std::vector<std::uint32_t> words;

  static std::uint32_t match(riscv::Op op) { return riscv::row_of(op).match; }
  void reg(riscv::Op op, unsigned rd, unsigned rs1, unsigned rs2) {
    words.push_back(match(op) | rd << 7 | rs1 << 15 | rs2 << 20);
  }
  /// Also loads: rd, rs1, offset; and CSRs: rd, rs1, number.
  void imm(riscv::Op op, unsigned rd, unsigned rs1, std::int32_t value) {
    words.push_back(match(op) | rd << 7 | rs1 << 15 | static_cast<std::uint32_t>(value) << 20);
  }
  void store(riscv::Op op, unsigned rs2, unsigned rs1, std::uint32_t offset) {
    words.push_back(match(op) | (offset & 31U) << 7 | rs1 << 15 | rs2 << 20 | (offset >> 5) << 25);
  }
  void branch(riscv::Op op, unsigned rs1, unsigned rs2, std::int32_t bytes) {
    const auto to = static_cast<std::uint32_t>(bytes);
    words.push_back(match(op) | (to >> 11 & 1U) << 7 | (to >> 1 & 15U) << 8 | rs1 << 15 |
                    rs2 << 20 | (to >> 5 & 63U) << 25 | (to >> 12 & 1U) << 31);
  }
  void jump(unsigned rd, std::int32_t bytes) {
    const auto to = static_cast<std::uint32_t>(bytes);
    words.push_back(match(riscv::Op::JAL) | rd << 7 | (to & 0xFF000U) | (to >> 11 & 1U) << 20 |
                    (to >> 1 & 0x3FFU) << 21 | (to >> 20 & 1U) << 31);
  }
  void push(std::uint32_t tensix) { words.push_back(riscv::ttinsn(tensix)); }
  std::int32_t bytes() const { return static_cast<std::int32_t>(4 * words.size()); }
};

/// A core with memory of its own that executes code in time.
class TimedCore : private riscv::Bus {
 public:
  TimedCore(Arch arch, const riscv::CoreClockOptions& options)
      : core(arch, *this), clock(arch, options) {}

  static constexpr std::uint32_t kCode = 0x6000;

  void load_code(const RiscvCode& code) { code_ = code.words; }

  /// Executes from the start of the code to its end: the cycle of each instruction.
  std::vector<std::uint64_t> run() {
    std::vector<std::uint64_t> cycles;
    core.set_pc(kCode);
    while (core.pc() != kCode + 4 * code_.size()) cycles.push_back(step());
    return cycles;
  }

  /// The same beside another core that executes its own: whoever is behind goes next.
  std::vector<std::uint64_t> run_beside(TimedCore& other) {
    std::vector<std::uint64_t> cycles;
    core.set_pc(kCode);
    other.core.set_pc(kCode);
    const auto is_at_end = [](const TimedCore& each) {
      return each.core.pc() == kCode + 4 * each.code_.size();
    };
    while (!is_at_end(*this)) {
      if (!is_at_end(other) && other.clock.issued() < clock.issued()) {
        other.step();
      } else {
        cycles.push_back(step());
      }
    }
    while (!is_at_end(other)) other.step();
    return cycles;
  }

  /// The next instruction: the cycle in which it goes.
  std::uint64_t step() {
    const auto fetched = core.fetch();
    if (!fetched) throw std::runtime_error(to_string(fetched.error()));
    riscv::Step next{.instruction = fetched->instruction, .pc = core.pc()};
    if (next.instruction != nullptr) {
      next.first = core.reg(next.instruction->rs1);
      next.second = core.reg(next.instruction->rs2);
    }
    clock.begin(next);
    clock.hold(idle_until);
    const auto done = core.execute(*fetched);
    if (!done) throw std::runtime_error(to_string(done.error()));
    clock.finish(core.pc());
    return clock.issued();
  }

  riscv::Core core;
  riscv::CoreClock clock;
  std::uint64_t idle_until = 0; ///< no instruction goes before
  std::map<std::uint32_t, std::uint32_t> data;

 private:
  Expected<std::uint32_t> fetch(std::uint32_t address) override {
    return code_.at((address - kCode) / 4);
  }
  Expected<std::uint32_t> load(std::uint32_t address, unsigned) override { return data[address]; }
  Expected<void> store(std::uint32_t address, unsigned, std::uint32_t value) override {
    data[address] = value;
    return {};
  }
  Expected<void> push(std::uint32_t) override { return {}; }

  std::vector<std::uint32_t> code_;
};

/// What is repeated, and how often one is counted in it.
struct CoreProbe {
  RiscvCode body = {};
  unsigned count = 64;
};

/// By name; nothing where the clock of a core has no say: units of the coprocessor.
std::optional<CoreProbe> find_core_probe(const std::string& name);

/// Registers and memory that the probes use.
void prepare_probe(TimedCore& core);

/// Cycles by the probe's slope; with a neighbour, T1 or T2, that runs the same beside it.
double probe_slope(Arch arch, riscv::CoreClockOptions options, const CoreProbe& probe,
                   bool has_neighbour = false);

/// Cycles per retired instruction of a zone between two reads of counters, loop included.
std::optional<double> zone_rate(const std::string& name);

} // namespace lanewise::test
