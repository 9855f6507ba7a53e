#include "study/traffic/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "base/in_quotes.h"
#include "base/text_file.h"

namespace lanewise::traffic {

namespace {

using nlohmann::json;
using Kind = TraceEvent::Kind;

/// The most that one call moves; L1 is smaller.
constexpr std::uint64_t kMostBytes = 1U << 24;
/// Later than any trace.
constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 62;
/// Of semaphores, and of what is written inline.
constexpr std::uint32_t kWord = 4;

/// Whether the call names where to, has it named before, or names it for later.
enum class State : std::uint8_t { None, Set, With };

struct Type {
  std::string_view name;
  Kind kind;
  State state = State::None;
  bool is_word = false;
};
constexpr std::array<Type, 33> kTypes{{
    {"READ", Kind::Read},
    {"READ_SET_STATE", Kind::Read, State::Set},
    {"READ_WITH_STATE", Kind::Read, State::With},
    {"READ_WITH_STATE_AND_TRID", Kind::Read, State::With},
    {"READ_DRAM_SHARDED_SET_STATE", Kind::Read, State::Set},
    {"READ_DRAM_SHARDED_WITH_STATE", Kind::Read, State::With},
    {"READ_SET_TRID", Kind::Other},
    {"READ_BARRIER_START", Kind::ReadsBegin},
    {"READ_BARRIER_END", Kind::ReadsEnd},
    {"READ_BARRIER_WITH_TRID", Kind::Other},
    {"WRITE_", Kind::Write},
    {"WRITE_SET_TRID", Kind::Other},
    {"WRITE_WITH_TRID", Kind::Write},
    {"WRITE_INLINE", Kind::Write, State::None, true},
    {"WRITE_MULTICAST", Kind::Multicast},
    {"WRITE_SET_STATE", Kind::Write, State::Set},
    {"WRITE_WITH_STATE", Kind::Write, State::With},
    {"WRITE_WITH_TRID_SET_STATE", Kind::Write, State::Set},
    {"WRITE_WITH_TRID_WITH_STATE", Kind::Write, State::With},
    {"WRITE_BARRIER_START", Kind::WritesBegin},
    {"WRITE_BARRIER_END", Kind::WritesEnd},
    {"WRITE_BARRIER_WITH_TRID", Kind::Other},
    {"WRITE_FLUSH", Kind::Other},
    {"WRITE_FLUSH_WITH_TRID", Kind::Other},
    {"FULL_BARRIER", Kind::Other},
    {"ATOMIC_BARRIER", Kind::Other},
    {"SEMAPHORE_INC", Kind::Increment, State::None, true},
    {"SEMAPHORE_WAIT", Kind::Other},
    {"SEMAPHORE_SET", Kind::Other},
    {"SEMAPHORE_SET_REMOTE", Kind::Write, State::None, true},
    {"SEMAPHORE_SET_MULTICAST", Kind::Multicast, State::None, true},
    {"SEMAPHORE_INC_MULTICAST", Kind::Multicast, State::None, true},
    {"UNDEF", Kind::Other},
}};

class TraceReader {
 public:
  explicit TraceReader(Arch arch) : grid_(noc_record(arch)->grid) { trace_.arch = arch; }

  Expected<Trace> read(const json& document) {
    if (!document.is_array())
      return bad_input("the file is no list of events", "name a noc_trace*.json of tt-metal");
    for (const json& event : document) {
      ++number_;
      if (!event.is_object()) {
        refuse("is none", "check the file");
      } else {
        add(event);
      }
      if (fault_) return Unexpected(*fault_);
    }
    for (auto& [key, thread] : threads_) {
      std::ranges::stable_sort(thread.thread.events, {}, &TraceEvent::time);
      trace_.threads.push_back(std::move(thread.thread));
    }
    if (trace_.threads.empty())
      return bad_input("the file has no events", "name a noc_trace*.json of tt-metal");
    return std::move(trace_);
  }

 private:
  struct Saved {
    NocPlace to = {};
    std::uint32_t bytes = 0;
    bool is_set = false;
  };
  struct Thread {
    TraceThread thread;
    Saved read, write;
  };

  void refuse(const std::string& what, std::string remedy) {
    if (fault_) return;
    fault_ = bad_input(fmt::format("event {} {}", number_, what), std::move(remedy)).value();
  }

