#include "source/checkouts/op_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <sstream>

#include "base/in_quotes.h"
#include "base/near_names.h"
#include "base/text_file.h"

namespace lanewise::checkouts {

namespace {

using Choices = std::vector<std::pair<std::string, std::string>>;

/// Template parameters that mean the same wherever they stand.
struct Known {
  std::string_view parameter, value;
};
constexpr std::array kKnown{Known{"APPROXIMATION_MODE", "false"},
                            Known{"APPROXIMATE", "false"},
                            Known{"APPROX", "false"},
                            Known{"APPROX_MODE", "false"},
                            Known{"FAST_APPROX", "false"},
                            Known{"FAST_MODE", "false"},
                            Known{"legacy_compat", "false"},
                            Known{"ITERATIONS", "8"},
                            Known{"EQUAL_NAN", "false"},
                            Known{"SIGN_MAGNITUDE_FORMAT", "false"}};
/// Those that say whether Dst has 32 bits.
constexpr std::array<std::string_view, 4> kWidths{"is_fp32_dest_acc_en", "fp32_dest_acc_en",
                                                  "is_fp32_dest_accum_en", "DST_ACCUM_MODE"};
/// Those that say which format the tiles have.
constexpr std::array<std::string_view, 2> kFormats{"data_format", "DATA_FORMAT"};

/// Parameters of functions that name a tile, or count its rows.
constexpr std::array kTiles{
    Known{"dst_index_in0", "0"},    Known{"dst_index_in1", "1"},   Known{"dst_index_in2", "2"},
    Known{"dst_index_out", "0"},    Known{"dst_index_in", "1"},    Known{"tile_idx_0", "0"},
    Known{"tile_idx_1", "1"},       Known{"tile_idx_dst", "0"},    Known{"dst_index_x", "0"},
    Known{"dst_index_alpha", "1"},  Known{"dst_index_beta", "2"},  Known{"values_tile_idx", "0"},
    Known{"indices_tile_idx", "1"}, Known{"unused_tile_idx", "0"}, Known{"dst_index_data", "0"},
    Known{"dst_index_bcast", "1"},  Known{"iterations", "8"}};

template <class List>
std::optional<std::string> known_value(const List& list, std::string_view parameter) {
  const auto found = std::ranges::find(list, parameter, &Known::parameter);
  if (found == list.end()) return std::nullopt;
  return std::string(found->value);
}

const std::string* chosen(const Choices& choices, std::string_view name) {
  const auto found = std::ranges::find(choices, name, &Choices::value_type::first);
  return found == choices.end() ? nullptr : &found->second;
}

std::optional<std::string> template_value(const SfpuOp& op, const OpChoice& choice,
                                          const Parameter& parameter) {
  if (const std::string* value = chosen(choice.parameters, parameter.name)) return *value;
  const auto row = std::ranges::find(op.templates, parameter.name, &OpTemplate::parameter);
  if (row != op.templates.end()) return std::string(row->value);
  if (std::ranges::find(kWidths, parameter.name) != kWidths.end()) return choice.dst_width;
  if (std::ranges::find(kFormats, parameter.name) != kFormats.end())
    return fmt::format("({} ? DataFormat::Float32 : DataFormat::Float16_b)", choice.dst_width);
  return known_value(kKnown, parameter.name);
}

Unexpected nothing_known(const SfpuOp& op, const Function& function, const std::string& what) {
  return bad_input(fmt::format("{}: nothing is known about {} of {} in this checkout", op.name,
                               what, function.name),
                   "give the call itself: the header with --call and --init");
}

/// "<false, 8>": the arguments of the template up to the last one that is not the header's own.
Expected<std::string> template_arguments(const SfpuOp& op, const OpChoice& choice,
                                         const Function& function) {
  std::vector<std::string> values;
  std::size_t needed = 0;
  for (const Parameter& parameter : function.templates) {
    const auto value = template_value(op, choice, parameter);
    if (!value && parameter.default_value.empty())
      return nothing_known(op, function, fmt::format("'{} {}'", parameter.type, parameter.name));
    values.push_back(value.value_or(parameter.default_value));
    if (value) needed = values.size();
  }
  values.resize(needed);
  return needed == 0 && function.templates.empty() ? ""
                                                   : fmt::format("<{}>", fmt::join(values, ", "));
}

Unexpected no_number(const SfpuOp& op, std::string_view name, const std::string& text,
                     const char* wanted) {
  return bad_input(fmt::format("{}: {} is no {} for {}", op.name, in_quotes(text), wanted, name),
                   fmt::format("write --param {}=VALUE", name));
}

std::optional<float> float_of(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return static_cast<float>(value);
}

bool is_integer_text(std::string_view text) {
  if (text == "true" || text == "false") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, base);
  return result.ec == std::errc{} && result.ptr == end;
}

Expected<std::string> argument_value(const SfpuOp& op, const OpChoice& choice,
                                     const OpArgument& argument) {
  const auto first = std::ranges::find_if(op.arguments, [&](const OpArgument& each) {
    return each.name == argument.name && !each.value.empty();
  });
  std::string text(first != op.arguments.end() && argument.value.empty() ? first->value
                                                                         : argument.value);
  if (const std::string* value = chosen(choice.parameters, argument.name)) text = *value;
  if (argument.form == ArgumentForm::Integer) {
    if (!is_integer_text(text)) return no_number(op, argument.name, text, "integer of 32 bits");
    return text;
  }
  const auto number = float_of(text);
  if (!number) return no_number(op, argument.name, text, "number");
  const auto bits_text = [](float value, unsigned shift) {
    return fmt::format("0x{:X}u", std::bit_cast<std::uint32_t>(value) >> shift);
  };
  constexpr unsigned kUpperHalf = 16;
  switch (argument.form) {
    case ArgumentForm::Fp32Bits: return bits_text(*number, 0);
    case ArgumentForm::Fp32Reciprocal: return bits_text(1.0F / *number, 0);
    case ArgumentForm::Bf16Bits: return bits_text(*number, kUpperHalf);
    case ArgumentForm::Float:
      return fmt::format("__builtin_bit_cast(float, {})", bits_text(*number, 0));
    case ArgumentForm::Integer: break;
  }
  return text;
}

/// "(0, 1, 0)".
Expected<std::string> function_arguments(const SfpuOp& op, const OpChoice& choice,
                                         const Function& function,
                                         std::span<const OpArgument> arguments) {
  std::vector<std::string> values;
  for (const Parameter& parameter : function.parameters) {
    if (const auto tile = known_value(kTiles, parameter.name)) {
      values.push_back(*tile);
    } else if (!arguments.empty()) {
      auto value = argument_value(op, choice, arguments.front());
      if (!value) return value;
      values.push_back(std::move(*value));
      arguments = arguments.subspan(1);
    } else if (parameter.default_value.empty()) {
      return nothing_known(op, function,
                           fmt::format("the parameter '{} {}'", parameter.type, parameter.name));
    } else {
      break;
    }
  }
  return fmt::format("({})", fmt::join(values, ", "));
}

Expected<std::string> function_call(const SfpuOp& op, const OpChoice& choice,
                                    const Function& function,
                                    std::span<const OpArgument> arguments) {
  auto templates = template_arguments(op, choice, function);
  if (!templates) return templates;
  auto values = function_arguments(op, choice, function, arguments);
  if (!values) return values;
  return function.name + *templates + *values;
}

std::vector<std::string> parameter_names(const SfpuOp& op,
                                         std::initializer_list<const Function*> functions) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  for (const OpArgument& argument : op.arguments) add(argument.name);
  for (const OpArgument& argument : op.init_arguments) add(argument.name);
  for (const Function* function : functions) {
    if (function == nullptr) continue;
    for (const Parameter& parameter : function->templates) add(parameter.name);
  }
  return names;
}

} // namespace

