#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "binary/paths/ordering.h"

namespace lanewise::paths {

namespace {

using WordIndices = std::set<std::uint32_t>;

struct Noun {
  std::string_view one, many;
};
constexpr Noun kLoad{"load", "loads"}, kStore{"store", "stores"}, kPush{"push", "pushes"},
    kBranch{"branch", "branches"};

/// "the load at 0x1008", "the loads at 0x1008, 0x1010".
std::string places_text(const elf::Function& function, const Noun& noun, const WordIndices& words) {
  std::vector<std::string> addresses;
  for (const std::uint32_t word : words)
    addresses.push_back(fmt::format("{:#x}", function.words[word].address));
  return fmt::format("the {} at {}", words.size() == 1 ? noun.one : noun.many,
                     fmt::join(addresses, ", "));
}

/// "the store at 0x1010 and the pushes at 0x1014, 0x1018".
std::string stores_text(const elf::Function& function, const WordIndices& stores,
                        const WordIndices& pushes) {
  std::vector<std::string> parts;
  if (!stores.empty()) parts.push_back(places_text(function, kStore, stores));
  if (!pushes.empty()) parts.push_back(places_text(function, kPush, pushes));
  return fmt::format("{}", fmt::join(parts, " and "));
}

void add_poll_note(const elf::Function& function, const OrderedLoad& load,
                   std::vector<OrderingNote>& notes) {
  WordIndices stores, pushes, branches;
  for (const OrderedStore& store : load.stores) {
    if (!store.by_control_only()) continue;
    (store.pushes ? pushes : stores).insert(store.store);
    branches.insert(store.branches.begin(), store.branches.end());
  }
  if (load.polled_by.empty() || branches.empty()) return;
  const bool one = stores.size() + pushes.size() == 1;
  notes.push_back(
      {load.load, fmt::format("a loop polls this load, and {} {} behind it only by the "
                              "control dependency through {}",
                              stores_text(function, stores, pushes), one ? "stays" : "stay",
                              places_text(function, kBranch, branches))});
}

void add_select_note(const elf::Function& function, const SelectCandidate& select,
                     std::vector<OrderingNote>& notes) {
  WordIndices loads, stores, pushes;
  for (const LostOrder& lost : select.lost) {
    loads.insert(lost.load);
    (lost.pushes ? pushes : stores).insert(lost.store);
  }
  if (loads.empty()) return;
  notes.push_back(
      {select.branch,
       fmt::format("as a select, this branch would no longer keep {} behind {}",
                   stores_text(function, stores, pushes), places_text(function, kLoad, loads))});
}

} // namespace

std::vector<OrderingNote> ordering_notes(const elf::Function& function, const Ordering& ordering) {
  std::vector<OrderingNote> notes;
  for (const OrderedLoad& load : ordering.loads) add_poll_note(function, load, notes);
  for (const SelectCandidate& select : ordering.selects) add_select_note(function, select, notes);
  return notes;
}

std::string_view order_text(Order order) {
  switch (order) {
    case Order::Control: return "a control dependency";
    case Order::Address: return "an address dependency";
    case Order::Data: return "a data dependency";
    case Order::AddressBetween: return "an address dependency of an access between them";
    case Order::SameAddress: return "the same address";
    case Order::Fence: return "a fence";
    case Order::Annotation: return "aq or rl of an AMO";
  }
  return "";
}

std::string_view core_order_text(Arch arch) {
  return arch_params(arch).cores.waiting;
}

} // namespace lanewise::paths
