// What a change between two trees is tried on, and what came of it on one of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/machine/config_state.h"
#include "chip/tile/l1_image.h"
#include "run/section/end_state.h"

namespace lanewise::changes {

enum class CaseKind : std::uint8_t {
  Test,      ///< a variant of a test of LLK: three sections on a tile
  Operation, ///< an operation of tt-metal's compute API on the Vector Unit
  Kernel     ///< a kernel of LLK's for the Vector Unit
};

/// "test", "operation", "kernel".
std::string_view kind_name(CaseKind kind);

/// Where results lie, and how: tiles of faces with 16 columns, a face row by row, the exponents of
/// a block format before its numbers.
struct ResultPlace {
  std::uint32_t address = 0;
  std::string format; ///< as of tensors::parse_l1_format(), or another name
  unsigned tiles = 0, tile_bytes = 0;
  unsigned faces = 4, face_rows = 16;
  unsigned face_columns = 2; ///< faces beside each other

  friend bool operator==(const ResultPlace&, const ResultPlace&) = default;
};

using Parameters = std::vector<std::pair<std::string, std::string>>;

struct TestCase {
  CaseKind kind = CaseKind::Test;
  Arch arch = kDefaultArch;
  std::string id;        ///< one of its kind and chip
  std::string group;     ///< what several cases belong to: a test function, an operation
  Parameters parameters; ///< in which they differ, by name
  std::string source;    ///< the file below the folder of LLK; of a kernel its header's name
  std::string build_header = {}; ///< the text of build.h
  std::vector<std::string> defines = {};
  std::vector<tile::L1Input> inputs = {};
  std::optional<ResultPlace> result = std::nullopt;
};

/// A fault of an instruction, or a hazard. Where it stands says a person where to look, but is no
/// part of what it is: lines move.
struct Finding {
  std::string what, place;

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// What one tree makes of a case.
struct Outcome {
  /// Of what g++ compiles: where all are the same, everything else is, too.
  std::vector<std::string> texts = {};
  std::string error = {};             ///< why there is nothing else: what g++ says, as a rule
  std::vector<std::string> ends = {}; ///< what kept it from coming to its end
  std::vector<Finding> findings = {};
  std::array<std::uint64_t, kThreads> executed{};
  std::vector<std::pair<std::string, double>> cycles = {}; ///< of a tile, by figure
  std::vector<tile::L1Input> written = {};                 ///< bytes of L1 that are not as before
  section::EndState state = {};
};

} // namespace lanewise::changes
