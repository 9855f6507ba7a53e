// A kernel's source file, and what it does as a recording.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "source/compiler/ir.h"

namespace lanewise::sfpi {

/// The release of SFPI that kernels are compiled for, unless they say otherwise: the newest.
inline constexpr int kDefaultEpoch = compiler::kNewestEpoch;

/// The faces of a tile that the calls run on, as LLK's VectorMode.
enum class Faces : std::uint8_t {
  Whole, ///< the calls run once, and address the tile themselves
  RC,    ///< once per face: 0, 1, 2, 3
  R,     ///< the faces of the first rows: 0, 1
  C      ///< the faces of the first columns: 0, 2
};

/// The faces called rc, r, c or whole. Error: BadInput that lists these names.
Expected<Faces> parse_faces(std::string_view name);

struct KernelSource {
  std::string file;
  bool is_header = false;         ///< an LLK kernel header: lanewise_llk.h comes first
  std::string entry = "kernel";   ///< function without parameters that is the kernel
  std::vector<std::string> calls; ///< statements that run instead of the entry
  std::string init;               ///< statements that run once, before the first call
  std::string prologue;           ///< lines that stand before the file
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines; ///< NAME or NAME=VALUE
  std::vector<std::string> flags;   ///< further options of g++
  int epoch = kDefaultEpoch;
  bool asks_for_epoch = false; ///< else a chip that has one release only takes that
  Faces faces = Faces::Whole;
  std::string setup; ///< statements that run before everything else
  ProcessLimits limits = kKernelLimits;

  friend bool operator==(const KernelSource&, const KernelSource&) = default;
};

/// The options that statements come from, by which g++ names them in its messages.
inline constexpr const char* kCallOption = "--call";
inline constexpr const char* kInitOption = "--init";

/// Compiles the kernel for a chip, runs it, and returns what it did.
/// Error: BadInput, at the kernel's line where there is one: g++ rejects it, it breaks a rule of
/// SFPI, it crashes, or it or g++ goes beyond the limits.
/// With LANEWISE_IN_PROCESS=1 in the environment, the kernel runs in this process, so that a
/// debugger of this program sees it; a crash is then one of this program.
Expected<compiler::Recording> record_kernel(Arch arch, const KernelSource& source);

/// The same for several chips; they are compiled at the same time. One result per chip.
std::vector<Expected<compiler::Recording>> record_kernel(std::span<const Arch> archs,
                                                         const KernelSource& source);

} // namespace lanewise::sfpi
