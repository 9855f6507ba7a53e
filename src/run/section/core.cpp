#include "run/section/core.h"

#include <fmt/format.h>

#include <csignal>
#include <utility>

#include "base/confinement.h"
#include "base/process.h"
#include "base/source_line.h"
#include "base/supervisor.h"
#include "chip/isa/program.h"
#include "chip/tile/tile.h"
#include "run/section/core_calls.h"
#include "run/section/push_call.h"

namespace lanewise::section {
namespace {

using tile::FeederStep;

/// Where a core configures its MOP expander (core.md 2).
constexpr std::uint32_t kMopConfiguration = 0xFFB80000;
constexpr std::uint32_t kMopConfigurationEnd = kMopConfiguration + 4 * kMopWords;

/// A core that dozes is asked once in so many times.
constexpr unsigned kDozes = 32;

/// One that sleeps, in so many, unless it is woken.
constexpr unsigned kSleeps = 1024;

/// Loops that pass the time by looking at memory get through.
constexpr unsigned kPatientYields = 2'000;

} // namespace

SectionCore::SectionCore(unsigned number, Arch arch, int epoch, const sfpi::KernelObject& object,
                         SectionPlaces places)
    : number_(number),
      places_(std::move(places)),
      vector_(arch, epoch, places_, object),
      section_(
          object,
          [this, &object] {
            object.call(vector_.recorder());
            vector_.flush();
          },
          [this](const SectionEvent& event) -> std::optional<std::uint32_t> {
            if (at_once_) {
              if (const auto answer = at_once_(event)) return answer;
            }
            if (vector_.takes(event)) return 0;
            return std::nullopt;
          }),
      counters_(riscv::range_of(arch, riscv::Region::NocOverlay)) {
  if (void* const push = object.find(kPushName)) *static_cast<PushCall*>(push) = push_call();
  if (void* const calls = object.find(kCoreCallsName))
    *static_cast<lanewise_core_calls**>(calls) = core_calls();
}

Expected<FeederStep> SectionCore::step(tile::Tile& tile) {
  if (!started_) {
    started_ = true;
    return go_on(0);
  }
  switch (event_.kind) {
    case SectionEvent::Kind::Load: return load(tile);
    case SectionEvent::Kind::Store: return store(tile);
    case SectionEvent::Kind::Touched: return touched(tile);
    case SectionEvent::Kind::Yields: return yields();
    case SectionEvent::Kind::Prints: return go_on(0);
    case SectionEvent::Kind::Crashed: return crash();
    case SectionEvent::Kind::Trapped:
      return at_line({.kind = FaultKind::BadInput,
                      .message = attempt_message(name_, event_.signal),
                      .remedy = kAttemptRemedy});
    case SectionEvent::Kind::Failed:
      return at_line(
          {.kind = FaultKind::BadInput, .message = event_.message, .remedy = event_.remedy});
    case SectionEvent::Kind::Ended: return FeederStep::Ended;
  }
  return FeederStep::Ended;
}

std::string SectionCore::waits_for() const {
  const std::string reason = reason_text();
  return has_line(line_) ? fmt::format("{}: {}", line_text(line_), reason) : reason;
}

std::string SectionCore::reason_text() const {
  switch (reason_.kind) {
    case Reason::Kind::None: break;
    case Reason::Kind::Tile: return tile::wait_text(tile_->core_wait(number_));
    case Reason::Kind::Finds:
      return fmt::format("a change at address 0x{:08X}, where it finds {} again and again",
                         reason_.address, reason_.found);
    case Reason::Kind::Sees: return "a change in L1, where it looks again and again";
    case Reason::Kind::Touches: return fmt::format("a change at address 0x{:08X}", reason_.address);
    case Reason::Kind::Snapshot: return "its turn to have its state looked at";
  }
  return "";
}

Expected<FeederStep> SectionCore::load(tile::Tile& tile) {
  polled_.reset();
  const auto value = tile.load(number_, event_.address, event_.bytes, line_);
  if (!value) return at_line(value.error());
  if (!*value) return waits(tile);
  const std::uint32_t address = event_.address;
  const std::uint32_t found = **value;
  const Reason reason{.kind = Reason::Kind::Finds, .address = address, .found = found};
  sleeps_ = false;
  if (counters_.holds(address)) {
    if (sleeps_on(found)) {
      polled_ = address;
      return waits(reason);
    }
  } else if (dozes_on(found)) {
    if (polling_.is_patient()) return FeederStep::Went;
    polled_ = address;
    return waits(reason);
  }
  const bool polls = polling_.loaded(event_.stack.front(), address, found);
  const FeederStep step = go_on(found);
  if (!polls || step == FeederStep::Ended) return step;
  polled_ = address;
  return waits(reason);
}

/// Whether the core, which wants a word that it has found there before, is left alone this time.
bool SectionCore::dozes_on(std::uint32_t value) {
  if (!dozes_ || !polling_.finds_again(event_.stack.front(), event_.address, value)) {
    asked_ = 0;
    return false;
  }
  return ++asked_ % kDozes != 0;
}

/// The same at a counter: once in a long time, and where wake() says so.
bool SectionCore::sleeps_on(std::uint32_t value) {
  sleeps_ = dozes_ && polling_.finds_again(event_.stack.front(), event_.address, value) &&
            ++asked_ % kSleeps != 0;
  return sleeps_ && !std::exchange(is_woken_, false);
}

bool SectionCore::wake(std::uint64_t version) {
  if (version_ != version) looks_ = 0;
  version_ = version;
  is_woken_ = sleeps_ && looks_ < polling_.places(); // once around the loop
  looks_ += is_woken_ ? 1 : 0;
  return is_woken_;
}

/// It looks at memory that it can see by itself.
FeederStep SectionCore::yields() {
  polled_.reset();
  const std::uint64_t place = event_.stack.empty() ? 0 : event_.stack.front();
  ++yields_;
  const FeederStep step = go_on(0);
  if (event_.kind != SectionEvent::Kind::Yields) return step;
  if (event_.stack.empty() || event_.stack.front() != place)
    found_it(); // another loop, which has not looked yet
  if (yields_ <= kPatientYields) return step;
  return waits({.kind = Reason::Kind::Sees});
}

Expected<FeederStep> SectionCore::store(tile::Tile& tile) {
  polling_.acted();
  yields_ = 0;
  if (event_.address == kInstructionBuffer) return push(tile);
  if (event_.address >= kMopConfiguration && event_.address < kMopConfigurationEnd) {
    tile.configure_mop(number_, (event_.address - kMopConfiguration) / 4, event_.value, line_);
    return go_on(0);
  }
  if (snapshots_ != nullptr && Snapshots::has(event_.address)) {
    if (snapshots_->store(tile, number_, event_.address, event_.value, line_)) return go_on(0);
    return waits({.kind = Reason::Kind::Snapshot});
  }
  const auto stored = tile.store(number_, event_.address, event_.bytes, event_.value, line_);
  if (!stored) return at_line(stored.error());
  return *stored ? go_on(0) : waits(tile);
}

FeederStep SectionCore::push(tile::Tile& tile) {
  if (tile.push(number_, {event_.value, line_})) return go_on(0);
  return waits(tile);
}

/// A loop may wait with an instruction that loads and computes at once.
FeederStep SectionCore::touched(const tile::Tile& tile) {
  const std::uint32_t value = tile.state().l1.load(event_.address & ~3U, 4);
  const bool polls = polling_.loaded(event_.stack.front(), event_.address, value);
  const std::uint32_t address = event_.address;
  const FeederStep step = go_on(0);
  if (!polls || step == FeederStep::Ended) return step;
  return waits({.kind = Reason::Kind::Touches, .address = address});
}

FeederStep SectionCore::waits(const Reason& reason) {
  reason_ = reason;
  return FeederStep::Waits;
}

/// For what the tile says.
FeederStep SectionCore::waits(const tile::Tile& tile) {
  tile_ = &tile;
  return waits({.kind = Reason::Kind::Tile});
}

FeederStep SectionCore::go_on(std::uint32_t answer) {
  event_ = section_.go_on(answer);
  line_ = event_.line != 0 ? event_.line : places_.line_of(section_.object(), event_.stack);
  return FeederStep::Went;
}

Unexpected SectionCore::at_line(Fault fault) const {
  fault.line = line_;
  settle_place(fault);
  return Unexpected(std::move(fault));
}

Unexpected SectionCore::crash() const {
  Fault fault{.kind = FaultKind::BadInput, .message = {}};
  switch (event_.signal) {
    case SIGILL:
      fault.message = "an LLK_ASSERT does not hold";
      fault.remedy = "look at what it asserts; the test or its parameters break a rule of LLK";
      break;
    case kTimeIsOver:
      fault.message = name_ + " did not end in time, and does nothing that others see";
      fault.remedy = fmt::format("look for a loop without end, or allow more with {}", kTimeOption);
      break;
    case SIGINT: fault.message = name_ + " was stopped here"; break;
    default:
      fault.message = fmt::format("{} crashed with {} at address 0x{:X}", name_,
                                  signal_name(event_.signal), event_.fault_address);
      fault.remedy = "look for a pointer to where a core has nothing";
  }
  return at_line(std::move(fault));
}

} // namespace lanewise::section
