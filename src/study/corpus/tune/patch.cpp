#include "study/corpus/tune/patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/file.h"
#include "base/private_folder.h"
#include "base/source_line.h"
#include "run/execution/compiled_kernel.h"
#include "run/execution/tile_cost.h"
#include "study/corpus/llk/source.h"
#include "study/corpus/tune/header_interface.h"
#include "study/corpus/tune/header_text.h"

namespace lanewise::corpus {

namespace {

constexpr const char* kSwitch = "DISABLE_SFPLOADMACRO"; ///< of LLK: versions without macros

// ------------------------------------------------------------------ lines

std::string indented(const std::string& text, std::string_view indent) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    result += std::string(indent) + text.substr(begin, end - begin);
    begin = end;
  }
  return result;
}

/// Statements, ending in an end of line, where the conditions hold.
std::string branch(const CallConditions& when, std::string statements, bool uses_macros) {
  const auto in_block = [&](const std::string& head) {
    statements = head + "{\n" + indented(statements, "    ") + "}\n";
  };
  if (!when.running.empty()) in_block(fmt::format("if ({}) ", fmt::join(when.running, " && ")));
  if (!when.fixed.empty())
    in_block(fmt::format("if constexpr ({}) ", fmt::join(when.fixed, " && ")));
  if (when.running.empty() && when.fixed.empty()) in_block("");
  statements = indented(statements, "    ");
  if (!uses_macros) return statements;
  return fmt::format("#ifndef {}\n{}#endif\n", kSwitch, statements);
}

/// What the comment in front of a tuned program says of it.
struct PatchFigures {
  double before = 0, after = 0; ///< cycles of a tile
  std::string proved;           ///< "the same bits for all inputs of bf16"
};

std::string as_comments(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& each : sentences) text += "// " + each + "\n";
  return text;
}

std::vector<HeaderEdit> edits_of(const KernelInterface& interface, const tune::Tuned& tuned,
                                 bool init_in_call, const PatchFigures& figures) {
  const bool macros = tuned.macros != 0;
  const std::string init = tune::tti_init_lines(tuned, "");
  std::string tile = as_comments(
      {fmt::format("Tuned (lanewise tune): {:.0f} instead of {:.0f} cycles for a tile; {}.",
                   figures.after, figures.before, figures.proved)});
  if (init_in_call)
    tile += as_comments(
        {"What runs once stands in front of each call: there is no init function.",
         "Whose init part has set what this takes must be set up again behind a call."});
  tile += as_comments(tuned.contract.sentences);
  if (init_in_call) tile += init;
  tile += tune::tti_tile_lines(tuned, "") + "return;\n";
  std::vector<HeaderEdit> edits{
      {.function = interface.function, .lines = branch(interface.when, tile, macros)}};
  if (!init_in_call)
    edits.push_back(
        {.function = interface.init,
         .at_end = true,
         .lines = branch(interface.init_when,
                         as_comments({fmt::format("For the tuned program of {}: what runs once.",
                                                  interface.function)}) +
                             init,
                         macros)});
  return edits;
}

Expected<std::string> with_edits(std::string header, const std::vector<HeaderEdit>& edits) {
  for (const HeaderEdit& each : edits) {
    auto edited = with_edit(std::move(header), each);
    if (!edited) return edited;
    header = std::move(*edited);
  }
  return header;
}

// ------------------------------------------------------------------ one header

class HeaderPatcher {
 public:
  HeaderPatcher(const checkouts::Checkout& checkout, const CorpusTuning& tuning, std::string text)
      : checkout_(checkout), tuning_(tuning), shipped_(std::move(text)), header_(shipped_) {}

  PatchedKernel patch(const LlkCase& which) {
    kernel_ = {.kernel = which.kernel->name, .variant = variant_name(which)};
    which_ = which;
    if (auto done = try_patch(); !done) kernel_.why = first_error(done.error().message);
    return kernel_;
  }
  const std::string& header() const { return header_; }

