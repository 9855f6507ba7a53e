#include "run/launch/checks.h"

#include <utility>

#include "chip/isa/encoding.h"
#include "chip/isa/row.h"
#include "chip/riscv/address_map.h"

namespace lanewise::launch {

namespace {

using noc::Location;
using noc::NocEvent;
using noc::Transaction;

/// Where the NoC overlay begins in the addresses of STOREREG.
constexpr std::uint32_t kStoreRegisterBase = 0xFFB00000;

} // namespace

ProgramChecks::ProgramChecks(const programs::Program& program, const programs::Layout& layout,
                             const StartMemories& start, bool sees_accesses)
    : arch_(program.arch),
      is_shared_(start.is_shared),
      store_register_(isa::find_row(program.arch, isa::Op::STOREREG)->opcode),
      rings_(program, layout, found_),
      transfers_(found_),
      multicasts_(program.arch, found_),
      stores_(found_),
      bounds_(program, layout, rings_, found_),
      written_(sees_accesses ? std::optional<Written>(std::in_place, program, layout, start.l1,
                                                      start.banks, start.is_shared, found_)
                             : std::nullopt),
      units_(program.arch, rings_, written_ ? &*written_ : nullptr, found_),
      spins_(program.arch, found_) {
  units_.tell(transfers_);
  if (!sees_accesses || !start.tell) return;
  notes_.emplace(program.arch, start.tell);
  units_.tell(*notes_);
}

void ProgramChecks::act(unsigned core, const tile::CoreAction& action) {
  const bool is_load = action.kind == tile::CoreAction::Kind::Load;
  if (notes_ && is_load) notes_->load(core, action.address);
  if (!is_load && action.kind != tile::CoreAction::Kind::Store) return;
  const riscv::AddressRange range = riscv::find_region(arch_, action.address);
  if (is_load) {
    const auto looked_at = pages_counter(arch_, action.address - range.first);
    if (range.region == riscv::Region::NocOverlay && looked_at)
      transfers_.see_pages(core, looked_at->ring, looked_at->is_push);
    return;
  }
  if (range.region == riscv::Region::NocOverlay)
    count(core, action.line, action.address - range.first, action.value);
}

void ProgramChecks::execute(const tile::TileState& tile, const tile::Executed& executed) {
  rings_.reach(executed.thread, tile.thread[executed.thread].executed - 1);
  units_.execute(tile, executed);
  if (isa::opcode_of(executed.word.word) != store_register_) return;
  const isa::Decoded decoded = isa::decode(arch_, executed.word.word);
  const riscv::AddressRange range = riscv::range_of(arch_, riscv::Region::NocOverlay);
  const std::uint32_t address = kStoreRegisterBase + (decoded["AddrLo"] << 2);
  if (!range.holds(address)) return;
  const std::uint32_t offset = address - range.first;
  count(executed.thread, executed.word.line, offset, tile.overlay.load(offset));
}

void ProgramChecks::count(unsigned core, std::uint32_t line, std::uint32_t offset,
                          std::uint32_t value) {
  const auto moved = rings_.count(core, line, offset, value);
  if (!moved) return;
  transfers_.move(core, line, *moved, rings_.name(moved->ring));
  if (notes_) notes_->move(core, moved->ring, moved->is_push);
}

void ProgramChecks::see(const NocEvent& event) {
  transfers_.see(event);
  multicasts_.see(event);
  if (written_) written_->see(event);
  if (notes_) notes_->see(event);
  if (event.kind == NocEvent::Kind::Seen) return;
  const Transaction& t = *event.transaction;
  const bool is_in_l1 = t.destination.memory == Location::Memory::L1;
  if (event.kind == NocEvent::Kind::Landed && is_in_l1)
    units_.forget_formats(t.destination.address, t.bytes);
  if (event.kind != NocEvent::Kind::Asked) return;
  bounds_.check(t);
  stores_.ask(t);
  const LineOf line = [&t] { return t.line; };
  if (is_in_l1)
    rings_.touch(t.core, line,
                 {.address = t.destination.address, .bytes = t.bytes, .changes = true},
                 t.kind == Transaction::Kind::Read ? "has the NoC read into" : "writes into");
  if (t.kind == Transaction::Kind::Write && t.source.memory == Location::Memory::L1)
    rings_.touch(t.core, line, {.address = t.source.address, .bytes = t.bytes, .changes = false},
                 "has the NoC write");
}

void ProgramChecks::arrive(std::uint64_t address, std::uint64_t bytes) {
  units_.forget_formats(address, bytes);
  if (written_) written_->write(address, bytes);
  if (notes_) notes_->arrive(address, bytes);
}

bool ProgramChecks::access(unsigned core, const section::MemoryAccess& access,
                           const section::CallPlace& place, const LineOf& line) {
  const L1Range range{.address = access.address, .bytes = access.bytes, .changes = access.changes};
  rings_.touch(core, line, range, access.changes ? "stores to" : "loads from");
  transfers_.touch(core, line, range);
  stores_.touch(core, place.code, line, range);
  if (notes_) notes_->access(core, access, place.code, line);
  if (access.changes) {
    bounds_.check_store(core, line, range.address, range.bytes);
    units_.forget_formats(range.address, range.bytes);
    if (written_) written_->write(range.address, range.bytes);
  } else if (written_) {
    written_->load(core, line, range.address, range.bytes);
  }
  return spins_.access(core, access, place.code, line);
}

void ProgramChecks::intend(unsigned core, std::uint32_t line, const section::Intent& intent,
                           std::uint64_t from) {
  if (intent.what == kLanewiseExpects) return multicasts_.expect(core, intent.which, intent.number);
  const bool is_dram = intent.what == kLanewiseMeansDram;
  if (is_dram || intent.what == kLanewiseMeansL1) {
    bounds_.check_page(
        core, [line] { return line; }, is_dram, intent.which, intent.number);
  } else {
    rings_.intend(core, line, intent, from);
  }
}

void ProgramChecks::await(unsigned core, std::uint32_t line, const AwaitedWord& word) {
  if (is_shared_) transfers_.acquire(core);
  if (notes_) notes_->await(core, line, word);
}

void ProgramChecks::finish(const tile::TileState& tile) {
  rings_.finish();
  units_.finish(tile);
}

std::vector<Found> ProgramChecks::take() {
  rings_.settle();
  units_.settle();
  transfers_.settle();
  return std::move(found_.all);
}

} // namespace lanewise::launch
