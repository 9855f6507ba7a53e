#include "study/tune/place.h"

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>

#include "study/tune/registers.h"
#include "study/tune/reservations.h"

namespace lanewise::tune {

namespace {

/// A macro while the search goes on: one whose load nobody uses has a window instead of a time.
struct OpenMacro {
  std::array<bool, kUnits> taken{};
  unsigned address = 0;
  bool has_address = false; ///< of its load or store
  unsigned earliest = 0, latest = kNone;
  unsigned operations = 0;
};

/// One way to execute an operation.
struct Choice {
  unsigned carrier = kNone; ///< kNone: by itself; kNewMacro: a macro that is added for it
  unsigned form = 0;
};
constexpr unsigned kNewMacro = kNone - 1;

class SpanSearcher {
 public:
  SpanSearcher(const Row& row, const MachineModel& machine, const SpanSearch& search,
               const std::function<bool()>& stop)
      : row_(row),
        machine_(machine),
        search_(search),
        stop_(stop),
        reads_(reads_of(row)),
        order_(order_of()),
        reservations_(search.interval),
        latest_(row.operations.size()) {
    const std::size_t count = row.operations.size();
    partial_.interval = search.interval;
    partial_.time.assign(count, kNone);
    partial_.carrier.assign(count, kNone);
    partial_.form.assign(count, 0);
    random_ = search.seed;
    find_latest();
  }

  Outcome run(Placement& found) {
    if (!has_room_) return Outcome::Exhausted;
    const bool done = place_next(0);
    if (done) found = partial_;
    if (done) return Outcome::Found;
    return given_up_ ? Outcome::GivenUp : Outcome::Exhausted;
  }
  std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint64_t kTriesBetweenQuestions = 1024;

  /// A step of the search. At its end all that it has changed is as it was, unless it was kept.
  class Step {
   public:
    explicit Step(SpanSearcher& search)
        : search_(search), slots_(search.slots_), templates_(search.templates_) {}
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() {
      if (!is_kept_) take_back();
    }

    /// What becomes of this macro is changed back, too; kNewMacro: the one that is added.
    void remember_macro(unsigned m) {
      if (m == kNone) return;
      macros_ = search_.macros_.size();
      if (m == kNewMacro) return;
      entered_ = m;
      before_ = search_.macros_[m];
    }
    void take_issue(unsigned time, unsigned cycles) {
      search_.reservations_.set_issue(time, cycles, true);
      issue_ = {time, cycles};
    }
    void take_unit(const Operation& operation, unsigned time, bool hidden) {
      search_.reservations_.set_unit(operation, time, hidden, true);
      unit_ = {&operation, time, hidden};
    }
    void place(unsigned i, unsigned time, Choice choice) {
      search_.partial_.time[i] = time;
      search_.partial_.carrier[i] = choice.carrier;
      search_.partial_.form[i] = choice.form;
      operation_ = i;
    }
    void place_macro(unsigned m, unsigned time) {
      search_.partial_.macros[m].time = time;
      macro_ = m;
    }
    bool keep_if(bool found) { return is_kept_ = found; }

   private:
    struct Issue {
      unsigned time = kNone, cycles = 0;
    };
    struct UsedUnit {
      const Operation* operation = nullptr;
      unsigned time = 0;
      bool hidden = false;
    };

    void take_back() {
      Placement& partial = search_.partial_;
      if (unit_.operation != nullptr)
        search_.reservations_.set_unit(*unit_.operation, unit_.time, unit_.hidden, false);
      if (issue_.time != kNone) search_.reservations_.set_issue(issue_.time, issue_.cycles, false);
      if (operation_ != kNone) partial.time[operation_] = partial.carrier[operation_] = kNone;
      if (macro_ != kNone) partial.macros[macro_].time = kNone;
      search_.slots_ = slots_;
      search_.templates_ = templates_;
      if (!macros_) return;
      search_.macros_.resize(*macros_);
      partial.macros.resize(*macros_);
      if (entered_ != kNone) search_.macros_[entered_] = before_;
    }

