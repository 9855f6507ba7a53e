#include "run/grid/race_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/source_line.h"
#include "run/grid/trials.h"
#include "source/programs/layout.h"
#include "source/programs/start.h"

namespace lanewise::grid {

namespace {

std::string_view verb(How how) {
  switch (how) {
    case How::Load: return "loads from";
    case How::Store: return "stores to";
    case How::Unpack: return "unpacks";
    case How::Pack: return "packs into";
    case How::TakenByWrite: return "has the NoC write from";
    case How::TakenByRead: return "has the NoC read from";
    case How::FilledByRead: return "has the NoC read into";
    case How::Written: return "writes to";
    case How::Incremented: return "increments";
  }
  return {};
}

std::string_view noun(How how) {
  switch (how) {
    case How::Load: return "the load";
    case How::Store: return "the store";
    case How::Unpack: return "the unpacker";
    case How::Pack: return "the packer";
    case How::TakenByWrite: return "the write";
    case How::TakenByRead:
    case How::FilledByRead: return "the read";
    case How::Written: return "the write";
    case How::Incremented: return "the increment";
  }
  return {};
}

using Which = Races::Which;

/// The words of a race.
class RaceText {
 public:
  RaceText(const Race& race, const Races& races, const Sources& sources)
      : race_(race), races_(races), sources_(sources) {}

  Fault fault() const {
    switch (race_.cause) {
      case Race::Cause::Overtaken: return overtaken();
      case Race::Cause::NotAwaited: return not_awaited();
      case Race::Cause::NotFree: return not_free();
      case Race::Cause::TwoWriters: return two_writers();
      case Race::Cause::LostUpdate: return lost_update();
      case Race::Cause::Passed: return passed();
    }
    return {};
  }

 private:
  std::string core(const Access& access) const {
    return "core " + programs::core_text(sources_.cores[access.core]);
  }
  std::string risc(const Access& access) const {
    return std::string(programs::core_name(access.risc));
  }
  std::string risc_of_core(const Access& access) const {
    return fmt::format("{} of {}", risc(access), core(access));
  }

  /// "send.cpp:31", "common.h:7".
  std::string line(const Access& access) const {
    std::string name = races_.name_of(access.core, access.line);
    if (!name.empty()) return name;
    name = std::filesystem::path(sources_.file(access.core, access.risc)).filename().string();
    return name.empty() ? line_text(access.line) : fmt::format("{}:{}", name, access.line);
  }

  /// The bytes that both touch, as `of` sees them.
  std::string place(const Access& of) const {
    std::string text = fmt::format("0x{:x}", race_.begin);
    const std::uint64_t offset = race_.begin - programs::kSemaphores;
    if (race_.memory.is_dram)
      return fmt::format("{} of bank {} of DRAM", text, race_.memory.number);
    if (programs::is_semaphore(race_.begin))
      text = fmt::format("semaphore {}, {}", offset / programs::kSemaphoreBytes, text);
    const NocPlace at = noc::core_of_number(race_.memory.number);
    const programs::Core there{.x = at.x, .y = at.y};
    return sources_.cores[of.core] == there
               ? text + " of its L1"
               : fmt::format("{} of L1 of core {}", text, programs::core_text(there));
  }

  /// "as a multicast by channel 4 of NoC 0".
  static std::string way(const Access& access) {
    return fmt::format("{}by channel {} of NoC {}", access.is_many ? "as a multicast " : "",
                       access.channel, access.noc);
  }

  /// "core (1, 0): brisc: loads from 0x1c000 of its L1 (64 bytes)".
  std::string subject(const Access& access) const {
    return fmt::format("{}: {}: {} {} ({} bytes)", core(access), risc(access), verb(access.how),
                       place(access), race_.end - race_.begin);
  }

  Fault fault_at(const Access& access, std::string message, std::string remedy,
                 std::string_view rule = "programs 13") const {
    if (race_.pairs.size() > 1)
      message += fmt::format("; so do {} other pairs of cores", race_.pairs.size() - 1);
    Fault fault{.kind = FaultKind::UndefinedBehavior,
                .message = std::move(message),
                .remedy = std::move(remedy),
                .rule = std::string(rule),
                .file = sources_.file(access.core, access.risc)};
    // The number of a line of another file means nothing here.
    if (races_.name_of(access.core, access.line).empty()) fault.line = access.line;
    return fault;
  }

