#include "run/vectors/tile_conformance.h"

#include <algorithm>

#include "chip/tile/feeder.h"
#include "chip/tile/run.h"
#include "chip/tile/tile.h"
#include "run/vectors/vector_items.h"

namespace lanewise::vectors {

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
    const VectorItemRow& row = row_of(expectation.item);
    const VectorOutcome outcome{.machine = tile.state().machine, .tile = &tile.state()};
    if (auto difference = row.compare(test, expectation.values, outcome)) {
      difference->line = expectation.line;
      return difference;
    }
  }
  return std::nullopt;
}

} // namespace lanewise::vectors
