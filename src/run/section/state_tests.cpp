// Tests of LLK whose own calls are looked at: marks around them, and what comes of those.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/cache.h"
#include "base/in_quotes.h"
#include "base/text_file.h"
#include "run/section/call_text.h"
#include "run/section/state_calls.h"
#include "run/section/state_marks.h"

namespace lanewise::section {

namespace {

namespace fs = std::filesystem;

/// Other threads run at the same time: what they have changed and the call has not is as it was.
void leave_to_others(StateStep& step, const std::vector<std::uint8_t>& writers) {
  for (std::size_t i = 0; i < step.before.size() && i < writers.size(); ++i) {
    if (step.before[i].value == step.after[i].value) continue;
    const unsigned own = 1U << step.call.thread;
    if ((writers[i] & own) == 0) {
      step.after[i].value = step.before[i].value;
    } else if (writers[i] != own) {
      step.alone = false;
    }
  }
}

constexpr std::array<std::string_view, 4> kStatefulParts{"_init_", "_uninit_", "_reconfig_",
                                                         "_hw_configure_"};

bool sets_state(std::string_view name) {
  return name.find("llk_") != std::string_view::npos &&
         std::ranges::any_of(kStatefulParts, [&](std::string_view part) {
           return name.find(part) != std::string_view::npos;
         });
}

/// Behind the call whose name ends at `at`: template arguments, arguments, the semicolon. Nothing
/// for what is no statement of its own.
std::optional<std::size_t> behind_call(std::string_view text, std::size_t at) {
  const auto skip_blanks = [&] {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n')) ++at;
  };
  if (at < text.size() && text[at] == '<') {
    const auto behind = behind_template_arguments(text, at);
    if (!behind) return std::nullopt;
    at = *behind;
  }
  skip_blanks();
  if (at >= text.size() || text[at] != '(') return std::nullopt;
  const auto behind = behind_bracket(text, at);
  if (!behind) return std::nullopt;
  at = *behind;
  skip_blanks();
  if (at >= text.size() || text[at] != ';') return std::nullopt;
  return at + 1;
}

/// Whether a statement may begin behind what was there before.
bool begins_statement(std::string_view before) {
  const std::string_view last = trimmed(before);
  return last.empty() || last.back() == ';' || last.back() == '{' || last.back() == '}' ||
         last.back() == ')' || last.ends_with("else");
}

/// The test's text as one line after the other would leave it, blanks instead of line ends.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const char each = c == '\n' || c == '\t' ? ' ' : c;
    if (each != ' ' || line.empty() || line.back() != ' ') line += each;
  }
  return line;
}

/// The text in front without comments and without lines of the preprocessor.
std::string code_of(std::string_view text) {
  std::string code;
  for (std::size_t i = 0; i < text.size();) {
    const auto behind = behind_literal(text, i);
    if (!behind) break;
    const bool is_comment = text.substr(i).starts_with("//") || text.substr(i).starts_with("/*");
    if (*behind != i) {
      if (!is_comment) code += text.substr(i, *behind - i);
      i = *behind;
      continue;
    }
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && text[i] == '#') {
      const std::size_t end = text.find('\n', i);
      code += ';';
      i = end == std::string_view::npos ? text.size() : end;
      continue;
    }
    code += text[i++];
  }
  return code;
}

} // namespace

MarkedTest mark_state_calls(std::string_view text) {
  MarkedTest marked;
  std::uint32_t line = 1;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto literal = behind_literal(text, i);
    const std::size_t from = i;
    if (!literal) break;
    if (*literal != i) {
      i = *literal;
    } else if (is_name_character(text[i])) {
      while (i < text.size() && is_name_character(text[i])) ++i;
      const auto end =
          sets_state(text.substr(from, i - from)) ? behind_call(text, i) : std::nullopt;
      if (end && begins_statement(code_of(text.substr(0, from)))) {
        const std::size_t number = marked.calls.size();
        const std::string_view call = text.substr(from, *end - from);
        marked.text += text.substr(copied, from - copied);
        marked.text += fmt::format("{{ lanewise_take({}); {} lanewise_take({}); }}",
                                   label_before(static_cast<std::uint32_t>(number)), call,
                                   label_behind(static_cast<std::uint32_t>(number)));
        marked.calls.push_back(
            {.call = {.thread = 0, .text = on_one_line(call.substr(0, call.size() - 1))},
             .line = line,
             .before = {},
             .after = {}});
        copied = i = *end;
      }
    } else {
      ++i;
    }
    line += static_cast<std::uint32_t>(std::ranges::count(text.substr(from, i - from), '\n'));
  }
  marked.text += text.substr(copied);
  return marked;
}

Expected<StateRun> run_test_states(const TestSource& test, std::vector<tile::L1Input> inputs,
                                   std::vector<ConfigSetting> config) {
  const auto text = read_text_file(test.file);
  if (!text) return Unexpected(text.error());
  const MarkedTest marked = mark_state_calls(*text);
  if (marked.calls.empty()) {
    return bad_input(
        fmt::format("{} calls nothing of LLK that sets the state up or back", in_quotes(test.file)),
        "give a test, or calls");
  }
  const fs::path original = fs::absolute(test.file);
  const auto folder = file_in_cache("state", "test.cpp",
                                    fmt::format("#include <cstdint>\n{}#line 1 \"{}\"\n{}",
                                                mark_functions(), original.string(), marked.text));
  if (!folder) return Unexpected(folder.error());
  TestSource copy = test;
  copy.file = (*folder / "test.cpp").string();
  copy.includes.insert(copy.includes.begin(), original.parent_path().string());
  auto run = run_marked(copy, {.inputs = std::move(inputs),
                               .config = std::move(config),
                               .schedule = {},
                               .takes_snapshots = true,
                               .attributes_state = true});
  if (!run) return Unexpected(run.error());
  const auto names = field_names(test.arch);
  const std::vector<Snapshot>& taken = run->outcome.snapshots;
  std::array<const Snapshot*, kThreads> before{};
  for (const Snapshot& each : taken) {
    const std::uint32_t number = each.label / 2;
    if (each.label == label_before(number)) {
      before[each.thread] = &each;
    } else if (before[each.thread] != nullptr && number < marked.calls.size()) {
      StateStep step = marked.calls[number];
      step.call.thread = each.thread;
      step.before = fields_of(names, *before[each.thread]);
      step.after = fields_of(names, each);
      leave_to_others(step, each.writers);
      run->steps.push_back(std::move(step));
    }
  }
  std::ranges::stable_sort(run->steps, {}, [](const StateStep& step) { return step.call.thread; });
  return run;
}

} // namespace lanewise::section