  Fault overtaken() const {
    const Access &data = race_.change, &reader = race_.other;
    std::string message = fmt::format("{}, where the data of {} of {} may still be under way",
                                      subject(reader), line(data), risc_of_core(data));
    if (!race_.signal)
      return fault_at(reader, message + ": who told it to go on has not waited for them either",
                      barrier(fmt::format("behind {}, before anybody is told", line(data))));
    const Access& told = race_.signal->raised;
    message += fmt::format(
        ": they go {}{}, and the signal of {} that it has waited for {}", way(data),
        data.is_posted ? ", without an answer" : "", line(told),
        told.core == data.core ? "goes " + way(told) : fmt::format("is that of {}", core(told)));
    const std::string where = told.core == data.core && told.risc == data.risc
                                  ? fmt::format("between {} and {}", line(data), line(told))
                                  : fmt::format("behind {}, before anybody is told", line(data));
    std::string remedy = barrier(where);
    if (data.is_posted)
      remedy = fmt::format("{} with an answer (posted = false), and {}",
                           data.how == How::Incremented ? "increment" : "write", remedy);
    // The shorter one, if it does.
    if (const std::string way = same_way(); !way.empty())
      remedy = launch::helps(race_.trial[1]) ? fmt::format("{}; or {}", way, remedy)
                                             : fmt::format("{}; or {}", remedy, way);
    return fault_at(reader, std::move(message), std::move(remedy));
  }

  /// The call of one at a place, and whether it was found to be what is missing.
  std::string barrier(const std::string& where) const {
    return fmt::format("call noc_async_{}_barrier() {}{}",
                       race_.change.how == How::Incremented ? "atomic" : "write", where,
                       trial_text(race_.trial[0]));
  }

  /// "send both by NoC 1: let send.cpp:33 and send.cpp:34 have noc = 1".
  std::string same_way() const {
    const std::vector<GroupMend> mends = races_.mends_of(race_, Races::Which::Second);
    if (mends.empty()) return {};
    std::vector<std::string> changes;
    std::vector<Access> all = race_.signals;
    all.push_back(race_.change);
    for (const GroupMend& each : mends) {
      const auto who = std::ranges::find_if(
          all, [&](const Access& access) { return each.mend.is_at(access.risc, access.line); });
      changes.push_back(change_of_way(*who, each.mend));
    }
    return fmt::format("let both go the same way: {}{}", fmt::join(changes, ", and "),
                       trial_text(race_.trial[1]));
  }

  /// "call noc_semaphore_inc_multicast(), to its one receiver, in send.cpp:33".
  std::string change_of_way(const Access& who, const launch::Mend& mend) const {
    std::vector<std::string> what;
    if (mend.is_many) {
      const std::string_view name = who.how == How::Incremented ? "noc_semaphore_inc_multicast"
                                    : who.bytes <= kWordBytes   ? "noc_semaphore_set_multicast"
                                                                : "noc_async_write_multicast";
      what.push_back(fmt::format("{}(), to a rectangle of its one receiver,", name));
    }
    if (who.noc != mend.noc)
      what.push_back(fmt::format("noc = {}{}", mend.noc,
                                 who.is_many ? " and the corners the other way around" : ""));
    if (who.channel != mend.channel && !mend.is_many)
      what.push_back(fmt::format("vc = {}", mend.channel));
    return fmt::format("{} in {}", fmt::join(what, " and "), line(who));
  }

  /// "noc_async_write_barrier()"; "" of what a core or a unit does itself.
  static std::string_view barrier_of(How how) {
    switch (how) {
      case How::TakenByRead:
      case How::FilledByRead: return "noc_async_read_barrier()";
      case How::TakenByWrite:
      case How::Written: return "noc_async_write_barrier()";
      case How::Incremented: return "noc_async_atomic_barrier()";
      default: return "";
    }
  }

  /// What makes one the first, and what became of it.
  std::string signal_between(Which which) const {
    const auto [first, second, is_of_rounds] = ordered(race_);
    const std::string_view barrier = barrier_of(first->how);
    return fmt::format("raise a semaphore of {} behind {}{}{}, and {}{}", core(*second),
                       line(*first), barrier.empty() ? "" : " and ", barrier, wait_before(*second),
                       trial_text(race_.trial[static_cast<std::size_t>(which)]));
  }

  std::string wait_before(const Access& second) const {
    const auto [raises, turns, begins] = races_.waits_of(race_);
    if (turns == 1 && raises > 1)
      return fmt::format("wait until it is {} before {}", raises, line(second));
    std::string text = fmt::format("wait for it before {}", line(second));
    if (begins) text += ", but for its first time";
    if (raises != turns) text += fmt::format(" (raised {} times for {} waits)", raises, turns);
    return text;
  }

  Fault not_awaited() const {
    const Access &data = race_.change, &reader = race_.other;
    std::string message = fmt::format(
        "{}, and {} of {} of {} comes there before or after: nothing that {} has waited for "
        "says which",
        subject(reader), noun(data.how), line(data), risc_of_core(data), risc(reader));
    return fault_at(reader, std::move(message), signal_between(Which::First));
  }

