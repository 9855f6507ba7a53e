#include "source/compiler/hoist.h"

#include <algorithm>
#include <map>
#include <vector>

#include "source/compiler/intervals.h"
#include "source/compiler/lane_sets.h"
#include "source/compiler/regions.h"

namespace lanewise::compiler {

namespace {

using isa::Op;

/// A register that is loaded in one place and never written again.
struct LoadedConstant {
  unsigned reg = 0;
  std::size_t first = 0; ///< its loads: instructions [first, first + loads)
  std::size_t loads = 0;
};

/// All registers with the same bits.
struct Hoistable {
  std::vector<LoadedConstant> places; ///< in the order of the program

  std::size_t loads() const { return places.front().loads; }
  /// Instructions that need not be there.
  std::size_t saved() const { return (places.size() - 1) * loads(); }
};

bool is_load(const Instr& instr) {
  return instr.kind == InstrKind::Tensix && instr.op == Op::SFPLOADI;
}

/// Registers that hold one constant all their life.
std::vector<LoadedConstant> find_constants(const Code& code) {
  std::vector<LoadedConstant> found(code.origins.size());
  std::vector<bool> is_other(code.origins.size());
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Instr& instr = code.instrs[i];
    for_each_def(instr, [&](Reg reg) {
      if (!reg.is_virtual()) return;
      LoadedConstant& each = found[reg.number()];
      const bool goes_on = each.loads == 0 || each.first + each.loads == i;
      is_other[reg.number()] =
          is_other[reg.number()] || !is_load(instr) || instr.keeps_vd || !goes_on;
      if (each.loads++ == 0) each = {reg.number(), i, 1};
    });
  }
  std::erase_if(found,
                [&](const LoadedConstant& each) { return each.loads == 0 || is_other[each.reg]; });
  return found;
}

/// What the loads of a register put there.
std::vector<std::pair<unsigned, std::int32_t>> content(const Code& code,
                                                       const LoadedConstant& constant) {
  std::vector<std::pair<unsigned, std::int32_t>> loads;
  for (std::size_t i = 0; i < constant.loads; ++i) {
    const Instr& instr = code.instrs[constant.first + i];
    loads.emplace_back(instr.mod, instr.imm);
  }
  return loads;
}

/// All constants, those that save the most first.
std::vector<Hoistable> find_constants_by_content(const Code& code) {
  std::vector<LoadedConstant> constants = find_constants(code);
  std::ranges::sort(constants, {}, &LoadedConstant::first);
  std::map<std::vector<std::pair<unsigned, std::int32_t>>, Hoistable> by_content;
  for (const LoadedConstant& each : constants)
    by_content[content(code, each)].places.push_back(each);
  std::vector<Hoistable> found;
  found.reserve(by_content.size());
  for (auto& [bits, hoistable] : by_content) found.push_back(std::move(hoistable));
  std::ranges::sort(found, [](const Hoistable& a, const Hoistable& b) {
    return std::pair(b.saved(), a.places.front().first) <
           std::pair(a.saved(), b.places.front().first);
  });
  return found;
}

/// Where a constant is loaded that is first needed at `use`: before what can overlap with that, so
/// that rows stay alike; where all lanes are enabled, and not between two words of the author's.
std::size_t place_before(const Code& code, const CodeLanes& lanes, std::size_t use) {
  const auto is_raw = [&](std::size_t i) { return code.instrs[i].kind == InstrKind::Raw; };
  const auto is_good = [&](std::size_t i) {
    const Instr& before = code.instrs[i - 1];
    const bool ends_row = before.kind != InstrKind::Tensix || before.op == Op::SFPCONFIG;
    return ends_row && lanes.of[i] == 0 && !(is_raw(i) && is_raw(i - 1));
  };
  std::size_t place = use;
  while (place > 0 && !is_good(place)) --place;
  return place;
}

/// Of each instruction the number of dst_reg++ before it.
std::vector<unsigned> count_steps(const Code& code) {
  std::vector<unsigned> steps;
  steps.reserve(code.instrs.size() + 1);
  steps.push_back(0);
  for (const Instr& each : code.instrs) steps.push_back(steps.back() + (is_row_step(each) ? 1 : 0));
  return steps;
}

/// The constants to load elsewhere: the best, and all that are kept over several rows anyway.
std::vector<Hoistable> choose(const Code& code, std::size_t count) {
  const std::vector<unsigned> steps = count_steps(code);
  const Intervals intervals = find_intervals(code, true);
  std::vector<Hoistable> chosen;
  for (Hoistable& each : find_constants_by_content(code)) {
    if (each.saved() > 0 && chosen.size() < count) {
      chosen.push_back(std::move(each));
      continue;
    }
    for (const LoadedConstant& place : each.places) {
      const std::size_t last = intervals.of[place.reg].last / 2;
      if (steps[place.first] != steps[last]) chosen.push_back({{place}});
    }
  }
  return chosen;
}

void rename(Code& code, const std::vector<Reg>& names) {
  for (Instr& instr : code.instrs) {
    for_each_operand(instr, [&](Reg& reg) {
      if (reg.is_virtual() && !names[reg.number()].is_none()) reg = names[reg.number()];
    });
  }
}

using Loads = std::multimap<std::size_t, Instr>; ///< by the place that they stand before

/// Leaves out the instructions that are `gone`, puts in the loads, and gives registers new names.
void rebuild(Code& code, const std::vector<bool>& gone, Loads loads,
             const std::vector<Reg>& names) {
  std::vector<Instr> instrs;
  instrs.reserve(code.instrs.size());
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const auto [begin, end] = loads.equal_range(i);
    for (auto each = begin; each != end; ++each) instrs.push_back(std::move(each->second));
    if (!gone[i]) instrs.push_back(std::move(code.instrs[i]));
  }
  code.instrs = std::move(instrs);
  rename(code, names);
}

} // namespace

