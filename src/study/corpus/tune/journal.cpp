#include "study/corpus/tune/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <span>
#include <string_view>
#include <system_error>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/version.h"
#include "study/parts/part_file.h"

namespace lanewise::corpus {

namespace {

using Json = nlohmann::ordered_json;

/// Raised whenever the tuner finds other programs, or what a line means changes.
constexpr unsigned kTuneVersion = 5;
constexpr const char* kTuneVersionName = "lanewise tune";

/// Nothing if it is not as it was written.
std::optional<Json> parse_line(std::string_view line) {
  if (!parts::is_sealed_line(line)) return std::nullopt;
  Json json = Json::parse(line, nullptr, false);
  return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
}

Json entry_json(const std::string& program, const TuneOutcome& outcome) {
  Json json{{"program", program}};
  json.update(outcome_json(outcome));
  return json;
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

Json tuning_key(const tune::TuneOptions& options, bool proves_all) {
  return {{kTuneVersionName, kTuneVersion},
          {"version", version()},
          {"steps", options.steps_per_interval},
          {"time limit", options.seconds},
          {"solver time", options.proof.solver_time.count()},
          {"macros", options.macros},
          {"conservative", options.conservative},
          {"allow nan", options.proof.allow_nan},
          {"allow denormal", options.proof.allow_denormal},
          {"prove", proves_all ? "all" : "soon"}};
}

Expected<TuneJournal> TuneJournal::open(const std::filesystem::path& file, const Json& key) {
  TuneJournal journal(file);
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    if (auto loaded = journal.load(key); !loaded) return Unexpected(loaded.error());
  }
  std::string text = parts::sealed_line(key);
  for (const auto& [program, outcome] : journal.settled_)
    text += parts::sealed_line(entry_json(program, outcome));
  if (auto written = write_file_atomically(file, std::as_bytes(std::span(text))); !written)
    return Unexpected(written.error());
  return journal;
}

Expected<std::map<std::string, TuneOutcome>> TuneJournal::read(const std::filesystem::path& file) {
  TuneJournal journal(file);
  // Of the settings, these alone decide what a line means.
  const Json key{{kTuneVersionName, kTuneVersion}, {"version", version()}};
  if (auto loaded = journal.load(key); !loaded) return Unexpected(loaded.error());
  return std::move(journal.settled_);
}

Expected<void> TuneJournal::load(const Json& key) {
  const auto bytes = read_file(file_);
  if (!bytes) return Unexpected(bytes.error());
  return take(text_of(*bytes), key);
}

Expected<void> TuneJournal::take(const std::string& text, const Json& key) {
  bool is_first = true;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const auto json = parse_line(std::string_view(text).substr(begin, end - begin));
    begin = end;
    if (is_first && (!json || !json->contains(kTuneVersionName))) break;
    if (is_first) {
      if (auto same = parts::check_key(*json, key, "tuning", file_.string(),
                                       "name another file for this tuning, or remove that one to "
                                       "give up the other");
          !same)
        return same;
      is_first = false;
      continue;
    }
    const auto outcome = json ? parse_outcome(*json) : std::nullopt;
    const auto program = outcome ? json->find("program") : Json::const_iterator{};
    if (!outcome || program == json->end() || !program->is_string()) {
      ++damaged_;
      continue;
    }
    settled_.insert_or_assign(program->get<std::string>(), *outcome);
  }
  if (!is_first) return {};
  Unexpected fault = bad_input("this is no state of a tuning that could go on",
                               "remove the file to begin anew, or name another one");
  fault.value().file = file_.string();
  return fault;
}

bool TuneJournal::add(const std::string& program, const TuneOutcome& outcome) const {
  const std::string line = parts::sealed_line(entry_json(program, outcome));
  const FileDescriptor file(::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  return file.is_open() &&
         ::write(file.number(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

} // namespace lanewise::corpus
