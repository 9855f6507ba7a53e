#include "source/compiler/rows.h"

#include <algorithm>
#include <map>
#include <span>

#include "source/compiler/intervals.h"
#include "source/compiler/regions.h"

namespace lanewise::compiler {

namespace {

/// Instructions [first, last), and the dst_reg++ at `last`.
struct TileRow {
  std::size_t first = 0, last = 0;
};

/// Neighbouring rows that are the same but for their registers.
using RowRun = std::vector<TileRow>;

class RowFinder {
 public:
  explicit RowFinder(const Code& code) : code_(code), intervals_(find_intervals(code, true)) {
    for (std::size_t i = 0; i < code.instrs.size(); ++i)
      if (is_row_step(code.instrs[i])) steps_.push_back(i);
  }

  std::vector<RowRun> run() const {
    std::vector<RowRun> runs;
    for (std::size_t step = 0; step + 1 < steps_.size();) {
      RowRun found = rows_from(step);
      step += std::max<std::size_t>(found.size(), 1);
      if (found.size() > 1) runs.push_back(std::move(found));
    }
    return runs;
  }

 private:
  /// The rows from that step on. What comes before the first of them may be longer: it begins with
  /// what is done once.
  RowRun rows_from(std::size_t step) const {
    const std::size_t length = steps_[step + 1] - steps_[step] - 1;
    const std::size_t before = step == 0 ? steps_[0] : steps_[step] - steps_[step - 1] - 1;
    if (length == 0 || before < length) return {};
    RowRun rows{{steps_[step] - length, steps_[step]}};
    if (!is_row(rows.front())) return {};
    for (std::size_t next = step + 1; next < steps_.size(); ++next) {
      const TileRow row{steps_[next - 1] + 1, steps_[next]};
      if (row.last - row.first != length || !is_row(row) || !is_same(rows.front(), row)) break;
      rows.push_back(row);
    }
    return rows;
  }

  std::span<const Instr> instrs(const TileRow& row) const {
    return std::span(code_.instrs).subspan(row.first, row.last - row.first);
  }

  /// Whether nothing in it must stay where it is, but for predicates, and nothing that it writes is
  /// read elsewhere.
  bool is_row(const TileRow& row) const {
    return std::ranges::all_of(instrs(row), [&](const Instr& instr) {
      bool is_own = !is_fence(code_.arch, instr) || is_predicate(code_.arch, instr);
      for_each_def(instr, [&](Reg reg) { is_own &= is_of(row, reg); });
      return is_own;
    });
  }

  bool is_of(const TileRow& row, Reg reg) const {
    if (!reg.is_virtual()) return false;
    const Interval& life = intervals_.of[reg.number()];
    return life.first >= read_time(row.first) && life.last <= write_time(row.last);
  }

  bool is_same(const TileRow& a, const TileRow& b) const {
    std::map<unsigned, unsigned> names; // registers of b by those of a
    const auto same_reg = [&](Reg x, Reg y) {
      if (!x.is_virtual() || !y.is_virtual() || (!is_of(a, x) && !is_of(b, y))) return x == y;
      return is_of(a, x) && is_of(b, y) &&
             names.try_emplace(x.number(), y.number()).first->second == y.number();
    };
    return code_.instrs[a.last].word == code_.instrs[b.last].word &&
           std::equal(instrs(a).begin(), instrs(a).end(), instrs(b).begin(), instrs(b).end(),
                      [&](const Instr& x, const Instr& y) {
                        return is_same_but_registers(x, y) && same_reg(x.va, y.va) &&
                               same_reg(x.vb, y.vb) && same_reg(x.vc, y.vc) &&
                               same_reg(x.vd, y.vd) &&
                               std::equal(x.pins.begin(), x.pins.end(), y.pins.begin(),
                                          y.pins.end(), [&](const Pin& p, const Pin& q) {
                                            return p.lreg == q.lreg && same_reg(p.reg, q.reg);
                                          });
                      });
  }

  static bool is_same_but_registers(const Instr& a, const Instr& b) {
    return a.op == b.op && a.mod == b.mod && a.addr_mod == b.addr_mod && a.imm == b.imm &&
           a.reads_vd == b.reads_vd && a.keeps_vd == b.keeps_vd;
  }

  const Code& code_;
  Intervals intervals_;
  std::vector<std::size_t> steps_; ///< where each dst_reg++ is
};

/// Whether all of `count` rows can be addressed from the first, and stepped over at once.
bool reaches(const Code& code, const RowRun& rows, unsigned count) {
  const unsigned step = step_of(code.instrs[rows.front().last]);
  if (count > rows.size() || step * count > kLargestStep) return false;
  return std::all_of(code.instrs.begin() + static_cast<std::ptrdiff_t>(rows.front().first),
                     code.instrs.begin() + static_cast<std::ptrdiff_t>(rows.front().last),
                     [&](const Instr& each) {
                       return !accesses_dst(each) ||
                              static_cast<unsigned>(each.imm) + step * (count - 1) < kDstAddresses;
                     });
}

void move_row(Code& code, const TileRow& row, unsigned by) {
  for (std::size_t i = row.first; i < row.last; ++i)
    if (accesses_dst(code.instrs[i])) code.instrs[i].imm += static_cast<std::int32_t>(by);
}

} // namespace

void join_rows(Code& code, unsigned count) {
  if (!may_reorder(code)) return;
  std::vector<bool> gone(code.instrs.size());
  for (const RowRun& rows : RowFinder(code).run()) {
    if (!reaches(code, rows, count)) continue;
    const unsigned step = step_of(code.instrs[rows.front().last]);
    for (std::size_t group = 0; group + count <= rows.size(); group += count) {
      for (unsigned i = 0; i < count; ++i) move_row(code, rows[group + i], step * i);
      for (unsigned i = 0; i + 1 < count; ++i) gone[rows[group + i].last] = true;
      set_step(code.instrs[rows[group + count - 1].last], step * count);
    }
  }
  std::size_t next = 0;
  std::erase_if(code.instrs, [&](const Instr&) { return gone[next++]; });
}

bool has_rows(const Code& code) {
  return may_reorder(code) && !RowFinder(code).run().empty();
}

} // namespace lanewise::compiler
