#include "run/section/core_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "chip/riscv/address_map.h"
#include "chip/riscv/calling_convention.h"
#include "run/section/section.h"

namespace lanewise::section {

namespace {

using riscv::Region;

/// Where a called function returns to: no code lies there.
constexpr std::uint32_t kReturn = 0xFFFFFFFC;

/// RISC-V instructions that a core may take before others have their turn.
constexpr unsigned kTurn = 64;

/// In time, instructions that nobody else sees before somebody else has a turn.
constexpr unsigned kPrivateTurn = 4096;

constexpr unsigned kWordBytes = 4;

std::uint32_t word_at(const std::uint8_t* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, kWordBytes);
  return word;
}

constexpr std::string_view kGlobalPointerSymbol = "__global_pointer$";
/// Where start-up code of LLK's tests finds what belongs into the core's own RAM.
constexpr std::string_view kLoaderInit = "__loader_init_start";

std::optional<std::uint32_t> address_of(const elf::Image& image, std::string_view name) {
  const auto found = std::ranges::find(image.objects, name, &elf::Symbol::name);
  if (found == image.objects.end()) return std::nullopt;
  return found->address;
}

bool is_own_ram(const elf::Segment& segment, Arch arch) {
  return riscv::range_of(arch, Region::LocalRam).holds(segment.address);
}

} // namespace

