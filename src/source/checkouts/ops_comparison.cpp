// Tests, minima and maxima. Where an operation is a choice of a template parameter, the rows are
// made from the names of the choices.
#include "source/checkouts/op.h"

namespace lanewise::checkouts {

namespace {

/// A name, and the enumerator that it stands for.
struct Choice {
  std::string_view name, value;
};

void add_all(std::vector<SfpuOp>& ops, SfpuOp row, std::string_view parameter,
             std::initializer_list<Choice> choices) {
  for (const Choice& choice : choices) {
    row.name = choice.name;
    row.templates.push_back({parameter, choice.value});
    ops.push_back(row);
    row.templates.pop_back();
  }
}

} // namespace

std::vector<SfpuOp> comparison_ops() {
  using enum ArgumentForm;
  std::vector<SfpuOp> ops;
  add_all(ops,
          {.name = "", .header = "comp", .calculate = "calculate_comp", .init = "equal_zero_init"},
          "COMP_MODE",
          {{"eqz", "SfpuType::equal_zero"},
           {"nez", "SfpuType::not_equal_zero"},
           {"ltz", "SfpuType::less_than_zero"},
           {"gtz", "SfpuType::greater_than_zero"},
           {"lez", "SfpuType::less_than_equal_zero"},
           {"gez", "SfpuType::greater_than_equal_zero"}});
  add_all(ops,
          {.name = "",
           .header = "comp",
           .calculate = "calculate_comp_int",
           .init = "equal_zero_init",
           .element = OpElement::Int32,
           .result = OpElement::Int32},
          "COMP_MODE",
          {{"eqz_int32", "SfpuType::equal_zero"},
           {"nez_int32", "SfpuType::not_equal_zero"},
           {"ltz_int32", "SfpuType::less_than_zero"},
           {"gtz_int32", "SfpuType::greater_than_zero"},
           {"lez_int32", "SfpuType::less_than_equal_zero"},
           {"gez_int32", "SfpuType::greater_than_equal_zero"}});
  add_all(ops,
          {.name = "",
           .header = "isinf_isnan",
           .calculate = "calculate_sfpu_isinf_isnan _calculate_sfpu_isinf_isnan_"},
          "operation",
          {{"isinf", "SfpuType::isinf"},
           {"isposinf", "SfpuType::isposinf"},
           {"isneginf", "SfpuType::isneginf"},
           {"isnan", "SfpuType::isnan"},
           {"isfinite", "SfpuType::isfinite"}});
  add_all(ops,
          {.name = "",
           .header = "binary_comp",
           .calculate = "calculate_binary_comp_fp32",
           .operands = 2},
          "RELATIONAL_OP",
          {{"eq_binary", "SfpuType::eq"},
           {"ne_binary", "SfpuType::ne"},
           {"lt_binary", "SfpuType::lt"},
           {"gt_binary", "SfpuType::gt"},
           {"le_binary", "SfpuType::le"},
           {"ge_binary", "SfpuType::ge"}});
  add_all(ops,
          {.name = "",
           .header = "binary_comp",
           .calculate = "calculate_binary_comp_int32",
           .operands = 2,
           .element = OpElement::Int32,
           .result = OpElement::Int32},
          "RELATIONAL_OP",
          {{"lt_int32", "SfpuType::lt"},
           {"gt_int32", "SfpuType::gt"},
           {"le_int32", "SfpuType::le"},
           {"ge_int32", "SfpuType::ge"}});
  for (const Choice& each : {Choice{"unary_eq", "calculate_unary_eq"},
                             {"unary_ne", "calculate_unary_ne"},
                             {"unary_lt", "calculate_unary_lt"},
                             {"unary_gt", "calculate_unary_gt"},
                             {"unary_le", "calculate_unary_le"},
                             {"unary_ge", "calculate_unary_ge"}}) {
    ops.push_back({.name = each.name,
                   .header = "unary_comp",
                   .calculate = each.value,
                   .arguments = {{"value", Fp32Bits, "0.5"}}});
  }
  add_all(ops,
          {.name = "",
           .header = "binary_max_min",
           .calculate = "calculate_binary_max_min",
           .init = "binary_max_min_init",
           .operands = 2},
          "IS_MAX_OP", {{"binary_max", "true"}, {"binary_min", "false"}});
  add_all(ops,
          {.name = "",
           .header = "unary_max_min",
           .calculate = "calculate_unary_max_min",
           .init = "unary_max_min_init",
           .arguments = {{"value", Fp32Bits, "0"}}},
          "IS_MAX_OP", {{"unary_max", "true"}, {"unary_min", "false"}});
  add_all(ops,
          {.name = "",
           .header = "binary_max_min",
           .calculate = "calculate_binary_max_min_int32",
           .init = "binary_max_min_int32_init",
           .operands = 2,
           .element = OpElement::Int32,
           .result = OpElement::Int32},
          "IS_MAX_OP", {{"binary_max_int32", "true"}, {"binary_min_int32", "false"}});
  add_all(ops,
          {.name = "",
           .header = "binary_max_min",
           .calculate = "calculate_binary_max_min_int32",
           .init = "binary_max_min_int32_init",
           .templates = {{"IS_UNSIGNED", "true"}},
           .operands = 2,
           .element = OpElement::UInt32,
           .result = OpElement::UInt32},
          "IS_MAX_OP", {{"binary_max_uint32", "true"}, {"binary_min_uint32", "false"}});
  add_all(ops,
          {.name = "",
           .header = "unary_max_min",
           .calculate = "calculate_unary_max_min_int32",
           .init = "unary_max_min_int32_init",
           .arguments = {{"value", Integer, "1000"}},
           .element = OpElement::Int32,
           .result = OpElement::Int32},
          "IS_MAX_OP", {{"unary_max_int32", "true"}, {"unary_min_int32", "false"}});
  ops.push_back({.name = "sign",
                 .header = "sign",
                 .calculate = "calculate_sign",
                 .arguments = {{"exponent_size_8", Integer, "0"}}});
  ops.push_back({.name = "signbit",
                 .header = "signbit",
                 .calculate = "calculate_signbit",
                 .init = "signbit_init"});
  ops.push_back({.name = "logical_not",
                 .header = "logical_not",
                 .calculate = "calculate_logical_not",
                 .templates = {{"INSTRUCTION_MODE", "ckernel::InstrModLoadStore::DEFAULT"}}});
  ops.push_back({.name = "isclose",
                 .header = "isclose",
                 .calculate = "calculate_sfpu_isclose",
                 .arguments = {{"rtol", Fp32Bits, "1e-5"}, {"atol", Fp32Bits, "1e-8"}},
                 .operands = 2});
  ops.push_back({.name = "mask", .header = "mask", .calculate = "calculate_mask", .operands = 2});
  ops.push_back({.name = "mask_posinf",
                 .header = "mask",
                 .calculate = "calculate_mask_posinf",
                 .operands = 2});
  return ops;
}

} // namespace lanewise::checkouts