    SpanSearcher& search_;
    unsigned slots_, templates_;
    std::optional<std::size_t> macros_; ///< how many there were
    unsigned entered_ = kNone;
    OpenMacro before_;
    Issue issue_;
    UsedUnit unit_;
    unsigned operation_ = kNone, macro_ = kNone; ///< that it has given a time
    bool is_kept_ = false;
  };

  void find_latest() {
    for (std::size_t i = latest_.size(); i-- > 0;) {
      latest_[i] = search_.span - 1;
      if (i + 1 < latest_.size() && row_.operations[i + 1].follows) {
        if (latest_[i + 1] == 0) has_room_ = false;
        if (!has_room_) return;
        latest_[i] = latest_[i + 1] - 1;
      }
      for (std::size_t r = i + 1; r < latest_.size(); ++r) {
        const Operation& reader = row_.operations[r];
        if (std::ranges::find(reader.operands, static_cast<unsigned>(i)) == reader.operands.end())
          continue;
        if (latest_[r] < row_.operations[i].latency) has_room_ = false;
        if (!has_room_) return;
        latest_[i] = std::min(latest_[i], latest_[r] - row_.operations[i].latency);
      }
    }
  }

  /// The order in which operations are placed: that of the row, but sources behind their first
  /// readers.
  std::vector<unsigned> order_of() const {
    std::vector<unsigned> order;
    std::vector<bool> is_in(row_.operations.size(), false);
    const auto add = [&](const auto& self, unsigned i) -> void {
      if (is_in[i]) return;
      is_in[i] = true;
      order.push_back(i);
      for (const unsigned operand : row_.operations[i].operands) {
        if (operand != kNone && is_source(operand)) self(self, operand);
      }
    };
    for (unsigned i = 0; i < row_.operations.size(); ++i) {
      if (!is_source(i)) add(add, i);
    }
    return order;
  }
  /// What is best as late as it can be: constants that the row loads, and where no macro has a load
  /// of its own, all loads but the first one.
  bool is_source(unsigned i) const {
    const Operation& operation = row_.operations[i];
    return operation.is_constant ||
           (operation.unit == Unit::Load && i != 0 && machine_.macros == 0);
  }

  /// From the operands that have been placed; sources come later.
  unsigned earliest(unsigned i) const {
    unsigned time = 0;
    for (const unsigned operand : row_.operations[i].operands) {
      if (operand == kNone) continue;
      const unsigned start =
          partial_.time[operand] != kNone ? partial_.time[operand] : earliest(operand);
      time = std::max(time, start + row_.operations[operand].latency);
    }
    return time;
  }

  /// To the readers that have been placed.
  unsigned latest(unsigned i) const {
    unsigned time = latest_[i];
    for (const Read& read : reads_) {
      if (read.operand != i || partial_.time[read.reader] == kNone) continue;
      const unsigned reader = partial_.time[read.reader], latency = row_.operations[i].latency;
      time = reader < latency ? kNone : std::min(time, reader - latency);
      if (time == kNone) return kNone;
    }
    return time;
  }

  /// When operations start, or may start at the earliest.
  const std::vector<unsigned>& least_times() {
    least_times_ = partial_.time;
    std::ranges::replace(least_times_, kNone, 0U);
    for (const auto& [reader, operand] : reads_) {
      if (partial_.time[reader] != kNone) continue;
      least_times_[reader] =
          std::max(least_times_[reader], least_times_[operand] + row_.operations[operand].latency);
    }
    return least_times_;
  }

  bool is_over() {
    ++steps_;
    if (given_up_) return true;
    if (search_.steps != 0 && steps_ > search_.steps) given_up_ = true;
    return given_up_ || is_stopped();
  }
  /// A step tries many times and forms, and may be a millisecond's work: it is tries that count for
  /// the question.
  bool is_stopped() {
    if (++tries_ % kTriesBetweenQuestions == 0 && stop_ && stop_()) given_up_ = true;
    return given_up_;
  }

  std::uint64_t next_random() { // a linear congruential generator (Knuth's MMIX constants)
    random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return random_ >> 33;
  }
  template <class Elements>
  void shuffle(Elements& elements) {
    if (search_.seed == 0) return;
    for (std::size_t i = elements.size(); i > 1; --i)
      std::swap(elements[i - 1], elements[next_random() % i]);
  }