  Fault not_free() const {
    const Access &data = race_.change, &reader = race_.other;
    return fault_at(
        data,
        fmt::format("{}, and {} of {} of {} may still need what is there: nothing that {} has "
                    "waited for says that it does not",
                    subject(data), noun(reader.how), line(reader), risc_of_core(reader),
                    risc(data)),
        signal_between(Which::First));
  }

  Fault two_writers() const {
    return fault_at(race_.change,
                    fmt::format("{}, and {} of {} of {} comes there, too: nothing says whose data "
                                "stay",
                                subject(race_.change), noun(race_.other.how), line(race_.other),
                                risc_of_core(race_.other)),
                    own_places());
  }

  /// A place for each, or an order of both.
  std::string own_places() const {
    const bool is_tried = race_.trial[0] != Trial::Untried;
    return fmt::format("give each a place of its own{}{}, or {}",
                       is_tried ? fmt::format(", {} bytes apart", bytes_of_place(race_)) : "",
                       trial_text(race_.trial[0]), signal_between(Which::Second));
  }

  Fault lost_update() const {
    const Access &change = race_.change, &own = race_.other;
    const bool is_store = own.how == How::Store;
    return fault_at(
        own,
        fmt::format("{}, and {} of {} of {} may come at the same time: one of the two is lost",
                    subject(own), noun(change.how), line(change), risc_of_core(change)),
        is_store
            ? store_before()
            : fmt::format("let all of them increment it{}, or give each a semaphore of its own",
                          trial_text(race_.trial[0])),
        "programs 12");
  }

  std::string store_before() const {
    const Access &change = race_.change, &own = race_.other;
    const bool waits = launch::helps(race_.trial[1]);
    const std::string first = waits ? signal_between(Which::Second)
                                    : fmt::format("do {} before what lets {} go on to {}",
                                                  line(own), core(change), line(change));
    return launch::helps(race_.trial[0])
               ? fmt::format("{}{}, or {}", added_instead(), trial_text(race_.trial[0]), first)
               : first;
  }

  std::string added_instead() const {
    if (!race_.added) return fmt::format("leave {} out", line(race_.other));
    const std::uint64_t offset = race_.begin - programs::kSemaphores;
    const std::string word =
        programs::is_semaphore(race_.begin)
            ? fmt::format("get_semaphore({})", offset / programs::kSemaphoreBytes)
            : fmt::format("0x{:x}", race_.begin);
    return fmt::format(
        "call noc_semaphore_inc(get_noc_addr({}), {}) and noc_async_atomic_barrier() "
        "in place of {}",
        word, static_cast<std::int32_t>(*race_.added), line(race_.other));
  }

  Fault passed() const {
    const Access &raise = race_.change, &wait = race_.other;
    return fault_at(
        wait,
        fmt::format("{}: {}: goes on only if {}, is just {}, and {} of {} of {} may come before it "
                    "looks: then it waits for ever",
                    core(wait), risc(wait), place(wait), race_.value, noun(raise.how), line(raise),
                    risc_of_core(raise)),
        fmt::format("call noc_semaphore_wait_min() in {}{}, or {}", line(wait),
                    trial_text(race_.trial[0]), signal_between(Which::Second)),
        "programs 15");
  }

  const Race& race_;
  const Races& races_;
  const Sources& sources_;
};

Fault unwritten_fault(const Unwritten& unwritten, const Races& races, const Sources& sources) {
  const noc::Transaction& read = unwritten.read;
  std::string message = fmt::format("core {}: {}: asks for {}, where nothing{} was ever written",
                                    programs::core_text(sources.cores[unwritten.core]),
                                    programs::core_name(read.core), noc::transaction_text(read),
                                    sources.buffer(unwritten.memory, read.source.address));
  if (unwritten.of.size() == 2) message += "; so does another core";
  if (unwritten.of.size() > 2)
    message += fmt::format("; so do {} other cores", unwritten.of.size() - 1);
  Fault fault{.kind = FaultKind::UnpredictableValue,
              .message = std::move(message),
              .remedy = std::string(launch::kWriteFirst),
              .rule = "programs 8",
              .file = sources.file(unwritten.core, read.core)};
  if (races.name_of(unwritten.core, read.line).empty()) fault.line = read.line;
  return fault;
}

} // namespace

std::vector<Fault> race_faults(const Races& races, const Sources& sources) {
  std::vector<Fault> faults;
  for (const Race& race : races.found()) faults.push_back(RaceText(race, races, sources).fault());
  for (const Unwritten& unwritten : races.unwritten())
    faults.push_back(unwritten_fault(unwritten, races, sources));
  if (!races.missed().empty())
    faults.push_back({.kind = FaultKind::NonContractual,
                      .message = fmt::format("races between cores were not looked for to the end: "
                                             "the program has {}",
                                             races.missed()),
                      .remedy = "look at a part of it, on fewer cores or with less data",
                      .rule = "programs 13"});
  return faults;
}

} // namespace lanewise::grid
