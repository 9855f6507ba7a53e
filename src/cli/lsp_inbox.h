// What an editor has sent and nobody has looked at yet.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise::cli {

/// Messages in their order, between the thread that reads them and the one that answers.
class LspInbox {
 public:
  using json = nlohmann::json;

  /// Adds a message. A cancellation is carried out at once: of a request that still waits, the
  /// answer that it was cancelled stands in its place.
  void put(json message);
  /// Adds an answer to something that is no message.
  void put_answer(json answer);
  /// Nothing comes any more.
  void close();

  /// What comes next: a message, or an answer that is only to be sent.
  struct Item {
    json value;
    bool is_answer = false;
  };
  /// Waits that long for it. A request about a document of which a newer version waits becomes the
  /// answer that its content was modified.
  std::optional<Item> take(std::chrono::milliseconds longest);

  /// Whether nothing is left, and nothing comes any more.
  bool is_at_end() const;
  /// Whether a newer version of the document waits.
  bool has_change(std::string_view uri) const;

 private:
  void cancel(const json& id);
  bool has_change_locked(std::string_view uri) const;

  mutable std::mutex guard_;
  std::condition_variable comes_;
  std::deque<Item> items_;
  bool closed_ = false;
};

/// A message as JSON; nothing if it is none, or nested deeper than any message of the protocol.
std::optional<nlohmann::json> parse_message(const std::string& text);

} // namespace lanewise::cli
