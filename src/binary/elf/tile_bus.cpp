#include "binary/elf/tile_bus.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/source_line.h"
#include "binary/elf/code.h"
#include "chip/isa/limits.h"
#include "chip/riscv/address_map.h"

namespace lanewise::elf {

using isa::ConfigPlace;
using isa::ConfigScope;
using riscv::AddressRange;
using riscv::Region;

namespace {

constexpr std::uint32_t kWord = 4;

Unexpected missing(std::string message, std::string remedy) {
  return Unexpected(Fault{
      .kind = FaultKind::Unsupported, .message = std::move(message), .remedy = std::move(remedy)});
}

Unexpected not_here(std::string_view what, std::uint32_t address, const AddressRange& range) {
  return missing(fmt::format("{} 0x{:08x}: {}", what, address, range.text),
                 "only the core's memory, the instruction FIFO and configuration are there; call a "
                 "function that needs no more");
}

/// The banks of Config that a word of the address range writes, one behind the other (ISA
/// BackendConfiguration).
enum class Bank : std::uint8_t { First, Second, Both, Thread };

Bank bank_of(Arch arch, std::uint32_t index) {
  const std::uint32_t words = arch_params(arch).config.shared_words;
  if (index >= 2 * words) {
    return arch_params(arch).config.writes_both && index < 3 * words ? Bank::Both : Bank::Thread;
  }
  if (index % words >= arch_params(arch).config.global_base) return Bank::Both;
  return index < words ? Bank::First : Bank::Second;
}

} // namespace

Expected<std::uint32_t> TileBus::fetch(std::uint32_t address) {
  const auto word = code_word(image_, address);
  if (word) return *word;
  return missing("there is no code of the file", "a register may have held no function");
}

std::uint32_t TileBus::line() {
  const std::uint32_t pc = core.pc();
  if (const std::uint32_t* const known = lines_.find(pc)) return *known;
  const LineRange* const range = line_at(image_, pc);
  const bool is_there = range != nullptr && range->line != 0;
  return lines_.put(
      pc, is_there ? line_number({.file = image_.files[range->file], .line = range->line}) : 0);
}

Expected<void> TileBus::push(std::uint32_t tensix) {
  if (program.words.size() >= isa::kMostWords) {
    return missing(fmt::format("more than {} instructions are pushed", isa::kMostWords),
                   "call a function that pushes fewer");
  }
  program.words.push_back({tensix, line()});
  pushed_at.push_back(core.pc());
  return no_fault();
}

Expected<std::uint32_t> TileBus::load(std::uint32_t address, unsigned bytes) {
  if (const auto value = memory_.load(address, bytes)) return *value;
  const AddressRange range = riscv::find_region(arch_, address);
  if (range.region == Region::Config && bytes == kWord) return load_config(address);
  return not_here("load from", address, range);
}

Expected<void> TileBus::store(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  if (memory_.store(address, bytes, value)) return no_fault();
  const AddressRange range = riscv::find_region(arch_, address);
  if (bytes == kWord) {
    if (range.region == Region::Instructions) return push(value);
    if (range.region == Region::MopConfig) return set_mop((address - range.first) / kWord, value);
    if (range.region == Region::Config) return store_config(address, value);
    if (range.region == Region::Debug) return store_debug(address, value);
  }
  return not_here(fmt::format("store of {} bytes to", bytes), address, range);
}

Expected<void> TileBus::set_mop(std::uint32_t index, std::uint32_t value) {
  program.mop.push_back({.before = program.words.size(),
                         .index = static_cast<std::uint8_t>(index),
                         .value = value,
                         .line = line()});
  if (program.mop.size() <= isa::kMostWords) return {};
  return missing("the MOP expander is configured without end", "call a function that ends");
}

Expected<std::uint32_t> TileBus::load_config(std::uint32_t address) const {
  const auto written = config_.find(address);
  if (written != config_.end()) return written->second;
  return missing(fmt::format("load from 0x{:08x}: backend configuration that the function has not "
                             "written before",
                             address),
                 "nobody has configured the coprocessor here; call a function that does not ask");
}

Expected<void> TileBus::store_config(std::uint32_t address, std::uint32_t value) {
  const std::uint32_t index = (address - riscv::range_of(arch_, Region::Config).first) / kWord;
  const std::uint32_t words = arch_params(arch_).config.shared_words;
  if (words == 0) {
    return missing(fmt::format("store to 0x{:08x}: {} has no Config that is known", address,
                               arch_params(arch_).names.id),
                   "compile for another chip");
  }
  const std::uint32_t word = index % words;
  const Bank bank = bank_of(arch_, index);
  if (bank == Bank::Second) {
    return missing(fmt::format("store to 0x{:08x}: word {} of Config's second bank", address, word),
                   "a program's settings hold in the first one; store there");
  }
  if (bank == Bank::Thread) {
    return missing(fmt::format("store to 0x{:08x}: the cores cannot write ThreadConfig", address),
                   "push a SETC16 instead");
  }
  config_[address] = value;
  return set_fields(ConfigScope::Shared, word, value, fmt::format("word {} of Config", word));
}

Expected<void> TileBus::store_debug(std::uint32_t address, std::uint32_t value) {
  return set_fields(ConfigScope::Debug, address - isa::kDebugRegisters, value,
                    fmt::format("debug register 0x{:08x}", address));
}

Expected<void> TileBus::set_fields(ConfigScope scope, std::uint32_t word, std::uint32_t value,
                                   const std::string& place) {
  bool found = false;
  for (const ConfigPlace& field : isa::kConfigFields) {
    if (field.scope != scope || !field.exists(arch_) || field.word_of(arch_) != word) continue;
    found = true;
    if (auto set = set_field(field, (value & field.mask(arch_)) >> field.low(arch_)); !set)
      return set;
  }
  if (!found) note(fmt::format("{} has no field that is read here; the store is left out", place));
  return {};
}

Expected<void> TileBus::set_field(const ConfigPlace& field, std::uint32_t value) {
  const auto set = std::ranges::find(program.config, field.name, &ConfigSetting::name);
  const bool is_new = set == program.config.end();
  if (!is_new && set->value == value) return {};
  if (!program.words.empty()) {
    return missing(fmt::format("{} is set to {} after {} instructions were pushed", field.name,
                               value, program.words.size()),
                   "a program's settings hold from its start; set it before the first push, or by "
                   "a pushed instruction");
  }
  if (is_new)
    program.config.push_back({std::string(field.name), value, line()});
  else
    set->value = value;
  return {};
}

void TileBus::note(std::string sentence) {
  constexpr std::size_t kMostNotes = 100;
  const bool is_known = std::ranges::find(notes, sentence) != notes.end();
  if (!is_known && notes.size() < kMostNotes) notes.push_back(std::move(sentence));
}

} // namespace lanewise::elf
