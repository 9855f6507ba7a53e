#include "report/elf/json.h"

#include "chip/isa/disassembler.h"
#include "report/elf/listing.h"
#include "report/elf/statistics.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

/// Bytes of names that are no UTF-8 would be no JSON.
std::string plain(const std::string& text) {
  std::string result = text;
  for (char& c : result) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return result;
}

json inlined_json(const elf::Image& image, std::uint32_t address) {
  json list = json::array();
  for (const elf::InlinedCall* call : elf::inlined_calls_at(image, address)) {
    list.push_back({{"function", plain(call->function)},
                    {"file", plain(image.files[call->file])},
                    {"line", call->line}});
  }
  return list;
}

json word_json(const elf::Image& image, const elf::CodeWord& word, Arch arch) {
  json entry{{"address", word.address}, {"word", word.word}};
  if (word.kind != elf::WordKind::Tensix) entry["riscv"] = plain(code_text(image, word));
  if (word.kind == elf::WordKind::RiscV) entry["flow"] = riscv::flow_name(word.flow);
  if (word.target) entry["target"] = *word.target;
  if (word.pushes()) entry["pushes"] = true;
  if (word.tensix) entry["tensix"] = isa::disassemble(arch, *word.tensix);
  add_source(entry, image, word.address);
  return entry;
}

json counts_json(const CodeStatistics& counts) {
  json units = json::object();
  for (std::size_t i = 0; i < kUnits; ++i) {
    if (counts.units[i] != 0) units[isa::unit_name(static_cast<isa::Unit>(i))] = counts.units[i];
  }
  return {
      {"riscv", counts.riscv},   {"constants", counts.constants}, {"branches", counts.branches},
      {"calls", counts.calls},   {"unknown", counts.unknown},     {"pushes", counts.pushes},
      {"stores", counts.stores}, {"computed", counts.computed},   {"sfploadi", counts.immediates},
      {"nops", counts.nops},     {"units", std::move(units)}};
}

} // namespace

void add_source(json& entry, const elf::Image& image, std::uint32_t address) {
  const elf::LineRange* const range = elf::line_at(image, address);
  if (range == nullptr || range->line == 0) return;
  entry["file"] = plain(image.files[range->file]);
  entry["line"] = range->line;
  if (json calls = inlined_json(image, address); !calls.empty())
    entry["inlined"] = std::move(calls);
}

json elf_json(const elf::Image& image, const std::vector<elf::Function>& functions, Arch arch) {
  json list = json::array();
  for (const elf::Function& function : functions) {
    json words = json::array();
    for (const elf::CodeWord& word : function.words) words.push_back(word_json(image, word, arch));
    list.push_back({{"name", plain(function.symbol.readable)},
                    {"symbol", plain(function.symbol.name)},
                    {"address", function.symbol.address},
                    {"bytes", function.symbol.size},
                    {"counts", counts_json(statistics_of(function, arch))},
                    {"words", std::move(words)}});
  }
  return {{"file", plain(image.name)}, {"entry", image.entry}, {"functions", std::move(list)}};
}

json elf_call_json(const elf::Image& image, const elf::CallResult& result, Arch arch) {
  json words = json::array();
  for (std::size_t i = 0; i < result.program.words.size(); ++i) {
    json entry{{"word", result.program.words[i].word},
               {"instruction", isa::disassemble(arch, result.program.words[i].word)},
               {"pc", result.pushed_at[i]},
               {"place", plain(elf::place_text(image, result.pushed_at[i]))}};
    add_source(entry, image, result.pushed_at[i]);
    words.push_back(std::move(entry));
  }
  json config = json::array(), mop = json::array();
  for (const ConfigSetting& each : result.program.config)
    config.push_back({{"name", each.name}, {"value", each.value}});
  for (const MopSetting& each : result.program.mop)
    mop.push_back({{"before", each.before}, {"index", each.index}, {"value", each.value}});
  return {{"instructions", result.instructions},
          {"returned", result.returned},
          {"words", std::move(words)},
          {"config", std::move(config)},
          {"mop", std::move(mop)},
          {"notes", result.notes}};
}

} // namespace lanewise::report
