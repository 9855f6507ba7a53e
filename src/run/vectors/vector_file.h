// Conformance vector files: `*.vec`, plain or gzip-compressed, read one case at a time.
//
// docs/conformance.md describes the format.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/isa/program.h"
#include "chip/machine/state.h"
#include "run/vectors/tile_part.h"

namespace lanewise::vectors {

/// What an `expect` line, or a line of initial state, is about.
enum class VectorItem : std::uint8_t {
  LReg,
  Cc,
  CcDepth,
  Prng,
  Dst,
  SrcA,
  SrcB,
  Rwc,
  RwcCr,
  SrcBank,
  SrcOwner,
  DstValid,
  AddrModBit,
  Unchanged,
  // Of a whole tile
  L1,
  Gpr,
  Adc,
  Semaphore,
  Mutex,
  ConfigWord,
  ThreadWord,
  FillBank,
  SrcFormat,
  SrcRow,
  ContextCounter
};

struct Expectation {
  VectorItem item;
  /// Operands in the order of the line; of Unchanged: the VectorItems that must be unchanged.
  std::vector<std::uint32_t> values;
  std::uint32_t line = 0;
};

struct VectorCase {
  explicit VectorCase(Arch arch) : initial(arch) {}

  std::string name;
  MachineState initial;
  std::vector<ProgramWord> words; ///< with the lines of their `exec`
  std::vector<Expectation> expectations;
  std::unique_ptr<TilePart> tile; ///< of a case about a whole tile, which has no `words`

  Arch arch() const { return initial.config.arch(); }
};

/// Reads a file case by case: of the others it keeps the names, at most a million.
class VectorReader {
 public:
  /// Error: BadInput if the file cannot be opened.
  static Expected<VectorReader> open(const std::string& path);
  /// Reads from memory (for tests and fuzzing); `text` is not compressed.
  static VectorReader from_text(std::string text, std::string name);

  VectorReader(VectorReader&&) noexcept;
  VectorReader& operator=(VectorReader&&) noexcept;
  ~VectorReader();

  /// The next case; nullptr at the end of the file.
  /// Error: BadInput with line and column of the first mistake; reading cannot go on. A file
  /// without a case is one, and so are a name that occurs twice, a case that expects nothing, and
  /// an opcode that the chip does not have.
  Expected<std::unique_ptr<VectorCase>> next();

 private:
  class Source;
  explicit VectorReader(std::unique_ptr<Source> source);
  std::unique_ptr<Source> source_;
};

} // namespace lanewise::vectors