  bool is_hidden(unsigned i, Choice choice) const {
    const Operation& operation = row_.operations[i];
    return choice.carrier != kNone && operation.unit != Unit::Load &&
           operation.unit != Unit::Store &&
           operation.carried[choice.form].destination == Destination::Hidden;
  }

  /// Whether the operands are where the choice takes them from: only a carried store reads
  /// LReg[16].
  bool reads_fit(unsigned i, Choice choice) const {
    const Operation& operation = row_.operations[i];
    const bool from_hidden = operation.unit == Unit::Store && choice.carrier != kNone &&
                             operation.carried[choice.form].from_hidden;
    return std::ranges::all_of(operation.operands, [&](unsigned operand) {
      return operand == kNone ||
             is_hidden(operand, {partial_.carrier[operand], partial_.form[operand]}) == from_hidden;
    });
  }

  bool computes(unsigned i) const {
    return row_.operations[i].unit != Unit::Load && row_.operations[i].unit != Unit::Store;
  }

  /// Whether an earlier carried operation has the same template.
  bool shares_template(unsigned i, Choice choice) const {
    const Operation& operation = row_.operations[i];
    if (operation.template_key == kNone || !only_macro_operand(i, choice.form)) return false;
    for (unsigned j = 0; j < row_.operations.size(); ++j) {
      if (computes(j) && partial_.carrier[j] != kNone &&
          row_.operations[j].template_key == operation.template_key &&
          only_macro_operand(j, partial_.form[j]) &&
          row_.operations[j].carried[partial_.form[j]].macro_operand ==
              operation.carried[choice.form].macro_operand &&
          (row_.operations[j].carried[partial_.form[j]].destination == Destination::Indirect) ==
              (operation.carried[choice.form].destination == Destination::Indirect))
        return true;
    }
    return false;
  }
  bool only_macro_operand(unsigned i, unsigned form) const {
    const Operation& operation = row_.operations[i];
    for (unsigned k = 0; k < operation.operands.size(); ++k) {
      if (operation.operands[k] != kNone && operation.carried[form].macro_operand != k)
        return false;
    }
    return true;
  }

  bool macro_takes(const OpenMacro& macro, unsigned i) const {
    const Operation& operation = row_.operations[i];
    if (macro.taken[static_cast<std::size_t>(operation.unit)]) return false;
    return operation.unit != Unit::Store || !macro.has_address ||
           macro.address == operation.address;
  }

  /// Of a step: the search is in as many steps as the row has operations.
  template <class Element>
  using Few = boost::container::small_vector<Element, 32>;

  Few<Choice> choices(unsigned i) const {
    const Operation& operation = row_.operations[i];
    Few<Choice> all;
    const bool may_add = macros_.size() < machine_.macros;
    if (operation.unit == Unit::Load) {
      if (may_add) all.push_back({kNewMacro, 0});
      all.push_back({kNone, 0});
      return all;
    }
    for (unsigned form = 0; form < operation.carried.size(); ++form) {
      for (unsigned m = 0; m < macros_.size(); ++m) {
        if (macro_takes(macros_[m], i)) all.push_back({m, form});
      }
      if (may_add) all.push_back({kNewMacro, form});
    }
    for (unsigned form = 0; form < operation.issued.size(); ++form) all.push_back({kNone, form});
    if (!search_.carries_first)
      std::rotate(all.begin(), all.end() - static_cast<std::ptrdiff_t>(operation.issued.size()),
                  all.end());
    return all;
  }

