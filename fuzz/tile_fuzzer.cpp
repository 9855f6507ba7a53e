// Programs of a whole tile: whatever words, configuration and memory they have, in whatever order
// the threads go, the tile executes or reports them, and says what it waits for.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "chip/tile/program_run.h"
#include "report/tile/report.h"

namespace {

using namespace lanewise;

/// An UNPACR may move 2^18 data, so that few steps are enough.
constexpr std::uint64_t kMostSteps = 100;
constexpr std::size_t kConfigBytes = 64;

std::uint32_t word_at(const std::uint8_t* data) {
  std::uint32_t word = 0;
  std::memcpy(&word, data, sizeof word);
  return word;
}

/// Words of configuration first, then instructions, to the threads in turn.
TileProgram program_of(Arch arch, const std::uint8_t* data, std::size_t size) {
  TileProgram program;
  const std::uint32_t words = arch_params(arch).config.shared_words;
  const std::size_t config = std::min(kConfigBytes, size / 2);
  for (std::size_t i = 0; i + 5 <= config; i += 5)
    program.config_words.push_back({.word = data[i] % words, .value = word_at(data + i + 1)});
  for (std::size_t i = config, k = 0; i + 4 <= size; i += 4, ++k) {
    const auto line = static_cast<std::uint32_t>(k + 1);
    Program& thread = program.thread[k % kTileThreads];
    const std::uint32_t word = word_at(data + i);
    thread.words.push_back({word, line});
    thread.mop.push_back({.before = thread.words.size(),
                          .index = static_cast<std::uint8_t>(word % kMopWords),
                          .value = word,
                          .line = line});
  }
  return program;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Arch arch = kArchs[data[0] % 2];
  const tile::ScheduleChoice choice{static_cast<tile::Order>(data[0] / 2 % 3), data[1]};
  const TileProgram program = program_of(arch, data + 2, size - 2);
  auto start = tile::start_state(arch, program);
  if (!start) return 0;
  tile::Tile tile(arch);
  tile.state() = std::move(*start);
  const auto result = tile::run_program(tile, program, choice, {.most_steps = kMostSteps});
  if (!result) return 0;
  report::blocked_text(arch, tile::explain_blocked(tile.state(), program, result->blocked, {}));
  tile.faults();
  return 0;
}
