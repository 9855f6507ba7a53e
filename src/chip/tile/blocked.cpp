#include "chip/tile/blocked.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "chip/isa/encoding.h"

namespace lanewise::tile {

namespace {

using isa::Op;

/// Whether an instruction ends a wait.
using Ends = std::function<bool(const isa::Decoded&)>;

bool names_semaphore(const isa::Decoded& decoded, unsigned number) {
  return (decoded["SemaphoreMask"] >> number & 1U) != 0;
}

bool raises(const isa::Decoded& decoded, unsigned number) {
  const bool sets_value = decoded.row->op == Op::SEMINIT && decoded["NewValue"] != 0;
  return (decoded.row->op == Op::SEMPOST || sets_value) && names_semaphore(decoded, number);
}

bool lowers(const isa::Decoded& decoded, unsigned number) {
  return (decoded.row->op == Op::SEMGET || decoded.row->op == Op::SEMINIT) &&
         names_semaphore(decoded, number);
}

/// Whether a bank of SrcA (0) or SrcB (1) goes to the Matrix Unit (core.md 12.4, 13).
bool fills_bank(const isa::Decoded& decoded, unsigned source) {
  switch (decoded.row->unit) {
    case isa::Unit::Unpacker: {
      const bool hands_over = decoded.row->op == Op::UNPACR ? decoded["FlipSrc"] != 0 : true;
      return decoded["WhichUnpacker"] == source && hands_over;
    }
    case isa::Unit::Miscellaneous:
      return decoded.row->op == Op::SETDVALID &&
             decoded[source == 0 ? "FlipSrcA" : "FlipSrcB"] != 0;
    case isa::Unit::FrontEnd:
    case isa::Unit::Vector:
    case isa::Unit::Matrix:
    case isa::Unit::Packer:
    case isa::Unit::Sync:
    case isa::Unit::Configuration:
    case isa::Unit::Scalar:
    case isa::Unit::Mover: break;
  }
  return false;
}

/// Whether it goes back to the unpackers (MU 1.2).
bool frees_bank(const isa::Decoded& decoded, unsigned source) {
  return decoded.row->unit == isa::Unit::Matrix &&
         decoded[source == 0 ? "FlipSrcA" : "FlipSrcB"] != 0;
}

/// What ends a wait, in words and as a test.
struct Ending {
  std::string does;
  Ends ends;
  std::string remedy;
};

Ending bank_filled(unsigned source) {
  const char name = source == 0 ? 'A' : 'B';
  return {fmt::format("hands a bank of Src{} to the Matrix Unit", name),
          [source](const isa::Decoded& decoded) { return fills_bank(decoded, source); },
          fmt::format("let an UNPACR with FlipSrc=1, or SETDVALID FlipSrc{}=1, come for each bank "
                      "that is used",
                      name)};
}

Ending bank_freed(unsigned source) {
  const char name = source == 0 ? 'A' : 'B';
  return {fmt::format("gives a bank of Src{} back to the unpackers", name),
          [source](const isa::Decoded& decoded) { return frees_bank(decoded, source); },
          fmt::format("let the last instruction that uses a bank, or a SETRWC, have FlipSrc{}=1",
                      name)};
}

Ending semaphore_raised(unsigned number) {
  return {fmt::format("raises semaphore {}", number),
          [number](const isa::Decoded& decoded) { return raises(decoded, number); },
          fmt::format("add SEMPOST SemaphoreMask={} behind what is waited for", 1U << number)};
}

Ending semaphore_lowered(const TileState& tile, unsigned number) {
  const bool has_max = tile.sync.semaphore[number].max != 0;
  return {fmt::format("lowers semaphore {}", number),
          [number](const isa::Decoded& decoded) { return lowers(decoded, number); },
          has_max ? fmt::format("add SEMGET SemaphoreMask={} where its use ends", 1U << number)
                  : fmt::format("its maximum is 0, so it is always there: write "
                                ".semaphore {} 0 1, or SEMINIT",
                                number)};
}

Ending mutex_released(const TileState& tile, unsigned number) {
  const auto owner = tile.sync.mutex[number].owner;
  return {fmt::format("releases mutex {}", number),
          [number](const isa::Decoded& decoded) {
            return decoded.row->op == Op::ATRELM && decoded["Index"] == number;
          },
          owner ? fmt::format("T{} holds it: let it come to an ATRELM", unsigned{*owner})
                : std::string("use a mutex that the chip has")};
}

Ending nobody(std::string remedy) {
  return {{}, [](const isa::Decoded&) { return false; }, std::move(remedy)};
}

Ending ending_of(const TileState& tile, const Wait& wait) {
  switch (wait.cause) {
    case WaitCause::SrcAFilled: return bank_filled(0);
    case WaitCause::SrcBFilled: return bank_filled(1);
    case WaitCause::SrcAToFill: return bank_freed(0);
    case WaitCause::SrcBToFill: return bank_freed(1);
    case WaitCause::SemaphoreZero: return semaphore_raised(wait.what);
    case WaitCause::SemaphoreAtMax: return semaphore_lowered(tile, wait.what);
    case WaitCause::Mutex: return mutex_released(tile, wait.what);
    case WaitCause::Memory:
      return nobody("let another thread store the value that it compares with");
    case WaitCause::Stream:
      return nobody("leave out what waits for a stream: there is no NoC here");
    case WaitCause::FullQueue:
    case WaitCause::ThreadIdle: return nobody("see what the thread itself waits for");
    case WaitCause::EmptyMailbox:
    case WaitCause::FullMailbox: return nobody("see what the other core waits for");
    case WaitCause::None:
    case WaitCause::Input: break;
  }
  return nobody({});
}

/// Of all words of a thread, those of MopCfg among them, one for each line.
void add_releases(Arch arch, const Program& program, unsigned thread, const Ends& ends,
                  const ExecutionCounts& counts, std::vector<Release>& releases) {
  const auto consider = [&](const ProgramWord& word) {
    const isa::Decoded decoded = isa::decode(arch, word.word);
    if (decoded.row == nullptr || !ends(decoded)) return;
    const auto found = counts[thread].find(word.line);
    const Release release{thread, word, found == counts[thread].end() ? 0 : found->second};
    const bool is_known = std::ranges::any_of(releases, [&](const Release& each) {
      return each.thread == thread && each.word.line == word.line;
    });
    if (!is_known) releases.push_back(release);
  };
  for (const ProgramWord& word : program.words) consider(word);
  for (const MopSetting& setting : program.mop) consider({setting.value, setting.line});
}

} // namespace

std::vector<ExplainedWait> explain_blocked(const TileState& tile, const TileProgram& program,
                                           std::span<const Blocked> blocked,
                                           const ExecutionCounts& counts) {
  std::vector<ExplainedWait> explained;
  for (const Blocked& each : blocked) {
    Ending ending = ending_of(tile, each.wait);
    ExplainedWait wait{.blocked = each,
                       .releasing = std::move(ending.does),
                       .releases = {},
                       .remedy = std::move(ending.remedy)};
    for (unsigned thread = 0; thread < kThreads; ++thread)
      add_releases(tile.arch(), program.thread[thread], thread, ending.ends, counts, wait.releases);
    explained.push_back(std::move(wait));
  }
  return explained;
}

} // namespace lanewise::tile
