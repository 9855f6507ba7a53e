#include "report/run/kernel_listing.h"

#include <fmt/format.h>

#include <span>

#include "isa/assembly/assembly.h"
#include "isa/assembly/tti.h"
#include "isa/encoding.h"
#include "isa/source_line.h"
#include "report/source_text.h"

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
std::string source_of(const Kernel& kernel, std::uint32_t line) {
  const std::string text = source_line(kernel.source, line);
  return text.empty() ? text : line_label(line) + ": " + text.substr(0, kSourceColumns);
}

/// Every word as `text(word)` with its source line as a comment, which is not repeated.
template <class Text>
std::string with_source(const Kernel& kernel, std::size_t width, std::string_view comment,
                        Text text) {
  std::string all;
  std::uint32_t last_line = 0;
  for (const ProgramWord& each : kernel.compiled.program.words) {
    const std::string source = each.line == last_line ? "" : source_of(kernel, each.line);
    last_line = each.line;
    const std::string line = text(each.word);
    all +=
        source.empty() ? line + "\n" : fmt::format("{:<{}} {} {}\n", line, width, comment, source);
  }
  return all;
}

constexpr std::size_t kAssemblyColumns = 36, kTtiColumns = 44, kWordColumns = 10;

} // namespace

std::string kernel_listing(const Kernel& kernel, std::size_t most_lines) {
  const Arch arch = kernel.recording.arch;
  const auto& words = kernel.compiled.program.words;
  // Behind the words come the counts, and before those what is left out.
  const std::size_t shown = words.size() < most_lines ? words.size() : most_lines - 2;
  std::string all;
  std::uint32_t last_line = 0;
  std::size_t index = 0;
  for (const ProgramWord& each : std::span(words).first(shown)) {
    const std::string source = each.line == last_line ? "" : source_of(kernel, each.line);
    last_line = each.line;
    std::string line = fmt::format("{:>5}  {:08X}  {:<{}}  {}", index++, each.word,
                                   isa::disassemble(arch, each.word), kAssemblyColumns, source);
    line.resize(line.find_last_not_of(' ') + 1);
    all += line + "\n";
  }
  if (shown < words.size())
    all += fmt::format("       ... {} more words; --listing shows all\n", words.size() - shown);
  return all + kernel_counts(kernel) + "\n";
}

std::string kernel_counts(const Kernel& kernel) {
  return fmt::format("{}: {} words, {} instructions executed, {} of 8 LRegs",
                     arch_params(kernel.recording.arch).name, kernel.compiled.program.words.size(),
                     kernel.compiled.executed, kernel.compiled.lregs);
}

std::string kernel_assembly(const Kernel& kernel) {
  const Arch arch = kernel.recording.arch;
  const auto text = [&](std::uint32_t word) { return isa::disassemble(arch, word); };
  return fmt::format("; {}\n{:<{}} ; {}\n", kernel_counts(kernel), text(entry_word(arch)),
                     kAssemblyColumns, kEntryNote) +
         with_source(kernel, kAssemblyColumns, ";", text);
}

std::string kernel_words(const Kernel& kernel) {
  const auto text = [](std::uint32_t word) { return fmt::format("0x{:08X}", word); };
  return fmt::format("{:<{}} ; {}\n", text(entry_word(kernel.recording.arch)), kWordColumns,
                     kEntryNote) +
         with_source(kernel, kWordColumns, ";", text);
}

std::string kernel_tti(const Kernel& kernel) {
  return with_source(kernel, kTtiColumns, "//", [&](std::uint32_t word) {
    return isa::tti_call(kernel.recording.arch, word);
  });
}

json kernel_json(const Kernel& kernel) {
  json words = json::array();
  for (const ProgramWord& each : kernel.compiled.program.words) {
    json word = place_json(each.line);
    word["word"] = fmt::format("{:08X}", each.word);
    word["assembly"] = isa::disassemble(kernel.recording.arch, each.word);
    words.push_back(std::move(word));
  }
  return {{"arch", arch_params(kernel.recording.arch).name},
          {"words", words},
          {"executed", kernel.compiled.executed},
          {"lregs", kernel.compiled.lregs}};
}

} // namespace lanewise::report
