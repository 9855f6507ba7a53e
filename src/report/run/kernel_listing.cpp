#include "report/run/kernel_listing.h"

#include <fmt/format.h>

#include <span>

#include "base/source_line.h"
#include "chip/isa/disassembler.h"
#include "chip/isa/encoding.h"
#include "report/source_text.h"
#include "report/table/table.h"
#include "source/assembly/tti.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

constexpr std::size_t kSourceColumns = 70;

/// SFPENCC with mode 10 and both bits: all lanes enabled, flags in use.
std::uint32_t entry_word(Arch arch) {
  return *isa::encode(arch, isa::Op::SFPENCC, {{"Imm2", 3}, {"Mod1", 10}});
}
constexpr std::string_view kEntryNote = "as the firmware enters a kernel: all lanes enabled";

/// "14: dst_reg[0] = x;", with the file in front of the number where it is not the kernel's own.
std::string source_of(const CompiledKernel& kernel, std::uint32_t line) {
  const std::string text = source_line(kernel.source, line);
  return text.empty() ? text : line_label(line) + ": " + text.substr(0, kSourceColumns);
}

/// Columns of a listing; a long instruction does not move those of the other lines.
constexpr std::size_t kIndexColumns = 5, kAssemblyColumns = 36, kTtiColumns = 44, kWordColumns = 10;

/// source_of() for one word after the other; empty where the line is that of the word before.
class SourceBeside {
 public:
  explicit SourceBeside(const CompiledKernel& kernel) : kernel_(kernel) {}

  std::string of(const ProgramWord& word) {
    std::string source = word.line == last_line_ ? "" : source_of(kernel_, word.line);
    last_line_ = word.line;
    return source;
  }

 private:
  const CompiledKernel& kernel_;
  std::uint32_t last_line_ = 0;
};

/// Two columns: what a word is, and a comment.
Table commented_table(std::size_t width) {
  return {.columns = {{.least = width, .most = width}, {.gap = " "}}};
}

/// Adds every word as `text(word)` with its source line as a comment.
template <class Text>
void add_words(Table& table, const CompiledKernel& kernel, std::string_view comment, Text text) {
  SourceBeside beside(kernel);
  for (const ProgramWord& each : kernel.compiled.program.words) {
    const std::string source = beside.of(each);
    table.rows.push_back(
        {text(each.word), source.empty() ? "" : fmt::format("{} {}", comment, source)});
  }
}

/// The word that the firmware has executed, then those of the kernel.
template <class Text>
std::string program_text(const CompiledKernel& kernel, std::size_t width, Text text) {
  Table table = commented_table(width);
  table.rows.push_back({text(entry_word(kernel.recording.arch)), fmt::format("; {}", kEntryNote)});
  add_words(table, kernel, ";", text);
  return table_text(table);
}

} // namespace

std::string kernel_listing(const CompiledKernel& kernel, std::size_t most_lines) {
  const Arch arch = kernel.recording.arch;
  const auto& words = kernel.compiled.program.words;
  // Behind the words come the counts, and before those what is left out.
  const std::size_t shown = words.size() < most_lines ? words.size() : most_lines - 2;
  Table table{.columns = {{.kind = ColumnKind::Number, .least = kIndexColumns},
                          {},
                          {.least = kAssemblyColumns, .most = kAssemblyColumns},
                          {}}};
  SourceBeside beside(kernel);
  for (const ProgramWord& each : std::span(words).first(shown)) {
    table.rows.push_back({std::to_string(table.rows.size()), fmt::format("{:08X}", each.word),
                          isa::disassemble(arch, each.word), beside.of(each)});
  }
  std::string all = table_text(table);
  if (shown < words.size())
    all += fmt::format("       ... {} more words; --listing shows all\n", words.size() - shown);
  return all + kernel_counts(kernel) + "\n";
}

std::string kernel_counts(const CompiledKernel& kernel) {
  return fmt::format("{}: {} words, {} instructions executed, {} of {} LRegs",
                     arch_params(kernel.recording.arch).names.id,
                     kernel.compiled.program.words.size(), kernel.compiled.executed,
                     kernel.compiled.lregs, arch_params(kernel.recording.arch).vector.lregs);
}

std::string kernel_assembly(const CompiledKernel& kernel) {
  return fmt::format("; {}\n{}", kernel_counts(kernel),
                     program_text(kernel, kAssemblyColumns, [&](std::uint32_t word) {
                       return isa::disassemble(kernel.recording.arch, word);
                     }));
}

std::string kernel_words(const CompiledKernel& kernel) {
  return program_text(kernel, kWordColumns,
                      [](std::uint32_t word) { return fmt::format("0x{:08X}", word); });
}

std::string kernel_tti(const CompiledKernel& kernel) {
  Table table = commented_table(kTtiColumns);
  add_words(table, kernel, "//",
            [&](std::uint32_t word) { return assembly::tti_call(kernel.recording.arch, word); });
  return table_text(table);
}

json kernel_json(const CompiledKernel& kernel) {
  json words = json::array();
  for (const ProgramWord& each : kernel.compiled.program.words) {
    json word = place_json(each.line);
    word["word"] = fmt::format("{:08X}", each.word);
    word["assembly"] = isa::disassemble(kernel.recording.arch, each.word);
    words.push_back(std::move(word));
  }
  return {{"arch", arch_params(kernel.recording.arch).names.id},
          {"sfpi", compiler::epoch_text(kernel.recording.epoch)},
          {"words", words},
          {"executed", kernel.compiled.executed},
          {"lregs", kernel.compiled.lregs}};
}

} // namespace lanewise::report
