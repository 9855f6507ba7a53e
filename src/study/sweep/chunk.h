// A chunk of a sweep with what its results should be: everything that is the same for all chips.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "number/references/reference.h"
#include "study/sweep/order.h"
#include "study/sweep/statistics.h"

namespace lanewise::sweep {

/// Which statistics an input belongs to: exactly one of these.
enum class InputKind : std::uint8_t { Counted, ExpectedNaN, Denormal, Infinite, NaN };

/// What the results of a chunk should be, in the same order as its inputs.
struct ChunkExpectation {
  std::vector<std::uint32_t> bits; ///< value bits of the output format
  std::vector<double> exact;       ///< before rounding
  std::vector<InputKind> kind;
  std::uint64_t undecided = 0;
  bool is_all_counted = false; ///< every input is of the kind Counted

  void resize(std::size_t count);
  /// Gives counted inputs whose `bits` are a NaN their kind, and looks whether all are counted.
  void finish(formats::Format output_format);
};

struct SweepChunk {
  ChunkInputs inputs;        ///< those of the domain
  std::uint64_t outside = 0; ///< those that are not
  ChunkExpectation expected; ///< without a reference: only `kind`, of inputs
};

/// Evaluates functions on chunks. One object for each thread: it keeps what it allocates.
class ChunkEvaluator {
 public:
  /// `reference` and `domain` may be nullptr.
  ChunkEvaluator(formats::Format format, formats::Format output_format,
                 const references::Reference* reference, const references::Reference* domain)
      : format_(format), output_format_(output_format), reference_(reference), domain_(domain) {}

  /// From chunk.inputs: leaves out what is not in the domain, then fills in what is expected.
  /// Error: what the functions say.
  Expected<void> evaluate(SweepChunk& chunk);

 private:
  Expected<void> evaluate(const references::Reference& function, formats::Format format,
                          const ChunkInputs& inputs, references::ReferenceResults& results);
  Expected<void> leave_out(SweepChunk& chunk);

  formats::Format format_, output_format_;
  const references::Reference* reference_;
  const references::Reference* domain_;
  std::vector<std::uint32_t> domain_bits_;
  std::vector<double> domain_exact_;
};

} // namespace lanewise::sweep
