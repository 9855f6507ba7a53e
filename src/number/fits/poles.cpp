// Poles are looked for where intervals say that there may be one: the range is cut into pieces, and
// of those whose values may be infinite, the ones with the largest values are cut in half again and
// again, towards what may be infinite. Intervals of a function that is written in a complicated way
// are wide everywhere; so only a place where the values have grown beyond all others counts as a
// pole.
#include "number/fits/poles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "number/references/enclosure.h"
#include "number/references/evaluation.h"

namespace lanewise::fits {
namespace {

constexpr unsigned kPieces = 512;
/// So many pieces are followed, each so far that a piece of a double's width is left.
constexpr std::size_t kMostFollowed = 8;
constexpr unsigned kHalvings = 44;
/// A simple pole grows by 2 with each halving; what is finite ends long before.
constexpr double kGrowth = 0x1p24;

struct Piece {
  double low = 0, high = 0;
  double size = 0; ///< the largest value at its ends and in its middle

  double centre() const { return low + (high - low) / 2; }
};

class Search {
 public:
  explicit Search(const FitRequest& request) : request_(request) {}

  Expected<void> run() {
    std::vector<Piece> suspects;
    const double step = (request_.high - request_.low) / kPieces;
    double largest = 0;
    for (unsigned i = 0; i < kPieces; ++i) {
      const double low = request_.low + i * step;
      const Piece piece = measured(low, i + 1 == kPieces ? request_.high : low + step);
      for (const double x : {piece.low, piece.centre(), piece.high}) {
        if (!std::isfinite(value(x))) return without_value(x);
      }
      if (may_be_infinite(piece)) {
        suspects.push_back(piece);
      } else {
        largest = std::max(largest, piece.size);
      }
    }
    std::ranges::sort(suspects, std::greater{}, &Piece::size);
    for (std::size_t i = kMostFollowed; i < suspects.size(); ++i)
      largest = std::max(largest, suspects[i].size);
    suspects.resize(std::min(suspects.size(), kMostFollowed));
    for (const Piece& piece : suspects) {
      const Piece end = followed(piece);
      if (!std::isfinite(end.size) || end.size > kGrowth * std::max(largest, piece.size))
        return pole_near(end.centre());
    }
    return {};
  }

 private:
  double value(double x) const {
    const references::Enclosure there = references::evaluate_between(request_.function, x, x);
    return there.is_nan ? references::kNan : references::middle(there);
  }

  Piece measured(double low, double high) const {
    Piece piece{.low = low, .high = high};
    for (const double x : {low, piece.centre(), high}) {
      const double size = std::fabs(value(x));
      // A comparison with NaN would lose it.
      if (!(size <= piece.size)) piece.size = size;
    }
    return piece;
  }

  bool may_be_infinite(const Piece& piece) const {
    const references::Enclosure all =
        references::evaluate_between(request_.function, piece.low, piece.high);
    return all.is_nan || all.maybe_nan || all.low.is_infinite() || all.high.is_infinite();
  }

  /// The small piece around the place where the values of a suspect may be infinite.
  Piece followed(Piece piece) const {
    for (unsigned i = 0; i < kHalvings && std::isfinite(piece.size); ++i) {
      const Piece left = measured(piece.low, piece.centre());
      const Piece right = measured(piece.centre(), piece.high);
      const bool may_left = may_be_infinite(left), may_right = may_be_infinite(right);
      if (!may_left && !may_right) break;
      const bool goes_left = may_left && (!may_right || !(left.size < right.size));
      piece = goes_left ? left : right;
    }
    return piece;
  }

  Unexpected fault(const std::string& what, double x) const {
    return bad_input(fmt::format("the function {} x = {:.6g}, in the range from {} to {}", what, x,
                                 request_.low, request_.high),
                     "fit it over a range without that, and treat the rest by itself");
  }
  Unexpected without_value(double x) const {
    return fault(std::isnan(value(x)) ? "is undefined at" : "is infinite at", x);
  }
  Unexpected pole_near(double x) const { return fault("has a pole at or near", x); }

  const FitRequest& request_;
};

} // namespace

Expected<void> check_is_bounded(const FitRequest& request) {
  return Search(request).run();
}

} // namespace lanewise::fits