void hoist_constants(Code& code, std::size_t count) {
  if (!may_reorder(code)) return;
  const CodeLanes lanes = find_lanes(code);
  std::vector<bool> gone(code.instrs.size());
  std::vector<Reg> names(code.origins.size());
  Loads loads;
  for (const Hoistable& each : choose(code, count)) {
    const LoadedConstant& first = each.places.front();
    const std::size_t place = place_before(code, lanes, first.first);
    for (std::size_t i = 0; i < first.loads; ++i)
      loads.emplace(place, code.instrs[first.first + i]);
    for (const LoadedConstant& other : each.places) {
      for (std::size_t i = 0; i < other.loads; ++i) gone[other.first + i] = true;
      names[other.reg] = Reg::virt(first.reg);
    }
  }
  rebuild(code, gone, std::move(loads), names);
}

void share_constants(Code& code) {
  if (!may_reorder(code)) return;
  std::vector<std::size_t> stretch{0}; // of each instruction: the number of fences before it
  for (const Instr& each : code.instrs)
    stretch.push_back(stretch.back() + (is_fence(code.arch, each) ? 1 : 0));
  std::vector<bool> gone(code.instrs.size());
  std::vector<Reg> names(code.origins.size());
  for (const Hoistable& each : find_constants_by_content(code)) {
    const LoadedConstant* first = nullptr; // of this stretch
    for (const LoadedConstant& place : each.places) {
      if (first == nullptr || stretch[first->first] != stretch[place.first]) {
        first = &place;
        continue;
      }
      for (std::size_t i = 0; i < place.loads; ++i) gone[place.first + i] = true;
      names[place.reg] = Reg::virt(first->reg);
    }
  }
  rebuild(code, gone, {}, names);
}

std::size_t count_hoistable(const Code& code) {
  if (!may_reorder(code)) return 0;
  const std::vector<Hoistable> found = find_constants_by_content(code);
  return static_cast<std::size_t>(
      std::ranges::count_if(found, [](const Hoistable& each) { return each.saved() > 0; }));
}

} // namespace lanewise::compiler
