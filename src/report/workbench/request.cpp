#include <fmt/format.h>

#include <utility>

#include "base/in_quotes.h"
#include "chip/isa/arch.h"
#include "number/formats/format.h"
#include "report/workbench/workbench.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

Expected<void> read_field(const json& object, const char* name, std::string& value) {
  const auto field = object.find(name);
  if (field == object.end()) return {};
  if (!field->is_string())
    return bad_input(fmt::format("{} is no text", in_quotes(name)), "send a string");
  value = field->get<std::string>();
  return {};
}

json chip_choices() {
  json chips = json::array();
  for (const Arch arch : kArchs) {
    const ArchParams& chip = arch_params(arch);
    chips.push_back({{"value", chip.names.id}, {"label", chip.names.full}});
  }
  return chips;
}

json format_choices() {
  json formats = json::array();
  for (const formats::Format format : formats::kFormats) {
    const std::string_view name = formats::format_name(format);
    formats.push_back({{"value", name}, {"label", name}});
  }
  return formats;
}

} // namespace

json workbench_start(const std::string& name, json text, std::string_view initial,
                     const WorkbenchRequest& choices) {
  return {{"name", name},
          {"is_cpp", execution::is_kernel_file(name)},
          {"text", std::move(text)},
          {"initial", initial},
          {"chips", chip_choices()},
          {"formats", format_choices()},
          {"arch", arch_params(choices.arch).names.id},
          {"format", choices.format},
          {"reference", choices.reference},
          {"inputs", choices.inputs}};
}

Expected<WorkbenchRequest> parse_workbench_request(std::string_view text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object() || !object.contains("text"))
    return bad_input("the request is no JSON object with a 'text'", "reload the page");
  WorkbenchRequest request;
  std::string arch(arch_params(kDefaultArch).names.id);
  for (const auto& [name, value] : {std::pair<const char*, std::string*>{"text", &request.text},
                                    {"arch", &arch},
                                    {"format", &request.format},
                                    {"reference", &request.reference},
                                    {"inputs", &request.inputs}}) {
    if (auto read = read_field(object, name, *value); !read) return Unexpected(read.error());
  }
  const auto chip = parse_whole_arch(arch);
  if (!chip)
    return bad_input(fmt::format("there is no chip {}", in_quotes(arch)), "choose bh or wh");
  request.arch = *chip;
  return request;
}

} // namespace lanewise::report