 private:
  /// A kernel that is in the header by now.
  struct Taken {
    LlkCase which;
    std::string call, init;
    bool init_in_call;
    tune::Plain plain;
    tune::ProofOptions proof;
    double cycles;
  };

  sfpi::KernelSource source_of(formats::Format format) const {
    sfpi::KernelSource source = llk_source(*which_.kernel, format, false, which_.arch, checkout_);
    source.limits = tuning_.limits;
    return source;
  }

  Expected<tune::Plain> compile(const sfpi::KernelSource& source) const {
    auto compiled = execution::compile_kernel(which_.arch, source, tuning_.compiler);
    if (!compiled) return Unexpected(compiled.error());
    return tune::Plain{which_.arch, std::move(compiled->compiled.program), true};
  }

  /// The kernel with another text of its header, which others that include it find, too.
  Expected<tune::Plain> compile_from(const std::string& header, sfpi::KernelSource source) const {
    const PrivateFolder folder("patched");
    const std::filesystem::path file =
        folder.path() / std::filesystem::path(source.file).filename();
    const auto bytes = std::as_bytes(std::span(header));
    if (auto written = write_file_atomically(file, bytes); !written)
      return Unexpected(written.error());
    source.file = file.string();
    source.include_dirs.insert(source.include_dirs.begin(), folder.path().string());
    return compile(source);
  }

  Expected<void> try_patch() {
    if (which_.twin) return unpatched("it is the version without SFPLOADMACRO");
    const sfpi::KernelSource source = source_of(which_.format);
    for (const Taken& each : taken_)
      if (each.call == source.calls.front() && each.init == source.init)
        return unpatched(fmt::format("it is called as {} is", each.which.kernel->name));
    auto proof = proof_of_case(which_, tuning_.tune.proof);
    if (!proof) return Unexpected(proof.error());
    proof->threads = 1;
    if (tune::takes_long(*proof) && !tuning_.proves_all)
      return unpatched("not proved here: --prove all goes through so many inputs");
    const auto interface = interface_of(shipped_, source);
    if (!interface) return Unexpected(interface.error());
    auto plain = compile(source);
    if (!plain) return Unexpected(plain.error());
    auto cost = execution::tile_cost_of(plain->arch, plain->program, {.format = proof->format});
    if (!cost) return Unexpected(cost.error());
    kernel_.plain_cycles = cost->pass.cycles;
    return patch_with(*interface, source, std::move(*plain), *proof);
  }

  Expected<void> patch_with(const KernelInterface& interface, const sfpi::KernelSource& source,
                            tune::Plain plain, const tune::ProofOptions& proof) {
    // A call in the init function first; what runs once in each call where there is none.
    kernel_.init_in_call = interface.init.empty();
    for (const Taken& each : taken_) {
      const bool shares = !source.init.empty() && each.init == source.init;
      if (shares && !(each.init_in_call && kernel_.init_in_call))
        return unpatched(fmt::format("other configuration: {} is set up for {} already",
                                     interface.init, each.which.kernel->name));
    }
    auto tuned = tune_call(source, proof);
    if (!tuned) return Unexpected(tuned.error());
    if (auto stays = check_others(interface, plain, *tuned, proof); !stays) return stays;
    return take(interface, source, std::move(plain), proof, *tuned);
  }

  /// The fastest program of one call, which is a face for most kernels. Where what runs once is
  /// part of it, one with fewer macros may be faster.
  Expected<tune::Tuned> tune_call(sfpi::KernelSource source, const tune::ProofOptions& proof) {
    source.faces = sfpi::Faces::Whole;
    const auto call = compile(source);
    if (!call) return Unexpected(call.error());
    std::optional<tune::Tuned> best;
    const auto cost = [&](const tune::Tuned& tuned) {
      const auto once = std::ranges::count_if(tuned.words, [](const tune::TunedWord& each) {
        return each.part != tune::WordPart::Tile;
      });
      return tuned.predicted_cycles + (kernel_.init_in_call ? static_cast<std::uint64_t>(once) : 0);
    };
    for (const bool macros : {true, false}) {
      tune::TuneOptions options = tuning_.tune;
      options.proof = proof;
      options.macros = options.macros && macros;
      options.blocks = false; // their init part is the shipped one
      auto result = tune::tune(*call, options);
      if (!result) return Unexpected(result.error());
      if (result->tuned && (!best || cost(*result->tuned) < cost(*best)))
        best = std::move(*result->tuned);
      if (!kernel_.init_in_call) break;
    }
    if (!best) return unpatched("nothing faster found");
    return std::move(*best);
  }

