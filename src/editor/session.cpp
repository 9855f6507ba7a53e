#include "editor/session.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/version.h"
#include "editor/questions.h"

namespace lanewise::editor {

namespace {

using nlohmann::json;

/// A request that cannot be answered.
struct Refusal {
  ErrorCode code;
  std::string what;
};

json notification(std::string_view method, json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

json problems_told(const Document& document, json problems) {
  return notification(
      "textDocument/publishDiagnostics",
      {{"uri", document.uri}, {"version", document.version}, {"diagnostics", std::move(problems)}});
}

/// MessageType of the protocol.
constexpr int kErrorMessage = 1;

json message_shown(const Fault& fault) {
  return notification("window/showMessage",
                      {{"type", kErrorMessage}, {"message", "lanewise: " + to_string(fault)}});
}

json capabilities() {
  constexpr int kFullSync = 1;
  return {{"positionEncoding", "utf-16"},
          {"textDocumentSync", {{"openClose", true}, {"change", kFullSync}}},
          {"hoverProvider", true},
          {"completionProvider", {{"triggerCharacters", {".", "_", "="}}}},
          {"definitionProvider", true},
          {"inlayHintProvider", true},
          {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
          {"codeLensProvider", json::object()},
          {"semanticTokensProvider",
           {{"legend", {{"tokenTypes", token_types()}, {"tokenModifiers", json::array()}}},
            {"full", true}}}};
}

/// The member "lanewise" of settings that have one, as some editors send them.
json own_settings(const json& given) {
  return given.is_object() && given.contains("lanewise") ? given["lanewise"] : given;
}

bool is_request(const json& message) {
  return message.contains("id");
}

} // namespace

json error_answer(const json& id, ErrorCode code, std::string_view what) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"error", {{"code", static_cast<int>(code)}, {"message", what}}}};
}

Session::Session(Settings defaults, FileMaker make_file)
    : initial_(std::move(defaults)), settings_(initial_), analyser_(std::move(make_file)) {}

std::vector<json> Session::take(const json& message) {
  if (!message.is_object())
    return {error_answer(nullptr, ErrorCode::InvalidRequest, "a message is no object")};
  json id = message.value("id", json());
  const bool has_right_id = id.is_string() || id.is_number() || !is_request(message);
  if (!has_right_id)
    return {error_answer(nullptr, ErrorCode::InvalidRequest, "an id is no number and no text")};
  const auto method = message.find("method");
  if (method == message.end()) {
    // An answer of the editor; nothing was asked of it.
    if (message.contains("result") || message.contains("error")) return {};
    return {error_answer(id, ErrorCode::InvalidRequest, "a message has no method")};
  }
  if (!method->is_string())
    return {error_answer(id, ErrorCode::InvalidRequest, "a method is no text")};
  const json params = message.value("params", json::object());
  if (is_request(message)) {
    std::vector<json> sent{answer(id, *method, params)};
    sent.insert(sent.end(), pending_.begin(), pending_.end());
    pending_.clear();
    return sent;
  }
  try {
    return notice(*method, params);
  } catch (const json::exception&) { // what a notification has wrong, nobody is told
    return {};
  } catch (const Refusal&) {
    return {};
  }
}

json Session::answer(const json& id, const std::string& method, const json& params) {
  try {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"result", result_of(method, params)}};
  } catch (const json::exception& wrong) {
    return error_answer(id, ErrorCode::InvalidParams, wrong.what());
  } catch (const Refusal& refusal) {
    return error_answer(id, refusal.code, refusal.what);
  }
}

json Session::initialize(const json& params) {
  initialized_ = true;
  pending_ = take_settings(initial_, params.value("initializationOptions", json()));
  initial_ = settings_;
  return {{"capabilities", capabilities()},
          {"serverInfo", {{"name", "lanewise"}, {"version", version()}}}};
}

