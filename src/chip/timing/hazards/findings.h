// What the checks of the hazard checker report to: findings are merged by rule and lines, and put
// into words only once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "chip/machine/micro_op.h"
#include "chip/timing/hazards/hazards.h"

namespace lanewise::timing {

/// Every rule, in the order of hazard_rules().
enum class HazardId : std::uint8_t {
#define HAZARD(name, ...) name,
#include "chip/timing/hazards/rules.def"
#undef HAZARD
};

const HazardRule& hazard_rule(HazardId id);

/// "L3", or "L0, L1 and L2".
std::string register_names(LRegMask registers);

/// Where something was found.
struct Spot {
  const MicroOp* op = nullptr; ///< to blame; nullptr = no instruction
  std::uint64_t cycle = 0;
  std::uint32_t other_line = 0; ///< of the instruction that it is too close to; 0 = none
  bool scheduled = false;
};

/// A case in words.
struct HazardText {
  std::string message;
  std::string mend;                         ///< the rule's general advice if empty
  std::vector<ProposedChange> changes = {}; ///< advised instead of that where they hold
};

class Findings {
 public:
  explicit Findings(Arch arch, LineText line_text = lanewise::line_text, bool worded = true)
      : arch_(arch), line_text_(std::move(line_text)), worded_(worded) {}

  Arch arch() const { return arch_; }

  // What sentences name

  /// "line 12", "header.h:12", or "an instruction without a line".
  std::string line_name(std::uint32_t line) const;
  /// "SFPMAD of line 12", or "SFPMAD that line 12 schedules".
  std::string op_name(const MicroOp& op, bool scheduled) const;
  /// Inserts copies of a word in front of a line; nothing without a line.
  std::vector<ProposedChange> insertion(std::uint32_t before_line, std::string_view what,
                                        std::uint32_t word, std::size_t copies = 1) const;

  /// Counts a case; `text()` is asked for a HazardText if it is the first of its rule and lines.
  template <class Text>
  void add(HazardId id, const Spot& spot, Text&& text) {
    if (Hazard* first = merge(id, spot); first != nullptr && worded_) {
      HazardText words = text();
      first->message = std::move(words.message);
      first->mend = words.mend.empty() ? std::string(first->rule->mend) : std::move(words.mend);
      first->changes = std::move(words.changes);
    }
  }

  /// In order of cycle.
  std::vector<Hazard> take();

 private:
  /// Line, other line, and the word where there is no line.
  using Place = std::tuple<HazardId, std::uint32_t, std::uint32_t, std::uint32_t>;

  /// The new entry, or nullptr if the case is merged into one or the chip is not concerned.
  Hazard* merge(HazardId id, const Spot& spot);

  Arch arch_;
  LineText line_text_;
  bool worded_;
  std::map<Place, std::size_t> places_;
  std::vector<Hazard> hazards_;
};

} // namespace lanewise::timing
