#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "base/in_quotes.h"
#include "study/traffic/cards.h"
#include "study/traffic/series_file.h"

namespace lanewise::traffic {

namespace {

std::uint32_t line_of(const YAML::Mark& mark) {
  return mark.line < 0 ? 0 : static_cast<std::uint32_t>(mark.line) + 1;
}

/// What is left out there has the value that the estimator starts from.
Expected<Series> key_of(const YAML::Node& key) {
  Series series{.line = line_of(key.Mark())};
  for (const auto& pair : key) {
    const auto name = pair.first.as<std::string>();
    const YAML::Node& value = pair.second;
    const auto number = [&](unsigned below) {
      const auto read = value.as<std::uint32_t>();
      return read < below ? Expected<std::uint32_t>(read)
                          : bad_input(fmt::format("{} is {}, and less than {} is expected", name,
                                                  read, below),
                                      "check the file", line_of(value.Mark()));
    };
    Expected<std::uint32_t> read = 0;
    if (name == "pattern") {
      read = number(kPatterns);
      if (read) series.pattern = static_cast<Pattern>(*read);
    } else if (name == "mechanism") {
      read = number(kMechanisms);
      if (read) series.mechanism = static_cast<Mechanism>(*read);
    } else if (name == "memory") {
      read = number(kMemories);
      if (read) series.memory = static_cast<Memory>(*read);
    } else if (name == "arch") {
      read = value.as<std::uint32_t>();
      const auto* const card = std::ranges::find(kCards, *read, &Card::number);
      if (card != kCards.end()) {
        series.arch = card->arch;
      } else {
        read = bad_input(fmt::format("arch is {}, which is no chip that is here", *read),
                         "leave the entry out", line_of(value.Mark()));
      }
    } else if (name == "num_transactions") {
      read = number(1U << 20);
      if (read) series.transactions = *read;
    } else if (name == "num_subordinates") {
      read = number(1U << 10);
      if (read) series.others = *read;
    } else if (name == "same_axis") {
      series.is_same_axis = value.as<bool>();
    } else if (name == "stateful") {
      series.is_stateful = value.as<bool>();
    } else if (name == "loopback") {
      series.is_loopback = value.as<bool>();
    } else {
      return bad_input(fmt::format("a key has the unknown field {}", in_quotes(name)),
                       "take a file of the release that docs/noc.md names",
                       line_of(pair.first.Mark()));
    }
    if (!read) return Unexpected(read.error());
  }
  return series;
}

Expected<std::vector<Series>> all_of(const YAML::Node& root) {
  const YAML::Node sizes = root["transaction_sizes"], entries = root["entries"];
  if (!sizes || !entries || !entries.IsSequence())
    return bad_input("the file has no transaction_sizes and entries",
                     "name noc_latencies.yaml of tt-metal, or a table whose name ends in .csv", 1);
  if (sizes.as<std::vector<std::uint32_t>>() != std::vector(kSizes.begin(), kSizes.end()))
    return bad_input("the sizes of transactions are other ones than 64 to 65536",
                     "take a file of the release that docs/noc.md names", line_of(sizes.Mark()));
  std::vector<Series> all;
  for (const YAML::Node& entry : entries) {
    const std::uint32_t line = line_of(entry.Mark());
    if (!entry.IsMap() || !entry["key"] || !entry["key"].IsMap() || !entry["latencies"])
      return bad_input("an entry has no key and latencies", "check the file", line);
    auto series = key_of(entry["key"]);
    if (!series) return Unexpected(series.error());
    series->cycles = entry["latencies"].as<std::vector<double>>();
    const bool is_right = series->cycles.size() == kSizes.size() && series->transactions != 0 &&
                          std::ranges::all_of(series->cycles, [](double cycles) {
                            return cycles > 0 && cycles < 1e12;
                          });
    if (!is_right)
      return bad_input("an entry has not one number of cycles for each size", "check the file",
                       line);
    leave_padding_out(series->cycles);
    all.push_back(std::move(*series));
  }
  if (all.empty()) return bad_input("the file has no entries", "name another one", 1);
  return all;
}

} // namespace

Expected<std::vector<Series>> parse_series_yaml(const std::string& text) {
  try { // yaml-cpp's way to say what is wrong
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap())
      return bad_input("the file is no list of measured series", "name noc_latencies.yaml", 1);
    return all_of(root);
  } catch (const YAML::Exception& error) {
    return bad_input("this is no file of measured series: " + error.msg, "mend it there",
                     line_of(error.mark));
  }
}

} // namespace lanewise::traffic
