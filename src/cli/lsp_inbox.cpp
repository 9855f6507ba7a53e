#include "cli/lsp_inbox.h"

#include <algorithm>
#include <utility>

#include "editor/session.h"

namespace lanewise::cli {

namespace {

using nlohmann::json;

/// What is done with a value goes down into it by recursion.
constexpr int kDeepestNesting = 64;

std::string method_of(const json& message) {
  return message.is_object() && message.contains("method") && message["method"].is_string()
             ? message["method"].get<std::string>()
             : std::string();
}

/// The document that a message is about; "" = none.
std::string uri_of(const json& message) {
  static const json::json_pointer kUri("/params/textDocument/uri");
  if (!message.is_object() || !message.contains(kUri)) return {};
  const json& uri = message.at(kUri);
  return uri.is_string() ? uri.get<std::string>() : std::string();
}

bool is_change_of(const json& message, std::string_view uri) {
  return method_of(message) == "textDocument/didChange" && uri_of(message) == uri;
}

} // namespace

std::optional<json> parse_message(const std::string& text) {
  bool is_too_deep = false;
  json value = json::parse(
      text,
      [&](int depth, json::parse_event_t, json&) {
        is_too_deep = is_too_deep || depth > kDeepestNesting;
        return depth <= kDeepestNesting;
      },
      false);
  if (value.is_discarded() || is_too_deep) return std::nullopt;
  return value;
}

void LspInbox::cancel(const json& id) {
  for (Item& each : items_) {
    if (each.is_answer || !each.value.contains("id") || each.value["id"] != id) continue;
    each = {editor::error_answer(id, editor::ErrorCode::RequestCancelled, "cancelled"), true};
  }
}

void LspInbox::put(json message) {
  const std::lock_guard lock(guard_);
  if (method_of(message) == "$/cancelRequest") {
    static const json::json_pointer kId("/params/id");
    if (message.contains(kId)) cancel(message.at(kId));
    return;
  }
  items_.push_back({std::move(message), false});
  comes_.notify_one();
}

void LspInbox::put_answer(json answer) {
  const std::lock_guard lock(guard_);
  items_.push_back({std::move(answer), true});
  comes_.notify_one();
}

void LspInbox::close() {
  const std::lock_guard lock(guard_);
  closed_ = true;
  comes_.notify_one();
}

std::optional<LspInbox::Item> LspInbox::take(std::chrono::milliseconds longest) {
  std::unique_lock lock(guard_);
  comes_.wait_for(lock, longest, [this] { return closed_ || !items_.empty(); });
  if (items_.empty()) return std::nullopt;
  Item item = std::move(items_.front());
  items_.pop_front();
  const json& message = item.value;
  if (!item.is_answer && message.is_object() && message.contains("id") &&
      has_change_locked(uri_of(message))) {
    item = {editor::error_answer(message["id"], editor::ErrorCode::ContentModified,
                                 "a newer version of the document has come"),
            true};
  }
  return item;
}

bool LspInbox::is_at_end() const {
  const std::lock_guard lock(guard_);
  return closed_ && items_.empty();
}

bool LspInbox::has_change(std::string_view uri) const {
  const std::lock_guard lock(guard_);
  return has_change_locked(uri);
}

bool LspInbox::has_change_locked(std::string_view uri) const {
  return !uri.empty() && std::ranges::any_of(items_, [&](const Item& each) {
    return !each.is_answer && is_change_of(each.value, uri);
  });
}

} // namespace lanewise::cli
