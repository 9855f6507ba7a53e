#include "report/llk/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/table/table.h"

namespace lanewise::report {

namespace {

using corpus::LlkBound;
using corpus::LlkResult;
using corpus::LlkVerdict;

std::string row_name(const LlkResult& result) {
  return result.kernel + (result.twin ? "-twin" : "");
}

std::string_view verdict_name(LlkVerdict verdict) {
  switch (verdict) {
    case LlkVerdict::Ok: return "ok";
    case LlkVerdict::Ran: return "ran";
    case LlkVerdict::KnownDefect: return "known defect";
    case LlkVerdict::Fail: return "FAIL";
  }
  return "";
}

std::string verdict_text(const LlkResult& result) {
  const std::string verdict(verdict_name(result.verdict));
  return result.equals_twin ? verdict + ", equals twin" : verdict;
}

/// "exact", "0.98 ULP", "1 ULP or abs 0.0061" if elements need only one of them.
std::string error_text(const LlkBound& error) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " or ") + part; };
  if (error.ulp != 0) add(fmt::format("{:.3g} ULP", error.ulp));
  if (error.absolute != 0) add(fmt::format("abs {:.3g}", error.absolute));
  if (error.relative != 0) add(fmt::format("rel {:.3g}", error.relative));
  return text.empty() ? "exact" : text;
}

std::size_t count(std::span<const LlkResult> results, LlkVerdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(),
                    [verdict](const LlkResult& result) { return result.verdict == verdict; }));
}

std::string largest_error(const LlkResult& result) {
  if (result.compared == 0) return "-";
  const bool wrong_bits = result.verdict != LlkVerdict::Ok && result.verdict != LlkVerdict::Ran &&
                          result.error == LlkBound{};
  return wrong_bits ? "wrong" : error_text(result.error);
}

std::string bound_text(const LlkResult& result) {
  return result.verdict == LlkVerdict::Ran ? "-" : error_text(result.bound);
}

TableRow row_of(const LlkResult& result) {
  const auto counted = [&](auto number) {
    return result.compiled ? std::to_string(number) : std::string("-");
  };
  return {row_name(result),
          arch_params(result.arch).names.id,
          formats::format_name(result.format),
          counted(result.words),
          counted(result.executed),
          counted(result.lregs),
          largest_error(result),
          bound_text(result),
          verdict_text(result)};
}

Table result_table(std::span<const LlkResult> results) {
  Table table{.columns = table_columns({"kernel", "chip", "Dst"})};
  for (const char* heading : {"words", "executed", "LRegs"})
    table.columns.push_back({heading, ColumnKind::Number});
  for (const char* heading : {"largest error", "bound", "verdict"})
    table.columns.push_back({heading, ColumnKind::Text});
  for (const LlkResult& result : results) table.rows.push_back(row_of(result));
  return table;
}

} // namespace

void count_results(LlkHeaderRows& headers, std::span<const LlkResult> results) {
  for (const LlkResult& result : results) {
    headers.count(result.header, result.verdict == LlkVerdict::Fail,
                  result.verdict == LlkVerdict::KnownDefect);
  }
}

std::string llk_table(std::span<const LlkResult> results, const LlkHeaderRows& headers) {
  std::string text = table_text(result_table(results)) + "\n";
  if (!results.empty() && results.front().measure != formats::UlpMeasure::Line)
    text += fmt::format("ULP of {}: {}\n", formats::ulp_measure_name(results.front().measure),
                        formats::ulp_measure_meaning(results.front().measure));
  for (const LlkResult& result : results) {
    if (result.verdict == LlkVerdict::Ok || result.verdict == LlkVerdict::Ran) continue;
    text += fmt::format("{}, {}, {}: {}\n", row_name(result), arch_params(result.arch).names.id,
                        formats::format_name(result.format), result.reason);
  }
  const auto having = [&](bool LlkResult::*property) {
    return std::count_if(results.begin(), results.end(),
                         [&](const LlkResult& result) { return result.*property; });
  };
  text += "\n" + headers.table() + "\n";
  const std::size_t defects = count(results, LlkVerdict::KnownDefect);
  const std::string known =
      defects == 0 ? "" : fmt::format(" {} known defects of the checkout,", defects);
  const std::size_t ran = count(results, LlkVerdict::Ran);
  const std::string unbounded = ran == 0 ? "" : fmt::format(" {} ran without a bound,", ran);
  return text + fmt::format(
                    "{} runs: {} ok,{}{} {} failed; {}; {} with SFPLOADMACRO, {} of them equal to "
                    "the version without\n",
                    results.size(), count(results, LlkVerdict::Ok), unbounded, known,
                    count(results, LlkVerdict::Fail), headers.summary(), having(&LlkResult::macros),
                    having(&LlkResult::equals_twin));
}

nlohmann::json llk_json(std::span<const LlkResult> results, const LlkHeaderRows& headers) {
  const auto bound = [](const LlkBound& value) {
    return nlohmann::json{
        {"ulp", value.ulp}, {"absolute", value.absolute}, {"relative", value.relative}};
  };
  nlohmann::json rows = nlohmann::json::array();
  for (const LlkResult& result : results) {
    rows.push_back({{"kernel", result.kernel},
                    {"header", result.header},
                    {"twin", result.twin},
                    {"arch", arch_params(result.arch).names.id},
                    {"format", formats::format_name(result.format)},
                    {"ulp_measure", formats::ulp_measure_name(result.measure)},
                    {"compiled", result.compiled},
                    {"words", result.words},
                    {"executed", result.executed},
                    {"lregs", result.lregs},
                    {"init_cycles", result.init_cycles},
                    {"cycles", result.cycles},
                    {"compared", result.compared},
                    {"error", bound(result.error)},
                    {"bound", bound(result.bound)},
                    {"macros", result.macros},
                    {"equals_twin", result.equals_twin},
                    {"verdict", verdict_name(result.verdict)},
                    {"reason", result.reason}});
  }
  for (nlohmann::json& entry : headers.missing_json()) rows.push_back(std::move(entry));
  return rows;
}

std::string llk_list(std::span<const corpus::LlkKernel* const> kernels) {
  std::string text;
  for (const corpus::LlkKernel* kernel : kernels) {
    std::string chips, formats;
    for (const Arch arch : kernel->chips) {
      chips += (chips.empty() ? "" : ",") + std::string(arch_params(arch).names.id);
    }
    for (const corpus::LlkDst& dst : kernel->dst) {
      formats += (formats.empty() ? "" : ",") + std::string(formats::format_name(dst.format));
    }
    text +=
        fmt::format("{}: {}; {}; inputs: {}\n", kernel->name, chips, formats, kernel->domain.text);
    text += fmt::format("    ckernel_sfpu_{}.h\n", kernel->header);
    if (!kernel->init.empty()) text += fmt::format("    {};\n", kernel->init);
    text += fmt::format("    {};\n", kernel->call);
  }
  return text;
}

} // namespace lanewise::report
