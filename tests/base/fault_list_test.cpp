#include "base/fault_list.h"

#include <gtest/gtest.h>

#include <string>

namespace lanewise {
namespace {

Fault fault_at(std::uint32_t line, std::string message = "it is wrong") {
  return {.kind = FaultKind::Hazard, .message = std::move(message), .file = "a.tt", .line = line};
}

TEST(FaultList, KeepsEachOnceInOrder) {
  FaultList list;
  for (const std::uint32_t line : {3U, 1U, 3U, 2U, 1U}) list.add(fault_at(line));
  EXPECT_EQ(list.faults(), (std::vector{fault_at(3), fault_at(1), fault_at(2)}));
}

/// Whatever differs makes another fault.
TEST(FaultList, TellsFaultsApartByEachOfTheirParts) {
  const Fault first = fault_at(1);
  std::vector<Fault> all(9, first);
  all[1].kind = FaultKind::UndefinedBehavior;
  all[2].message = "it is wrong, too";
  all[3].remedy = "mend it";
  all[4].rule = "VU C9";
  all[5].instruction = "SFPMAD";
  all[6].file = "b.tt";
  all[7].column = 2;
  all[8].lane = 3;
  FaultList list;
  list.add(all);
  list.add(all);
  EXPECT_EQ(list.faults(), all);
}

TEST(FaultList, TakesNoMoreThanItMay) {
  FaultList list(2);
  list.add({fault_at(1), fault_at(1), fault_at(2), fault_at(3)});
  EXPECT_EQ(list.faults(), (std::vector{fault_at(1), fault_at(2)}));
}

TEST(FaultList, IsEmptyOnceItIsTakenOrCleared) {
  FaultList list;
  list.add(fault_at(1));
  EXPECT_EQ(list.take(), std::vector{fault_at(1)});
  EXPECT_TRUE(list.faults().empty());
  list.add(fault_at(1));
  EXPECT_EQ(list.faults().size(), 1U) << "what was taken is new again";
  list.clear();
  list.add(fault_at(1));
  EXPECT_EQ(list.faults().size(), 1U);
}

} // namespace
} // namespace lanewise
