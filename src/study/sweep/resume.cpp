#include "study/sweep/resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/cache.h"
#include "study/sweep/json.h"

namespace lanewise::sweep {

namespace {

/// Raised whenever the file, or what the numbers in it mean, changes.
constexpr unsigned kVersion = 3;
constexpr const char* kVersionName = "lanewise sweep";

/// Ends the file: digest of all bytes before, and what closes the object that they began.
constexpr std::string_view kSealStart = ",\"digest\":\"", kSealEnd = "\"}\n";

std::string seal_of(std::string_view content) {
  return fmt::format("{}{}{}", kSealStart, Digest().add(content).text(), kSealEnd);
}

/// The same of numbers and texts, one after the other.
class Description {
 public:
  void add(std::string_view text) { digest_.add(text); }
  void add(std::uint64_t number) { digest_.add(std::to_string(number)); }
  std::string text() const { return digest_.text(); }

 private:
  Digest digest_;
};

Unexpected file_fault(const std::string& name, std::string message, std::string remedy) {
  Unexpected fault = bad_input(std::move(message), std::move(remedy));
  fault.value().file = name;
  return fault;
}

Unexpected malformed(const std::string& name, const std::string& why) {
  return file_fault(name, "this is no state of a sweep that could go on: " + why,
                    "remove the file to begin anew, or name another one");
}

SweepTotals totals_of(const Json& file, const SweepPlan& plan) {
  SweepTotals totals = empty_totals(plan);
  const Json& chunks = file.at("chunks");
  if (!chunks.is_number_unsigned()) throw MalformedState("the number of chunks is missing");
  totals.chunks = chunks.get<std::uint64_t>();
  if (totals.chunks > plan.order.chunks()) throw MalformedState("more chunks than the sweep has");
  const Json& chips = file.at("chips");
  if (!chips.is_array() || chips.size() != totals.chips.size())
    throw MalformedState("not as many chips as the sweep has");
  for (std::size_t i = 0; i < totals.chips.size(); ++i) chip_from_json(chips[i], totals.chips[i]);
  return totals;
}

} // namespace

std::string describe_program(const SweepProgram& program) {
  Description digest;
  digest.add(program.as_kernel ? 1U : 0U);
  digest.add(program.program.words.size());
  for (const ProgramWord& word : program.program.words) digest.add(word.word);
  digest.add(program.program.config.size());
  for (const ConfigSetting& setting : program.program.config) {
    digest.add(setting.name);
    digest.add(setting.value);
  }
  for (const MopSetting& setting : program.program.mop) {
    digest.add(setting.before);
    digest.add(setting.index);
    digest.add(setting.value);
  }
  return fmt::format("{} {}", arch_params(program.arch).names.id, digest.text());
}

Expected<void> check_sweep_key(const Json& stored, const Json& key, std::string_view work,
                               const std::string& name) {
  for (const auto& [what, value] : key.items()) {
    const auto found = stored.find(what);
    if (found != stored.end() && *found == value) continue;
    const std::string other = found == stored.end() ? "nothing" : found->dump();
    return file_fault(
        name,
        fmt::format("this is the state of another {}: {} is {} there, {} here", work, what, other,
                    value.dump()),
        fmt::format("name another file for this {}, or remove that one to give up the other",
                    work));
  }
  return {};
}

Json sweep_key(const SweepPlan& plan) {
  Json key = Json::object();
  key[kVersionName] = kVersion;
  Json programs = Json::array();
  for (const SweepProgram& program : plan.programs) programs.push_back(describe_program(program));
  key["programs"] = std::move(programs);
  key["format"] = formats::format_name(plan.options.format);
  key["output format"] = formats::format_name(plan.output_format());
  key["output tile"] = plan.options.output_tile;
  const auto operand_name = [](std::optional<unsigned> operand) {
    return operand ? (*operand == 0 ? "x" : "y") : "";
  };
  key["srca"] = operand_name(plan.options.sources.srca);
  key["srcb"] = operand_name(plan.options.sources.srcb);
  key["inputs"] = to_string(plan.options.space);
  key["reference"] = plan.reference == nullptr ? "" : plan.reference->identity();
  key["operands"] = plan.operands;
  key["domain"] = plan.options.domain == nullptr ? "" : plan.options.domain->identity();
  key["ulp"] = formats::ulp_measure_name(plan.options.measure);
  key["worst cases"] = plan.options.worst_cases;
  return key;
}

std::string sealed_sweep_state(std::string object) {
  object.pop_back(); // the seal closes it
  return object + seal_of(object);
}

bool is_sealed_sweep_state(std::string_view text) {
  const std::size_t seal = kSealStart.size() + Digest::kDigits + kSealEnd.size();
  const std::size_t content = text.size() - std::min(text.size(), seal);
  return text.substr(content) == seal_of(text.substr(0, content));
}

std::vector<std::byte> write_sweep_state(const Json& key, const SweepTotals& totals) {
  Json file = key;
  file["chunks"] = totals.chunks;
  Json& chips = file["chips"] = Json::array();
  for (const ChipTotals& chip : totals.chips) chips.push_back(chip_to_json(chip));
  // What a user has named need not be UTF-8.
  const std::string text =
      sealed_sweep_state(file.dump(-1, ' ', false, Json::error_handler_t::replace));
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Expected<SweepTotals> read_sweep_state(std::span<const std::byte> bytes, const SweepPlan& plan,
                                       const std::string& name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!is_sealed_sweep_state(text))
    return malformed(name,
                     "it is damaged or cut off, or another version of Lanewise has written it");
  const Json file = Json::parse(text, nullptr, false);
  if (!file.is_object() || !file.contains(kVersionName))
    return malformed(name, "Lanewise has not written it");
  if (auto same = check_sweep_key(file, sweep_key(plan), "sweep", name); !same)
    return Unexpected(same.error());
  try {
    return totals_of(file, plan);
  } catch (const MalformedState& error) {
    return malformed(name, error.what());
  } catch (const Json::exception& error) {
    return malformed(name, error.what());
  }
}

} // namespace lanewise::sweep
