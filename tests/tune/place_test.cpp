// The placement search: against an exhaustive one on small rows, and its results against the rules.
#include "study/tune/place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string_view>

#include "study/tune/bounds.h"
#include "study/tune/model.h"
#include "study/tune/registers.h"

namespace lanewise::tune {
namespace {

Operation load() {
  return {.unit = Unit::Load};
}

Operation store_of(unsigned value) {
  return {.unit = Unit::Store,
          .operands = {value},
          .issued = {{}},
          .carried = {{.macro_operand = 0}, {.from_hidden = true}}};
}

Operation simple_of(unsigned value) {
  return {.unit = Unit::Simple,
          .operands = {value},
          .issued = {{}},
          .carried = {{.macro_operand = 0}, {.destination = Destination::Hidden}}};
}

Operation multiply_of(std::vector<unsigned> values) {
  return {.unit = Unit::Mad,
          .latency = 2,
          .operands = std::move(values),
          .issued = {{}},
          .carried = {{.macro_operand = 0}}};
}

Operation swap_of(unsigned value) {
  return {.unit = Unit::Simple,
          .latency = 2,
          .busy = 2,
          .blocks_mad = true,
          .operands = {value},
          .issued = {{.tied = 0}},
          .carried = {{.macro_operand = 0}}};
}

Row random_row(std::uint32_t seed, unsigned most) {
  std::mt19937 random(seed);
  Row row{{load()}};
  const auto operations = static_cast<unsigned>(1 + random() % most);
  for (unsigned i = 0; i < operations; ++i) {
    const unsigned last = static_cast<unsigned>(row.operations.size() - 1);
    const unsigned other = static_cast<unsigned>(random() % row.operations.size());
    switch (random() % 4) {
      case 0: row.operations.push_back(simple_of(last)); break;
      case 1: row.operations.push_back(multiply_of({last, other})); break;
      case 2: row.operations.push_back(multiply_of({last})); break;
      case 3: row.operations.push_back(swap_of(last)); break;
    }
  }
  row.operations.push_back(store_of(static_cast<unsigned>(row.operations.size() - 1)));
  return row;
}

// ------------------------------------------------------------------ results keep the rules
TEST(Place, EveryResultKeepsTheRules) {
  const MachineModel machine;
  unsigned found = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Row row = random_row(seed, 8);
    const PlaceResult result =
        place(row, machine, {.last_interval = 20, .steps_per_interval = 20'000});
    if (!result.placement) continue; // a swap may destroy what is still needed
    ++found;
    EXPECT_EQ(find_mistake(row, machine, *result.placement), "") << seed;
    EXPECT_GE(result.placement->interval, result.bound.cycles);
  }
  EXPECT_GT(found, 40U);
}

// A result that nobody reads is written all the same, and takes its register for both cycles.
TEST(Place, ResultsThatNobodyReadKeepTheRules) {
  MachineModel machine;
  machine.macros = 0;
  unsigned found = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    Row row = random_row(seed, 4);
    for (unsigned unread = 0; unread < 2; ++unread)
      row.operations.insert(row.operations.end() - 1, multiply_of({0}));
    for (machine.registers = 2; machine.registers <= 4; ++machine.registers) {
      const PlaceResult result =
          place(row, machine, {.last_interval = 12, .steps_per_interval = 20'000});
      if (!result.placement) continue;
      ++found;
      EXPECT_EQ(find_mistake(row, machine, *result.placement), "") << seed;
    }
  }
  EXPECT_GT(found, 20U);
}

TEST(Place, IsDeterministic) {
  const Row row = random_row(3, 8);
  const PlaceResult first = place(row, {}), second = place(row, {});
  ASSERT_TRUE(first.placement);
  EXPECT_EQ(first.placement->time, second.placement->time);
  EXPECT_EQ(first.placement->registers, second.placement->registers);
}

TEST(Place, StopsWhenAsked) {
  // No schedule has room in three registers, and the search is long.
  const Row row{{load(), multiply_of({0}), multiply_of({1, 0}), multiply_of({2, 1, 0}),
                 multiply_of({3, 2, 1, 0}), store_of(4)}};
  const PlaceResult result =
      place(row, {.registers = 3},
            {.steps_per_interval = 1'000'000, .stop = [](const Attempt&) { return true; }});
  EXPECT_FALSE(result.placement);
  EXPECT_LT(result.attempts.back().steps, 100'000U);
}

// ------------------------------------------------------------------ against an exhaustive search
/// Tries every carrier, form, time and register. It asks find_mistake() alone.
class Exhaustive {
 public:
  Exhaustive(const Row& row, const MachineModel& machine, unsigned interval, unsigned span)
      : row_(row), machine_(machine), span_(span) {
    at_.interval = interval;
    at_.time.resize(row.operations.size());
    at_.carrier.assign(row.operations.size(), kNone);
    at_.form.assign(row.operations.size(), 0);
  }

  /// With 0 to machine.macros macros, of which the first may be that of the load.
  bool has_placement() {
    for (unsigned macros = 0; macros <= machine_.macros; ++macros) {
      for (const bool takes_load : {false, true}) {
        if (takes_load && macros == 0) continue;
        at_.macros.assign(macros, {});
        at_.carrier[0] = takes_load ? 0 : kNone;
        if (takes_load) at_.macros[0].load = 0;
        if (choose(0)) return true;
      }
    }
    return false;
  }

 private:
  unsigned earliest(unsigned i) const {
    unsigned time = 0;
    for (const unsigned operand : row_.operations[i].operands)
      time = std::max(time, at_.time[operand] + row_.operations[operand].latency);
    return time;
  }

  bool choose(unsigned i) {
    if (i == row_.operations.size()) return choose_macro(0);
    const Operation& operation = row_.operations[i];
    const unsigned last = i == 0 ? 0 : span_ - 1;
    for (unsigned time = earliest(i); time <= last; ++time) {
      at_.time[i] = time;
      if (operation.unit == Unit::Load) {
        if (choose(i + 1)) return true;
        continue;
      }
      for (unsigned form = 0; form < operation.issued.size(); ++form) {
        at_.carrier[i] = kNone;
        at_.form[i] = form;
        if (choose(i + 1)) return true;
      }
      for (unsigned m = 0; m < at_.macros.size(); ++m) {
        if (has_unit(m, i)) continue;
        for (unsigned form = 0; form < operation.carried.size(); ++form) {
          at_.carrier[i] = m;
          at_.form[i] = form;
          if (choose(i + 1)) return true;
        }
        at_.carrier[i] = kNone;
      }
    }
    return false;
  }

  bool has_unit(unsigned m, unsigned before) const {
    for (unsigned i = 1; i < before; ++i) {
      if (at_.carrier[i] == m && row_.operations[i].unit == row_.operations[before].unit)
        return true;
    }
    return false;
  }

  bool choose_macro(unsigned m) {
    if (m == at_.macros.size()) return choose_registers();
    Macro& macro = at_.macros[m];
    if (macro.load != kNone) {
      macro.time = at_.time[macro.load];
      return choose_macro(m + 1);
    }
    for (macro.time = 0; macro.time < span_; ++macro.time) {
      if (choose_macro(m + 1)) return true;
    }
    return false;
  }

  bool choose_registers() {
    for (at_.copies = 1; at_.copies * at_.interval <= machine_.slots; ++at_.copies) {
      at_.registers.assign(row_.operations.size(), std::vector<unsigned>(at_.copies, kNone));
      for (Macro& macro : at_.macros) macro.registers.assign(at_.copies, kNone);
      const std::string mistake = find_mistake(row_, machine_, at_);
      if (!mistake.empty() && mistake != "a value has no register") continue;
      std::vector<unsigned*> wanted;
      for (unsigned i = 0; i < row_.operations.size(); ++i) {
        const bool hidden =
            at_.carrier[i] != kNone && row_.operations[i].unit == Unit::Simple &&
            row_.operations[i].carried[at_.form[i]].destination == Destination::Hidden;
        if (row_.operations[i].unit == Unit::Store || hidden) continue;
        for (unsigned& lreg : at_.registers[i]) wanted.push_back(&lreg);
      }
      for (Macro& macro : at_.macros) {
        for (unsigned& lreg : macro.registers) wanted.push_back(&lreg);
      }
      if (give(wanted, 0)) return true;
    }
    return false;
  }

  bool give(const std::vector<unsigned*>& wanted, std::size_t index) {
    if (index == wanted.size()) return find_mistake(row_, machine_, at_).empty();
    for (unsigned lreg = 0; lreg < machine_.registers; ++lreg) {
      *wanted[index] = lreg;
      if (give(wanted, index + 1)) return true;
    }
    return false;
  }

  const Row& row_;
  const MachineModel& machine_;
  unsigned span_;
  Placement at_;
};

/// Small enough for every possibility: two registers, one macro, four slots.
constexpr MachineModel kSmallMachine{
    .registers = 2, .macros = 1, .templates = 2, .longest_delay = 3, .slots = 4, .indirect = false};

TEST(Place, FindsAPlacementWhereverThereIsOne) {
  unsigned found = 0, impossible = 0;
  for (std::uint32_t seed = 0; seed < 14; ++seed) {
    const Row row = random_row(seed, 2);
    const unsigned span = shortest_span(row) + 1;
    for (unsigned interval = 1; interval <= 3; ++interval) {
      Placement placement;
      std::uint64_t steps = 0;
      const Outcome outcome =
          search_span(row, kSmallMachine, {.interval = interval, .span = span}, placement, steps);
      const bool exists = Exhaustive(row, kSmallMachine, interval, span).has_placement();
      EXPECT_EQ(outcome == Outcome::Found, exists)
          << "seed " << seed << ", interval " << interval << ", span " << span;
      if (outcome == Outcome::Found) {
        EXPECT_EQ(find_mistake(row, kSmallMachine, placement), "");
      }
      ++(exists ? found : impossible);
    }
  }
  EXPECT_GT(found, 5U);
  EXPECT_GT(impossible, 5U); // or the comparison says nothing
}

// What is placed behind its reader, at the latest time first, is found wherever it can be: a
// constant of one SFPLOADI, and of two of which the second keeps a half.
TEST(Place, ConstantsOfARowAreFoundWhereverTheyCanBe) {
  const Operation constant{.unit = Unit::Immediate, .issued = {{}}, .is_constant = true};
  Operation other_half = constant;
  other_half.operands = {1};
  other_half.issued = {{.tied = 0}};
  const auto sum_of = [](unsigned a, unsigned b, unsigned tied) {
    return Operation{.unit = Unit::Simple, .operands = {a, b}, .issued = {{.tied = tied}}};
  };
  unsigned found = 0, impossible = 0;
  for (const unsigned tied : {0U, 1U}) {
    for (const Row& row : {Row{{load(), constant, sum_of(0, 1, tied), store_of(2)}},
                           Row{{load(), constant, other_half, sum_of(0, 2, tied), store_of(3)}},
                           Row{{load(), simple_of(0), constant, sum_of(1, 2, tied), sum_of(3, 2, 0),
                                store_of(4)}}}) {
      for (unsigned interval = 1; interval <= kSmallMachine.slots; ++interval) {
        const unsigned span = shortest_span(row) + 1;
        Placement placement;
        std::uint64_t steps = 0;
        const Outcome outcome =
            search_span(row, kSmallMachine, {.interval = interval, .span = span}, placement, steps);
        const bool exists = Exhaustive(row, kSmallMachine, interval, span).has_placement();
        EXPECT_EQ(outcome == Outcome::Found, exists)
            << interval << " " << row.operations.size() << " " << tied;
        if (outcome == Outcome::Found) {
          EXPECT_EQ(find_mistake(row, kSmallMachine, placement), "");
        }
        ++(exists ? found : impossible);
      }
    }
  }
  EXPECT_GT(found, 2U);
  EXPECT_GT(impossible, 2U);
}

// ------------------------------------------------------------------ what units have in common
Operation round_of(unsigned value, std::vector<CarriedForm> carried) {
  return {.unit = Unit::Round, .operands = {value}, .issued = {{}}, .carried = std::move(carried)};
}

Outcome outcome_at(const Row& row, unsigned interval) {
  Placement placement;
  std::uint64_t steps = 0;
  const unsigned span = shortest_span(row) + 2 * interval;
  return search_span(row, {}, {.interval = interval, .span = span}, placement, steps);
}

// Of Simple and Round in one cycle exactly one must write LReg[16] (VU 5.5).
TEST(Place, SimpleAndRoundDoNotBothWriteRegistersInACycle) {
  const Operation to_register = round_of(1, {{.macro_operand = 0}});
  const Row row{{load(), simple_of(0), to_register, store_of(2)}};
  EXPECT_EQ(outcome_at(row, 1), Outcome::Exhausted);
  EXPECT_EQ(outcome_at(row, 2), Outcome::Found);
  const Operation to_hidden =
      round_of(1, {{.macro_operand = 0, .destination = Destination::Hidden}});
  EXPECT_EQ(outcome_at({{load(), simple_of(0), to_hidden, store_of(2)}}, 1), Outcome::Found);
}

// In the second cycle of an SFPSWAP Round must be idle (VU 5.5).
TEST(Place, RoundIsIdleInBothCyclesOfASwap) {
  const Row row{{load(), swap_of(0), round_of(1, {{.macro_operand = 0}}), store_of(2)}};
  EXPECT_EQ(outcome_at(row, 2), Outcome::Exhausted);
  EXPECT_EQ(outcome_at(row, 3), Outcome::Found);
}

// The second cycle of an SFPSWAP is not the first one of the next row's (VU 5.5).
TEST(Place, ASwapDoesNotOverlapItself) {
  const Row row{{load(), swap_of(0), store_of(1)}};
  EXPECT_EQ(outcome_at(row, 1), Outcome::Exhausted);
  EXPECT_EQ(outcome_at(row, 2), Outcome::Found);
}

// ------------------------------------------------------------------ bounds
TEST(Bounds, NoIntervalIsBelowThem) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const Row row = random_row(seed, 2);
    const unsigned bound = resource_bounds(row, kSmallMachine).front().cycles;
    const unsigned span = shortest_span(row) + 1;
    for (unsigned interval = 1; interval < bound; ++interval)
      EXPECT_FALSE(Exhaustive(row, kSmallMachine, interval, span).has_placement()) << seed;
  }
}

TEST(Bounds, CountSwapsTwice) { // VU 5.5
  const Row row{{load(), swap_of(0), swap_of(1), store_of(2)}};
  const auto bounds = resource_bounds(row, {});
  EXPECT_EQ(bounds.front().resource, "Simple");
  EXPECT_EQ(bounds.front().cycles, 4U);
}

unsigned bound_of(const Row& row, std::string_view resource) {
  const auto bounds = resource_bounds(row, {});
  const auto found = std::ranges::find(bounds, resource, &ResourceBound::resource);
  return found == bounds.end() ? kNone : found->cycles;
}

// MAD executes nothing in the cycle in which an SFPSWAP starts (VU 5.5).
TEST(Bounds, CountSwapsForMad) {
  EXPECT_EQ(bound_of({{load(), multiply_of({0}), swap_of(1), swap_of(2), store_of(3)}}, "MAD"), 3U);
}

// A macro beyond the loads takes a slot of its own: a second one would carry an operation more, and
// save nothing.
TEST(Bounds, CountTheSlotOfAMacroWithoutALoad) {
  EXPECT_EQ(bound_of({{load(), simple_of(0), simple_of(1), store_of(2)}}, "issue slots"), 2U);
  EXPECT_EQ(bound_of({{load(), load(), simple_of(0), simple_of(2), store_of(3)}}, "issue slots"),
            2U);
}

// Beside an operation that is alone in its cycle no unit works.
TEST(Bounds, CountWhatIsAlone) {
  Operation test = simple_of(0);
  test.alone = true;
  test.carried.clear();
  const Row row{{load(), test, multiply_of({0}), store_of(2)}};
  EXPECT_EQ(bound_of(row, "MAD"), 2U);
  EXPECT_EQ(bound_of(row, "Simple"), 1U);
  EXPECT_EQ(bound_of(row, "Round"), 0U); // nothing to do
}

// ------------------------------------------------------------------ the examiner can say no
Placement a_placement(const Row& row) {
  return place(row, {}).placement.value();
}

TEST(FindMistake, OfAnOperationThatReadsTooEarly) {
  const Row row{{load(), multiply_of({0}), simple_of(1), store_of(2)}};
  Placement placement = a_placement(row);
  placement.time[2] = placement.time[1] + 1; // the product takes two cycles
  EXPECT_NE(find_mistake(row, {}, placement), "");
}

TEST(FindMistake, OfTwoValuesInOneRegister) {
  const Row row{{load(), multiply_of({0}), multiply_of({1, 0}), store_of(2)}};
  MachineModel machine;
  machine.macros = 0;
  Placement placement = place(row, machine).placement.value();
  placement.registers[1] = placement.registers[0];
  EXPECT_NE(find_mistake(row, machine, placement), "");
}

TEST(FindMistake, OfAMacroOutOfReach) {
  const Row row{{load(), simple_of(0), store_of(1)}};
  Placement placement = a_placement(row);
  ASSERT_FALSE(placement.macros.empty());
  placement.time[2] += 9;
  EXPECT_NE(find_mistake(row, {}, placement), "");
}

} // namespace
} // namespace lanewise::tune
