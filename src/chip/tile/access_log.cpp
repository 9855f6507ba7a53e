#include "chip/tile/access_log.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/tile/register_use.h"
#include "chip/tile/tile_state.h"

namespace lanewise::tile {

namespace {

constexpr std::uint32_t kL1Block = 16, kDstBlock = 16;

unsigned shared_words(const TileState& tile) {
  return arch_params(tile.arch()).config.shared_words;
}

std::vector<std::uint16_t> dst_image(const TileState& tile) {
  const Dst& dst = tile.machine.dst;
  std::vector<std::uint16_t> image(&dst.cell[0][0],
                                   &dst.cell[0][0] + std::size_t{kDstRows} * kDstColumns);
  for (unsigned row = 0; row < kDstRows; ++row) image.push_back(dst.valid(row) ? 1 : 0);
  return image;
}

std::vector<std::uint32_t> config_image(const TileState& tile) {
  std::vector<std::uint32_t> image;
  for (unsigned bank = 0; bank < 2; ++bank) {
    for (unsigned word = 0; word < shared_words(tile); ++word)
      image.push_back(tile.machine.config.shared_word(bank, word));
  }
  return image;
}

/// Sources that an instruction of the Matrix Unit writes (MU 7).
struct WrittenSources {
  bool srca = false, srcb = false;
};

WrittenSources written_sources(const isa::Decoded& decoded) {
  switch (decoded.row->op) {
    case isa::Op::MOVD2A:
    case isa::Op::MOVB2A:
    case isa::Op::SHIFTXA: return {.srca = true};
    case isa::Op::MOVD2B:
    case isa::Op::SHIFTXB:
    case isa::Op::TRNSPSRCB: return {.srcb = true};
    case isa::Op::ZEROSRC:
      return {.srca = decoded["ClearSrcA"] != 0, .srcb = decoded["ClearSrcB"] != 0};
    default: return {};
  }
}

} // namespace

std::string place_text(PlaceId id) {
  switch (id.place) {
    case SharedPlace::L1: return fmt::format("L1 at 0x{:x}", id.index * kL1Block);
    case SharedPlace::Dst:
      return fmt::format("Dst rows {} to {}", id.index * kDstBlock,
                         id.index * kDstBlock + kDstBlock - 1);
    case SharedPlace::SrcA: return fmt::format("bank {} of SrcA", id.index);
    case SharedPlace::SrcB: return fmt::format("bank {} of SrcB", id.index);
    case SharedPlace::Config: return fmt::format("word {} of the shared configuration", id.index);
  }
  return {};
}

void AccessLog::begin(Agent agent, std::uint64_t ordinal, const ProgramWord& word) {
  current_ = {.agent = agent, .ordinal = ordinal, .word = word, .step = steps_++};
}

void AccessLog::cancel() {
  --steps_;
}

void AccessLog::touch(PlaceId id, bool writes, std::uint32_t bits) {
  std::vector<Touch>& touches = touches_[id];
  for (auto each = touches.rbegin(); each != touches.rend() && each->step == current_.step;
       ++each) {
    if (each->writes != writes) continue;
    each->bits |= bits;
    return;
  }
  current_.writes = writes;
  current_.bits = bits;
  touches.push_back(current_);
}

void AccessLog::touch_l1(std::uint64_t address, std::uint32_t bytes, bool writes) {
  for (std::uint64_t block = address / kL1Block; block * kL1Block < address + bytes; ++block)
    touch({SharedPlace::L1, static_cast<std::uint32_t>(block)}, writes);
}

MachineTouches::MachineTouches(TileState& tile, std::uint32_t word) : tile_(tile), word_(word) {
  if (tile.log == nullptr) return;
  dst_ = dst_image(tile);
  config_ = config_image(tile);
  bank_ = {tile.machine.srca.current, tile.machine.srcb.current};
  const isa::Effects effects(tile.arch(), word);
  if ((effects.parts_read() & isa::part::kSources) == 0) return;
  tile.log->touch({SharedPlace::SrcA, bank_[0]}, false);
  tile.log->touch({SharedPlace::SrcB, bank_[1]}, false);
}

void MachineTouches::note() {
  if (tile_.log == nullptr) return;
  note_dst();
  note_config();
  note_banks();
}

/// Who writes a bank changes it, and so does who hands it back: nobody may fill it before.
void MachineTouches::note_banks() {
  const isa::Decoded decoded = isa::decode(tile_.arch(), word_);
  if (decoded.row == nullptr) return;
  const WrittenSources written = written_sources(decoded);
  const bool flips_a = tile_.machine.srca.current != bank_[0];
  const bool flips_b = tile_.machine.srcb.current != bank_[1];
  if (written.srca || flips_a) tile_.log->touch({SharedPlace::SrcA, bank_[0]}, true);
  if (written.srcb || flips_b) tile_.log->touch({SharedPlace::SrcB, bank_[1]}, true);
}

/// What is written is read, too, by sums; what only reads may read any row.
void MachineTouches::note_dst() {
  const isa::Effects effects(tile_.arch(), word_);
  const bool reads = (effects.parts_read() & isa::part::kDst) != 0;
  const bool may_write = (effects.parts_written() & isa::part::kDst) != 0;
  if (!reads && !may_write) return;
  const std::vector<std::uint16_t> now = dst_image(tile_);
  for (unsigned block = 0; block < kDstRows / kDstBlock; ++block) {
    constexpr std::size_t kCells = std::size_t{kDstBlock} * kDstColumns;
    const std::size_t valid = std::size_t{kDstRows} * kDstColumns + std::size_t{block} * kDstBlock;
    const bool changed =
        std::memcmp(&now[block * kCells], &dst_[block * kCells], kCells * sizeof now[0]) != 0 ||
        std::memcmp(&now[valid], &dst_[valid], kDstBlock * sizeof now[0]) != 0;
    if (changed) tile_.log->touch({SharedPlace::Dst, block}, true);
    if (reads && (changed || !may_write)) tile_.log->touch({SharedPlace::Dst, block}, false);
  }
}

void MachineTouches::note_config() {
  const std::vector<std::uint32_t> now = config_image(tile_);
  const unsigned words = shared_words(tile_);
  for (unsigned word = 0; word < words; ++word) {
    for (const std::size_t i : {std::size_t{word}, std::size_t{words} + word}) {
      const std::uint32_t changed = now[i] ^ config_[i];
      if (changed != 0) tile_.log->touch({SharedPlace::Config, word}, true, changed);
    }
  }
}

void touch_dst(TileState& tile, unsigned physical_row, bool writes) {
  if (tile.log != nullptr) tile.log->touch({SharedPlace::Dst, physical_row / kDstBlock}, writes);
}

void touch_unit_config(TileState& tile, bool is_packer) {
  if (tile.log == nullptr) return;
  const isa::Unit unit = is_packer ? isa::Unit::Packer : isa::Unit::Unpacker;
  for (const unsigned word : unit_words(tile.arch(), unit))
    tile.log->touch({SharedPlace::Config, word}, false);
}

} // namespace lanewise::tile