  std::uint64_t number(const json& event, const char* name, std::uint64_t below) {
    const auto found = event.find(name);
    if (found == event.end() || !found->is_number_unsigned() ||
        found->get<std::uint64_t>() >= below) {
      refuse(fmt::format("has no {} that is a number below {}", name, below),
             "check the file, and --arch");
      return 0;
    }
    return found->get<std::uint64_t>();
  }
  std::string text(const json& event, const char* name) {
    const auto found = event.find(name);
    if (found != event.end() && found->is_string()) return found->get<std::string>();
    refuse(fmt::format("has no {}", name), "check the file");
    return {};
  }
  NocPlace place(const json& event, const char* x, const char* y) {
    return {static_cast<std::uint8_t>(number(event, x, grid_.x)),
            static_cast<std::uint8_t>(number(event, y, grid_.y))};
  }

  void add(const json& object) {
    TraceEvent event{.time = number(object, "timestamp", kMostCycles)};
    const std::string processor = text(object, "proc");
    const NocPlace at = place(object, "sx", "sy");
    if (fault_) return;
    Thread& thread = threads_[{at.y, at.x, processor}];
    thread.thread.processor = processor;
    thread.thread.at = at;
    if (object.contains("zone") || fill(object, event, thread))
      thread.thread.events.push_back(event);
  }

  /// Whether something happens then.
  bool fill(const json& object, TraceEvent& event, Thread& thread) {
    const std::string name = text(object, "type"), noc = text(object, "noc");
    if (fault_) return false;
    const auto type = std::ranges::find(kTypes, std::string_view(name), &Type::name);
    if (type == kTypes.end()) {
      const bool is_fabric = name.starts_with("FABRIC");
      refuse(fmt::format("is of the type {}, which {}", in_quotes(name),
                         is_fabric ? "leaves the chip" : "is not known here"),
             is_fabric ? "replay traces of one chip" : "check the file");
      return false;
    }
    if (noc != "NOC_0" && noc != "NOC_1")
      refuse(fmt::format("is of {}, which is no NoC", in_quotes(noc)), "write NOC_0 or NOC_1");
    event.kind = type->kind;
    event.noc = noc == "NOC_1" ? 1 : 0;
    const bool moves = event.kind <= Kind::Multicast;
    if (!moves || fault_) return !fault_;
    event.bytes =
        type->is_word ? kWord : static_cast<std::uint32_t>(number(object, "num_bytes", kMostBytes));
    Saved& saved = event.kind == Kind::Read ? thread.read : thread.write;
    if (event.kind == Kind::Multicast) {
      if (!object.contains("mcast_start_x")) { // of semaphores, which are told without
        event.kind = Kind::Other;
        return true;
      }
      event.to = place(object, "mcast_start_x", "mcast_start_y");
      event.last = place(object, "mcast_end_x", "mcast_end_y");
    } else if (type->state == State::With) {
      if (!saved.is_set) refuse("uses a state that nobody has set", "check the file");
      event.to = saved.to;
      if (saved.bytes != 0) event.bytes = saved.bytes;
    } else {
      event.to = place(object, "dx", "dy");
    }
    if (type->state == State::Set) {
      saved = {.to = event.to, .bytes = event.bytes, .is_set = true};
      event.kind = Kind::Other;
    } else if (event.bytes == 0) {
      event.kind = Kind::Other;
    }
    return !fault_;
  }

  NocPlace grid_;
  std::size_t number_ = 0;
  std::map<std::tuple<std::uint8_t, std::uint8_t, std::string>, Thread> threads_;
  Trace trace_;
  std::optional<Fault> fault_;
};

} // namespace

Expected<Trace> parse_trace(std::string_view text, Arch arch) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded())
    return bad_input("this is no JSON", "name a noc_trace*.json of tt-metal");
  return TraceReader(arch).read(document);
}

Expected<Trace> read_trace(const std::string& file, Arch arch) {
  const auto text = read_text_file(file);
  if (!text) return Unexpected(text.error());
  auto trace = parse_trace(*text, arch);
  if (!trace) trace.error().file = file;
  return trace;
}

} // namespace lanewise::traffic
