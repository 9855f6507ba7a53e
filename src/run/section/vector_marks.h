// SFPI in the code of a core: which words a core pushes where marks stand.
//
// A stretch is what the section recorded on the host from an operation of SFPI up to what others
// could see (vector_code.h), and the words that were made of it. The core's code comes through the
// same stretches. Its marks, and the instructions that it pushes among them, are the places of a
// stretch; words i * W / M up to (i + 1) * W / M of W go to place i of M. That is assumed: the
// vendor's compiler puts each instruction where it wants.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/fault.h"
#include "binary/elf/image.h"
#include "chip/isa/arch.h"

namespace lanewise::section {

/// Whether others can see, once the word is executed, what was pushed before it: the end of a
/// stretch.
bool is_seen_by_others(Arch arch, std::uint32_t word);

/// The stretches of a section, in their order. Most come again and again.
struct Stretches {
  std::vector<std::vector<std::uint32_t>> texts; ///< those that differ
  std::vector<std::uint32_t> order;              ///< numbers of texts

  friend bool operator==(const Stretches&, const Stretches&) = default;
};

/// Writes down stretches.
class StretchLog {
 public:
  void add(std::vector<std::uint32_t> words);
  const Stretches& taken() const { return stretches_; }

 private:
  Stretches stretches_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known_;
};

/// Whether a program has such marks. What looks like one in its data counts, too.
bool has_marks(const elf::Image& program);

/// Follows the stretches of one core.
class VectorMarks {
 public:
  /// `places`: how many each stretch has, which a run before has counted; without them, all words
  /// of a stretch come at its end. `stretches` must live as long.
  VectorMarks(Arch arch, const Stretches& stretches, std::vector<std::uint32_t> places = {})
      : arch_(arch), stretches_(stretches), places_(std::move(places)) {}

  /// What goes to the tile where the core pushes a word, or comes to a mark. Error: Unsupported,
  /// without a place: the core does not come through the same stretches as the host.
  Expected<std::vector<std::uint32_t>> pushed(std::uint32_t word);
  /// What goes there before the core does something else that others can see. Error: as above.
  Expected<std::vector<std::uint32_t>> seen();
  /// When the core has ended. Error: as above.
  Expected<void> ended() const;

  /// The places of the stretches that are over.
  const std::vector<std::uint32_t>& counted() const { return counted_; }

 private:
  Expected<void> open();
  Expected<std::vector<std::uint32_t>> place();
  Expected<std::vector<std::uint32_t>> close();
  const std::vector<std::uint32_t>& words() const;

  Arch arch_;
  const Stretches& stretches_;
  std::vector<std::uint32_t> places_, counted_;
  bool is_open_ = false;
  std::uint32_t at_ = 0; ///< places of the open stretch until now
};

} // namespace lanewise::section
