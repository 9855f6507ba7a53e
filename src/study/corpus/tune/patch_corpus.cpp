#include "study/corpus/tune/patch_corpus.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/process_pool.h"
#include "base/unified_diff.h"

namespace lanewise::corpus {

namespace {

using Json = nlohmann::ordered_json;

/// Cases by their header, in the order of the first of each.
std::vector<std::vector<LlkCase>> by_header(const std::vector<LlkCase>& cases,
                                            const checkouts::Checkout& checkout) {
  std::vector<std::vector<LlkCase>> groups;
  std::map<std::string, std::size_t> found;
  for (const LlkCase& each : cases) {
    const std::string file = checkout.header(each.arch, each.kernel->header).string();
    const auto [place, is_new] = found.emplace(file, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(each);
  }
  return groups;
}

Json kernel_json(const PatchedKernel& kernel) {
  return {{"kernel", kernel.kernel},
          {"variant", kernel.variant},
          {"why", kernel.why},
          {"plain", kernel.plain_cycles},
          {"cycles", kernel.cycles},
          {"in_call", kernel.init_in_call},
          {"wide", static_cast<unsigned>(kernel.wide)}};
}

PatchedKernel parse_kernel(const Json& json) {
  return {.kernel = json.at("kernel"),
          .variant = json.at("variant"),
          .why = json.at("why"),
          .plain_cycles = json.at("plain"),
          .cycles = json.at("cycles"),
          .init_in_call = json.at("in_call"),
          .wide = static_cast<WideProof>(json.at("wide").get<unsigned>())};
}

/// What a process tells of a header.
std::string header_text(const std::vector<LlkCase>& cases, const checkouts::Checkout& checkout,
                        const CorpusTuning& tuning) {
  const auto patched = patch_header(cases, checkout, tuning);
  if (!patched) return Json{{"error", patched.error().message}}.dump();
  Json kernels = Json::array();
  for (const PatchedKernel& each : patched->kernels) kernels.push_back(kernel_json(each));
  const Json json{{"path", patched->path},
                  {"diff", unified_diff(patched->path, patched->before, patched->after)},
                  {"kernels", std::move(kernels)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Of a header whose process was ended, or that could not be read.
PatchedCorpus::Header lost_header(const std::vector<LlkCase>& cases,
                                  const checkouts::Checkout& checkout, const std::string& why) {
  const std::filesystem::path file =
      checkout.header(cases.front().arch, cases.front().kernel->header);
  PatchedCorpus::Header header{.path = file.lexically_relative(checkout.folder()).generic_string(),
                               .arch = cases.front().arch};
  for (const LlkCase& each : cases)
    header.kernels.push_back(
        {.kernel = each.kernel->name, .variant = variant_name(each), .why = why});
  return header;
}

PatchedCorpus::Header parse_header(const std::string& text, const std::vector<LlkCase>& cases,
                                   const checkouts::Checkout& checkout) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.contains("error"))
    return lost_header(cases, checkout,
                       json.is_object() ? json.at("error").get<std::string>()
                                        : "the process that patched it was ended");
  PatchedCorpus::Header header{
      .path = json.at("path"), .arch = cases.front().arch, .diff = json.at("diff")};
  for (const Json& each : json.at("kernels")) header.kernels.push_back(parse_kernel(each));
  return header;
}

} // namespace

Expected<PatchedCorpus> patch_corpus(const CorpusTuning& tuning,
                                     const std::function<bool(const std::string&)>& progress) {
  const auto checkout = checkouts::Checkout::open(tuning.folder, tuning.chips);
  if (!checkout) return Unexpected(checkout.error());
  const auto chosen = tune_cases(*checkout, tuning);
  if (!chosen) return Unexpected(chosen.error());
  const auto groups = by_header(chosen->cases, *checkout);
  PatchedCorpus corpus{.headers = {}, .all = groups.size(), .absent = chosen->absent};
  bool goes_on = true;
  const auto texts = run_in_processes(
      groups.size(), tuning.jobs,
      [&](std::size_t i) { return header_text(groups[i], *checkout, tuning); },
      [&](std::size_t done) {
        goes_on = goes_on && progress(fmt::format("{} of {} headers are tuned and patched", done,
                                                  groups.size()));
        return goes_on;
      });
  if (!texts) return Unexpected(texts.error());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if ((*texts)[i] || goes_on)
      corpus.headers.push_back(parse_header((*texts)[i].value_or(""), groups[i], *checkout));
  }
  return corpus;
}

std::string patch_file_name(const PatchedCorpus::Header& header) {
  return fmt::format("{}-{}.patch", arch_params(header.arch).names.id,
                     std::filesystem::path(header.path).stem().string());
}

} // namespace lanewise::corpus
