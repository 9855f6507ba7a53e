#include "run/vectors/tile_lines.h"

#include <fmt/format.h>

#include <utility>

#include "base/in_quotes.h"
#include "chip/tile/l1.h"

namespace lanewise::lab {

namespace {

constexpr std::uint32_t kLastThread = kThreads - 1;
constexpr std::uint32_t kNobody = kThreads; ///< owner of a free mutex

constexpr std::pair<std::string_view, VectorItem> kTileItems[] = {
    {"l1", VectorItem::L1},
    {"gpr", VectorItem::Gpr},
    {"adc", VectorItem::Adc},
    {"semaphore", VectorItem::Semaphore},
    {"mutex", VectorItem::Mutex},
    {"config", VectorItem::ConfigWord},
    {"threadconfig", VectorItem::ThreadWord},
    {"fillbank", VectorItem::FillBank},
    {"srcfmt", VectorItem::SrcFormat},
    {"srcrow", VectorItem::SrcRow},
    {"context", VectorItem::ContextCounter}};

/// Bytes as pairs of digits, the lowest address first.
void take_bytes(Words& words, Arch arch, std::vector<std::uint32_t>& values) {
  const std::uint32_t size = arch_params(arch).tile.l1_bytes;
  values.push_back(words.hex("address", size - 1));
  const std::string_view digits = words.word("bytes");
  if (words.failed()) return;
  if (digits.size() % 2 != 0) return words.fail("bytes have two digits each");
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    std::uint32_t byte = 0;
    const auto [end, error] = std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    if (error != std::errc{} || end != digits.data() + i + 2)
      return words.fail(fmt::format("{} is no byte", in_quotes(digits.substr(i, 2))));
    values.push_back(byte);
  }
  if (values.size() - 1 > size - values[0]) words.fail("the bytes go beyond L1");
}

void take_counter(Words& words, Arch arch, std::vector<std::uint32_t>& values) {
  values.push_back(words.decimal("thread", kLastThread));
  values.push_back(words.decimal("unit", tile::kCountedUnits - 1));
  values.push_back(words.decimal("channel", 1));
  for (unsigned copy = 0; copy < 2; ++copy) { // values, then shadows
    for (unsigned axis = 0; axis < tile::kAxes; ++axis)
      values.push_back(
          words.decimal("counter", tile::counter_mask(arch, static_cast<tile::Axis>(axis))));
  }
}

} // namespace

std::optional<VectorItem> find_tile_item(std::string_view keyword) {
  for (const auto& [text, item] : kTileItems) {
    if (text == keyword) return item;
  }
  return std::nullopt;
}

void take_tile_values(Words& words, Arch arch, VectorItem item,
                      std::vector<std::uint32_t>& values) {
  const ArchParams& chip = arch_params(arch);
  switch (item) {
    case VectorItem::L1: take_bytes(words, arch, values); break;
    case VectorItem::Gpr:
      values.push_back(words.decimal("thread", kLastThread));
      values.push_back(words.decimal("register", 63));
      values.push_back(words.hex("value"));
      break;
    case VectorItem::Adc: take_counter(words, arch, values); break;
    case VectorItem::Semaphore:
      values.push_back(words.decimal("semaphore", tile::kSemaphores - 1));
      values.push_back(words.decimal("value", tile::kLargestSemaphore));
      values.push_back(words.decimal("maximum", tile::kLargestSemaphore));
      break;
    case VectorItem::Mutex:
      values.push_back(words.decimal("mutex", tile::kMutexes - 1));
      values.push_back(words.decimal("owner", kNobody));
      break;
    case VectorItem::ConfigWord:
      values.push_back(words.decimal("bank", 1));
      values.push_back(words.decimal("word", chip.config.shared_words - 1U));
      values.push_back(words.hex("value"));
      break;
    case VectorItem::ThreadWord:
      values.push_back(words.decimal("thread", kLastThread));
      values.push_back(words.decimal("word", chip.config.thread_words - 1U));
      values.push_back(words.hex("value", 0xFFFF));
      break;
    case VectorItem::FillBank:
      for (unsigned i = 0; i < 2; ++i) values.push_back(words.decimal("bank", 1));
      break;
    case VectorItem::SrcFormat:
      for (unsigned i = 0; i < 4; ++i) values.push_back(words.decimal("format", 15));
      break;
    case VectorItem::SrcRow:
    case VectorItem::ContextCounter:
      values.push_back(words.decimal("unpacker", 1));
      for (unsigned thread = 0; thread < kThreads; ++thread)
        values.push_back(words.decimal("value", item == VectorItem::SrcRow ? 63 : 7));
      break;
    case VectorItem::LReg:
    case VectorItem::Cc:
    case VectorItem::CcDepth:
    case VectorItem::Prng:
    case VectorItem::Dst:
    case VectorItem::SrcA:
    case VectorItem::SrcB:
    case VectorItem::Rwc:
    case VectorItem::RwcCr:
    case VectorItem::SrcBank:
    case VectorItem::SrcOwner:
    case VectorItem::DstValid:
    case VectorItem::AddrModBit:
    case VectorItem::Unchanged: break; // of machines (vector_file.cpp)
  }
}

