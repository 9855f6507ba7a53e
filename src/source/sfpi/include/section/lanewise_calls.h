// How the code of a core reaches registers of the NoC without a trap, and where it waits.
#pragma once

#include "lanewise_core_calls.h"

/// Set by lanewise before the core starts; not static, so that it is found by its name.
extern "C" lanewise_core_calls* lanewise_core;
lanewise_core_calls* lanewise_core = nullptr;

/// A word among the registers of an NIU, for code that has a pointer to it.
class lanewise_register {
 public:
  class Word {
   public:
    explicit Word(std::uint32_t address) : address_(address) {}
    __attribute__((always_inline)) operator std::uint32_t() const {
      return lanewise_core->load(lanewise_core->self, address_, __builtin_frame_address(0));
    }
    __attribute__((always_inline)) const Word& operator=(std::uint32_t value) const {
      lanewise_core->store(lanewise_core->self, address_, value, __builtin_frame_address(0));
      return *this;
    }

   private:
    std::uint32_t address_;
  };

  explicit lanewise_register(std::uint32_t address) : address_(address) {}
  __attribute__((always_inline)) Word operator*() const { return Word(address_); }

 private:
  std::uint32_t address_;
};

__attribute__((always_inline)) inline void lanewise_yield() {
  lanewise_core->yield(lanewise_core->self, __builtin_frame_address(0));
}
