#include "run/vectors/conformance.h"

#include <fmt/format.h>

#include <bitset>

#include "chip/machine/executor.h"
#include "chip/machine/frontend/front_end.h"
#include "run/vectors/difference.h"
#include "run/vectors/tile_conformance.h"

namespace lanewise::lab {

namespace {

using Values = std::vector<std::uint32_t>;

std::optional<Difference> compare_lanes(const std::string& name, const std::uint32_t* expected,
                                        const std::uint32_t* found) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (expected[lane] != found[lane]) {
      return differ(fmt::format("{} lane {}", name, lane), expected[lane], found[lane], 8);
    }
  }
  return std::nullopt;
}

std::optional<Difference> compare_flags(const Values& v, const VectorState& s) {
  const std::uint32_t use = v[0] != 0 ? kAllLanes : 0;
  if (s.use_flags != use) return differ("UseLaneFlagsForLaneEnable", use, s.use_flags, 8);
  if (s.flags != v[1]) return differ("LaneFlags", v[1], s.flags, 8);
  return std::nullopt;
}

std::optional<Difference> compare_depth(std::uint32_t expected, const FlagStack& stack) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (stack.depth(lane) != expected) {
      return differ_decimal(fmt::format("flag stack depth of lane {}", lane), expected,
                            stack.depth(lane));
    }
  }
  return std::nullopt;
}

/// `row`: for instance "Dst row 3".
std::optional<Difference> compare_row(const std::string& row, const auto* found,
                                      const auto* expected) {
  for (unsigned column = 0; column < kDstColumns; ++column) {
    if (found[column] != expected[column]) {
      return differ(fmt::format("{} column {}", row, column), expected[column], found[column],
                    2 * static_cast<int>(sizeof *found));
    }
  }
  return std::nullopt;
}

std::optional<Difference> compare_dst_row(unsigned row, const Dst& dst, const auto* expected) {
  return compare_row(fmt::format("Dst row {}", row), dst.cell[row], expected);
}

const SourceFile& source_file(const MachineState& s, VectorItem item) {
  return item == VectorItem::SrcA ? s.srca : s.srcb;
}

std::optional<Difference> compare_source_row(VectorItem item, unsigned bank, unsigned row,
                                             const MachineState& s, const std::uint32_t* expected) {
  const std::string_view name = item == VectorItem::SrcA ? "SrcA" : "SrcB";
  return compare_row(fmt::format("{} bank {} row {}", name, bank, row),
                     source_file(s, item).cell[bank][row], expected);
}

std::optional<Difference> compare_numbers(const Values& expected,
                                          std::initializer_list<std::uint32_t> found,
                                          std::initializer_list<std::string_view> names) {
  const auto* value = found.begin();
  const auto* name = names.begin();
  for (std::size_t i = 0; i < expected.size(); ++i, ++value, ++name) {
    if (expected[i] != *value) return differ_decimal(std::string(*name), expected[i], *value);
  }
  return std::nullopt;
}

std::optional<Difference> compare_valid(const Values& v, const Dst& dst) {
  for (std::uint32_t row = v[0]; row <= v[1]; ++row) {
    const auto found = static_cast<std::uint32_t>(dst.valid(row));
    if (found != v[2])
      return differ_decimal(fmt::format("valid flag of Dst row {}", row), v[2], found);
  }
  return std::nullopt;
}

/// Every Dst row that no expectation names still has its cells; rows expected to be invalid are
/// exempt.
std::optional<Difference> compare_unchanged_dst(const VectorCase& test, const Dst& dst) {
  std::bitset<kDstRows> exempt;
  for (const Expectation& each : test.expectations) {
    if (each.item == VectorItem::Dst) exempt.set(each.values[0]);
    if (each.item == VectorItem::DstValid && each.values[2] == 0) {
      for (std::uint32_t row = each.values[0]; row <= each.values[1]; ++row) exempt.set(row);
    }
  }
  for (unsigned row = 0; row < kDstRows; ++row) {
    if (exempt[row]) continue;
    if (auto difference = compare_dst_row(row, dst, test.initial.dst.cell[row])) return difference;
  }
  return std::nullopt;
}

/// Every row of SrcA or SrcB, in both banks, that no expectation names still has its cells.
std::optional<Difference> compare_unchanged_source(const VectorCase& test, VectorItem item,
                                                   const MachineState& s) {
  std::bitset<std::size_t{kSourceBanks} * kSourceRows> exempt;
  for (const Expectation& each : test.expectations) {
    if (each.item == item) exempt.set(each.values[0] * kSourceRows + each.values[1]);
  }
  const SourceFile& initial = source_file(test.initial, item);
  for (unsigned bank = 0; bank < kSourceBanks; ++bank) {
    for (unsigned row = 0; row < kSourceRows; ++row) {
      if (exempt[bank * kSourceRows + row]) continue;
      if (auto difference = compare_source_row(item, bank, row, s, initial.cell[bank][row]))
        return difference;
    }
  }
  return std::nullopt;
}

