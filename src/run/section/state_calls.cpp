#include "run/section/state_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/cache.h"
#include "base/in_quotes.h"
#include "base/text_file.h"
#include "run/section/call_text.h"
#include "run/section/state_marks.h"

namespace lanewise::section {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, kThreads> kSections{"LLK_TRISC_UNPACK", "LLK_TRISC_MATH",
                                                           "LLK_TRISC_PACK"};

// ---------------------------------------------------------------- What a user writes

std::optional<unsigned> thread_of_name(std::string_view call) {
  const std::string_view name = called_name(call);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if (name.find(fmt::format("llk_{}_", kSectionNames[thread])) != std::string_view::npos)
      return thread;
  }
  return std::nullopt;
}

Expected<StateCall> parse_call(std::string_view text, std::optional<unsigned> thread) {
  if (auto named = thread_of_name(text)) thread = named;
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && !text.substr(colon).starts_with("::")) {
    const std::string_view front = trimmed(text.substr(0, colon));
    const auto* const found = std::ranges::find(kSectionNames, front);
    if (found != kSectionNames.end()) {
      thread = static_cast<unsigned>(found - kSectionNames.begin());
      text = trimmed(text.substr(colon + 1));
      if (text.empty())
        return bad_input(fmt::format("there is no call behind {}:", front), "write one");
    }
  }
  if (!thread) {
    return bad_input(fmt::format("{} does not say on which thread it is", in_quotes(text)),
                     "write unpack:, math: or pack: in front of it, or give --thread");
  }
  return StateCall{*thread, std::string(text)};
}

Unexpected unclosed(std::string_view text) {
  return bad_input(fmt::format("{} has a bracket or quotes that do not close", in_quotes(text)),
                   "give calls with semicolons between them");
}

// ---------------------------------------------------------------- Headers of LLK

/// Whether a header defines the function: its name, a bracket behind it, and inline in front.
bool defines(std::string_view header, std::string_view name) {
  for (std::size_t at = header.find(name); at != std::string_view::npos;
       at = header.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool is_name = (at == 0 || !is_name_character(header[at - 1])) && end < header.size() &&
                         header[end] == '(';
    if (!is_name) continue;
    const std::size_t newline = header.rfind('\n', at);
    const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
    if (header.substr(line, at - line).find("inline") != std::string_view::npos) return true;
  }
  return false;
}

std::vector<fs::path> header_folders(const TestSource& test) {
  std::vector<fs::path> folders(test.includes.begin(), test.includes.end());
  if (!test.checkout) return folders;
  const fs::path chip = test.checkout->llk() / std::string(arch_params(test.arch).names.llk_folder);
  for (const char* part : {"llk_lib", "llk_lib/experimental", "common/inc"})
    folders.push_back(chip / part);
  for (const fs::path& each : test.checkout->test_include_folders(test.arch))
    folders.push_back(each);
  return folders;
}

/// The header that defines a function, the first in the order of folders and names.
std::optional<fs::path> defining_header(const TestSource& test, std::string_view name) {
  for (const fs::path& folder : header_folders(test)) {
    std::error_code ignored;
    std::vector<fs::path> headers;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".h") headers.push_back(entry.path());
    std::ranges::sort(headers);
    for (const fs::path& header : headers) {
      const auto text = read_text_file(header.string());
      if (text && defines(*text, name)) return fs::absolute(header);
    }
  }
  return std::nullopt;
}

using Headers = std::array<std::vector<std::string>, kThreads>;

Expected<Headers> headers_of(const StateSetup& setup, std::span<const StateCall> calls) {
  Headers headers;
  for (auto& of_thread : headers) of_thread = setup.headers;
  for (const StateCall& call : calls) {
    const std::string_view name = called_name(call.text);
    const auto header = name.empty() ? std::nullopt : defining_header(setup.test, name);
    auto& of_thread = headers[call.thread];
    if (header) {
      if (std::ranges::find(of_thread, header->string()) == of_thread.end())
        of_thread.push_back(header->string());
    } else if (setup.headers.empty()) {
      return bad_input(fmt::format("no header of {} defines {}",
                                   setup.test.checkout ? setup.test.checkout->llk().string()
                                                       : std::string("a checkout"),
                                   in_quotes(name.empty() ? std::string_view(call.text) : name)),
                       "check the name and the chip, name the checkout with --llk, or the header "
                       "with --include");
    }
  }
  return headers;
}

// ---------------------------------------------------------------- The file that is compiled

/// What LLK's tests begin with, as far as it is there, and marks for snapshots.
std::string prelude() {
  return fmt::format(R"(#include <cstdint>
#include "build.h"
#if __has_include("ckernel.h")
#include "ckernel.h"
#endif
#if __has_include("llk_defs.h")
#include "llk_defs.h"
#endif
std::uint32_t unp_cfg_context = 0;
std::uint32_t pack_sync_tile_dst_ptr = 0;
std::uint32_t math_sync_tile_dst_index = 0;
)");
}

/// Includes of a thread; its common header first, as LLK's tests have it.
std::string includes_of(unsigned thread, const std::vector<std::string>& headers) {
  std::string text;
  const std::string common = fmt::format("llk_{}_common.h", kSectionNames[thread]);
  if (!headers.empty())
    text += fmt::format("#if __has_include(\"{0}\")\n#include \"{0}\"\n#endif\n", common);
  for (const std::string& header : headers) text += fmt::format("#include \"{}\"\n", header);
  return text + "#if __has_include(\"params.h\")\n#include \"params.h\"\n#endif\n";
}

