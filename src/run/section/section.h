// A compiled section of a test while it runs: it goes on until it wants something of the tile.
//
// A section is machine code of the host. Where it loads from or stores to an address at which a
// core has a register, the host has nothing; the processor's fault is caught, the instruction read
// (move.h), and the section left in the middle until whoever drives it has an answer.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/section/coroutine.h"
#include "run/section/listener.h"
#include "source/sfpi/include/lanewise_recorder.h"
#include "source/sfpi/kernel_object.h"

namespace lanewise::section {

/// Where the registers of a core begin (core.md 2); all addresses above are registers.
inline constexpr std::uint64_t kRegisters = 0xFFB00000, kRegistersEnd = std::uint64_t{1} << 32;

/// Where a core pushes instructions.
inline constexpr std::uint32_t kInstructionBuffer = 0xFFE40000;

/// What a section wants, or what has become of it.
struct SectionEvent {
  enum class Kind : std::uint8_t {
    Load,    ///< `bytes` from `address`
    Store,   ///< `value`, `bytes` of it, to `address`
    Ended,   ///< it has returned
    Crashed, ///< by `signal`; it cannot go on
    Trapped, ///< it made the system call `signal`, which it must not make; nor can it go on
    Failed,  ///< it breaks a rule, see `message`; nor can it go on
    Touched, ///< it has loaded or stored at `address` of L1 in a way that is not known
    Yields,  ///< it waits for something in memory, and lets others go on
    Prints   ///< the text `message`
  };
  Kind kind = Kind::Ended;
  std::uint32_t address = 0;
  std::uint8_t bytes = 0;
  std::uint32_t value = 0;
  int signal = 0;                  ///< or the number of a system call
  std::uint64_t fault_address = 0; ///< of a crash
  std::string message = {}, remedy = {};
  /// Addresses of this process, the innermost first.
  std::vector<std::uint64_t> stack = {};
  std::uint32_t line = 0; ///< instead of a stack, where it is known
};

/// Sees what a section wants before it is left, on the section's side. Not nothing: it was dealt
/// with, and that is what comes of it.
using Intercept = std::function<std::optional<std::uint32_t>(const SectionEvent&)>;

class Section {
 public:
  /// `body` runs the section; it may call ask(). The object must live as long.
  Section(const sfpi::KernelObject& object, std::function<void()> body, Intercept intercept);

  /// Runs the section on to the next thing that it wants. `answer` is what its last load gives.
  /// Precondition: watch_sections() was called, and the last event was a load or a store.
  SectionEvent go_on(std::uint32_t answer);

  /// False if there is no memory for its stack.
  bool prepare() { return coroutine_.prepare(); }

  const sfpi::KernelObject& object() const { return object_; }

  /// How many accesses to registers were no calls, but faults of the processor so far.
  std::uint64_t traps() const { return traps_; }
  void count_trap() { ++traps_; }

  /// Tells what its code does from now on.
  void tell(Listener& listener) { listener_ = &listener; }

  // ------------------------------------------------------------ On the section's side

  /// Wants something, whatever `intercept` would say; returns what comes of it.
  std::uint32_t ask(SectionEvent event);

  /// The same, unless `intercept` deals with it.
  std::uint32_t want(SectionEvent event);
  std::optional<std::uint32_t> offer(const SectionEvent& event) { return intercept_(event); }

  /// nullptr if nobody wants to know.
  Listener* listener() const { return listener_; }

  /// The frames from `frame` on, above the code at `address`.
  std::vector<std::uint64_t> stack_from(std::uint64_t address, const void* frame,
                                        const void* innermost) const;

  /// The section that runs; nullptr while none does.
  static Section* running();

 private:
  const sfpi::KernelObject& object_;
  Coroutine coroutine_;
  Intercept intercept_;
  Listener* listener_ = nullptr;
  SectionEvent event_;
  std::uint32_t answer_ = 0;
  std::uint64_t traps_ = 0;
};

/// Catches the signals of sections in this process from now on. What faults elsewhere ends the
/// process as ever. Below `l1_end`, where L1 lies without access (SharedL1), loads and stores are
/// what a section wants, too. A page of which something else is wanted is opened for good, or where
/// `notices_all` for one instruction: SectionEvent::Kind::Touched comes behind it. `has_low_l1`:
/// loads and stores below kFirstMapped are of L1, too, and what a section wants.
void watch_sections(std::uint64_t l1_end, bool notices_all = false, bool has_low_l1 = false);

/// Whether Ctrl-C has been pressed since, while the tile did what sections want. A section that
/// runs then is left where it is: SectionEvent::Kind::Crashed.
bool sections_are_to_stop();

/// The handler of SIGSYS in the process of sections (base/confinement.h).
void on_section_attempt(int signal, siginfo_t* info, void* data);

} // namespace lanewise::section
