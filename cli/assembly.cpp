// lanewise asm and lanewise dis: text to words and back.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "cli/output.h"
#include "isa/assembly/assembly.h"
#include "isa/encoding.h"
#include "report/table/table.h"

namespace lanewise::cli {

namespace {

struct AssemblyOptions {
  std::string input;
  std::string output;
  Arch arch = Arch::Blackhole;
  std::vector<std::string> words;
};

ExitStatus assemble(const AssemblyOptions& options) {
  auto source = read_text(options.input);
  if (!source) return fail(source.error());
  auto program = isa::assemble(options.arch, *source, options.input);
  if (!program) return fail(program.error());
  if (!program->config.empty()) {
    tell("warning: words carry no .cfg settings; the program's {} are left out\n",
         program->config.size());
  }
  std::string text;
  for (const ProgramWord& word : program->words) text += fmt::format("{:08x}\n", word.word);
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
  auto program = isa::parse_hex_words(source, name);
  if (!program) return fail(program.error());
  warn_of_stray_bits(options.arch, *program);
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
  command.option("-o,--out", options->output, "Write to a file instead of standard output");
  add_arch_option(command, options->arch);
  command.action([options] { return assemble(*options); });
}

void add_dis(CommandLine& line) {
  const Command command = line.add_command("dis", "Disassemble words in hexadecimal");
  auto options = std::make_shared<AssemblyOptions>();
  const Option file = command.option("-f,--file", options->input,
                                     "File of words in hexadecimal; - for standard input");
  const Option words = command.option("words", options->words, "Words, for instance 7d000010");
  words.excludes(file);
  command.option("-o,--out", options->output, "Write to a file instead of standard output");
  add_arch_option(command, options->arch);
  command.action([options] { return disassemble(*options); });
}

} // namespace lanewise::cli
