// A program in several orders of its cores, threads and transactions: what comes of it must not
// depend on the order.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "run/launch/launch.h"
#include "source/programs/description.h"

namespace lanewise::launch {

/// Round robin, two adversarial ones, and random ones with the seeds from 1 on.
std::vector<tile::ScheduleChoice> orders_to_compare(unsigned seeds);

/// "round-robin", "random with seed 3".
std::string order_text(const tile::ScheduleChoice& order);

/// Bytes of the numbers in each buffer, for messages; 0 where they are not known, or in blocks.
std::vector<unsigned> element_bytes(std::span<const programs::BufferFiles> files);

/// "--order random --seed 3".
std::string order_options(const tile::ScheduleChoice& order);

struct ComparedOrders {
  LaunchOutcome outcome; ///< of the first order; where others differ, with a fault that says so
  std::vector<tile::ScheduleChoice> run; ///< up to the first that differs
  bool differs = false;
};

/// "7 orders, the same buffers and findings: round-robin, ...", of outcomes that do not differ.
std::string compared_text(const ComparedOrders& compared);

/// Runs a program once, in an order.
using LaunchOnce = std::function<Expected<LaunchOutcome>(const tile::ScheduleChoice&)>;

/// Each order finds the memories as they are now; they are left as the first one leaves them.
/// `layout`: of the buffers. `elements`: as of element_bytes(). Error: as of `once`.
Expected<ComparedOrders> compare_orders(const programs::Program& program,
                                        const programs::Layout& layout, const LaunchOnce& once,
                                        std::span<const tile::ScheduleChoice> orders,
                                        std::span<const unsigned> elements,
                                        const DeviceMemory& memory);

/// What is different between two outcomes, as a fault of the first buffer, page and element, or of
/// a finding that only one of them has; nothing if they are the same.
std::optional<Fault> outcome_difference(const programs::Program& program, const LaunchOutcome& one,
                                        const tile::ScheduleChoice& first,
                                        const LaunchOutcome& other,
                                        const tile::ScheduleChoice& second,
                                        std::span<const unsigned> element_bytes);

} // namespace lanewise::launch
