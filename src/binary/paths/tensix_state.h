// The state of the coprocessor as far as follow_paths() follows it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "binary/paths/resources.h"
#include "binary/paths/tensix_paths.h"
#include "chip/isa/def_use.h"
#include "chip/isa/lreg_sets.h"

namespace lanewise::paths {

/// Ascending, each once.
using Setters = std::vector<Setter>;

/// What some path, or every path, to a place has done.
struct TensixState {
  bool is_known = true;                        ///< forget() has not been called on any path
  isa::LRegSet unwritten = isa::kGeneralLRegs; ///< some path has not written it
  Resources unset = ~Resources{0};             ///< some path has not programmed it
  std::array<Setters, resource::kCount> setters;
  int least_pushed = 0, most_pushed = 0;
  /// Words that a REPLAY still records, and where the next one goes.
  unsigned to_record = 0, next_slot = 0;
  bool executes_recorded = false;

  TensixState() { setters.fill({kBefore}); }

  void program(unsigned resource, Setter setter) {
    setters[resource] = {setter};
    unset &= ~resource_bit(resource);
  }
  /// After an instruction or a function that is not known.
  void forget() {
    is_known = false;
    unwritten = 0;
    unset = 0;
    for (Setters& each : setters) each = {kBefore};
  }
};

/// The predicate stack has 8 entries; more are not told apart.
inline constexpr int kMostPushed = 9;

namespace detail {

inline bool add_setters(Setters& into, const Setters& from) {
  if (std::ranges::includes(into, from)) return false;
  Setters all;
  std::ranges::set_union(into, from, std::back_inserter(all));
  into = std::move(all);
  return true;
}

template <class Number>
bool change(Number& into, Number value) {
  if (into == value) return false;
  into = value;
  return true;
}

} // namespace detail

/// Adds what another path brings; says whether that changed something.
inline bool join(TensixState& into, const TensixState& from) {
  using detail::change;
  bool changed = change(into.is_known, into.is_known && from.is_known);
  changed |= change(into.unwritten, into.unwritten | from.unwritten);
  changed |= change(into.unset, into.unset | from.unset);
  for (unsigned i = 0; i < resource::kCount; ++i)
    changed |= detail::add_setters(into.setters[i], from.setters[i]);
  changed |= change(into.least_pushed, std::min(into.least_pushed, from.least_pushed));
  changed |= change(into.most_pushed, std::max(into.most_pushed, from.most_pushed));
  changed |= change(into.to_record, std::min(into.to_record, from.to_record));
  return changed;
}

} // namespace lanewise::paths
