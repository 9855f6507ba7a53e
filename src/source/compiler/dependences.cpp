#include "source/compiler/dependences.h"

#include <map>

#include "chip/isa/effects.h"
#include "source/compiler/regions.h"

namespace lanewise::compiler {

namespace {

using isa::Op;
using isa::RandomUse;

isa::Effects effects_of(Arch arch, const Instr& instr) {
  return {arch, instr.op, instr.mod};
}

/// Cycles until the result can be read.
unsigned latency_of(Arch arch, const Instr& instr) {
  return effects_of(arch, instr).pace() == isa::Pace::Single ? 1 : 2;
}

/// Whether the value of the number matters, not only that it is drawn.
bool looks_at_random_number(const Instr& instr, RandomUse use) {
  constexpr unsigned kSource = 9, kStochastic = 8; // VU C30; bit of Instr::imm
  switch (use) {
    case RandomUse::Never: return false;
    case RandomUse::Always: return true;
    case RandomUse::IfSource: return instr.vc == Reg::physical(kSource);
    case RandomUse::IfStochastic:
      return (static_cast<unsigned>(instr.imm) >> kStochastic & 1U) != 0;
  }
  return true;
}

/// Collects the dependences of each instruction on those before it, in order.
class DependenceFinder {
 public:
  DependenceFinder(const Code& code, std::size_t first, std::size_t last)
      : code_(code), first_(first), found_(last - first) {}

  std::vector<std::vector<Dependence>> run() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      follow_registers(i);
      follow_dst(i);
      follow_random_numbers(i);
    }
    return std::move(found_);
  }

 private:
  /// The last write of a register, and what has read it since.
  struct History {
    std::vector<std::size_t> writers; ///< one at most
    std::vector<std::size_t> readers;
  };

  const Instr& at(std::size_t i) const { return code_.instrs[first_ + i]; }

  void order(std::size_t before, std::size_t after, unsigned distance) {
    if (before != after) found_[before].push_back({after, distance});
  }

  static unsigned key(Reg reg) { return reg.number() * 2 + (reg.is_virtual() ? 1 : 0); }

  void follow_registers(std::size_t i) {
    for_each_use(at(i), [&](Reg reg) {
      History& history = registers_[key(reg)];
      for (const std::size_t writer : history.writers)
        order(writer, i, latency_of(code_.arch, at(writer)));
      history.readers.push_back(i);
    });
    for_each_def(at(i), [&](Reg reg) {
      History& history = registers_[key(reg)];
      for (const std::size_t writer : history.writers)
        order(writer, i, latency_of(code_.arch, at(writer)));
      for (const std::size_t reader : history.readers) order(reader, i, 1);
      history = {.writers = {i}, .readers = {}};
    });
  }

  void follow_dst(std::size_t i) {
    if (!accesses_dst(at(i))) return;
    for (const std::size_t before : accesses_) {
      const bool writes = at(before).op == Op::SFPSTORE || at(i).op == Op::SFPSTORE;
      if (writes && may_meet(at(before), at(i))) order(before, i, 1);
    }
    accesses_.push_back(i);
  }

  void follow_random_numbers(std::size_t i) {
    const RandomUse use = effects_of(code_.arch, at(i)).random_use();
    const bool looks = looks_at_random_number(at(i), use);
    if (!looks && use != RandomUse::IfStochastic) return;
    for (const Draw& before : draws_) {
      if (before.looks || looks) order(before.instr, i, 1);
    }
    draws_.push_back({i, looks});
  }

  struct Draw {
    std::size_t instr;
    bool looks;
  };

  const Code& code_;
  std::size_t first_;
  std::vector<std::vector<Dependence>> found_;
  std::map<unsigned, History> registers_;
  std::vector<std::size_t> accesses_; ///< loads and stores so far
  std::vector<Draw> draws_;           ///< from the PRNG so far
};

} // namespace

std::vector<std::vector<Dependence>> find_dependences(const Code& code, std::size_t first,
                                                      std::size_t last) {
  return DependenceFinder(code, first, last).run();
}

unsigned cycles_of(Arch arch, const Instr& instr) {
  return effects_of(arch, instr).pace() == isa::Pace::Exclusive ? 2 : 1;
}

} // namespace lanewise::compiler
