// Programs of a whole tile: which thread a line belongs to, and what the tile holds before the
// start; docs/tile.md describes the directives.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/in_quotes.h"
#include "source/assembly/assembler.h"
#include "source/assembly/assembly.h"

namespace lanewise::assembly {

namespace {

constexpr std::uint32_t kLastGpr = 63;
constexpr std::uint32_t kLastSemaphore = 7, kLargestSemaphoreValue = 15; // core.md 7

class TileAssembler : public Assembler {
 public:
  TileAssembler(Arch arch, std::string_view source, std::string_view name)
      : Assembler(arch, source) {
    program_.name = name;
    for (Program& each : program_.thread) each.name = name;
  }

  TileProgram assemble() {
    read();
    return std::move(program_);
  }

 protected:
  Program& program(const Token& at) override {
    if (!thread_) {
      fail(at, "no thread has been named for this line",
           "write .thread unpack, .thread math or .thread pack before it");
    }
    return program_.thread[*thread_];
  }

  void add_config(const Token& directive, ConfigSetting setting) override {
    check_before_words(directive);
    (thread_ ? program_.thread[*thread_].config : program_.config).push_back(std::move(setting));
  }

  void parse_tile_directive(const Token& directive) override {
    struct Directive {
      std::string_view name;
      void (TileAssembler::*parse)(const Token& directive);
    };
    static constexpr std::array<Directive, kTileDirectives.size()> kParsers{
        Directive{".cfg_word", &TileAssembler::parse_cfg_word},
        Directive{".gpr", &TileAssembler::parse_gpr},
        Directive{".in", &TileAssembler::parse_in},
        Directive{".out", &TileAssembler::parse_out},
        Directive{".semaphore", &TileAssembler::parse_semaphore},
        Directive{".thread", &TileAssembler::parse_thread}};
    (this->*std::ranges::find(kParsers, directive.text, &Directive::name)->parse)(directive);
  }

 private:
  /// All settings hold before anything runs.
  void check_before_words(const Token& directive) const {
    const bool has_words = thread_ && !program_.thread[*thread_].words.empty();
    if (!has_words && !in_repeat()) return;
    fail(directive, fmt::format("{} stands behind an instruction or in a .repeat", directive.text),
         "what the tile starts with is set before the first instruction of a thread: move it up");
  }

  void parse_thread(const Token&) {
    check_repeats_closed();
    if (stream().at_line_end())
      fail_unexpected(stream().token(), "a thread", std::string(kThreads));
    thread_ = thread_number(stream().token());
    stream().take();
  }

  static std::uint32_t thread_number(const Token& name) {
    for (std::uint32_t i = 0; i < kTileThreads; ++i) {
      if (name.text == kTileThreadNames[i] || name.text == fmt::format("{}", i)) return i;
    }
    fail(name, fmt::format("{} is not a thread", in_quotes(name.text)), std::string(kThreads));
  }

  void parse_cfg_word(const Token& directive) {
    check_before_words(directive);
    const std::uint32_t word = parse_number("a word of the shared configuration",
                                            arch_params(arch()).config.shared_words - 1);
    stream().accept(",");
    program_.config_words.push_back(
        {.word = word, .value = parse_u32("a configuration word"), .line = directive.line});
  }

  void parse_semaphore(const Token& directive) {
    check_before_words(directive);
    const std::uint32_t number = parse_number("a semaphore", kLastSemaphore);
    stream().accept(",");
    const std::uint32_t value = parse_number("a semaphore's value", kLargestSemaphoreValue);
    stream().accept(",");
    const std::uint32_t max = parse_number("a semaphore's maximum", kLargestSemaphoreValue);
    program_.semaphores.push_back(
        {.number = number, .value = value, .max = max, .line = directive.line});
  }

  void parse_gpr(const Token& directive) {
    check_before_words(directive);
    program(directive); // a scalar register is a thread's
    const std::uint32_t number = parse_number("a scalar register", kLastGpr);
    stream().accept(",");
    program_.gprs.push_back({.thread = *thread_,
                             .number = number,
                             .value = parse_u32("a register's value"),
                             .line = directive.line});
  }

  ImageSetting parse_image(const Token& directive, std::string_view usage) {
    const Token at = stream().token();
    std::string text(stream().take_line());
    if (text.empty()) fail_unexpected(at, "an image of L1", fmt::format("write {}", usage));
    return {.text = std::move(text), .line = directive.line, .column = at.column};
  }

  void parse_in(const Token& directive) {
    program_.inputs.push_back(parse_image(directive, ".in ADDRESS=INPUT:FORMAT"));
  }

  void parse_out(const Token& directive) {
    program_.outputs.push_back(parse_image(directive, ".out ADDRESS:SHAPE:FORMAT=FILE"));
  }

  static constexpr std::string_view kThreads = "write unpack, math or pack, or 0, 1 or 2";

  TileProgram program_;
  std::optional<std::uint32_t> thread_;
};

} // namespace

Expected<TileProgram> assemble_tile(Arch arch, std::string_view source, std::string_view name) {
  try {
    return TileAssembler(arch, source, name).assemble();
  } catch (SyntaxError& error) {
    error.fault.file = name;
    return Unexpected(std::move(error.fault));
  }
}

} // namespace lanewise::assembly
