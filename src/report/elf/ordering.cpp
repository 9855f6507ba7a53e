#include "report/elf/ordering.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "chip/isa/disassembler.h"
#include "report/elf/json.h"
#include "report/elf/listing.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

using nlohmann::json;
using paths::Order;
using paths::OrderedLoad;
using paths::OrderedStore;
using paths::SelectCandidate;
using WordList = std::vector<std::uint32_t>;

struct OrderKey {
  Order order;
  const char* key; ///< in JSON
};
constexpr std::array kOrders{OrderKey{Order::Control, "control"},
                             OrderKey{Order::Address, "address"},
                             OrderKey{Order::Data, "data"},
                             OrderKey{Order::AddressBetween, "address-between"},
                             OrderKey{Order::SameAddress, "same-address"},
                             OrderKey{Order::Fence, "fence"},
                             OrderKey{Order::Annotation, "annotation"}};

std::uint32_t address_of(const elf::Function& function, std::uint32_t word) {
  return function.words[word].address;
}

std::string addresses(const elf::Function& function, const WordList& words) {
  std::vector<std::string> texts;
  for (const std::uint32_t word : words)
    texts.push_back(fmt::format("{:x}", address_of(function, word)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Branches of the load that do not leave its loop.
WordList other_branches(const OrderedLoad& load) {
  WordList others;
  std::ranges::set_difference(load.branches, load.polled_by, std::back_inserter(others));
  return others;
}

std::string load_text(const elf::Function& function, const OrderedLoad& load) {
  std::vector<std::string> texts;
  if (!load.polled_by.empty())
    texts.push_back(fmt::format("polled, until {}", addresses(function, load.polled_by)));
  if (const WordList others = other_branches(load); !others.empty())
    texts.push_back(fmt::format("decides {}", addresses(function, others)));
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string orders_text(const OrderedStore& store) {
  if (store.by_control_only()) return "only by a control dependency";
  std::vector<std::string_view> texts;
  for (const OrderKey& each : kOrders) {
    if (store.orders.contains(each.order)) texts.push_back(paths::order_text(each.order));
  }
  return texts.empty() ? "on some paths only" : fmt::format("by {}", fmt::join(texts, " and by "));
}

std::string store_text(const OrderedStore& store) {
  return fmt::format("  {}stays behind it {}", store.pushes ? "push, " : "", orders_text(store));
}

/// "6014 would no longer stay behind 6000; ...".
std::string select_text(const elf::Function& function, const SelectCandidate& select) {
  std::vector<std::string> texts;
  for (const paths::LostOrder& lost : select.lost) {
    texts.push_back(fmt::format("{}{:x} would no longer stay behind {:x}",
                                lost.pushes ? "push " : "", address_of(function, lost.store),
                                address_of(function, lost.load)));
  }
  return texts.empty() ? "could be a select, which would lose nothing"
                       : fmt::format("as a select: {}", fmt::join(texts, "; "));
}

/// A line: the word's address, its code, what is said of it, and where it comes from.
class OrderingTable {
 public:
  OrderingTable(const elf::Image& image, const elf::Function& function, Arch arch)
      : image_(image), function_(function), arch_(arch) {}

  void add(std::uint32_t word, std::string said) {
    const elf::CodeWord& code = function_.words[word];
    table_.rows.push_back({fmt::format("{:x}", code.address), instruction_text(code),
                           std::move(said), source_text(image_, code.address, FileNames::Short)});
  }
  std::string text() const { return table_text(table_); }

 private:
  std::string instruction_text(const elf::CodeWord& code) const {
    return code.kind == elf::WordKind::Tensix ? isa::disassemble(arch_, *code.tensix)
                                              : code_text(image_, code);
  }

  static constexpr std::size_t kCodeWidth = 22;
  const elf::Image& image_;
  const elf::Function& function_;
  Arch arch_;
  Table table_{
      .columns = {{.kind = ColumnKind::Number, .least = 8}, {.least = kCodeWidth}, {}, {}}};
};

json address_list(const elf::Function& function, const WordList& words) {
  json list = json::array();
  for (const std::uint32_t word : words) list.push_back(address_of(function, word));
  return list;
}

json place_json(const elf::Image& image, const elf::Function& function, std::uint32_t word) {
  json entry{{"address", address_of(function, word)}};
  add_source(entry, image, address_of(function, word));
  return entry;
}

json store_json(const elf::Image& image, const elf::Function& function, const OrderedStore& store) {
  json entry = place_json(image, function, store.store);
  json orders = json::array();
  for (const OrderKey& each : kOrders) {
    if (store.orders.contains(each.order)) orders.push_back(each.key);
  }
  entry["pushes"] = store.pushes;
  entry["branches"] = address_list(function, store.branches);
  entry["orders"] = std::move(orders);
  return entry;
}

json load_json(const elf::Image& image, const elf::Function& function, const OrderedLoad& load) {
  json entry = place_json(image, function, load.load);
  json stores = json::array();
  for (const OrderedStore& store : load.stores)
    stores.push_back(store_json(image, function, store));
  entry["branches"] = address_list(function, load.branches);
  entry["polled_by"] = address_list(function, load.polled_by);
  entry["stores"] = std::move(stores);
  return entry;
}

json select_json(const elf::Image& image, const elf::Function& function,
                 const SelectCandidate& select) {
  json entry = place_json(image, function, select.branch);
  json lost = json::array();
  for (const paths::LostOrder& each : select.lost) {
    lost.push_back({{"load", address_of(function, each.load)},
                    {"store", address_of(function, each.store)},
                    {"pushes", each.pushes}});
  }
  entry["end"] = address_of(function, select.end);
  entry["lost"] = std::move(lost);
  return entry;
}

} // namespace

std::string ordering_text(const elf::Image& image, const elf::Function& function,
                          const paths::Ordering& ordering, Arch arch) {
  OrderingTable table(image, function, arch);
  for (const OrderedLoad& load : ordering.loads) {
    table.add(load.load, load_text(function, load));
    for (const OrderedStore& store : load.stores) table.add(store.store, store_text(store));
  }
  for (const SelectCandidate& select : ordering.selects)
    table.add(select.branch, select_text(function, select));
  const std::string text = table.text();
  return text.empty() ? "" : fmt::format("{}:\n{}\n", function.symbol.readable, text);
}

json ordering_json(const elf::Image& image, const elf::Function& function,
                   const paths::Ordering& ordering) {
  json loads = json::array(), selects = json::array();
  for (const OrderedLoad& load : ordering.loads) loads.push_back(load_json(image, function, load));
  for (const SelectCandidate& select : ordering.selects)
    selects.push_back(select_json(image, function, select));
  return {{"loads", std::move(loads)}, {"selects", std::move(selects)}};
}

} // namespace lanewise::report
