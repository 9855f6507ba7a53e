#include "run/section/coroutine.h"

#include <sys/mman.h>

#include <bit>
#include <cstdint>

namespace lanewise::section {
namespace {

/// In front of the stack: what runs over its end is not written somewhere else.
constexpr std::size_t kGuardBytes = 4096;

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
  if (::mprotect(place, kGuardBytes, PROT_NONE) != 0 || ::getcontext(&inside_) != 0) return false;
  inside_.uc_stack.ss_sp = stack_;
  inside_.uc_stack.ss_size = kStackBytes;
  inside_.uc_link = &outside_;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  // makecontext() hands over numbers of type int only.
  ::makecontext(&inside_, reinterpret_cast<void (*)()>(&Coroutine::enter), 2,
                static_cast<unsigned>(self), static_cast<unsigned>(self >> 32));
  return true;
}

void Coroutine::enter(unsigned low, unsigned high) {
  auto* const self = std::bit_cast<Coroutine*>(std::uintptr_t{high} << 32 | low);
  self->body_();
  self->ended_ = true;
}

void Coroutine::resume() {
  ::swapcontext(&outside_, &inside_);
}

void Coroutine::pause() {
  ::swapcontext(&inside_, &outside_);
}

} // namespace lanewise::section
