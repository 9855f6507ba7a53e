// Products of matrices that come again. Loops that measure, and layers that share an operand,
// multiply the same rows of SrcA and SrcB and add them to the same rows of Dst: they leave the
// same there, and computing them is most of what an instruction of the Matrix Unit costs.
//
// Nothing is taken for the same that has not been compared as a whole. A product is kept when it
// seems to come for the second time, so that those that do not come again take little. Where many
// do not, this rests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "chip/machine/matrix/arithmetic.h"

namespace lanewise {

class ProductMemo {
 public:
  static constexpr unsigned kRowsOfA = 16;
  static constexpr unsigned kHalf = kMatrixRows * kDstColumns; ///< cells

  /// Eight rows of Dst as they are stored: the only or the upper halves, then the lower ones.
  using Rows = std::array<std::uint16_t, std::size_t{2} * kHalf>;

  /// All that the result depends on.
  struct Product {
    const std::uint32_t* a; ///< 16 rows of SrcA
    const std::uint32_t* b; ///< 8 rows of SrcB
    MatrixMode mode;
    /// Rows that are not valid are zeros. Lower halves only if the mode is wide.
    const Rows* before;
  };

  /// What such a product has left, as many cells as before; nullptr: it has to be computed, and
  /// then remembered. Until the next call.
  const std::uint16_t* find(const Product& product);
  /// The product that find() did not find has left this.
  void remember(const Product& product, const Rows& after);

  /// For its lifetime, products of this thread are remembered.
  class Scope {
   public:
    Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();

   private:
    std::unique_ptr<ProductMemo> memo_;
    ProductMemo* before_;
  };
  /// That of the thread; nullptr if there is none, or if it rests.
  static ProductMemo* current();

  /// How many were found.
  std::uint64_t found() const { return found_; }
  bool rests() const { return left_ == 0; }

 private:
  static constexpr unsigned kPlaceBits = 13, kSeenBits = 15;
  /// Loops of so many products are found again; memory of some 10 MB at most.
  static constexpr std::uint32_t kMost = 1U << kPlaceBits;
  /// Products that may be computed before it rests: a loop's are seen, then kept, then found.
  static constexpr std::uint32_t kPatience = 4 * kMost;

  struct Entry {
    std::uint32_t a = 0, b = 0; ///< places in a_ and b_
    std::uint32_t rows = 0;     ///< in rows_: those before, then those after
    std::uint32_t next = 0;     ///< the entry that followed last time
    MatrixMode mode{};
  };

  /// Operands, each once as far as they are found again.
  class Operands {
   public:
    explicit Operands(unsigned cells) : cells_(cells) {}

    std::uint32_t put(const std::uint32_t* operand);
    bool is(std::uint32_t place, const std::uint32_t* operand) const;
    std::uint64_t hash(const std::uint32_t* operand) const;

   private:
    unsigned cells_;
    std::vector<std::uint32_t> all_, places_; ///< cells; where operands begin, by hash
  };

  static constexpr std::uint32_t kNone = ~0U;

  bool is(const Entry& entry, const Product& product) const;
  const std::uint16_t* found_at(std::uint32_t entry);
  std::uint64_t hash_of_all(const Product& product) const;

  Operands a_{kRowsOfA * kSourceColumns}, b_{kMatrixRows * kSourceColumns};
  std::vector<std::uint16_t> rows_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> places_; ///< entries, by hash
  std::vector<std::uint32_t> seen_;   ///< parts of hashes, by hash
  std::size_t place_ = 0;             ///< of the product that was not found
  bool comes_again_ = false;          ///< that product, as it seems
  std::uint32_t last_ = 0;            ///< the entry that was found or remembered last
  std::uint32_t left_ = kPatience;    ///< fewer with each that is computed, more with each found
  std::uint64_t found_ = 0;
};

} // namespace lanewise
