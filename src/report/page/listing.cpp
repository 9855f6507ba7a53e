#include "report/page/listing.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/source_line.h"
#include "chip/isa/disassembler.h"
#include "report/page/page.h"
#include "report/time/report.h"

namespace lanewise::report {

namespace {

/// Rows of the listing.
constexpr std::size_t kMostWords = 1000;

/// What became of a word of one source line.
struct WordUse {
  std::uint64_t times = 0, stalls = 0, waits = 0;
  std::optional<std::uint64_t> first_slot;
  isa::SubUnit sub_unit = isa::SubUnit::None;
};

using WordKey = std::pair<std::uint32_t, std::uint32_t>; ///< line, word

std::map<WordKey, WordUse> word_uses(const ListedProgram& listed) {
  std::map<WordKey, WordUse> uses;
  for (const timing::Issue& issue : listed.schedule.issues) {
    const MicroOp& op = listed.prepared.ops[issue.op];
    WordUse& use = uses[{op.line, op.word}];
    ++use.times;
    use.stalls += issue.before;
    use.waits += issue.inside;
    if (!use.first_slot) use.first_slot = issue.slot;
    if (const isa::Row* row = isa::find_row(listed.arch, op.op)) use.sub_unit = row->sub_unit;
  }
  return uses;
}

std::string listing_row(const ListedProgram& listed, const ProgramWord& word, const WordUse& use,
                        bool new_line) {
  const auto count = [](std::uint64_t value) { return value == 0 ? "" : std::to_string(value); };
  return fmt::format(
      "<tr data-line=\"{}\"><td class=\"n\">{}</td><td class=\"source\"><code>{}</code></td>"
      "<td><i class=\"dot {}\"></i><code>{}</code></td><td class=\"n\">{}</td><td "
      "class=\"n\">{}</td>"
      "<td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
      word.line, new_line ? escaped(line_label(word.line)) : "",
      new_line ? escaped(source_line(listed.source, word.line)) : "", unit_class(use.sub_unit),
      escaped(isa::disassemble(listed.arch, word.word)), count(use.times),
      use.first_slot ? std::to_string(*use.first_slot) : "", count(use.stalls), count(use.waits));
}

} // namespace

std::string program_listing(const ListedProgram& listed) {
  const std::map<WordKey, WordUse> uses = word_uses(listed);
  std::map<WordKey, bool> shown;
  std::string rows;
  std::uint32_t last_line = 0;
  bool cut = false;
  for (const ProgramWord& word : listed.program.words) {
    const WordKey key{word.line, word.word};
    if (shown[key]) continue;
    if (shown.size() > kMostWords) {
      cut = true;
      break;
    }
    shown[key] = true;
    const auto use = uses.find(key);
    rows += listing_row(listed, word, use == uses.end() ? WordUse{} : use->second,
                        word.line != last_line);
    last_line = word.line;
  }
  return fmt::format(
      "<div class=\"listing\"><table><tr><th class=\"n\">line</th><th>source</th><th>assembly</th>"
      "<th class=\"n\">executed</th><th class=\"n\">first cycle</th><th class=\"n\">stalls "
      "in front</th><th class=\"n\">waits inside</th></tr>{}</table></div>"
      "<p class=\"muted\">A word that occurs several times in a line has one row. Stalls and waits "
      "in cycles, over the whole program.{}</p>",
      rows, cut ? fmt::format(" Only the first {} rows are shown.", kMostWords) : "");
}

std::string_view unit_class(isa::SubUnit unit) {
  switch (unit) {
    case isa::SubUnit::Load: return "load";
    case isa::SubUnit::Simple: return "simple";
    case isa::SubUnit::Mad: return "mad";
    case isa::SubUnit::Round: return "round";
    case isa::SubUnit::Store: return "store";
    case isa::SubUnit::None: break;
  }
  return "other";
}

} // namespace lanewise::report
