#include "report/accuracy/budget_file.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/in_quotes.h"
#include "report/accuracy/names.h"

namespace lanewise::report {

namespace {

constexpr std::array<std::string_view, 5> kKeys{"in", "out", "approx", "dest", "arch"};
constexpr std::array<std::string_view, 5> kBounds{"metric", "max_ulp", "near_zero_atol", "atol",
                                                  "rtol"};
/// Where rows without `arch` were measured.
constexpr Arch kMeasuredArch = Arch::Wormhole;

std::uint32_t line_of(const YAML::Mark& mark) {
  return mark.is_null() ? 0 : static_cast<std::uint32_t>(mark.line + 1);
}

/// What is written there, for messages.
std::string shown(const YAML::Node& node) {
  return node.IsScalar() ? in_quotes(node.Scalar()) : "no single value";
}

struct Field {
  std::string name;
  std::uint32_t line = 0; ///< of the name: a value that is not there has another
  YAML::Node value;
};

/// The fields of a mapping. Error: a name that is none, or is there twice.
Expected<std::vector<Field>> fields_of(const YAML::Node& map) {
  std::vector<Field> fields;
  std::set<std::string> names;
  for (const auto& each : map) {
    const std::uint32_t line = line_of(each.first.Mark());
    if (!each.first.IsScalar())
      return bad_input("a key is no name", "begin with a name and ':'", line);
    const std::string& name = each.first.Scalar();
    if (!names.insert(name).second)
      return bad_input(fmt::format("{} is there twice", in_quotes(name)), "remove one", line);
    fields.push_back({name, line, each.second});
  }
  return fields;
}

/// "Yes" and "No" are text there; a bare yes is a truth value of YAML.
Expected<std::string> switch_of(const std::string& name, const YAML::Node& value) {
  const bool is_quoted = value.Tag() == "!";
  bool truth = false;
  if (!is_quoted && YAML::convert<bool>::decode(value, truth)) return truth ? "Yes" : "No";
  if (value.IsScalar() && (value.Scalar() == "Yes" || value.Scalar() == "No"))
    return value.Scalar();
  return bad_input(fmt::format("{} is {}", name, shown(value)), "use \"Yes\" or \"No\"",
                   line_of(value.Mark()));
}

Expected<std::string> key_of(const std::string& name, const YAML::Node& value) {
  if (name == "approx" || name == "dest") return switch_of(name, value);
  if (!value.IsScalar() || value.Scalar().empty())
    return bad_input(fmt::format("{} is {}", name, shown(value)), "give a name",
                     line_of(value.Mark()));
  std::string key = value.Scalar();
  if (name == "arch") // text of ASCII: the chips' names
    std::ranges::transform(key, key.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
  return key;
}

Expected<double> steps_of(const YAML::Node& value) {
  std::uint32_t steps = 0;
  if (value.IsScalar() && value.Tag() != "!") {
    const std::string& text = value.Scalar();
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, steps);
    if (error == std::errc{} && rest == end) return steps;
  }
  return bad_input(fmt::format("max_ulp is {}", shown(value)),
                   "give a whole number of steps, from 0", line_of(value.Mark()));
}

/// max_ulp, or nothing for a tolerance. Error: a row that mixes both.
Expected<std::optional<double>> bound_of(const YAML::Node& row) {
  const YAML::Node metric = row["metric"];
  const bool is_tolerance = metric && metric.IsScalar() && metric.Scalar() == "tolerance";
  const bool is_ulp = !metric || (metric.IsScalar() && metric.Scalar() == "ulp");
  const auto has = [&](const char* name) { return static_cast<bool>(row[name]); };
  const bool mixes =
      is_tolerance ? has("max_ulp") || has("near_zero_atol") : has("atol") || has("rtol");
  if ((!is_tolerance && !is_ulp) || mixes) {
    return bad_input("a row mixes metrics",
                     "give max_ulp and near_zero_atol, or metric: tolerance with atol and rtol",
                     line_of(row.Mark()));
  }
  if (is_tolerance) return std::nullopt;
  if (!has("max_ulp"))
    return bad_input("a row has no max_ulp", "give a whole number of steps, from 0",
                     line_of(row.Mark()));
  const auto steps = steps_of(row["max_ulp"]);
  if (!steps) return Unexpected(steps.error());
  return *steps;
}

Expected<BudgetRow> row_of(const YAML::Node& node) {
  const auto fields = fields_of(node);
  if (!fields) return Unexpected(fields.error());
  BudgetRow row{.keys = {}, .line = line_of(node.Mark())};
  for (const auto& [name, line, value] : *fields) {
    if (std::ranges::find(kBounds, name) != kBounds.end()) continue;
    if (std::ranges::find(kKeys, name) == kKeys.end()) {
      return bad_input(fmt::format("a row has the unknown field {}", in_quotes(name)),
                       fmt::format("use {}, {}", fmt::join(kKeys, ", "), fmt::join(kBounds, ", ")),
                       line);
    }
    auto key = key_of(name, value);
    if (!key) return Unexpected(key.error());
    row.keys[name] = std::move(*key);
  }
  const auto bound = bound_of(node);
  if (!bound) return Unexpected(bound.error());
  row.max_ulp = *bound;
  return row;
}

Expected<std::vector<BudgetRow>> rows_of(const Field& field) {
  const auto& [operation, line, list] = field;
  if (!list.IsSequence() || list.size() == 0) {
    return bad_input(fmt::format("{} has no rows", operation),
                     "give it a list of them, or remove it", line);
  }
  std::vector<BudgetRow> rows;
  for (const YAML::Node& each : list) {
    if (!each.IsMap())
      return bad_input(fmt::format("a row of {} has no fields", operation),
                       "write it as {in: Float16_b, max_ulp: 1}", line_of(each.Mark()));
    auto row = row_of(each);
    if (!row) {
      row.error().message = fmt::format("{}: {}", operation, row.error().message);
      return Unexpected(row.error());
    }
    if (std::ranges::find(rows, row->keys, &BudgetRow::keys) != rows.end())
      return bad_input(fmt::format("a row of {} is there twice", operation), "remove one",
                       row->line);
    rows.push_back(std::move(*row));
  }
  return rows;
}

Expected<Budget> budget_of(const YAML::Node& root) {
  if (!root.IsMap())
    return bad_input("the file maps no operations to rows", "begin with 'Name:' and a list of rows",
                     line_of(root.Mark()));
  const auto operations = fields_of(root);
  if (!operations) return Unexpected(operations.error());
  Budget budget;
  for (const Field& operation : *operations) {
    auto rows = rows_of(operation);
    if (!rows) return Unexpected(rows.error());
    budget[operation.name] = std::move(*rows);
  }
  return budget;
}

/// Looks at nothing but where the document begins that is being read.
class DocumentStart : public YAML::EventHandler {
 public:
  std::uint32_t line() const { return line_; }

