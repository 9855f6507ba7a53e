#include "study/changes/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/cache.h"
#include "base/source_line.h"
#include "run/section/build_header.h"
#include "run/section/run_sections.h"
#include "study/changes/operations.h"

namespace lanewise::changes {
namespace {

/// The largest gap between bytes that have changed in one part of Outcome::written.
constexpr std::size_t kGap = 16;

void replace_all(std::string& text, const std::string& from, std::string_view to) {
  if (from.empty()) return;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// Numbers of lines move without meaning anything: "line 12" and "file.h:12" lose them.
std::string without_lines(std::string text) {
  const auto drop_digits = [&](std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    text.erase(at, end - at);
  };
  for (const std::string_view mark : {"line ", ".h:", ".cpp:"}) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
      at += mark.size();
      drop_digits(at);
    }
  }
  return text;
}

Finding finding_of(Fault fault, const checkouts::Checkout& checkout, const std::string& file) {
  fault = settled(std::move(fault));
  if (fault.file.empty() && fault.line != 0) fault.file = file;
  Finding finding{
      .what = fmt::format("{}: {}{}{}{}", fault_kind_name(fault.kind), fault.instruction,
                          fault.instruction.empty() ? "" : ": ", fault.message,
                          fault.rule.empty() ? "" : " [" + fault.rule + "]"),
      .place = place_text(fault)};
  for (std::string* text : {&finding.what, &finding.place}) {
    replace_all(*text, checkout.llk().string() + "/", "");
    replace_all(*text, checkout.folder().string() + "/", "");
  }
  finding.what = without_lines(std::move(finding.what));
  return finding;
}

/// L1 before a case, all of it.
std::vector<std::byte> image_of(const TestCase& each, std::size_t bytes) {
  std::vector<std::byte> l1(bytes);
  for (const tile::L1Input& part : each.inputs) {
    for (std::size_t i = 0; i < part.bytes.size() && part.address + i < bytes; ++i)
      l1[part.address + i] = part.bytes[i];
  }
  return l1;
}

std::vector<tile::L1Input> written_parts(const std::vector<std::byte>& before,
                                         const std::vector<std::byte>& after) {
  std::vector<tile::L1Input> parts;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (before[i] == after[i]) continue;
    std::size_t last = i;
    for (std::size_t k = i + 1; k < after.size() && k <= last + kGap; ++k) {
      if (before[k] != after[k]) last = k;
    }
    tile::L1Input part{.address = static_cast<std::uint32_t>(i), .bytes = {}};
    part.bytes.assign(after.begin() + static_cast<std::ptrdiff_t>(i),
                      after.begin() + static_cast<std::ptrdiff_t>(last + 1));
    parts.push_back(std::move(part));
    i = last;
  }
  return parts;
}

std::vector<std::string> ends_of(const section::SectionsOutcome& ran,
                                 const checkouts::Checkout& checkout) {
  std::vector<std::string> ends;
  if (ran.failure) ends.push_back(finding_of(*ran.failure, checkout, "").what);
  if (ran.ran_out) ends.emplace_back("the sections did not come to an end");
  if (!ran.blocked.empty()) ends.emplace_back("a deadlock: nobody can go on");
  for (const std::string& each : ran.blocked) ends.push_back(without_lines(each));
  return ends;
}

} // namespace

std::string settled_text(std::string_view preprocessed, const checkouts::Checkout& checkout) {
  std::string result;
  result.reserve(preprocessed.size());
  while (!preprocessed.empty()) {
    const std::size_t end = std::min(preprocessed.find('\n'), preprocessed.size());
    std::string_view line = preprocessed.substr(0, end);
    preprocessed.remove_prefix(std::min(end + 1, preprocessed.size()));
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    if (line.empty() || line.starts_with("# ")) continue;
    result.append(line).push_back('\n');
  }
  replace_all(result, checkout.llk().string(), "LLK");
  replace_all(result, checkout.folder().string(), "TREE");
  return result;
}

