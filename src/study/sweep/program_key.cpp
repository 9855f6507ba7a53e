#include "study/sweep/program_key.h"

#include <fmt/format.h>

#include "base/source_line.h"

namespace lanewise::sweep {

namespace {

/// The number of a line is one of this process alone.
std::string place_key(std::uint32_t line, KeyPlaces places) {
  const SourcePlace place = source_place(line);
  const auto part = static_cast<unsigned>(place.part);
  if (places == KeyPlaces::Parts) return part == 0 ? "" : fmt::format("@{}", part);
  return fmt::format("@{}:{}:{}:{}", part, place.line, place.file.size(), place.file);
}

} // namespace

std::string program_key(Arch arch, const Program& program, KeyPlaces places) {
  std::string key = fmt::format("{} {} {} {}", arch_params(arch).names.id, program.words.size(),
                                program.config.size(), program.mop.size());
  if (places == KeyPlaces::Lines) key += fmt::format(" {}:{}", program.name.size(), program.name);
  for (const ProgramWord& word : program.words)
    key +=
        fmt::format(" {:x}{}{}", word.word, word.computed ? "c" : "", place_key(word.line, places));
  for (const ConfigSetting& each : program.config)
    key += fmt::format(" {}={:x}{}", each.name, each.value, place_key(each.line, places));
  for (const MopSetting& each : program.mop)
    key += fmt::format(" {}:{}={:x}{}", each.before, each.index, each.value,
                       place_key(each.line, places));
  return key + "\n";
}

} // namespace lanewise::sweep
