// Registers of the NoC overlay that only keep what is stored in them: programs count the pages of
// circular buffers there. Nothing else of the overlay's streams is here.
#pragma once

#include <cstdint>
#include <map>

#include "chip/isa/noc_record.h"

namespace lanewise::tile {

class Overlay {
 public:
  /// Bytes between the registers of one stream and the next.
  static constexpr std::uint32_t kStream = 0x1000;

  static constexpr std::uint32_t offset_of(unsigned stream, unsigned number) {
    return stream * kStream + number * 4;
  }

  /// Whether the register at an offset from the first stream's first is such a one.
  static bool has(Arch arch, std::uint32_t offset) {
    const NocRecord* const record = noc_record(arch);
    if (record == nullptr || offset % 4 != 0) return false;
    const std::uint32_t stream = offset / kStream, number = offset % kStream / 4;
    return stream < record->circular_buffers &&
           (number == record->received || number == record->acked);
  }

  /// What was stored last; 0 at first.
  std::uint32_t load(std::uint32_t offset) const {
    const auto found = words_.find(offset);
    return found == words_.end() ? 0 : found->second;
  }
  void store(std::uint32_t offset, std::uint32_t value) { words_[offset] = value; }

 private:
  std::map<std::uint32_t, std::uint32_t> words_; ///< by offset
};

} // namespace lanewise::tile