OpTable::OpTable(const Checkout& checkout, Arch arch) : checkout_(checkout), arch_(arch) {
  for (const std::string& header : checkout.headers(arch))
    functions_[header] =
        functions_of(read_text_file(checkout.header(arch, header).string()).value_or(""));
}

/// The first of the names that the operation's header has, or another one.
const Function* OpTable::find(const SfpuOp& op, std::string_view names) const {
  const auto in_header = [](const std::vector<Function>& functions, const std::string& name) {
    const auto found = std::ranges::find(functions, name, &Function::name);
    return found == functions.end() ? nullptr : &*found;
  };
  std::istringstream stream{std::string(names)};
  for (std::string name; stream >> name;) {
    const auto own = functions_.find(op.header);
    if (own == functions_.end()) return nullptr;
    if (const Function* function = in_header(own->second, name)) return function;
    for (const auto& [header, functions] : functions_) {
      if (const Function* function = in_header(functions, name)) return function;
    }
  }
  return nullptr;
}

std::vector<const SfpuOp*> OpTable::ops() const {
  std::vector<const SfpuOp*> found;
  for (const SfpuOp& op : sfpu_ops()) {
    if (find(op, op.calculate) != nullptr) found.push_back(&op);
  }
  return found;
}

Expected<OpCall> OpTable::call(const SfpuOp& op, const OpChoice& choice) const {
  const Function* const calculate = find(op, op.calculate);
  if (calculate == nullptr) {
    return bad_input(fmt::format("the checkout has no operation {} for {}", in_quotes(op.name),
                                 arch_params(arch_).names.family),
                     "'lanewise list DIR' lists those that it has");
  }
  const Function* const init = find(op, op.init);
  const std::vector<std::string> names = parameter_names(op, {calculate, init});
  for (const auto& [name, value] : choice.parameters) {
    if (std::ranges::find(names, name) != names.end()) continue;
    return bad_input(
        fmt::format("the operation {} has no parameter {}", op.name, in_quotes(name)),
        names.empty() ? "it has none" : fmt::format("it has {}", fmt::join(names, ", ")));
  }
  auto calculation = function_call(op, choice, *calculate, op.arguments);
  if (!calculation) return Unexpected(calculation.error());
  OpCall result{.init = {}, .calculate = std::move(*calculation)};
  if (init == nullptr) return result;
  auto start = function_call(op, choice, *init,
                             op.init_arguments.empty() ? op.arguments : op.init_arguments);
  if (!start) return Unexpected(start.error());
  result.init = std::move(*start);
  return result;
}

Expected<sfpi::KernelSource> OpTable::source(const SfpuOp& op, const OpChoice& choice) const {
  auto text = call(op, choice);
  if (!text) return Unexpected(text.error());
  sfpi::KernelSource source;
  source.file = checkout_.header(arch_, op.header).string();
  source.is_header = true;
  source.init = std::move(text->init);
  source.calls = {std::move(text->calculate)};
  source.faces = op.faces;
  checkout_.set_up(source, arch_, choice.dst_width == "true");
  return source;
}

Expected<const SfpuOp*> chosen_op(const OpTable& table, std::string_view name) {
  const std::vector<const SfpuOp*> ops = table.ops();
  const auto found = std::ranges::find_if(ops, [&](const SfpuOp* op) { return op->name == name; });
  if (found != ops.end()) return *found;
  std::vector<std::string_view> names;
  names.reserve(ops.size());
  for (const SfpuOp* op : ops) names.push_back(op->name);
  const std::vector<std::string_view> near = near_names(name, names);
  return bad_input(fmt::format("the checkout has no operation {}", in_quotes(name)),
                   near.empty() ? "'lanewise list DIR' lists those that it has"
                                : fmt::format("did you mean {}?", fmt::join(near, ", ")));
}

} // namespace lanewise::checkouts
