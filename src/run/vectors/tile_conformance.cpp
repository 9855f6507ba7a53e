#include "run/vectors/tile_conformance.h"

#include <algorithm>
#include <initializer_list>

#include "chip/tile/feeder.h"
#include "chip/tile/run.h"
#include "chip/tile/tile.h"
#include "run/vectors/difference.h"

namespace lanewise::lab {

namespace {

/// Pushes the words of a thread, one after the other.
class WordFeeder : public tile::Feeder {
 public:
  WordFeeder(const std::vector<ProgramWord>& words, unsigned thread)
      : words_(words), thread_(thread) {}

  Expected<tile::FeederStep> step(tile::Tile& tile) override {
    if (next_ == words_.size()) return tile::FeederStep::Ended;
    if (!tile.push(thread_, words_[next_])) return tile::FeederStep::Waits;
    ++next_;
    return tile::FeederStep::Went;
  }
  std::string waits_for() const override { return "room in the queue"; }

 private:
  const std::vector<ProgramWord>& words_;
  unsigned thread_;
  std::size_t next_ = 0;
};

void put_initial_state(tile::TileState& state, const VectorCase& test) {
  state.machine = test.initial;
  state.counters = test.tile->counters;
  state.unpacker = test.tile->unpacker;
  state.sync = test.tile->sync;
  for (const TilePart::Span& span : test.tile->l1)
    std::ranges::copy(span.bytes, state.l1.bytes().begin() + span.address);
}

std::optional<Difference> compare_l1(const Expectation& expectation, const tile::L1& l1) {
  const auto& v = expectation.values;
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

std::optional<Difference> compare_in_tile(const VectorCase& test, const Expectation& expectation,
                                          tile::TileState& state) {
  const std::span<const std::uint32_t> v = expectation.values;
  MachineState& machine = state.machine;
  const auto unpacker = [&]() -> const tile::Unpacker& { return state.unpacker[v[0]]; };
  switch (expectation.item) {
    case VectorItem::L1: return compare_l1(expectation, state.l1);
    case VectorItem::Gpr:
      return compare_word(fmt::format("GPR {} of T{}", v[1], v[0]), v[2],
                          machine.gpr_of(v[0])[v[1]]);
    case VectorItem::Adc: return compare_counters(v, state.counters);
    case VectorItem::Semaphore: {
      const tile::Semaphore& found = state.sync.semaphore[v[0]];
      return compare_values(fmt::format("semaphore {}", v[0]), v.subspan(1),
                            {found.value, found.max});
    }
    case VectorItem::Mutex:
      return compare_values(fmt::format("owner of mutex {}", v[0]), v.subspan(1),
                            {state.sync.mutex[v[0]].owner.value_or(kThreads)});
    case VectorItem::ConfigWord:
      return compare_word(fmt::format("Config[{}] word {}", v[0], v[1]), v[2],
                          machine.config.shared_word(v[0], v[1]));
    case VectorItem::ThreadWord:
      return compare_word(fmt::format("ThreadConfig of T{} word {}", v[0], v[1]), v[2],
                          machine.config.thread_word(v[0], v[1]));
    case VectorItem::FillBank:
      return compare_values("bank to fill", v, {machine.srca.filling, machine.srcb.filling});
    case VectorItem::SrcFormat: {
      const auto &a = machine.srca.format, &b = machine.srcb.format;
      return compare_values("format of a bank", v, {a[0], a[1], b[0], b[1]});
    }
    case VectorItem::SrcRow: {
      const auto& row = unpacker().row;
      return compare_values(fmt::format("SrcRow of unpacker {}", v[0]), v.subspan(1),
                            {row[0], row[1], row[2]});
    }
    case VectorItem::ContextCounter: {
      const auto& context = unpacker().context;
      return compare_values(fmt::format("context counter of unpacker {}", v[0]), v.subspan(1),
                            {context[0], context[1], context[2]});
    }
    case VectorItem::Unchanged:
      if (std::ranges::find(v, static_cast<std::uint32_t>(VectorItem::L1)) != v.end()) {
        if (auto difference = compare_unchanged_l1(test, state.l1)) return difference;
      }
      return compare_in_machine(test, expectation, machine);
    case VectorItem::LReg:
    case VectorItem::Cc:
    case VectorItem::CcDepth:
    case VectorItem::Prng:
    case VectorItem::Dst:
    case VectorItem::SrcA:
    case VectorItem::SrcB:
    case VectorItem::Rwc:
    case VectorItem::RwcCr:
    case VectorItem::SrcBank:
    case VectorItem::SrcOwner:
    case VectorItem::DstValid:
    case VectorItem::AddrModBit: return compare_in_machine(test, expectation, machine);
  }
  return std::nullopt;
}

/// What the tile does not execute, or who can never go on.
std::optional<Difference> not_executed(const tile::Tile& tile, const tile::RunResult& result) {
  for (const Fault& fault : tile.faults()) {
    if (fault.kind == FaultKind::Unsupported)
      return Difference{.place = "not executed: " + to_string(fault),
                        .expected = "",
                        .found = "",
                        .line = fault.line};
  }
  if (!result.blocked.empty()) {
    const tile::Blocked& first = result.blocked[0];
    return Difference{.place = fmt::format("T{} {}", first.thread, first.reason),
                      .expected = "an end",
                      .found = "none",
                      .line = first.wait.at.line};
  }
  if (result.ran_out)
    return Difference{.place = "end", .expected = "one", .found = "none after many instructions"};
  return std::nullopt;
}

} // namespace

std::optional<Difference> run_tile_case(const VectorCase& test) {
  tile::Tile tile(test.arch());
  put_initial_state(tile.state(), test);
  const auto& words = test.tile->words;
  WordFeeder first(words[0], 0), second(words[1], 1), third(words[2], 2);
  constexpr std::uint64_t kMostSteps = 200'000;
  const auto result =
      tile::run(tile, {&first, &second, &third}, {}, {.most_steps = kMostSteps, .stop = {}});
  if (!result) return Difference{.place = to_string(result.error()), .expected = "", .found = ""};
  if (auto difference = not_executed(tile, *result)) return difference;
  for (const Expectation& expectation : test.expectations) {
    if (auto difference = compare_in_tile(test, expectation, tile.state())) {
      difference->line = expectation.line;
      return difference;
    }
  }
  return std::nullopt;
}

} // namespace lanewise::lab
