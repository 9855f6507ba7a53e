#include "source/compiler/switches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/in_quotes.h"
#include "source/compiler/passes.h"

namespace lanewise::compiler {

namespace {

bool apply_switch(std::string_view text, Options& options) {
  const bool on = !text.starts_with("no-");
  if (!on) text.remove_prefix(3);
  for (const Switch& each : kSwitches) {
    if (text != each.name && text != each.vendor_name) continue;
    options.*each.option = on;
    return true;
  }
  return false;
}

} // namespace

const std::vector<std::string>& pass_names() {
  static const std::vector<std::string> kNames(kPassNames.begin(), kPassNames.end());
  return kNames;
}

std::string switch_names() {
  std::string names;
  for (const Switch& each : kSwitches) {
    if (!names.empty()) names += ' ';
    names += each.name;
  }
  return names;
}

std::string_view name_of(CompiledAs compiled) {
  return compiled == CompiledAs::Shipped ? "shipped" : "lanewise";
}

Expected<std::optional<CompiledAs>> parse_compiled_as(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const CompiledAs each : {CompiledAs::Shipped, CompiledAs::Lanewise}) {
    if (name == name_of(each)) return each;
  }
  return bad_input(fmt::format("nothing is compiled as {}", in_quotes(name)),
                   "use shipped or lanewise");
}

Expected<Options> parse_options(std::span<const std::string> switches,
                                std::span<const std::string> dump) {
  Options result;
  for (const std::string& text : switches) {
    if (!apply_switch(text, result)) {
      return bad_input(fmt::format("there is no compiler switch -f{}", text),
                       "use -fno- with one of " + switch_names());
    }
  }
  const auto& passes = pass_names();
  for (const std::string& pass : dump) {
    if (pass != "all" && std::ranges::find(passes, pass) == passes.end()) {
      return bad_input(fmt::format("there is no pass {}", in_quotes(pass)),
                       fmt::format("use one of {}, or all", fmt::join(passes, " ")));
    }
  }
  result.dump.assign(dump.begin(), dump.end());
  return result;
}

} // namespace lanewise::compiler
