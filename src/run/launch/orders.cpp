#include "run/launch/orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/in_quotes.h"
#include "run/launch/images.h"
#include "source/programs/formats.h"

namespace lanewise::launch {

namespace {

using tile::Order;
using tile::ScheduleChoice;

std::string_view order_name(Order order) {
  switch (order) {
    case Order::RoundRobin: return "round-robin";
    case Order::Random: return "random";
    case Order::Adversarial: return "adversarial";
    case Order::Priority: return "priority";
  }
  return "";
}

/// An element of a page, as its bytes make a number.
std::string element_text(std::span<const std::uint8_t> bytes) {
  std::string text = "0x";
  for (std::size_t i = bytes.size(); i-- > 0;) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

/// What only the first of two has.
std::optional<std::string> only_in(const LaunchOutcome& one, const LaunchOutcome& other) {
  for (const Fault& fault : one.faults)
    if (std::ranges::find(other.faults, fault) == other.faults.end()) return to_string(fault);
  return std::nullopt;
}

std::string end_text(const LaunchOutcome& outcome) {
  if (outcome.failure) return "fails: " + outcome.failure->message;
  if (!outcome.blocked.empty()) return "ends in a deadlock: " + outcome.blocked.front();
  return outcome.ran_out ? "does not come to an end" : "comes to its end";
}

} // namespace

std::vector<ScheduleChoice> orders_to_compare(unsigned seeds) {
  std::vector<ScheduleChoice> orders{
      {}, {.order = Order::Adversarial, .seed = 0}, {.order = Order::Adversarial, .seed = 1}};
  for (unsigned seed = 1; seed <= seeds; ++seed)
    orders.push_back({.order = Order::Random, .seed = seed});
  return orders;
}

std::string order_text(const ScheduleChoice& order) {
  if (order.order == Order::RoundRobin) return std::string(order_name(order.order));
  return fmt::format("{} with seed {}", order_name(order.order), order.seed);
}

std::string order_options(const ScheduleChoice& order) {
  return fmt::format("--order {} --seed {}", order_name(order.order), order.seed);
}

std::optional<Fault> outcome_difference(const programs::Program& program, const LaunchOutcome& one,
                                        const ScheduleChoice& first, const LaunchOutcome& other,
                                        const ScheduleChoice& second,
                                        std::span<const unsigned> element_bytes) {
  Fault fault{.kind = FaultKind::UnpredictableValue,
              .message = {},
              .remedy = fmt::format("repeat it with {}; look for data that are used before they "
                                    "have come, or changed before they have gone",
                                    order_options(second)),
              .rule = "programs 18"};
  if (end_text(one) != end_text(other)) {
    fault.message =
        fmt::format("in order {} the program {}, and in order {} it {}", order_text(first),
                    end_text(one), order_text(second), end_text(other));
    return fault;
  }
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const auto& a = one.buffers[i];
    const auto& b = other.buffers[i];
    const auto place = std::ranges::mismatch(a, b).in1 - a.begin();
    const auto at = static_cast<std::uint64_t>(place);
    if (at >= a.size() || at >= b.size()) continue;
    const programs::Buffer& buffer = program.buffers[i];
    const std::uint64_t page = at / buffer.page_bytes, within = at % buffer.page_bytes;
    const bool has_elements = element_bytes[i] > 1;
    const std::uint64_t bytes = has_elements ? element_bytes[i] : 1, element = within / bytes;
    const std::uint64_t begin = page * buffer.page_bytes + element * bytes;
    const auto bytes_of = [&](const std::vector<std::uint8_t>& all) {
      return element_text(std::span(all).subspan(begin, std::min(bytes, all.size() - begin)));
    };
    fault.message = fmt::format(
        "buffer {}{} differs: page {}, {} {}, is {} in order {} and {} in order {}",
        in_quotes(buffer.name), buffer.origin.empty() ? "" : fmt::format(" ({})", buffer.origin),
        page, has_elements ? "element" : "byte", element, bytes_of(a), order_text(first),
        bytes_of(b), order_text(second));
    return fault;
  }
  for (const bool is_second : {false, true}) {
    const auto only = is_second ? only_in(other, one) : only_in(one, other);
    if (!only) continue;
    fault.message = fmt::format("only in order {} this is found: {}",
                                order_text(is_second ? second : first), *only);
    return fault;
  }
  return std::nullopt;
}

std::vector<unsigned> element_bytes(std::span<const programs::BufferFiles> files) {
  constexpr std::uint32_t kData = 1024;
  std::vector<unsigned> all;
  for (const programs::BufferFiles& each : files) {
    const std::uint32_t bytes = programs::format_bytes(each.format, kData);
    all.push_back(bytes % kData == 0 ? bytes / kData : 0);
  }
  return all;
}

std::string compared_text(const ComparedOrders& compared) {
  std::string text = fmt::format("{} orders, the same buffers and findings:", compared.run.size());
  for (const ScheduleChoice& order : compared.run)
    text += fmt::format("{} {}", &order == compared.run.data() ? "" : ",", order_text(order));
  return text;
}

Expected<ComparedOrders> compare_orders(const programs::Program& program,
                                        const programs::Layout& layout, const LaunchOnce& once,
                                        std::span<const ScheduleChoice> orders,
                                        std::span<const unsigned> elements,
                                        const DeviceMemory& memory) {
  ComparedOrders compared;
  const MemoryImage before = memory.image(layout.dram_bytes);
  MemoryImage after;
  for (const ScheduleChoice& order : orders) {
    const bool is_first = compared.run.empty();
    if (!is_first) memory.restore(before);
    auto outcome = once(order);
    if (!outcome) {
      if (!is_first) memory.restore(after);
      return Unexpected(outcome.error());
    }
    if (outcome->was_stopped && !is_first) { // on its way, which compares nothing
      compared.outcome.was_stopped = compared.outcome.ran_out = true;
      break;
    }
    outcome->buffers = buffer_contents(program, layout, memory.l1_of_cores(), memory.dram());
    compared.run.push_back(order);
    if (is_first) {
      compared.outcome = std::move(*outcome);
      after = memory.image(layout.dram_bytes);
    }
    if (compared.outcome.was_stopped) break;
    if (is_first) continue;
    auto difference =
        outcome_difference(program, compared.outcome, orders.front(), *outcome, order, elements);
    if (!difference) continue;
    compared.outcome.faults.push_back(std::move(*difference));
    compared.differs = true;
    break;
  }
  memory.restore(after);
  return compared;
}

} // namespace lanewise::launch
