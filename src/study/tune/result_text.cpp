#include "study/tune/result_text.h"

#include <cstdint>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lanewise::tune {

namespace {

using Json = nlohmann::ordered_json;

/// A whole number that its type holds. Throws for any other.
template <class Number>
Number whole(const Json& json) {
  if (!json.is_number_unsigned()) throw std::out_of_range("no whole number");
  const auto number = json.get<std::uint64_t>();
  if (number > std::numeric_limits<Number>::max()) throw std::out_of_range("too large a number");
  return static_cast<Number>(number);
}

/// An enumerator by its number. Throws where there is none.
template <class Enum>
Enum enumerator(const Json& json, Enum last) {
  const auto number = whole<std::uint64_t>(json);
  if (number > static_cast<std::uint64_t>(last)) throw std::out_of_range("no such enumerator");
  return static_cast<Enum>(number);
}

Json words_json(const std::vector<TunedWord>& words) {
  Json json = Json::array();
  for (const TunedWord& each : words) json.push_back({each.word, each.part, each.comment});
  return json;
}

std::vector<TunedWord> words_of(const Json& json) {
  std::vector<TunedWord> words;
  for (const Json& each : json)
    words.push_back({.word = whole<std::uint32_t>(each.at(0)),
                     .part = enumerator(each.at(1), WordPart::Tile),
                     .comment = each.at(2).get<std::string>()});
  return words;
}

Json loops_json(const std::vector<WordLoop>& loops) {
  Json json = Json::array();
  for (const WordLoop& each : loops) json.push_back({each.first, each.length, each.times});
  return json;
}

std::vector<WordLoop> loops_of(const Json& json) {
  std::vector<WordLoop> loops;
  for (const Json& each : json) {
    loops.push_back({.first = whole<std::size_t>(each.at(0)),
                     .length = whole<std::size_t>(each.at(1)),
                     .times = whole<std::size_t>(each.at(2))});
    if (loops.back().length == 0) throw std::out_of_range("a loop of no words");
  }
  return loops;
}

Json tuned_json(const Tuned& tuned) {
  return {{"words", words_json(tuned.words)},
          {"entry", words_json(tuned.entry)},
          {"body", tuned.body},
          {"is recorded", tuned.is_recorded},
          {"loops", loops_json(tuned.loops)},
          {"macros", tuned.macros},
          {"templates", tuned.templates},
          {"registers", tuned.registers},
          {"cycles", tuned.predicted_cycles},
          {"dst counter", tuned.dst_counter},
          {"counts instructions", tuned.options.counts_instructions},
          {"pads", tuned.options.pads},
          {"contract", tuned.contract.sentences}};
}

Tuned tuned_of(const Json& json, Arch arch) {
  return {.arch = arch,
          .words = words_of(json.at("words")),
          .entry = words_of(json.at("entry")),
          .body = whole<unsigned>(json.at("body")),
          .is_recorded = json.at("is recorded").get<bool>(),
          .loops = loops_of(json.at("loops")),
          .macros = whole<unsigned>(json.at("macros")),
          .templates = whole<unsigned>(json.at("templates")),
          .registers = whole<unsigned>(json.at("registers")),
          .predicted_cycles = whole<std::uint64_t>(json.at("cycles")),
          .dst_counter = whole<std::uint32_t>(json.at("dst counter")),
          .options = {.counts_instructions = json.at("counts instructions").get<bool>(),
                      .pads = whole<unsigned>(json.at("pads"))},
          .contract = {json.at("contract").get<std::vector<std::string>>()}};
}

Json proof_json(const Proof& proof) {
  return {{"holds", proof.holds},
          {"kind", proof.kind},
          {"is undecided", proof.is_undecided},
          {"failure", proof.failure},
          {"inputs", proof.inputs},
          {"leaves out", proof.leaves_out},
          {"different", proof.different},
          {"differences", proof.differences},
          {"cycles", proof.cycles},
          {"findings", proof.findings}};
}

Proof proof_of(const Json& json) {
  return {.holds = json.at("holds").get<bool>(),
          .kind = enumerator(json.at("kind"), ProofKind::DataFlow),
          .is_undecided = json.at("is undecided").get<bool>(),
          .failure = json.at("failure").get<std::string>(),
          .inputs = whole<std::uint64_t>(json.at("inputs")),
          .leaves_out = json.at("leaves out").get<bool>(),
          .different = whole<std::uint64_t>(json.at("different")),
          .differences = json.at("differences").get<std::vector<std::string>>(),
          .cycles = whole<std::uint64_t>(json.at("cycles")),
          .findings = json.at("findings").get<std::vector<std::string>>()};
}

Json trials_json(const std::vector<Trial>& trials) {
  Json json = Json::array();
  for (const Trial& each : trials)
    json.push_back({each.description, each.attempt.interval, each.attempt.outcome,
                    each.attempt.longest_span, each.attempt.steps, each.result});
  return json;
}

std::vector<Trial> trials_of(const Json& json) {
  std::vector<Trial> trials;
  for (const Json& each : json)
    trials.push_back({.description = each.at(0).get<std::string>(),
                      .attempt = {.interval = whole<unsigned>(each.at(1)),
                                  .outcome = enumerator(each.at(2), Outcome::GivenUp),
                                  .longest_span = whole<unsigned>(each.at(3)),
                                  .steps = whole<std::uint64_t>(each.at(4))},
                      .result = each.at(5).get<std::string>()});
  return trials;
}

/// What `read` makes of a text; nothing if it throws, as the JSON library does of other types.
template <class Read>
auto read_json(const std::string& text, const Read& read)
    -> std::optional<decltype(read(std::declval<const Json&>()))> {
  const Json json = Json::parse(text, nullptr, false);
  try {
    return read(json);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

} // namespace

std::string write_tuning(const TuneResult& result) {
  Json json{{"trials", trials_json(result.trials)},
            {"proof", proof_json(result.proof)},
            {"text", result.text},
            {"interval", result.interval},
            {"left open", result.was_left_open}};
  if (result.tuned) json["tuned"] = tuned_json(*result.tuned);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool read_tuning(const std::string& text, TuneResult& result) {
  auto read = read_json(text, [&](const Json& json) {
    TuneResult found;
    found.trials = trials_of(json.at("trials"));
    found.proof = proof_of(json.at("proof"));
    found.text = json.at("text").get<std::string>();
    found.interval = whole<unsigned>(json.at("interval"));
    found.was_left_open = json.at("left open").get<bool>();
    if (json.contains("tuned")) found.tuned = tuned_of(json.at("tuned"), result.arch);
    return found;
  });
  if (!read) return false;
  result.trials = std::move(read->trials);
  result.proof = std::move(read->proof);
  result.text = std::move(read->text);
  result.interval = read->interval;
  result.was_left_open = read->was_left_open;
  result.tuned = std::move(read->tuned);
  return true;
}

std::string write_proof(const Proof& proof) {
  return proof_json(proof).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Proof> read_proof(const std::string& text) {
  return read_json(text, proof_of);
}

} // namespace lanewise::tune
