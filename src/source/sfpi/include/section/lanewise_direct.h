// The names of lanewise_calls.h in code that is compiled for a core itself: registers are memory,
// and what the code is about to do it tells nobody: the run on the host is checked.
#pragma once

#include <cstdint>

/// A word among registers.
class lanewise_register {
 public:
  explicit lanewise_register(std::uint32_t address)
      : word_(reinterpret_cast<volatile std::uint32_t*>(address)) {}
  volatile std::uint32_t& operator*() const { return *word_; }

 private:
  volatile std::uint32_t* word_;
};

inline void lanewise_yield() {}
inline bool lanewise_expects(std::uint32_t, std::uint32_t) {
  return true;
}
struct lanewise_wait {
  lanewise_wait(volatile const void*, std::uint32_t, bool) {}
};
inline bool lanewise_waits(std::uint32_t, std::uint32_t) {
  return true;
}
inline bool lanewise_reserves(std::uint32_t, std::uint32_t) {
  return true;
}
inline bool lanewise_pushes(std::uint32_t, std::uint32_t) {
  return true;
}
inline bool lanewise_pops(std::uint32_t, std::uint32_t) {
  return true;
}
inline bool lanewise_means(bool, std::uint32_t, std::uint32_t) {
  return true;
}

/// What a kernel prints is known from the host.
template <class... Arguments>
void lanewise_print(const char*, const Arguments&...) {}
#define DEVICE_PRINT(...)
