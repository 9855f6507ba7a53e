#include "source/assembly/gnu_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

namespace lanewise::assembly {
namespace {

constexpr std::string_view kFollow =
    "make an ELF of it, which 'lanewise elf --run' executes, or write out what is executed";

bool is_numeric(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_local(std::string_view name) {
  return name.starts_with('.') || is_numeric(name);
}

/// The number of words between two places, and the lines they are on.
std::string words_between(const Program& program, std::size_t first, std::size_t end) {
  const std::uint32_t from = program.words[first].line, to = program.words[end - 1].line;
  const std::string count =
      end - first == 1 ? "a Tensix word" : fmt::format("{} Tensix words", end - first);
  return from == to ? fmt::format("{} (line {})", count, from)
                    : fmt::format("{} (lines {} to {})", count, from, to);
}

/// "8 <f+0x8>" of objdump: 8.
std::optional<std::uint64_t> address_of(std::string_view target) {
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(target.data(), target.data() + target.size(), value, 16);
  const bool ends = end == target.data() + target.size() || *end == ' ';
  return error == std::errc() && ends ? std::optional(value) : std::nullopt;
}

} // namespace

void GnuFlow::add_label(std::string_view name, std::uint32_t line, std::size_t words) {
  if (is_numeric(name)) {
    by_number_[std::string(name)][line] = words;
  } else {
    by_name_.emplace(name, words);
    labels_.push_back({std::string(name), line, words, false});
  }
}

void GnuFlow::add_objdump_symbol(std::string_view name, std::uint32_t line, std::size_t words) {
  labels_.push_back({std::string(name), line, words, true});
}

void GnuFlow::add_address(std::uint64_t address, std::size_t words) {
  by_address_.emplace(address, words);
}

void GnuFlow::add_riscv(RiscvFlow flow, std::string_view mnemonic,
                        std::span<const std::string_view> operands, std::uint32_t line,
                        std::size_t words) {
  if (flow == RiscvFlow::Next || flow == RiscvFlow::Unknown) return;
  std::string target(operands.empty() ? std::string_view() : operands.back());
  jumps_.push_back({flow, std::string(mnemonic), std::move(target), line, words});
}

void GnuFlow::add_doubt(std::uint32_t line, std::string message, std::string remedy) {
  doubts_.push_back({.kind = FaultKind::Unsupported,
                     .message = std::move(message),
                     .remedy = std::move(remedy),
                     .line = line});
}

/// Where a text says which names are functions, only those are; else all but the compiler's own.
bool GnuFlow::starts_function(const Label& label) const {
  if (is_local(label.name)) return false;
  return label.from_objdump || function_names_.empty() || function_names_.contains(label.name);
}

std::vector<GnuFunction> GnuFlow::functions(const Program& program) const {
  std::vector<GnuFunction> found{{.name = "", .line = 0}};
  for (const Label& each : labels_) {
    if (!starts_function(each)) continue;
    found.push_back({.name = each.name, .line = each.line, .first_word = each.words});
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool last = i + 1 == found.size();
    const std::size_t end = last ? program.words.size() : found[i + 1].first_word;
    found[i].words = end - found[i].first_word;
    found[i].last_line = last ? std::numeric_limits<std::uint32_t>::max() : found[i + 1].line - 1;
  }
  return found;
}

const std::size_t* GnuFlow::words_before(const Jump& jump) const {
  if (!by_address_.empty()) {
    const auto address = address_of(jump.target);
    const auto found = address ? by_address_.find(*address) : by_address_.end();
    return found == by_address_.end() ? nullptr : &found->second;
  }
  const bool numeric =
      jump.target.size() > 1 && (jump.target.back() == 'f' || jump.target.back() == 'b');
  const auto lines =
      numeric ? by_number_.find(jump.target.substr(0, jump.target.size() - 1)) : by_number_.end();
  if (lines == by_number_.end()) {
    const auto found = by_name_.find(jump.target);
    return found == by_name_.end() ? nullptr : &found->second;
  }
  auto next = lines->second.upper_bound(jump.line);
  if (jump.target.back() == 'f') return next == lines->second.end() ? nullptr : &next->second;
  return next == lines->second.begin() ? nullptr : &(--next)->second;
}

void GnuFlow::judge_target(const Jump& jump, std::size_t target, const Program& program) {
  if (target < jump.words) {
    add_doubt(jump.line,
              fmt::format("{} {} makes a loop of {}, which are taken once", jump.mnemonic,
                          jump.target, words_between(program, target, jump.words)),
              std::string(kFollow));
  } else if (target > jump.words) {
    add_doubt(jump.line,
              fmt::format("{} {} {} {}, which are taken all the same", jump.mnemonic, jump.target,
                          jump.flow == RiscvFlow::Jump ? "passes over" : "may pass over",
                          words_between(program, jump.words, target)),
              std::string(kFollow));
  }
}

/// `function` is that in which the jump stands, and has words.
void GnuFlow::judge(const Jump& jump, const GnuFunction& function, const Program& program) {
  const std::size_t end = function.first_word + function.words;
  const std::size_t* target = words_before(jump);
  switch (jump.flow) {
    case RiscvFlow::Unknown:
    case RiscvFlow::Next: return;
    case RiscvFlow::Branch:
    case RiscvFlow::Jump:
      if (target != nullptr && *target >= function.first_word && *target <= end) {
        judge_target(jump, *target, program);
      } else {
        add_doubt(jump.line,
                  fmt::format("{} {} leaves the function, and is not followed", jump.mnemonic,
                              jump.target),
                  std::string(kFollow));
      }
      return;
    case RiscvFlow::Call:
      add_doubt(jump.line,
                fmt::format("{} {} is not followed: the Tensix words of that function are left out",
                            jump.mnemonic, jump.target),
                std::string(kFollow));
      return;
    case RiscvFlow::Return:
      if (jump.words == end) return;
      add_doubt(jump.line,
                fmt::format("the function ends here, and {} behind it are taken all the same",
                            words_between(program, jump.words, end)),
                std::string(kFollow));
      return;
    case RiscvFlow::Indirect:
      add_doubt(jump.line,
                fmt::format("{} goes on where a register says, and is not followed", jump.mnemonic),
                std::string(kFollow));
      return;
  }
}

void GnuFlow::finish(GnuText& text) {
  const std::vector<GnuFunction> all = functions(text.program);
  for (const Jump& each : jumps_) {
    const auto behind = std::ranges::upper_bound(all, each.line, {}, &GnuFunction::line);
    const GnuFunction& function = *(behind - 1);
    if (function.words != 0) judge(each, function, text.program);
  }
  std::ranges::copy_if(all, std::back_inserter(text.functions),
                       [](const GnuFunction& each) { return each.words != 0; });
  std::ranges::stable_sort(doubts_, {}, &Fault::line);
  for (Fault& each : doubts_) each.file = text.program.name;
  text.doubts = std::move(doubts_);
}

} // namespace lanewise::assembly