section::TestSource CaseRunner::source_of(const TestCase& each) const {
  return {.arch = each.arch,
          .file = (checkout_.llk() / each.source).string(),
          .checkout = checkout_,
          .build_header = {},
          .parameters = {},
          .includes = {},
          .defines = each.defines,
          .limits = limits_};
}

Started CaseRunner::start_test(const TestCase& each) const {
  Started started;
  section::TestSource source = source_of(each);
  const auto header = section::build_header_folder(each.build_header);
  if (!header) {
    started.error = to_string(header.error());
    return started;
  }
  source.build_header = (*header / "build.h").string();
  auto sections = section::prepare_sections(source, [this](std::string_view text) {
    return Digest().add(settled_text(text, checkout_)).text();
  });
  if (!sections) {
    started.error = to_string(sections.error());
    return started;
  }
  for (const section::PreparedSection& section : *sections)
    started.texts.push_back(section.source.seen);
  started.sections = std::move(*sections);
  return started;
}

Started CaseRunner::start(const TestCase& each) const {
  Started started =
      each.kind == CaseKind::Test ? start_test(each) : start_program(each, checkout_, limits_);
  replace_all(started.error, checkout_.llk().string() + "/", "");
  replace_all(started.error, checkout_.folder().string() + "/", "");
  return started;
}

void CaseRunner::finish_test(Outcome& outcome, const TestCase& each, const Started& started,
                             const Started* same) const {
  section::SectionObjects objects;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const bool is_same = same != nullptr && same->sections && same->texts == started.texts;
    const bool is_thread_same =
        same != nullptr && same->sections && same->texts[thread] == started.texts[thread];
    const Started& from = is_same || is_thread_same ? *same : started;
    auto object = section::compile_prepared((*from.sections)[thread], thread);
    if (!object) {
      outcome.error = to_string(object.error());
      return;
    }
    objects[thread] = std::move(*object);
  }
  const section::TestSource source = source_of(each);
  const auto ran = section::run_sections(source, objects,
                                         {.inputs = each.inputs,
                                          .config = {},
                                          .schedule = {},
                                          .finds_hazards = true,
                                          .keeps_state = true});
  if (!ran) {
    outcome.error = to_string(ran.error());
    return;
  }
  outcome.ends = ends_of(*ran, checkout_);
  for (const Fault& fault : ran->faults)
    outcome.findings.push_back(finding_of(fault, checkout_, each.source));
  outcome.executed = ran->executed;
  outcome.written = written_parts(image_of(each, ran->l1.size()), ran->l1);
  outcome.state = ran->state;
}

Outcome CaseRunner::finish(const TestCase& each, const Started& started,
                           const Started* same) const {
  Outcome outcome{.texts = started.texts, .error = started.error};
  if (!outcome.error.empty()) return outcome;
  if (each.kind == CaseKind::Test) {
    finish_test(outcome, each, started, same);
  } else {
    finish_program(outcome, each, *started.program);
  }
  replace_all(outcome.error, checkout_.llk().string() + "/", "");
  replace_all(outcome.error, checkout_.folder().string() + "/", "");
  return outcome;
}

CaseDifference run_pair(const CaseRunner& before, const TestCase& first, const CaseRunner& after,
                        const TestCase& second) {
  const Started one = before.start(first), other = after.start(second);
  Outcome old_one{.texts = one.texts, .error = one.error},
      new_one{.texts = other.texts, .error = other.error};
  CaseDifference difference = compare(first, old_one, second, new_one);
  if (difference.verdict == Verdict::NotReached) return difference;
  // What cannot be compiled on one side is still run on the other: it may be that it never could.
  old_one = before.finish(first, one);
  new_one = after.finish(second, other, one.error.empty() ? &one : nullptr);
  return compare(first, old_one, second, new_one);
}

} // namespace lanewise::changes