CoreFeeder::CoreFeeder(const elf::Image& image, Arch arch, unsigned core, const CoreStart& start)
    : image_(image),
      number_(core),
      own_first_(riscv::range_of(arch, Region::LocalRam).first),
      own_(riscv::range_of(arch, Region::LocalRam).last - own_first_ + 1),
      core_(arch, *this),
      arch_(arch) {
  for (const elf::Segment& segment : image.segments) {
    if (!is_own_ram(segment, arch)) continue;
    const std::size_t offset = segment.address - own_first_;
    const std::size_t count = std::min(segment.bytes.size(), own_.size() - offset);
    std::copy_n(segment.bytes.begin(), count, own_.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  core_.set_pc(start.function ? start.function->address : image.entry);
  core_.set_reg(riscv::kReturnAddress, kReturn);
  core_.set_reg(riscv::kStackPointer, own_first_ + static_cast<std::uint32_t>(own_.size()));
  core_.set_reg(riscv::kGlobalPointer, address_of(image, kGlobalPointerSymbol).value_or(0));
  for (unsigned i = 0; i < start.arguments.size(); ++i)
    core_.set_reg(riscv::kFirstArgument + i, start.arguments[i]);
}

tile::FeederStep CoreFeeder::end() {
  ended_ = true;
  return tile::FeederStep::Ended;
}

Expected<tile::FeederStep> CoreFeeder::step(tile::Tile& tile) {
  if (ended_) return tile::FeederStep::Ended;
  tile_ = &tile;
  accessed_ = polls_ = has_looked_ = false;
  if (clock_ != nullptr) return timed_step();
  for (unsigned turn = 0; turn < kTurn && !accessed_; ++turn) {
    if (core_.pc() == kReturn) return end();
    pc_ = core_.pc();
    waits_ = goes_on_ = false;
    auto done = core_.step();
    if (waits_) return goes_on_ ? tile::FeederStep::Went : tile::FeederStep::Waits;
    if (!done) return at_place(pc_, std::move(done.error()));
    ++instructions_;
    if (core_.pc() == pc_) return end();
  }
  return polls_ ? tile::FeederStep::Waits : tile::FeederStep::Went;
}

// ---------------------------------------------------------------- In time

void CoreFeeder::set_clock(riscv::CoreClockOptions options) {
  // BRISC and NCRISC fetch as T0 does (ISA InstructionCache); the RAM for code that Wormhole's
  // NCRISC has besides is not modelled.
  options.core = number_ < kThreads ? number_ : 0;
  clock_ = std::make_unique<riscv::CoreClock>(arch_, options);
}

bool CoreFeeder::reaches_tile(const riscv::Step& step) const {
  if (step.instruction == nullptr) return true;
  const riscv::Format format = riscv::format_of(step.instruction->op);
  const bool is_access = format == riscv::Format::Store || format == riscv::Format::Atomic ||
                         (format == riscv::Format::Load && step.instruction->op != riscv::Op::JALR);
  return is_access && step.address() - own_first_ >= own_.size();
}

/// The instruction at pc_, into begun_. Anybody may have written to L1 since it was fetched last.
Expected<void> CoreFeeder::fetch_next() {
  const tile::L1& l1 = tile_->state().l1;
  if (l1.holds(pc_, kWordBytes)) {
    if (const auto known = core_.known(word_at(l1.bytes().data() + pc_))) {
      begun_ = *known;
      return no_fault();
    }
  }
  const auto fetched = core_.fetch();
  if (!fetched) return at_place(pc_, fetched.error());
  begun_ = *fetched;
  return no_fault();
}

/// The next instruction and the cycle in which it can go.
Expected<void> CoreFeeder::begin_next() {
  pc_ = core_.pc();
  if (auto fetched = fetch_next(); !fetched) return fetched;
  has_begun_ = true;
  riscv::Step next{.instruction = begun_.instruction, .pc = pc_};
  if (next.instruction != nullptr) {
    next.first = core_.reg(next.instruction->rs1);
    next.second = core_.reg(next.instruction->rs2);
  }
  clock_->begin(next);
  accessed_ = reaches_tile(next);
  return no_fault();
}

Expected<void> CoreFeeder::execute_begun() {
  const bool is_done = core_.do_it(begun_);
  if (waits_) return no_fault();
  if (!is_done) return at_place(pc_, std::move(core_.refusal()));
  ++instructions_;
  if (counts_costs_) count_cost();
  has_begun_ = false;
  if (is_absent_) {
    clock_->leave_out();
  } else {
    clock_->finish(core_.pc());
  }
  is_absent_ = false;
  at_end_ = core_.pc() == pc_ || core_.pc() == kReturn;
  return no_fault();
}

CoreFeeder::Cost& CoreFeeder::cost_of(std::uint32_t pc) {
  Cost** const known = known_costs_.find(pc);
  return known != nullptr ? **known : *known_costs_.put(pc, &costs_[pc]);
}

/// Cycles up to and with that in which the instruction goes.
void CoreFeeder::count_cost() {
  Cost& cost = cost_of(pc_);
  ++cost.instructions;
  const std::uint64_t end = clock_->issued() + 1;
  cost.cycles += end - std::min(end, counted_cycles_);
  counted_cycles_ = std::max(end, counted_cycles_);
}

Expected<std::uint64_t> CoreFeeder::ready(tile::Tile& tile) {
  if (clock_ == nullptr) set_clock({});
  tile_ = &tile;
  waits_ = false;
  at_end_ = at_end_ || core_.pc() == kReturn;
  for (unsigned turn = 0; turn < kPrivateTurn && !has_begun_ && !at_end_; ++turn) {
    if (auto begun = begin_next(); !begun) return Unexpected(begun.error());
    if (accessed_) break;
    if (auto done = execute_begun(); !done) return Unexpected(done.error());
  }
  return clock_->issued();
}

void CoreFeeder::at(std::uint64_t cycle) {
  if (has_begun_) clock_->hold(cycle);
}

Expected<tile::FeederStep> CoreFeeder::timed_step() {
  if (at_end_) return end();
  if (!has_begun_) return tile::FeederStep::Went; // it computes, for very long
  waits_ = goes_on_ = false;
  if (auto done = execute_begun(); !done) return Unexpected(done.error());
  if (goes_on_) clock_->go_on();
  const bool is_held = waits_ && !goes_on_;
  return is_held || polls_ ? tile::FeederStep::Waits : tile::FeederStep::Went;
}

Unexpected CoreFeeder::wait_here() {
  waits_ = true;
  return Unexpected(Fault{.kind = FaultKind::Hazard, .message = "waits"});
}

std::uint8_t* CoreFeeder::own(std::uint32_t address, unsigned bytes) {
  const std::uint32_t offset = address - own_first_;
  return offset < own_.size() && bytes <= own_.size() - offset ? &own_[offset] : nullptr;
}

std::uint32_t CoreFeeder::line() {
  const std::uint32_t* const known = lines_.find(pc_);
  return known != nullptr ? *known : lines_.put(pc_, line_at(pc_));
}

Expected<std::uint32_t> CoreFeeder::fetch(std::uint32_t address) {
  const tile::L1& l1 = tile_->state().l1;
  if (l1.holds(address, kWordBytes)) return l1.load(address, kWordBytes);
  for (const elf::Segment& segment : image_.segments) {
    const std::uint32_t offset = address - segment.address;
    if (offset >= segment.bytes.size() || segment.bytes.size() - offset < kWordBytes) continue;
    return word_at(segment.bytes.data() + offset);
  }
  return Unexpected(Fault{.kind = FaultKind::UndefinedBehavior,
                          .message = fmt::format("there is no code at 0x{:08x}", address),
                          .remedy = "a register may have held no function"});
}

Expected<std::uint32_t> CoreFeeder::load(std::uint32_t address, unsigned bytes) {
  if (const std::uint8_t* const own = this->own(address, bytes)) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint32_t{own[i]} << (8 * i);
    return value;
  }
  if (auto pushed = push_before_register(address); !pushed) return Unexpected(pushed.error());
  accessed_ = true;
  const auto value = tile_->load(number_, address, bytes, line());
  if (!value) return Unexpected(value.error());
  if (!*value) return wait_here();
  polled_ = address;
  has_looked_ = true;
  polls_ = polling_.loaded(pc_, address, **value);
  return **value;
}

Expected<void> CoreFeeder::store(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  if (std::uint8_t* const own = this->own(address, bytes)) {
    for (unsigned i = 0; i < bytes; ++i) own[i] = static_cast<std::uint8_t>(value >> (8 * i));
    return no_fault();
  }
  if (marks_ != nullptr && address == kInstructionBuffer) return push_replaced(value);
  if (auto pushed = push_before_register(address); !pushed) return pushed;
  accessed_ = true;
  const auto stored = tile_->store(number_, address, bytes, value, line());
  if (!stored) return Unexpected(stored.error());
  if (!*stored) return wait_here();
  polling_.acted();
  return no_fault();
}

Expected<void> CoreFeeder::push_pending() {
  for (; pushed_ < pending_.size(); ++pushed_) {
    accessed_ = true;
    if (goes_on_) return wait_here();
    if (!tile_->push(number_, {pending_[pushed_], line()})) return wait_here();
    polling_.acted();
    goes_on_ = true;
  }
  goes_on_ = false;
  pending_.clear();
  pushed_ = 0;
  return no_fault();
}

Expected<void> CoreFeeder::push_before_register(std::uint32_t address) {
  if (marks_ == nullptr || address < kRegisters) return no_fault();
  if (pending_.empty()) {
    auto words = marks_->seen();
    if (!words) return Unexpected(words.error());
    pending_ = std::move(*words);
  }
  return push_pending();
}

Expected<void> CoreFeeder::push_replaced(std::uint32_t tensix) {
  if (!is_replaced_) {
    auto words = marks_->pushed(tensix);
    if (!words) return Unexpected(words.error());
    pending_ = std::move(*words);
    is_replaced_ = true;
  }
  const bool is_empty = pending_.empty();
  if (auto done = push_pending(); !done) return done;
  is_replaced_ = false;
  // Of an instruction that stores a word, the core's own part is there in any case.
  is_absent_ = is_empty && begun_.instruction == nullptr;
  return no_fault();
}

Expected<void> CoreFeeder::push(std::uint32_t tensix) {
  if (marks_ != nullptr) return push_replaced(tensix);
  accessed_ = true;
  if (!tile_->push(number_, {tensix, line()})) return wait_here();
  polling_.acted();
  return no_fault();
}

// ---------------------------------------------------------------- Loading

namespace {

struct Claim {
  std::uint64_t first = 0, end = 0;
  const elf::Image* image = nullptr;
};

Unexpected does_not_fit(const elf::Image& image, const std::string& what) {
  Unexpected fault = bad_input(what, "link each core's program to a place of its own in L1");
  fault.value().file = image.name;
  return fault;
}

Expected<void> place_segment(tile::TileState& tile, const elf::Image& image, std::uint32_t address,
                             const elf::Segment& segment) {
  if (!tile.l1.holds(address, segment.size)) {
    return does_not_fit(
        image, fmt::format("0x{:x} bytes at 0x{:x} are outside of L1", segment.size, address));
  }
  const auto to = tile.l1.bytes().begin() + address;
  std::fill_n(to, segment.size, std::uint8_t{0});
  std::ranges::copy(segment.bytes, to);
  return {};
}

Expected<void> claim(std::vector<Claim>& claims, const elf::Image& image,
                     const elf::Segment& segment) {
  const std::uint64_t end = std::uint64_t{segment.address} + segment.size;
  for (const Claim& other : claims) {
    if (other.image != &image && segment.address < other.end && other.first < end) {
      return does_not_fit(image, fmt::format("0x{:x} to 0x{:x} of L1 belong to {}, too",
                                             segment.address, end - 1, other.image->name));
    }
  }
  claims.push_back({segment.address, end, &image});
  return {};
}

} // namespace

Expected<void> load_images(tile::TileState& tile,
                           const std::array<const elf::Image*, kThreads>& images) {
  std::vector<Claim> claims;
  for (const elf::Image* image : images) {
    if (image == nullptr) continue;
    const auto init = address_of(*image, kLoaderInit);
    const std::uint32_t own_first = riscv::range_of(tile.arch(), Region::LocalRam).first;
    for (const elf::Segment& segment : image->segments) {
      if (is_own_ram(segment, tile.arch())) continue;
      if (auto claimed = claim(claims, *image, segment); !claimed) return claimed;
      if (auto placed = place_segment(tile, *image, segment.address, segment); !placed)
        return placed;
    }
    for (const elf::Segment& segment : image->segments) {
      if (!is_own_ram(segment, tile.arch()) || !init) continue;
      const std::uint32_t address = *init + segment.address - own_first;
      if (auto placed = place_segment(tile, *image, address, segment); !placed) return placed;
    }
  }
  return {};
}

} // namespace lanewise::section
