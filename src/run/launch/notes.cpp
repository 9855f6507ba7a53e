#include "run/launch/notes.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/source_line.h"
#include "chip/riscv/address_map.h"
#include "chip/tile/overlay.h"
#include "source/programs/layout.h"

namespace lanewise::launch {

namespace {

using noc::Location;
using noc::NocEvent;
using noc::Transaction;

constexpr std::uint64_t kWord = 4;
constexpr std::size_t kMostHeld = 256; ///< notes, before they are handed over

/// What says which pages of a ring a core has looked at.
std::uint32_t pages_of(unsigned ring, bool is_push) {
  return ring << 1 | (is_push ? 1U : 0U);
}

} // namespace

Notes::Notes(Arch arch, Sink sink)
    : arch_(arch),
      sink_(std::move(sink)),
      is_word_(arch_params(arch).tile.l1_bytes / kWord),
      l1_words_(is_word_.size()),
      // Zeros that take no memory before they are touched.
      storer_(static_cast<std::uint8_t*>(std::calloc(l1_words_, 1))) {}

// ---------------------------------------------------------------- Accesses

void Notes::add(unsigned core, Range range) {
  Core& own = core_[core];
  for (std::size_t i = 0; i < own.ranges; ++i) {
    Range& known = own.range[i];
    if (known.code != range.code || known.flags != range.flags || range.begin > known.end ||
        range.end < known.begin)
      continue;
    known.begin = std::min(known.begin, range.begin);
    known.end = std::max(known.end, range.end);
    return;
  }
  if (own.ranges < Core::kRanges) {
    own.range[own.ranges++] = range;
    return;
  }
  std::swap(own.range[own.next], range);
  own.next = (own.next + 1) % Core::kRanges;
  Note note = note_of(Note::Kind::Accesses, core, range.line);
  note.source.address = range.begin;
  note.bytes = static_cast<std::uint32_t>(range.end - range.begin);
  note.flags = range.flags;
  put(note);
}

void Notes::flush(unsigned core) {
  Core& own = core_[core];
  for (std::size_t i = 0; i < own.ranges; ++i) {
    Note note = note_of(Note::Kind::Accesses, core, own.range[i].line);
    note.source.address = own.range[i].begin;
    note.bytes = static_cast<std::uint32_t>(own.range[i].end - own.range[i].begin);
    note.flags = own.range[i].flags;
    put(note);
  }
  own.ranges = own.next = 0;
}

void Notes::access(unsigned core, const section::MemoryAccess& access, std::uint64_t code,
                   const LineOf& line) {
  if (access.address < programs::kSemaphores || access.bytes == 0 ||
      access.address / kWord >= l1_words_)
    return;
  Core& own = core_[core];
  const bool is_word = access.is_volatile && access.bytes <= kWord;
  if (!access.changes && access.is_volatile) look_at_word(core, access, code);
  Range range{
      .code = code, .begin = access.address, .end = std::uint64_t{access.address} + access.bytes};
  range.flags = (access.changes ? Note::kChanges : 0U) | (is_word ? Note::kIsWord : 0U);
  own.last = range;
  const auto known = std::find_if(own.range.begin(), own.range.begin() + own.ranges,
                                  [&](const Range& each) { return each.code == code; });
  range.line = known != own.range.begin() + own.ranges ? known->line : line();
  add(core, range);
  if (access.changes) store_word(core, access);
}

/// A core that finds what another one has left in a word, or looks at it again and again, goes by
/// it.
void Notes::look_at_word(unsigned core, const section::MemoryAccess& access, std::uint64_t code) {
  Core& own = core_[core];
  const std::uint64_t word = access.address / kWord * kWord;
  const bool is_awaited = own.awaited == word;
  if (access.bytes <= kWord && is_word_[word / kWord]) {
    const Word& known = words_[word];
    if (!is_awaited && known.seen[core] != known.version)
      tell_word(core, word, note_of(Note::Kind::Acquires, core));
  } else if (own.last.code == code && own.last.begin == access.address &&
             (own.last.flags & Note::kChanges) == 0 && !is_awaited && own.arrivals != arrivals_) {
    own.arrivals = arrivals_;
    tell_word(core, word, note_of(Note::Kind::Acquires, core));
  }
  const std::uint8_t storer = storer_ ? storer_[word / kWord] : 0;
  if (storer != 0 && storer != core + 1) follow(core, storer - 1U);
}

void Notes::store_word(unsigned core, const section::MemoryAccess& access) {
  const std::uint64_t first = access.address / kWord;
  const std::uint64_t end = std::min<std::uint64_t>(
      (std::uint64_t{access.address} + access.bytes + kWord - 1) / kWord, l1_words_);
  if (storer_) {
    for (std::uint64_t word = first; word < end; ++word)
      storer_[word] = static_cast<std::uint8_t>(core + 1);
  }
  ++core_[core].told;
  if (access.bytes > kWord || !(programs::is_semaphore(access.address) || is_word_[first])) return;
  add_word(access.address, access.bytes);
  tell_word(core, first * kWord, note_of(Note::Kind::Releases, core));
}

void Notes::access_by_unit(unsigned core, std::uint32_t line, const L1Range& range) {
  add(core, {.code = line,
             .begin = range.address,
             .end = range.address + range.bytes,
             .line = line,
             .flags = Note::kByUnit | (range.changes ? Note::kChanges : 0U)});
}

// ---------------------------------------------------------------- Who tells whom

void Notes::tell_word(unsigned core, std::uint64_t word, Note note) {
  flush(core);
  note.source.address = word;
  note.bytes = kWord;
  put(note);
  const auto known = words_.find(word);
  if (known != words_.end()) known->second.seen[core] = known->second.version;
}

void Notes::add_word(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t first = address / kWord * kWord;
  if (bytes <= kWord && first / kWord < l1_words_) {
    is_word_[first / kWord] = true;
    ++words_[first].version;
    return;
  }
  for (auto word = words_.lower_bound(first); word != words_.end() && word->first < address + bytes;
       ++word)
    ++word->second.version;
}

void Notes::await(unsigned core, std::uint32_t line, const AwaitedWord& word) {
  core_[core].awaited.reset();
  const std::uint64_t first = word.address / kWord * kWord;
  if (first / kWord >= l1_words_) return;
  is_word_[first / kWord] = true;
  words_.try_emplace(first);
  Note note = note_of(Note::Kind::Acquires, core, line);
  note.what = word.least;
  note.value = word.found;
  note.flags = word.is_exact ? Note::kIsExact : Note::kIsAtLeast;
  tell_word(core, first, note);
}

void Notes::arrive(std::uint64_t address, std::uint64_t bytes) {
  ++arrivals_;
  add_word(address, bytes);
  if (!storer_) return;
  const std::uint64_t end =
      std::min<std::uint64_t>((address + bytes + kWord - 1) / kWord, l1_words_);
  for (std::uint64_t word = address / kWord; word < end; ++word)
    if (storer_[word] != 0) storer_[word] = 0;
}

void Notes::follow(unsigned core, unsigned other) {
  if (core_[core].followed[other] == core_[other].told) return;
  core_[core].followed[other] = core_[other].told;
  flush(other);
  flush(core);
  Note note = note_of(Note::Kind::Follows, core);
  note.what = other;
  put(note);
}

void Notes::move(unsigned core, unsigned ring, bool is_push) {
  flush(core);
  ++core_[core].told;
  ++moves_[pages_of(ring, is_push)];
  Note note = note_of(is_push ? Note::Kind::Pushes : Note::Kind::Pops, core);
  note.what = ring;
  put(note);
}

void Notes::load(unsigned core, std::uint32_t address) {
  const riscv::AddressRange range = riscv::find_region(arch_, address);
  if (range.region == riscv::Region::Mailboxes || range.region == riscv::Region::PcBuf) {
    for (unsigned other = 0; other < programs::kCores; ++other)
      if (other != core) follow(core, other);
    return;
  }
  const std::uint32_t offset = address - range.first;
  const auto counter =
      range.region == riscv::Region::NocOverlay ? pages_counter(arch_, offset) : std::nullopt;
  if (!counter) return;
  const auto [ring, is_push] = *counter;
  const std::uint32_t pages = pages_of(ring, is_push);
  const auto moved = moves_.find(pages);
  if (moved == moves_.end()) return;
  std::uint64_t& seen = core_[core].pages_seen[pages];
  if (seen == moved->second) return;
  seen = moved->second;
  flush(core);
  Note note = note_of(is_push ? Note::Kind::SeesPushes : Note::Kind::SeesPops, core);
  note.what = ring;
  put(note);
}

// ---------------------------------------------------------------- NoC

void Notes::see(const NocEvent& event) {
  if (event.kind == NocEvent::Kind::Sent) return;
  if (event.kind == NocEvent::Kind::Seen) {
    const auto wait = waits_.look(event);
    if (!wait) return;
    const std::uint32_t key = static_cast<std::uint32_t>(wait->what) << 16 | wait->noc << 8 |
                              wait->tag << 1 | (wait->have_left ? 1U : 0U);
    if (!core_[wait->core].waits.insert(key).second) return;
    flush(wait->core);
    Note note = note_of(Note::Kind::Waits, wait->core);
    note.what = static_cast<std::uint32_t>(wait->what);
    note.noc = wait->noc;
    note.tag = wait->tag;
    note.flags = wait->have_left ? Note::kHaveLeft : 0U;
    put(note);
    return;
  }
  const Transaction& t = *event.transaction;
  if (event.kind == NocEvent::Kind::Landed) {
    if (t.goes_beyond()) return; // who carries it out knows
    arrive(t.destination.address, t.bytes);
    Note note = note_of(Note::Kind::Lands, t.core);
    note.number = t.number;
    put(note);
    return;
  }
  waits_.ask(t);
  core_[t.core].waits.clear();
  ++core_[t.core].told;
  flush(t.core);
  Note note = note_of(Note::Kind::Asks, t.core, t.line);
  note.what = static_cast<std::uint32_t>(t.kind);
  note.noc = t.noc;
  note.channel = t.channel;
  note.tag = t.tag;
  note.value = t.value;
  note.flags = t.is_posted ? Note::kIsPosted : 0U;
  note.bytes = t.bytes;
  note.number = t.number;
  const auto place = [](const Location& location) {
    return Note::Place{.memory = static_cast<std::uint32_t>(location.memory),
                       .bank = location.bank,
                       .address = location.address};
  };
  note.source = place(t.source);
  note.destination = place(t.destination);
  put(note);
}

void Notes::pass(const Mend& barrier) {
  flush(barrier.core);
  const auto note_wait = [&](NocWait::What what) {
    Note note = note_of(Note::Kind::Waits, barrier.core);
    note.what = static_cast<std::uint32_t>(what);
    note.noc = barrier.noc;
    note.flags = Note::kByTrial;
    put(note);
  };
  switch (barrier.of) {
    case Mend::Of::Atomics:
      note_wait(NocWait::What::Atomics);
      note_wait(NocWait::What::PostedAtomics);
      return;
    case Mend::Of::Writes:
      note_wait(NocWait::What::Writes);
      note_wait(NocWait::What::PostedWrites);
      return;
    case Mend::Of::Reads: note_wait(NocWait::What::Reads);
  }
}

// ---------------------------------------------------------------- On their way

Note Notes::note_of(Note::Kind kind, unsigned core, std::uint32_t line) {
  if (line >= kFirstPlace) name(line);
  Note note{};
  note.kind = kind;
  note.core = core;
  note.line = line;
  return note;
}

/// Another process does not know what the number of a line stands for that is not of the kernel's
/// own file.
void Notes::name(std::uint32_t line) {
  if (!named_.insert(line).second) return;
  Note note{};
  note.kind = Note::Kind::Names;
  note.line = line;
  const std::string text = line_label(line);
  const std::size_t some = std::min(text.size(), note.text.size() - 1);
  std::memcpy(note.text.data(), text.data(), some);
  put(note);
}

void Notes::put(const Note& note) {
  notes_.push_back(note);
  if (notes_.size() < kMostHeld) return;
  sink_(notes_);
  notes_.clear();
}

void Notes::hand_over() {
  for (unsigned core = 0; core < programs::kCores; ++core) flush(core);
  if (!notes_.empty()) sink_(notes_);
  notes_.clear();
}

} // namespace lanewise::launch
