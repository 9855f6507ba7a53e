// An HTTP server for a page on this machine. It is a module of its own (http_module.cpp), loaded
// when it is made: the library behind it loads OpenSSL and more, which no other command needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise::cli {

/// What somebody asks. Its texts live as long as it is answered.
class HttpRequest {
 public:
  virtual ~HttpRequest() = default;
  virtual std::string_view method() const = 0; ///< "GET"
  virtual std::string_view path() const = 0;   ///< "/kernel", without what follows a '?'
  virtual std::string_view body() const = 0;   ///< "" as long as it may still be refused
  /// Of a name in any case; nothing if there is none.
  virtual std::optional<std::string> header(const std::string& name) const = 0;
  /// Of what follows the '?'; "" if there is none.
  virtual std::string parameter(const std::string& name) const = 0;
};

struct HttpAnswer {
  int status = 200;
  std::string type; ///< of the content
  std::string content;
};

struct HttpHandlers {
  /// Why a request gets no answer: asked first, before its body is read.
  std::function<std::optional<HttpAnswer>(const HttpRequest&)> refuse;
  /// GET and POST come to it, on several threads.
  std::function<HttpAnswer(const HttpRequest&)> answer;
};

struct HttpLimits {
  std::size_t threads = 1;         ///< the most; each connection holds one while it is open
  std::int64_t idle_seconds = 1;   ///< until a connection is closed that says nothing more
  std::size_t largest_request = 0; ///< bytes of a body
  /// Headers of every answer.
  std::map<std::string, std::string> headers = {};
};

class HttpServer {
 public:
  virtual ~HttpServer() = default;
  /// Takes the port, any free one for 0. The port, or nothing if it is taken.
  virtual std::optional<std::uint16_t> bind(const std::string& host, std::uint16_t port) = 0;
  /// Answers until stop() is called on another thread.
  virtual void listen() = 0;
  /// Ends listen(), which was called or is about to be.
  virtual void stop() = 0;
};

/// Throws std::runtime_error where the module cannot be loaded.
std::unique_ptr<HttpServer> make_http_server(HttpLimits limits, HttpHandlers handlers);

/// The only function of the module: what make_http_server() returns.
extern "C" HttpServer* lanewise_http_server(HttpLimits* limits, HttpHandlers* handlers);

} // namespace lanewise::cli
