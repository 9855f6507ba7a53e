// What a core tells: where it is, what it waits for, and what its code costs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <system_error>

#include "base/source_line.h"
#include "run/section/core_program.h"
#include "source/sfpi/locations.h"

namespace lanewise::section {

void CoreFeeder::tell_lines_of(const std::string& source) {
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  const auto path_of = [&here](const std::string& file) {
    return (here / file).lexically_normal();
  };
  const std::filesystem::path of_source = path_of(source);
  is_source_.clear();
  lines_ = {};
  for (const std::string& file : image_.files) is_source_.push_back(path_of(file) == of_source);
}

std::uint32_t CoreFeeder::line_at(std::uint32_t pc) const {
  const elf::LineRange* const range = elf::line_at(image_, pc);
  if (range == nullptr || range->line == 0) return 0;
  std::uint32_t file = range->file, line = range->line;
  if (!is_source_.empty() && !is_source_[file]) {
    for (const elf::InlinedCall* const call : elf::inlined_calls_at(image_, pc)) {
      if (call->line == 0 || !is_source_[call->file]) continue;
      file = call->file;
      line = call->line;
      break;
    }
  }
  const bool is_generated =
      std::filesystem::path(image_.files[file]).filename() == sfpi::kGeneratedFile;
  return is_generated ? 0 : line_number({.file = image_.files[file], .line = line});
}

Unexpected CoreFeeder::at_place(std::uint32_t pc, Fault fault) const {
  fault.message = fmt::format("T{}, pc 0x{:x} ({}): {}", number_, pc, elf::place_text(image_, pc),
                              fault.message);
  fault.file = image_.name;
  const elf::LineRange* const range = elf::line_at(image_, pc);
  if (range != nullptr && range->line != 0) {
    fault.file = image_.files[range->file];
    fault.line = range->line;
  }
  return Unexpected(std::move(fault));
}

std::string CoreFeeder::waits_for() const {
  const std::string place = elf::place_text(image_, pc_);
  if (polls_)
    return fmt::format("a change at 0x{:08x}, which it reads again and again ({})", polled_, place);
  return fmt::format("{} ({})", tile::wait_text(tile_->core_wait(number_)), place);
}

std::vector<FunctionCost> CoreFeeder::costs() const {
  std::map<std::string, FunctionCost> functions;
  for (const auto& [address, cost] : costs_) {
    const elf::Symbol* const function = elf::function_at(image_, address);
    const std::string name = function == nullptr ? "" : function->readable;
    FunctionCost& sum =
        functions.try_emplace(name, FunctionCost{number_, name, 0, 0}).first->second;
    sum.instructions += cost.instructions;
    sum.cycles += cost.cycles;
  }
  std::vector<FunctionCost> sorted;
  sorted.reserve(functions.size());
  for (const auto& [name, cost] : functions) sorted.push_back(cost);
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &FunctionCost::cycles);
  return sorted;
}

} // namespace lanewise::section
