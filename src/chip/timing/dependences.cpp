#include "chip/timing/dependences.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>

#include "chip/isa/matrix_ops.h"
#include "chip/timing/access.h"
#include "chip/timing/matrix_clock.h"

namespace lanewise::timing {

namespace {

constexpr unsigned kRegisters = 17; ///< bits of LRegMask
constexpr unsigned kQuadRows = 4;   ///< rows of Dst that a load or store accesses
constexpr unsigned kQuads = 256;    ///< in 1024 rows

/// Whether its rows are a block of the Matrix Unit.
bool is_matrix_access(const Event& event) {
  return event.dst_row >= 0 && event.sub_unit == isa::SubUnit::None;
}

bool reads_dst(const Event& event) {
  return is_matrix_access(event) ? reads_dst_block(event.op)
                                 : event.dst_row >= 0 && is_load(event.op);
}

/// A store that becomes a macro template reads nothing and stores nothing (VU C13).
bool writes_dst(const Event& event) {
  return is_matrix_access(event) ? writes_dst_block(event.op)
                                 : event.dst_row >= 0 && is_store(event.op) && event.reads != 0;
}

/// The last two writers of a place.
struct Writers {
  std::optional<std::uint32_t> last, before;

  void add(std::uint32_t event) {
    before = last;
    last = event;
  }
};

class Finder {
 public:
  explicit Finder(const Schedule& schedule) : schedule_(schedule), events_(schedule.events) {}

  std::vector<Dependence> run() {
    for (std::uint32_t begin = 0, end = 0; begin < events_.size(); begin = end) {
      while (end < events_.size() && events_[end].cycle == events_[begin].cycle) ++end;
      // All events of a cycle read before one of them writes (VU 5.1).
      for (std::uint32_t reader = begin; reader < end; ++reader) read(reader);
      for (std::uint32_t writer = begin; writer < end; ++writer) write(writer);
    }
    return std::move(found_);
  }

 private:
  void read(std::uint32_t reader) {
    std::map<std::uint32_t, Dependence> by_writer;
    const auto from = [&](std::uint32_t writer) -> Dependence& {
      Dependence& each = by_writer[writer];
      each.from = writer;
      each.to = reader;
      return each;
    };
    const Event& event = events_[reader];
    for (unsigned reg = 0; reg < kRegisters; ++reg) {
      if ((event.reads >> reg & 1U) == 0) continue;
      if (const auto writer = seen(registers_[reg], event)) from(*writer).registers |= 1U << reg;
    }
    if (reads_dst(event)) {
      for_each_quad(event, [&](std::optional<std::uint32_t>& writer) {
        if (writer) from(*writer).dst = true;
      });
    }
    for (auto& [writer, each] : by_writer) {
      each.decides = has_waited(each);
      found_.push_back(each);
    }
  }

  void write(std::uint32_t writer) {
    const Event& event = events_[writer];
    for (unsigned reg = 0; reg < kRegisters; ++reg) {
      if ((event.writes >> reg & 1U) != 0) registers_[reg].add(writer);
    }
    if (writes_dst(event)) {
      for_each_quad(event, [&](std::optional<std::uint32_t>& last) { last = writer; });
    }
  }

  /// The writer whose value an event finds.
  std::optional<std::uint32_t> seen(const Writers& writers, const Event& reader) const {
    if (!writers.last) return std::nullopt;
    const Event& last = events_[*writers.last];
    const bool in_program_order = !last.scheduled && !reader.scheduled;
    return in_program_order || last.cycle + last.latency <= reader.cycle ? writers.last
                                                                         : writers.before;
  }

  /// Calls `visit` with the last writer of each four rows, even and odd columns, of an event.
  template <class Visit>
  void for_each_quad(const Event& event, Visit visit) {
    const unsigned first = static_cast<unsigned>(event.dst_row) / kQuadRows;
    if (!is_matrix_access(event)) {
      visit(dst_[first % kQuads][event.dst_odd ? 1 : 0]);
      return;
    }
    for (unsigned quad = first; quad < first + kDstBlockRows / kQuadRows; ++quad) {
      for (std::optional<std::uint32_t>& columns : dst_[quad % kQuads]) visit(columns);
    }
  }

  /// Whether the reader came as soon as the value was there, and had to wait until then.
  bool has_waited(const Dependence& value) const {
    const Event &from = events_[value.from], &to = events_[value.to];
    if (from.scheduled || to.scheduled) return false;
    const Issue& issue = schedule_.issues[to.issue];
    if (value.dst && issue.before > 0 && issue.before_cause == StallCause::DstBlock)
      return from.cycle + 1 + dst_busy_cycles(from.op) == to.cycle;
    return issue.inside > 0 && issue.inside_cause == StallCause::Result &&
           from.cycle + from.latency == to.cycle;
  }

  const Schedule& schedule_;
  std::span<const Event> events_;
  std::array<Writers, kRegisters> registers_;
  std::array<std::array<std::optional<std::uint32_t>, 2>, kQuads> dst_; ///< even, odd columns
  std::vector<Dependence> found_;
};

} // namespace

std::vector<Dependence> dependences(const Schedule& schedule) {
  return Finder(schedule).run();
}

} // namespace lanewise::timing
