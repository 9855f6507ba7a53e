// The conversation, without its streams.
#include "editor/session.h"

#include "editor/fixture.h"

namespace lanewise::test {
namespace {

using editor::Session;
using nlohmann::json;

constexpr const char* kUri = "file:///a.tt";

json request(const char* method, json params = json::object()) {
  return {{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}, {"params", std::move(params)}};
}

json notice(const char* method, json params = json::object()) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

json opening(const char* text) {
  return notice("textDocument/didOpen",
                {{"textDocument",
                  {{"uri", kUri}, {"languageId", "lanewise"}, {"version", 3}, {"text", text}}}});
}

json changing(json change) {
  return notice("textDocument/didChange", {{"textDocument", {{"uri", kUri}, {"version", 4}}},
                                           {"contentChanges", json::array({std::move(change)})}});
}

json of_document(json more = json::object()) {
  more["textDocument"] = {{"uri", kUri}};
  return more;
}

int code_of(const std::vector<json>& sent) {
  return sent.size() == 1 && sent[0].contains("error") ? sent[0]["error"]["code"].get<int>() : 0;
}

class EditorSession : public testing::Test {
 protected:
  EditorSession() : session(editor::Settings{}, plain_file) {}

  void initialize(json options = nullptr) {
    session.take(request("initialize", {{"initializationOptions", std::move(options)}}));
  }
  json settled(bool stale = false) {
    const auto sent = session.settle(kUri, [stale] { return stale; });
    return sent.empty() ? json() : sent[0]["params"];
  }

  Session session;
};

TEST_F(EditorSession, AnswersInTheOrderOfTheProtocol) {
  EXPECT_EQ(code_of(session.take(request("shutdown"))), -32002);
  const auto sent = session.take(request("initialize"));
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0]["id"], 7);
  EXPECT_EQ(sent[0]["result"]["capabilities"]["textDocumentSync"]["change"], 1); // whole texts
  EXPECT_EQ(code_of(session.take(request("initialize"))), -32600);
  EXPECT_EQ(code_of(session.take(request("nothing"))), -32601);
  EXPECT_EQ(code_of(session.take(request("textDocument/hover", of_document()))), -32602);
  EXPECT_TRUE(session.take(request("shutdown"))[0]["result"].is_null());
  EXPECT_EQ(code_of(session.take(request("textDocument/hover", of_document()))), -32600);
  session.take(notice("exit"));
  EXPECT_EQ(session.ended(), 0);
}

TEST_F(EditorSession, ExitWithoutShutdownIsOne) {
  initialize();
  EXPECT_FALSE(session.ended());
  session.take(notice("exit"));
  EXPECT_EQ(session.ended(), 1);
}

TEST_F(EditorSession, TellsProblemsOfTheNewestVersion) {
  initialize();
  EXPECT_FALSE(session.unsettled());
  session.take(opening("WRONG\n"));
  EXPECT_EQ(session.unsettled(), kUri);
  const json told = settled();
  EXPECT_EQ(told["version"], 3);
  EXPECT_EQ(told["diagnostics"].size(), 1U);
  EXPECT_FALSE(session.unsettled());
  session.take(changing({{"text", "SFPNOP\n"}}));
  EXPECT_EQ(session.unsettled(), kUri);
  EXPECT_TRUE(settled(true).is_null()); // a newer one is on its way
  EXPECT_FALSE(session.unsettled());
}

TEST_F(EditorSession, ChangesOfAPartAreNotTaken) {
  initialize();
  session.take(opening("SFPNOP\n"));
  session.take(changing({{"range", editor::json_of(editor::Range{})}, {"text", "WRONG"}}));
  EXPECT_TRUE(settled()["diagnostics"].empty());
}

TEST_F(EditorSession, AClosedDocumentHasNoProblems) {
  initialize();
  session.take(opening("WRONG\n"));
  const auto sent = session.take(notice("textDocument/didClose", of_document()));
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_TRUE(sent[0]["params"]["diagnostics"].empty());
  EXPECT_FALSE(session.unsettled());
  EXPECT_EQ(code_of(session.take(request("textDocument/codeLens", of_document()))), -32602);
}

TEST_F(EditorSession, SettingsStandOnThoseOfTheStart) {
  initialize({{"arch", "wh"}});
  session.take(opening(kRow));
  EXPECT_EQ(settled()["diagnostics"].size(), 1U);
  session.take(notice("workspace/didChangeConfiguration", {{"settings", {{"arch", "bh"}}}}));
  EXPECT_EQ(session.unsettled(), kUri);
  EXPECT_TRUE(settled()["diagnostics"].empty());
  session.take(notice("workspace/didChangeConfiguration", {{"settings", nullptr}}));
  EXPECT_EQ(settled()["diagnostics"].size(), 1U);
  const auto sent = session.take(
      notice("workspace/didChangeConfiguration", {{"settings", {{"lanewise", {{"x", "y"}}}}}}));
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0]["method"], "window/showMessage");
}

TEST_F(EditorSession, MessagesThatAreNone) {
  initialize();
  for (const json& wrong : {json(3), json::array(), json::object(), json{{"method", 3}},
                            json{{"id", {1}}, {"method", "shutdown"}}})
    EXPECT_EQ(code_of(session.take(wrong)), -32600) << wrong;
  EXPECT_TRUE(session.take({{"id", 1}, {"result", nullptr}}).empty());
  EXPECT_TRUE(session.take(notice("textDocument/didOpen", {{"textDocument", 3}})).empty());
  EXPECT_TRUE(session.take(notice("textDocument/didChange", of_document())).empty());
  EXPECT_EQ(code_of(session.take(request("textDocument/hover", {{"textDocument", "x"}}))), -32602);
}

} // namespace
} // namespace lanewise::test