void apply_tile_item(VectorCase& target, VectorItem item, const std::vector<std::uint32_t>& v) {
  TilePart& tile = *target.tile;
  MachineState& machine = target.initial;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(v[i]); };
  switch (item) {
    case VectorItem::L1: {
      TilePart::Span span{.address = v[0], .bytes = {}};
      for (std::size_t i = 1; i < v.size(); ++i) span.bytes.push_back(byte(i));
      tile.l1.push_back(std::move(span));
      break;
    }
    case VectorItem::Gpr: machine.gpr_of(v[0])[v[1]] = v[2]; break;
    case VectorItem::Adc:
      for (unsigned axis = 0; axis < tile::kAxes; ++axis)
        tile.counters.of(v[0], v[1])[v[2]].counter[axis] = {.value = v[3 + axis],
                                                            .cr = v[3 + tile::kAxes + axis]};
      break;
    case VectorItem::Semaphore:
      tile.sync.semaphore[v[0]] = {.value = byte(1), .max = byte(2)};
      break;
    case VectorItem::Mutex:
      tile.sync.mutex[v[0]].owner =
          v[1] == kNobody ? std::nullopt : std::optional<std::uint8_t>(byte(1));
      break;
    case VectorItem::ConfigWord: machine.config.write_bank(v[0], v[1], v[2], ~0U); break;
    case VectorItem::ThreadWord:
      machine.config.write_thread(v[1], static_cast<std::uint16_t>(v[2]), v[0]);
      break;
    case VectorItem::FillBank:
      machine.srca.filling = byte(0);
      machine.srcb.filling = byte(1);
      break;
    case VectorItem::SrcFormat:
      machine.srca.format = {byte(0), byte(1)};
      machine.srcb.format = {byte(2), byte(3)};
      break;
    case VectorItem::SrcRow: tile.unpacker[v[0]].row = {byte(1), byte(2), byte(3)}; break;
    case VectorItem::ContextCounter:
      tile.unpacker[v[0]].context = {byte(1), byte(2), byte(3)};
      break;
    case VectorItem::LReg:
    case VectorItem::Cc:
    case VectorItem::CcDepth:
    case VectorItem::Prng:
    case VectorItem::Dst:
    case VectorItem::SrcA:
    case VectorItem::SrcB:
    case VectorItem::Rwc:
    case VectorItem::RwcCr:
    case VectorItem::SrcBank:
    case VectorItem::SrcOwner:
    case VectorItem::DstValid:
    case VectorItem::AddrModBit:
    case VectorItem::Unchanged: break; // of machines (vector_file.cpp)
  }
}

} // namespace lanewise::lab
