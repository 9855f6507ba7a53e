// Items that only a case about a whole tile has.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/in_quotes.h"
#include "chip/tile/l1.h"
#include "run/vectors/vector_items.h"

namespace lanewise::vectors {

namespace {

constexpr std::uint32_t kLastThread = kThreads - 1;
constexpr std::uint32_t kNobody = kThreads; ///< owner of a free mutex

constexpr std::uint8_t byte(std::uint32_t value) {
  return static_cast<std::uint8_t>(value);
}

std::span<const std::uint32_t> behind_first(const ItemValues& values) {
  return std::span(values).subspan(1);
}

/// Bytes as pairs of digits, the lowest address first.
void take_bytes(Words& words, const ItemScope& scope, ItemValues& values) {
  const std::uint32_t size = arch_params(scope.arch).tile.l1_bytes;
  values.push_back(words.hex("address", size - 1));
  const std::string_view digits = words.word("bytes");
  if (words.failed()) return;
  if (digits.size() % 2 != 0) return words.fail("bytes have two digits each");
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    std::uint32_t byte = 0;
    const auto [end, error] = std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    if (error != std::errc{} || end != digits.data() + i + 2)
      return words.fail(fmt::format("{} is no byte", in_quotes(digits.substr(i, 2))));
    values.push_back(byte);
  }
  if (values.size() - 1 > size - values[0]) words.fail("the bytes go beyond L1");
}

void take_counter(Words& words, const ItemScope& scope, ItemValues& values) {
  values.push_back(words.decimal("thread", kLastThread));
  values.push_back(words.decimal("unit", tile::kCountedUnits - 1));
  values.push_back(words.decimal("channel", 1));
  for (unsigned copy = 0; copy < 2; ++copy) { // values, then shadows
    for (unsigned axis = 0; axis < tile::kAxes; ++axis)
      values.push_back(
          words.decimal("counter", tile::counter_mask(scope.arch, static_cast<tile::Axis>(axis))));
  }
}

/// An unpacker, and a number for each thread.
void take_of_threads(Words& words, ItemValues& values, std::uint32_t largest) {
  values.push_back(words.decimal("unpacker", 1));
  for (unsigned thread = 0; thread < kThreads; ++thread)
    values.push_back(words.decimal("value", largest));
}

std::optional<Difference> compare_l1(const ItemValues& v, const tile::L1& l1) {
  for (std::uint32_t i = 1; i < v.size(); ++i) {
    const std::uint32_t address = v[0] + i - 1, found = l1.load(address, 1);
    if (found != v[i]) return differ(fmt::format("L1 at {:x}", address), v[i], found, 2);
  }
  return std::nullopt;
}

/// Every byte that no expectation names is as it was.
std::optional<Difference> compare_unchanged_l1(const VectorCase& test, const tile::L1& l1) {
  tile::L1 expected(test.arch());
  const auto put = [&](std::uint32_t address, const auto& bytes) {
    for (std::uint32_t i = 0; i < bytes.size(); ++i) expected.store(address + i, 1, bytes[i]);
  };
  for (const TilePart::Span& span : test.tile->l1) put(span.address, span.bytes);
  for (const Expectation& each : test.expectations) {
    if (each.item != VectorItem::L1) continue; // held against their own
    for (std::uint32_t i = 1; i < each.values.size(); ++i) {
      const std::uint32_t address = each.values[0] + i - 1;
      expected.store(address, 1, l1.load(address, 1));
    }
  }
  const auto [wanted, found] = std::ranges::mismatch(expected.bytes(), l1.bytes());
  if (wanted == expected.bytes().end()) return std::nullopt;
  return differ(fmt::format("L1 at {:x}", wanted - expected.bytes().begin()), *wanted, *found, 2);
}

std::optional<Difference> compare_values(std::string_view place,
                                         std::span<const std::uint32_t> expected,
                                         std::initializer_list<std::uint32_t> found) {
  std::size_t i = 0;
  for (const std::uint32_t value : found) {
    if (expected[i] != value)
      return differ_decimal(fmt::format("{}, number {}", place, i), expected[i], value);
    ++i;
  }
  return std::nullopt;
}

std::optional<Difference> compare_counters(std::span<const std::uint32_t> v,
                                           const tile::AddressCounters& counters) {
  constexpr std::string_view kNames = "XYZW";
  const tile::Channel& channel = counters.of(v[0], v[1])[v[2]];
  for (unsigned axis = 0; axis < tile::kAxes; ++axis) {
    const std::string name =
        fmt::format("ADC of T{}, unit {}, channel {}: {}", v[0], v[1], v[2], kNames[axis]);
    const tile::AddressCounter& found = channel.counter[axis];
    const std::uint32_t value = v[3 + axis], cr = v[3 + tile::kAxes + axis];
    if (found.value != value) return differ_decimal(name, value, found.value);
    if (found.cr != cr) return differ_decimal(name + "_Cr", cr, found.cr);
  }
  return std::nullopt;
}

std::optional<Difference> compare_word(std::string place, std::uint32_t expected,
                                       std::uint32_t found) {
  if (expected == found) return std::nullopt;
  return differ(std::move(place), expected, found, 8);
}

using Taken = ItemValues;
using Found = const VectorOutcome&;
using Result = std::optional<Difference>;

constexpr VectorItemRow kTileItems[] = {
    {.item = VectorItem::L1,
     .keyword = "l1",
     .take = take_bytes,
     .apply =
         [](VectorCase& target, const Taken& v) {
           TilePart::Span span{.address = v[0], .bytes = {}};
           for (std::size_t i = 1; i < v.size(); ++i)
             span.bytes.push_back(static_cast<std::uint8_t>(v[i]));
           target.tile->l1.push_back(std::move(span));
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_l1(v, found.tile->l1);
     }},
    {.item = VectorItem::Gpr,
     .keyword = "gpr",
     .take =
         [](Words& words, const ItemScope&, Taken& values) {
           values.push_back(words.decimal("thread", kLastThread));
           values.push_back(words.decimal("register", 63));
           values.push_back(words.hex("value"));
         },
     .apply = [](VectorCase& target, const Taken& v) { target.initial.gpr_of(v[0])[v[1]] = v[2]; },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_word(fmt::format("GPR {} of T{}", v[1], v[0]), v[2],
                           found.machine.gpr_of(v[0])[v[1]]);
     }},
    {.item = VectorItem::Adc,
     .keyword = "adc",
     .take = take_counter,
     .apply =
         [](VectorCase& target, const Taken& v) {
           for (unsigned axis = 0; axis < tile::kAxes; ++axis)
             target.tile->counters.of(v[0], v[1])[v[2]].counter[axis] = {
                 .value = v[3 + axis], .cr = v[3 + tile::kAxes + axis]};
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_counters(v, found.tile->counters);
     }},
    {.item = VectorItem::Semaphore,
     .keyword = "semaphore",
     .take =
         [](Words& words, const ItemScope&, Taken& values) {
           values.push_back(words.decimal("semaphore", tile::kSemaphores - 1));
           values.push_back(words.decimal("value", tile::kLargestSemaphore));
           values.push_back(words.decimal("maximum", tile::kLargestSemaphore));
         },
     .apply =
         [](VectorCase& target, const Taken& v) {
           target.tile->sync.semaphore[v[0]] = {.value = byte(v[1]), .max = byte(v[2])};
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       const tile::Semaphore& semaphore = found.tile->sync.semaphore[v[0]];
       return compare_values(fmt::format("semaphore {}", v[0]), behind_first(v),
                             {semaphore.value, semaphore.max});
     }},
    {.item = VectorItem::Mutex,
     .keyword = "mutex",
     .take =
         [](Words& words, const ItemScope&, Taken& values) {
           values.push_back(words.decimal("mutex", tile::kMutexes - 1));
           values.push_back(words.decimal("owner", kNobody));
         },
     .apply =
         [](VectorCase& target, const Taken& v) {
           target.tile->sync.mutex[v[0]].owner =
               v[1] == kNobody ? std::nullopt : std::optional(byte(v[1]));
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_values(fmt::format("owner of mutex {}", v[0]), behind_first(v),
                             {found.tile->sync.mutex[v[0]].owner.value_or(kNobody)});
     }},
    {.item = VectorItem::ConfigWord,
     .keyword = "config",
     .take =
         [](Words& words, const ItemScope& scope, Taken& values) {
           values.push_back(words.decimal("bank", 1));
           values.push_back(
               words.decimal("word", arch_params(scope.arch).config.shared_words - 1U));
           values.push_back(words.hex("value"));
         },
     .apply = [](VectorCase& target,
                 const Taken& v) { target.initial.config.write_bank(v[0], v[1], v[2], ~0U); },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_word(fmt::format("Config[{}] word {}", v[0], v[1]), v[2],
                           found.machine.config.shared_word(v[0], v[1]));
     }},
    {.item = VectorItem::ThreadWord,
     .keyword = "threadconfig",
     .take =
         [](Words& words, const ItemScope& scope, Taken& values) {
           values.push_back(words.decimal("thread", kLastThread));
           values.push_back(
               words.decimal("word", arch_params(scope.arch).config.thread_words - 1U));
           values.push_back(words.hex("value", 0xFFFF));
         },
     .apply =
         [](VectorCase& target, const Taken& v) {
           target.initial.config.write_thread(v[1], static_cast<std::uint16_t>(v[2]), v[0]);
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_word(fmt::format("ThreadConfig of T{} word {}", v[0], v[1]), v[2],
                           found.machine.config.thread_word(v[0], v[1]));
     }},
    {.item = VectorItem::FillBank,
     .keyword = "fillbank",
     .take = [](Words& words, const ItemScope&,
                Taken& values) { take_numbers(words, values, 2, "bank", 1); },
     .apply =
         [](VectorCase& target, const Taken& v) {
           target.initial.srca.filling = byte(v[0]);
           target.initial.srcb.filling = byte(v[1]);
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       return compare_values("bank to fill", v,
                             {found.machine.srca.filling, found.machine.srcb.filling});
     }},
    {.item = VectorItem::SrcFormat,
     .keyword = "srcfmt",
     .take = [](Words& words, const ItemScope&,
                Taken& values) { take_numbers(words, values, 4, "format", 15); },
     .apply =
         [](VectorCase& target, const Taken& v) {
           target.initial.srca.format = {byte(v[0]), byte(v[1])};
           target.initial.srcb.format = {byte(v[2]), byte(v[3])};
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       const auto &a = found.machine.srca.format, &b = found.machine.srcb.format;
       return compare_values("format of a bank", v, {a[0], a[1], b[0], b[1]});
     }},
    {.item = VectorItem::SrcRow,
     .keyword = "srcrow",
     .take = [](Words& words, const ItemScope&,
                Taken& values) { take_of_threads(words, values, 63); },
     .apply =
         [](VectorCase& target, const Taken& v) {
           target.tile->unpacker[v[0]].row = {byte(v[1]), byte(v[2]), byte(v[3])};
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       const auto& row = found.tile->unpacker[v[0]].row;
       return compare_values(fmt::format("SrcRow of unpacker {}", v[0]), behind_first(v),
                             {row[0], row[1], row[2]});
     }},
    {.item = VectorItem::ContextCounter,
     .keyword = "context",
     .take = [](Words& words, const ItemScope&,
                Taken& values) { take_of_threads(words, values, 7); },
     .apply =
         [](VectorCase& target, const Taken& v) {
           target.tile->unpacker[v[0]].context = {byte(v[1]), byte(v[2]), byte(v[3])};
         },
     .compare = [](const VectorCase&, const Taken& v, Found found) -> Result {
       const auto& context = found.tile->unpacker[v[0]].context;
       return compare_values(fmt::format("context counter of unpacker {}", v[0]), behind_first(v),
                             {context[0], context[1], context[2]});
     }},
};

} // namespace

std::span<const VectorItemRow> tile_items() {
  return kTileItems;
}

std::optional<Difference> compare_unchanged_tile(const VectorCase& test, const ItemValues& files,
                                                 const tile::TileState& tile) {
  if (std::ranges::find(files, static_cast<std::uint32_t>(VectorItem::L1)) == files.end())
    return std::nullopt;
  return compare_unchanged_l1(test, tile.l1);
}

} // namespace lanewise::vectors
