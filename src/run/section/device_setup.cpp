#include "run/section/device_setup.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "chip/isa/encoding.h"
#include "chip/tile/tile.h"

namespace lanewise::section {
namespace {

/// Semaphores of LLK (core.md 4): UNPACK_TO_DEST, PACK_DONE, MATH_DONE.
constexpr std::uint32_t kSetUpSemaphores = 1U << 2 | 1U << 4 | 1U << 7;

std::vector<std::optional<std::uint32_t>> setup_words(Arch arch) {
  using isa::Op;
  constexpr std::uint32_t kAllOfDst = 3, kInUseAndSet = 3, kBothFromImmediate = 10, kLReg11 = 11,
                          kItsOwnConstant = 1;
  return {isa::encode(arch, Op::ZEROACC, {{"Mode", kAllOfDst}}),
          isa::encode(arch, Op::SFPENCC, {{"Imm2", kInUseAndSet}, {"Mod1", kBothFromImmediate}}),
          isa::encode(arch, Op::SFPCONFIG, {{"ConfigDest", kLReg11}, {"Mod1", kItsOwnConstant}}),
          isa::encode(arch, Op::SEMINIT, {{"NewMax", 1}, {"SemaphoreMask", kSetUpSemaphores}})};
}

} // namespace

Expected<void> set_device_up(tile::Tile& tile) {
  constexpr unsigned kThread = 0; // the first core's instructions go there
  for (const auto& word : setup_words(tile.arch())) {
    tile.push(kThread, {word.value(), 0});
  }
  tile.rest_input(kThread);
  while (tile.step(kThread)) {
  }
  // What the sections and their cores do is counted.
  tile.state().thread[kThread].executed = 0;
  tile.state().thread[kThread].actions = 0;
  if (!tile.has_work(kThread)) return {};
  return bad_input(fmt::format("the device cannot be set up: it waits for {}",
                               tile::wait_text(tile.wait(kThread))));
}

} // namespace lanewise::section
