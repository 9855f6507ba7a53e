#include "study/corpus/tune/tune_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/cache.h"
#include "base/process_pool.h"
#include "base/source_line.h"
#include "base/workers.h"
#include "run/execution/compiled_kernel.h"
#include "source/checkouts/checkout.h"
#include "study/corpus/llk/choose.h"
#include "study/corpus/llk/source.h"
#include "study/corpus/tune/journal.h"
#include "study/parts/source_digest.h"
#include "study/sweep/resume.h"

namespace lanewise::corpus {

namespace {

using Progress = std::function<bool(const std::string&)>;

bool is_wide(const LlkCase& which) {
  return formats::is_32bit(which.format);
}

/// Those that can be proved soon, if there are any; else all.
std::vector<LlkCase> tuned_cases(const LlkKernel& kernel, const CorpusTuning& tuning) {
  std::vector<LlkCase> cases = llk_cases(kernel, tuning.chips);
  if (!tuning.proves_all && !std::ranges::all_of(cases, is_wide)) std::erase_if(cases, is_wide);
  return cases;
}

/// A case on its way: compiled, then tuned.
struct Work {
  LlkCase which;
  std::optional<tune::Plain> plain = std::nullopt;
  tune::ProofOptions proof = {};
  std::string program = {};                          ///< what equal programs have in common
  std::optional<TuneOutcome> outcome = std::nullopt; ///< without the tuner: why there is no program
};

/// Of a case whose tiles a proof over inputs does not know.
tune::ProofOptions proof_of_block(const LlkCase& which, tune::ProofOptions options) {
  options.format = which.format;
  options.only_as_block = true;
  return options;
}

void compile_case(Work& work, const checkouts::Checkout& checkout, const CorpusTuning& tuning) {
  const LlkCase& which = work.which;
  sfpi::KernelSource source =
      llk_source(*which.kernel, which.format, which.twin, which.arch, checkout);
  source.limits = tuning.limits;
  auto compiled = execution::compile_kernel(which.arch, source, tuning.compiler);
  if (!compiled) {
    work.outcome = TuneOutcome{.verdict = TuneVerdict::NotCompiled,
                               .why = first_error(compiled.error().message)};
    return;
  }
  work.plain = {which.arch, std::move(compiled->compiled.program), true};
  const auto proof = proof_of_case(which, tuning.tune.proof);
  work.proof = proof ? *proof : proof_of_block(which, tuning.tune.proof);
  work.program = tuned_program(*work.plain, work.proof);
}

/// In threads. False if it was stopped.
bool compile_all(std::vector<Work>& all, const checkouts::Checkout& checkout,
                 const CorpusTuning& tuning, const Progress& progress) {
  std::mutex showing;
  std::size_t done = 0;
  bool goes_on = true;
  Workers(tuning.jobs).run(all.size(), [&](std::size_t i) {
    const auto may_go_on = [&] {
      const std::lock_guard lock(showing);
      goes_on = goes_on && progress(fmt::format("{} of {} kernels are compiled: {}", done,
                                                all.size(), all[i].which.kernel->name));
      return goes_on;
    };
    if (all[i].outcome || !may_go_on()) return;
    compile_case(all[i], checkout, tuning);
    // Ctrl-C ends the host's compiler as well: that says nothing about the kernel.
    if (!may_go_on()) all[i].outcome.reset();
    const std::lock_guard lock(showing);
    ++done;
  });
  return goes_on;
}

/// One of each kind of equal programs, in their order, without those that are settled.
std::vector<const Work*> different_programs(const std::vector<Work>& all,
                                            const std::map<std::string, TuneOutcome>& settled) {
  std::map<std::string, const Work*> first;
  std::vector<const Work*> open;
  for (const Work& work : all) {
    if (work.outcome || !work.plain || settled.contains(work.program)) continue;
    if (first.emplace(work.program, &work).second) open.push_back(&work);
  }
  return open;
}

/// What is done with a program that is tuned, at once.
using Keep = std::function<void(const std::string& program, const TuneOutcome& outcome)>;

/// In processes, since the limit of time is one of a process. Adds to `settled`.
Expected<void> tune_all(const std::vector<const Work*>& programs, const CorpusTuning& tuning,
                        const TuneJournal* journal, const Progress& progress,
                        std::map<std::string, TuneOutcome>& settled, const Keep& keep,
                        bool& is_kept) {
  constexpr const char* kNotKept = "not kept";
  bool goes_on = true;
  const auto tune_one = [&](std::size_t i) {
    tune::TuneOptions options = tuning.tune;
    options.proof = programs[i]->proof;
    options.proof.threads = 1;
    const TuneOutcome outcome = tune_outcome(*programs[i]->plain, options, tuning.proves_all);
    nlohmann::ordered_json json = outcome_json(outcome);
    if (journal != nullptr && !journal->add(programs[i]->program, outcome)) json[kNotKept] = true;
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  };
  const auto texts = run_in_processes(
      programs.size(), tuning.jobs, tune_one,
      [&](std::size_t done) {
        goes_on = goes_on && progress(fmt::format("{} of {} different programs are tuned", done,
                                                  programs.size()));
        return goes_on;
      },
      [&](std::size_t i, const std::string& text) {
        const auto outcome = parse_outcome(nlohmann::ordered_json::parse(text, nullptr, false));
        if (outcome) keep(programs[i]->program, *outcome);
      });
  if (!texts) return Unexpected(texts.error());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    std::optional<TuneOutcome> outcome;
    if ((*texts)[i]) {
      const auto json = nlohmann::ordered_json::parse(*(*texts)[i], nullptr, false);
      outcome = parse_outcome(json);
      is_kept = is_kept && !json.contains(kNotKept);
    }
    if (!outcome && goes_on)
      outcome =
          TuneOutcome{.verdict = TuneVerdict::Failed, .why = "the process that tuned it was ended"};
    if (outcome) settled.emplace(programs[i]->program, std::move(*outcome));
  }
  return {};
}

TunedCase tuned_case(const Work& work, TuneOutcome outcome) {
  return {.kernel = work.which.kernel->name,
          .header = work.which.kernel->header,
          .variant = variant_name(work.which),
          .arch = work.which.arch,
          .outcome = std::move(outcome)};
}

std::vector<TunedCase> finished_cases(const std::vector<Work>& all,
                                      const std::map<std::string, TuneOutcome>& settled) {
  std::vector<TunedCase> cases;
  for (const Work& work : all) {
    if (work.outcome) {
      cases.push_back(tuned_case(work, *work.outcome));
    } else if (const auto found = settled.find(work.program); found != settled.end()) {
      cases.push_back(tuned_case(work, found->second));
    }
  }
  return cases;
}

/// What the outcomes of a table depend on: an item is a case.
nlohmann::ordered_json table_key(const std::vector<Work>& all, const checkouts::Checkout& checkout,
                                 const CorpusTuning& tuning) {
  nlohmann::ordered_json key = tuning_key(tuning.tune, tuning.proves_all);
  Digest cases;
  for (const Work& work : all)
    cases.add(work.which.kernel->name)
        .add(variant_name(work.which))
        .add(arch_params(work.which.arch).names.id);
  key["cases"] = cases.text();
  key["sources"] = parts::source_digest(checkout.source_folders());
  return key;
}

/// Leaves those of this run, with what is there of them already.
Expected<void> choose_items(std::vector<Work>& all, parts::SharedWork& work,
                            nlohmann::ordered_json key) {
  if (auto begun =
          work.begin("tuning", std::move(key), all.size(), parts::SharedWork::Keeping::Lines);
      !begun)
    return begun;
  const parts::ItemRange range = work.range();
  std::vector<Work> chosen;
  for (std::uint64_t item = range.begin; item < range.end; ++item) {
    chosen.push_back(std::move(all[item]));
    const parts::Json* there = work.find(item);
    if (there != nullptr) chosen.back().outcome = parse_outcome(*there);
    if (there != nullptr && !chosen.back().outcome)
      return bad_input(fmt::format("{}: the record of a kernel makes no sense", work.name_of(item)),
                       "do this part anew");
  }
  all = std::move(chosen);
  return {};
}

/// Whether a proof over all numbers of one format goes through all of the other, too: it is all
/// patterns of a cell. -0 is no number of a signed integer.
bool has_same_patterns(formats::Format one, formats::Format other) {
  const auto is_signed = [](formats::Format format) {
    return formats::is_integer(format) && formats::value_range(format).lowest < 0;
  };
  return one == other || (formats::is_32bit(one) == formats::is_32bit(other) && !is_signed(one) &&
                          !is_signed(other));
}

Unexpected unknown_tiles(std::string why) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported, .message = std::move(why)});
}

} // namespace

