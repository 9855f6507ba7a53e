#include "lab/sweep_resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "lab/sweep_json.h"

namespace lanewise::lab {

namespace {

/// Raised whenever the file, or what the numbers in it mean, changes.
constexpr unsigned kVersion = 1;
constexpr const char* kVersionName = "lanewise sweep";

/// FNV-1a of 64 bits.
class Digest {
 public:
  void add(std::string_view text) {
    for (const char byte : text) add_byte(static_cast<unsigned char>(byte));
    add_byte(0); // so that "ab", "c" is not "a", "bc"
  }
  void add(std::uint64_t number) {
    for (unsigned shift = 0; shift < 64; shift += 8)
      add_byte(static_cast<unsigned char>(number >> shift));
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  void add_byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001B3U; }
  std::uint64_t hash_ = 0xCBF29CE484222325U;
};

/// Chip, and everything that decides what a program does.
std::string describe(const SweepProgram& program) {
  Digest digest;
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
  return fmt::format("{} {}", arch_params(program.arch).name, digest.text());
}

Unexpected file_fault(const std::string& name, std::string message, std::string remedy) {
  Unexpected fault = bad_input(std::move(message), std::move(remedy));
  fault.value().file = name;
  return fault;
}

Unexpected malformed(const std::string& name, const std::string& why) {
  return file_fault(name, "this is no state of a sweep that could go on: " + why,
                    "remove the file to begin anew, or name another one");
}

/// Error: in what the sweep of the file is another one.
Expected<void> check_key(const Json& stored, const Json& key, const std::string& name) {
  for (const auto& [what, value] : key.items()) {
    const auto found = stored.find(what);
    if (found != stored.end() && *found == value) continue;
    const std::string other = found == stored.end() ? "nothing" : found->dump();
    return file_fault(name,
                      fmt::format("this is the state of another sweep: {} is {} there, {} here",
                                  what, other, value.dump()),
                      "name another file for this sweep, or remove that one to give up the other");
  }
  return {};
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

Json sweep_key(const SweepPlan& plan) {
  Json key = Json::object();
  key[kVersionName] = kVersion;
  Json programs = Json::array();
  for (const SweepProgram& program : plan.programs) programs.push_back(describe(program));
  key["programs"] = std::move(programs);
  key["format"] = format_name(plan.options.format);
  key["output format"] = format_name(plan.output_format());
  key["output tile"] = plan.options.output_tile;
  key["inputs"] = to_string(plan.options.space);
  key["reference"] = plan.reference == nullptr ? "" : plan.reference->identity();
  key["operands"] = plan.operands;
  key["domain"] = plan.options.domain == nullptr ? "" : plan.options.domain->identity();
  key["worst cases"] = plan.options.worst_cases;
  return key;
}

std::vector<std::byte> write_sweep_state(const Json& key, const SweepTotals& totals) {
  Json file = key;
  file["chunks"] = totals.chunks;
  Json& chips = file["chips"] = Json::array();
  for (const ChipTotals& chip : totals.chips) chips.push_back(chip_to_json(chip));
  // What a user has named need not be UTF-8.
  const std::string text = file.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Expected<SweepTotals> read_sweep_state(std::span<const std::byte> bytes, const SweepPlan& plan,
                                       const std::string& name) {
  const auto* begin = reinterpret_cast<const char*>(bytes.data());
  const Json file = Json::parse(begin, begin + bytes.size(), nullptr, false);
  if (!file.is_object() || !file.contains(kVersionName))
    return malformed(name, "it is not one that Lanewise has written, or cut off");
  if (auto same = check_key(file, sweep_key(plan), name); !same) return Unexpected(same.error());
  try {
    return totals_of(file, plan);
  } catch (const MalformedState& error) {
    return malformed(name, error.what());
  } catch (const Json::exception& error) {
    return malformed(name, error.what());
  }
}

} // namespace lanewise::lab
