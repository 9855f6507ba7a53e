// The HTTP server, by cpp-httplib: all that the module liblanewise_http.so has.
#include <httplib.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "cli/http_server.h"

namespace lanewise::cli {

namespace {

class Request final : public HttpRequest {
 public:
  explicit Request(const httplib::Request& request) : request_(&request) {}

  std::string_view method() const override { return request_->method; }
  std::string_view path() const override { return request_->path; }
  std::string_view body() const override { return request_->body; }
  std::optional<std::string> header(const std::string& name) const override {
    if (!request_->has_header(name)) return std::nullopt;
    return request_->get_header_value(name);
  }
  std::string parameter(const std::string& name) const override {
    return request_->get_param_value(name);
  }

 private:
  const httplib::Request* request_;
};

void send(const HttpAnswer& answer, httplib::Response& response) {
  response.status = answer.status;
  response.set_content(answer.content, answer.type);
}

/// A thread for each connection, so that those that say nothing keep no other one waiting; beyond
/// the most that there may be, they wait for each other.
class Threads final : public httplib::TaskQueue {
 public:
  explicit Threads(std::size_t most) : most_(most) {}

  // It returns nothing in older releases, and whether the task was taken in newer ones.
  using Taken = decltype(std::declval<httplib::TaskQueue&>().enqueue({}));
  Taken enqueue(std::function<void()> task) override {
    const std::lock_guard lock(mutex_);
    if (running_ == most_) {
      waiting_.push_back(std::move(task));
    } else {
      ++running_;
      std::thread([this, task = std::move(task)]() mutable { work(std::move(task)); }).detach();
    }
    return static_cast<Taken>(true);
  }

  void shutdown() override {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  void work(std::function<void()> task) {
    while (true) {
      task();
      const std::lock_guard lock(mutex_);
      if (waiting_.empty()) {
        --running_;
        ended_.notify_all(); // while the lock is held: behind it, the queue may be gone
        return;
      }
      task = std::move(waiting_.front());
      waiting_.pop_front();
    }
  }

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_ = 0;
  std::deque<std::function<void()>> waiting_;
};

class Server final : public HttpServer {
 public:
  Server(HttpLimits limits, HttpHandlers handlers) : handlers_(std::move(handlers)) {
    server_.new_task_queue = [threads = limits.threads] { return new Threads(threads); };
    server_.set_socket_options([this](socket_t socket) {
      httplib::default_socket_options(socket);
      socket_ = socket;
    });
    server_.set_keep_alive_timeout(limits.idle_seconds);
    server_.set_read_timeout(limits.idle_seconds);
    server_.set_payload_max_length(limits.largest_request);
    server_.set_default_headers({limits.headers.begin(), limits.headers.end()});
    server_.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          const auto refusal = handlers_.refuse(Request(request));
          if (!refusal) return httplib::Server::HandlerResponse::Unhandled;
          send(*refusal, response);
          return httplib::Server::HandlerResponse::Handled;
        });
    const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
      send(handlers_.answer(Request(request)), response);
    };
    server_.Get("/.*", answer);
    server_.Post("/.*", answer);
  }

  std::optional<std::uint16_t> bind(const std::string& host, std::uint16_t port) override {
    int taken = port;
    if (port == 0) {
      taken = server_.bind_to_any_port(host);
    } else if (!server_.bind_to_port(host, port)) {
      taken = -1;
    }
    if (taken <= 0) return std::nullopt;
    // The library has room for five that have not been accepted; others try again after a second.
    ::listen(socket_, SOMAXCONN);
    return static_cast<std::uint16_t>(taken);
  }
  void listen() override {
    server_.listen_after_bind();
    has_ended_ = true;
  }
  /// The library forgets what it is told before it listens.
  void stop() override {
    while (!server_.is_running() && !has_ended_) std::this_thread::yield();
    server_.stop();
  }

 private:
  HttpHandlers handlers_;
  httplib::Server server_;
  socket_t socket_ = INVALID_SOCKET;
  std::atomic<bool> has_ended_ = false;
};

} // namespace

HttpServer* lanewise_http_server(HttpLimits* limits, HttpHandlers* handlers) {
  return new Server(std::move(*limits), std::move(*handlers));
}

} // namespace lanewise::cli
