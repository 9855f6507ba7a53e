#include "chip/timing/hazards/late_push.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>

#include "chip/timing/access.h"
#include "chip/timing/hazards/findings.h"
#include "chip/timing/hazards/late_runs.h"
#include "chip/timing/hazards/random_tile.h"

namespace lanewise::timing {

namespace {

/// Delays go up to 7; one cycle to start, one more for a result of two, one to be beyond.
constexpr std::uint64_t kLongestPause = 10;
/// Quick: words of a line at which pauses are tried, from either end.
constexpr std::size_t kWordsOfALine = 3;
/// Quick: operations scheduled altogether.
constexpr std::size_t kQuickOperations = 4'000'000;
constexpr unsigned kQuickTiles = 1, kWholeTiles = 3;

/// A word of the program before which something is under way.
struct PushedWord {
  std::uint32_t number = 0;  ///< among those that the core pushes
  std::uint32_t word = 0;    ///< index into Program::words
  std::uint32_t op = 0;      ///< the first operation that it brings
  std::uint32_t longest = 0; ///< pause that can change something
};

/// Where two runs of a program on the same tile differ.
struct Difference {
  std::optional<unsigned> row = {}, column = {}; ///< of Dst
  std::uint16_t usual = 0, late = 0;             ///< what is there
  std::string elsewhere = {};                    ///< what differs instead
};

class Pauses {
 public:
  Pauses(const Program& program, const MicroProgram& expanded, const MachineState& start,
         PauseSearch search)
      : program_(program),
        expanded_(expanded),
        search_(search),
        usual_(schedule(start, expanded, {.model = model_of(search)})),
        stores_(std::ranges::any_of(usual_.events,
                                    [](const Event& event) { return is_store(event.op); })),
        view_(start.config.dst16_view()),
        findings_(start.config.arch()) {
    const unsigned tiles = search == PauseSearch::Whole ? kWholeTiles : kQuickTiles;
    tiles_.reserve(tiles);
    for (unsigned seed = 0; seed < tiles; ++seed)
      tiles_.emplace_back(random_tile(start, seed), expanded, model_of(search));
  }

