// Where routers lie on a chip, and the way that a packet goes from one to another.
//
// Both NoCs are tori of one direction each: NoC 0 goes right, then down, NoC 1 up, then left. A
// packet leaves a router by one of two links. (ISA NoC/RoutingPaths; soc_descriptors/*.yaml.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chip/noc/places.h"

namespace lanewise::noc {

/// The router of the compute core in column x and row y of those that programs see, on a chip of
/// which nothing is switched off before them: the physical place, as NoC 0 counts.
NocPlace worker_router(Arch arch, unsigned x, unsigned y);

/// The router of the port that the tables of banks name for a bank and a NoC.
NocPlace bank_router(Arch arch, unsigned noc, unsigned bank);

/// A link, by number: of NoC 0 those to the right of all routers, row by row, and those that go
/// down; of NoC 1 those to the left, and those that go up.
using Link = std::uint16_t;

/// The torus of one NoC.
class Torus {
 public:
  Torus(Arch arch, unsigned noc);

  unsigned routers() const { return columns_ * rows_; }
  unsigned links() const { return 2 * routers(); }
  /// Whether packets go left and up, as on NoC 1.
  bool is_back() const { return is_back_; }
  unsigned router_number(NocPlace place) const { return place.y * columns_ + place.x; }

  /// Routers that a packet passes beside the first one.
  unsigned hops(NocPlace from, NocPlace to) const;

  /// Adds the links from one router to another, in the order in which a packet takes them.
  void append_route(NocPlace from, NocPlace to, std::vector<Link>& links) const;

  /// Where a link goes: from this router, and to that.
  NocPlace begin_of(Link link) const;
  NocPlace end_of(Link link) const;

 private:
  unsigned columns_, rows_;
  bool is_back_; ///< up and left, rows first
};

/// The way of a packet to many, each of whose links is taken once: along the sender's row to the
/// columns of its rectangle, if it is not in one, then along that column, and from there along each
/// row (ISA NoC/RoutingPaths, "X as major axis", which tt-metal asks for on both NoCs).
struct Tree {
  struct Step {
    Link link;
    std::uint16_t before; ///< the step that leads to it, from 1; 0: it begins at the sender
  };
  /// Links on the longest way.
  unsigned depth() const;

  std::vector<Step> steps; ///< from 1 on; a step stands behind the one that leads to it
  std::vector<std::uint16_t> receivers; ///< where a step ends, or (0) at the sender

  /// The steps that a step leads to.
  std::span<const std::uint16_t> after(std::uint32_t step) const {
    return std::span(next).subspan(begin[step], begin[step + 1] - begin[step]);
  }
  std::vector<std::uint16_t> next, begin; ///< of after()
};
Tree tree_of(const Torus& torus, NocPlace from, std::span<const NocPlace> to);

} // namespace lanewise::noc