  /// Whether the shipped text, which other calls take, still does its work behind the new init
  /// part.
  Expected<void> check_others(const KernelInterface& interface, const tune::Plain& plain,
                              const tune::Tuned& tuned, const tune::ProofOptions& proof) const {
    if (interface.when.fixed.empty() && interface.when.running.empty()) return {};
    tune::Plain behind = plain;
    auto& words = behind.program.words;
    const auto is_once = [](const ProgramWord& word) {
      return part_of_line(word.line) == ProgramPart::Init;
    };
    const auto tile = std::ranges::find_if_not(words, is_once);
    const Program once = tune::to_program(tuned, "once");
    const auto last = std::ranges::find_if_not(once.words, is_once);
    words.insert(tile, once.words.begin(), last);
    const auto difference = tune::find_difference(plain, behind, proof);
    if (!difference) return Unexpected(difference.error());
    if (difference->empty()) return {};
    return unpatched(fmt::format(
        "other configuration: the shipped text, which it takes, needs what the tuned program's "
        "init part overwrites (constants, macros, replay slots or ADDR_MODs): {}",
        *difference));
  }

  Expected<void> take(const KernelInterface& interface, const sfpi::KernelSource& source,
                      tune::Plain plain, const tune::ProofOptions& proof,
                      const tune::Tuned& tuned) {
    PatchFigures figures{.before = kernel_.plain_cycles, .proved = what_is_proved(proof)};
    // The cycles are known when it is compiled; comments change no word.
    std::string text;
    Expected<tune::Plain> patched;
    for (int round = 0; round < 2; ++round) {
      auto edited = with_edits(header_, edits_of(interface, tuned, kernel_.init_in_call, figures));
      if (!edited) return Unexpected(edited.error());
      text = std::move(*edited);
      if (round == 1) break;
      patched = compile_from(text, source);
      if (!patched) return Unexpected(patched.error());
      const auto cost =
          execution::tile_cost_of(patched->arch, patched->program, {.format = proof.format});
      if (!cost) return Unexpected(cost.error());
      figures.after = cost->pass.cycles;
    }
    if (figures.after >= figures.before)
      return unpatched(fmt::format(
          "{}: {:.0f} instead of {:.0f} cycles",
          kernel_.init_in_call
              ? "the header has no init function, and with what runs once in each call nothing is "
                "gained"
              : "call by call nothing is gained",
          figures.after, figures.before));
    Taken now{which_, source.calls.front(), source.init, kernel_.init_in_call, std::move(plain),
              proof,  figures.after};
    taken_.push_back(std::move(now));
    auto holds = prove_header(text);
    if (holds) holds = prove_wide(text);
    if (!holds) {
      taken_.pop_back();
      return holds;
    }
    header_ = std::move(text);
    kernel_.cycles = figures.after;
    return {};
  }

  /// All kernels that are in it by now, as the text has them.
  Expected<void> prove_header(const std::string& text) {
    const LlkCase now = which_;
    for (const Taken& each : taken_) {
      which_ = each.which;
      auto proved = prove_one(text, each);
      which_ = now;
      if (!proved) return proved;
    }
    return {};
  }

  Expected<void> prove_one(const std::string& text, const Taken& each) const {
    const auto patched = compile_from(text, source_of(which_.format));
    if (!patched) return Unexpected(patched.error());
    const auto proof = tune::with_known_findings(each.plain, each.proof);
    if (!proof) return Unexpected(proof.error());
    const auto proved = tune::prove_program(each.plain, *patched, *proof);
    if (!proved) return Unexpected(proved.error());
    if (!proved->holds) return unpatched("not proved in its header: " + proved->failure);
    return {};
  }

