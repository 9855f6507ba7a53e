#include "run/grid/races.h"

#include <algorithm>
#include <utility>

#include "run/launch/noc_waits.h"
#include "source/programs/layout.h"
#include "source/programs/start.h"

namespace lanewise::grid {

namespace {

using launch::NocWait;
using launch::Note;
using noc::Location;
using noc::Transaction;

// What is kept of a program, at most.
constexpr Counter kMostCounters = 1 << 15;
constexpr std::size_t kMostOpen = 1 << 14, kMostCells = 1 << 19, kMostWords = 1 << 16,
                      kMostNames = 1 << 12;
constexpr std::size_t kMostChanges = 16, kMostReads = 256;
constexpr std::uint32_t kRings = 64, kTags = 16;

/// Kinds of streams.
enum : std::uint32_t { kReads, kWrites, kPostedWrites, kAtomics, kPostedAtomics };

std::uint32_t stream_kind(Transaction::Kind kind, bool is_posted) {
  switch (kind) {
    case Transaction::Kind::Read: return kReads;
    case Transaction::Kind::Write:
    case Transaction::Kind::Inline: return is_posted ? kPostedWrites : kWrites;
    case Transaction::Kind::Increment:
    case Transaction::Kind::Swap: break;
  }
  return is_posted ? kPostedAtomics : kAtomics;
}

/// Nobody answers these: they are known to have left, and no more.
bool has_answer(std::uint32_t stream_kind) {
  return stream_kind != kPostedWrites && stream_kind != kPostedAtomics;
}

bool is_of_transaction(How how) {
  return how >= How::TakenByWrite;
}

} // namespace

Races::Races(Device device) : device_(std::move(device)), cores_(device_.cores.size()) {
  for (Core& core : cores_)
    for (Walker& walker : core.walker) walker = Walker(new_counter());
}

// ---------------------------------------------------------------- Limits

void Races::stop(std::string_view what) {
  if (missed_.empty()) missed_ = what;
}

Counter Races::new_counter() {
  if (counters_ >= kMostCounters) {
    stop("too many ways from core to core");
    return 0;
  }
  return ++counters_;
}

std::uint64_t Races::bytes_of(const Memory& memory) const {
  if (!memory.is_dram) return device_.l1_bytes;
  return memory.number < device_.bank_bytes.size() ? device_.bank_bytes[memory.number] : 0;
}

std::optional<Memory> Races::memory_at(std::size_t core, const Location& location) const {
  switch (location.memory) {
    case Location::Memory::L1: return l1_of(core);
    case Location::Memory::OtherL1: return Memory{.is_dram = false, .number = location.bank};
    case Location::Memory::Dram: return Memory{.is_dram = true, .number = location.bank};
    case Location::Memory::Many: break;
  }
  return std::nullopt;
}

std::string Races::name_of(std::size_t core, std::uint32_t line) const {
  const auto found = cores_[core].names.find(line);
  return found == cores_[core].names.end() ? "" : found->second;
}

// ---------------------------------------------------------------- What cores tell

bool Races::note(std::size_t core, const Note& note) {
  if (!missed_.empty()) return true;
  if (note.core >= programs::kCores) return false;
  Core& own = cores_[core];
  Walker& who = walker(core, note.core);
  const std::uint32_t ring = note.what << 1;
  switch (note.kind) {
    case Note::Kind::Accesses: return access(core, note);
    case Note::Kind::Asks: return ask(core, note);
    case Note::Kind::Waits: return wait(core, note);
    case Note::Kind::Acquires: return hear_word(core, note);
    case Note::Kind::Lands: {
      const auto open = own.open.find(note.number);
      if (open == own.open.end() || open->second.destination.memory != Location::Memory::L1)
        return false;
      const Open done = open->second;
      own.open.erase(open);
      if (done.kind != Transaction::Kind::Read) come(core, done, l1_of(core), done.access.way);
      return true;
    }
    case Note::Kind::Pushes:
    case Note::Kind::Pops:
      if (note.what >= kRings) return false;
      who.tell().join_into(own.rings[ring | (note.kind == Note::Kind::Pushes ? 1U : 0U)]);
      return true;
    case Note::Kind::SeesPushes:
    case Note::Kind::SeesPops:
      if (note.what >= kRings) return false;
      who.hear(own.rings[ring | (note.kind == Note::Kind::SeesPushes ? 1U : 0U)]);
      return true;
    case Note::Kind::Releases: {
      if (words_.size() >= kMostWords) stop("too many words by which cores go");
      if (note.source.address >= device_.l1_bytes) return false;
      words_[{l1_of(core), note.source.address}].store(who.tell());
      return true;
    }
    case Note::Kind::Follows:
      if (note.what >= programs::kCores) return false;
      if (&walker(core, note.what) != &who) who.hear(walker(core, note.what).tell());
      return true;
    case Note::Kind::Names: {
      if (own.names.size() >= kMostNames) return true;
      const auto end = std::ranges::find(note.text, '\0');
      own.names.try_emplace(note.line, note.text.begin(), end);
      return true;
    }
  }
  return false;
}

bool Races::access(std::size_t core, const Note& note) {
  const std::uint64_t address = note.source.address;
  if (note.bytes == 0 || address >= device_.l1_bytes || note.bytes > device_.l1_bytes - address)
    return false;
  const Stamp now = walker(core, note.core).now();
  const bool is_change = (note.flags & Note::kChanges) != 0;
  const bool is_unit = (note.flags & Note::kByUnit) != 0;
  Access access{.how = is_unit ? (is_change ? How::Pack : How::Unpack)
                               : (is_change ? How::Store : How::Load)};
  access.risc = static_cast<std::uint8_t>(note.core);
  access.is_word = (note.flags & Note::kIsWord) != 0;
  access.core = static_cast<std::uint16_t>(core);
  access.line = note.line;
  access.bytes = note.bytes;
  access.address = address;
  access.counter = access.asker = now.own;
  access.time = access.step = now.step;
  count_turn(access);
  touch(l1_of(core), now, access);
  return true;
}

bool Races::ask(std::size_t core, const Note& note) {
  const auto place = [](const Note::Place& from) {
    return Location{.memory = static_cast<Location::Memory>(from.memory),
                    .bank = from.bank,
                    .address = from.address};
  };
  constexpr auto kLast = static_cast<std::uint32_t>(Location::Memory::Many);
  if (note.what > static_cast<std::uint32_t>(Transaction::Kind::Swap) || note.noc >= kNocs ||
      note.tag >= kTags || note.channel > 0xFF || note.source.memory > kLast ||
      note.destination.memory > kLast)
    return false;
  Core& own = cores_[core];
  if (own.open.size() >= kMostOpen) stop("too many transactions that are under way");
  const auto kind = static_cast<Transaction::Kind>(note.what);
  const bool is_posted = (note.flags & Note::kIsPosted) != 0;
  const Location source = place(note.source), destination = place(note.destination);
  const bool is_copy = kind == Transaction::Kind::Read || kind == Transaction::Kind::Write;
  const auto from = memory_at(core, source), to = memory_at(core, destination);
  const auto lies_in = [&](const std::optional<Memory>& memory, const Location& location) {
    if (!memory) return location.memory == Location::Memory::Many;
    const std::uint64_t bytes = bytes_of(*memory);
    return location.address <= bytes && note.bytes <= bytes - location.address;
  };
  if (note.bytes == 0 || (is_copy && (!from || !lies_in(from, source))) ||
      !lies_in(to, destination))
    return false;

  Stream& stream = streams_[{core, note.core, note.noc, stream_kind(kind, is_posted), note.tag}];
  if (stream.done == 0) {
    stream.left = new_counter();
    stream.done = new_counter();
  }
  ++stream.asked;
  const bool is_many = destination.memory == Location::Memory::Many;
  Gate& gate = gates_[{core, note.noc, note.channel, is_many}];
  ++gate.sent;
  const Counter way = to && !to->is_dram && kind != Transaction::Kind::Read ? way_of(gate, *to) : 0;

  const Stamp stamp = walker(core, note.core).tell();
  Access access;
  access.risc = static_cast<std::uint8_t>(note.core);
  access.noc = static_cast<std::uint8_t>(note.noc);
  access.channel = static_cast<std::uint8_t>(note.channel);
  access.is_many = is_many;
  access.is_posted = is_posted;
  access.core = static_cast<std::uint16_t>(core);
  access.line = note.line;
  access.bytes = note.bytes;
  access.number = note.number;
  access.asker = stamp.own;
  access.step = stamp.step;
  access.time = stream.asked;
  access.way = way;
  access.way_time = gate.sent;
  count_turn(access);
  if (is_copy) {
    const bool is_read = kind == Transaction::Kind::Read;
    access.how = is_read ? How::TakenByRead : How::TakenByWrite;
    access.counter = is_read ? stream.done : stream.left;
    access.address = source.address;
    touch(*from, stamp, access);
  }
  access.counter = stream.done;
  access.address = destination.address;
  access.how = kind == Transaction::Kind::Read                ? How::FilledByRead
               : is_copy || kind == Transaction::Kind::Inline ? How::Written
                                                              : How::Incremented;
  if (kind == Transaction::Kind::Read && to) touch(*to, stamp, access);
  if (kind == Transaction::Kind::Increment && destination.memory == Location::Memory::L1) {
    const auto known = own_increments_.try_emplace({core, note.line}, note.value).first;
    if (known->second != note.value) known->second.reset();
  }
  own.open.insert_or_assign(note.number,
                            Open{.kind = kind,
                                 .stamp = stamp,
                                 .access = access,
                                 .destination = destination,
                                 .by = kind == Transaction::Kind::Increment ? note.value : 0});
  return true;
}

bool Races::wait(std::size_t core, const Note& note) {
  if (note.what > static_cast<std::uint32_t>(NocWait::What::AllOfTag)) return false;
  const auto what = static_cast<NocWait::What>(note.what);
  const bool have_left = (note.flags & Note::kHaveLeft) != 0,
             is_trial = (note.flags & Note::kByTrial) != 0;
  Walker& who = walker(core, note.core);
  const auto covers = [&](std::uint32_t kind, std::uint32_t tag) {
    switch (what) {
      case NocWait::What::Reads: return kind == kReads;
      case NocWait::What::Writes: return kind == kWrites;
      case NocWait::What::PostedWrites: return kind == kPostedWrites;
      case NocWait::What::Atomics: return kind == kAtomics;
      case NocWait::What::PostedAtomics: return kind == kPostedAtomics;
      case NocWait::What::AllOfTag: return tag == note.tag;
    }
    return false;
  };
  auto stream = streams_.lower_bound({core, note.core, note.noc, 0, 0});
  for (; stream != streams_.end() && stream->first.core == core &&
         stream->first.risc == note.core && stream->first.noc == note.noc;
       ++stream) {
    const auto& [key, all] = *stream;
    if (!covers(key.kind, key.tag)) continue;
    who.raise(all.left, all.asked);
    if (!have_left && (has_answer(key.kind) || is_trial)) who.raise(all.done, all.asked);
  }
  return true;
}

// ---------------------------------------------------------------- What happens

Counter Races::way_of(Gate& gate, const Memory& to) {
  Counter& way = gate.ways[to];
  if (way == 0) way = new_counter();
  return way;
}

void Races::land(std::size_t core, const Transaction& t) {
  if (!missed_.empty()) return;
  Core& own = cores_[core];
  const auto found = own.open.find(t.number);
  if (found == own.open.end()) return;
  const Open open = found->second;
  own.open.erase(found);
  if (open.kind != t.kind || open.access.bytes != t.bytes) return;
  if (t.kind == Transaction::Kind::Read) {
    // Who looks at a word of another core by a read goes by what it says.
    const auto from = memory_at(core, t.source), to = memory_at(core, t.destination);
    if (!from || !to || t.bytes > kLookBytes) return;
    for (std::uint64_t at = 0; at + kWordBytes <= t.bytes; at += kWordBytes) {
      const auto word = words_.find({*from, t.source.address + at});
      if (word == words_.end()) continue;
      words_[{*to, t.destination.address + at}].join(word->second);
    }
    return;
  }
  if (!open.access.is_many) {
    if (const auto to = memory_at(core, open.destination)) come(core, open, *to, open.access.way);
    return;
  }
  Gate& gate = gates_[{core, open.access.noc, open.access.channel, true}];
  for (const unsigned receiver : t.receivers) {
    const Memory to{.is_dram = false, .number = receiver};
    come(core, open, to, way_of(gate, to));
  }
}

void Races::come(std::size_t core, const Open& open, const Memory& where, Counter way) {
  if (!missed_.empty()) return;
  Access access = open.access;
  access.core = static_cast<std::uint16_t>(core);
  access.way = way;
  touch(where, open.stamp, access);
  if (where.is_dram) return;
  const std::uint64_t first = access.address / kWordBytes * kWordBytes;
  if (access.bytes <= kWordBytes) {
    if (words_.size() >= kMostWords) return stop("too many words by which cores go");
    raise(words_[{where, first}], open, access, where);
    return;
  }
  for (auto word = words_.lower_bound({where, first});
       word != words_.end() && word->first.first == where &&
       word->first.second < access.address + access.bytes;
       ++word)
    raise(word->second, open, access, where);
}

bool Races::knows(const Stamp& stamp, const Access& access) const {
  if (stamp.knows(access.counter, access.time)) return true;
  if (access.how == How::TakenByWrite && access.is_many) {
    const auto gate = gates_.find({access.core, access.noc, access.channel, true});
    return gate != gates_.end() && std::ranges::any_of(gate->second.ways, [&](const auto& way) {
             return stamp.knows(way.second, access.way_time);
           });
  }
  return stamp.knows(access.way, access.way_time);
}

/// By what is known, or by the rules of the NoC: what one core sends by one NoC and channel to one
/// place stays in order, and a read behind a write sees it.
bool Races::is_ordered(const Stamp& stamp, const Access& before, const Access& now) const {
  if (knows(stamp, before)) return true;
  if (before.core != now.core || !is_of_transaction(before.how) || !is_of_transaction(now.how))
    return false;
  if (before.number == now.number) return true;
  if (before.noc != now.noc) return false;
  if (comes_by_noc(before.how) && comes_by_noc(now.how))
    return before.channel == now.channel && before.is_many == now.is_many;
  if (comes_by_noc(before.how)) return now.how == How::TakenByRead;
  // It has come after the read was asked for, in whose front it went.
  return comes_by_noc(now.how) && before.how == How::TakenByRead && now.number < before.number;
}

/// Checks of a single core say what is wrong between its own cores, but for what the two that move
/// data do to scratch memory.
bool Races::is_in_its_own(const Memory& memory, const Access& a, const Access& b) const {
  const auto moves = [](const Access& access) {
    return access.risc >= programs::kCores - 2 && access.how != How::Incremented && !access.is_word;
  };
  return a.core == b.core && memory == l1_of(a.core) &&
         (a.risc == b.risc || !moves(a) || !moves(b));
}

void Races::touch(const Memory& memory, const Stamp& stamp, const Access& access) {
  Accesses& accesses = accesses_[memory];
  const std::size_t cells_before = accesses.cells();
  const std::uint64_t begin = access.address, end = begin + access.bytes;
  const bool is_change = changes(access.how);
  bool is_alike = is_change;
  accesses.visit(begin, end, [&](Accesses::Cell& cell) {
    for (const Access& change : cell.changes)
      if (!is_ordered(stamp, change, access)) tell(memory, cell, change, access);
    const auto keep = [&](std::vector<Access>& all, std::size_t most) {
      std::erase_if(all, [&](const Access& each) {
        // Increments have no order among each other: none stands for a store in front of it.
        if (access.how == How::Incremented && each.how != How::Incremented) return false;
        return knows(stamp, each) || (each.counter == access.counter && each.time <= access.time);
      });
      if (all.size() >= most) all.erase(all.begin());
    };
    if (is_change) {
      for (const Access& read : cell.reads)
        if (!is_ordered(stamp, read, access)) tell(memory, cell, access, read);
      if (!cell.changes.empty()) cell.before = cell.changes.back();
      keep(cell.changes, kMostChanges);
      Access change = access;
      change.is_update =
          access.how == How::Store && std::ranges::any_of(cell.reads, [&](const Access& read) {
            return read.how == How::Load && read.asker == access.asker;
          });
      cell.reads.clear();
      cell.changes.push_back(change);
      is_alike = is_alike && cell.changes.size() == 1;
    } else {
      keep(cell.reads, kMostReads);
      cell.reads.push_back(access);
    }
  });
  if (is_alike) accesses.unite(begin, end);
  cells_ += accesses.cells() - cells_before;
  if (cells_ > kMostCells) stop("too many parts of memory that are used apart");
}

} // namespace lanewise::grid
