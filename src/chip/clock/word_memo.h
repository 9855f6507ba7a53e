// What the clock asks of a word again and again, looked up once.
#pragma once

#include <cstdint>
#include <optional>

#include "chip/isa/encoding.h"
#include "chip/isa/word_places.h"
#include "chip/machine/matrix/control.h"
#include "chip/machine/micro_op.h"
#include "chip/timing/matrix_clock.h"
#include "chip/timing/word_facts.h"

namespace lanewise::clock {

struct KnownWord {
  std::uint32_t word = 0;
  isa::Decoded decoded;           ///< row nullptr: no instruction of the chip
  std::optional<MicroOp> op;      ///< of the Vector and the Matrix Unit
  timing::WordFacts facts;        ///< of the Vector and the Matrix Unit
  timing::MatrixFacts matrix;     ///< of the Matrix Unit
  NeededSources sources;          ///< banks that it waits for by itself
  bool is_wait = false;           ///< STALLWAIT, SEMWAIT, STREAMWAIT
  bool is_macro = false;          ///< SFPLOADMACRO
  bool joins_macros = false;      ///< waits for nobody: tile::joins_macros()
  bool uses_registers = false;    ///< of the scalar or the configuration unit
  bool flushes = false;           ///< PACR: waits for those before it
  bool clears = false;            ///< of an unpacker: UNPACR_NOP
  bool clears_after_math = false; ///< ... that waits for the Matrix Unit
  std::uint8_t unpacker = 0;      ///< that it is for
  std::uint8_t semaphores = 0;    ///< that it changes or waits for, one bit each
  unsigned occupies = 1;          ///< cycles for which it takes its unit from all threads
  unsigned holds_thread = 1;      ///< cycles after which its thread's next can issue
};

class WordMemo {
 public:
  explicit WordMemo(Arch arch) : arch_(arch) {}

  const KnownWord& operator[](std::uint32_t word) {
    return places_.find(word, [this](std::uint32_t each) { return look_up(each); });
  }

 private:
  KnownWord look_up(std::uint32_t word) const;

  Arch arch_;
  isa::WordPlaces<KnownWord> places_;
};

} // namespace lanewise::clock
