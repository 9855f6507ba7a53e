// A function with a stack of its own that can be left in the middle and gone on with later.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>

namespace lanewise::section {

class Coroutine {
 public:
  explicit Coroutine(std::function<void()> body) : body_(std::move(body)) {}
  Coroutine(const Coroutine&) = delete;
  Coroutine& operator=(const Coroutine&) = delete;
  ~Coroutine();

  /// Makes the stack. False if there is no memory for it.
  bool prepare();

  /// Runs the body from where it was left, to the next pause() or to its end. Precondition:
  /// prepare(), and it has not ended.
  void resume();

  /// Called by the body, in a signal handler on its stack, too: back to who has called resume().
  void pause();

  bool ended() const { return ended_; }

  /// Behind the last byte of the stack: frames of the body lie below.
  const void* stack_end() const { return static_cast<const char*>(stack_) + kStackBytes; }

 private:
  static void enter(unsigned low, unsigned high);

  static constexpr std::size_t kStackBytes = std::size_t{8} << 20;

  std::function<void()> body_;
  void* stack_ = nullptr;
  ucontext_t inside_ = {}, outside_ = {};
  bool ended_ = false;
};

} // namespace lanewise::section
