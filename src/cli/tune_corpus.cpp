#include "cli/tune_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <thread>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "report/tune/corpus_page.h"
#include "report/tune/corpus_table.h"
#include "report/tune/patch_table.h"
#include "study/corpus/tune/patch_corpus.h"

namespace lanewise::cli {

namespace {

/// The page if there is one, then the text.
Expected<void> write_tuned(const TuneCorpusOptions& options, const corpus::TunedCorpus& tuned,
                           const std::string& out) {
  if (!options.page.empty()) {
    const std::string page = report::tuned_corpus_page(tuned.cases, typed_command());
    if (auto written = write_text_file(options.page, page); !written) return written;
  }
  return deliver(options.json ? report::tuned_corpus_json(tuned.cases).dump(2) + "\n"
                              : report::tuned_corpus_markdown(tuned.cases),
                 out);
}

void tell_of_run(const TuneCorpusOptions& options, const corpus::TunedCorpus& tuned) {
  if (tuned.damaged != 0)
    tell("warning: {}: {} lines are not as they were written; their kernels were tuned anew\n",
         options.part.resume, tuned.damaged);
  if (tuned.absent != 0) tell("{} kernels that are known are not in this checkout\n", tuned.absent);
  if (!tuned.is_kept)
    tell("warning: {}: not every result could be written there\n", options.part.resume);
  if (interrupted())
    tell("stopped before the end: {} of {} kernels are in the table{}\n", tuned.cases.size(),
         tuned.all,
         options.part.resume.empty() ? "" : "; the same command goes on behind what is kept");
}

/// What both ways of going through a checkout have in common.
void choose_work(const TuneCorpusOptions& options, corpus::CorpusTuning& tuning) {
  tuning.folder = options.folder;
  tuning.kernels = options.kernels;
  tuning.proves_all = options.prove == "all";
  tuning.jobs =
      options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
}

Expected<void> write_patches(const corpus::PatchedCorpus& patched, const std::string& folder) {
  for (const corpus::PatchedCorpus::Header& each : patched.headers) {
    const std::filesystem::path file = std::filesystem::path(folder) / patch_file_name(each);
    if (each.diff.empty()) { // that of an earlier run goes
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
      continue;
    }
    if (auto written = write_text_file(file.string(), each.diff); !written) return written;
  }
  return {};
}

/// Patches come all at once, in one run. Makes the folder, and returns whether it was not there.
Expected<bool> check_patch_options(const TuneCorpusOptions& options, const std::string& out) {
  if (out.empty())
    return bad_input("--emit patch writes a file for each header", "name a folder with -o FOLDER");
  if (!options.page.empty() || !options.part.resume.empty() || !options.part.part.empty() ||
      !options.part.file.empty())
    return bad_input("--page, --resume and --part are for the table of a checkout",
                     "leave them out, or --emit patch");
  std::error_code error;
  const bool is_new = std::filesystem::create_directories(out, error);
  if (error) return bad_input(fmt::format("{}: {}", out, error.message()), "name another folder");
  return is_new;
}

} // namespace

ExitStatus patch_checkout(const TuneCorpusOptions& options, corpus::CorpusTuning tuning,
                          const std::string& out) {
  const auto is_new = check_patch_options(options, out);
  if (!is_new) return fail(is_new.error());
  choose_work(options, tuning);
  Expected<corpus::PatchedCorpus> patched;
  {
    ProgressLine line;
    patched = corpus::patch_corpus(tuning, [&](const std::string& text) {
      line.show(text);
      return !interrupted();
    });
  }
  if (!patched) {
    std::error_code ignored;
    if (*is_new) std::filesystem::remove(out, ignored);
    return fail(patched.error());
  }
  if (auto written = write_patches(*patched, out); !written) return fail(written.error());
  if (auto done = deliver(options.json ? report::patch_json(*patched).dump(2) + "\n"
                                       : report::patch_markdown(*patched),
                          "");
      !done)
    return fail(done.error());
  if (patched->absent != 0)
    tell("{} kernels that are known are not in this checkout\n", patched->absent);
  const bool is_done = patched->headers.size() == patched->all;
  if (!is_done)
    tell("stopped before the end: {} of {} headers are done\n", patched->headers.size(),
         patched->all);
  return exit_status(is_done);
}

void add_tune_corpus_options(const Command& command, TuneCorpusOptions& options,
                             std::initializer_list<Option> others) {
  constexpr const char* kGroup = "All kernels of a checkout (docs/tuning.md)";
  const Option corpus =
      command
          .option("--corpus", options.folder,
                  "Checkout of tt-llk, or of tt-metal, whose operations are taken: a table of what "
                  "the tuner makes of each kernel")
          .value("DIR")
          .group(kGroup);
  for (const Option& other : others) corpus.excludes(other);
  command.option("--kernel", options.kernels, "Only these kernels, by their names or headers")
      .value("NAME")
      .group(kGroup);
  command
      .option(
          "--prove", options.prove,
          "soon (default): kernels that are proved within seconds, over inputs of 16 bits; all: "
          "also 2^32 inputs and pairs, minutes each")
      .one_of({"soon", "all"})
      .group(kGroup);
  add_part_option(command, options.part);
  command
      .option("--resume", options.part.resume,
              "Keep each result in this file as soon as it is there, and go on from what it has")
      .value("FILE")
      .group(kGroup);
  command
      .option("--jobs", options.jobs,
              "Kernels at a time (default: as many as there are processors)")
      .range(std::uint64_t{1}, std::uint64_t{256})
      .group(kGroup);
  command
      .option("--page", options.page,
              "Write the table as a page that can be sorted and searched as well")
      .value("FILE")
      .group(kGroup);
}

Expected<void> check_tune_corpus_options(const TuneCorpusOptions& options) {
  if (!options.folder.empty()) return {};
  const auto only_with = [](const char* option) {
    return bad_input(fmt::format("{} is for all kernels of a checkout", option),
                     "name one with --corpus DIR");
  };
  if (!options.kernels.empty()) return only_with("--kernel");
  if (!options.prove.empty()) return only_with("--prove");
  if (!options.part.resume.empty()) return only_with("--resume");
  if (!options.part.part.empty()) return only_with("--part");
  if (!options.part.file.empty()) return only_with("--part-file");
  if (options.jobs != 0) return only_with("--jobs");
  if (!options.page.empty()) return only_with("--page");
  return {};
}

ExitStatus tune_checkout(const TuneCorpusOptions& options, corpus::CorpusTuning tuning,
                         const std::string& out) {
  for (const std::string& path : {out, options.page}) {
    if (auto possible = check_can_write(path); !possible) return fail(possible.error());
  }
  choose_work(options, tuning);
  tuning.resume_file = options.part.resume;
  // The journal of programs is no state of this table: what it has, another table may take.
  auto work = shared_work({options.part.part, options.part.file, ""}, "tune");
  if (!work) return fail(work.error());
  tuning.work = &*work;
  Expected<corpus::TunedCorpus> tuned;
  {
    ProgressLine line;
    tuned = corpus::tune_corpus(tuning, [&](const std::string& text) {
      line.show(text);
      return !interrupted();
    });
  }
  if (!tuned) return fail(tuned.error());
  if (work->is_part()) return tell_of_part(*work, tuned->cases.size(), tuned->all, "kernels");
  if (auto written = write_tuned(options, *tuned, out); !written) return fail(written.error());
  tell_of_run(options, *tuned);
  const bool has_failed = std::ranges::any_of(tuned->cases, [](const corpus::TunedCase& each) {
    return each.outcome.verdict == corpus::TuneVerdict::Failed;
  });
  return exit_status(!interrupted() && !has_failed);
}

} // namespace lanewise::cli