  /// Issue slots that what is left takes at least, with `used` taken.
  bool slots_suffice(unsigned next) const {
    unsigned loads = 0, operations = 0, stores = 0;
    std::array<unsigned, kUnits> carriable{}, free{};
    for (unsigned k = next; k < order_.size(); ++k) {
      const Operation& operation = row_.operations[order_[k]];
      const auto unit = static_cast<std::size_t>(operation.unit);
      if (operation.unit == Unit::Load)
        ++loads;
      else if (operation.unit == Unit::Store)
        stores += 1;
      else
        ++operations;
      if (!operation.carried.empty()) ++carriable[unit];
    }
    for (const OpenMacro& macro : macros_) {
      for (std::size_t unit = 0; unit < kUnits; ++unit) free[unit] += macro.taken[unit] ? 0 : 1;
    }
    const unsigned left = static_cast<unsigned>(machine_.macros - macros_.size());
    for (unsigned more = 0; more <= left; ++more) {
      if (slots_ + slots_with(more, loads, operations, stores, carriable, free) <= search_.interval)
        return true;
    }
    return false;
  }
  unsigned slots_with(unsigned more, unsigned loads, unsigned operations, unsigned stores,
                      const std::array<unsigned, kUnits>& carriable,
                      const std::array<unsigned, kUnits>& free) const {
    unsigned carried = 0;
    for (const Unit unit : {Unit::Simple, Unit::Mad, Unit::Round}) {
      const auto u = static_cast<std::size_t>(unit);
      carried += std::min(carriable[u], free[u] + more);
    }
    if (!has_shared_templates_) carried = std::min(carried, machine_.templates - templates_);
    const auto store = static_cast<std::size_t>(Unit::Store);
    const unsigned stores_carried = std::min(carriable[store], free[store] + more);
    return loads + (more > loads ? more - loads : 0) + operations - carried + stores -
           stores_carried;
  }

  bool place_next(unsigned next) {
    if (is_over()) return false;
    if (next == order_.size()) return finish(0);
    if (!slots_suffice(next)) return false;
    const unsigned i = order_[next];
    Few<Choice> all = choices(i);
    shuffle(all);
    return std::ranges::any_of(all, [&](Choice choice) { return try_choice(next, choice); });
  }

  bool try_choice(unsigned next, Choice choice) {
    const unsigned i = order_[next];
    if (given_up_ || !reads_fit(i, choice)) return false;
    const bool new_template = choice.carrier != kNone && computes(i) && !shares_template(i, choice);
    if (new_template && templates_ == machine_.templates) return false;
    Few<unsigned> times = times_of(i);
    if (times.empty()) return false;
    shuffle(times);
    Step step(*this);
    if (new_template) ++templates_;
    return step.keep_if(
        std::ranges::any_of(times, [&](unsigned time) { return try_time(next, choice, time); }));
  }

  /// In which an operation may start, the best ones first.
  Few<unsigned> times_of(unsigned i) const {
    const Operation& operation = row_.operations[i];
    Few<unsigned> times;
    unsigned from = earliest(i), to = latest(i);
    if (to == kNone || from > to) return times;
    if (is_source(i)) {
      const unsigned first = std::max(from, to - std::min(to, search_.interval - 1));
      for (unsigned time = to + 1; time-- > first;) times.push_back(time);
      return times;
    }
    if (operation.unit != Unit::Load)
      to = std::min(to, from + search_.interval - 1);
    else if (i == order_.front())
      to = from;
    if (operation.follows) {
      const unsigned behind = partial_.time[i - 1] + 1;
      if (behind < from || behind > to) return times;
      from = to = behind;
    }
    for (unsigned time = from; time <= to; ++time) times.push_back(time);
    return times;
  }

  bool try_time(unsigned next, Choice choice, unsigned time) {
    if (is_stopped()) return false;
    const unsigned i = order_[next];
    const Operation& operation = row_.operations[i];
    const bool is_issued = choice.carrier == kNone || operation.unit == Unit::Load;
    const bool hidden = is_hidden(i, choice);
    const unsigned busy = operation.unit == Unit::Load ? 1 : operation.busy;
    if (is_issued && time + busy - 1 > search_.last_issue) return false;
    if (is_issued && !reservations_.issue_is_free(time, busy)) return false;
    if (!reservations_.unit_is_free(operation, time, hidden)) return false;

    Step step(*this);
    step.remember_macro(choice.carrier);
    const unsigned carrier = enter_macro(i, choice, time);
    if (carrier == kRefused) return false;
    step.place(i, time, {carrier, choice.form});
    if (is_issued) step.take_issue(time, busy);
    if (is_issued) slots_ += busy;
    step.take_unit(operation, time, hidden);
    return step.keep_if(registers_may_fit(row_, reads_, machine_, partial_, least_times()) &&
                        place_next(next + 1));
  }