std::optional<Difference> compare_unchanged(const VectorCase& test, const Values& files,
                                            const MachineState& s) {
  for (const std::uint32_t file : files) {
    const auto item = static_cast<VectorItem>(file);
    if (item == VectorItem::L1) continue; // tile_conformance.cpp
    auto difference = item == VectorItem::Dst ? compare_unchanged_dst(test, s.dst)
                                              : compare_unchanged_source(test, item, s);
    if (difference) return difference;
  }
  return std::nullopt;
}

} // namespace

std::optional<Difference> compare_in_machine(const VectorCase& test, const Expectation& expectation,
                                             const MachineState& s) {
  const Values& v = expectation.values;
  switch (expectation.item) {
    case VectorItem::LReg:
      return compare_lanes(fmt::format("LReg[{}]", v[0]), v.data() + 1, s.vector.lreg[v[0]]);
    case VectorItem::Cc: return compare_flags(v, s.vector);
    case VectorItem::CcDepth: return compare_depth(v[0], s.vector.stack);
    case VectorItem::Prng: return compare_lanes("PRNG", v.data(), s.vector.prng);
    case VectorItem::Dst: return compare_dst_row(v[0], s.dst, v.data() + 1);
    case VectorItem::Rwc:
      return compare_numbers(v, {s.rwc.dst, s.rwc.srca, s.rwc.srcb, s.rwc.fidelity},
                             {"RWC Dst", "RWC SrcA", "RWC SrcB", "RWC Fidelity"});
    case VectorItem::RwcCr:
      return compare_numbers(v, {s.rwc.dst_cr, s.rwc.srca_cr, s.rwc.srcb_cr},
                             {"RWC Dst_Cr", "RWC SrcA_Cr", "RWC SrcB_Cr"});
    case VectorItem::SrcBank:
      return compare_numbers(v, {s.srca.current, s.srcb.current}, {"bank of SrcA", "bank of SrcB"});
    case VectorItem::SrcOwner: {
      const auto &a = s.srca.owned_by_matrix_unit, &b = s.srcb.owned_by_matrix_unit;
      return compare_numbers(v, {a[0], a[1], b[0], b[1]},
                             {"owner of SrcA bank 0", "owner of SrcA bank 1",
                              "owner of SrcB bank 0", "owner of SrcB bank 1"});
    }
    case VectorItem::DstValid: return compare_valid(v, s.dst);
    case VectorItem::AddrModBit: return compare_numbers(v, {s.rwc.bias}, {"ADDR_MOD bias bit"});
    case VectorItem::SrcA:
    case VectorItem::SrcB: return compare_source_row(expectation.item, v[0], v[1], s, v.data() + 2);
    case VectorItem::Unchanged: return compare_unchanged(test, v, s);
    case VectorItem::L1:
    case VectorItem::Gpr:
    case VectorItem::Adc:
    case VectorItem::Semaphore:
    case VectorItem::Mutex:
    case VectorItem::ConfigWord:
    case VectorItem::ThreadWord:
    case VectorItem::FillBank:
    case VectorItem::SrcFormat:
    case VectorItem::SrcRow:
    case VectorItem::ContextCounter: break; // of a tile (tile_conformance.cpp)
  }
  return std::nullopt;
}

std::optional<Difference> run_case(const VectorCase& test) {
  if (test.tile) return run_tile_case(test);
  FrontEnd front_end(test.arch());
  const MicroProgram program =
      front_end.expand({.name = test.name, .words = test.words, .config = {}});
  for (const Fault& fault : program.faults) {
    if (fault.kind == FaultKind::Unsupported) {
      return Difference{.place = "not executed: " + to_string(fault),
                        .expected = "",
                        .found = "",
                        .line = fault.line};
    }
  }
  MachineState state = test.initial;
  execute(state, program.ops);
  for (const Expectation& expectation : test.expectations) {
    if (auto difference = compare_in_machine(test, expectation, state)) {
      difference->line = expectation.line;
      return difference;
    }
  }
  return std::nullopt;
}

Expected<ConformanceResult> run_conformance(VectorReader& reader, const DifferenceReport& report,
                                            const ConformanceProgress& progress) {
  ConformanceResult result;
  for (;;) {
    auto test = reader.next();
    if (!test) return Unexpected(test.error());
    if (*test == nullptr) return result;
    ++result.cases;
    if (const auto difference = run_case(**test)) {
      ++result.differing;
      report(**test, *difference);
    }
    if (!progress(result)) return result;
  }
}

} // namespace lanewise::lab
