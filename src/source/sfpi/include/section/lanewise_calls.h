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
    __attribute__((always_inline)) const Word& operator=(const Word& other) const {
      return *this = static_cast<std::uint32_t>(other);
    }
    __attribute__((always_inline)) const Word& operator+=(std::uint32_t value) const {
      return *this = *this + value;
    }

   private:
    std::uint32_t address_;
  };

  explicit lanewise_register(std::uint32_t address) : address_(address) {}
  __attribute__((always_inline)) Word operator*() const { return Word(address_); }

 private:
  std::uint32_t address_;
};

/// Registers of the coprocessor's configuration, for code that has a pointer to the first of them.
class lanewise_configuration {
 public:
  explicit lanewise_configuration(const volatile std::uint32_t* first)
      : first_(const_cast<volatile std::uint32_t*>(first)) {}
  template <class Index>
  __attribute__((always_inline)) lanewise_register::Word operator[](Index index) const {
    return lanewise_register::Word(
        static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(first_ + index)));
  }
  operator volatile std::uint32_t*() const { return first_; }

 private:
  volatile std::uint32_t* first_;
};

/// Other registers that code has a pointer to, in the place of that pointer.
__attribute__((always_inline)) inline lanewise_configuration lanewise_at(
    const volatile std::uint32_t* first) {
  return lanewise_configuration(first);
}

/// Whether a core has registers there, and not L1 or memory of its own.
__attribute__((always_inline)) inline bool lanewise_is_register(std::uint32_t address) {
  return address >= 0xFFB00000;
}

__attribute__((always_inline)) inline void lanewise_yield() {
  lanewise_core->yield(lanewise_core->self, __builtin_frame_address(0));
}

/// What the code is about to do, where it says so: true, so that it may stand in a condition. What
/// is checked of programs goes by it (docs/programs.md, "What is checked").
__attribute__((always_inline)) inline bool lanewise_intends(lanewise_intent what,
                                                            std::uint32_t which,
                                                            std::uint32_t number) {
  lanewise_core->intend(lanewise_core->self, what, which, number, __builtin_frame_address(0));
  return true;
}
/// In cb_wait_front, cb_reserve_back, cb_push_back and cb_pop_front.
__attribute__((always_inline)) inline bool lanewise_waits(std::uint32_t cb, std::uint32_t pages) {
  return lanewise_intends(kLanewiseWaits, cb, pages);
}
__attribute__((always_inline)) inline bool lanewise_reserves(std::uint32_t cb,
                                                             std::uint32_t pages) {
  return lanewise_intends(kLanewiseReserves, cb, pages);
}
__attribute__((always_inline)) inline bool lanewise_pushes(std::uint32_t cb, std::uint32_t pages) {
  return lanewise_intends(kLanewisePushes, cb, pages);
}
__attribute__((always_inline)) inline bool lanewise_pops(std::uint32_t cb, std::uint32_t pages) {
  return lanewise_intends(kLanewisePops, cb, pages);
}
/// Where a semaphore is waited for, from its definition to the end of its scope.
class lanewise_wait {
 public:
  __attribute__((always_inline))
  lanewise_wait(volatile const void* word, std::uint32_t value, bool at_least)
      : word_(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(word))), value_(value) {
    lanewise_intends(at_least ? kLanewiseAwaitsAtLeast : kLanewiseAwaits, word_, value);
  }
  __attribute__((always_inline)) ~lanewise_wait() {
    lanewise_intends(kLanewiseAwaited, word_, value_);
  }

 private:
  std::uint32_t word_, value_;
};
/// Where it is counted how many answers a packet will have.
__attribute__((always_inline)) inline bool lanewise_expects(std::uint32_t noc,
                                                            std::uint32_t answers) {
  return lanewise_intends(kLanewiseExpects, noc, answers);
}
/// Where the address of a page of a buffer is computed.
__attribute__((always_inline)) inline bool lanewise_means(bool dram, std::uint32_t buffer,
                                                          std::uint32_t page) {
  return lanewise_intends(dram ? kLanewiseMeansDram : kLanewiseMeansL1, buffer, page);
}
/// The same of an object of the checkout that computes it, where it says in which memory: ttnn has
/// others with the same function.
template <class Generator>
__attribute__((always_inline)) inline auto lanewise_means_by(const Generator& generator,
                                                             std::uint32_t page, int)
    -> decltype((void)Generator::is_dram, (void)generator.bank_base_address) {
  lanewise_means(Generator::is_dram, generator.bank_base_address, page);
}
template <class Generator>
__attribute__((always_inline)) inline void lanewise_means_by(const Generator&, std::uint32_t,
                                                             long) {}