json Session::result_of(const std::string& method, const json& params) {
  if (shut_down_) throw Refusal{ErrorCode::InvalidRequest, "the server was shut down"};
  if (method == "initialize") {
    if (initialized_) throw Refusal{ErrorCode::InvalidRequest, "initialize was sent before"};
    return initialize(params);
  }
  if (!initialized_) throw Refusal{ErrorCode::ServerNotInitialized, "send initialize first"};
  if (method == "shutdown") {
    shut_down_ = true;
    return nullptr;
  }
  constexpr std::string_view kOfDocument = "textDocument/";
  if (!method.starts_with(kOfDocument))
    throw Refusal{ErrorCode::MethodNotFound, fmt::format("there is no method {}", method)};
  const std::string asked = method.substr(kOfDocument.size());
  Open& open = open_document(params);
  const Document& document = open.document;
  const auto position = [&] { return position_of(params.at("position")); };
  const auto arch = [&] { return arch_of(document, settings_).value_or(kDefaultArch); };
  if (asked == "hover") return hover(document, analysis_of(open), position());
  if (asked == "completion") return completion(document, arch(), position());
  if (asked == "definition") return definition(document, analysis_of(open), position());
  if (asked == "inlayHint")
    return inlay_hints(document, analysis_of(open), range_of(params.at("range")));
  if (asked == "codeAction") return actions(open, range_of(params.at("range")));
  if (asked == "codeLens") return code_lenses(document, settings_);
  if (asked == "semanticTokens/full") return semantic_tokens(document, arch());
  throw Refusal{ErrorCode::MethodNotFound, fmt::format("there is no method {}", method)};
}

json Session::actions(Open& open, const Range& range) {
  const Analysis& analysis = analysis_of(open);
  return code_actions(open.document, analysis,
                      mends(open.document, analysis, range, analyser_, settings_));
}

std::vector<json> Session::notice(const std::string& method, const json& params) {
  if (method == "exit") {
    ended_ = shut_down_ ? 0 : 1;
    return {};
  }
  if (!initialized_ || shut_down_) return {};
  if (method == "textDocument/didOpen") open(params);
  if (method == "textDocument/didChange") change(params);
  if (method == "textDocument/didClose") return close(params);
  if (method == "workspace/didChangeConfiguration") return configure(params);
  return {};
}

void Session::open(const json& params) {
  const json& opened = params.at("textDocument");
  const auto uri = opened.at("uri").get<std::string>();
  open_.insert_or_assign(
      uri, Open{make_document(uri, opened.value("languageId", ""), opened.value("version", 0),
                              opened.at("text").get<std::string>())});
}

void Session::change(const json& params) {
  Open& open = open_document(params);
  const json& changes = params.at("contentChanges");
  if (changes.empty()) return;
  const json& last = changes.back();
  // Of a part, the rest would not be known.
  if (last.contains("range")) return;
  open.document.text = Text(last.at("text").get<std::string>());
  open.document.version = params.at("textDocument").value("version", open.document.version + 1);
  open.analysis.reset();
  open.told = false;
}

std::vector<json> Session::close(const json& params) {
  const Document document = open_document(params).document;
  open_.erase(document.uri);
  return {notification("textDocument/publishDiagnostics",
                       {{"uri", document.uri}, {"diagnostics", json::array()}})};
}

std::vector<json> Session::configure(const json& params) {
  for (auto& [uri, open] : open_) {
    open.analysis.reset();
    open.told = false;
  }
  return take_settings(initial_, params.value("settings", json()));
}

std::vector<json> Session::take_settings(const Settings& below, const json& given) {
  settings_ = below;
  if (auto read = read_settings(settings_, own_settings(given)); !read)
    return {message_shown(read.error())};
  return {};
}

Session::Open& Session::open_document(const json& params) {
  const auto uri = params.at("textDocument").at("uri").get<std::string>();
  const auto found = open_.find(uri);
  if (found == open_.end())
    throw Refusal{ErrorCode::InvalidParams, fmt::format("{} is not open", uri)};
  return found->second;
}

const Analysis& Session::analysis_of(Open& open) {
  if (!open.analysis) open.analysis = analyser_.analyse(open.document, settings_);
  return *open.analysis;
}

std::optional<std::string> Session::unsettled() const {
  for (const auto& [uri, open] : open_) {
    if (!open.told) return uri;
  }
  return std::nullopt;
}

std::vector<json> Session::settle(const std::string& uri, const std::function<bool()>& is_stale) {
  Open& open = open_.at(uri);
  const Analysis& analysis = analysis_of(open);
  open.told = true;
  if (is_stale()) return {};
  return {problems_told(open.document, diagnostics(open.document, analysis))};
}

} // namespace lanewise::editor
