#include "run/launch/program_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "base/source_line.h"
#include "chip/riscv/address_map.h"
#include "chip/tile/tile.h"
#include "run/launch/images.h"
#include "run/section/core_calls.h"
#include "run/section/places.h"

namespace lanewise::launch {

namespace {

using riscv::Region;
using section::SectionEvent;

/// Enough for the data of several reads to come in between: how often it rests, and how often it is
/// asked meanwhile.
constexpr unsigned kInterruptions = 16;
constexpr unsigned kLongestRest = 12;

/// What a core may want without being left: to print; and of a core that moves data, registers of
/// command buffers of its NIUs, and status registers that nothing under way changes.
section::Intercept answers_of(unsigned core, Arch arch, noc::Noc& noc, PrintLog& prints,
                              ProgramChecks& checks) {
  // Who looks at the same again and again waits for something that may never come.
  constexpr unsigned kMostLooks = 64;
  std::uint32_t looked_at = 0;
  unsigned looks = 0;
  return [core, arch, &noc, &prints, &checks, looked_at,
          looks](const SectionEvent& event) mutable -> std::optional<std::uint32_t> {
    if (event.kind == SectionEvent::Kind::Yields) {
      checks.yield(core);
      return std::nullopt;
    }
    if (event.kind == SectionEvent::Kind::Prints) {
      prints.print(core, event.message);
      return 0;
    }
    if (core < kThreads) return std::nullopt;
    const riscv::AddressRange range = riscv::find_region(arch, event.address);
    if (range.region != Region::Noc0 && range.region != Region::Noc1) return std::nullopt;
    const unsigned number = range.region == Region::Noc1 ? 1 : 0;
    const std::uint32_t offset = event.address - range.first;
    if (event.kind == SectionEvent::Kind::Store && !noc.sends(offset)) {
      if (noc.store(core, number, offset, event.value, 0)) return 0;
    }
    looks = event.kind == SectionEvent::Kind::Load && event.address == looked_at ? looks + 1 : 0;
    looked_at = event.address;
    if (looks > kMostLooks) return std::nullopt;
    if (event.kind == SectionEvent::Kind::Load && noc.is_settled(number, offset)) {
      if (const auto value = noc.load(core, number, offset)) return *value;
    }
    return std::nullopt;
  };
}

} // namespace

void PrintLog::print(unsigned core, std::string_view text) {
  std::string& line = begun_[core];
  for (const char each : text) {
    if (each != '\n') {
      line += each;
    } else {
      if (lines_.size() < kMostLines)
        lines_.push_back(fmt::format("{}: {}", programs::core_name(core), line));
      line.clear();
    }
  }
}

std::vector<std::string> PrintLog::finish() {
  for (unsigned core = 0; core < programs::kCores; ++core)
    if (!begun_[core].empty()) print(core, "\n");
  return std::move(lines_);
}

Expected<std::unique_ptr<ProgramCore>> ProgramCore::load(
    unsigned core, const programs::Program& program, const programs::Layout& layout,
    const programs::ProgramObjects& objects, noc::Noc& noc, PrintLog& prints, ProgramChecks& checks,
    const AddedBarriers& barriers, const LaunchSettings& how) {
  const std::filesystem::path& path = objects.object[core];
  auto object = sfpi::KernelObject::load(path);
  if (!object)
    return bad_input(
        fmt::format("cannot load the compiled kernel {}: {}", path.string(), object.error()),
        "delete it, and it will be compiled again");
  auto places = section::SectionPlaces::open(path, objects.source[core],
                                             section::SectionPlaces::Told::Source);
  if (!places) return Unexpected(places.error());
  std::unique_ptr<ProgramCore> result(new ProgramCore(
      core, program, objects.source[core], std::move(*object), noc, checks, barriers, how));
  auto* const data = static_cast<lanewise_launch*>(result->object_.find("lanewise_launch_data"));
  if (data == nullptr) return bad_input(fmt::format("{} is no compiled kernel", path.string()));
  *data = launch_data(program, layout, programs::processor_of(core));
  result->core_ = std::make_unique<section::SectionCore>(core, program.arch, objects.epoch,
                                                         result->object_, std::move(*places));
  result->core_->doze();
  result->core_->call_it("the kernel");
  if (result->object_.find(section::kCoreCallsName) != nullptr) {
    auto answers = answers_of(core, program.arch, noc, prints, checks);
    if (how.mends.empty()) {
      result->core_->answer_at_once(std::move(answers));
    } else {
      result->core_->answer_at_once([own = result.get(), answers](const SectionEvent& event) {
        own->add_stored();
        return answers(event);
      });
    }
    result->core_->tell(*result);
  }
  if (!result->core_->prepare()) return bad_input("there is no memory for a kernel's stack");
  return result;
}

bool ProgramCore::access(const section::MemoryAccess& access, const section::CallPlace& place) {
  changes_ += access.changes ? 1 : 0;
  add_stored();
  if (is_added(access, place)) return false;
  if (!handshakes_.are_none() && handshakes_.come_to(core_->line_at(place))) {
    held_ = {.access = access, .place = place};
    return true;
  }
  const bool yields =
      checks_.access(number_, access, place, [this, &place] { return core_->line_at(place); });
  const bool is_shown = shows_as_awaited(access);
  if (const auto seen = seen_.find(access.address); seen != seen_.end() && !access.changes)
    seen->second = word_at(access.address).value_or(seen->second);
  // Behind an increment that was added the core waits for it.
  return barriers_.holds(number_) || (!is_shown && (yields || is_interrupted()));
}

/// A core is left where it touches registers, and data that come between them would never be seen:
/// in an order that chance decides, it also lets others go on before some of its accesses to L1.
bool ProgramCore::is_interrupted() {
  if (interruptions_ == 0 || random_() % 2 == 0) return false;
  --interruptions_;
  rests_ = 1 + static_cast<unsigned>(random_() % kLongestRest);
  return true;
}

/// Whether it is a store of a word that is tried as an increment: then it is taken back behind it,
/// once what it stores is known.
bool ProgramCore::is_added(const section::MemoryAccess& access, const section::CallPlace& place) {
  if (!access.changes || !seen_.contains(access.address)) return false;
  const std::uint32_t line = core_->line_at(place);
  const Mend* const mend = find_mend(mends_, Mend::Kind::Added, number_, [line] { return line; });
  const auto before = word_at(access.address);
  if (mend == nullptr || mend->address != access.address || !before) return false;
  stored_ = {.mend = mend, .line = line, .before = *before};
  return true;
}

/// The store before has been done by now.
void ProgramCore::add_stored() {
  if (!stored_) return;
  const auto [mend, line, before] = *std::exchange(stored_, std::nullopt);
  const std::uint32_t value = word_at(mend->address).value_or(before);
  std::uint32_t& seen = seen_.at(mend->address);
  set_word(mend->address, before);
  if (value != seen)
    noc_.increment(number_, mend->noc, {.address = mend->address}, value - seen, line);
  seen = value;
}

/// A wait for one value, to be tried as one for at least that: a larger one is hidden from the look
/// that comes now, until it has ended the wait.
bool ProgramCore::shows_as_awaited(const section::MemoryAccess& access) {
  if (!takes_more_ || access.changes || access.address != awaited_.which) return false;
  const std::uint32_t value = word_at(access.address).value_or(0);
  if (value <= awaited_.number) return false;
  hidden_ = value - awaited_.number;
  set_word(access.address, awaited_.number);
  return true;
}

void ProgramCore::end_wait() {
  takes_more_ = has_awaited_ = false;
  const std::uint32_t hidden = std::exchange(hidden_, 0);
  if (hidden != 0) set_word(awaited_.which, awaited_.number + hidden);
}

void ProgramCore::intend(const section::Intent& intent, const section::CallPlace& place) {
  add_stored();
  handshakes_.end_turn();
  if (intent.what == kLanewiseAwaits || intent.what == kLanewiseAwaitsAtLeast) {
    awaited_ = intent;
    has_awaited_ = true;
    takes_more_ = intent.what == kLanewiseAwaits &&
                  find_mend(mends_, Mend::Kind::AtLeast, number_,
                            [&] { return core_->line_at(place); }) != nullptr;
    checks_.begin_wait(number_, intent.which);
    return;
  }
  if (intent.what == kLanewiseAwaited) {
    const bool took_more = takes_more_;
    end_wait();
    core_->found_it();
    checks_.await(number_, core_->line_at(place),
                  {.address = intent.which,
                   .least = intent.number,
                   .found = word_at(intent.which).value_or(intent.number),
                   .is_exact = awaited_.what == kLanewiseAwaits && !took_more});
    return;
  }
  section::Intent meant = intent;
  if (intent.what == kLanewiseExpects)
    meant.number = noc_.count_answers(number_, intent.which, intent.number);
  std::uint64_t from = 0;
  if (number_ < kThreads && tile_ != nullptr) {
    const tile::Thread& thread = tile_->state().thread[number_];
    from = thread.executed + thread.queue.size();
  }
  checks_.intend(number_, core_->line_at(place), meant, from);
}

void ProgramCore::begin(tile::Tile& tile) {
  tile_ = &tile;
  for (const Mend& each : mends_)
    if (each.kind == Mend::Kind::Added && each.core == number_ && each.address != 0)
      if (const auto value = word_at(each.address)) seen_.emplace(each.address, *value);
}

/// Whether the core has not yet what it waits for before it does what it was about to do.
bool ProgramCore::waits_for_words() {
  const auto words = handshakes_.words();
  const bool are_raised = std::ranges::all_of(words, [this](const Handshakes::Awaited& each) {
    return word_at(each.word).value_or(0) >= each.least;
  });
  if (!are_raised) return true;
  for (const auto& [word, least, line] : words)
    checks_.await(number_, line,
                  {.address = word, .least = least, .found = word_at(word).value_or(least)});
  if (held_) {
    const std::uint32_t line = words.front().line;
    checks_.access(number_, held_->access, held_->place, [line] { return line; });
    held_.reset();
  }
  handshakes_.go_on();
  return false;
}

/// Semaphores that are tried (Mend::Kind::Raise, Await). True: the core waits for one.
bool ProgramCore::shakes_hands() {
  using Kind = SectionEvent::Kind;
  if (!handshakes_.words().empty()) return waits_for_words();
  const SectionEvent& event = core_->event();
  // Who lets others have their turn may be in the middle of what it does at a line.
  if (has_come_ || (event.kind == Kind::Yields && handshakes_.is_at(core_->line()))) return false;
  handshakes_.end_turn();
  if (handshakes_.is_raising()) return true;
  has_come_ = sends();
  return has_come_ && handshakes_.come_to(core_->line()) && waits_for_words();
}

/// Whether what it does next has the NoC do something.
bool ProgramCore::sends() const {
  const SectionEvent& event = core_->event();
  if (event.kind != SectionEvent::Kind::Store) return false;
  const riscv::AddressRange range = riscv::find_region(program_.arch, event.address);
  const bool is_of_noc = range.region == Region::Noc0 || range.region == Region::Noc1;
  return is_of_noc && noc_.sends(event.address - range.first);
}

Expected<tile::FeederStep> ProgramCore::step(tile::Tile& tile) {
  if (tile_ == nullptr) begin(tile);
  if (barriers_.holds(number_)) return tile::FeederStep::Waits;
  if (rests_ > 0) {
    // It goes on where it was, in the middle of what it does at a line.
    rests_ = noc_.is_under_way() ? rests_ - 1 : 0;
    if (rests_ > 0) return tile::FeederStep::Waits;
  } else if (!handshakes_.are_none() && shakes_hands()) {
    return tile::FeederStep::Waits;
  }
  has_come_ = false;
  if (is_left_to_chance_ && sends()) interruptions_ = kInterruptions;
  auto step = core_->step(tile);
  add_stored();
  if (step) return step;
  Fault fault = std::move(step.error());
  if (fault.file.empty()) fault.file = source_;
  fault.message = fmt::format("{}: {}", programs::core_name(number_), fault.message);
  return Unexpected(std::move(fault));
}

std::string ProgramCore::waits_for() const {
  if (barriers_.holds(number_)) return "waits for a barrier that was added";
  if (!handshakes_.words().empty()) return "waits for a semaphore that was added";
  const auto polled = core_->polled_address();
  if (tile_ == nullptr) return core_->waits_for();
  const std::string text = polled ? polled_text(*polled) : awaited_text();
  if (text.empty()) return core_->waits_for();
  return has_line(core_->line()) ? fmt::format("{}: {}", line_text(core_->line()), text) : text;
}

std::optional<std::uint32_t> ProgramCore::word_at(std::uint64_t address) const {
  if (tile_ == nullptr) return std::nullopt;
  const std::span<const std::uint8_t> l1 = tile_->state().l1.bytes();
  std::uint32_t value = 0;
  if (address > l1.size() - sizeof value) return std::nullopt;
  std::memcpy(&value, l1.data() + address, sizeof value);
  return value;
}

void ProgramCore::set_word(std::uint64_t address, std::uint32_t value) {
  std::memcpy(tile_->state().l1.bytes().data() + address, &value, sizeof value);
}

std::optional<std::uint32_t> ProgramCore::passed_wait() const {
  if (!has_awaited_ || awaited_.what != kLanewiseAwaits) return std::nullopt;
  const auto found = word_at(awaited_.which);
  return found && *found > awaited_.number ? std::optional(core_->line()) : std::nullopt;
}

/// A semaphore that has not become what the core has said it waits for.
std::string ProgramCore::awaited_text() const {
  const auto found = has_awaited_ ? word_at(awaited_.which) : std::nullopt;
  if (!found) return {};
  const std::uint32_t value = *found;
  const bool at_least = awaited_.what == kLanewiseAwaitsAtLeast;
  if (at_least ? value >= awaited_.number : value == awaited_.number) return {};
  const std::uint32_t offset = awaited_.which - programs::kSemaphores;
  const std::string name = offset < programs::kMostSemaphores * programs::kSemaphoreBytes &&
                                   offset % programs::kSemaphoreBytes == 0
                               ? fmt::format("semaphore {}", offset / programs::kSemaphoreBytes)
                               : fmt::format("the word at 0x{:x} of L1", awaited_.which);
  return fmt::format("{} to be {}{}, which is {}{}", name, at_least ? "at least " : "",
                     awaited_.number, value,
                     !at_least && value > awaited_.number
                         ? ": it has passed that (noc_semaphore_wait_min waits for at least)"
                         : "");
}

/// Counters of circular buffers and answers of the NoC, in words.
std::string ProgramCore::polled_text(std::uint32_t address) const {
  const riscv::AddressRange range = riscv::find_region(program_.arch, address);
  const std::uint32_t offset = address - range.first;
  if (range.region == Region::Noc0 || range.region == Region::Noc1)
    return fmt::format("answers of NoC {}", range.region == Region::Noc1 ? 1 : 0);
  if (range.region != Region::NocOverlay) return {};
  const NocRecord& record = *noc_record(program_.arch);
  const unsigned cb = offset / tile::Overlay::kStream;
  const tile::Overlay& overlay = tile_->state().overlay;
  const auto count = [&](unsigned number) {
    return overlay.load(tile::Overlay::offset_of(cb, number)) & 0xFFFF;
  };
  const bool wants_pages = offset % tile::Overlay::kStream / 4 == record.received;
  return fmt::format("{} c_{}, into which {} pages were pushed and of which {} were popped",
                     wants_pages ? "more pages of" : "room in", cb, count(record.received),
                     count(record.acked));
}

} // namespace lanewise::launch
