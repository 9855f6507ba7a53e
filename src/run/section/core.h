// A core that runs a compiled section: what the section wants, it asks of the tile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "chip/riscv/address_map.h"
#include "chip/tile/feeder.h"
#include "run/section/places.h"
#include "run/section/polling.h"
#include "run/section/section.h"
#include "run/section/snapshots.h"
#include "run/section/vector_code.h"
#include "source/sfpi/kernel_object.h"

namespace lanewise::section {

class SectionCore final : public tile::Feeder {
 public:
  /// `number`: of the core, and its thread if it has one; `epoch`: the release of SFPI. The object
  /// must live as long.
  SectionCore(unsigned number, Arch arch, int epoch, const sfpi::KernelObject& object,
              SectionPlaces places);

  Expected<tile::FeederStep> step(tile::Tile& tile) override;
  std::string waits_for() const override;
  bool waits_for_tile() const override { return reason_.kind == Reason::Kind::Tile; }

  /// Stores to addresses of snapshots go there.
  void take_snapshots(Snapshots& snapshots) { snapshots_ = &snapshots; }

  /// What it may want, and gets, without being left.
  void answer_at_once(Intercept answers) { at_once_ = std::move(answers); }

  /// Tells what its code does, of what tells it by itself.
  void tell(Listener& listener) { section_.tell(listener); }

  /// The line of a call, while its code runs.
  std::uint32_t line_at(const CallPlace& place) {
    return places_.line_of(section_.object(), section_.stack_from(place.code, place.frame,
                                                                  __builtin_frame_address(0)));
  }

  /// Where the core only looks, it is asked again now and then, unless what it finds has changed.
  /// Counters of circular buffers, which loops look at that wait for pages and do nothing else, are
  /// looked at again when somebody calls wake().
  void doze() { dozes_ = true; }
  /// It has found what it has looked for again and again.
  void found_it() { yields_ = 0; }

  /// Nobody on the tile can go on. A core that dozes at a counter looks once more, since its loop
  /// may look at other things, too. `version`: of all that others may have changed. False: it does
  /// not doze, or has looked often enough since the last change.
  bool wake(std::uint64_t version);

  /// How messages call what it runs.
  void call_it(std::string name) { name_ = std::move(name); }

  /// What the core waits for since the last step, if it waits for a change at an address.
  std::optional<std::uint32_t> polled_address() const { return polled_; }
  std::uint32_t line() const { return line_; }
  /// What its code wants now.
  const SectionEvent& event() const { return event_; }

  /// What its SFPI code becomes is written down there.
  void log_stretches(StretchLog& log) { vector_.log_stretches(log); }

  /// False if there is no memory for the section's stack.
  bool prepare() { return section_.prepare(); }

  /// Section::traps().
  std::uint64_t traps() const { return section_.traps(); }

  /// Whether the section has returned.
  bool has_ended() const { return started_ && event_.kind == SectionEvent::Kind::Ended; }

 private:
  /// Why it waits.
  struct Reason {
    enum class Kind : std::uint8_t {
      None,
      Tile,    ///< Tile::core_wait()
      Finds,   ///< at `address` it finds what it has found
      Sees,    ///< the same of memory that it can see by itself
      Touches, ///< the same of an instruction that loads and computes
      Snapshot ///< Snapshots
    };
    Kind kind = Kind::None;
    std::uint32_t address = 0, found = 0;
  };

  Expected<tile::FeederStep> load(tile::Tile& tile);
  Expected<tile::FeederStep> store(tile::Tile& tile);
  tile::FeederStep push(tile::Tile& tile);
  tile::FeederStep touched(const tile::Tile& tile);
  tile::FeederStep yields();
  bool dozes_on(std::uint32_t value);
  bool sleeps_on(std::uint32_t value);
  tile::FeederStep waits(const Reason& reason);
  tile::FeederStep waits(const tile::Tile& tile);
  std::string reason_text() const;
  tile::FeederStep go_on(std::uint32_t answer);
  Unexpected crash() const;
  Unexpected at_line(Fault fault) const;

  unsigned number_;
  SectionPlaces places_;
  VectorCode vector_;
  Section section_;
  Polling polling_;
  Snapshots* snapshots_ = nullptr;
  Intercept at_once_;
  bool dozes_ = false;
  std::string name_ = "the section";
  unsigned yields_ = 0; ///< in a row
  unsigned asked_ = 0;  ///< while it dozes
  bool sleeps_ = false; ///< it dozes at a counter
  bool is_woken_ = false;
  std::size_t looks_ = 0; ///< since `version_`, by wake()
  std::uint64_t version_ = 0;
  riscv::AddressRange counters_; ///< of circular buffers
  std::optional<std::uint32_t> polled_;
  bool started_ = false;
  SectionEvent event_;               ///< what the section wants now
  std::uint32_t line_ = 0;           ///< where it wants it
  Reason reason_;                    ///< of FeederStep::Waits: few are ever told
  const tile::Tile* tile_ = nullptr; ///< that says so
};

} // namespace lanewise::section
