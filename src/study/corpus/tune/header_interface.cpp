#include "study/corpus/tune/header_interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "study/corpus/tune/header_text.h"

namespace lanewise::corpus {

Unexpected unpatched(std::string why) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported, .message = std::move(why)});
}

namespace {

bool is_type(const HeaderParameter& parameter) {
  return parameter.type.starts_with("typename") || parameter.type.starts_with("class") ||
         parameter.type.starts_with("template") || parameter.type.find("...") != std::string::npos;
}

/// "NAME == VALUE" for each parameter that has a name.
Expected<std::vector<std::string>> conditions_of(const std::vector<HeaderParameter>& parameters,
                                                 const std::vector<std::string>& values,
                                                 const std::string& function) {
  std::vector<std::string> conditions;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const HeaderParameter& each = parameters[i];
    if (each.name.empty()) continue;
    if (is_type(each))
      return unpatched(
          fmt::format("{} of {} is a type: no branch can ask for it", each.name, function));
    const std::string& value = i < values.size() ? values[i] : each.value;
    if (value.empty())
      return unpatched(fmt::format("the call does not say what {} of {} is", each.name, function));
    conditions.push_back(fmt::format("{} == ({})", each.name, value));
  }
  if (values.size() > parameters.size())
    return unpatched(fmt::format("{} takes fewer arguments than it is called with", function));
  return conditions;
}

/// Parameters that the text of a function does not read decide nothing: they have no name then.
std::vector<HeaderParameter> read_ones(std::vector<HeaderParameter> parameters,
                                       const HeaderFunction& function, const std::string& code) {
  const auto body = std::string_view(code).substr(function.open, function.close - function.open);
  for (HeaderParameter& each : parameters)
    if (!has_word(body, each.name)) each.name.clear();
  return parameters;
}

Expected<CallConditions> call_conditions(const std::string& header, const HeaderFunction& function,
                                         const CallText& call) {
  const std::string code = code_alone(header);
  auto fixed =
      conditions_of(read_ones(function.templates, function, code), call.templates, function.name);
  if (!fixed) return Unexpected(fixed.error());
  auto running =
      conditions_of(read_ones(function.arguments, function, code), call.arguments, function.name);
  if (!running) return Unexpected(running.error());
  return CallConditions{std::move(*fixed), std::move(*running)};
}

/// The init function may depend on what the function knows, and on nothing else: else the branch
/// could be taken behind an init part for other numbers.
Expected<void> check_init_knows(const KernelInterface& interface) {
  const auto has = [](const std::vector<std::string>& all, const std::string& one) {
    return std::ranges::find(all, one) != all.end();
  };
  for (const auto* conditions : {&interface.init_when.fixed, &interface.init_when.running}) {
    for (const std::string& each : *conditions) {
      if (!has(interface.when.fixed, each) && !has(interface.when.running, each))
        return unpatched(
            fmt::format("other configuration: {} depends on {}, which {} does not know",
                        interface.init, each.substr(0, each.find(' ')), interface.function));
    }
  }
  return {};
}

} // namespace

Expected<KernelInterface> interface_of(const std::string& header,
                                       const sfpi::KernelSource& source) {
  const auto call = parse_call(source.calls.front());
  if (!call) return Unexpected(call.error());
  const auto function = find_function(header, call->name);
  if (!function) return Unexpected(function.error());
  auto when = call_conditions(header, *function, *call);
  if (!when) return Unexpected(when.error());
  KernelInterface interface {
    .function = function->name, .init = "", .when = std::move(*when), .init_when = {}
  };
  if (source.init.empty()) return interface;
  const auto init = parse_call(source.init);
  if (!init) return unpatched("its init part is more than a call of one function");
  const auto init_function = find_function(header, init->name);
  if (!init_function) return Unexpected(init_function.error());
  auto init_when = call_conditions(header, *init_function, *init);
  if (!init_when) return Unexpected(init_when.error());
  interface.init = init_function->name;
  interface.init_when = std::move(*init_when);
  if (auto knows = check_init_knows(interface); !knows) return Unexpected(knows.error());
  return interface;
}

} // namespace lanewise::corpus
