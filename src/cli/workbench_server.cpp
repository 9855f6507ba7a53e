#include "cli/workbench_server.h"

#include <fmt/format.h>
#include <httplib.h>
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
#include "number/formats/format.h"
#include "report/time/style.h"
#include "report/workbench/page.h"

namespace lanewise::cli {

namespace {

using nlohmann::json;

constexpr const char* kHost = "127.0.0.1";
/// A browser opens up to six connections at once, and each holds a thread for as long as it is
/// open.
constexpr std::size_t kThreads = 24;
constexpr std::chrono::seconds kIdleConnection{1};
constexpr std::size_t kKeyBytes = 16;
constexpr std::size_t kLargestRequest = std::size_t{4} << 20; ///< bytes of a kernel, as JSON
constexpr std::chrono::milliseconds kBetweenLooks{50};        ///< whether it is to stop

/// CodeMirror, from Debian's package libjs-codemirror.
constexpr const char* kEditorFolder = "/usr/share/javascript/codemirror";
constexpr std::array kEditorFiles{"lib/codemirror.js", "lib/codemirror.css", "mode/clike/clike.js",
                                  "addon/edit/matchbrackets.js"};

/// Scripts and styles come from here only, and nothing of the page goes anywhere else.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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

void send(httplib::Response& response, const json& answer, int status = 200) {
  response.status = status;
  // What g++ quotes need not be UTF-8.
  response.set_content(answer.dump(-1, ' ', false, json::error_handler_t::replace), kJson);
}

void send_error(httplib::Response& response, int status, const std::string& what) {
  send(response, {{"error", what}}, status);
}

json chip_choices() {
  json chips = json::array();
  for (const Arch arch : kArchs) {
    const ArchParams& chip = arch_params(arch);
    chips.push_back({{"value", chip.names.id}, {"label", chip.names.full}});
  }
  return chips;
}

json format_choices() {
  json formats = json::array();
  for (const formats::Format format : formats::kFormats) {
    const std::string_view name = formats::format_name(format);
    formats.push_back({{"value", name}, {"label", name}});
  }
  return formats;
}

} // namespace

WorkbenchServer::WorkbenchServer(WorkbenchStart start)
    : workbench_(start.name, std::move(start.files)),
      start_(std::move(start)),
      key_(random_key()),
      server_(std::make_unique<httplib::Server>()) {
  server_->new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  server_->set_keep_alive_timeout(kIdleConnection.count());
  server_->set_payload_max_length(kLargestRequest);
  server_->set_default_headers({{"Content-Security-Policy", kPolicy},
                                {"X-Content-Type-Options", "nosniff"},
                                {"Referrer-Policy", "no-referrer"},
                                {"Cache-Control", "no-store"}});
  server_->set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        return refuses(request, response) ? httplib::Server::HandlerResponse::Handled
                                          : httplib::Server::HandlerResponse::Unhandled;
      });
  serve_files();
  serve_answers();
}

WorkbenchServer::~WorkbenchServer() = default;

Expected<void> WorkbenchServer::open(std::uint16_t port) {
  for (const char* file : kEditorFiles) {
    if (std::filesystem::exists(std::filesystem::path(kEditorFolder) / file)) continue;
    return bad_input(fmt::format("the editor's {}/{} is not there", kEditorFolder, file),
                     "install the package libjs-codemirror");
  }
  if (key_.empty()) return bad_input("the system gives no random numbers", "try again");
  port_ = port == 0 ? server_->bind_to_any_port(kHost)
                    : (server_->bind_to_port(kHost, port) ? static_cast<int>(port) : -1);
  if (port_ > 0) return {};
  return bad_input(fmt::format("port {} of {} cannot be taken", port, kHost),
                   "choose another one, or --port 0 for any that is free");
}

std::string WorkbenchServer::address() const {
  return fmt::format("http://{}:{}/?key={}", kHost, port_, key_);
}

void WorkbenchServer::run(const std::function<bool()>& stopped) {
  std::thread listening([this] { server_->listen_after_bind(); });
  while (!stopped()) std::this_thread::sleep_for(kBetweenLooks);
  ++asked_; // ends what is being worked on
  server_->stop();
  listening.join();
}