bool is_there(const LlkCase& which, const checkouts::Checkout& checkout) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(checkout.header(which.arch, which.kernel->header),
                                          ignored);
}

std::string first_error(const std::string& message) {
  constexpr std::string_view kError = "error: ";
  const std::size_t found = message.find(kError);
  const std::size_t begin = found == std::string::npos ? 0 : found + kError.size();
  return message.substr(begin, message.find('\n', begin) - begin);
}

std::string tuned_program(const tune::Plain& plain, const tune::ProofOptions& proof) {
  Digest parts;
  for (const ProgramWord& word : plain.program.words)
    parts.add(std::to_string(static_cast<unsigned>(part_of_line(word.line))));
  const formats::Format output = proof.output_format.value_or(proof.format);
  return fmt::format("{} {} {} {} {} {}{}",
                     sweep::describe_program({plain.arch, plain.program, plain.as_kernel}),
                     parts.text(), formats::format_name(proof.format), formats::format_name(output),
                     proof.operands, proof.output_tile, proof.only_as_block ? " block" : "");
}

Expected<TuneCases> tune_cases(const checkouts::Checkout& checkout, const CorpusTuning& tuning) {
  TuneCases all{.kernels = known_kernels(checkout, tuning.chips), .cases = {}};
  const auto kernels = chosen_llk_kernels(all.kernels, tuning.kernels,
                                          llk_headers(checkout, tuning.chips, all.kernels));
  if (!kernels) return Unexpected(kernels.error());
  for (const LlkKernel* kernel : *kernels) {
    for (const LlkCase& each : tuned_cases(*kernel, tuning)) {
      if (!tuning.kernels.empty() || is_there(each, checkout)) {
        all.cases.push_back(each);
      } else {
        ++all.absent;
      }
    }
  }
  return all;
}

