// The workbench over HTTP, for a browser on this machine and nobody else.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "cli/http_server.h"
#include "report/workbench/workbench.h"

namespace lanewise::cli {

/// What the page begins with.
struct WorkbenchStart {
  std::string name;                      ///< of the kernel, for people
  std::vector<report::ChipFile> files;   ///< how its text becomes a program
  report::WorkbenchRequest choices = {}; ///< without a text
  std::string file;                      ///< that is shown and saved; "" = none
  /// Called when the file was written, while other requests are answered.
  std::function<void(std::size_t bytes)> saved = {};
};

/// Listens on 127.0.0.1 only. Kernels are programs, so that whoever may send one may do what the
/// user may: every request needs the key, which only the address that is printed has, the name of
/// this machine as its host, so that no other page in the browser gets through by another name, and
/// this page's origin, where there is one.
class WorkbenchServer {
 public:
  static constexpr const char* kHost = "127.0.0.1";

  explicit WorkbenchServer(WorkbenchStart start);
  ~WorkbenchServer();
  WorkbenchServer(const WorkbenchServer&) = delete;
  WorkbenchServer& operator=(const WorkbenchServer&) = delete;

  /// Takes the port, any free one for 0. Error: BadInput if it is taken, or if the editor's files
  /// are not there.
  Expected<void> open(std::uint16_t port);
  /// "http://127.0.0.1:8760/?key=..."
  std::string address() const;
  std::uint16_t port() const { return port_; }
  /// Answers until `stopped`, which is asked several times a second.
  void run(const std::function<bool()>& stopped);

 private:
  std::optional<HttpAnswer> refusal(const HttpRequest& request) const;
  HttpAnswer answer(const HttpRequest& request);
  static HttpAnswer editor_file(std::string_view name);
  HttpAnswer kernel() const;
  HttpAnswer save(const HttpRequest& request) const;
  HttpAnswer work(const HttpRequest& request, bool errors);

  report::Workbench workbench_;
  WorkbenchStart start_;
  std::string key_;
  std::uint16_t port_ = 0;
  std::unique_ptr<HttpServer> server_;
  std::mutex working_;                 ///< one answer after the other
  std::atomic<std::uint64_t> asked_{}; ///< requests so far: a new one makes older ones worthless
};

} // namespace lanewise::cli
