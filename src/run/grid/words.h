// A word by which cores go: who has raised it, and what is known to who has found it at a value.
// Who waits for at least 2 and finds 3 has heard of those only without whom it would be less.
#pragma once

#include <cstdint>
#include <vector>

#include "run/grid/accesses.h"
#include "run/grid/vector_time.h"

namespace lanewise::grid {

/// Something by which a core was told to go on.
struct Signal {
  Access raised;
  Stamp stamp;            ///< what its core knew when it asked for it
  Counter hearer = 0;     ///< who has gone by it,
  std::uint32_t step = 0; ///< behind this step of his
};

class Word {
 public:
  /// By the NoC.
  struct Raise {
    Stamp stamp; ///< what its core knew when it asked for it
    Counter way = 0;
    std::uint32_t way_time = 0;
    std::uint32_t by = 0; ///< how much
  };
  /// A wait that goes on at this value only.
  struct ExactWait {
    Access look;
    std::uint32_t value = 0;
  };

  /// A core of its own tile has stored to it.
  void store(const Stamp& stamp);
  void set(const Raise& raise);
  void add(const Raise& raise);
  /// It is a copy of another one.
  void join(const Word& other);
  /// A core has gone on by its value.
  void await_exactly(const ExactWait& wait);

  /// Somebody has looked at it.
  void tell(Walker& who) const;
  /// Somebody has waited until it is `least` or more, and has found `value`.
  void tell(Walker& who, std::uint32_t value, std::uint32_t least) const;

  const std::vector<ExactWait>& exact_waits() const { return exact_; }

  std::vector<Signal> signals; ///< the last ones

 private:
  void settle(std::size_t how_many);

  VectorTime time_;           ///< of all that is not among
  std::vector<Raise> raises_; ///< the last ones, that have only added to it
  std::vector<ExactWait> exact_;
};

} // namespace lanewise::grid
