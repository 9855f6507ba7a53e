// lanewise asm and lanewise dis: text to words and back.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "chip/isa/disassembler.h"
#include "chip/isa/encoding.h"
#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/output.h"
#include "cli/program.h"
#include "report/isa/json.h"
#include "report/table/table.h"
#include "source/assembly/assembly.h"
#include "source/assembly/syntax.h"

namespace lanewise::cli {

namespace {

struct AssemblyOptions {
  std::string input;
  std::string output;
  Arch arch = kDefaultArch;
  std::vector<std::string> words;
  std::string syntax;         ///< of what asm reads and dis writes
  std::string entry;          ///< function of the vendor's assembly; empty = all
  std::string form = "words"; ///< that asm writes
  bool json = false;
};

/// What words in hexadecimal do not say.
void warn_of_lost_parts(const assembly::GnuText& text) {
  if (!text.program.config.empty()) {
    tell("warning: words carry no .cfg settings; the program's {} are left out\n",
         text.program.config.size());
  }
  tell_doubts(text.doubts);
  tell_doubts(text.computed);
  if (text.riscv == 1) tell("a RISC-V instruction is left out\n");
  if (text.riscv > 1) tell("{} RISC-V instructions are left out\n", text.riscv);
}

/// A word as --to asks for it.
std::string line_in_form(const std::string& form, Arch arch, std::uint32_t word) {
  if (form == "gnu") return fmt::format("\t{}\n", assembly::gnu_line(arch, word));
  if (form == "tti") return fmt::format("{}\n", isa::disassemble(arch, word));
  return fmt::format("{:08x}\n", word);
}

ExitStatus write_json(const AssemblyOptions& options, const Program& program) {
  const std::string text = report::words_json(options.arch, program).dump(2) + "\n";
  const auto done = deliver(text, options.output);
  return done ? ExitStatus::Success : fail(done.error());
}

/// --entry. Error: BadInput where there is no such function, or no word at all.
Expected<void> choose_function(assembly::GnuText& text, const AssemblyOptions& options) {
  if (!options.entry.empty()) {
    auto chosen = assembly::named_function(std::move(text), options.entry);
    if (!chosen) return Unexpected(chosen.error());
    text = std::move(*chosen);
  }
  if (!text.program.words.empty()) return {};
  Unexpected fault =
      bad_input("there is no instruction in it", "check that this is the right file");
  fault.value().file = options.input;
  return fault;
}

ExitStatus assemble(const AssemblyOptions& options) {
  auto source = read_text(options.input);
  if (!source) return fail(source.error());
  const auto syntax = assembly::parse_syntax(options.syntax).value_or(assembly::Syntax::Auto);
  auto read = assembly::read_assembly(options.arch, *source, options.input, syntax);
  if (!read) return fail(read.error());
  if (auto chosen = choose_function(*read, options); !chosen) return fail(chosen.error());
  warn_of_lost_parts(*read);
  if (options.json) return write_json(options, read->program);
  std::string text;
  for (const ProgramWord& word : read->program.words) {
    text += line_in_form(options.form, options.arch, word.word);
  }
  if (const auto done = deliver(text, options.output); !done) return fail(done.error());
  return ExitStatus::Success;
}

/// Bits that no field of an instruction covers mean nothing, so that the word may be a mistake.
void warn_of_stray_bits(Arch arch, const Program& program) {
  constexpr std::size_t kMostShown = 10;
  std::size_t found = 0;
  for (const ProgramWord& each : program.words) {
    const isa::Decoded decoded = isa::decode(arch, each.word);
    if (decoded.stray_bits() == 0 || ++found > kMostShown) continue;
    tell("warning: {}:{}: {:08x}: {} has no field at bits {:08X}\n", program.name, each.line,
         each.word, decoded.row->mnemonic, decoded.stray_bits());
  }
  if (found > kMostShown) tell("warning: {} more words have such bits\n", found - kMostShown);
}

/// Where comments begin.
constexpr std::size_t kCommentColumn = 40;

ExitStatus write_vendors_form(const AssemblyOptions& options, const Program& program) {
  std::string text;
  for (const ProgramWord& word : program.words)
    text += line_in_form("gnu", options.arch, word.word);
  if (const auto done = deliver(text, options.output); !done) return fail(done.error());
  return ExitStatus::Success;
}

ExitStatus disassemble(const AssemblyOptions& options) {
  std::string source;
  std::string name = options.input;
  if (!options.words.empty()) {
    name = "command line";
    for (const std::string& word : options.words) source += word + "\n";
  } else if (options.input.empty()) {
    return fail(bad_input("there are no words to disassemble",
                          "give them, or --file FILE; 'lanewise dis --help' lists what there is")
                    .value());
  } else {
    auto read = read_text(options.input);
    if (!read) return fail(read.error());
    source = std::move(*read);
  }
  auto program = assembly::parse_hex_words(source, name);
  if (!program) return fail(program.error());
  warn_of_stray_bits(options.arch, *program);
  if (options.json) return write_json(options, *program);
  if (options.syntax == "gnu") return write_vendors_form(options, *program);
  report::Table table{.columns = {{.least = kCommentColumn, .most = kCommentColumn}, {.gap = ""}}};
  for (const ProgramWord& word : program->words) {
    const std::string comment = isa::modifier_comment(options.arch, word.word);
    table.rows.push_back(
        {isa::disassemble(options.arch, word.word), comment.empty() ? "" : "; " + comment});
  }
  if (const auto done = deliver(report::table_text(table), options.output); !done)
    return fail(done.error());
  return ExitStatus::Success;
}

} // namespace

void add_asm(CommandLine& line) {
  const Command command = line.add_command("asm", "Assemble a program into words in hexadecimal");
  auto options = std::make_shared<AssemblyOptions>();
  command.option("source", options->input, "Assembly file; - for standard input").required();
  options->syntax = "auto";
  add_syntax_option(command, options->syntax);
  command
      .option("--to", options->form,
              "What to write: words (default), tti (docs/assembly.md), or gnu (the vendor's form)")
      .one_of({"words", "tti", "gnu"});
  command
      .option("--entry", options->entry,
              "Function of the vendor's assembly whose words are wanted (default: all)")
      .value("NAME");
  command.option("-o,--out", options->output, "Write to a file instead of standard output")
      .value("FILE");
  command.flag("--json", options->json, "JSON: each word with its line, text and modes");
  add_every_arch_option(command, options->arch);
  command.action([options] { return assemble(*options); });
}

void add_dis(CommandLine& line) {
  const Command command = line.add_command("dis", "Disassemble words in hexadecimal");
  auto options = std::make_shared<AssemblyOptions>();
  const Option file =
      command
          .option("-f,--file", options->input, "File of words in hexadecimal; - for standard input")
          .value("FILE");
  const Option words = command.option("words", options->words, "Words, for instance 7d000010");
  words.excludes(file);
  options->syntax = "tti";
  command
      .option("--syntax", options->syntax,
              "tti (docs/assembly.md; default), or gnu: as the vendor's objdump prints them")
      .one_of({"tti", "gnu"});
  command.option("-o,--out", options->output, "Write to a file instead of standard output")
      .value("FILE");
  command.flag("--json", options->json, "JSON: each word with its line, text and modes");
  add_every_arch_option(command, options->arch);
  command.action([options] { return disassemble(*options); });
}

} // namespace lanewise::cli
