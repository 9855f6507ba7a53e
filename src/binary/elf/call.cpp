#include "binary/elf/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/in_quotes.h"
#include "base/near_names.h"
#include "binary/elf/tile_bus.h"
#include "chip/riscv/calling_convention.h"

namespace lanewise::elf {

namespace {

/// Where a called function returns to: no code lies there.
constexpr std::uint32_t kReturn = 0xFFFFFFFC;

using riscv::kArgumentRegisters;
using riscv::kFirstArgument;
using riscv::kStackAlignment;

std::string_view without_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == ';'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// "8", "-1", "0x3f800000".
std::optional<std::uint32_t> parse_argument(std::string_view text) {
  const bool is_negative = text.starts_with("-");
  if (is_negative) text.remove_prefix(1);
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || (is_negative && value > 0x80000000U)) return std::nullopt;
  return is_negative ? 0 - value : value;
}

Expected<std::vector<std::uint32_t>> parse_arguments(std::string_view text) {
  std::vector<std::uint32_t> arguments;
  while (!without_blanks(text).empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view piece = without_blanks(text.substr(0, comma));
    const auto value = parse_argument(piece);
    if (!value) {
      return bad_input(fmt::format("{} is no integer of 32 bits", in_quotes(piece)),
                       "arguments are numbers such as 8, -1 or 0x3f800000");
    }
    arguments.push_back(*value);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (arguments.size() <= kArgumentRegisters) return arguments;
  return bad_input(fmt::format("{} arguments are too many", arguments.size()),
                   "a function is called with at most 8, in a0 to a7");
}

/// Without its parameters: "ns::f" of "ns::f(int)", "f<8>" of "void f<8>(int)".
std::string_view plain_name(std::string_view readable) {
  int depth = 0;
  std::size_t begin = 0, end = readable.size();
  for (std::size_t i = 0; i < readable.size(); ++i) {
    if (readable[i] == '<') ++depth;
    if (readable[i] == '>') --depth;
    if (depth == 0 && readable[i] == ' ') begin = i + 1;
    if (depth == 0 && readable[i] == '(') {
      end = i;
      break;
    }
  }
  return readable.substr(begin, end - begin);
}

bool fits(const Symbol& symbol, std::string_view name) {
  return symbol.name == name || symbol.readable == name || plain_name(symbol.readable) == name;
}

std::string quoted_list(const std::vector<std::string_view>& names) {
  constexpr std::size_t kMostShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostShown); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", names[i]);
  if (names.size() > kMostShown) text += fmt::format(" and {} more", names.size() - kMostShown);
  return text;
}

Unexpected unknown_function(const Image& image, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Symbol& symbol : image.functions) names.push_back(plain_name(symbol.readable));
  const auto near = near_names(name, names);
  const std::string wanted = near.empty()
                                 ? "it has " + quoted_list(names)
                                 : "did you mean " + quoted_list({near.begin(), near.end()}) + "?";
  Unexpected fault = bad_input(fmt::format("there is no function {}", in_quotes(name)), wanted);
  fault.value().file = image.name;
  return fault;
}

/// The fault with the place where it happened.
Unexpected at_place(const Image& image, std::uint32_t pc, Fault fault) {
  fault.message = fmt::format("pc 0x{:x} ({}): {}", pc, place_text(image, pc), fault.message);
  fault.file = image.name;
  const LineRange* const range = line_at(image, pc);
  if (range != nullptr && range->line != 0) {
    fault.file = image.files[range->file];
    fault.line = range->line;
  }
  return Unexpected(std::move(fault));
}

std::uint32_t global_pointer(const Image& image) {
  const auto found = std::ranges::find(image.objects, "__global_pointer$", &Symbol::name);
  return found == image.objects.end() ? 0 : found->address;
}

void prepare(riscv::Core& core, const Image& image, const Symbol& function,
             const std::vector<std::uint32_t>& arguments, std::uint32_t stack_top) {
  core.set_pc(function.address);
  core.set_reg(riscv::kReturnAddress, kReturn);
  core.set_reg(riscv::kStackPointer, stack_top & ~(kStackAlignment - 1));
  core.set_reg(riscv::kGlobalPointer, global_pointer(image));
  for (unsigned i = 0; i < arguments.size(); ++i) core.set_reg(kFirstArgument + i, arguments[i]);
}

} // namespace

Expected<CallText> parse_call(const std::string& text) {
  const std::string_view whole = without_blanks(text);
  const std::size_t open = whole.rfind('(');
  if (open == std::string_view::npos) return CallText{std::string(whole), {}};
  if (!whole.ends_with(')')) {
    return bad_input(fmt::format("{} is no call", in_quotes(text)),
                     "write it as 'f(8)' or 'ns::f(1, 2)'");
  }
  auto arguments = parse_arguments(whole.substr(open + 1, whole.size() - open - 2));
  if (!arguments) return Unexpected(arguments.error());
  return CallText{std::string(without_blanks(whole.substr(0, open))), std::move(*arguments)};
}

Expected<Symbol> find_function(const Image& image, const std::string& name) {
  std::vector<Symbol> found;
  std::ranges::copy_if(image.functions, std::back_inserter(found),
                       [&name](const Symbol& symbol) { return fits(symbol, name); });
  if (found.empty()) return unknown_function(image, name);
  if (found.size() == 1) return found.front();
  std::vector<std::string_view> names;
  names.reserve(found.size());
  for (const Symbol& symbol : found) names.push_back(symbol.name);
  Unexpected fault =
      bad_input(fmt::format("{} functions are called {}", found.size(), in_quotes(name)),
                "name one as the linker does: " + quoted_list(names));
  fault.value().file = image.name;
  return fault;
}

Expected<CallResult> call(const Image& image, const Symbol& function,
                          const std::vector<std::uint32_t>& arguments, Arch arch,
                          const CallOptions& options) {
  TileBus bus(image, arch);
  riscv::Core& core = bus.core;
  prepare(core, image, function, arguments, bus.stack_top());
  auto count = core.run(kReturn, options.most_instructions);
  if (!count) return at_place(image, core.pc(), std::move(count.error()));
  if (core.pc() != kReturn) {
    return at_place(image, core.pc(),
                    {.kind = FaultKind::Unsupported,
                     .message = fmt::format("not done after {} instructions", *count),
                     .remedy = "it may wait for something that never comes, or is too long"});
  }
  CallResult result{.program = std::move(bus.program), .pushed_at = std::move(bus.pushed_at)};
  result.program.name = image.name;
  result.instructions = *count;
  result.returned = core.reg(kFirstArgument);
  result.notes = std::move(bus.notes);
  return result;
}

} // namespace lanewise::elf
