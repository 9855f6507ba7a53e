#include "run/section/coroutine.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <bit>
#include <cstdint>
#include <cstdlib>

#ifdef __SANITIZE_ADDRESS__
#define LANEWISE_TELLS_STACKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANEWISE_TELLS_STACKS 1
#endif
#endif
#ifdef LANEWISE_TELLS_STACKS
#include <sanitizer/common_interface_defs.h>
#endif

namespace lanewise::section {
namespace {

/// In front of the stack: what runs over its end is not written somewhere else.
constexpr std::size_t kGuardBytes = 4096;

/// The address sanitizer has to know which stack is the current one: before and after a switch.
void leave_for(const void* bottom, std::size_t bytes) {
#ifdef LANEWISE_TELLS_STACKS
  __sanitizer_start_switch_fiber(nullptr, bottom, bytes);
#else
  (void)bottom;
  (void)bytes;
#endif
}
void arrive_from(const void** bottom, std::size_t* bytes) {
#ifdef LANEWISE_TELLS_STACKS
  __sanitizer_finish_switch_fiber(nullptr, bottom, bytes);
#else
  (void)bottom;
  (void)bytes;
#endif
}

} // namespace

Coroutine::~Coroutine() {
  if (stack_ != nullptr)
    ::munmap(static_cast<char*>(stack_) - kGuardBytes, kGuardBytes + kStackBytes);
}

bool Coroutine::prepare() {
  // Below 2 GiB: code for a core may put the address of a variable into 32 bits.
  void* const place = ::mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0);
  if (place == MAP_FAILED) return false;
  stack_ = static_cast<char*>(place) + kGuardBytes;
  return ::mprotect(place, kGuardBytes, PROT_NONE) == 0;
}

/// Goes over to the new stack.
void Coroutine::begin() {
  has_begun_ = true;
  ucontext_t context = {};
  if (::getcontext(&context) != 0) std::abort();
  context.uc_stack.ss_sp = stack_;
  context.uc_stack.ss_size = kStackBytes;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  // makecontext() hands over numbers of type int only.
  ::makecontext(&context, reinterpret_cast<void (*)()>(&Coroutine::enter), 2,
                static_cast<unsigned>(self), static_cast<unsigned>(self >> 32));
  ::setcontext(&context);
  std::abort(); // setcontext() has failed
}

void Coroutine::enter(unsigned low, unsigned high) {
  auto* const self = std::bit_cast<Coroutine*>(std::uintptr_t{high} << 32 | low);
  arrive_from(&self->outside_bottom_, &self->outside_bytes_);
  self->body_();
  self->ended_ = true;
  leave_for(self->outside_bottom_, self->outside_bytes_);
  std::longjmp(self->outside_, 1); // NOLINT(cert-err52-cpp): no frame is skipped
}

void Coroutine::resume() {
  if (setjmp(outside_) == 0) { // NOLINT(cert-err52-cpp)
    leave_for(stack_, kStackBytes);
    if (has_begun_) std::longjmp(inside_, 1); // NOLINT(cert-err52-cpp)
    begin();
  }
  arrive_from(nullptr, nullptr);
}

void Coroutine::pause() {
  if (setjmp(inside_) == 0) { // NOLINT(cert-err52-cpp)
    leave_for(outside_bottom_, outside_bytes_);
    std::longjmp(outside_, 1); // NOLINT(cert-err52-cpp)
  }
  arrive_from(&outside_bottom_, &outside_bytes_);
}

} // namespace lanewise::section
