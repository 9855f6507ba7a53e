// Items of a case about one machine: registers of its Vector and its Matrix Unit.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>

#include "base/in_quotes.h"
#include "chip/machine/dst.h"
#include "run/vectors/vector_items.h"

namespace lanewise::vectors {

void take_flags(Words& words, ItemValues& values) {
  values.push_back(words.decimal("use", 1));
  values.push_back(words.hex("flags"));
}

void take_numbers(Words& words, ItemValues& values, unsigned count, std::string_view what,
                  std::uint32_t largest) {
  for (unsigned i = 0; i < count && !words.failed(); ++i)
    values.push_back(words.decimal(what, largest));
}

void take_hex(Words& words, ItemValues& values, unsigned count, std::string_view what,
              std::uint32_t largest) {
  for (unsigned i = 0; i < count && !words.failed(); ++i)
    values.push_back(words.hex(what, largest));
}

namespace {

constexpr std::uint32_t kCell = 0xFFFF;

std::optional<Difference> compare_lanes(const std::string& name, const std::uint32_t* expected,
                                        const std::uint32_t* found) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (expected[lane] != found[lane]) {
      return differ(fmt::format("{} lane {}", name, lane), expected[lane], found[lane], 8);
    }
  }
  return std::nullopt;
}

std::optional<Difference> compare_flags(const ItemValues& v, const VectorState& s) {
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

std::optional<Difference> compare_numbers(const ItemValues& expected,
                                          std::initializer_list<std::uint32_t> found,
                                          std::initializer_list<std::string_view> names) {
  const auto* value = found.begin();
  const auto* name = names.begin();
  for (std::size_t i = 0; i < expected.size(); ++i, ++value, ++name) {
    if (expected[i] != *value) return differ_decimal(std::string(*name), expected[i], *value);
  }
  return std::nullopt;
}

std::optional<Difference> compare_valid(const ItemValues& v, const Dst& dst) {
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

std::optional<Difference> compare_unchanged(const VectorCase& test, const ItemValues& files,
                                            const MachineState& s) {
  for (const std::uint32_t file : files) {
    const auto item = static_cast<VectorItem>(file);
    if (item == VectorItem::L1) continue; // tile_items.cpp
    auto difference = item == VectorItem::Dst ? compare_unchanged_dst(test, s.dst)
                                              : compare_unchanged_source(test, item, s);
    if (difference) return difference;
  }
  return std::nullopt;
}

// Operands that several items have

void take_lreg(Words& words, const ItemScope& scope, ItemValues& values) {
  values.push_back(words.decimal("register", scope.last_lreg));
  take_hex(words, values, kLanes, "lane");
}

void take_dst_row(Words& words, const ItemScope&, ItemValues& values) {
  values.push_back(words.decimal("row", kDstRows - 1));
  take_hex(words, values, kDstColumns, "cell", kCell);
}

void take_source_row(Words& words, const ItemScope&, ItemValues& values) {
  values.push_back(words.decimal("bank", 1));
  values.push_back(words.decimal("row", kSourceRows - 1));
  take_hex(words, values, 16, "cell");
}

void take_counters(Words& words, const ItemScope&, ItemValues& values) {
  values.push_back(words.decimal("dst", Rwc::kDstMask));
  take_numbers(words, values, 2, "counter", Rwc::kSrcMask);
}

void take_valid(Words& words, const ItemScope&, ItemValues& values) {
  take_numbers(words, values, 2, "row", kDstRows - 1);
  values.push_back(words.decimal("flag", 1));
  if (!words.failed() && values[0] > values[1]) words.fail("rows run backwards");
}

/// Files that must be unchanged, as their VectorItems.
void take_unchanged(Words& words, const ItemScope&, ItemValues& values) {
  using File = std::pair<std::string_view, VectorItem>;
  constexpr std::array kFiles{File{"dst", VectorItem::Dst}, File{"srca", VectorItem::SrcA},
                              File{"srcb", VectorItem::SrcB}, File{"l1", VectorItem::L1}};
  while (!words.at_end() && !words.failed()) {
    const std::string_view name = words.word("file");
    const auto* const file = std::ranges::find(kFiles, name, &File::first);
    if (file == kFiles.end())
      return words.fail(fmt::format("{} is not one of dst, srca, srcb, l1", in_quotes(name)));
    values.push_back(static_cast<std::uint32_t>(file->second));
  }
}

template <VectorItem Item>
void apply_source_row(VectorCase& target, const ItemValues& v) {
  MachineState& s = target.initial;
  SourceFile& file = Item == VectorItem::SrcA ? s.srca : s.srcb;
  std::copy(v.begin() + 2, v.end(), file.cell[v[0]][v[1]]);
}

template <VectorItem Item>
std::optional<Difference> compare_source(const VectorCase&, const ItemValues& v,
                                         const VectorOutcome& outcome) {
  return compare_source_row(Item, v[0], v[1], outcome.machine, v.data() + 2);
}

using Taken = ItemValues;
using Found = const VectorOutcome&;
using Result = std::optional<Difference>;

constexpr VectorItemRow kMachineItems[] = {
    {.item = VectorItem::LReg,
     .keyword = "lreg",
     .take = take_lreg,
     .apply =
         [](VectorCase& target, const Taken& v) {
           std::copy(v.begin() + 1, v.end(), target.initial.vector.lreg[v[0]]);
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_lanes(fmt::format("LReg[{}]", v[0]), v.data() + 1,
                            found.machine.vector.lreg[v[0]]);
     }},
    {.item = VectorItem::Cc,
     .keyword = "cc",
     .take = [](Words& words, const ItemScope&, Taken& values) { take_flags(words, values); },
     .apply =
         [](VectorCase& target, const Taken& v) {
           target.initial.vector.use_flags = v[0] != 0 ? kAllLanes : 0;
           target.initial.vector.flags = v[1];
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_flags(v, found.machine.vector);
     }},
    {.item = VectorItem::CcDepth,
     .keyword = "ccdepth",
     .take = [](Words& words, const ItemScope&,
                Taken& values) { take_numbers(words, values, 1, "depth", 8); },
     .apply = nullptr,
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_depth(v[0], found.machine.vector.stack);
     }},
    {.item = VectorItem::Prng,
     .keyword = "prng",
     .take = [](Words& words, const ItemScope&,
                Taken& values) { take_hex(words, values, kLanes, "lane"); },
     .apply = [](VectorCase& target,
                 const Taken& v) { std::copy(v.begin(), v.end(), target.initial.vector.prng); },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_lanes("PRNG", v.data(), found.machine.vector.prng);
     }},
    {.item = VectorItem::Dst,
     .keyword = "dst",
     .take = take_dst_row,
     .apply =
         [](VectorCase& target, const Taken& v) {
           for (unsigned i = 0; i < kDstColumns; ++i)
             target.initial.dst.cell[v[0]][i] = static_cast<std::uint16_t>(v[i + 1]);
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_dst_row(v[0], found.machine.dst, v.data() + 1);
     }},
    {.item = VectorItem::SrcA,
     .keyword = "srca",
     .take = take_source_row,
     .apply = apply_source_row<VectorItem::SrcA>,
     .compare = compare_source<VectorItem::SrcA>},
    {.item = VectorItem::SrcB,
     .keyword = "srcb",
     .take = take_source_row,
     .apply = apply_source_row<VectorItem::SrcB>,
     .compare = compare_source<VectorItem::SrcB>},
    {.item = VectorItem::Rwc,
     .keyword = "rwc",
     .take =
         [](Words& words, const ItemScope& scope, Taken& values) {
           take_counters(words, scope, values);
           values.push_back(words.decimal("fidelity", Rwc::kFidelityMask));
         },
     .apply =
         [](VectorCase& target, const Taken& v) {
           Rwc& rwc = target.initial.rwc;
           rwc.dst = v[0], rwc.srca = v[1], rwc.srcb = v[2], rwc.fidelity = v[3];
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       const Rwc& rwc = found.machine.rwc;
       return compare_numbers(v, {rwc.dst, rwc.srca, rwc.srcb, rwc.fidelity},
                              {"RWC Dst", "RWC SrcA", "RWC SrcB", "RWC Fidelity"});
     }},
    {.item = VectorItem::RwcCr,
     .keyword = "rwccr",
     .take = take_counters,
     .apply =
         [](VectorCase& target, const Taken& v) {
           Rwc& rwc = target.initial.rwc;
           rwc.dst_cr = v[0], rwc.srca_cr = v[1], rwc.srcb_cr = v[2];
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       const Rwc& rwc = found.machine.rwc;
       return compare_numbers(v, {rwc.dst_cr, rwc.srca_cr, rwc.srcb_cr},
                              {"RWC Dst_Cr", "RWC SrcA_Cr", "RWC SrcB_Cr"});
     }},
    {.item = VectorItem::SrcBank,
     .keyword = "srcbank",
     .take = [](Words& words, const ItemScope&,
                Taken& values) { take_numbers(words, values, 2, "bank", 1); },
     .apply =
         [](VectorCase& target, const Taken& v) {
           target.initial.srca.current = static_cast<std::uint8_t>(v[0]);
           target.initial.srcb.current = static_cast<std::uint8_t>(v[1]);
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       const MachineState& s = found.machine;
       return compare_numbers(v, {s.srca.current, s.srcb.current},
                              {"bank of SrcA", "bank of SrcB"});
     }},
    {.item = VectorItem::SrcOwner,
     .keyword = "srcowner",
     .take = [](Words& words, const ItemScope&,
                Taken& values) { take_numbers(words, values, 4, "owner", 1); },
     .apply =
         [](VectorCase& target, const Taken& v) {
           target.initial.srca.owned_by_matrix_unit = {v[0] != 0, v[1] != 0};
           target.initial.srcb.owned_by_matrix_unit = {v[2] != 0, v[3] != 0};
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       const auto& a = found.machine.srca.owned_by_matrix_unit;
       const auto& b = found.machine.srcb.owned_by_matrix_unit;
       return compare_numbers(v, {a[0], a[1], b[0], b[1]},
                              {"owner of SrcA bank 0", "owner of SrcA bank 1",
                               "owner of SrcB bank 0", "owner of SrcB bank 1"});
     }},
    {.item = VectorItem::DstValid,
     .keyword = "dstvalid",
     .take = take_valid,
     .apply =
         [](VectorCase& target, const Taken& v) {
           for (std::uint32_t row = v[0]; row <= v[1]; ++row)
             target.initial.dst.set_valid(row, v[2] != 0);
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_valid(v, found.machine.dst);
     }},
    {.item = VectorItem::AddrModBit,
     .keyword = "addrmodbit",
     .take = [](Words& words, const ItemScope&,
                Taken& values) { take_numbers(words, values, 1, "bit", 1); },
     .apply = [](VectorCase& target, const Taken& v) { target.initial.rwc.bias = v[0]; },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_numbers(v, {found.machine.rwc.bias}, {"ADDR_MOD bias bit"});
     }},
    {.item = VectorItem::Unchanged,
     .keyword = "unchanged",
     .take = take_unchanged,
     .apply = nullptr,
     .compare = [](const VectorCase& test, const Taken& v, Found found) -> Result {
       if (found.tile != nullptr) {
         if (auto difference = compare_unchanged_tile(test, v, *found.tile)) return difference;
       }
       return compare_unchanged(test, v, found.machine);
     }},
};

} // namespace

std::span<const VectorItemRow> machine_items() {
  return kMachineItems;
}

const VectorItemRow* find_item(std::string_view keyword, bool of_tile) {
  for (const std::span<const VectorItemRow> rows :
       {machine_items(), of_tile ? tile_items() : std::span<const VectorItemRow>{}}) {
    const auto found = std::ranges::find(rows, keyword, &VectorItemRow::keyword);
    if (found != rows.end()) return &*found;
  }
  return nullptr;
}

const VectorItemRow& row_of(VectorItem item) {
  const auto machine = machine_items();
  const auto found = std::ranges::find(machine, item, &VectorItemRow::item);
  return found != machine.end() ? *found
                                : *std::ranges::find(tile_items(), item, &VectorItemRow::item);
}

} // namespace lanewise::vectors
