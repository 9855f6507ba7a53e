// A program: instruction words in order, each with the source line it came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanewise {

struct ProgramWord {
  std::uint32_t word = 0;
  std::uint32_t line = 0; ///< source line, from 1; 0 = none
  /// The source gives its fields as variables: the core may have to compute it while it runs, which
  /// takes longer than to push it (T5). Whether it does, its compiler decides.
  bool computed = false;

  friend bool operator==(const ProgramWord&, const ProgramWord&) = default;
};

/// A configuration field that holds a value when the program starts (`.cfg NAME VALUE`).
struct ConfigSetting {
  std::string name; ///< as in chip/isa/config.h
  std::uint32_t value = 0;
  std::uint32_t line = 0;

  friend bool operator==(const ConfigSetting&, const ConfigSetting&) = default;
};

/// Words that configure the MOP expander: MopCfg[0..8] (ISA MOPExpander).
inline constexpr unsigned kMopWords = 9;

/// A write of the RISC-V core to MopCfg (`.mop INDEX VALUE`).
struct MopSetting {
  std::size_t before = 0; ///< index of the word that the core pushes next
  std::uint8_t index = 0; ///< of MopCfg, 0..8
  std::uint32_t value = 0;
  std::uint32_t line = 0;

  friend bool operator==(const MopSetting&, const MopSetting&) = default;
};

struct Program {
  std::string name;                  ///< source file, for messages
  std::vector<ProgramWord> words;    ///< in program order
  std::vector<ConfigSetting> config; ///< applied before the first word
  std::vector<MopSetting> mop = {};  ///< in the order of `before`
};

} // namespace lanewise
