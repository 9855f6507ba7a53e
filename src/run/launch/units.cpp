#include "run/launch/units.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source_line.h"
#include "chip/isa/row.h"

namespace lanewise::launch {

namespace {

constexpr unsigned kUnpackCore = 0, kPackCore = 2;
constexpr std::uint64_t kGrain = 16; ///< bytes of L1 that packers write at once

/// The hardware's code of a circular buffer's format.
unsigned code_of(programs::DataFormat format) {
  return static_cast<unsigned>(format) & (isa::kDataFormatCodes - 1);
}

std::string_view format_text(isa::DataFormat format) {
  return programs::format_name(static_cast<programs::DataFormat>(format));
}

std::uint32_t tile_bytes(const programs::CbIndex& index) {
  return programs::format_bytes(index.format, index.tile.rows * index.tile.columns);
}

} // namespace

Units::Units(Arch arch, Rings& rings, Written* written, FoundLog& found)
    : rings_(rings),
      written_(written),
      found_(found),
      protocol_(arch, found),
      unpack_(isa::find_row(arch, isa::Op::UNPACR)->opcode),
      pack_(isa::find_row(arch, isa::Op::PACR)->opcode),
      grains_(arch_params(arch).tile.l1_bytes / kGrain) {}

void Units::execute(const tile::TileState& tile, const tile::Executed& executed) {
  const std::uint8_t opcode = isa::opcode_of(executed.word.word);
  const std::uint32_t line = executed.word.line;
  bool takes_dst = false;
  if (opcode == unpack_) {
    for (unsigned i = 0; i < unpacker_.size(); ++i) {
      const tile::Traffic::OfUnpacker& now = tile.traffic.unpacker[i];
      if (now.instructions == unpacker_[i].instructions) continue;
      filled_line_[i] = line;
      unpack(now, line);
      unpacker_[i] = now;
    }
  } else if (opcode == pack_) {
    bool ends = false;
    for (unsigned i = 0; i < packer_.size(); ++i) {
      const tile::Traffic::OfPacker& now = tile.traffic.packer[i];
      if (now.instructions == packer_[i].instructions) continue;
      takes_dst = takes_dst || now.dst_rows != packer_[i].dst_rows;
      packed_.rows += now.dst_rows - packer_[i].dst_rows;
      packed_.clear += now.clear_rows - packer_[i].clear_rows;
      ends = ends || now.ends != packer_[i].ends;
      pack(now, line);
      packer_[i] = now;
    }
    if (ends) {
      if (packed_.rows != 0 && packed_.rows == packed_.clear) protocol_.pack_nothing(line);
      packed_ = {};
    }
  }
  protocol_.execute(executed, takes_dst);
}

void Units::unpack(const tile::Traffic::OfUnpacker& traffic, std::uint32_t line) {
  const tile::Traffic::Rows& rows = traffic.rows;
  if (!traffic.takes_values || rows.rows == 0 || rows.bytes == 0) return;
  const L1Range range{
      .address = rows.first, .bytes = (rows.rows - 1) * rows.stride + rows.bytes, .changes = false};
  if (notes_ != nullptr) notes_->access_by_unit(kUnpackCore, line, range);
  const programs::CbPlace* const ring = rings_.at(range.address);
  if (ring == nullptr) return;
  rings_.touch(
      kUnpackCore, [line] { return line; }, range, "unpacks");
  check_format(kUnpackCore, line, range.address, traffic.format);
  const std::uint64_t page = (range.address - ring->address) / ring->page_bytes;
  if (written_ != nullptr)
    written_->unpack(line, ring->address + page * ring->page_bytes, *ring, rings_);
}

void Units::pack(const tile::Traffic::OfPacker& traffic, std::uint32_t line) {
  if (traffic.begin == traffic.end) return;
  const L1Range range{
      .address = traffic.begin, .bytes = traffic.end - traffic.begin, .changes = true};
  if (written_ != nullptr) written_->write(range.address, range.bytes);
  if (notes_ != nullptr) notes_->access_by_unit(kPackCore, line, range);
  if (transfers_ != nullptr) transfers_->pack(kPackCore, range);
  if (format_.empty()) { // a core that packs nothing needs no table
    format_.resize(grains_);
    packed_line_.resize(grains_);
  }
  const std::uint64_t last =
      std::min<std::uint64_t>((traffic.end + kGrain - 1) / kGrain, format_.size());
  for (std::uint64_t i = traffic.begin / kGrain; i < last; ++i) {
    format_[i] = static_cast<std::uint8_t>(1 + static_cast<unsigned>(traffic.format));
    packed_line_[i] = line;
  }
  if (rings_.at(range.address) == nullptr) return;
  rings_.touch(
      kPackCore, [line] { return line; }, range, "packs into");
  check_format(kPackCore, line, range.address, traffic.format);
}

void Units::forget_formats(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t last =
      std::min<std::uint64_t>((address + bytes + kGrain - 1) / kGrain, format_.size());
  for (std::uint64_t i = address / kGrain; i < last; ++i) format_[i] = 0;
}

/// What a unit is set to, against what the circular buffer holds, and what a packer has put there.
void Units::check_format(unsigned core, std::uint32_t line, std::uint64_t address,
                         isa::DataFormat format) {
  const auto all = rings_.all_at(address);
  const auto fits = std::ranges::find_if(all, [&](const programs::CbPlace* ring) {
    const programs::DataFormat wanted = rings_.format_of(*ring).format;
    return wanted == programs::DataFormat::Invalid ||
           code_of(wanted) == static_cast<unsigned>(format);
  });
  const bool packs = core == kPackCore;
  if (fits == all.end()) {
    const programs::CbPlace& ring = *all.front();
    found_.add(
        core, line, FaultKind::UnpredictableValue,
        fmt::format("{} {}, whose format is {}, as {}", packs ? "packs into" : "unpacks",
                    rings_.name(ring.index), programs::format_name(rings_.format_of(ring).format),
                    format_text(format)),
        packs ? "call pack_reconfig_data_format(), or the operation's init with this "
                "circular buffer, before it"
              : "call reconfig_data_format(), or the operation's init with this circular "
                "buffer, before it",
        "programs 16");
    return;
  }
  check_size(core, line, **fits);
  const std::uint8_t put = format_.empty() ? 0 : format_[address / kGrain];
  if (packs || put == 0 || put == 1 + static_cast<unsigned>(format)) return;
  found_.add(
      core, line, FaultKind::UnpredictableValue,
      fmt::format("unpacks {} as {}, and {} has packed it as {}", rings_.name((*fits)->index),
                  format_text(format), line_text(packed_line_[address / kGrain]),
                  format_text(static_cast<isa::DataFormat>(put - 1))),
      "give both circular buffers one format, or convert in between", "programs 7");
}

void Units::check_size(unsigned core, std::uint32_t line, const programs::CbPlace& ring) {
  if (!sized_.insert(ring.index).second) return;
  const programs::CbIndex& index = rings_.format_of(ring);
  const std::uint32_t bytes = tile_bytes(index);
  if (bytes == 0 || ring.page_bytes % bytes == 0) return;
  const bool is_short = ring.page_bytes < bytes;
  found_.add(
      core, line, is_short ? FaultKind::UndefinedBehavior : FaultKind::NonContractual,
      fmt::format("takes tiles of {}, whose pages have {} bytes, and a tile of {} has {}{}",
                  rings_.name(ring.index), ring.page_bytes, programs::format_name(index.format),
                  bytes, is_short ? ": they run into each other" : ""),
      "set the page size to that of a tile of its format (tt::tile_size)", "programs 7");
}

} // namespace lanewise::launch
