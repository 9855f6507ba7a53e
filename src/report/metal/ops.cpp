#include "report/metal/ops.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/table/table.h"

namespace lanewise::report {

namespace {

std::string_view element_name(checkouts::OpElement element) {
  switch (element) {
    case checkouts::OpElement::Float: return "float";
    case checkouts::OpElement::Fp32: return "fp32";
    case checkouts::OpElement::Int32: return "int32";
    case checkouts::OpElement::UInt32: return "uint32";
    case checkouts::OpElement::UInt16: return "uint16";
  }
  return "";
}

/// "alpha=1 threshold=20".
std::string parameters_text(const checkouts::SfpuOp& op) {
  std::string text;
  for (const auto* list : {&op.arguments, &op.init_arguments}) {
    for (const checkouts::OpArgument& argument : *list) {
      if (argument.value.empty()) continue;
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", argument.name, argument.value);
    }
  }
  return text;
}

std::string types_text(const checkouts::SfpuOp& op) {
  if (op.element == op.result) return std::string(element_name(op.element));
  return fmt::format("{} to {}", element_name(op.element), element_name(op.result));
}

template <class Calls>
std::string chips_text(const Calls& calls) {
  std::string text;
  for (const auto& [arch, call] : calls)
    text += fmt::format("{}{}", text.empty() ? "" : " ", arch_params(arch).names.id);
  return text;
}

} // namespace

void OpList::add(Arch arch, const checkouts::OpTable& table) {
  for (const checkouts::SfpuOp* op : table.ops()) {
    const auto call = table.call(*op, {});
    if (!call) continue;
    auto entry = std::ranges::find(entries_, op, &Entry::op);
    if (entry == entries_.end()) entry = entries_.insert(entries_.end(), {op, {}});
    entry->calls.emplace(arch, *call);
  }
}

std::string OpList::text() const {
  Table table{.columns = {{"op"}, {"tiles"}, {"numbers"}, {"parameters"}, {"header"}, {"chips"}}};
  for (const Entry& entry : entries_) {
    table.rows.push_back({std::string(entry.op->name), std::to_string(entry.op->operands),
                          types_text(*entry.op), parameters_text(*entry.op),
                          std::string(entry.op->header), chips_text(entry.calls)});
  }
  return table_text(table) + fmt::format("{} operations\n", entries_.size());
}

nlohmann::json OpList::json() const {
  nlohmann::json list = nlohmann::json::array();
  for (const Entry& entry : entries_) {
    nlohmann::json parameters = nlohmann::json::object();
    for (const auto* arguments : {&entry.op->arguments, &entry.op->init_arguments}) {
      for (const checkouts::OpArgument& argument : *arguments) {
        if (!argument.value.empty()) parameters[std::string(argument.name)] = argument.value;
      }
    }
    nlohmann::json calls = nlohmann::json::object();
    for (const auto& [arch, call] : entry.calls)
      calls[std::string(arch_params(arch).names.id)] = {{"init", call.init},
                                                        {"call", call.calculate}};
    list.push_back({{"op", entry.op->name},
                    {"header", entry.op->header},
                    {"operands", entry.op->operands},
                    {"element", element_name(entry.op->element)},
                    {"result", element_name(entry.op->result)},
                    {"parameters", std::move(parameters)},
                    {"chips", std::move(calls)}});
  }
  return list;
}

} // namespace lanewise::report
