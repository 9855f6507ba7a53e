// Kernels one behind the other on the same tile: one program of all of them, and their row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "study/tune/prove.h"
#include "study/tune/rows.h"

namespace lanewise::tune {

/// A kernel of a chain.
struct ChainKernel {
  std::string name; ///< as the user wrote it
  Plain plain;
};

/// A kernel with what is known of its rows.
struct ChainLink {
  ChainKernel kernel;
  Rows rows;
  std::uint32_t moved = 0; ///< how far the Dst counter has moved in front of it, modulo 1024
};

/// Follows each kernel by itself. Error: Unsupported where one has no rows (rows.h), where two
/// store other rows of Dst, or where one cannot stand behind another; BadInput where their .cfg
/// settings differ. The kernel is named.
Expected<std::vector<ChainLink>> links_of(std::span<const ChainKernel> kernels,
                                          const execution::TileRunOptions& options);

/// The word with its Dst address so much lower, if it accesses Dst.
std::uint32_t moved_back(Arch arch, std::uint32_t word, std::uint32_t rows);

/// Where a chain sets what its kernels rely on.
enum class InitPlace : std::uint8_t {
  First, ///< what runs once of all kernels, then the kernels
  Each   ///< again for each tile, in front of the kernel that it is for
};

/// The plain kernels as one program. The Dst counter is not set back between them: addresses of
/// later kernels are lower by what the earlier ones have moved it. `owners`, if given, gets the
/// link of each word.
Plain plain_chain(std::span<const ChainLink> links, InitPlace place,
                  std::vector<std::size_t>* owners = nullptr);

/// One row of all kernels. `rounds`: whether what link i stores is made a bf16 number by an
/// operation, as a store to a tile of bf16 makes it. Nothing where a kernel loads otherwise than
/// the one before it has stored.
std::optional<RowGraph> fused_row(std::span<const ChainLink> links,
                                  const std::vector<bool>& rounds);

/// How the values between kernels become what Dst would make of them.
struct Fusion {
  std::optional<RowGraph> row; ///< nothing: it cannot be fused
  unsigned roundings = 0;      ///< operations that stand for stores to Dst and loads
  std::string refusal = {};    ///< a sentence, without a row
};

/// The row with as few roundings as give the results of the kernels one behind the other. Of 16
/// bits all inputs decide that; of 32 bits nothing is rounded, and the proof decides.
Expected<Fusion> fuse(std::span<const ChainLink> links, const ProofOptions& options);

} // namespace lanewise::tune
