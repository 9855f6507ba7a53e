#include "cli/workbench_server.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include "base/file.h"
#include "base/text_file.h"
#include "report/time/style.h"
#include "report/workbench/page.h"

namespace lanewise::cli {

namespace {

using nlohmann::json;

/// A browser opens up to six connections at once, and each holds a thread for as long as it is
/// open; whatever else opens some is to keep no page waiting.
constexpr std::size_t kThreads = 1000;
constexpr std::chrono::seconds kIdleConnection{1};
constexpr std::size_t kKeyBytes = 16;
constexpr std::size_t kLargestRequest = std::size_t{4} << 20; ///< bytes of a kernel, as JSON
constexpr std::chrono::milliseconds kBetweenLooks{50};        ///< whether it is to stop

/// CodeMirror, from Debian's package libjs-codemirror.
constexpr const char* kEditorFolder = "/usr/share/javascript/codemirror";
constexpr std::array kEditorFiles{"lib/codemirror.js", "lib/codemirror.css", "mode/clike/clike.js",
                                  "addon/edit/matchbrackets.js"};

constexpr std::string_view kEditorPath = "/editor/";

/// Scripts and styles come from here only, and nothing of the page goes anywhere else. A panel of
/// VS Code may show it, by schemes that no page of the web has.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors vscode-webview: vscode-file:";

/// Types that cpp-httplib does not compress: it takes seconds to make long answers small, which
/// they need not be on their way within a machine.
constexpr const char* kJson = "application/vnd.lanewise+json";
constexpr const char* kScript = "application/x-javascript";
constexpr const char* kStyle = "text/css; charset=utf-8";

std::string random_key() {
  std::array<unsigned char, kKeyBytes> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "";
  std::string key;
  for (const unsigned char byte : bytes) key += fmt::format("{:02x}", byte);
  return key;
}

HttpAnswer answer_of(const json& answer, int status = 200) {
  // What g++ quotes need not be UTF-8.
  return {status, kJson, answer.dump(-1, ' ', false, json::error_handler_t::replace)};
}

HttpAnswer error_of(int status, const std::string& what) {
  return answer_of({{"error", what}}, status);
}

HttpAnswer no_such_file() {
  return error_of(404, "there is no such file");
}

} // namespace

WorkbenchServer::WorkbenchServer(WorkbenchStart start)
    : workbench_(start.name, std::move(start.files)),
      start_(std::move(start)),
      key_(random_key()),
      server_(make_http_server(
          {.threads = kThreads,
           .idle_seconds = kIdleConnection.count(),
           .largest_request = kLargestRequest,
           .headers = {{"Content-Security-Policy", kPolicy},
                       {"X-Content-Type-Options", "nosniff"},
                       {"Referrer-Policy", "no-referrer"},
                       {"Cache-Control", "no-store"}}},
          {.refuse = [this](const HttpRequest& request) { return refusal(request); },
           .answer = [this](const HttpRequest& request) { return answer(request); }})) {}

WorkbenchServer::~WorkbenchServer() = default;

Expected<void> WorkbenchServer::open(std::uint16_t port) {
  for (const char* file : kEditorFiles) {
    if (std::filesystem::exists(std::filesystem::path(kEditorFolder) / file)) continue;
    return bad_input(fmt::format("the editor's {}/{} is not there", kEditorFolder, file),
                     "install the package libjs-codemirror");
  }
  if (key_.empty()) return bad_input("the system gives no random numbers", "try again");
  const auto taken = server_->bind(kHost, port);
  port_ = taken.value_or(0);
  if (taken) return {};
  return bad_input(fmt::format("port {} of {} cannot be taken", port, kHost),
                   "choose another one, or --port 0 for any that is free");
}

std::string WorkbenchServer::address() const {
  return fmt::format("http://{}:{}/?key={}", kHost, port_, key_);
}

void WorkbenchServer::run(const std::function<bool()>& stopped) {
  std::thread listening([this] { server_->listen(); });
  while (!stopped()) std::this_thread::sleep_for(kBetweenLooks);
  ++asked_; // ends what is being worked on
  server_->stop();
  listening.join();
}

std::optional<HttpAnswer> WorkbenchServer::refusal(const HttpRequest& request) const {
  const std::string host = request.header("Host").value_or("");
  if (host != fmt::format("{}:{}", kHost, port_) && host != fmt::format("localhost:{}", port_))
    return error_of(403, "this server answers under its own address only");
  // A browser says which page a request comes from; of other programs there is none.
  if (const auto origin = request.header("Origin"); origin && *origin != "http://" + host)
    return error_of(403, "this server answers its own page only");
  // Files of the page are the same for everybody.
  const bool is_open =
      request.method() == "GET" && request.path() != "/" && request.path() != "/kernel";
  if (is_open || request.header("X-Lanewise-Key") == key_ ||
      (request.path() == "/" && request.parameter("key") == key_))
    return std::nullopt;
  return error_of(403, "the key is missing: open the address that 'lanewise serve' printed");
}

HttpAnswer WorkbenchServer::answer(const HttpRequest& request) {
  const std::string_view path = request.path();
  if (request.method() == "POST") {
    if (path == "/save") return save(request);
    if (path == "/program") return work(request, false);
    if (path == "/errors") return work(request, true);
    return no_such_file();
  }
  if (path == "/kernel") return kernel();
  if (path == "/") return {200, "text/html; charset=utf-8", std::string(report::workbench_frame())};
  if (path == "/workbench.css") return {200, kStyle, report::workbench_style()};
  if (path == "/workbench.js") return {200, kScript, std::string(report::workbench_script())};
  if (path == "/time.js") return {200, kScript, std::string(report::time_script())};
  if (path.starts_with(kEditorPath)) return editor_file(path.substr(kEditorPath.size()));
  return no_such_file();
}

HttpAnswer WorkbenchServer::editor_file(std::string_view name) {
  if (std::ranges::find(kEditorFiles, name) == kEditorFiles.end()) return no_such_file();
  auto text = read_text_file((std::filesystem::path(kEditorFolder) / name).string());
  if (!text) return error_of(404, to_string(text.error()));
  return {200, name.ends_with(".css") ? kStyle : kScript, std::move(*text)};
}

HttpAnswer WorkbenchServer::kernel() const {
  json text = nullptr;
  if (!start_.file.empty()) {
    auto read = read_text_file(start_.file);
    if (!read) return error_of(500, to_string(read.error()));
    text = std::move(*read);
  }
  return answer_of(report::workbench_start(workbench_.name(), std::move(text),
                                           report::workbench_kernel(), start_.choices));
}

HttpAnswer WorkbenchServer::save(const HttpRequest& request) const {
  const auto wanted = report::parse_workbench_request(std::string(request.body()));
  if (!wanted) return error_of(400, to_string(wanted.error()));
  if (start_.file.empty())
    return error_of(400, "no file was named when 'lanewise serve' was started");
  // What the page had of the file; a page that does not say overwrites what is there.
  const json asked = json::parse(request.body(), nullptr, false);
  const auto before = asked.find("before");
  if (before != asked.end() && before->is_string()) {
    const auto there = read_text_file(start_.file);
    if (there && *there != before->get_ref<const std::string&>())
      return error_of(412, fmt::format("{} has changed on the disk", start_.file));
  }
  const auto bytes = std::as_bytes(std::span(wanted->text));
  if (auto written = write_file_atomically(start_.file, bytes); !written)
    return error_of(500, to_string(written.error()));
  if (start_.saved) start_.saved(bytes.size());
  return answer_of(json::object());
}

HttpAnswer WorkbenchServer::work(const HttpRequest& request, bool errors) {
  const auto wanted = report::parse_workbench_request(std::string(request.body()));
  if (!wanted) return error_of(400, to_string(wanted.error()));
  const std::uint64_t mine = ++asked_;
  const auto is_newest = [this, mine] { return asked_ == mine; };
  const std::lock_guard lock(working_);
  const json told = !is_newest() ? json{}
                    : errors     ? workbench_.errors(*wanted, is_newest)
                                 : workbench_.program(*wanted);
  if (!is_newest()) return error_of(409, "something newer has been asked");
  return answer_of(told);
}

} // namespace lanewise::cli
