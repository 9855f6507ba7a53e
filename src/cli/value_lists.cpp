#include "cli/value_lists.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "chip/isa/arch.h"
#include "chip/isa/row.h"
#include "chip/timing/harness.h"
#include "chip/timing/hazards/hazards.h"
#include "number/formats/format.h"
#include "number/formats/ulp_measure.h"
#include "number/tensors/source_tile.h"
#include "source/checkouts/op.h"
#include "source/compiler/epoch.h"
#include "source/compiler/pass_names.h"

namespace lanewise::cli {

namespace {

using Words = std::vector<std::string>;

/// What `name_of` makes of each.
template <class Range, class Name>
Words words_of(const Range& range, const Name& name_of) {
  Words words;
  for (const auto& each : range) words.emplace_back(std::invoke(name_of, each));
  return words;
}

Words chips() {
  return words_of(kEveryArch, [](Arch arch) { return arch_params(arch).names.id; });
}

Words mnemonics() {
  Words names = words_of(isa::rows(), &isa::Row::mnemonic);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Words formats_of_dst() {
  return words_of(formats::kFormats, formats::format_name);
}

/// Of the report of 'check', or of its tiles.
Words forms_of_check() {
  Words names = formats_of_dst();
  names.insert(names.end(), {"text", "json", "sarif", "github", "junit"});
  return names;
}

Words source_formats() {
  return words_of(tensors::kSourceFormats, &tensors::SourceFormatRow::name);
}

Words operations() {
  return words_of(checkouts::sfpu_ops(), &checkouts::SfpuOp::name);
}

Words releases() {
  Words texts;
  for (int epoch = compiler::kFirstEpoch; epoch <= compiler::kNewestEpoch; ++epoch) {
    if (compiler::is_epoch(epoch)) texts.push_back(compiler::epoch_text(epoch));
  }
  return texts;
}

Words passes() {
  Words names = compiler::pass_names();
  names.emplace_back("all");
  return names;
}

Words hazard_rules() {
  return words_of(timing::hazard_rules(), &timing::HazardRule::id);
}

Words harnesses() {
  Words names = words_of(timing::harnesses(), &timing::Harness::name);
  names.emplace_back(timing::kChosenHarness);
  return names;
}

Words ulp_measures() {
  return words_of(formats::kUlpMeasures, formats::ulp_measure_name);
}

struct NamedList {
  std::string_view value; ///< what help calls it
  Words (*words)();
};
constexpr std::array kLists{NamedList{"CHIP", chips},
                            NamedList{"CHIPS", chips},
                            NamedList{"FORM", forms_of_check},
                            NamedList{"FORMAT", formats_of_dst},
                            NamedList{"FORMATS", formats_of_dst},
                            NamedList{"HARNESS", harnesses},
                            NamedList{"MEASURE", ulp_measures},
                            NamedList{"MNEMONIC", mnemonics},
                            NamedList{"OPERATION", operations},
                            NamedList{"PASS", passes},
                            NamedList{"RELEASE", releases},
                            NamedList{"RULE", hazard_rules},
                            NamedList{"SOURCE_FORMAT", source_formats}};

} // namespace

std::vector<std::string> listed_values(const OptionDescription& option,
                                       std::span<const CommandDescription> commands) {
  if (option.value == "COMMAND") return words_of(commands, &CommandDescription::name);
  const auto* const list = std::ranges::find(kLists, option.value, &NamedList::value);
  return list == kLists.end() ? option.choices() : list->words();
}

} // namespace lanewise::cli