Expected<tune::ProofOptions> proof_of_case(const LlkCase& which, tune::ProofOptions options) {
  const LlkKernel& kernel = *which.kernel;
  if (kernel.outputs.size() != 1)
    return unknown_tiles(
        fmt::format("it has {} tiles of results: proofs compare one", kernel.outputs.size()));
  const bool has_own_format = std::ranges::any_of(kernel.inputs, [&](const LlkInput& input) {
    return !has_same_patterns(input.format.value_or(which.format), which.format);
  });
  if (has_own_format)
    return unknown_tiles("it reads tiles of another format than that of the Vector Unit");
  options.format = which.format;
  options.output_format = kernel.outputs.front().format;
  options.output_tile = kernel.outputs.front().tile;
  options.operands = static_cast<unsigned>(std::max<std::size_t>(1, kernel.inputs.size()));
  return options;
}

Expected<TunedCorpus> tune_corpus(const CorpusTuning& tuning, const Progress& progress) {
  const auto checkout = checkouts::Checkout::open(tuning.folder, tuning.chips);
  if (!checkout) return Unexpected(checkout.error());
  const auto chosen_cases = tune_cases(*checkout, tuning);
  if (!chosen_cases) return Unexpected(chosen_cases.error());
  std::optional<TuneJournal> journal;
  if (!tuning.resume_file.empty()) {
    auto opened = TuneJournal::open(tuning.resume_file, tuning_key(tuning.tune, tuning.proves_all));
    if (!opened) return Unexpected(opened.error());
    journal = std::move(*opened);
  }
  TunedCorpus corpus;
  corpus.absent = chosen_cases->absent;
  std::vector<Work> all;
  for (const LlkCase& each : chosen_cases->cases) all.push_back({.which = each});
  parts::SharedWork everything;
  parts::SharedWork& items = tuning.work != nullptr ? *tuning.work : everything;
  auto key =
      items.needs_key() ? table_key(all, *checkout, tuning) : nlohmann::ordered_json::object();
  if (auto chosen = choose_items(all, items, std::move(key)); !chosen)
    return Unexpected(chosen.error());
  const auto keep = [&](std::size_t i, const TuneOutcome& outcome) {
    const std::uint64_t item = items.range().begin + i;
    if (items.find(item) == nullptr) items.keep(item, outcome_json(outcome));
  };
  const auto keep_program = [&](const std::string& program, const TuneOutcome& outcome) {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!all[i].outcome && all[i].program == program) keep(i, outcome);
  };
  corpus.all = all.size();
  std::map<std::string, TuneOutcome> settled;
  if (journal) settled = journal->settled();
  if (compile_all(all, *checkout, tuning, progress)) {
    const std::vector<const Work*> programs = different_programs(all, settled);
    corpus.programs = different_programs(all, {}).size();
    corpus.resumed = corpus.programs - programs.size();
    if (auto done = tune_all(programs, tuning, journal ? &*journal : nullptr, progress, settled,
                             keep_program, corpus.is_kept);
        !done)
      return Unexpected(done.error());
  }
  if (journal) corpus.damaged = journal->damaged();
  corpus.cases = finished_cases(all, settled);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].outcome) keep(i, *all[i].outcome);
    if (const auto found = settled.find(all[i].program); !all[i].outcome && found != settled.end())
      keep(i, found->second);
  }
  const bool is_done = corpus.cases.size() == all.size();
  if (auto ended = is_done ? items.end() : items.stop(); !ended) return Unexpected(ended.error());
  return corpus;
}

} // namespace lanewise::corpus