  static constexpr unsigned kRefused = kNone - 2;

  /// The macro that carries the operation from now on; kNone: none.
  unsigned enter_macro(unsigned i, Choice choice, unsigned time) {
    const Operation& operation = row_.operations[i];
    if (choice.carrier == kNone) return kNone;
    unsigned index = choice.carrier;
    if (index == kNewMacro) {
      index = static_cast<unsigned>(macros_.size());
      macros_.emplace_back();
      partial_.macros.push_back({kNone, kNone, {}});
      if (operation.unit != Unit::Load) ++slots_;
    }
    OpenMacro& macro = macros_[index];
    macro.taken[static_cast<std::size_t>(operation.unit)] = true;
    ++macro.operations;
    if (operation.unit == Unit::Load || operation.unit == Unit::Store) {
      macro.address = operation.address;
      macro.has_address = true;
    }
    if (operation.unit == Unit::Load) {
      partial_.macros[index].load = i;
      partial_.macros[index].time = time;
      macro.taken[static_cast<std::size_t>(Unit::Load)] = true;
      macro.earliest = macro.latest = time;
      return index;
    }
    if (time == 0) return kRefused;
    const unsigned first = time > machine_.longest_delay ? time - machine_.longest_delay : 0;
    macro.earliest = std::max(macro.earliest, first);
    macro.latest = macro.latest == kNone ? time - 1 : std::min(macro.latest, time - 1);
    return macro.earliest > macro.latest ? kRefused : index;
  }

  /// Times for the macros whose loads are not used, then registers.
  bool finish(unsigned m) {
    if (is_over()) return false;
    if (m == macros_.size()) return allocate_registers(row_, machine_, partial_);
    if (partial_.macros[m].load != kNone) return finish(m + 1);
    Few<unsigned> times;
    for (unsigned time = macros_[m].latest + 1; time-- > macros_[m].earliest;)
      times.push_back(time);
    return std::ranges::any_of(times, [&](unsigned time) { return finish_at(m, time); });
  }
  bool finish_at(unsigned m, unsigned time) {
    if (time > search_.last_issue || !reservations_.issue_is_free(time, 1)) return false;
    Step step(*this);
    step.take_issue(time, 1);
    step.place_macro(m, time);
    return step.keep_if(registers_may_fit(row_, reads_, machine_, partial_, least_times()) &&
                        finish(m + 1));
  }

  const Row& row_;
  const MachineModel& machine_;
  const SpanSearch& search_;
  const std::function<bool()>& stop_;
  Reads reads_;
  std::vector<unsigned> order_;
  Reservations reservations_;
  std::vector<unsigned> least_times_;
  std::vector<unsigned> latest_; ///< cycle in which an operation starts at the latest
  Placement partial_;
  std::vector<OpenMacro> macros_;
  unsigned slots_ = 0, templates_ = 0;
  bool has_room_ = true, given_up_ = false, has_shared_templates_ = has_shared_keys(row_);
  std::uint64_t steps_ = 0, tries_ = 0, random_ = 0;

  static bool has_shared_keys(const Row& row) {
    std::vector<unsigned> keys;
    for (const Operation& operation : row.operations) {
      if (operation.template_key == kNone) continue;
      if (std::ranges::find(keys, operation.template_key) != keys.end()) return true;
      keys.push_back(operation.template_key);
    }
    return false;
  }
};

} // namespace

Outcome search_span(const Row& row, const MachineModel& machine, const SpanSearch& search,
                    Placement& found, std::uint64_t& steps_taken,
                    const std::function<bool()>& stop) {
  SpanSearcher searcher(row, machine, search, stop);
  const Outcome outcome = searcher.run(found);
  steps_taken = searcher.steps();
  return outcome;
}

} // namespace lanewise::tune
