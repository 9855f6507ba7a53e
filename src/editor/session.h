// One editor's conversation by the Language Server Protocol 3.17: messages in, messages out. Who
// reads and writes them is cli/lsp.cpp.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "editor/analysis.h"
#include "editor/document.h"
#include "editor/settings.h"

namespace lanewise::editor {

/// Errors of JSON-RPC and of the protocol.
enum class ErrorCode : std::int32_t {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  ServerNotInitialized = -32002,
  RequestCancelled = -32800,
  ContentModified = -32801
};

/// An answer that is an error; `id` may be null.
nlohmann::json error_answer(const nlohmann::json& id, ErrorCode code, std::string_view what);

class Session {
 public:
  /// `defaults`: settings of the command line, which those of the editor change.
  Session(Settings defaults, FileMaker make_file);

  /// Takes a message, and returns those to be sent. Documents are always whole: full
  /// synchronisation.
  std::vector<nlohmann::json> take(const nlohmann::json& message);

  /// A document that has changed since its problems were told; nothing where there is none.
  std::optional<std::string> unsettled() const;
  /// Analyses it, and returns what there is to tell. `is_stale` is asked at the end; true: a newer
  /// version is on its way, and nothing is told of this one.
  std::vector<nlohmann::json> settle(const std::string& uri, const std::function<bool()>& is_stale);

  /// The exit status once the editor has said exit: 0 behind a shutdown, else 1.
  std::optional<int> ended() const { return ended_; }

 private:
  using json = nlohmann::json;
  /// A document, and what was made of it.
  struct Open {
    Document document;
    std::optional<Analysis> analysis = std::nullopt;
    bool told = false; ///< its problems
  };

  json answer(const json& id, const std::string& method, const json& params);
  json result_of(const std::string& method, const json& params);
  json initialize(const json& params);
  std::vector<json> notice(const std::string& method, const json& params);
  std::vector<json> close(const json& params);
  void open(const json& params);
  void change(const json& params);
  std::vector<json> configure(const json& params);
  /// Settings of the editor on top of others. What is wrong with them is told.
  std::vector<json> take_settings(const Settings& below, const json& given);

  Open& open_document(const json& params);
  const Analysis& analysis_of(Open& open);
  json actions(Open& open, const Range& range);

  Settings initial_; ///< those of the command line, then of initialize
  Settings settings_;
  Analyser analyser_;
  std::map<std::string, Open> open_;
  std::vector<json> pending_; ///< to be sent behind the answer to initialize
  bool initialized_ = false, shut_down_ = false;
  std::optional<int> ended_;
};

} // namespace lanewise::editor