/// The call with its number as the file's name, which g++'s messages have.
std::string call_lines(std::size_t number, const StateCall& call) {
  return fmt::format("#line 1 \"call {}\"\n{};\n", number, call.text);
}

std::string calls_text(const StateSetup& setup, std::span<const StateCall> calls,
                       const Headers& headers) {
  std::array<std::string, kThreads> bodies;
  std::uint32_t taken = 0;
  if (!calls.empty()) {
    bodies[calls.front().thread] += "lanewise_take(0);\n";
    taken = 1;
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    std::string& body = bodies[calls[i].thread];
    const bool is_watched =
        !setup.late || i + 1 == calls.size() || calls[i + 1].thread != calls[i].thread;
    if (i == 0 || calls[i - 1].thread != calls[i].thread)
      body += fmt::format("lanewise_turn({});\n", taken);
    body += call_lines(i + 1, calls[i]);
    if (!is_watched) continue;
    body += fmt::format("lanewise_take({});\n", i + 1);
    ++taken;
  }
  std::string text = prelude();
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    text += fmt::format(
        "#if defined({})\n{}{}namespace ckernel {{}}\nusing namespace ckernel;\nvoid "
        "run_kernel([[maybe_unused]] RUNTIME_PARAMETERS params) {{\n{}}}\n#endif\n",
        kSections[thread], includes_of(thread, headers[thread]), mark_functions(), bodies[thread]);
  }
  return text;
}

} // namespace

Expected<unsigned> parse_thread(std::string_view name) {
  const auto* const found = std::ranges::find(kSectionNames, name);
  if (found != kSectionNames.end()) return static_cast<unsigned>(found - kSectionNames.begin());
  return bad_input(fmt::format("there is no thread {}", in_quotes(name)),
                   "use unpack, math or pack");
}

Expected<std::vector<StateCall>> parse_state_calls(std::string_view text,
                                                   std::optional<unsigned> thread) {
  std::vector<StateCall> calls;
  const auto add = [&](std::string_view piece) -> Expected<void> {
    piece = trimmed(piece);
    if (piece.empty()) return {};
    auto call = parse_call(piece, thread);
    if (!call) return Unexpected(call.error());
    calls.push_back(std::move(*call));
    return {};
  };
  std::size_t first = 0, i = 0;
  while (i < text.size()) {
    const char c = text[i];
    if (c == ')' || c == ']' || c == '}') return unclosed(text);
    const auto behind =
        c == '(' || c == '[' || c == '{' ? behind_bracket(text, i) : behind_literal(text, i);
    if (!behind) return unclosed(text);
    if (c == ';') {
      if (auto added = add(text.substr(first, i - first)); !added) return Unexpected(added.error());
      first = i + 1;
    }
    i = std::max(*behind, i + 1);
  }
  if (auto added = add(text.substr(first)); !added) return Unexpected(added.error());
  return calls;
}

std::string mark_functions() {
  return fmt::format(
      "static inline void lanewise_turn(std::uint32_t n) {{ *reinterpret_cast<volatile "
      "std::uint32_t*>(std::uintptr_t{{{:#x}}}) = n; }} "
      "static inline void lanewise_take(std::uint32_t n) {{ *reinterpret_cast<volatile "
      "std::uint32_t*>(std::uintptr_t{{{:#x}}}) = n; }}\n",
      kSnapshotTurn, kTakeSnapshot);
}

std::vector<tile::StateField> fields_of(std::vector<tile::StateField> names,
                                        const Snapshot& snapshot) {
  for (std::size_t i = 0; i < names.size() && i < snapshot.values.size(); ++i)
    names[i].value = snapshot.values[i];
  return names;
}

std::vector<tile::StateField> field_names(Arch arch) {
  return tile::state_fields(tile::TileState(arch));
}

Expected<StateRun> run_marked(const TestSource& test, const SectionsRun& how) {
  const auto objects = compile_sections(test);
  if (!objects) return Unexpected(objects.error());
  auto outcome = run_sections(test, *objects, how);
  if (!outcome) return Unexpected(outcome.error());
  return StateRun{.steps = {}, .outcome = std::move(*outcome)};
}

Expected<StateRun> run_state_calls(const StateSetup& setup, std::span<const StateCall> calls,
                                   std::span<const StateCall> all) {
  const auto headers = headers_of(setup, all);
  if (!headers) return Unexpected(headers.error());
  const auto folder = file_in_cache("state", "calls.cpp", calls_text(setup, calls, *headers));
  if (!folder) return Unexpected(folder.error());
  TestSource test = setup.test;
  test.file = (*folder / "calls.cpp").string();
  auto run = run_marked(test, {.inputs = {},
                               .config = setup.config,
                               .schedule = setup.late ? setup.schedule : tile::ScheduleChoice{},
                               .takes_snapshots = true});
  if (!run) return Unexpected(run.error());
  const auto names = field_names(test.arch);
  const std::vector<Snapshot>& taken = run->outcome.snapshots;
  for (std::size_t i = 1; i < taken.size(); ++i) {
    if (taken[i].label == 0 || taken[i].label > calls.size()) continue;
    run->steps.push_back({.call = calls[taken[i].label - 1],
                          .line = 0,
                          .before = fields_of(names, taken[i - 1]),
                          .after = fields_of(names, taken[i])});
  }
  return run;
}

} // namespace lanewise::section
