// A core of a tile that runs a kernel of a program.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "chip/noc/noc.h"
#include "chip/noc/places.h"
#include "chip/tile/feeder.h"
#include "run/launch/added_barriers.h"
#include "run/launch/checks.h"
#include "run/launch/handshakes.h"
#include "run/launch/launch.h"
#include "run/section/core.h"
#include "source/programs/compile.h"
#include "source/programs/layout.h"
#include "source/programs/start.h"
#include "source/sfpi/kernel_object.h"

namespace lanewise::launch {

/// What kernels print: lines, with the core in front, in the order in which they were ended.
class PrintLog {
 public:
  void print(unsigned core, std::string_view text);
  /// Lines that no kernel has ended are lines, too.
  std::vector<std::string> finish();

 private:
  /// No more is kept of a program that prints without end.
  static constexpr std::size_t kMostLines = 100'000;

  std::array<std::string, programs::kCores> begun_;
  std::vector<std::string> lines_;
};

class ProgramCore final : public tile::Feeder, private section::Listener {
 public:
  /// Loads the object and sets it up. All but `object` must live as long. Error: BadInput.
  static Expected<std::unique_ptr<ProgramCore>> load(
      unsigned core, const programs::Program& program, const programs::Layout& layout,
      const programs::ProgramObjects& objects, noc::Noc& noc, PrintLog& prints,
      ProgramChecks& checks, const AddedBarriers& barriers, const LaunchSettings& how);

  /// Errors name the kernel's file.
  Expected<tile::FeederStep> step(tile::Tile& tile) override;
  std::string waits_for() const override;
  /// Where the core waits for one value of a word, and the word has passed it.
  std::optional<std::uint32_t> passed_wait() const;

  bool has_ended() const { return core_->has_ended(); }
  /// SectionCore::wake().
  bool wake(std::uint64_t version) { return core_->wake(version); }
  /// How often it has changed something that others may wait for, as far as it is known; its end is
  /// one more.
  std::uint64_t changes() const { return changes_ + (has_ended() ? 1 : 0); }
  void count_change() { ++changes_; }

  /// After everything that the NoC sees.
  void see(const noc::NocEvent& event) {
    if (handshakes_.see(event)) checks_.wait_for(event.transaction->number);
  }

  /// What its SFPI code becomes is written down there.
  void log_stretches(section::StretchLog& log) { core_->log_stretches(log); }
  const std::string& source() const { return source_; }
  /// Section::traps().
  std::uint64_t traps() const { return core_->traps(); }

 private:
  ProgramCore(unsigned core, const programs::Program& program, std::string source,
              sfpi::KernelObject object, noc::Noc& noc, ProgramChecks& checks,
              const AddedBarriers& barriers, const LaunchSettings& how)
      : number_(core),
        handshakes_(core, noc::core_number(program.core.x, program.core.y), how.mends, noc),
        program_(program),
        source_(std::move(source)),
        object_(std::move(object)),
        noc_(noc),
        checks_(checks),
        barriers_(barriers),
        mends_(how.mends),
        is_left_to_chance_(how.schedule.order == tile::Order::Random),
        random_(how.schedule.seed + core) {}

  bool access(const section::MemoryAccess& access, const section::CallPlace& place) override;
  void intend(const section::Intent& intent, const section::CallPlace& place) override;

  std::string polled_text(std::uint32_t address) const;
  std::string awaited_text() const;
  std::optional<std::uint32_t> word_at(std::uint64_t address) const;
  void set_word(std::uint64_t address, std::uint32_t value);
  bool shows_as_awaited(const section::MemoryAccess& access);
  void end_wait();
  void begin(tile::Tile& tile);
  bool is_added(const section::MemoryAccess& access, const section::CallPlace& place);
  void add_stored();
  bool waits_for_words();
  bool shakes_hands();
  bool sends() const;
  bool is_interrupted();

  /// An access that waits for a word that others are to raise.
  struct Held {
    section::MemoryAccess access;
    section::CallPlace place;
  };

  unsigned number_;
  Handshakes handshakes_;
  std::optional<Held> held_;
  bool has_come_ = false; ///< Handshakes::come_to() knows what the core now asks of the NoC
  const programs::Program& program_;
  std::string source_;
  sfpi::KernelObject object_;
  noc::Noc& noc_;
  ProgramChecks& checks_;
  const AddedBarriers& barriers_;
  const std::vector<Mend>& mends_;
  bool is_left_to_chance_; ///< where in its code it lets others go on
  std::mt19937_64 random_;
  unsigned interruptions_ = 0; ///< that are left since it has asked the NoC for something
  unsigned rests_ = 0;         ///< as often it lets others go on instead of going on itself
  std::unique_ptr<section::SectionCore> core_;
  tile::Tile* tile_ = nullptr; ///< of the last step
  section::Intent awaited_;    ///< the last wait for a word, as it says itself
  bool has_awaited_ = false;
  bool takes_more_ = false;  ///< at a Mend::Kind::AtLeast
  std::uint32_t hidden_ = 0; ///< of the awaited word, what is above the value that is shown
  /// Of a word whose stores are tried as increments (Mend::Kind::Added).
  struct Added {
    const Mend* mend = nullptr;
    std::uint32_t line = 0;
    std::uint32_t before = 0;
  };
  std::optional<Added> stored_;                 ///< and what it adds is not yet known
  std::map<std::uint64_t, std::uint32_t> seen_; ///< what the kernel has found there, by address
  std::uint64_t changes_ = 0;
};

} // namespace lanewise::launch
