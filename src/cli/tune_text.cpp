#include "cli/tune_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "chip/isa/disassembler.h"
#include "cli/output.h"
#include "study/tune/words.h"

namespace lanewise::cli {

namespace {

std::string plain_word(const LoadedProgram& loaded, std::uint32_t word, const std::string& emit) {
  if (emit == "words") return fmt::format("0x{:08x}\n", word);
  if (emit == "asm") return isa::disassemble(loaded.arch, word) + "\n";
  return fmt::format("  {};\n", tune::tti_text(loaded.arch, word));
}

/// What the plain program expects when it starts, where its form does not bring it.
std::string plain_start(const LoadedProgram& loaded, const std::string& emit) {
  std::string text;
  for (const ConfigSetting& each : loaded.program.config)
    text +=
        fmt::format("{}.cfg {} {}\n", emit == "asm" ? "" : "// It needs ", each.name, each.value);
  for (const MopSetting& each : loaded.program.mop)
    text += fmt::format("// It needs .mop {} 0x{:x} in front of word {}\n", each.index, each.value,
                        each.before);
  if (emit.empty() || emit == "tti" || !loaded.as_kernel()) return text;
  for (const tune::TunedWord& each : tune::entry_words(loaded.arch, true, true))
    text += plain_word(loaded, each.word, emit);
  return text;
}

} // namespace

std::string as_comment(const std::string& text) {
  std::string result;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    result += line.empty() ? "//\n" : "// " + line + "\n";
    begin = end + 1;
  }
  return result;
}

Expected<sweep::UlpStatistics> errors_against(const references::Reference& reference,
                                              const tune::Plain& plain,
                                              const tune::ProofOptions& options) {
  const sweep::SweepProgram program{plain.arch, plain.program, plain.as_kernel};
  const auto swept = sweep::sweep(std::span(&program, 1), reference,
                                  {.format = options.format,
                                   .output_format = options.output_format,
                                   .threads = options.threads});
  if (!swept) return Unexpected(swept.error());
  return swept->chips.front().error;
}

Expected<std::optional<sweep::UlpStatistics>> asked_errors(const TuneCommand& command,
                                                           const tune::Plain& plain,
                                                           const tune::TuneOptions& options) {
  if (command.reference.empty()) return std::nullopt;
  const auto reference = references::parse_reference(command.reference);
  if (!reference) return Unexpected(reference.error());
  const auto errors = errors_against(**reference, plain, options.proof);
  if (!errors) return Unexpected(errors.error());
  return std::optional(*errors);
}

Expected<std::string> accuracy_text(const TuneCommand& command, const tune::Plain& plain,
                                    const tune::TuneOptions& options) {
  const auto error = asked_errors(command, plain, options);
  if (!error) return Unexpected(error.error());
  if (!*error) return std::string();
  return fmt::format("Against {}: largest error {:.0f} ULP at x = 0x{:x}, mean {:.3f}.\n",
                     command.reference, (*error)->largest, (*error)->worst.x, (*error)->mean());
}

std::string plain_code(const LoadedProgram& loaded, const TuneCommand& command) {
  std::string text = "// Not tuned; this is the plain program.\n";
  const bool is_function = is_tti(command);
  if (is_function) text += fmt::format("inline void {}_tile() {{\n", command.name);
  text += plain_start(loaded, command.emit);
  for (const ProgramWord& each : loaded.program.words)
    text += plain_word(loaded, each.word, command.emit);
  return is_function ? text + "}\n" : text;
}

std::function<bool(const tune::TuneProgress&)> watched(ProgressLine& line) {
  bool ended = false; // by Ctrl-C during the search: then the proof goes on until the next one
  bool told = false;
  return [&line, ended, told](const tune::TuneProgress& progress) mutable {
    if (progress.is_proof && !told) {
      told = true;
      tell(
          "a program of {} cycles for a tile was found; now it is proved, which may take "
          "minutes (Ctrl-C: the plain program)\n",
          progress.best_cycles.value_or(0));
    }
    line.show(progress.best_cycles
                  ? fmt::format("{}; best: {} cycles", progress.text, *progress.best_cycles)
                  : progress.text);
    if (progress.is_proof) return ended || !interrupted();
    ended = interrupted();
    return !ended;
  };
}

} // namespace lanewise::cli