  /// Whether 32 bits in Dst are computed by the same call.
  bool is_wide_too() const {
    const bool says_width = which_.kernel->call.find(kWidthPlace) != std::string::npos;
    return !says_width && !formats::is_32bit(which_.format);
  }

  std::string what_is_proved(const tune::ProofOptions& proof) const {
    std::string text =
        fmt::format("the same bits for all inputs of {}", formats::format_name(proof.format));
    if (is_wide_too())
      text += tuning_.proves_all ? " and of fp32" : ", with 32 bits in Dst for a sample of inputs";
    return text;
  }

  /// The same with 32 bits in Dst, where the call does not say how wide it is.
  Expected<void> prove_wide(const std::string& text) {
    const LlkKernel& kernel = *which_.kernel;
    if (!is_wide_too()) return {};
    kernel_.wide = WideProof::None;
    const sfpi::KernelSource source = source_of(formats::Format::FP32);
    const auto plain = compile(source);
    if (!plain) return {};
    const auto patched = compile_from(text, source);
    if (!patched) return Unexpected(patched.error());
    tune::ProofOptions proof = taken_.back().proof;
    proof.format = formats::Format::FP32;
    if (!kernel.outputs.front().format) proof.output_format.reset();
    kernel_.wide = tuning_.proves_all ? WideProof::Proved : WideProof::Sampled;
    if (tuning_.proves_all) {
      const auto known = tune::with_known_findings(*plain, proof);
      if (!known) return Unexpected(known.error());
      const auto proved = tune::prove_program(*plain, *patched, *known);
      if (!proved) return Unexpected(proved.error());
      return proved->holds ? Expected<void>{} : differs_when_wide(proved->failure);
    }
    const auto difference = tune::find_difference(*plain, *patched, proof);
    if (!difference) return Unexpected(difference.error());
    return difference->empty() ? Expected<void>{} : differs_when_wide(*difference);
  }

  static Unexpected differs_when_wide(const std::string& why) {
    return unpatched("other configuration: with 32 bits in Dst, which the call does not tell: " +
                     why);
  }

  const checkouts::Checkout& checkout_;
  const CorpusTuning& tuning_;
  std::string shipped_, header_;
  std::vector<Taken> taken_;
  LlkCase which_ = {};
  PatchedKernel kernel_;
};

} // namespace

Expected<std::string> with_edit(std::string header, const HeaderEdit& edit) {
  const auto function = find_function(header, edit.function);
  if (!function) return Unexpected(function.error());
  const auto starts_line = [&](std::size_t at) {
    while (at > 0 && (header[at - 1] == ' ' || header[at - 1] == '\t')) --at;
    return at > 0 && header[at - 1] == '\n' ? std::optional(at) : std::nullopt;
  };
  if (!edit.at_end) {
    const std::size_t behind = function->open + 1;
    const bool ends_line = behind < header.size() && header[behind] == '\n';
    header.insert(ends_line ? behind + 1 : behind, ends_line ? edit.lines : "\n" + edit.lines);
    return header;
  }
  const auto line = starts_line(function->close);
  header.insert(line.value_or(function->close), line ? edit.lines : "\n" + edit.lines);
  return header;
}

Expected<PatchedHeader> patch_header(const std::vector<LlkCase>& cases,
                                     const checkouts::Checkout& checkout,
                                     const CorpusTuning& tuning) {
  const LlkCase& first = cases.front();
  const std::filesystem::path file = checkout.header(first.arch, first.kernel->header);
  const auto bytes = read_file(file);
  if (!bytes) return Unexpected(bytes.error());
  PatchedHeader result{.path = file.lexically_relative(checkout.folder()).generic_string(),
                       .arch = first.arch,
                       .before = {reinterpret_cast<const char*>(bytes->data()), bytes->size()}};
  HeaderPatcher patcher(checkout, tuning, result.before);
  for (const LlkCase& each : cases) result.kernels.push_back(patcher.patch(each));
  result.after = patcher.header();
  return result;
}

} // namespace lanewise::corpus
