#include <fmt/format.h>

#include <cmath>

#include "report/number/facts.h"
#include "report/number/report.h"

namespace lanewise::report {

namespace {

using formats::NumberArgument;
using formats::NumberForm;
using nlohmann::json;

json number_value(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

json fields_json(NumberForm form, std::uint32_t pattern) {
  const formats::FormFields fields = formats::form_fields(form, pattern);
  return {{"sign", fields.sign},
          {"exponent", fields.exponent},
          {"power", fields.power ? json(*fields.power) : json()},
          {"mantissa", fields.mantissa}};
}

json pattern_json(NumberForm form, const std::optional<formats::FormPattern>& pattern) {
  if (!pattern) return nullptr;
  json result = fields_json(form, pattern->pattern);
  result["bits"] = pattern->pattern;
  result["number"] = number_value(pattern->value);
  result["ulp"] = pattern->ulps ? json(*pattern->ulps) : json();
  return result;
}

json forms_json(double value) {
  json forms;
  for (const NumberForm form : formats::kNumberForms) {
    forms[std::string(formats::form_name(form))] = {
        {"cut", pattern_json(form, formats::cut_to_form(form, value))},
        {"nearest", pattern_json(form, formats::round_to_form(form, value))}};
  }
  return forms;
}

json loads_json(const NumberArgument& argument) {
  json loads = json::array();
  for (const LoadFact& fact : load_facts(argument)) {
    loads.push_back({{"modes", fact.modes},
                     {"bits", fact.loaded},
                     {"number", number_value(formats::form_value(NumberForm::Fp32, fact.loaded))},
                     {"assembly", fact.assembly},
                     {"macros", fact.macros}});
  }
  return loads;
}

json dst_json(double value) {
  json formats;
  for (const DstFact& fact : dst_facts(value)) {
    formats[std::string(formats::format_name(fact.format))] = {
        {"stored", fact.stored}, {"cells", fact.cells}, {"number", number_value(fact.holds)}};
  }
  return formats;
}

json tool_patterns_json(std::uint32_t bits) {
  const formats::ToolPatterns tool = formats::tool_patterns(bits);
  return {{"fp16a", tool.fp16a}, {"fp16b", tool.fp16b}, {"fp8", tool.fp8}, {"fp32", bits}};
}

json tool_values_json(std::uint32_t pattern) {
  const formats::ToolValues tool = formats::tool_values(pattern);
  const auto value = [](std::uint32_t bits) {
    return number_value(formats::form_value(NumberForm::Fp32, bits));
  };
  return {{"fp16a", value(tool.fp16a)}, {"fp16b", value(tool.fp16b)}, {"fp8", value(tool.fp8)}};
}

json reads_json(std::uint32_t pattern) {
  json reads = json::array();
  for (const ReadFact& fact : read_facts(pattern)) {
    json read = fields_json(fact.form, pattern);
    read["form"] = formats::form_name(fact.form);
    read["reader"] = fact.reader;
    read["fp32"] = fact.fp32;
    read["number"] = number_value(fact.value);
    reads.push_back(std::move(read));
  }
  return reads;
}

} // namespace

json number_json(const NumberReport& report) {
  const NumberArgument& argument = report.argument;
  json result{{"format", "lanewise-fp16c"},
              {"version", 1},
              {"text", report.text},
              {"meaning", report.meaning}};
  if (argument.kind == NumberArgument::Kind::Pattern) {
    result["pattern"] = argument.bits;
    result["fp16c"] = tool_values_json(argument.bits);
    result["warnings"] = pattern_warnings(argument.bits);
    result["reads"] = reads_json(argument.bits);
    return result;
  }
  result["number"] = number_value(argument.number);
  result["fp16c"] = tool_patterns_json(argument.bits);
  result["warnings"] = number_warnings(argument);
  result["forms"] = forms_json(argument.number);
  result["loads"] = loads_json(argument);
  result["dst"] = dst_json(argument.number);
  return result;
}

} // namespace lanewise::report