bool WorkbenchServer::refuses(const httplib::Request& request, httplib::Response& response) const {
  const std::string host = request.get_header_value("Host");
  if (host != fmt::format("{}:{}", kHost, port_) && host != fmt::format("localhost:{}", port_)) {
    send_error(response, 403, "this server answers under its own address only");
    return true;
  }
  // A browser says which page a request comes from; of other programs there is none.
  if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + host) {
    send_error(response, 403, "this server answers its own page only");
    return true;
  }
  // Files of the page are the same for everybody.
  const bool is_open = request.method == "GET" && request.path != "/" && request.path != "/kernel";
  if (is_open || request.get_header_value("X-Lanewise-Key") == key_ ||
      (request.path == "/" && request.get_param_value("key") == key_))
    return false;
  send_error(response, 403, "the key is missing: open the address that 'lanewise serve' printed");
  return true;
}

void WorkbenchServer::serve_files() {
  const auto serve = [this](const char* path, const char* type, std::string text) {
    server_->Get(
        path, [type, text = std::move(text)](const httplib::Request&, httplib::Response& response) {
          response.set_content(text, type);
        });
  };
  serve("/", "text/html; charset=utf-8", std::string(report::workbench_frame()));
  serve("/workbench.css", kStyle, report::workbench_style());
  serve("/workbench.js", kScript, std::string(report::workbench_script()));
  serve("/time.js", kScript, std::string(report::time_script()));
  server_->Get(R"(/editor/(.+))",
               [this](const httplib::Request& request, httplib::Response& response) {
                 serve_editor(request, response);
               });
}

void WorkbenchServer::serve_editor(const httplib::Request& request,
                                   httplib::Response& response) const {
  const std::string name = request.matches[1];
  if (std::ranges::find(kEditorFiles, name) == kEditorFiles.end())
    return send_error(response, 404, "there is no such file");
  const auto text = read_text_file((std::filesystem::path(kEditorFolder) / name).string());
  if (!text) return send_error(response, 404, to_string(text.error()));
  response.set_content(*text, name.ends_with(".css") ? kStyle : kScript);
}

void WorkbenchServer::serve_answers() {
  server_->Get("/kernel", [this](const httplib::Request&, httplib::Response& response) {
    tell_kernel(response);
  });
  server_->Post("/save", [this](const httplib::Request& request, httplib::Response& response) {
    save(request, response);
  });
  server_->Post("/program", [this](const httplib::Request& request, httplib::Response& response) {
    answer(request, response, false);
  });
  server_->Post("/errors", [this](const httplib::Request& request, httplib::Response& response) {
    answer(request, response, true);
  });
}

void WorkbenchServer::tell_kernel(httplib::Response& response) const {
  json text = nullptr;
  if (!start_.file.empty()) {
    auto read = read_text_file(start_.file);
    if (!read) return send_error(response, 500, to_string(read.error()));
    text = std::move(*read);
  }
  const report::WorkbenchRequest& choices = start_.choices;
  send(response, {{"name", workbench_.name()},
                  {"is_cpp", execution::is_kernel_file(workbench_.name())},
                  {"text", std::move(text)},
                  {"initial", report::workbench_kernel()},
                  {"chips", chip_choices()},
                  {"formats", format_choices()},
                  {"arch", arch_params(choices.arch).names.id},
                  {"format", choices.format},
                  {"reference", choices.reference},
                  {"inputs", choices.inputs}});
}

void WorkbenchServer::save(const httplib::Request& request, httplib::Response& response) const {
  const auto wanted = report::parse_workbench_request(request.body);
  if (!wanted) return send_error(response, 400, to_string(wanted.error()));
  if (start_.file.empty())
    return send_error(response, 400, "no file was named when 'lanewise serve' was started");
  const auto bytes = std::as_bytes(std::span(wanted->text));
  if (auto written = write_file_atomically(start_.file, bytes); !written)
    return send_error(response, 500, to_string(written.error()));
  send(response, json::object());
}

void WorkbenchServer::answer(const httplib::Request& request, httplib::Response& response,
                             bool errors) {
  const auto wanted = report::parse_workbench_request(request.body);
  if (!wanted) return send_error(response, 400, to_string(wanted.error()));
  const std::uint64_t mine = ++asked_;
  const auto is_newest = [this, mine] { return asked_ == mine; };
  const std::lock_guard lock(working_);
  const json told = !is_newest() ? json{}
                    : errors     ? workbench_.errors(*wanted, is_newest)
                                 : workbench_.program(*wanted);
  if (!is_newest()) return send_error(response, 409, "something newer has been asked");
  send(response, told);
}

} // namespace lanewise::cli
