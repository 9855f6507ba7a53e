#include "study/changes/baseline.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/cache.h"
#include "base/file.h"
#include "study/changes/wire.h"

namespace lanewise::changes {
namespace {

using nlohmann::json;

/// The first line; then a line with the digest of the rest, which is CBOR.
constexpr std::string_view kHead = "lanewise llk-diff baseline 1\n";
constexpr std::string_view kAnyHead = "lanewise llk-diff baseline ";
constexpr std::size_t kDigestLine = Digest::kDigits + 1;

Unexpected no_baseline(std::string message) {
  return bad_input(std::move(message),
                   "write it again with 'lanewise llk-diff TREE --baseline FILE --write-baseline'");
}

std::optional<Baseline> baseline_of(const json& document) {
  if (!document.is_object()) return std::nullopt;
  try {
    Baseline baseline{.tree = document.at("tree").get<std::string>(),
                      .commit = document.at("commit").get<std::string>(),
                      .cases = {}};
    for (const json& entry : document.at("cases")) {
      auto what = case_of(entry.at("case"));
      auto outcome = outcome_of(entry.at("outcome"));
      if (!what || !outcome) return std::nullopt;
      baseline.cases.push_back({std::move(*what), std::move(*outcome)});
    }
    return baseline;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// Discarded where it is none. The library throws of an array that claims too many entries, though
/// it is asked not to.
json document_of(std::string_view body) {
  try {
    return json::from_cbor(body, true, false);
  } catch (const json::exception&) {
    return json(json::value_t::discarded);
  }
}

} // namespace

std::vector<std::byte> baseline_bytes(const Baseline& baseline) {
  json cases = json::array();
  for (const BaselineCase& each : baseline.cases)
    cases.push_back({{"case", wire_of(each.what)}, {"outcome", wire_of(each.outcome)}});
  const std::vector<std::uint8_t> body = json::to_cbor(
      {{"tree", baseline.tree}, {"commit", baseline.commit}, {"cases", std::move(cases)}});
  const std::string_view text(reinterpret_cast<const char*>(body.data()), body.size());
  const std::string whole =
      std::string(kHead) + Digest().add(text).text() + "\n" + std::string(text);
  const auto bytes = std::as_bytes(std::span(whole));
  return {bytes.begin(), bytes.end()};
}

Expected<Baseline> parse_baseline(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kAnyHead)) return no_baseline("this is no baseline of llk-diff");
  if (!text.starts_with(kHead)) return no_baseline("this is a baseline of another version");
  const std::string_view rest = text.substr(kHead.size());
  if (rest.size() < kDigestLine || rest[Digest::kDigits] != '\n')
    return no_baseline("the baseline is cut off");
  const std::string_view body = rest.substr(kDigestLine);
  if (Digest().add(body).text() != rest.substr(0, Digest::kDigits))
    return no_baseline("the baseline is cut off or damaged");
  auto baseline = baseline_of(document_of(body));
  if (!baseline) return no_baseline("the baseline is damaged");
  return std::move(*baseline);
}

Expected<Baseline> read_baseline(const std::filesystem::path& file) {
  const auto bytes = read_file(file);
  if (!bytes) return Unexpected(bytes.error());
  auto baseline = parse_baseline(*bytes);
  if (!baseline) baseline.error().file = file.string();
  return baseline;
}

} // namespace lanewise::changes
