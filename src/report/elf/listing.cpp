#include "report/elf/listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source_line.h"
#include "chip/isa/disassembler.h"
#include "chip/riscv/disassembly.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

constexpr std::size_t kMnemonicWidth = 7;
constexpr std::size_t kCodeWidth = 34, kTensixWidth = 28;

/// "1a4 <f+0x10>".
std::string target_text(const elf::Image& image, std::uint32_t target) {
  const elf::Symbol* const function = elf::function_at(image, target);
  if (function == nullptr) return fmt::format("{:x}", target);
  return fmt::format("{:x} <{}>", target, elf::place_text(image, target));
}

std::string without_path(const std::string& file) {
  return file.substr(file.find_last_of('/') + 1);
}

/// "push, inlined at kernel.c:25".
std::string inlined_text(const elf::Image& image, const elf::InlinedCall& call) {
  return fmt::format("{}, inlined at {}:{}",
                     call.function.empty() ? "a function" : call.function.c_str(),
                     without_path(image.files[call.file]), call.line);
}

/// The Tensix instruction of a word, as a push where it is a store's.
std::string tensix_text(const elf::CodeWord& word, Arch arch) {
  if (!word.tensix) return word.stores_to_fifo ? "pushes a computed word" : "";
  return isa::disassemble(arch, *word.tensix);
}

std::string comment_of(const elf::CodeWord& word, Arch arch) {
  const std::string modifiers = word.tensix ? isa::modifier_comment(arch, *word.tensix) : "";
  return modifiers.empty() ? "" : "; " + modifiers;
}

TableRow listed(const elf::Image& image, const elf::CodeWord& word, Arch arch) {
  const bool is_tensix = word.kind == elf::WordKind::Tensix;
  return {fmt::format("{:x}", word.address), fmt::format("{:08x}", word.word),
          is_tensix ? "" : code_text(image, word), tensix_text(word, arch), comment_of(word, arch)};
}

Table listing_table() {
  return {.columns = {{.kind = ColumnKind::Number, .least = 8},
                      {},
                      {.least = kCodeWidth, .most = kCodeWidth},
                      {.least = kTensixWidth, .most = kTensixWidth},
                      {}}};
}

std::string call_heading(const elf::CallResult& result) {
  return fmt::format("{} pushed by {} instructions; a0 = 0x{:x} at the end\n",
                     result.program.words.size() == 1
                         ? "1 word"
                         : fmt::format("{} words", result.program.words.size()),
                     result.instructions, result.returned);
}

std::string settings_text(const Program& program) {
  std::string text;
  for (const ConfigSetting& each : program.config)
    text += fmt::format(".cfg {} {}\n", each.name, each.value);
  for (const MopSetting& each : program.mop)
    text +=
        fmt::format("MopCfg[{}] = 0x{:08x} before word {}\n", each.index, each.value, each.before);
  return text;
}

} // namespace

std::string code_text(const elf::Image& image, const elf::CodeWord& word) {
  if (word.kind == elf::WordKind::Unknown) return fmt::format(".word   0x{:08x}", word.word);
  const riscv::InstructionText text = riscv::text_of(
      word.instruction, word.address,
      {.target = [&image](std::uint32_t target) { return target_text(image, target); }});
  if (text.operands.empty()) return text.mnemonic;
  return fmt::format("{:<{}} {}", text.mnemonic, kMnemonicWidth, text.operands);
}

std::string source_text(const elf::Image& image, std::uint32_t address, FileNames names) {
  const elf::LineRange* const range = elf::line_at(image, address);
  if (range == nullptr) return "";
  const std::string& file = image.files[range->file];
  std::string text =
      fmt::format("{}:{}", names == FileNames::Short ? without_path(file) : file, range->line);
  for (const elf::InlinedCall* call : elf::inlined_calls_at(image, address))
    text += " in " + inlined_text(image, *call);
  return text;
}

std::string elf_listing(const elf::Image& image, const elf::Function& function, Arch arch) {
  std::string text = fmt::format("{}: {} words from 0x{:x}\n", function.symbol.readable,
                                 function.words.size(), function.symbol.address);
  Table table = listing_table();
  std::vector<std::pair<std::size_t, std::string>> headings; // before which row
  std::string last;
  for (const elf::CodeWord& word : function.words) {
    const std::string heading = source_text(image, word.address, FileNames::WithPath);
    if (heading != last && !heading.empty()) headings.emplace_back(table.rows.size(), heading);
    last = heading;
    table.rows.push_back(listed(image, word, arch));
  }
  const std::vector<std::string> lines = table_lines(table);
  auto heading = headings.begin();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (heading != headings.end() && heading->first == i) text += "  " + (heading++)->second + "\n";
    text += lines[i] + "\n";
  }
  return text;
}

std::string elf_call_text(const elf::Image& image, const elf::CallResult& result, Arch arch) {
  Table table{.columns = {{}, {.least = kTensixWidth}, {}, {}}};
  for (std::size_t i = 0; i < result.program.words.size(); ++i) {
    const ProgramWord& word = result.program.words[i];
    table.rows.push_back({fmt::format("{:08x}", word.word), isa::disassemble(arch, word.word),
                          elf::place_text(image, result.pushed_at[i]), line_label(word.line)});
  }
  return call_heading(result) + settings_text(result.program) + table_text(table);
}

} // namespace lanewise::report
