// A program of a whole tile: one list of words for each of its three threads, and what the tile
// holds before they start.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/program.h"

namespace lanewise {

inline constexpr unsigned kTileThreads = 3;

/// What the threads are called, by what they do by convention (core.md 1).
inline constexpr std::array<std::string_view, kTileThreads> kTileThreadNames{"unpack", "math",
                                                                             "pack"};

/// A word of the shared configuration, in both banks (`.cfg_word N VALUE`).
struct ConfigWordSetting {
  std::uint32_t word = 0, value = 0, line = 0;

  friend bool operator==(const ConfigWordSetting&, const ConfigWordSetting&) = default;
};

/// What a semaphore starts with (`.semaphore N VALUE MAX`).
struct SemaphoreSetting {
  std::uint32_t number = 0, value = 0, max = 0, line = 0;

  friend bool operator==(const SemaphoreSetting&, const SemaphoreSetting&) = default;
};

/// What a scalar register of a thread starts with (`.gpr N VALUE`).
struct GprSetting {
  std::uint32_t thread = 0, number = 0, value = 0, line = 0;

  friend bool operator==(const GprSetting&, const GprSetting&) = default;
};

/// What L1 holds before the start, or what of it is the result (`.in`, `.out`): the words that the
/// options --in and --out take, as they are written.
struct ImageSetting {
  std::string text;
  std::uint32_t line = 0, column = 0;

  friend bool operator==(const ImageSetting&, const ImageSetting&) = default;
};

struct TileProgram {
  std::string name; ///< source file, for messages
  /// By thread. The `config` of each is set as that thread sees it: its own words, or both banks of
  /// the shared ones.
  std::array<Program, kTileThreads> thread;
  std::vector<ConfigSetting> config;           ///< for all threads, before those of a thread
  std::vector<ConfigWordSetting> config_words; ///< before all `config`
  std::vector<SemaphoreSetting> semaphores;
  std::vector<GprSetting> gprs;
  std::vector<ImageSetting> inputs, outputs;
};

} // namespace lanewise