  void OnDocumentStart(const YAML::Mark& mark) override { line_ = line_of(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  std::uint32_t line_ = 0;
};

/// Error: something stands behind the first document. LoadAll() would tell as well, but there are
/// texts of which it reads documents without end.
Expected<void> check_one_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStart start;
  if (!parser.HandleNextDocument(start) || !parser.HandleNextDocument(start)) return {};
  return bad_input("there is more than one document", "end with the first, and leave out '---'",
                   start.line());
}

Expected<Budget> read_budget(const std::string& text) {
  try { // yaml-cpp's way to say what is wrong
    if (auto one = check_one_document(text); !one) return Unexpected(one.error());
    return budget_of(YAML::Load(text));
  } catch (const YAML::Exception& error) {
    return bad_input("this is no YAML: " + error.msg, "mend it there", line_of(error.mark));
  }
}

} // namespace

Expected<Budget> parse_budget(const std::string& text, const std::string& file) {
  auto budget = read_budget(text);
  if (!budget) budget.error().file = file;
  return budget;
}

Expected<const BudgetRow*> find_budget_row(const std::vector<BudgetRow>& rows,
                                           const BudgetKeys& variant) {
  const BudgetRow* best = nullptr;
  const BudgetRow* equal = nullptr;
  for (const BudgetRow& row : rows) {
    const bool is_here =
        row.keys.contains("arch") || variant.at("arch") == budget_arch(kMeasuredArch);
    const bool matches = std::ranges::all_of(
        row.keys, [&](const auto& key) { return variant.at(key.first) == key.second; });
    if (!is_here || !matches) continue;
    if (best != nullptr && row.keys.size() == best->keys.size()) equal = &row;
    if (best == nullptr || row.keys.size() > best->keys.size()) best = &row;
  }
  if (equal != nullptr && equal->keys.size() == best->keys.size()) {
    return bad_input(
        fmt::format("two rows say equally much, in lines {} and {}",
                    std::min(best->line, equal->line), std::max(best->line, equal->line)),
        "let one of them say more", equal->line);
  }
  return best;
}

} // namespace lanewise::report