  LatePushes run(const PauseProgress& progress) {
    const std::vector<PushedWord> words = chosen(pushed_words());
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].longest == 0 || !affordable()) continue;
      result_.tried.whole = !progress || progress(i, words.size());
      if (!result_.tried.whole) break;
      ++result_.tried.paused;
      try_word(words[i]);
    }
    report();
    result_.hazards = findings_.take();
    return std::move(result_);
  }

 private:
  static HazardModel model_of(PauseSearch search) {
    return search == PauseSearch::Whole ? HazardModel::Hardware : HazardModel::Documented;
  }

  bool affordable() const {
    return search_ == PauseSearch::Whole ||
           result_.tried.runs * std::max<std::size_t>(1, expanded_.ops.size()) < kQuickOperations;
  }

  /// The words that bring something, with what is under way when it is issued.
  std::vector<PushedWord> pushed_words() {
    std::vector<PushedWord> words;
    const std::vector<std::uint64_t> busy = busy_before();
    for (std::uint32_t issue = 0; issue < usual_.issues.size(); ++issue) {
      const std::uint32_t op = usual_.issues[issue].op;
      const std::uint32_t word = op < expanded_.supply.size() ? expanded_.supply[op].word : op;
      if (!words.empty() && words.back().word == word) continue;
      const std::uint64_t slot = usual_.issues[issue].slot;
      const std::uint64_t left = busy[issue] > slot ? busy[issue] - slot : 0;
      words.push_back({static_cast<std::uint32_t>(words.size()), word, op,
                       static_cast<std::uint32_t>(std::min(left, kLongestPause))});
      result_.tried.longest = std::max(result_.tried.longest, words.back().longest);
    }
    result_.tried.words = words.size();
    return words;
  }

  /// For each issue, the cycle in which all that earlier ones have started is over.
  std::vector<std::uint64_t> busy_before() const {
    std::vector<std::uint64_t> busy(usual_.issues.size() + 1, 0);
    for (const Event& event : usual_.events) {
      if (event.sub_unit == isa::SubUnit::None) continue;
      std::uint64_t& until = busy[event.issue + 1];
      until = std::max(until, event.cycle + event.latency);
    }
    for (std::size_t i = 1; i < busy.size(); ++i) busy[i] = std::max(busy[i], busy[i - 1]);
    return busy;
  }

  std::uint32_t line_of(const PushedWord& word) const {
    return word.word < program_.words.size() ? program_.words[word.word].line
                                             : expanded_.ops[word.op].line;
  }

  std::vector<PushedWord> chosen(const std::vector<PushedWord>& words) const {
    if (search_ == PauseSearch::Whole) return words;
    std::map<std::uint32_t, std::vector<std::size_t>> of_line;
    for (std::size_t i = 0; i < words.size(); ++i) of_line[line_of(words[i])].push_back(i);
    std::vector<PushedWord> some;
    for (const auto& [line, places] : of_line) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (i < kWordsOfALine || i + kWordsOfALine >= places.size())
          some.push_back(words[places[i]]);
      }
    }
    std::ranges::sort(some, {}, &PushedWord::number);
    return some;
  }

  /// The shortest pause that changes something is told.
  void try_word(const PushedWord& word) {
    for (std::uint32_t pause = 1; pause <= word.longest; ++pause) {
      for (LateRuns& tile : tiles_) {
        ++result_.tried.runs;
        const auto left = tile.late({word.word, word.op, pause});
        if (!left) continue;
        const auto difference = compare(tile.usual(), *left);
        if (!difference) continue;
        ++result_.tried.changed;
        const Store store = difference->row ? store_of(*difference->row) : Store{};
        found_.push_back({word, pause, *difference, store});
        return;
      }
    }
  }

  std::optional<Difference> compare(const MachineState& usual, const MachineState& late) const {
    if (const auto cell = first_difference(usual.dst, late.dst)) {
      return Difference{.row = cell->row,
                        .column = cell->column,
                        .usual = usual.dst.cell[cell->row][cell->column],
                        .late = late.dst.cell[cell->row][cell->column]};
    }
    if (usual.vector.enabled() != late.vector.enabled())
      return Difference{.elsewhere = "other lanes are enabled at the end"};
    if (stores_) return std::nullopt;
    for (unsigned lreg = 0; lreg < kWritableLRegs; ++lreg) {
      if (std::memcmp(usual.vector.lreg[lreg], late.vector.lreg[lreg],
                      sizeof usual.vector.lreg[lreg]) != 0)
        return Difference{.elsewhere = fmt::format("L{} holds something else at the end", lreg)};
    }
    return std::nullopt;
  }

  /// The last store of the usual run that writes a physical row, and what it calls that row.
  struct Store {
    const Event* event = nullptr;
    unsigned row = 0;
  };
  Store store_of(unsigned physical_row) const {
    for (auto event = usual_.events.rbegin(); event != usual_.events.rend(); ++event) {
      if (!is_store(event->op) || event->dst_row < 0) continue;
      for (unsigned i = 0; i < kAccessRows; ++i) {
        const unsigned row = static_cast<unsigned>(event->dst_row) + i;
        const unsigned there = physical_dst_row(row, event->dst_wide, view_);
        if (there == physical_row || (event->dst_wide && there + kDstLowHalf == physical_row))
          return {&*event, row};
      }
    }
    return {};
  }

  /// A pause that changes something, and what.
  struct Found {
    PushedWord word;
    std::uint32_t pause;
    Difference difference;
    Store store;

    bool is_of(const Found& other) const {
      return store.event != nullptr && other.store.event != nullptr &&
             store.event->op.line == other.store.event->op.line;
    }
  };

  /// A pause before a word delays all behind it: of words in a row that change the same, the last
  /// is the one that comes too late.
  void report() {
    for (std::size_t first = 0, last = 0; first < found_.size(); first = ++last) {
      while (last + 1 < found_.size() && found_[last + 1].is_of(found_[first]) &&
             found_[last + 1].word.number == found_[last].word.number + 1)
        ++last;
      report(found_[first].word, found_[last]);
    }
  }

  void report(const PushedWord& first, const Found& found) {
    MicroOp named = expanded_.ops[found.word.op];
    named.line = line_of(found.word);
    if (found.word.word < program_.words.size()) named.word = program_.words[found.word.word].word;
    const Event* store = found.store.event;
    const Spot spot{.op = &named,
                    .cycle = slot_of(found.word.op),
                    .other_line = store == nullptr ? 0 : store->op.line};
    findings_.add(HazardId::LatePush, spot, [&] {
      std::string text =
          fmt::format("if the core pushes it {} cycle{} late, {}", found.pause,
                      found.pause == 1 ? "" : "s", text_of(found.difference, found.store));
      if (first.number != found.word.number) {
        text += fmt::format("; a pause before any word from {} on delays it, too",
                            findings_.line_name(line_of(first)));
      }
      return HazardText{std::move(text), {}};
    });
  }

  std::string text_of(const Difference& difference, const Store& store) const {
    if (!difference.row) return difference.elsewhere;
    if (store.event == nullptr) {
      return fmt::format("row {}, column {} of Dst holds {:04X} instead of {:04X}", *difference.row,
                         *difference.column, difference.late, difference.usual);
    }
    return fmt::format("{} leaves something else in row {}, column {} of Dst",
                       findings_.op_name(store.event->op, store.event->scheduled), store.row,
                       *difference.column);
  }

  std::uint64_t slot_of(std::uint32_t op) const {
    const auto issue = std::ranges::find(usual_.issues, op, &Issue::op);
    return issue == usual_.issues.end() ? 0 : issue->slot;
  }

  static constexpr unsigned kAccessRows = 4; ///< of a load or store

  const Program& program_;
  const MicroProgram& expanded_;
  PauseSearch search_;
  Schedule usual_;
  bool stores_;
  Dst16View view_;
  std::vector<LateRuns> tiles_; ///< with random values
  std::vector<Found> found_;    ///< in the order of the words
  Findings findings_;
  LatePushes result_;
};

} // namespace

LatePushes find_late_pushes(const Program& program, const MicroProgram& expanded,
                            const MachineState& start, PauseSearch search,
                            const PauseProgress& progress) {
  const auto is_macro = [](const MicroOp& op) { return op.op == isa::Op::SFPLOADMACRO; };
  if (search == PauseSearch::None) return {};
  if (search == PauseSearch::Quick && std::ranges::none_of(expanded.ops, is_macro)) return {};
  return Pauses(program, expanded, start, search).run(progress);
}

} // namespace lanewise::timing
