// A function with a stack of its own that can be left in the middle and gone on with later.
#pragma once

#include <csetjmp>
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
  [[noreturn]] void begin();

  static constexpr std::size_t kStackBytes = std::size_t{8} << 20;

  std::function<void()> body_;
  void* stack_ = nullptr;
  // Where each side was left. A switch is a jump from one to the other: swapcontext() would ask the
  // kernel twice for the signal mask, which is the same on both.
  std::jmp_buf inside_ = {}, outside_ = {};
  bool has_begun_ = false, ended_ = false;
  const void* outside_bottom_ = nullptr; ///< of the stack of who has called resume()
  std::size_t outside_bytes_ = 0;
};

} // namespace lanewise::section
