#include "source/compiler/dependences.h"

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

constexpr std::size_t kFirstVirtual = 16; ///< in DependenceFinder::registers_

} // namespace

DependenceFinder::DependenceFinder(const Code& code)
    : code_(code), registers_(kFirstVirtual + code.origins.size()) {}

Lists<Dependence> DependenceFinder::find(std::size_t first, std::size_t last) {
  first_ = first;
  for (const std::size_t each : used_) registers_[each] = {};
  used_.clear();
  found_.clear();
  latencies_.clear();
  readers_.clear();
  accesses_.clear();
  draws_.clear();
  const std::size_t count = last - first;
  for (std::size_t i = 0; i < count; ++i) {
    latencies_.push_back(latency_of(code_.arch, at(i)));
    follow_registers(i);
    follow_dst(i);
    follow_random_numbers(i);
  }
  if (is_fence(code_.arch, at(count - 1)))
    for (std::size_t i = 0; i + 1 < count; ++i) order(i, count - 1, 1);
  Lists<Dependence> lists;
  lists.assign(count, [&](const auto& add) {
    for (const auto& [before, dependence] : found_) add(before, dependence);
  });
  return lists;
}

DependenceFinder::History& DependenceFinder::history_of(Reg reg) {
  const std::size_t place = reg.number() + (reg.is_virtual() ? kFirstVirtual : 0);
  History& history = registers_[place];
  if (history.writer == kNobody && history.last_reader == kNobody) used_.push_back(place);
  return history;
}

void DependenceFinder::order(std::size_t before, std::size_t after, unsigned distance) {
  if (before != after) found_.push_back({before, {after, distance}});
}

void DependenceFinder::follow_registers(std::size_t i) {
  const auto now = static_cast<std::uint32_t>(i);
  const auto follow_writer = [&](const History& history) {
    if (history.writer != kNobody) order(history.writer, i, latencies_[history.writer]);
  };
  for_each_use(at(i), [&](Reg reg) {
    History& history = history_of(reg);
    follow_writer(history);
    readers_.push_back({now, history.last_reader});
    history.last_reader = static_cast<std::uint32_t>(readers_.size() - 1);
  });
  for_each_def(at(i), [&](Reg reg) {
    History& history = history_of(reg);
    follow_writer(history);
    for (std::uint32_t r = history.last_reader; r != kNobody; r = readers_[r].before)
      order(readers_[r].instr, i, 1);
    history = {.writer = now};
  });
}

void DependenceFinder::follow_dst(std::size_t i) {
  if (!accesses_dst(at(i))) return;
  for (const std::size_t before : accesses_) {
    const bool writes = at(before).op == Op::SFPSTORE || at(i).op == Op::SFPSTORE;
    if (writes && may_meet(at(before), at(i))) order(before, i, 1);
  }
  accesses_.push_back(i);
}

void DependenceFinder::follow_random_numbers(std::size_t i) {
  const RandomUse use = effects_of(code_.arch, at(i)).random_use();
  const bool looks = looks_at_random_number(at(i), use);
  if (!looks && use != RandomUse::IfStochastic) return;
  for (const Draw& before : draws_) {
    if (before.looks || looks) order(before.instr, i, 1);
  }
  draws_.push_back({i, looks});
}

unsigned cycles_of(Arch arch, const Instr& instr) {
  return effects_of(arch, instr).pace() == isa::Pace::Exclusive ? 2 : 1;
}

} // namespace lanewise::compiler
